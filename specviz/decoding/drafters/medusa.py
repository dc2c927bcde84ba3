"""Medusa: small heads on the target's last state guess several tokens at once, each of them one position further.

Cai et al., arXiv 2401.10774, with a frozen target (Medusa-1). All heads read the same state, so a guess does not depend on the guesses
before it.

Which head drafts what: at the start of a round x_0 ... x_n are committed, and the target has read all of them but x_n. Its last state is
h_{n-1}, whose own scores were those of x_n: that token closed the round before, so it is known. Head i (counted from 0) was trained to guess
x_{t+2+i} from h_t, so here it guesses x_{n+1+i}: head 0 drafts the first token after the closing one. The state is that of the last token
that was read and kept, wherever in the pass it was, not that of the last row. After a prompt of a single token there is no state yet, and
the first round drafts nothing.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from specviz.decoding.drafters.chain import draw_chain
from specviz.decoding.drafters.none import nothing
from specviz.decoding.drafters.parts import Parts
from specviz.decoding.policies import policy_for
from specviz.decoding.protocols import Draft, Drafter, Reading, TrainedHead
from specviz.decoding.sampling import Draws
from specviz.settings import Settings


def make(parts: Parts) -> "MedusaDrafter":
    """A drafter of chains by the target's Medusa heads."""
    return MedusaDrafter(parts.head)


class LastState(Drafter):
    """The target's state at the last token that it has read and that is part of the text.

    Args:
        head: whose only tap is the target's final state.

    Attributes:
        state: [width]; None before the target has read anything.
    """

    def __init__(self, head: TrainedHead) -> None:
        self.head: TrainedHead = head
        self.taps = head.taps
        self.state: Tensor | None = None
        self.count = int(head.spec.options["heads"])
        self._prompt = 0

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        """Drop what is left of another text."""
        self.state, self._prompt = None, len(prompt)

    def saw(self, reading: Reading) -> None:
        """Keep the state of the last token that joined the text."""
        assert reading.scores.states is not None, "the target was tapped"
        self.state = reading.scores.states[reading.kept[-1], 0]

    def scores(self, count: int) -> Tensor:
        """[count, V] logits of the first `count` heads."""
        frozen = self.head.frozen
        scores: Tensor = frozen.full(self.head.network(self.state, frozen, count))
        return scores

    def nothing(self) -> Draft:
        """A draft without tokens."""
        return nothing(self.head.frozen.vocabulary, self.head.frozen.device, self.head.frozen.dtype)


class MedusaDrafter(LastState):
    """Drafts a chain of at most as many tokens as there are heads, each drawn from its head's own distribution."""

    name = "medusa"

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A chain of at most `limit` tokens; the settings' policy may stop it earlier."""
        policy = policy_for(settings)
        count = policy.begin(min(limit, self.count))
        if self.state is None or count <= 0:
            return self.nothing()
        rows = iter(self.scores(count))
        offset = len(committed) - self._prompt
        unread = torch.empty(0, dtype=torch.long, device=self.state.device)
        chain = draw_chain(lambda _: next(rows), unread, settings, draws, policy, count, offset)
        return self.nothing() if chain is None else chain.draft
