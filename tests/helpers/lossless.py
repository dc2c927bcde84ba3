"""How far the texts of the shipped loop are from the target's own distribution, and every drafter for a tiny target."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.decoding.drafters.parts import Parts
from specviz.decoding.protocols import Drafter
from specviz.decoding.testing import TableModel
from specviz.models.heads.folder import BoundHead
from specviz.settings import Settings
from tests.helpers.heads import random_head
from tests.helpers.oracles import largest_error, oracle_texts
from tests.helpers.rounds import speculated
from tests.helpers.tiny_models import fresh_logits, tiny

EXPENSIVE = Costs(c=0.3, v=(1.0, 1.2, 1.5, 1.9))
"""Costs at which the policies that know them stop at different positions."""


def scores_of(target: Any) -> Callable[[tuple[int, ...]], list[float]]:
    """From ids to the scores of the next one, without engine or cache."""
    if isinstance(target, TableModel):
        return lambda ids: target.scores(ids).tolist()
    return lambda ids: fresh_logits(target, ids)[-1].tolist()


def error_of(
    target: Any, drafter: Callable[[], Drafter], prompt: Sequence[int], settings: Settings, **options: Any
) -> float:
    """The largest difference between the distribution over what the shipped loop writes, summed over all random draws, and the target's own."""
    found = speculated(target, drafter, prompt, settings, **options)
    assert abs(sum(found.values()) - 1) < 1e-10
    return largest_error(found, oracle_texts(scores_of(target), prompt, settings, target.end_ids))


class TinyModels:
    """A tiny target and draft, with heads of random weights; `tokens` are the ids that heads score."""

    def __init__(self, target: Any, draft: Any, tokens: torch.Tensor | None = None) -> None:
        self.target, self.draft, self._tokens = target, draft, tokens

    @classmethod
    def tiny(
        cls,
        kind: str,
        end_ids: Sequence[int] = (),
        tokens: Sequence[int] | None = None,
        dtype: torch.dtype = torch.float64,
    ) -> "TinyModels":
        """Two layers of this architecture over three ids, and a draft of one."""
        shape: Any = {"vocabulary": 3, "width": 8, "dtype": dtype}
        scored = None if tokens is None else torch.tensor(tokens)
        return cls(tiny(kind, 1, end_ids=end_ids, **shape), tiny(kind, 2, layers=1, **shape), scored)

    def head(self, kind: str) -> BoundHead:
        options: dict[str, Any] = (
            {"calibration": {"greedy": [3.0, 0.2], "sampled": [0.4, 2.5]}} if kind == "dspark" else {}
        )
        options |= {"slots": 2} if kind in ("dflash", "jetspec", "dspark") else {}
        taps = () if kind in ("medusa", "mtp") else (1, 2)
        return random_head(self.target, kind, noise=0.7, taps=taps, tokens=self._tokens, **options)

    def drafter(self, settings: Settings, costs: Costs = EXPENSIVE) -> Drafter:
        """The drafter that the settings name."""
        kind = registry.describe(settings.drafter).head
        parts = Parts(self.target, self.draft, self.head(kind) if kind else None, exit_depth=1, costs=costs)
        drafter: Drafter = registry.make(settings.drafter, parts)
        return drafter
