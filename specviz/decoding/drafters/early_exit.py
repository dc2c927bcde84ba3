"""The target drafts for itself: its first layers and its head guess, the rest of its layers check.

Elhoushi et al., "LayerSkip", arXiv 2404.16710, section 4: draft and target share the cache of those layers, and the check goes on
from the states that the draft has left, so no layer reads a token twice.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.chain import draw_chain
from specviz.decoding.drafters.none import nothing
from specviz.decoding.policies import Policy, policy_for
from specviz.decoding.protocols import Draft, LookAhead
from specviz.decoding.sampling import Draws
from specviz.settings import Settings


class EarlyExitDrafter:
    """Drafts a chain with the first `depth` layers of the very target that will judge it.

    Nothing of its own is kept between rounds: the text is in the target's cache, which the engine keeps right.

    Args:
        costs: what passes cost on this machine, for the policy that asks; None takes the usual ones.
    """

    name = "early exit"

    def __init__(self, target: LookAhead, depth: int, costs: Costs | None = None) -> None:
        self._target, self._depth, self._costs = target, depth, costs
        self._policy: Policy | None = None
        self._prompt = self._seen = self._drafted = 0

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        """The target has read the prompt already."""
        self._prompt, self._policy, self._seen = len(prompt), None, 0

    def propose(
        self, committed: Sequence[int], hidden: Tensor | None, settings: Settings, draws: Draws, limit: int
    ) -> Draft:
        """A chain of at most `limit` tokens; the settings' policy may stop it before."""
        policy = self._policy = self._policy or policy_for(settings, self._costs)
        if self._seen:
            policy.judged(self._drafted, len(committed) - self._seen - 1)
        self._target.drop_ahead()
        last = torch.tensor(committed[-1:], device=self._target.device)
        chain = draw_chain(self._next, last, settings, draws, policy, limit, len(committed) - self._prompt)
        self._seen, self._drafted = len(committed), len(chain.draft.parents) if chain else 0
        return chain.draft if chain else nothing(self._target.vocabulary, self._target.device)

    def _next(self, tokens: Tensor) -> Tensor:
        """[V] scores that the head gives after the first layers."""
        return self._target.look_ahead(tokens, self._depth, rows=1)[-1]
