"""After how many layers a target that drafts for itself leaves early."""

from specviz.errors import PairError
from specviz.models.devices import check_separable
from specviz.models.pair import Pair

EXIT_SHARE = 1 / 3
"""The part of the layers that drafts, where a target was trained for no exit. The agreement with the full model on text that it wrote, and the
speedup that follows (Leviathan et al., arXiv 2211.17192, theorem 3.8, passes priced by their weights), were measured once at every depth. The
embedded target, trained to exit after 4 of 12 layers, agrees to 0.77 there: 1.25x, the best of all depths. SmolLM2-135M, trained for none, gains
nowhere: 0.64x after 10 of 30 layers, 0.75x at best."""


def exit_depth(pair: Pair) -> int:
    """After how many layers an early exit leaves the target: as many as it was trained for, else a fixed share of them.

    Raises:
        PairError: the target has a single layer, or its layers cannot be run separately.
    """
    network = pair.target.network
    check_separable(pair.target.model)
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
