"""The exhibits as subjects of an audit, on tiny table models whose p and q are known exactly."""

from dataclasses import replace
from typing import Any

import torch

from specviz.audit.acceptance import first_verdicts
from specviz.audit.plain import plain_pass
from specviz.audit.subject import Budget, DecoderParts, Subject
from specviz.audit.zoo.exhibits import broken
from specviz.audit.zoo.guess_game import END
from specviz.audit.zoo.texts import Exhibit
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.testing import TableModel
from specviz.settings import Settings

VOCABULARY = END + 1
PROMPTS = ((0,), (1, 2, 0))
BUDGET = Budget(texts=4, tokens=12, samples=2000, sampled_tokens=3, simulations=1)
_EXAMINED = 40  # runs of the examination of an honest drafter
_LIKE_TARGET = 0.3  # the share of the target's scores in the draft's


def subject(exhibit: Exhibit, *, honest: bool = False) -> Subject:
    """The tiny pair with the exhibit's bug and the settings with which it shows; `honest` leaves the bug out."""
    choices: dict[str, Any] = {"k": 3, "temperature": 1.0, "max_new_tokens": BUDGET.tokens, **exhibit.settings}
    settings = Settings(**choices)
    target, draft = _table(0.0, (END,)), _table(1.0 - _LIKE_TARGET, ())
    parts = DecoderParts(target, TreeDrafter(draft) if settings.drafter == "tree" else ModelDrafter(draft))
    unbroken = Subject("honest", plain_pass(target), settings, parts, draft=None if exhibit.head else plain_pass(draft))
    if exhibit.head:
        unbroken = replace(unbroken, acceptance=_acceptance(unbroken))
    return unbroken if honest else replace(unbroken, name=exhibit.mark, parts=broken(exhibit.name, parts))


def _acceptance(honest: Subject) -> float:
    """The examination of the drafter: the acceptance rate of the first drafted token without a bug."""
    hits: list[bool] = []
    for seed in range(_EXAMINED):
        *_, run = honest.decode(PROMPTS[seed % len(PROMPTS)], replace(honest.settings, seed=seed), light=True)
        hits += first_verdicts(run.rounds or ())
    return sum(hits) / len(hits)


def _table(share: float, end_ids: tuple[int, ...]) -> TableModel:
    """The target's scores, mixed with others; the next token depends on the last two."""
    generator = torch.Generator().manual_seed(3)
    shape = [VOCABULARY] * 3
    own = torch.randn(shape, generator=generator, dtype=torch.float64)
    others = torch.randn(shape, generator=generator, dtype=torch.float64)
    return TableModel.from_table(2.0 * ((1 - share) * own + share * others), end_ids=end_ids)
