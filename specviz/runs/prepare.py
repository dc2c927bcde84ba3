"""The family of drafters, as it is offered for a pair: which drafter the settings ask for, made ready."""

from collections.abc import Sequence

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.early_exit import EarlyExitDrafter
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.ngram import NgramDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.loop import speculate
from specviz.decoding.protocols import Drafter
from specviz.decoding.recorder import LIGHT
from specviz.errors import PairError
from specviz.models.cached_model import CachedModel
from specviz.models.layer_choice import layers_to_skip
from specviz.models.pair import Pair
from specviz.models.timing import fill, pass_seconds
from specviz.runs.matches import exit_matches, matches
from specviz.settings import MAX_DRAFT_LENGTH, Settings
from specviz.trace.records import ModelCard

WITH_MODEL = ("model", "tree")
"""Drafters that use the pair's draft model; the others do without a second model."""

_OPENINGS = (
    "Once upon a time",
    "Dear Ann,",
    "The capital of France is",
    "def add(a, b):",
    '{"name": "',
    "One, two, three,",
)
_CALIBRATION_TOKENS = 16
_HELD = 64
"""Tokens of text in the caches while costs are measured."""


def drafter_for(pair: Pair, settings: Settings) -> Drafter:
    """The drafter that these settings ask for. The first layer-skip run of a pair takes a while: the layers are chosen then.

    So does the first run that asks for the costs of passes, which are measured then.
    """
    costs = costs_of(pair, settings.drafter) if settings.policy == "cost" else None
    if settings.drafter == "ngram":
        return NgramDrafter(pair.target.vocabulary, pair.target.device)
    if settings.drafter == "tree":
        return TreeDrafter(pair.draft)
    if settings.drafter == "early-exit":
        depth = exit_depth(pair)
        drafter: Drafter = EarlyExitDrafter(pair.target, depth, costs)
        drafter.name = f"early exit, {depth} of {pair.target.network.depth} layers"
    elif settings.drafter == "layer-skip":
        fewer = _fewer(pair)
        drafter = ModelDrafter(fewer, costs)
        drafter.name = f"layer skip, {fewer.network.depth} of {pair.target.network.depth} layers"
    else:
        drafter = ModelDrafter(pair.draft, costs)
    return drafter


def preparation(pair: Pair, settings: Settings) -> str | None:
    """What the first run with these settings does before it begins, in words for people; None where nothing is to be done."""
    if settings.drafter == "layer-skip" and pair.fewer is None:
        return "choosing the layers to leave out"
    if settings.policy == "cost" and settings.drafter not in pair.costs:
        return "measuring what passes cost"
    return None


def draft_card(pair: Pair, settings: Settings) -> ModelCard | None:
    """What a trace says of the draft model; None where there is no second model."""
    return pair.card.draft if settings.drafter in WITH_MODEL else None


def context_of(pair: Pair, settings: Settings) -> int:
    """The most tokens that the models of such a run hold."""
    return min(pair.target.context, pair.draft.context) if settings.drafter in WITH_MODEL else pair.target.context


def exit_depth(pair: Pair) -> int:
    """After how many layers the target leaves early: where it was trained to, else after a third of them.

    Raises:
        PairError: the target has a single layer.
    """
    depth = pair.target.network.depth
    if depth < 2:
        raise PairError(
            "The target has a single layer, so it cannot guess with fewer layers than it checks with: choose another drafter."
        )
    trained = getattr(pair.target.model.config, "early_exit_layer", None)
    return trained if isinstance(trained, int) and 0 < trained < depth else max(1, depth // 3)


def can_replan(settings: Settings) -> bool:
    """Whether one plain text and `matches_of` it tell every round of such a run: see `specviz.runs.replan`."""
    chain = settings.drafter in ("model", "early-exit", "layer-skip") and settings.policy == "fixed"
    return chain and settings.certain and not settings.lossy


def matches_of(pair: Pair, settings: Settings, prompt: Sequence[int], text: Sequence[int]) -> tuple[bool, ...]:
    """For every token of a plain text, whether the settings' drafter would have proposed it.

    Takes the pair's caches: a run that is under way on it cannot go on.

    Raises:
        ValueError: with these settings that is not a matter of yes or no.
    """
    if not can_replan(settings):
        raise ValueError(f"what {settings.drafter} drafts does not follow from the text alone")
    pair.user = None
    if settings.drafter == "early-exit":
        return exit_matches(pair.target, exit_depth(pair), prompt, text, settings)
    return matches(_fewer(pair) if settings.drafter == "layer-skip" else pair.draft, prompt, text, settings)


def costs_of(pair: Pair, drafter: str) -> Costs:
    """What passes cost on this machine with some text in the caches; measured once for a pair and drafter.

    The first time it takes the pair's caches: a run that is under way on it cannot go on.
    """
    if drafter not in pair.costs:
        pair.user = None
        _fill(pair.target)
        one = pass_seconds(pair.target, 1)
        v = (1.0, *(pass_seconds(pair.target, n + 1) / one for n in range(1, MAX_DRAFT_LENGTH + 1)))
        pair.costs[drafter] = Costs(_draft_seconds(pair, drafter) / one, v)
    return pair.costs[drafter]


def _draft_seconds(pair: Pair, drafter: str) -> float:
    """Median seconds of what it takes this drafter to guess one token more."""
    if drafter == "ngram":
        return 1e-7
    if drafter == "early-exit":
        return pass_seconds(pair.target, 1, depth=exit_depth(pair))
    model = _fewer(pair) if drafter == "layer-skip" else pair.draft
    _fill(model)
    return pass_seconds(model, 1)


def _fill(model: CachedModel) -> None:
    """Some text in the model's cache, as much as it holds together with the longest draft."""
    spare = MAX_DRAFT_LENGTH + 1
    fill(model, max(1, min(_HELD, model.context - spare)), spare)


def _fewer(pair: Pair) -> CachedModel:
    """The target without the layers that it can best do without, found once on text of its own.

    Raises:
        PairError: the target has a single layer.
    """
    if pair.fewer is None:
        exit_depth(pair)
        pair.user = None
        pair.fewer = pair.target.skipping(layers_to_skip(pair.target, _own_text(pair)))
    return pair.fewer


def _own_text(pair: Pair) -> list[int]:
    """What the target writes after a few openings of different kinds."""
    text: list[int] = []
    for opening in _OPENINGS:
        prompt = pair.text.encode(opening, template=False)
        plain = NoDrafter(pair.target.vocabulary, pair.target.device)
        rounds = speculate(pair.target, plain, prompt, Settings(max_new_tokens=_CALIBRATION_TOKENS), recorder=LIGHT)
        text += [*prompt, *(token for round_ in rounds for token in round_.tokens)]
    return text[: pair.target.context]
