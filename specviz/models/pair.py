"""A target, a draft and their tokenizer, loaded once and shared."""

from dataclasses import dataclass, field, replace

from specviz.decoding.costs import Costs
from specviz.models.cached_model import CachedModel
from specviz.models.checks.measure import Check
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
        checks: by name, how far each path that was used so far is from the models' own plain pass.
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
    checks: dict[str, Check] = field(default_factory=dict)

    def remember(self, check: Check) -> None:
        """Keep the outcome of a check, and put its sentence on the card if a path was set aside."""
        self.checks[check.name] = check
        if check.note and check.note not in self.card.notes:
            self.card = replace(self.card, notes=(*self.card.notes, check.note))

    def __repr__(self) -> str:
        """One line; the networks themselves fill pages."""
        models = (
            f"{role}={model.name!r}"
            for role, model in (("target", self.card.target), ("draft", self.card.draft))
            if model
        )
        return f"Pair({self.name!r}, {', '.join(models)}, {self.card.dtype} on {self.card.device})"
