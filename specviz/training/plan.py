"""The plan of a training: how long rows are read, at which learning rates. Plain numbers only."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of a training, with rows of `context` tokens."""

    context: int


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How networks are trained.

    Attributes:
        phases: one after the other, under one learning rate schedule.
        batch: tokens in an optimiser step.
        matrix_rate, other_rate: peak learning rates, of Muon for the hidden matrices and of AdamW for the rest.
        warm_up: tokens over which the rates rise linearly.
        cool_down: share of the steps at the end in which the rates fall to zero; in between they are constant.
    """

    phases: tuple[Phase, ...]
    batch: int
    matrix_rate: float = 0.02
    other_rate: float = 3e-3
    warm_up: int = 100_000
    cool_down: float = 0.5
