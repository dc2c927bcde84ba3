"""How a training goes: which rows are read, at which rates. Plain numbers; nothing here acts."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of training on one mixture.

    Attributes:
        name: of the mixture: where two phases of a recipe have the same name, they have the same shares.
        context: tokens a row holds.
        tokens: how many are seen, in all.
        shares: class of text -> share of the characters; they need not sum to one.
        pool: how many are written: of more than are seen, some at random are left out; fewer are seen again. None: as many as are seen.
        by_target: only the beginnings are taken from the mixture, and the target goes on from them.
        as_text: classes of which whole documents are taken all the same.
    """

    name: str
    context: int
    tokens: int
    shares: Mapping[str, float]
    pool: int | None = None
    by_target: bool = False
    as_text: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """How one network is trained.

    Attributes:
        phases: one after the other, under one learning rate schedule.
        batch: tokens an optimiser step.
        matrix_rate, other_rate: peak learning rates, of Muon on the hidden matrices and of AdamW on the rest.
        warm_up: tokens over which the rates rise.
        cool_down: share of the steps in which they fall to nothing; in between they stand.
        exit_weight: weight of the early-exit loss beside the main one.
    """

    phases: tuple[Phase, ...]
    batch: int
    matrix_rate: float = 0.02
    other_rate: float = 3e-3
    warm_up: int = 100_000
    cool_down: float = 0.5
    exit_weight: float = 0.0
