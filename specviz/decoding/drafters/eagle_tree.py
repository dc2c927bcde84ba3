"""An EAGLE head drafts a tree: its top guesses at every position, where it is most confident (EAGLE-2, Li et al., arXiv 2406.16858)."""

from collections.abc import Sequence
from dataclasses import replace

from specviz.decoding.drafters.eagle import PairsOfText
from specviz.decoding.drafters.growing import LevelReader, tree_of
from specviz.decoding.drafters.parts import Parts
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import Draws
from specviz.settings import Settings


def make(parts: Parts) -> "EagleTreeDrafter":
    """A drafter of trees with the head that was trained for the pair's target."""
    return EagleTreeDrafter(parts.head)


class EagleTreeDrafter(PairsOfText):
    """Drafts a tree of at most `settings.nodes` tokens, at most `limit` deep, with one pass of the head per level.

    A node goes on from the state that was guessed for its parent, so each branch has guesses of its own.
    """

    name = "eagle-tree"

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A tree of the likeliest guesses, whatever `settings.children` says. Selecting them waits for the device once per level, to decide
        where the tree grows."""
        if limit == 0 or not self.unread:
            return self.nothing()
        root, top = self.read(committed).unsqueeze(0), replace(settings, children="top")
        return tree_of(root, LevelReader(self.reader.guess), top, draws, limit, self.count_new(committed))
