"""Makes the drafter of the settings for a pair, and prepares what it needs; the registry lists all drafters."""

from contextlib import suppress

from specviz import mtp_names
from specviz.decoding.checking import check_methods
from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.protocols import Drafter
from specviz.errors import PairError
from specviz.model_choice import HEAD_FILE
from specviz.models.cached_model import CachedModel
from specviz.models.checks.first_use import (
    ready_for_early_exit,
    ready_for_quantized,
    ready_for_states,
    ready_for_trees,
    trees_are_checked,
)
from specviz.models.heads import folder, mtp_inside
from specviz.models.heads.folder import BoundHead
from specviz.models.pair import Pair
from specviz.models.quantized import quantized
from specviz.runs.eight_bits import measure_copy, no_faster
from specviz.runs.first_guesses import ready_for_guesses
from specviz.runs.self_drafting import exit_depth
from specviz.runs.uncaptured import uncaptured
from specviz.settings import Settings
from specviz.trace.cards import DrafterCard, ModelCard


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
        """After how many layers an early exit leaves the target: see `specviz.runs.self_drafting`.

        Raises:
            PairError: the target has a single layer, or its layers cannot be run separately.
        """
        return exit_depth(self._pair)

    @property
    def quantized(self) -> CachedModel:
        """The target with its weights in 8 bits, made once per pair.

        Raises:
            PairError: torchao is not installed, or cannot quantise this model.
        """
        pair = self._pair
        if pair.quantized is None:
            pair.quantized = quantized(pair.target)
        return pair.quantized

    def head(self, kind: str) -> BoundHead:
        """The trained head of this kind, loaded once per pair.

        Raises:
            PairError: there is none, its folder is damaged, or it was trained for other weights.
        """
        pair = self._pair
        if kind not in pair.heads:
            if kind not in pair.head_folders:
                raise PairError(
                    f"{pair.name} has no trained head of the kind {kind}: give its folder, or choose another drafter."
                )
            where, name = pair.head_folders[kind], pair.card.target.name
            if kind == mtp_names.KIND and not (where / HEAD_FILE).is_file():  # the target's own checkpoint
                pair.heads[kind] = mtp_inside.load(where, pair.target, name)
            else:
                pair.heads[kind] = folder.load(where, pair.target, name, pair.text.digest)
        return pair.heads[kind]


def usual_settings(pair: Pair) -> Settings:
    """The settings of a run where none are given: those of `Settings()`, on a pair without a draft model with a drafter that needs none."""
    return Settings(drafter=registry.usual(draft=pair.draft is not None))


def drafter_for(pair: Pair, settings: Settings, costs: Costs | None = None) -> Drafter:
    """The drafter of these settings, in which nothing is left open.

    Args:
        costs: what passes cost here, for the policies "auto" and "cost".

    Raises:
        SettingsError: there is no such drafter, or it does not support these settings.
        PairError: the pair lacks what the drafter needs.
    """
    registry.check(settings)
    head = registry.describe(settings.drafter).head
    if head in pair.head_faults and head not in heads_of(pair):
        raise PairError(pair.head_faults[head])
    if refusal := registry.refusal(settings.drafter, pair.name, draft=pair.draft is not None, heads=heads_of(pair)):
        raise PairError(refusal)
    return made(pair, settings.drafter, costs)


def heads_of(pair: Pair) -> tuple[str, ...]:
    """The kinds of trained heads that the pair has."""
    return tuple({**pair.head_folders, **pair.heads})


def preparation(pair: Pair, settings: Settings) -> str | None:
    """What the first run with these settings prepares before it begins, in words for people; None if there is nothing to prepare."""
    described = registry.describe(settings.drafter)
    if described.head and described.head not in pair.heads:
        return "loading the trained head, and comparing what it reads with the model's own pass"
    if described.name == "quantized" and pair.quantized is None:
        return "making the copy in 8 bits"
    if described.shape == "tree" and not trees_are_checked(pair, draft=described.needs == "draft model"):
        return "comparing trees with the models' own passes"
    return None


def notes_of(pair: Pair, drafter: Drafter) -> tuple[str, ...]:
    """Sentences for people about this drafter on this pair, where they hold: that 8 bits are not faster here, and which passes on a GPU are not CUDA graphs."""
    bits = no_faster(pair) if drafter.name == "quantized" else ()
    return (*bits, *uncaptured(pair, drafter))


def drafter_card(drafter: Drafter) -> DrafterCard:
    """The card of a drafter for a trace; a drafter outside the registry is shown under its own name."""
    described = registry.descriptions().get(drafter.name)
    label = described.label if described else drafter.name
    return DrafterCard(drafter.name, label, drafter.layers or None, tuple(sorted(set(drafter.taps))) or None)


def draft_card(pair: Pair, drafter: Drafter) -> ModelCard | None:
    """The card of the draft model for a trace; None if there is no second model."""
    return pair.card.draft if drafter.model is not None and drafter.model is pair.draft else None


def context_of(pair: Pair, drafter: Drafter) -> int:
    """The largest number of tokens that all models of such a run can read."""
    model = drafter.model
    return pair.target.context if model is None else min(pair.target.context, model.context)


def check_paths(pair: Pair, drafter: Drafter) -> None:
    """Compare the indirect ways of reading that this drafter needs with the plain pass, each when it is first used.

    Any drafter outside the registry may draft trees. If the target cannot read them, it will refuse the first one.

    Raises:
        DrafterError: it is no drafter.
        PairError: the drafter cannot be used on this pair, with the reason.
    """
    check_methods(drafter)
    described = registry.descriptions().get(drafter.name)
    if drafter.layers and drafter.model is pair.target:
        ready_for_early_exit(pair, len(drafter.layers))
    if pair.quantized is not None and drafter.name == "quantized":
        ready_for_quantized(pair, pair.quantized)
        measure_copy(pair, pair.quantized)
    if described is not None and described.shape == "tree":
        ready_for_trees(pair, draft=described.needs == "draft model")
    if isinstance(drafter.head, BoundHead):
        ready_for_states(pair, drafter.head)
        ready_for_guesses(pair, drafter.head)
    if described is None and not isinstance(drafter, NoDrafter):
        with suppress(PairError):
            ready_for_trees(pair)


def made(pair: Pair, name: str, costs: Costs | None = None) -> Drafter:
    """The drafter of this name, with the ways of reading that it needs compared.

    Raises:
        PairError: the pair lacks what it needs, or it cannot be used on this pair.
    """
    drafter: Drafter = registry.module_of(name).make(PairKit(pair), costs)
    check_paths(pair, drafter)
    return drafter
