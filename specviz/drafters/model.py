"""A small model that drafts a chain, one token after the other (Leviathan et al., arXiv 2211.17192, algorithm 1)."""

from collections.abc import Sequence

import torch
from torch import Tensor

from specviz.protocols import Draft, LanguageModel
from specviz.sampling import Draws, warp
from specviz.settings import Settings


class ModelDrafter:
    """Drafts with a language model of its own, whose cache it keeps in step with the text.

    The tokens of its last draft lie in the cache already; those that were accepted are kept, the others dropped.
    After a wholly accepted draft the last drafted token has never been read, so the next draft reads two.
    """

    name = "draft model"

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self._known = 0
        self._drafted = 0
        self._seen = 0

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self.model.begin(capacity)
        self._known, self._drafted, self._seen = len(prompt) - 1, 0, len(prompt)
        if self._known:
            self.model.forward(torch.tensor(prompt[:-1], device=self.model.device), rows=1)
            self.model.keep(range(self._known))

    def propose(
        self, committed: Sequence[int], hidden: Tensor | None, settings: Settings, draws: Draws, limit: int
    ) -> Draft:
        """A chain of `limit` tokens, each drawn from the very distribution that is handed to the rule as q."""
        self._settle(committed)
        if limit == 0:
            return self._nothing()
        unread = torch.tensor(committed[self._known :], device=self.model.device)
        tokens: list[Tensor] = []
        probabilities: list[Tensor] = []
        logits: list[Tensor] = []
        reading = unread
        for _ in range(limit):
            row = self.model.forward(reading, rows=1).logits[-1]
            q = warp(row, settings)
            token = draws.token(q).token
            tokens.append(token)
            probabilities.append(q)
            logits.append(row)
            reading = token.reshape(1)
        draft = torch.stack(tokens)
        self._drafted, self._seen = limit, len(committed)
        return Draft(draft, tuple(range(-1, limit - 1)), torch.stack(probabilities), torch.stack(logits))

    def _settle(self, committed: Sequence[int]) -> None:
        """Keep what the last draft and the text have in common, drop the rest of the draft.

        The text has grown by the accepted tokens and one more, so their number needs no look at the device. The last
        drafted token was never read.
        """
        if self._drafted:
            accepted = len(committed) - self._seen - 1
            in_cache = self._seen + min(accepted, self._drafted - 1)
            self.model.keep(range(in_cache - self._known))
            self._known, self._drafted = in_cache, 0

    def _nothing(self) -> Draft:
        empty = torch.zeros(0, dtype=torch.long, device=self.model.device)
        return Draft(empty, (), torch.zeros(0, self.model.vocabulary, device=self.model.device))
