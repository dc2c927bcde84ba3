"""The target drafts for itself: its first layers and its head draft, all its layers verify.

Elhoushi et al., "LayerSkip", arXiv 2404.16710, section 4: draft and target share the cache of those layers, and verification continues
from the states that drafting has computed, so no layer processes a token twice.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.chain import draw_chain
from specviz.decoding.drafters.none import nothing
from specviz.decoding.drafters.parts import Parts
from specviz.decoding.policies import policy_for
from specviz.decoding.protocols import Draft, Drafter, SelfDraftingTarget
from specviz.decoding.sampling import Draws
from specviz.settings import Settings


def make(parts: Parts) -> "EarlyExitDrafter":
    """The target as its own drafter, leaving after `parts.exit_depth` layers."""
    return EarlyExitDrafter(parts.target, parts.exit_depth, parts.costs)


class EarlyExitDrafter(Drafter):
    """Drafts a chain with the first `depth` layers of the target that will judge it.

    It stores nothing of its own between rounds: the text is in the target's cache, which the loop manages.

    Args:
        costs: what passes cost on this machine, for the cost-aware policy; None uses the defaults.

    Attributes:
        model: the target.
        layers: the indices of the target's layers that it uses, from 0.
    """

    name = "early-exit"
    model: SelfDraftingTarget

    def __init__(self, target: SelfDraftingTarget, depth: int, costs: Costs | None = None) -> None:
        self.model = target
        self._depth, self._costs = depth, costs
        self.layers = tuple(range(depth))
        self._prompt = 0

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        """Nothing to read: the target has read the prompt already."""
        self._prompt = len(prompt)

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """A chain of at most `limit` tokens; the settings' policy may stop it earlier."""
        policy = policy_for(settings, self._costs)
        self.model.drop_ahead()
        last = torch.tensor(committed[-1:], device=self.model.device)
        chain = draw_chain(self.read, last, settings, draws, policy, limit, len(committed) - self._prompt)
        return chain.draft if chain else nothing(self.model.vocabulary, self.model.device)

    def read(self, tokens: Tensor) -> Tensor:
        """[V] scores from the head after the first layers."""
        return self.model.look_ahead(tokens, self._depth, rows=1)[-1]
