"""The miniature pair, made from nothing to the end: it learns, it loads, it is lossless, and a stopped run continues."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from transformers import LlamaForCausalLM

from recipes.embedded import architecture, batches, continuations, llama_folder, openings, tokenizer
from recipes.embedded.base_pair import BasePair, read
from recipes.embedded.batches import rows
from recipes.embedded.make import Workshop, make
from recipes.embedded.mixture import HeldOut, Library, documents
from recipes.embedded.objectives import EARLY_EXIT
from recipes.embedded.recipe import TARGET, TrainingPlan
from recipes.embedded.recipes import EMBEDDED, MINIATURE
from specviz.errors import CheckpointError, CorpusError, TrainingError
from specviz.models import Pair, load_pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.training import training_loop
from specviz.training.progress_bars import ProgressBar

pytestmark = [pytest.mark.slow]

Watch = Callable[[str, int, int], object]
OWN = "the target writes 1 drafts-continued own"
PROMPTS = ("{", "Dear", "Question: 3", "One, two", "Once upon a time", "12 + 7 =")


@dataclass(frozen=True, slots=True)
class _Watched:
    title: str
    watch: Watch

    def reached(self, done: int, total: int, note: str = "") -> None:
        self.watch(self.title, done, total)


def bar_of(watch: Watch) -> Callable[[str], AbstractContextManager[ProgressBar]]:
    """A display that only calls back."""

    @contextmanager
    def bar(title: str) -> Iterator[_Watched]:
        yield _Watched(title, watch)

    return bar


def workshop_in(
    folder: Path,
    watch: Watch = lambda title, done, total: None,
    corpus: Path | None = None,
    base: BasePair | None = None,
) -> Workshop:
    """A quiet workshop with its work and its pair in `folder`."""
    return Workshop(
        corpus=corpus,
        work=folder / "pair.work",
        out=folder / "pair",
        ready_made=(),
        device=torch.device("cpu"),
        precision=torch.float32,
        compiled=False,
        bar=bar_of(watch),
        base=base,
    )


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file by its path; of the curves only what does not depend on the clock."""
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    if "curves.json" in found:
        curves = json.loads(found["curves.json"])
        found["curves.json"] = json.dumps({name: curve["points"] for name, curve in curves.items()}).encode()
    return found


@pytest.fixture(scope="module", autouse=True)
def _quiet() -> None:
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()


@pytest.fixture(scope="module")
def made(miniature: Path) -> Path:
    """A folder with the miniature pair, as the command made it, and with its checkpoints; not to be changed."""
    return miniature.parent


def _smaller(plan: TrainingPlan) -> TrainingPlan:
    """As many steps, with an eighth of the tokens in each."""
    phases = tuple(
        replace(phase, tokens=phase.tokens // 8, pool=phase.pool and phase.pool // 8) for phase in plan.phases
    )
    return replace(plan, phases=phases, batch=plan.batch // 8, warm_up=plan.warm_up // 8)


TINY = replace(
    MINIATURE,
    tokenizer_characters=20_000,
    steps=tuple(replace(step, plan=_smaller(step.plan)) for step in MINIATURE.steps),
)
"""The miniature's trainings, so short that they can be repeated: for what must come out the same to the last byte."""


@pytest.fixture
def _few_texts_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of a tiny recipe need few texts."""
    monkeypatch.setattr(batches, "_AT_ONCE", 100)


@pytest.fixture(scope="module")
def tiny_made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pair of the tiny recipe and its checkpoints; not to be changed."""
    folder = tmp_path_factory.mktemp("tiny")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches, "_AT_ONCE", 100)
        make(TINY, workshop_in(folder))
    return folder


@pytest.fixture(scope="module")
def pairs(made: Path) -> dict[str, Pair]:
    """The pair of the target with each draft, loaded as any folders are."""
    return {
        name: load_pair(
            target=str(made / "pair" / TARGET), draft=str(made / "pair" / name), device="cpu", dtype="float32"
        )
        for name in MINIATURE.drafts
    }


def test_every_network_learns(made: Path) -> None:
    """From the first point of its curves to the last the loss of the target, of its early exit and of each draft falls clearly."""
    curves: dict[str, Any] = json.loads((made / "pair" / "curves.json").read_text())
    assert list(curves) == list(MINIATURE.plans)
    losses: dict[str, list[float]] = {}
    for curve in curves.values():
        for point in curve["points"]:
            for name, loss in point["losses"].items():
                losses.setdefault(name, []).append(loss)
    assert losses.keys() == {TARGET, EARLY_EXIT, *MINIATURE.drafts}
    assert all(found[-1] < 0.9 * found[0] for found in losses.values()), losses
    assert all(curve["seconds"] > 0 for curve in curves.values())


def test_a_training_starts_from_what_the_one_before_saved(made: Path) -> None:
    """The second training's loss starts far below where the first one's started, and the pair's target is what the last one saved."""
    curves: dict[str, Any] = json.loads((made / "pair" / "curves.json").read_text())
    first, second = (curves[sitting.name]["points"] for sitting in MINIATURE.target_stages)
    assert second[0]["losses"][TARGET] < 0.5 * (first[0]["losses"][TARGET] + first[-1]["losses"][TARGET])
    saved = [files_in(made / "pair.work" / sitting.name / TARGET) for sitting in MINIATURE.target_stages]
    assert files_in(made / "pair" / TARGET) == saved[1] != saved[0]


def test_a_continued_draft_begins_with_what_its_last_stage_left(made: Path) -> None:
    """Its later stage's loss begins below where the first one's began, and the pair's draft is what the last stage saved."""
    curves: dict[str, Any] = json.loads((made / "pair" / "curves.json").read_text())
    for name, stages in {
        "draft": ("drafts", "drafts-continued"),
        "draft-undistilled": ("drafts", "draft-undistilled-continued"),
    }.items():
        first, second = (curves[stage]["points"] for stage in stages)
        assert second[0]["losses"][name] < 0.9 * first[0]["losses"][name]
        saved = [files_in(made / "pair.work" / stage / name) for stage in stages]
        assert files_in(made / "pair" / name) == saved[1] != saved[0]


def test_the_folder_holds_the_family_and_nothing_else(made: Path) -> None:
    """There is one folder a network, of the recipe's shape, and the curves; nothing half-made, no checkpoint."""
    assert {path.name for path in (made / "pair").iterdir()} == {TARGET, *MINIATURE.drafts, "curves.json"}
    assert not [path for path in made.rglob("*") if "partial" in path.name]
    shapes = {TARGET: MINIATURE.target, **{name: draft.shape for name, draft in MINIATURE.drafts.items()}}
    for name, shape in shapes.items():
        config = llama_folder.load(made / "pair" / name).config
        assert (config.num_hidden_layers, config.hidden_size) == (shape.layers, shape.width)
        assert (config.intermediate_size, config.max_position_embeddings) == (shape.feed_forward, MINIATURE.positions)
        assert config.early_exit_layer == shape.exit_layer


def test_what_stays_text_is_read_whole(made: Path) -> None:
    """In the rows of a phase that the target writes stand documents of the class that is to stay text, as far as a row goes; of other classes hardly any."""
    phase = MINIATURE.plans["drafts-continued"].phases[1]
    kept = torch.load(made / "pair.work" / "1-drafts-continued-own.rows", weights_only=True)["rows"]
    read = ["," + ",".join(map(str, row.tolist())) + "," for row in kept]
    encode = tokenizer.load(made / "pair" / TARGET).encode
    held_out = openings.held_out((), Library(None, phase.shares))
    seed = f"{MINIATURE.seed} drafts-continued {phase.name}"
    texts = documents(Library(None, phase.shares), phase.shares, seed, held_out, continuations.CHARACTERS)
    assert phase.as_text == ("counting",)
    whole: Counter[str] = Counter()
    for kind, text in islice(texts, 100):
        ids = ",".join(map(str, [*encode(text).ids, tokenizer.END_ID][: kept.shape[1]]))
        whole[kind] += any(f",{ids}," in row for row in read)
    assert whole["counting"] > 10
    assert all(whole[kind] < whole["counting"] / 4 for kind in phase.shares if kind not in phase.as_text)


def test_the_pair_is_lossless(pairs: dict[str, Pair]) -> None:
    """With every draft greedy speculation writes the very text that the target writes alone, and some drafts are kept."""
    settings = Settings(max_new_tokens=32, k=4)
    for draft, pair in pairs.items():
        spared = 0
        for prompt in PROMPTS:
            plain = Run(pair, prompt, settings, plain=True).finish()
            speculative = Run(pair, prompt, settings).finish()
            assert speculative.token_ids == plain.token_ids, (draft, prompt)
            spared += len(plain.rounds) - len(speculative.rounds)
        assert spared > 0, draft


@pytest.fixture(scope="module")
def new_text(made: Path) -> torch.Tensor:
    """[60, 64] ids of text that nothing was trained on."""
    shares = MINIATURE.target_stages[0].plan.phases[0].shares
    texts = (text for _, text in documents(Library(None, shares), shares, "never trained on", HeldOut()))
    return rows(
        texts,
        tokenizer.load(made / "pair" / TARGET),
        context=63,
        count=60,
        cut=0.0,
        seed="any",
        end=tokenizer.END_ID,
    ).long()


def _likeliest(model: LlamaForCausalLM, ids: torch.Tensor) -> torch.Tensor:
    with torch.inference_mode():
        found: torch.Tensor = model(ids).logits.argmax(-1).flatten()
    return found


def test_the_distilled_draft_has_learnt_to_agree(made: Path, new_text: torch.Tensor) -> None:
    """On new text the distilled draft's most likely token is the target's far more often than at random, and than an untrained draft's."""
    target, draft = (_likeliest(llama_folder.load(made / "pair" / name), new_text) for name in (TARGET, "draft"))
    size = int(new_text.max()) + int(draft.max()) + int(target.max()) + 1
    chance = (draft.bincount(minlength=size) / len(draft)) @ (target.bincount(minlength=size) / len(target))
    untrained = architecture.build(MINIATURE.drafts["draft"].shape, MINIATURE.vocabulary, MINIATURE.positions, 1)
    agreed = (draft == target).float().mean().item()
    assert agreed > 2 * chance.item()
    assert agreed > 2 * (_likeliest(untrained, new_text) == target).float().mean().item()


def test_the_pruned_draft_is_nearer_to_the_target_than_it_began(made: Path, new_text: torch.Tensor) -> None:
    """On new text the pruned draft agrees with the target more often than the target without those layers does."""
    target, draft = (llama_folder.load(made / "pair" / name) for name in (TARGET, "draft-large"))
    began = architecture.pruned(target, MINIATURE.drafts["draft-large"].shape.layers)
    wanted = _likeliest(target, new_text)
    before, after = ((_likeliest(model, new_text) == wanted).float().mean().item() for model in (began, draft))
    assert after > before + 0.02


@pytest.mark.usefixtures("_few_texts_at_once")
def test_a_second_call_trains_nothing_again(tiny_made: Path, tmp_path: Path) -> None:
    """With the same work folder nothing is trained or written by the target, and the pair has the same bytes, the curves' seconds too."""
    heard: set[str] = set()
    work = files_in(tiny_made / "pair.work")
    make(TINY, replace(workshop_in(tiny_made, lambda title, done, total: heard.add(title)), out=tmp_path / "again"))
    assert not heard & {*TINY.plans, OWN}
    assert (tmp_path / "again" / "curves.json").read_bytes() == (tiny_made / "pair" / "curves.json").read_bytes()
    assert files_in(tmp_path / "again") == files_in(tiny_made / "pair")
    assert files_in(tiny_made / "pair.work") == work


@pytest.mark.usefixtures("_few_texts_at_once")
def test_a_killed_run_continues(tiny_made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped in either training of the target, while the target writes, and in either training of the drafts, the same call continues, and the pair has the same bytes."""
    monkeypatch.setattr(training_loop, "EVERY_SECONDS", -1.0)
    for stage in (TARGET, "drafts", "target-continued", OWN, "drafts-continued"):

        def watch(title: str, done: int, total: int, stage: str = stage) -> None:
            if title == stage and done > 0.65 * total:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            make(TINY, workshop_in(tmp_path, watch))
        assert not (tmp_path / "pair" / "curves.json").exists()
    heard: list[tuple[str, int]] = []
    make(TINY, workshop_in(tmp_path, lambda title, done, total: heard.append((title, done))))
    stages = [(title, done) for title, done in heard if title in TINY.plans]
    assert stages[0] == ("drafts-continued", 11 * 256)
    assert OWN not in dict(heard)
    assert files_in(tmp_path / "pair") == files_in(tiny_made / "pair")


@pytest.mark.usefixtures("_few_texts_at_once")
@pytest.mark.parametrize("changed", ["recipe", "text"])
def test_work_on_something_else_is_refused(tiny_made: Path, changed: str) -> None:
    """The work of another recipe, or on another text, is refused with one sentence naming the checkpoint; work and pair stay as they are."""
    before = files_in(tiny_made)
    recipe, workshop = TINY, workshop_in(tiny_made)
    if changed == "recipe":
        first = replace(TINY.steps[0], plan=replace(TINY.steps[0].plan, matrix_rate=0.021))
        recipe = replace(TINY, steps=(first, *TINY.steps[1:]))
    else:
        workshop = replace(workshop, ready_made=("Dear",))
    with pytest.raises(CheckpointError, match=r"another recipe or corpus: .*give another --work folder\.$") as refused:
        make(recipe, workshop)
    assert str(tiny_made / "pair.work" / "target.checkpoint") in str(refused.value)
    assert "\n" not in str(refused.value)
    assert files_in(tiny_made) == before


@pytest.mark.usefixtures("_few_texts_at_once")
def test_what_the_target_wrote_after_other_text_is_refused(tiny_made: Path, tmp_path: Path) -> None:
    """Where the beginnings are others, what the target wrote before is refused by its file's name, and stays as it is."""
    work = tmp_path / "pair.work"
    work.mkdir()
    rows_file = "1-drafts-continued-own.rows"
    (work / rows_file).write_bytes((tiny_made / "pair.work" / rows_file).read_bytes())
    before = files_in(work)
    first = read(replace(TINY, steps=TINY.steps[:3]), tiny_made / "pair")
    workshop = replace(workshop_in(tmp_path), ready_made=("Dear",), base=first)
    with pytest.raises(CheckpointError, match=r"another recipe or corpus") as refused:
        make(TINY, workshop)
    assert str(work / rows_file) in str(refused.value)
    assert files_in(work) == before


@pytest.mark.usefixtures("_few_texts_at_once")
@pytest.mark.parametrize("done", [1, 2, 5])
def test_a_pair_is_continued(tiny_made: Path, tmp_path: Path, done: int) -> None:
    """From a pair that finished the first trainings the rest of the recipe makes, byte for byte, what it makes from nothing."""
    some = replace(TINY, steps=TINY.steps[:done])
    make(some, replace(workshop_in(tmp_path / "first"), work=tiny_made / "pair.work"))
    carried = read(TINY, tmp_path / "first" / "pair")
    assert list(carried.curves) == [step.name for step in some.steps]
    heard: set[str] = set()
    make(TINY, workshop_in(tmp_path / "second", watch=lambda title, done, total: heard.add(title), base=carried))
    assert files_in(tmp_path / "second" / "pair") == files_in(tiny_made / "pair")
    assert heard & TINY.plans.keys() == {step.name for step in TINY.steps[done:]}
    assert "tokenizer" not in heard


@pytest.mark.usefixtures("_few_texts_at_once")
def test_a_finished_pair_is_made_no_further(tiny_made: Path, tmp_path: Path) -> None:
    """From a pair that finished everything nothing is trained, and the networks have the same bytes."""
    heard: set[str] = set()
    workshop = workshop_in(tmp_path, lambda title, done, total: heard.add(title), base=read(TINY, tiny_made / "pair"))
    make(TINY, workshop)
    assert not heard
    assert files_in(tmp_path / "pair") == files_in(tiny_made / "pair")


def test_a_missing_corpus_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    """A corpus folder that does not exist, or lacks its files, is refused by name, and no folder is made."""
    for recipe, corpus in product((MINIATURE, EMBEDDED), (tmp_path / "nowhere", tmp_path)):
        with pytest.raises(CorpusError, match=str(corpus)):
            make(recipe, workshop_in(tmp_path, corpus=corpus))
        assert list(tmp_path.iterdir()) == []


def test_the_embedded_recipe_needs_a_corpus(tmp_path: Path) -> None:
    """Without a corpus folder the embedded recipe is refused with one sentence that asks for it, before anything is written."""
    with pytest.raises(TrainingError, match="No corpus folder was given") as refused:
        make(EMBEDDED, workshop_in(tmp_path))
    assert "\n" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []
