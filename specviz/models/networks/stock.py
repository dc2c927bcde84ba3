"""Any causal language model, run by transformers' own `forward`."""

import inspect
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.errors import PairError
from specviz.models.networks.kv_cache import PreallocatedLayer, preallocated_cache
from specviz.models.networks.masks import tree_masks, tree_refusal
from specviz.models.networks.network import Network, at_taps
from specviz.models.networks.positions import Positions


class StockNetwork(Network):
    """A network that calls the model itself for every pass.

    Args:
        model: in evaluation mode, on its device.

    Attributes:
        tree_refusal: why this model cannot read a tree in one pass, without a full stop; "" where it can.
    """

    def __init__(self, model: PreTrainedModel) -> None:
        text = model.config.get_text_config(decoder=True)
        self.model = model
        self.dtype = model.dtype
        self.cache, self.extent = preallocated_cache(text.num_hidden_layers)
        self._cuts_rows = "logits_to_keep" in inspect.signature(model.forward).parameters
        self.tree_refusal = tree_refusal(model)

    @property
    def kind(self) -> str:
        return "transformers"

    @property
    def depth(self) -> int:
        text = self.model.config.get_text_config(decoder=True)
        layers: int = text.num_hidden_layers
        return layers

    def begin(self, capacity: int) -> None:
        self.extent.capacity = max(self.extent.capacity, capacity)
        self.extent.length = 0

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """See `Network.read`. Raises PairError if `positions` are a tree, and the model cannot read one in one pass:
        `tree_refusal` is the reason."""
        self.extent.length = positions.begin
        options: dict[str, object] = {"logits_to_keep": rows or 0} if self._cuts_rows else {}
        masks: AbstractContextManager[None] = nullcontext()
        if positions.ids is not None:
            if self.tree_refusal:
                raise PairError(f"{self.tree_refusal}: use a drafter that proposes chains.")
            masks, options["position_ids"] = tree_masks(positions), positions.ids[None]
        with masks:
            output = self.model(
                input_ids=tokens[None],
                past_key_values=self.cache,
                use_cache=True,
                output_hidden_states=bool(self.taps),
                **options,
            )
        logits = output.logits[0] if rows is None else output.logits[0, -rows:]
        return logits, at_taps([states[0] for states in output.hidden_states or ()], self.taps, logits)

    @torch.inference_mode()
    def keep(self, begin: int, slots: Sequence[int]) -> None:
        if list(slots) == [*range(begin, begin + len(slots))]:
            return
        for buffer in self.buffers():
            indices = torch.tensor(slots, device=buffer.device)
            buffer[..., begin : begin + len(slots), :] = buffer.index_select(-2, indices)

    def release(self) -> None:
        self.cache, self.extent = preallocated_cache(len(self.cache.layers))

    def buffers(self) -> list[Tensor]:
        layers = [layer for layer in self.cache.layers if isinstance(layer, PreallocatedLayer) and layer.is_initialized]
        return [buffer for layer in layers for buffer in (layer.keys, layer.values) if buffer is not None]
