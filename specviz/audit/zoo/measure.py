"""How soon the audit catches each exhibit, on a pair of tiny table models whose p and q are known exactly."""

from dataclasses import dataclass, replace
from time import process_time
from typing import Any

import torch

from specviz.audit.acceptance import first_hits
from specviz.audit.plain import plain_pass
from specviz.audit.records import AuditVerdict, Finding
from specviz.audit.subject import Budget, DecoderParts, Subject
from specviz.audit.whole import audit
from specviz.audit.zoo.exhibits import broken
from specviz.audit.zoo.texts import Exhibit
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.testing import TableModel
from specviz.settings import Settings

VOCABULARY = 4
END = VOCABULARY - 1
PROMPTS = ((0,), (1, 2, 0))
BUDGET = Budget(texts=4, tokens=12, samples=2000, sampled_tokens=3, simulations=1)
_EXAMINED = 40
"""Runs from which the acceptance of an honest drafter is known."""
_LIKE_TARGET = 0.3
"""How much of the target's scores is in the draft's."""


@dataclass(frozen=True, slots=True)
class Caught:
    """One check that caught an exhibit: after how many texts or runs, and what it said."""

    check: str
    after: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Row:
    """An exhibit, the checks that caught it, and the processor time of the whole audit in seconds."""

    name: str
    caught: tuple[Caught, ...]
    seconds: float


def subject(exhibit: Exhibit, *, honest: bool = False) -> Subject:
    """The tiny pair with the exhibit's bug and the settings with which it shows; `honest` leaves the bug out."""
    given: dict[str, Any] = {"k": 3, "temperature": 1.0, "max_new_tokens": BUDGET.tokens, **exhibit.settings}
    settings = Settings(**given)
    target, draft = _table(0.0, (END,)), _table(1.0 - _LIKE_TARGET, ())
    parts = DecoderParts(target, TreeDrafter(draft) if settings.drafter == "tree" else ModelDrafter(draft))
    usual = Subject("honest", plain_pass(target), settings, parts, draft=None if exhibit.head else plain_pass(draft))
    if exhibit.head:
        usual = replace(usual, acceptance=_acceptance(usual))
    return usual if honest else replace(usual, name=exhibit.mark, parts=broken(exhibit.name, parts))


def _acceptance(honest: Subject) -> float:
    """How often the first drafted token is accepted without a bug: the examination of the drafter."""
    hits: list[bool] = []
    for seed in range(_EXAMINED):
        *_, run = honest.decode(PROMPTS[seed % len(PROMPTS)], replace(honest.settings, seed=seed), light=True)
        hits += first_hits(run.rounds or ())
    return sum(hits) / len(hits)


def measure(exhibit: Exhibit, budget: Budget = BUDGET, *, honest: bool = False) -> Row:
    """Audit an exhibit."""
    began = process_time()
    caught = tuple(
        Caught(one.check, one.evidence.done if one.evidence else 1, one.sentence)
        for one in audit(subject(exhibit, honest=honest), PROMPTS, budget)
        if isinstance(one, Finding) and one.verdict in (AuditVerdict.CAUGHT, AuditVerdict.FAILED)
    )
    return Row(exhibit.name, caught, process_time() - began)


def _table(other: float, end_ids: tuple[int, ...]) -> TableModel:
    """The target's scores, mixed with others; the next token depends on the last two."""
    generator = torch.Generator().manual_seed(3)
    shape = [VOCABULARY] * 3
    own = torch.randn(shape, generator=generator, dtype=torch.float64)
    others = torch.randn(shape, generator=generator, dtype=torch.float64)
    return TableModel.from_table(2.0 * ((1 - other) * own + other * others), end_ids=end_ids)
