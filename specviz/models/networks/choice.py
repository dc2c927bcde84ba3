"""The choice of a model's network."""

from transformers import PreTrainedModel

from specviz.models.networks.families import is_lean
from specviz.models.networks.graphs import GraphedDecoder
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.network import Network
from specviz.models.networks.recurrent import RecurrentNetwork
from specviz.models.networks.replay import ReplayNetwork, rotary_boundary
from specviz.models.networks.states import is_recurrent
from specviz.models.networks.stock import StockNetwork


def network_for(model: PreTrainedModel, *, lean: bool = True) -> Network:
    """The fastest network that can run this model. Raises CacheError if the model cannot continue a text from its own
    states.

    Args:
        lean: False always uses the model's own modules.
    """
    boundary = rotary_boundary(model.config.get_text_config(decoder=True))
    if is_recurrent(model):
        recurrent = RecurrentNetwork(model)
        reason = (
            "a recurrent state cannot branch"
            if recurrent.states.must_be_saved
            else "this attention selects keys of a chain"
        )
        return ReplayNetwork(recurrent, reason, boundary)
    if not lean or not is_lean(model):
        stock = StockNetwork(model)
        return ReplayNetwork(stock, boundary=boundary) if boundary else stock
    return GraphedDecoder(model) if model.device.type == "cuda" else LeanDecoder(model)
