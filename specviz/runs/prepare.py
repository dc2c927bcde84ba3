"""Makes the drafter of the settings for a pair, and prepares what it needs; the registry lists all drafters."""

from collections.abc import Sequence
from contextlib import suppress

from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.protocols import Drafter, DraftsTokenByToken, LanguageModel, ReadsWithModel, UsesLayers
from specviz.errors import PairError
from specviz.models.cached_model import CachedModel
from specviz.models.checks.first_use import (
    ready_for_early_exit,
    ready_for_layer_skip,
    ready_for_trees,
    trees_are_checked,
)
from specviz.models.pair import Pair
from specviz.models.timing import fill, pass_seconds
from specviz.runs.self_drafting import exit_of, is_chosen, skip_of
from specviz.settings import MAX_DRAFT_LENGTH, Settings
from specviz.trace.records import DrafterCard, ModelCard

_CACHED = 64
"""The number of cached tokens while costs are measured."""
_NO_PASS = 1e-7
"""The draft cost of a drafter that makes no pass, in seconds; a cost must be above 0."""


class PairKit:
    """The parts of a pair, as a drafter's `make` gets them (`specviz.decoding.drafters.kit`)."""

    def __init__(self, pair: Pair) -> None:
        self._pair = pair
        self.target = pair.target

    @property
    def draft(self) -> CachedModel:
        """The pair's small model.

        Raises:
            PairError: the pair has none.
        """
        return self._pair.require_draft()

    @property
    def exit_depth(self) -> int:
        """After how many layers an early exit leaves the target: as many as it was trained for, else as measured, once per pair.

        Raises:
            PairError: the target has a single layer, or its layers cannot be run separately.
        """
        return len(exit_of(self._pair).layers)

    @property
    def fewer(self) -> CachedModel:
        """The target without some of its layers, chosen once on text that it wrote itself.

        Raises:
            PairError: the target has a single layer, its layers cannot be run separately, or none can be skipped.
        """
        skip_of(self._pair)
        assert self._pair.fewer is not None, "made with the choice"
        return self._pair.fewer

    @property
    def kept_layers(self) -> tuple[int, ...]:
        """The indices of the target's layers that `fewer` still has, from 0."""
        return skip_of(self._pair).layers


def usual_settings(pair: Pair) -> Settings:
    """The settings of a run where none are given: those of `Settings()`, on a pair without a draft model with a drafter that needs none."""
    return Settings(drafter=registry.usual(draft=pair.draft is not None))


def drafter_for(pair: Pair, settings: Settings) -> Drafter:
    """The drafter of these settings.

    The first run of a pair whose target drafts for itself takes a while, since it chooses the layers; so does the first run with the
    cost-aware policy, since it times the passes.

    Raises:
        SettingsError: there is no such drafter, or it does not support these settings.
        PairError: the pair lacks what the drafter needs.
    """
    registry.check(settings)
    if pair.draft is None and (refusal := registry.without_draft(settings.drafter, pair.name)):
        raise PairError(refusal)
    return _made(pair, settings.drafter, costs_of(pair, settings.drafter) if settings.policy == "cost" else None)


def preparation(pair: Pair, settings: Settings) -> str | None:
    """What the first run with these settings prepares before it begins, in words for people; None if there is nothing to prepare."""
    described = registry.describe(settings.drafter)
    if not is_chosen(pair, described.picture):
        return f"choosing the layers to {'draft with' if described.picture == 'first layers' else 'leave out'}"
    if described.shape == "tree" and not trees_are_checked(pair):
        return "comparing trees with the models' own passes"
    if settings.policy == "cost" and settings.drafter not in pair.costs:
        return "measuring what passes cost"
    return None


def notes_of(pair: Pair, drafter: Drafter) -> tuple[str, ...]:
    """Sentences for people about this drafter on this pair: that no choice of layers can be expected to pay, where that is so."""
    described = registry.descriptions().get(drafter.name)
    chosen = {"first layers": pair.exit, "some layers": pair.skip}.get(described.picture) if described else None
    return (chosen.note,) if chosen is not None and chosen.note else ()


def drafter_card(drafter: Drafter) -> DrafterCard:
    """The card of a drafter for a trace; a drafter outside the registry is shown under its own name."""
    described = registry.descriptions().get(drafter.name)
    layers = drafter.layers if isinstance(drafter, UsesLayers) else None
    return DrafterCard(drafter.name, described.label if described else drafter.name, layers)


def draft_card(pair: Pair, drafter: Drafter) -> ModelCard | None:
    """The card of the draft model for a trace; None if there is no second model."""
    return pair.card.draft if pair.draft is not None and _model_of(drafter) is pair.draft else None


def context_of(pair: Pair, drafter: Drafter) -> int:
    """The largest number of tokens that all models of such a run can read."""
    model = _model_of(drafter)
    return pair.target.context if model is None else min(pair.target.context, model.context)


def extra_bytes(pair: Pair, drafter: Drafter, tokens: int) -> int:
    """The memory that a drafter needs in addition to the target, in bytes: its own weights, and its own cache for `tokens` tokens.

    Weights are counted in the checkpoint's format. An early exit uses the target's own cache, and a layer skip the target's own
    weights; what a drafter without a model keeps, an index or a table, is not counted.
    """
    model = _model_of(drafter)
    if not isinstance(model, CachedModel) or model is pair.target:
        return 0
    weights = 0 if model is pair.fewer else sum(w.numel() * w.element_size() for w in model.model.parameters())
    return weights + tokens * model.bytes_per_token


def can_replan(settings: Settings) -> bool:
    """Whether a plain text and its `matches_of` determine every round of such a run: see `specviz.runs.replan`."""
    described = registry.descriptions().get(settings.drafter)
    chain = described is not None and described.replannable and settings.policy == "fixed"
    return chain and settings.certain and not settings.lossy


def matches_of(pair: Pair, settings: Settings, prompt: Sequence[int], text: Sequence[int]) -> tuple[bool, ...]:
    """For every token of a plain text, whether the settings' drafter would have proposed it.

    Uses the pair's caches: a run in progress on the pair cannot continue.

    Raises:
        ValueError: with these settings the text alone does not determine this.
    """
    drafter = _made(pair, settings.drafter, None) if can_replan(settings) else None
    if isinstance(drafter, DraftsTokenByToken):
        pair.user = None
        return drafter.matches(prompt, text, settings)
    raise ValueError(
        f"with these settings, what the drafter {settings.drafter!r} proposes does not follow from the text alone"
    )


def costs_of(pair: Pair, name: str) -> Costs:
    """The costs of passes on this machine with some text in the caches, measured once per pair and drafter.

    The first call uses the pair's caches: a run in progress on the pair cannot continue.
    """
    if name not in pair.costs:
        pair.user = None
        drafter = _made(pair, name, None)
        _fill(pair.target)
        one = pass_seconds(pair.target, 1)
        v = (1.0, *(pass_seconds(pair.target, n + 1) / one for n in range(1, MAX_DRAFT_LENGTH + 1)))
        pair.costs[name] = Costs(_draft_seconds(drafter) / one, v)
    return pair.costs[name]


def check_paths(pair: Pair, drafter: Drafter) -> None:
    """Compare the indirect ways of reading that this drafter needs with the plain pass, each when it is first used.

    Any drafter outside the registry may draft trees. If the target cannot read them, it will refuse the first one.

    Raises:
        PairError: the drafter cannot be used on this pair, with the reason.
    """
    described = registry.descriptions().get(drafter.name)
    if isinstance(drafter, UsesLayers) and drafter.layers:
        if _model_of(drafter) is pair.target:
            ready_for_early_exit(pair, len(drafter.layers))
        elif _model_of(drafter) is pair.fewer and pair.fewer is not None:
            ready_for_layer_skip(pair, pair.fewer)
    if described is not None and described.shape == "tree":
        ready_for_trees(pair)
    elif described is None and not isinstance(drafter, NoDrafter):
        with suppress(PairError):
            ready_for_trees(pair)


def _made(pair: Pair, name: str, costs: Costs | None) -> Drafter:
    drafter: Drafter = registry.module_of(name).make(PairKit(pair), costs)
    check_paths(pair, drafter)
    return drafter


def _model_of(drafter: Drafter) -> LanguageModel | None:
    """The model that a drafter uses, or None."""
    return drafter.model if isinstance(drafter, ReadsWithModel) else None


def _draft_seconds(drafter: Drafter) -> float:
    """Median seconds of drafting one more token."""
    if not isinstance(drafter, DraftsTokenByToken):
        return _NO_PASS
    assert isinstance(drafter.model, CachedModel), "a pair's models are cached models"
    _fill(drafter.model)
    return pass_seconds(drafter.model, 1, read=drafter.read)


def _fill(model: CachedModel) -> None:
    """Put some text into the model's cache, at most as much as leaves room for the longest draft."""
    spare = MAX_DRAFT_LENGTH + 1
    fill(model, max(1, min(_CACHED, model.context - spare)), spare)
