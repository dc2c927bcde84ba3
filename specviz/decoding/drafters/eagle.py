"""A head of one layer drafts from the target's own states, and goes on from the states that it guesses itself.

EAGLE (Li et al., arXiv 2401.15077), EAGLE-3 (Li et al., arXiv 2503.01840), and EAGLE-2's trees of its top guesses where it is most confident (Li et
al., arXiv 2406.16858). A pair is the target's state of a token and the token that followed it. The
head reads every pair of the text once, with the target's true states; what it reads of its own guesses is dropped after every draft,
because the target computes the true states of these tokens when it verifies them.
"""

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.chain import draw_chain
from specviz.decoding.drafters.growing import LevelReader, tree_of
from specviz.decoding.drafters.none import nothing
from specviz.decoding.drafters.parts import Parts
from specviz.decoding.policies import policy_for
from specviz.decoding.protocols import Draft, Drafter, Reading, TrainedHead
from specviz.decoding.sampling import Draws
from specviz.settings import Settings


def make(parts: Parts, name: str = "eagle") -> "EagleDrafter | EagleTreeDrafter":
    """A drafter with the head that was trained for the pair's target, of trees where the name is "eagle-tree"; with the name "mtp" its layer of multi-token prediction (DeepSeek-V3, arXiv
    2412.19437, section 2.2), which reads the target's last state and the token after it, and goes on from its own state."""
    return EagleTreeDrafter(parts.head) if name == "eagle-tree" else EagleDrafter(parts.head, parts.costs, name)


class PairsOfText(Drafter):
    """The pairs of a text: what a head has read of them, and what it has yet to read."""

    def __init__(self, head: TrainedHead) -> None:
        self.head: TrainedHead = head
        self.taps = head.taps
        self.reader = head.network.reader(head.frozen)  # a `specviz.models.heads.eagle.EagleReader`
        self._prompt: Sequence[int] = ()
        self._readings: list[Reading] = []
        self._pairs_read = 0

    @property
    def unread(self) -> bool:
        """True where the head has not read all pairs."""
        return bool(self._readings)

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        """Begin a new text."""
        self.reader.begin(capacity)
        self._prompt, self._readings, self._pairs_read = tuple(prompt), [], 0

    def saw(self, reading: Reading) -> None:
        """Store the reading of a round. Of the prompt, all pairs but the last are read at once."""
        self._readings.append(reading)
        if self._pairs_read == 0 and len(self._prompt) > 2:
            states = self._states()[:-1]
            self.reader.read(states, self._tokens(self._prompt[1:-1]))
            self._pairs_read = len(states)
            self._readings = [Reading(reading.tokens, reading.scores, reading.kept[-1:])]

    def read(self, committed: Sequence[int]) -> Tensor:
        """[V] scores of the token after the text, once the head has read all of its pairs."""
        states = self._states()
        self._readings = []
        first, self._pairs_read = self._pairs_read, self._pairs_read + len(states)
        scores: Tensor = self.reader.read(states, self._tokens(committed[first + 1 : self._pairs_read + 1]))
        return scores

    def count_new(self, committed: Sequence[int]) -> int:
        """How many new tokens the text has."""
        return len(committed) - len(self._prompt)

    def _states(self) -> Tensor:
        """[n, taps, width] of the tokens that joined the text, without a copy where these are the first ones of a pass."""
        parts = [reading.kept_states() for reading in self._readings]
        return parts[0] if len(parts) == 1 else torch.cat(parts)

    def _tokens(self, ids: Sequence[int]) -> Tensor:
        return torch.tensor(ids, device=self.reader.device)

    def nothing(self) -> Draft:
        """A draft without tokens."""
        return nothing(self.reader.vocabulary, self.reader.device)


class EagleDrafter(PairsOfText):
    """Drafts a chain, each token drawn from the head's own distribution.

    Nothing can be drafted while the target has read no token, as in the first round after a prompt of a single one.

    Args:
        costs: what passes cost on this machine, for the cost-aware policy; None uses the defaults.
    """

    def __init__(self, head: TrainedHead, costs: Costs | None = None, name: str = "eagle") -> None:
        super().__init__(head)
        self.name, self._costs = name, costs

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A chain of at most `limit` tokens; the settings' policy may stop it earlier."""
        if not self.unread:
            return self.nothing()

        def read(tokens: Tensor) -> Tensor:
            return self.read(committed) if self.unread else self.reader.guess(tokens, (-1,))[-1]

        last = torch.tensor(committed[-1:], device=self.reader.device)
        policy = policy_for(settings, self._costs)
        chain = draw_chain(read, last, settings, draws, policy, limit, self.count_new(committed))
        return self.nothing() if chain is None else chain.draft


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
