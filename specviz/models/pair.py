"""A target, a draft and their tokenizer, loaded once and shared."""

from dataclasses import dataclass, field

from specviz.decoding.costs import Costs
from specviz.models.cached_model import CachedModel
from specviz.models.layer_choice import LayerChoice
from specviz.models.tokens import TokenText
from specviz.trace.records import PairCard


@dataclass(slots=True)
class Pair:
    """The models that a run needs.

    Attributes:
        name: the name or the two sources that it was loaded by.
        target, draft: both read the same ids.
        text: the target's tokenizer.
        card: the description of the pair that a trace stores.
        user: the run that began last and owns the caches now.
        exit: after how many layers the target exits early, chosen when a run first needs it.
        skip: the layers of `fewer`, which is the target without some of its layers; both made when a run first needs them.
        own_text: ids of text that the target wrote, on which these choices are made; empty before.
        costs: measured costs of the passes by drafter, each measured when a run first needs it.
    """

    name: str
    target: CachedModel
    draft: CachedModel
    text: TokenText
    card: PairCard
    user: object | None = None
    fewer: CachedModel | None = None
    exit: LayerChoice | None = None
    skip: LayerChoice | None = None
    own_text: tuple[int, ...] = ()
    costs: dict[str, Costs] = field(default_factory=dict)

    def __repr__(self) -> str:
        """One line; the networks themselves fill pages."""
        models = (
            f"{role}={model.name!r}"
            for role, model in (("target", self.card.target), ("draft", self.card.draft))
            if model
        )
        return f"Pair({self.name!r}, {', '.join(models)}, {self.card.dtype} on {self.card.device})"
