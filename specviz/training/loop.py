"""The training loop: rows in, weights changed, a checkpoint now and then. Knows neither text nor what the losses mean."""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from specviz.errors import TrainingError
from specviz.training import checkpoints
from specviz.training.objectives import Objective
from specviz.training.recipe import Plan

EVERY_SECONDS = 240.0
"""How long a killed training may have to repeat."""

POINT_STEPS = 10
"""So many steps make one point of the curves."""


@dataclass(frozen=True, slots=True)
class Point:
    """Losses in nats a token, each the mean over the steps since the point before."""

    tokens: int
    losses: Mapping[str, float]


@dataclass(slots=True)
class Curve:
    """How a training went: its points, and the seconds it took over all its sittings."""

    points: list[Point] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Told:
    """Where a training stands: tokens done of all, the latest losses, tokens a second."""

    tokens: int
    total: int
    losses: Mapping[str, float]
    rate: float


def follow(
    plan: Plan,
    networks: Mapping[str, nn.Module],
    objective: Objective,
    rows: Sequence[Tensor],
    *,
    weights: Mapping[str, float],
    device: torch.device,
    checkpoint: Path,
    fingerprint: str,
    compiled: bool,
    told: Callable[[Told], object],
) -> Curve:
    """Train to the end of the plan, from the checkpoint where there is one.

    Given the same rows, first weights and machine, a training that was stopped and taken up again ends with the same weights, bit for bit, as
    one that was not.

    Args:
        networks: what is trained, in float32 on `device`; changed in place.
        objective: of a batch, under bfloat16 autocast.
        rows: one tensor [rows, context + 1] for each phase of the plan.
        weights: of the losses by name; 1 where absent.
        fingerprint: of recipe and text; a checkpoint with another one is refused.
        compiled: run the objective through torch.compile.
        told: called after every step.

    Raises:
        CheckpointError: a checkpoint cannot be read or written.
        TrainingError: the loss is no longer a number.
        KeyboardInterrupt: passed on, after a checkpoint.
    """
    optimisers = _optimisers(networks, plan)
    curve = Curve()
    first = 0
    state = checkpoints.read(checkpoint, fingerprint)
    if state is not None:
        first = state["step"]
        curve = Curve([Point(tokens, losses) for tokens, losses in state["points"]], state["seconds"])
        for name, network in networks.items():
            network.load_state_dict(state["networks"][name])
        for optimiser, kept in zip(optimisers, state["optimisers"], strict=True):
            optimiser.load_state_dict(kept)
    batches = _batches(plan, rows)
    tokens = [0]
    for batch in batches:
        tokens.append(tokens[-1] + batch.numel() - len(batch))
    run: Objective = torch.compile(objective, dynamic=False) if compiled else objective
    sums: dict[str, float] = {}
    began = saved = time.monotonic()
    seconds_before = curve.seconds

    def save(step: int) -> None:
        curve.seconds = seconds_before + time.monotonic() - began
        checkpoints.write(checkpoint, _state(step, networks, optimisers, curve, fingerprint))

    step = first
    try:
        for step in range(first, len(batches)):
            _set_rates(optimisers, plan, (step + 1) / len(batches))
            losses = _step(run, batches[step].to(device).long(), weights, optimisers)
            for name, loss in losses.items():
                sums[name] = sums.get(name, 0.0) + loss / POINT_STEPS
            if (step + 1) % POINT_STEPS == 0:
                curve.points.append(Point(tokens[step + 1], sums))
                sums = {}
            now = time.monotonic()
            told(Told(tokens[step + 1], tokens[-1], losses, (tokens[step + 1] - tokens[first]) / (now - began)))
            if now - saved > EVERY_SECONDS and (step + 1) % POINT_STEPS == 0:  # between points, so that none is lost
                save(step + 1)
                saved = now
    except KeyboardInterrupt:
        if not sums:
            save(step + 1 if curve.points and curve.points[-1].tokens == tokens[step + 1] else step)
        raise
    if first < len(batches):
        save(len(batches))
    return curve


def _step(
    run: Objective, rows: Tensor, weights: Mapping[str, float], optimisers: Sequence[torch.optim.Optimizer]
) -> dict[str, float]:
    with torch.autocast(rows.device.type, torch.bfloat16):
        losses = run(rows)
    total = torch.stack([loss * weights.get(name, 1.0) for name, loss in losses.items()]).sum()
    total.backward()  # type: ignore[no-untyped-call]
    values = {name: loss.item() for name, loss in losses.items()}
    if not all(math.isfinite(value) for value in values.values()):
        raise TrainingError(f"The loss became {values}: lower the recipe's learning rates, then begin again.")
    for optimiser in optimisers:
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
    return values


def _optimisers(networks: Mapping[str, nn.Module], plan: Plan) -> list[torch.optim.Optimizer]:
    """Muon (Jordan et al. 2024) for the hidden matrices, AdamW for embeddings and norms."""
    named = [(name, weight) for network in networks.values() for name, weight in network.named_parameters()]
    matrices = [weight for name, weight in named if weight.ndim == 2 and "embed" not in name and "lm_head" not in name]
    chosen = {id(weight) for weight in matrices}
    others = [weight for _, weight in named if id(weight) not in chosen]
    return [
        torch.optim.Muon(matrices, lr=plan.matrix_rate, momentum=0.95, nesterov=True, weight_decay=0.0),
        torch.optim.AdamW(others, lr=plan.other_rate, betas=(0.9, 0.95), weight_decay=0.0),
    ]


def _set_rates(optimisers: Sequence[torch.optim.Optimizer], plan: Plan, done: float) -> None:
    """Rise, stand, fall to nothing; `done` is the share of the steps."""
    level = min(1.0, done / max(plan.warm_up, 1e-9), (1 - done) / max(plan.cool_down, 1e-9) + 1e-3)
    for optimiser, peak in zip(optimisers, (plan.matrix_rate, plan.other_rate), strict=True):
        for group in optimiser.param_groups:
            group["lr"] = peak * level


def _batches(plan: Plan, rows: Sequence[Tensor]) -> list[Tensor]:
    """Views of the rows, one a step; what does not fill a batch at a phase's end is left out."""
    return [
        batch
        for phase, part in zip(plan.phases, rows, strict=True)
        for batch in _cut(part, max(1, plan.batch // phase.context))
    ]


def _cut(part: Tensor, size: int) -> Iterator[Tensor]:
    return (part[start : start + size] for start in range(0, len(part) - size + 1, size))


def _state(
    step: int,
    networks: Mapping[str, nn.Module],
    optimisers: Sequence[torch.optim.Optimizer],
    curve: Curve,
    fingerprint: str,
) -> dict[str, Any]:
    return {
        "fingerprint": fingerprint,
        "step": step,
        "seconds": curve.seconds,
        "points": [(point.tokens, dict(point.losses)) for point in curve.points],
        "networks": {name: network.state_dict() for name, network in networks.items()},
        "optimisers": [optimiser.state_dict() for optimiser in optimisers],
    }
