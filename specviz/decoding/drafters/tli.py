"""A draft model of another tokenizer, limited to the tokens that both have ("TLI", Timor et al., arXiv 2502.05202, algorithm 4)."""

from collections.abc import Sequence
from dataclasses import replace

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.kit import Kit, OtherTokenizer
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.protocols import Draft, LanguageModel
from specviz.decoding.sampling import Draws
from specviz.settings import Settings
from specviz.trace.drafting import OwnTokens

_SHOWN = 6
"""How many tokens of the text before the draft are recorded as the model read them."""


def make(kit: Kit, costs: Costs | None) -> "SharedTokensDrafter":
    """A drafter that uses the pair's model of another tokenizer."""
    return SharedTokensDrafter(kit.other.model, kit.other.translation, costs)


class SharedTokensDrafter(ModelDrafter):
    """Drafts with a model that reads the target's ids as its own, and scores only those that it has too.

    Args:
        model: over the target's ids.
        translation: from the target's ids to the model's own, for the record.
        costs: as for `ModelDrafter`.
    """

    name = "tli"

    def __init__(self, model: LanguageModel, translation: OtherTokenizer, costs: Costs | None = None) -> None:
        super().__init__(model, costs)
        self._translation = translation

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """See `ModelDrafter.propose`."""
        draft = super().propose(committed, settings, draws, limit)
        before = committed[-_SHOWN:]
        return replace(draft, own=lambda drafted: self._own(before, drafted)) if draft.parents else draft

    def _own(self, before: Sequence[int], drafted: Sequence[int]) -> OwnTokens:
        """The model's own tokens for the end of the text and for its draft."""
        pieces, spelled = self._translation.pieces, self._translation.spelled
        read, written = ([own for index in ids for own in pieces(index)] for ids in (before, drafted))
        return OwnTokens(spelled(read), spelled(written))
