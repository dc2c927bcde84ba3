"""Lists the passes of a run on a GPU that are not CUDA graphs, in a sentence each, so that no figure compares unlike paths in silence."""

from collections.abc import Collection

from specviz.decoding.drafters import registry
from specviz.decoding.protocols import Drafter
from specviz.models.cached_model import CachedModel
from specviz.models.networks.graphs import (
    FULL_DRAFTS,
    HALVES,
    PASSES,
    READ_PASSES,
    READ_TREES,
    TREE_PASSES,
    GraphedDecoder,
)
from specviz.models.pair import Pair


def uncaptured(pair: Pair, drafter: Drafter) -> tuple[str, ...]:
    """A sentence for each kind of pass of such a run that is not replayed as a CUDA graph; none on a device without graphs.

    Prompts are not mentioned: nobody captures them, and no figure compares them. A graph that turns out to differ is known from its first
    use on, so ask after the warm-up.
    """
    if pair.target.device.type != "cuda":
        return ()
    described = registry.descriptions().get(drafter.name)
    tree = described is not None and described.shape == "tree"
    model = drafter.model
    sentences = _sentences(pair.target, "target", _verifying(drafter, tree=tree, halves=model is pair.target))
    if drafter.head is not None:
        label = described.label if described else drafter.name
        sentences.append(f"The drafter's own passes ({label}) run without CUDA graphs.")
    elif isinstance(model, CachedModel) and model is not pair.target:
        sentences += _sentences(model, "drafter", {PASSES, FULL_DRAFTS, *([TREE_PASSES] if tree else [])})
    return tuple(sentences)


def _verifying(drafter: Drafter, *, tree: bool, halves: bool) -> set[str]:
    """The kinds of passes that the target makes."""
    if drafter.taps:
        return {READ_PASSES, *([READ_TREES] if tree else [])}
    return {PASSES, *([TREE_PASSES] if tree else []), *([HALVES] if halves else [])}


def _sentences(model: CachedModel, whose: str, kinds: Collection[str]) -> list[str]:
    network = model.network.innermost
    if not isinstance(network, GraphedDecoder):
        return [f"The {whose}'s passes run without CUDA graphs."]
    if network.failure:
        return [f"The {whose}'s passes run without CUDA graphs: {network.failure.rstrip('.')}."]
    return [
        f"The {whose}'s {kind} run without CUDA graphs: {reason.rstrip('.')}."
        for kind, reason in network.failures.items()
        if kind in kinds
    ]
