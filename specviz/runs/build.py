"""Builds the drafter of a name for a pair, from the parts that its description names, and lists the checks that it needs at first use."""

from contextlib import suppress
from dataclasses import replace

from specviz.decoding.checking import check_methods
from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.parts import Parts
from specviz.decoding.protocols import Drafter
from specviz.errors import PairError
from specviz.models.checks.first_use import copy_check, exit_check, head_checks, head_of, quantized_copy, tree_check
from specviz.models.checks.measure import Check
from specviz.models.heads.folder import BoundHead
from specviz.models.pair import Pair, is_first_use
from specviz.settings import Settings

# The part of the layers that drafts, where a target was trained for no exit. The agreement with the full model on text that it wrote, and the
# speedup that follows (Leviathan et al., arXiv 2211.17192, theorem 3.8, passes priced by their weights), were measured once at every depth. The
# embedded target, trained to exit after 4 of 12 layers, agrees to 0.77 there: 1.25x, the best of all depths. SmolLM2-135M, trained for none, gains
# nowhere: 0.64x after 10 of 30 layers, 0.75x at best.
EXIT_SHARE = 1 / 3


def default_settings(pair: Pair) -> Settings:
    """The settings of a run where none are given: those of `Settings()`, on a pair without a draft model with a drafter that needs none."""
    return Settings(drafter=registry.usual(draft=pair.draft is not None))


def build_drafter(pair: Pair, name: str, costs: Costs | None = None) -> Drafter:
    """The drafter of this name. Raises SettingsError if there is no such drafter; PairError if the pair lacks what it
    needs, or that part cannot be used.

    Args:
        costs: cost ratios, for the policy "cost".
    """
    described = registry.describe(name)
    if refusal := registry.refusal(name, pair.name, draft=pair.draft is not None, heads=pair.head_kinds):
        raise PairError(refusal)
    parts = Parts(pair.target, costs=costs)
    if described.head:
        parts = replace(parts, trained_head=head_of(pair, described.head))
    elif described.needs == "draft model":
        parts = replace(parts, model=pair.require_draft())
    elif described.needs == "target layers":
        parts = replace(parts, exit_depth=exit_depth(pair))
    elif described.itself:
        parts = replace(parts, model=quantized_copy(pair))
    drafter: Drafter = registry.make(name, parts)
    return drafter


def first_step(pair: Pair, name: str) -> str:
    """The work that the first use of this drafter takes, in words for people; "" where it was used before or takes none."""
    described = registry.describe(name)
    if described.head and is_first_use(pair, head_of, described.head):
        return "loading the trained head, and comparing what it reads with the model's own pass"
    if described.name == "quantized" and is_first_use(pair, quantized_copy):
        return "making the copy in 8 bits"
    if described.shape == "tree" and is_first_use(pair, tree_check, "target"):
        return "comparing trees with the models' own passes"
    return ""


def exit_depth(pair: Pair) -> int:
    """After how many layers an early exit leaves the target: as many as it was trained for, else a fixed share of them.
    Raises PairError if the target has a single layer, or its layers cannot be run separately."""
    network = pair.target.network
    if network.split_refusal:
        raise PairError(network.split_refusal)
    if network.depth < 2:
        raise PairError(
            "The target has a single layer, so it cannot draft with fewer layers than it verifies with: choose another drafter."
        )
    trained = getattr(pair.target.model.config, "early_exit_layer", None)
    if isinstance(trained, int) and 0 < trained < network.depth:
        return trained
    return max(1, round(EXIT_SHARE * network.depth))


def first_use(pair: Pair, drafter: Drafter) -> tuple[Check, ...]:
    """Compare the indirect ways of reading that this drafter needs with the plain pass, each when it is first used on the pair.

    A drafter outside the registry may draft trees: if the target cannot read them, it refuses the first one. Raises
    DrafterError if it is no drafter; PairError if the drafter cannot be used on this pair, with the reason.
    """
    check_methods(drafter)
    described = registry.descriptions().get(drafter.name)
    checks: list[Check] = []

    def require(*outcomes: Check) -> None:
        checks.extend(outcomes)
        if not outcomes[-1].passed:
            raise PairError(outcomes[-1].note)

    if drafter.layers and drafter.model is pair.target:
        require(exit_check(pair, len(drafter.layers)))
    if drafter.name == "quantized":
        require(copy_check(pair))
    if described is not None and described.shape == "tree":
        require(tree_check(pair, "target"))
        if described.needs == "draft model":
            require(tree_check(pair, "draft"))
    if isinstance(drafter.head, BoundHead):
        require(*head_checks(pair, drafter.head))
    if described is None and not isinstance(drafter, NoDrafter):
        with suppress(PairError):
            require(tree_check(pair, "target"))
    return tuple(checks)
