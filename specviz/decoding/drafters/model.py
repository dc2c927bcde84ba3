"""A small model drafts a chain, one token after the other (Leviathan et al., arXiv 2211.17192, algorithm 1)."""

from collections.abc import Sequence

import torch
from torch import Tensor

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.chain import draw_chain
from specviz.decoding.drafters.none import nothing
from specviz.decoding.drafters.parts import Parts
from specviz.decoding.policies import policy_for
from specviz.decoding.protocols import Draft, Drafter, LanguageModel
from specviz.decoding.sampling import Draws
from specviz.settings import AUTO, Settings


def make(parts: Parts, name: str = "model") -> "ModelDrafter":
    """A drafter that uses the pair's draft model; with the name "quantized" the target's copy in 8 bits, which has its own cache (as in Zhao et
    al., "QSpec", arXiv 2410.11305, for fewer bits)."""
    return ModelDrafter(parts.draft, parts.costs, name)


class ModelDrafter(Drafter):
    """Drafts with a language model of its own, whose cache it keeps in step with the text.

    The tokens of its last draft are in the cache already; those that were accepted are kept, the others dropped.
    After a fully accepted draft the last drafted token has never been read, so the next draft reads two.

    Args:
        costs: what passes cost on this machine, for the cost-aware policy; None uses the defaults.
    """

    def __init__(self, model: LanguageModel, costs: Costs | None = None, name: str = "model") -> None:
        self.model: LanguageModel = model
        self.name = name
        self._costs = costs
        self._prompt = self._cached = self._text_length = 0
        self._read: int | None = None

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self.model.begin(capacity)
        self._prompt, self._cached, self._text_length = len(prompt), len(prompt) - 1, len(prompt)
        self._read = None
        if self._cached:
            self.model.forward(torch.tensor(prompt[:-1], device=self.model.device), rows=1)
            self.model.keep(range(self._cached))

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A chain of at most `limit` tokens; the settings' policy may stop it earlier."""
        at_once = settings.policy == AUTO and self.model.drafts_at_once
        # A draft in one call is over before anybody could look at its first token.
        policy = policy_for(settings, None if at_once else self._costs)
        self._settle(committed)
        if not limit:
            return nothing(self.model.vocabulary, self.model.device)
        unread = torch.tensor(committed[self._cached :], device=self.model.device)
        offset = len(committed) - self._prompt
        chain = draw_chain(self.read, unread, settings, draws, policy, limit, offset, self.model)
        if chain is None:
            return nothing(self.model.vocabulary, self.model.device)
        self._read, self._text_length = chain.read, len(committed)
        return chain.draft

    def read(self, tokens: Tensor) -> Tensor:
        """[V] scores of the token that follows these tokens."""
        return self.model.forward(tokens, rows=1).logits[-1]

    def _settle(self, committed: Sequence[int]) -> None:
        """Keep the cached tokens that the last draft and the text have in common, drop the rest of the draft.

        The text has grown by the accepted tokens and one more, so their number is known without a transfer from the device.
        """
        if self._read is not None:
            accepted = len(committed) - self._text_length - 1
            in_cache = self._text_length + min(accepted, self._read)
            self.model.keep(range(in_cache - self._cached))
            self._cached, self._read = in_cache, None
