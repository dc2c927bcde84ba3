"""A draft model of another tokenizer writes text, which is cut again into the target's tokens ("SLEM", Timor et al., arXiv 2502.05202,
algorithm 2).

Which target tokens the drafted text becomes has no probability of its own, so they are taken as certain: q is 1, and a token is accepted with
probability p.
"""

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.certain import certain
from specviz.decoding.drafters.kit import Kit, OtherTokenizer
from specviz.decoding.protocols import Draft, Drafter, LanguageModel
from specviz.decoding.sampling import Draws, not_numbers
from specviz.settings import Settings
from specviz.trace.drafting import OwnTokens

_BEFORE = 10
"""Tokens at the end of the text that are read again in every round."""
_SHOWN = 8
"""How many of the model's own tokens before the draft are recorded."""
_PIECES = 4
"""The cache has room for this many of the model's ids for each id of the target; a longer text loses its beginning."""


def make(kit: Kit, costs: Costs | None) -> "RecutDrafter":
    """A drafter that uses the pair's model of another tokenizer."""
    other = kit.other
    return RecutDrafter(other.own, other.translation, kit.target.vocabulary)


class RecutDrafter(Drafter):
    """Keeps the text in the draft model's own tokens, lets it write a few more, and proposes them in the target's tokens.

    The text is cut again in every round, and its last tokens are read again with it, because one more character may change how a word is
    cut. The model writes its likeliest tokens at every temperature: what is taken as certain should be what the target likes best.

    Args:
        model: the draft model, over its own ids.
        translation: between the target's ids and the model's.
        vocabulary: the target's.
    """

    name = "slem"

    def __init__(self, model: LanguageModel, translation: OtherTokenizer, vocabulary: int) -> None:
        self.model: LanguageModel = model
        self._translation, self._vocabulary = translation, vocabulary
        self._kept: list[int] = []
        self._pending: list[int] = []
        self._capacity = 0

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self._capacity = min(self.model.context, _PIECES * capacity + _BEFORE)
        self._restart()
        self._continue(self._own(prompt, 0))

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A chain of at most `limit` of the target's tokens, taken as certain."""
        own = self._own(committed, limit)
        written = self._written(own, limit)
        tokens = self._translation.to_target(written, committed)[:limit]
        spelled, read = self._translation.spelled, own[-_SHOWN:]
        draft = certain(tokens, None, self._vocabulary, self.model.device)
        return replace(draft, own=lambda _: OwnTokens(spelled(read), spelled(written))) if written else draft

    def _written(self, own: list[int], limit: int) -> list[int]:
        """The `limit` ids of its own that the draft model writes after the text in its ids.

        Raises:
            ScoresError: its scores are not numbers.
        """
        if not limit:
            return []
        row = self._continue(own)
        written: list[int] = []
        while row is not None:
            best = row.max(dim=-1)
            if not best.values.isfinite():
                raise not_numbers("draft", row.dtype)
            written.append(int(best.indices))
            if len(written) == limit or written[-1] in self.model.end_ids:
                break
            row = self._read(written[-1:])
        return written

    def _own(self, text: Sequence[int], limit: int) -> list[int]:
        """The text in the model's ids; a text that is too long for it loses its beginning, a quarter of the room at a time."""
        own = self._translation.to_draft(text)
        excess = len(own) + limit - self._capacity
        step = max(1, self._capacity // 4)
        return own[-(-excess // step) * step :] if excess > 0 else own

    def _continue(self, own: list[int]) -> Tensor | None:
        """Read what has not been read of this text; the scores [V] of the token after it, None for a text of no tokens."""
        if own[: len(self._kept)] != self._kept:
            self._restart()
        following = own[len(self._kept) :]
        same = next((i for i, (one, other) in enumerate(zip(self._pending, following, strict=False)) if one != other),
                    min(len(self._pending), len(following)))  # fmt: skip
        safe = max(0, min(same, len(following) - _BEFORE))
        self.model.keep(range(safe))
        self._kept, self._pending = own[: len(self._kept) + safe], []
        return self._read(own[len(self._kept) :])

    def _read(self, ids: list[int]) -> Tensor | None:
        if not ids:
            return None
        self._pending += ids
        return self.model.forward(torch.tensor(ids, device=self.model.device), rows=1).logits[-1]

    def _restart(self) -> None:
        self.model.begin(self._capacity)
        self._kept, self._pending = [], []
