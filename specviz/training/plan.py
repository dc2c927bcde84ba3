"""The plan of a training: which rows are read, at which learning rates. Plain numbers only."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of a training, on one mixture of text.

    Attributes:
        name: of the mixture: two phases of a recipe with the same name have the same shares.
        context: tokens in a row.
        tokens: how many are read in all.
        shares: class of text -> share of the characters; the shares need not sum to one.
        pool: how many tokens of rows are prepared: if more than are read, some rows are left out; if fewer, rows are read again. None: as many as are
            read.
        by_target: only the beginnings of documents come from the mixture, and the target continues them.
        as_text: classes of text of which complete documents are used even then.
    """

    name: str
    context: int
    tokens: int
    shares: Mapping[str, float]
    pool: int | None = None
    by_target: bool = False
    as_text: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How networks are trained.

    Attributes:
        phases: one after the other, under one learning rate schedule.
        batch: tokens in an optimiser step.
        matrix_rate, other_rate: peak learning rates, of Muon for the hidden matrices and of AdamW for the rest.
        warm_up: tokens over which the rates rise linearly.
        cool_down: share of the steps at the end in which the rates fall to zero; in between they are constant.
        exit_weight: weight of the early-exit loss; the main loss has weight 1.
    """

    phases: tuple[Phase, ...]
    batch: int
    matrix_rate: float = 0.02
    other_rate: float = 3e-3
    warm_up: int = 100_000
    cool_down: float = 0.5
    exit_weight: float = 0.0
