"""The training loop: reads rows of tokens, updates the weights, writes checkpoints. It knows neither the text nor what the losses mean."""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor, nn

from specviz.errors import TrainingError
from specviz.training import checkpoints
from specviz.training.muon import Muon
from specviz.training.plan import TrainingPlan
from specviz.training.progress_bars import ProgressBar

Objective = Callable[[Tensor], Mapping[str, Tensor]]
"""Rows of ids [rows, tokens + 1] -> losses by name, in nats a token; their weighted sum is minimised."""

EVERY_SECONDS = 240.0
"""Seconds between two checkpoints: at most this much work is lost when a training is killed."""

POINT_STEPS = 10
"""Optimiser steps that are averaged into one point of the curves."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Losses in nats a token, each the mean over the steps since the previous point; `tokens` is how many had been read by then."""

    tokens: int
    losses: Mapping[str, float]


@dataclass(slots=True)
class Curve:
    """How a training went: its points, and the seconds that it took, summed over all runs if it was interrupted."""

    points: list[CurvePoint] = field(default_factory=list)
    seconds: float = 0.0

    def after(self, earlier: Sequence[CurvePoint]) -> "Curve":
        """The same curve, as the continuation of an earlier training's."""
        read = earlier[-1].tokens if earlier else 0
        later = [CurvePoint(read + point.tokens, point.losses) for point in self.points]
        return Curve([*earlier, *later], self.seconds)


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """How far a training is: tokens read, tokens in all, the latest losses in nats a token, tokens a second."""

    tokens: int
    total: int
    losses: Mapping[str, float]
    rate: float


def follow(
    plan: TrainingPlan,
    networks: Mapping[str, nn.Module],
    objective: Objective,
    rows: Sequence[Tensor],
    *,
    weights: Mapping[str, float],
    device: torch.device,
    precision: torch.dtype,
    checkpoint: Path,
    fingerprint: str,
    compiled: bool,
    report: Callable[[TrainingProgress], object],
) -> Curve:
    """Train to the end of the plan, starting from the checkpoint if there is one.

    With the same rows, initial weights and machine, a training that was interrupted and continued ends with the same weights, bit for bit,
    as one that was not.

    Args:
        networks: the networks to train, in float32 on `device`; changed in place.
        objective: losses of a batch of rows.
        rows: token ids or indices of tokens, one tensor [rows, context + 1] for each phase of the plan; negative numbers are padding.
        weights: loss name -> its weight in the sum; 1 for names that are absent.
        precision: of matrix multiplications: float32, or bfloat16 by autocast.
        checkpoint: file in which the state is kept.
        fingerprint: identifies recipe and text; a checkpoint with another fingerprint is refused.
        compiled: run the objective through torch.compile.
        report: callback after every step.

    Raises:
        CheckpointError: a checkpoint cannot be read or written.
        TrainingError: a loss is NaN or infinite.
    """
    course = _Course(networks, _optimisers(networks, plan, precision), checkpoint, fingerprint)
    course.resume()
    batches = _batches(plan, rows)
    total = sum(map(_tokens, batches))
    run: Objective = torch.compile(objective, dynamic=False) if compiled else objective
    done_before, began = course.tokens, time.monotonic()
    for batch in batches[course.step :]:
        _set_rates(course.optimisers, plan, course.tokens + _tokens(batch), (course.step + 1) / len(batches))
        with torch.autocast(device.type, torch.bfloat16, enabled=precision == torch.bfloat16):
            losses = run(batch.to(device).long())
        values = _step(losses, weights, course.optimisers)
        course.count(_tokens(batch), values)
        rate = (course.tokens - done_before) / max(time.monotonic() - began, 1e-9)
        report(TrainingProgress(course.tokens, total, values, rate))
        course.keep(last=course.step == len(batches))
    return course.curve


def now_on(bar: ProgressBar) -> Callable[[TrainingProgress], None]:
    """A callback that shows the losses and the rate on a progress display."""

    def report(now: TrainingProgress) -> None:
        shown = ", ".join(f"{name} {value:.3f}" for name, value in now.losses.items())
        bar.reached(now.tokens, now.total, f"{shown}, {now.rate:,.0f} tokens/s")

    return report


def finished(plan: TrainingPlan, rows: Sequence[Tensor], checkpoint: Path, fingerprint: str) -> bool:
    """Whether the checkpoint is of the end of this plan, so that `follow` would not read a row.

    Raises:
        CheckpointError: it cannot be read.
    """
    state = checkpoints.read(checkpoint, fingerprint)
    return state is not None and state["step"] >= len(_batches(plan, rows))


class _Course:
    """The state of a training, in memory and on disk."""

    def __init__(
        self,
        networks: Mapping[str, nn.Module],
        optimisers: Sequence[torch.optim.Optimizer],
        path: Path,
        fingerprint: str,
    ) -> None:
        self.networks, self.optimisers, self.path, self.fingerprint = networks, optimisers, path, fingerprint
        self.step = self.tokens = 0
        self.curve = Curve()
        self._since_point: list[Mapping[str, float]] = []
        self._since = self._kept = time.monotonic()

    def resume(self) -> None:
        """Load the checkpoint, if there is one."""
        state = checkpoints.read(self.path, self.fingerprint)
        if state is None:
            return
        self.step, self.tokens = state["step"], state["tokens"]
        self.curve = Curve([CurvePoint(tokens, losses) for tokens, losses in state["points"]], state["seconds"])
        for name, network in self.networks.items():
            network.load_state_dict(state["networks"][name])
        for optimiser, kept in zip(self.optimisers, state["optimisers"], strict=True):
            optimiser.load_state_dict(kept)

    def count(self, tokens: int, losses: Mapping[str, float]) -> None:
        """Record one more step."""
        self.step += 1
        self.tokens += tokens
        self._since_point.append(losses)
        if self.step % POINT_STEPS == 0:
            self._point()

    def _point(self) -> None:
        """Add the mean of the steps since the last point to the curve."""
        steps = self._since_point
        means = {name: sum(losses[name] for losses in steps) / len(steps) for name in steps[0]}
        self.curve.points.append(CurvePoint(self.tokens, means))
        self._since_point = []

    def keep(self, *, last: bool) -> None:
        """Write a checkpoint if one is due, at a complete point of the curves or at the end."""
        due = time.monotonic() - self._kept > EVERY_SECONDS and self.step % POINT_STEPS == 0
        if not (last or due):
            return
        if self._since_point:
            self._point()
        now = time.monotonic()
        self.curve.seconds += now - self._since
        self._since = self._kept = now
        checkpoints.write(
            self.path,
            {
                "fingerprint": self.fingerprint,
                "step": self.step,
                "tokens": self.tokens,
                "seconds": self.curve.seconds,
                "points": [(point.tokens, dict(point.losses)) for point in self.curve.points],
                "networks": {name: network.state_dict() for name, network in self.networks.items()},
                "optimisers": [optimiser.state_dict() for optimiser in self.optimisers],
            },
        )


def _step(
    losses: Mapping[str, Tensor], weights: Mapping[str, float], optimisers: Sequence[torch.optim.Optimizer]
) -> dict[str, float]:
    """Update the weights once; returns the losses as plain numbers."""
    total = torch.stack([loss * weights.get(name, 1.0) for name, loss in losses.items()]).sum()
    total.backward()  # type: ignore[no-untyped-call]
    values = {name: loss.item() for name, loss in losses.items()}
    if not all(math.isfinite(value) for value in values.values()):
        raise TrainingError(f"The loss became {values}: train with lower rates (--rate), from the start.")
    for optimiser in optimisers:
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
    return values


def _optimisers(
    networks: Mapping[str, nn.Module], plan: TrainingPlan, precision: torch.dtype
) -> list[torch.optim.Optimizer]:
    """Muon for the hidden matrices, AdamW for embeddings and norms."""
    named = [(name, weight) for network in networks.values() for name, weight in network.named_parameters()]
    matrices = [weight for name, weight in named if weight.ndim == 2 and "embed" not in name and "lm_head" not in name]
    chosen = {id(weight) for weight in matrices}
    others = [weight for _, weight in named if id(weight) not in chosen]
    return [
        Muon(matrices, plan.matrix_rate, precision),
        torch.optim.AdamW(others, lr=plan.other_rate, betas=(0.9, 0.95), weight_decay=0.0, fused=True),
    ]


def _set_rates(optimisers: Sequence[torch.optim.Optimizer], plan: TrainingPlan, tokens: int, done: float) -> None:
    """Set the learning rates of a step: linear warm-up by tokens, then constant, then linear decay to almost zero.

    `done` is the share of all steps, this one included.
    """
    level = min(1.0, tokens / max(plan.warm_up, 1), (1 - done) / max(plan.cool_down, 1e-9) + 1e-3)
    for optimiser, peak in zip(optimisers, (plan.matrix_rate, plan.other_rate), strict=True):
        for group in optimiser.param_groups:
            group["lr"] = peak * level


def _batches(plan: TrainingPlan, rows: Sequence[Tensor]) -> list[Tensor]:
    """One batch of rows a step, as views; rows at the end of a phase that do not fill a batch are left out."""
    return [
        batch
        for phase, part in zip(plan.phases, rows, strict=True)
        for batch in _cut(part, max(1, plan.batch // phase.context))
    ]


def _tokens(batch: Tensor) -> int:
    """How many tokens are learnt from: those of all columns but the first, without padding."""
    return int((batch[:, 1:] >= 0).sum())


def _cut(part: Tensor, size: int) -> Iterator[Tensor]:
    return (part[start : start + size] for start in range(0, len(part) - size + 1, size))
