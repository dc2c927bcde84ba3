"""A target, a draft and their tokenizer, loaded once and shared."""

from dataclasses import dataclass, field

from specviz.decoding.costs import Costs
from specviz.models.cached_model import CachedModel
from specviz.models.tokens import TokenText
from specviz.trace.records import PairCard


@dataclass(slots=True)
class Pair:
    """What a run needs.

    Attributes:
        name: how it was asked for.
        target, draft: both read the same ids.
        text: the target's tokenizer.
        card: what a trace says of it.
        user: the run that has begun last; the caches are its own.
        fewer: the target without some of its layers, once a run has asked for it; `kept_layers` are the indices of those it has.
        costs: what passes cost, by drafter, once a run has asked for it.
    """

    name: str
    target: CachedModel
    draft: CachedModel
    text: TokenText
    card: PairCard
    user: object | None = None
    fewer: CachedModel | None = None
    kept_layers: tuple[int, ...] = ()
    costs: dict[str, Costs] = field(default_factory=dict)
