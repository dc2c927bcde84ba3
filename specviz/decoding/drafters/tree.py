"""A small model drafts a tree: several guesses at one position, so that one rejected guess need not end the round.

Siblings are drawn independently (SpecInfer), drawn without replacement (Sequoia), or the top n are selected (EAGLE-2);
`specviz.decoding.judge.tree` explains why all three keep the target's distribution.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from specviz.decoding.drafters.growing import ROOT, LevelReader, tree_of
from specviz.decoding.drafters.none import nothing
from specviz.decoding.drafters.parts import Parts
from specviz.decoding.protocols import Draft, Drafter, LanguageModel
from specviz.decoding.sampling import Draws
from specviz.settings import Settings


def make(parts: Parts) -> "TreeDrafter":
    """A drafter of trees that uses the pair's draft model."""
    return TreeDrafter(parts.draft)


class TreeDrafter(Drafter):
    """Drafts a tree of at most `settings.nodes` tokens, at most `limit` deep, with one pass of its model per level.

    Where every distribution is one-hot the children are always the top n (`specviz.decoding.drafters.growing`).
    """

    name = "tree"

    def __init__(self, model: LanguageModel) -> None:
        self.model: LanguageModel = model
        self._prompt = self._cached = self._text_length = 0
        self._draft: Draft | None = None
        self._reader = LevelReader(self._scores)

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self.model.begin(capacity)
        self._prompt, self._cached, self._draft = len(prompt), len(prompt) - 1, None
        if self._cached:
            self.model.forward(torch.tensor(prompt[:-1], device=self.model.device), rows=1)
            self.model.keep(range(self._cached))

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A tree. Selecting the top n waits for the device once per level, to decide where the tree grows."""
        self._settle(committed)
        if limit == 0:
            return nothing(self.model.vocabulary, self.model.device)
        unread = torch.tensor(committed[self._cached :], device=self.model.device)
        self._reader = LevelReader(self._scores, len(unread))
        root = self.model.forward(unread, rows=1).logits
        offset = len(committed) - self._prompt
        self._draft = tree_of(root, self._reader, settings, draws, limit, offset)
        self._text_length = len(committed)
        return self._draft

    def _scores(self, tokens: Tensor, parents: Sequence[int]) -> Tensor:
        return self.model.forward(tokens, parents).logits

    def _settle(self, committed: Sequence[int]) -> None:
        """Keep the tree's tokens that were read and that the text continues with; drop the rest.

        The tree's tokens are fetched after the round that judged them, so nothing has to wait.
        """
        if self._draft is None:
            return
        # The last token is read again: a node that was never judged may equal it.
        new = committed[self._text_length : -1]
        tokens: list[int] = self._draft.tokens.tolist()
        paths: dict[int, list[int]] = {ROOT: []}
        for node, (token, parent) in enumerate(zip(tokens, self._draft.parents, strict=True)):
            path = paths.get(parent)
            if path is not None and node in self._reader.slots and len(path) < len(new) and token == new[len(path)]:
                paths[node] = [*path, self._reader.slots[node]]
        indices = [*range(self._reader.unread), *max(paths.values(), key=len)]
        self.model.keep(indices)
        self._cached, self._draft = self._cached + len(indices), None
