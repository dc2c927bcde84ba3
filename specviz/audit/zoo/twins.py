"""Wrappers through the public protocols: everything is passed on to the honest part, except what an exhibit changes."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from specviz.decoding.protocols import CacheReport, Draft, Drafter, LanguageModel, Reading, Scores
from specviz.decoding.sampling import Draws
from specviz.settings import Settings

Propose = Callable[[Drafter, Sequence[int], Settings, Draws, int], Draft]
"""From the honest drafter and the arguments of its `propose` to the draft that the loop gets."""


class DrafterTwin(Drafter):
    """A drafter with another name and, if `propose` is given, other proposals."""

    def __init__(self, honest: Drafter, name: str, propose: Propose | None = None) -> None:
        self.honest, self.name = honest, name
        self._propose = propose
        self.taps = honest.taps

    def saw(self, reading: Reading) -> None:
        self.honest.saw(reading)

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self.honest.begin(prompt, capacity)

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        if self._propose is None:
            return self.honest.propose(committed, settings, draws, limit)
        return self._propose(self.honest, committed, settings, draws, limit)


class ModelTwin(LanguageModel):
    """A model that passes everything on; its subclasses change what they read or keep.

    Attributes:
        parents: of the pending tokens, the index of the pending token that each one follows; -1 for the text.
        tokens: their ids.
    """

    def __init__(self, honest: LanguageModel) -> None:
        self.honest = honest
        self.vocabulary, self.context = honest.vocabulary, honest.context
        self.device, self.end_ids = honest.device, honest.end_ids
        self.parents: list[int] = []
        self.tokens = torch.zeros(0, dtype=torch.long, device=honest.device)

    @property
    def length(self) -> int:
        return self.honest.length

    @property
    def report(self) -> CacheReport:
        return self.honest.report

    def begin(self, capacity: int) -> None:
        self._settled()
        self.honest.begin(capacity)

    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None, rows: int | None = None) -> Scores:
        self._note(tokens, parents)
        return self.honest.forward(tokens, parents, rows)

    def keep(self, path: Sequence[int]) -> None:
        self._settled()
        self.honest.keep(path)

    def tap(self, layers: Sequence[int]) -> None:
        self.honest.tap(layers)

    def release(self) -> None:
        self.honest.release()

    def _note(self, tokens: Tensor, parents: Sequence[int] | None) -> None:
        first = len(self.parents)
        offsets = range(-1, len(tokens) - 1) if parents is None else parents
        self.parents += [first + offset for offset in offsets]
        self.tokens = torch.cat([self.tokens, tokens])

    def _settled(self) -> None:
        self.parents, self.tokens = [], self.tokens[:0]

    def read_again(self, path: Sequence[int]) -> None:
        """Drop all pending tokens, then read and keep those with these indices as one chain."""
        tokens = self.tokens[list(path)]
        self._settled()
        self.honest.keep(())
        self.honest.forward(tokens, None, 1)
        self.honest.keep(range(len(path)))
