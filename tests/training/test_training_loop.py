"""The loop on tiny networks: the same weights however often it was stopped, and a learning rate that rises, is constant and falls."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
import torch
import torch.nn.functional as F  # noqa: N812  # the customary name
from torch import Tensor, nn
from transformers import LlamaForCausalLM

from specviz.errors import TrainingError
from specviz.training import muon, training_loop
from specviz.training.llama import hidden
from specviz.training.muon import Muon
from specviz.training.plan import Phase, TrainingPlan
from specviz.training.training_loop import Curve, CurvePoint, Objective, TrainingProgress, follow
from tests.training.helpers import Shape, built

pytestmark = pytest.mark.slow

VOCABULARY = 17
EARLY_EXIT = "early exit"
SMALL = Shape(layers=1, width=16, heads=2, feed_forward=24)
DEEP = Shape(layers=2, width=16, heads=2, feed_forward=24, exit_layer=1)
PLAN = TrainingPlan(phases=(Phase(8), Phase(16)), batch=32, warm_up=32)
FIRST, STEPS = 8, 18
"""Steps of the first phase, and of both; a checkpoint falls on their border."""

Weights = dict[str, dict[str, Tensor]]


@pytest.fixture(scope="module", autouse=True)
def _often() -> Iterator[None]:
    """A checkpoint wherever there may be one, which is every fourth step here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training_loop, "POINT_STEPS", 4)
        patch.setattr(training_loop, "EVERY_SECONDS", -1.0)
        yield


def some_rows() -> list[Tensor]:
    """Rows of both phases that follow a rule, so that there is something to learn; a few of each fill no batch."""
    random = torch.Generator().manual_seed(4)
    found = []
    for count, width in ((FIRST * 4 + 3, 9), ((STEPS - FIRST) * 2 + 1, 17)):
        starts = torch.randint(0, VOCABULARY, (count, 1), generator=random)
        found.append(((starts + 3 * torch.arange(width)) % VOCABULARY).to(torch.int16))
    return found


def by_text(networks: Mapping[str, LlamaForCausalLM], exit_layer: int | None = None) -> Objective:
    """The surprise of each network at the next token, and that of what it says after `exit_layer` layers."""

    def losses(rows: Tensor) -> Mapping[str, Tensor]:
        found = {}
        for name, network in networks.items():
            for loss, states in zip((name, EARLY_EXIT), hidden(network, rows[:, :-1], exit_layer), strict=True):
                if states is not None:
                    found[loss] = F.cross_entropy(network.lm_head(states).flatten(0, 1), rows[:, 1:].flatten())
        return found

    return losses


def target() -> tuple[dict[str, LlamaForCausalLM], Objective]:
    """A target with an early exit."""
    models = {"target": built(DEEP, VOCABULARY, 32, seed=1)}
    return models, by_text(models, DEEP.exit_layer)


def drafts(*asked: str) -> tuple[dict[str, LlamaForCausalLM], Objective]:
    """Drafts, two of the same shape and one deeper, or those that are asked for."""
    shapes = {"first": SMALL, "second": SMALL, "deep": DEEP}
    students = {
        name: built(shape, VOCABULARY, 32, seed=place)
        for place, (name, shape) in enumerate(shapes.items())
        if not asked or name in asked
    }
    return students, by_text(students)


def train(
    checkpoint: Path,
    learners: tuple[Mapping[str, nn.Module], Objective],
    told: Callable[[TrainingProgress], object] = lambda now: None,
    *,
    plan: TrainingPlan = PLAN,
    precision: torch.dtype = torch.float32,
    early: float = 0.2,
) -> tuple[Weights, Curve]:
    """One run of a training: the weights and the curve at its end."""
    models, objective = learners
    curve = follow(
        plan,
        models,
        objective,
        some_rows(),
        weights={EARLY_EXIT: early},
        device=torch.device("cpu"),
        precision=precision,
        checkpoint=checkpoint,
        fingerprint="this",
        compiled=False,
        report=told,
    )
    return {name: {key: w.clone() for key, w in model.state_dict().items()} for name, model in models.items()}, curve


def same(one: Weights, other: Weights) -> bool:
    """Whether all weights are equal, bit for bit."""
    return one.keys() == other.keys() and all(
        torch.equal(weight.view(torch.int32), other[name][key].view(torch.int32))
        for name in one
        for key, weight in one[name].items()
    )


def stop_after(steps: int) -> Callable[[TrainingProgress], None]:
    """A callback that interrupts the run at that step."""
    heard: list[TrainingProgress] = []

    def told(now: TrainingProgress) -> None:
        heard.append(now)
        if len(heard) == steps:
            raise KeyboardInterrupt

    return told


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Weights, Curve, list[TrainingProgress]]:
    """A training of the target that nothing interrupted."""
    heard: list[TrainingProgress] = []
    weights, curve = train(tmp_path_factory.mktemp("whole") / "checkpoint", target(), heard.append)
    return weights, curve, heard


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> tuple[Weights, Curve]:
    """A training of all drafts that nothing interrupted."""
    return train(tmp_path_factory.mktemp("together") / "checkpoint", drafts())


Whole = tuple[Weights, Curve, list[TrainingProgress]]


def test_training_learns(whole: Whole) -> None:
    """On text that follows a rule the losses fall, and every weight has changed."""
    weights, curve, _ = whole
    assert curve.points[-1].losses["target"] < 0.9 * curve.points[0].losses["target"]
    assert curve.points[-1].losses[EARLY_EXIT] < curve.points[0].losses[EARLY_EXIT]
    fresh = target()[0]["target"].state_dict()
    assert all(not torch.equal(weight, fresh[name]) for name, weight in weights["target"].items())


def test_an_interrupted_training_ends_as_if_nothing_had_been(whole: Whole, tmp_path: Path) -> None:
    """Stopped at any step, in either phase or between them, or again and again, and taken up again, a training ends with the same bits and the same
    curve."""
    for steps in (5, 5, 5, 5, 2):
        with pytest.raises(KeyboardInterrupt):
            train(tmp_path / "stopped often", target(), stop_after(steps))
    assert same(train(tmp_path / "stopped often", target())[0], whole[0])
    for step in (1, 4, 5, FIRST, FIRST + 1, 13, STEPS - 1, STEPS):
        path = tmp_path / f"stopped at {step}"
        with pytest.raises(KeyboardInterrupt):
            train(path, target(), stop_after(step))
        heard: list[TrainingProgress] = []
        weights, curve = train(path, target(), heard.append)
        assert same(weights, whole[0]), step
        assert curve.points == whole[1].points, step
        kept = (step - 1) // 4 * 4  # the interruption comes before that step's own checkpoint
        assert [now.tokens for now in heard] == [now.tokens for now in whole[2]][kept:]
        assert [now.losses for now in heard] == [now.losses for now in whole[2]][kept:]


def test_interrupted_drafts_end_as_if_nothing_had_been(together: tuple[Weights, Curve], tmp_path: Path) -> None:
    """The same for several drafts at once: each gets its own weights and its own optimiser's state back."""
    for step in (5, FIRST + 1, STEPS):
        with pytest.raises(KeyboardInterrupt):
            train(tmp_path / f"stopped at {step}", drafts(), stop_after(step))
        weights, again = train(tmp_path / f"stopped at {step}", drafts())
        assert same(weights, together[0]), step
        assert again.points == together[1].points, step


@pytest.mark.parametrize("precision", [torch.float32, torch.bfloat16])
def test_everything_is_multiplied_in_the_precision_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, precision: torch.dtype
) -> None:
    """The network's matrices and Muon's are multiplied in that format and in no other; the weights stay in float32."""
    seen = set()
    real = muon.orthogonal

    def watched(matrix: Tensor) -> Tensor:
        seen.add(matrix.dtype)
        return real(matrix)

    monkeypatch.setattr(muon, "orthogonal", watched)
    models, objective = target()
    for layer in models["target"].model.layers:
        layer.mlp.register_forward_hook(lambda layer, given, found: seen.add(found.dtype))
    weights, _ = train(tmp_path / "checkpoint", (models, objective), precision=precision)
    assert seen == {precision}
    assert {weight.dtype for weight in weights["target"].values()} == {torch.float32}


def test_a_finished_training_is_not_begun_again(whole: Whole, tmp_path: Path) -> None:
    """Called again, a finished training takes no step and gives the same weights and the same curve, its seconds too."""
    path = tmp_path / "checkpoint"
    _, first = train(path, target())
    before = path.read_bytes()
    heard: list[TrainingProgress] = []
    weights, again = train(path, target(), heard.append)
    assert heard == []
    assert same(weights, whole[0])
    assert again == first
    assert first.seconds > 0
    assert path.read_bytes() == before


def test_the_seconds_are_those_of_all_sittings(tmp_path: Path) -> None:
    """The seconds of a curve are those before the last checkpoint of each run, added up; a break between them does not count."""
    path, clock = tmp_path / "checkpoint", [0.0]

    def read() -> float:
        clock[0] += 1e-6
        return clock[0]

    def second(now: TrainingProgress) -> None:
        clock[0] += 1.0

    def until_ten(now: TrainingProgress) -> None:
        second(now)
        if clock[0] > 10:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "monotonic", read)
        with pytest.raises(KeyboardInterrupt):
            train(path, target(), until_ten)
        clock[0] = 5000.0
        _, curve = train(path, target(), second)
    assert curve.seconds == pytest.approx(STEPS, abs=0.01)


def test_the_listener_hears_of_every_step(whole: Whole) -> None:
    """After each step: the tokens so far, evenly to the total of what fills a batch, and losses and a rate that are numbers."""
    heard = whole[2]
    assert [now.tokens for now in heard] == [32 * step for step in range(1, STEPS + 1)]
    assert {now.total for now in heard} == {32 * STEPS}
    assert all(now.rate > 0 and all(map(math.isfinite, now.losses.values())) for now in heard)


def test_a_point_of_the_curve_is_a_mean(whole: Whole) -> None:
    """Each point, the last one of what is left, is the mean of its own four steps' losses, early exit and all, at the tokens seen by then."""
    _, curve, heard = whole
    assert len(curve.points) == -(-STEPS // 4)
    for place, point in enumerate(curve.points):
        steps = heard[place * 4 : place * 4 + 4]
        assert point.tokens == steps[-1].tokens
        means = {name: fmean(now.losses[name] for now in steps) for name in ("target", EARLY_EXIT)}
        assert point.losses == pytest.approx(means)


def test_drafts_trained_together_do_not_touch_each_other(together: tuple[Weights, Curve], tmp_path: Path) -> None:
    """Each draft ends with the very weights, and the very losses, that it gets when it is trained alone."""
    joint, curve = together
    assert len(joint) == 3
    for name, weights in joint.items():
        alone, own = train(tmp_path / name, drafts(name))
        assert same(alone, {name: weights})
        assert own.points == [CurvePoint(point.tokens, {name: point.losses[name]}) for point in curve.points]


def test_the_weight_of_a_loss_decides_what_it_changes(tmp_path: Path) -> None:
    """An early exit of weight zero trains as no early exit at all; of another weight, otherwise."""

    def ended(exit_layer: int | None, weight: float) -> Weights:
        models, _ = target()
        return train(tmp_path / f"{exit_layer} {weight}", (models, by_text(models, exit_layer)), early=weight)[0]

    without = ended(None, 1.0)
    assert same(ended(1, 0.0), without)
    assert not same(ended(1, 0.2), without)


def test_the_rate_rises_is_constant_and_falls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both rates rise evenly to their peak, stand there, and fall evenly to almost nothing, under one schedule for all phases."""
    built: list[Any] = []
    real = training_loop._optimisers

    def watched(*given: Any) -> list[torch.optim.Optimizer]:
        built.extend(real(*given))
        return built

    monkeypatch.setattr(training_loop, "_optimisers", watched)
    rates: list[list[float]] = []
    plan = replace(PLAN, matrix_rate=0.03, other_rate=0.002, warm_up=4 * 32, cool_down=9 / STEPS)

    def told(now: TrainingProgress) -> None:
        rates.append([group["lr"] for optimiser in built for group in optimiser.param_groups])

    train(tmp_path / "checkpoint", target(), told, plan=plan)
    shape = [0.25, 0.5, 0.75, 1, 1, 1, 1, 1, 1, *(left / 9 for left in range(8, -1, -1))]
    for kind, peak in enumerate((0.03, 0.002)):
        assert [now[kind] for now in rates] == pytest.approx([peak * level for level in shape], abs=0.002 * peak)
        assert all(now[kind] > 0 for now in rates)


@pytest.mark.parametrize("asked", [target, drafts])
def test_every_weight_has_the_optimiser_it_should(
    asked: Callable[[], tuple[dict[str, LlamaForCausalLM], Objective]],
) -> None:
    """Every weight of every network is trained exactly once: matrices inside the layers by Muon, embeddings and norms by AdamW."""
    models, _ = asked()
    matrices, others = training_loop._optimisers(models, PLAN, torch.float32)
    held = [[id(weight) for group in one.param_groups for weight in group["params"]] for one in (matrices, others)]
    inside = {id(w) for model in models.values() for w in model.model.layers.parameters() if w.ndim == 2}
    assert isinstance(matrices, Muon)
    assert sorted(held[0]) == sorted(inside)
    assert sorted(held[0] + held[1]) == sorted({id(w) for model in models.values() for w in model.parameters()})


def test_a_loss_that_is_no_number_stops_the_training(tmp_path: Path) -> None:
    """Where the loss is no longer finite the training stops with a sentence, and the last checkpoint holds only sound weights."""
    path = tmp_path / "checkpoint"
    models, objective = target()
    steps = []

    def failing(rows: Tensor) -> Mapping[str, Tensor]:
        steps.append(1)
        if len(steps) == 7:
            with torch.no_grad():
                models["target"].model.norm.weight.fill_(math.inf)
        return objective(rows)

    with pytest.raises(TrainingError, match="train with lower rates") as stopped:
        train(path, (models, failing))
    assert "nan" in str(stopped.value)
    assert "\n" not in str(stopped.value)
    assert len(steps) == 7
    kept = torch.load(path, weights_only=True)
    assert kept["step"] == 4
    assert all(weight.isfinite().all() for weight in kept["networks"]["target"].values())
