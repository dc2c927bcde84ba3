"""Any causal language model, run by transformers' own `forward`."""

import inspect
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.errors import PairError
from specviz.models.networks.kv_cache import PreallocatedLayer, preallocated_cache
from specviz.models.networks.layers import LastStates, layers_from, with_layers
from specviz.models.networks.masks import tree_masks, tree_refusal
from specviz.models.networks.positions import Positions


class StockNetwork:
    """A `specviz.models.networks.choice.Network` that calls the model itself for every pass.

    Args:
        model: in evaluation mode, on its device.
        hidden: whether `read` returns the last states; if not, it returns an empty tensor [0, 0] for them.

    Attributes:
        tree_refusal: why this model cannot read a tree in one pass, without a full stop; "" where it can.
    """

    def __init__(self, model: PreTrainedModel, *, hidden: bool = False) -> None:
        text = model.config.get_text_config(decoder=True)
        self.model = model
        self.depth: int = text.num_hidden_layers
        self.dtype = model.dtype
        self.cache, self.extent = preallocated_cache(self.depth)
        self._hidden = hidden
        self._submodels: dict[int, tuple[PreTrainedModel, LastStates, PreTrainedModel]] = {}
        self._cuts_rows = "logits_to_keep" in inspect.signature(model.forward).parameters
        self.tree_refusal = tree_refusal(model)

    @property
    def kind(self) -> str:
        return "transformers"

    def begin(self, capacity: int) -> None:
        self.extent.capacity = max(self.extent.capacity, capacity)
        self.extent.length = 0

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """See `Network.read`.

        Raises:
            PairError: `positions` are a tree, and the model cannot read one in one pass: `tree_refusal` is the reason.
        """
        return self._pass(self.model, positions, rows, input_ids=tokens[None])

    def lower(self, tokens: Tensor, positions: Positions, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        submodel, last, _ = self._halves(depth)
        logits, _ = self._pass(submodel, positions, rows, input_ids=tokens[None])
        return logits, last.states

    def upper(self, states: Tensor, positions: Positions, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        return self._pass(self._halves(depth)[2], positions, rows, inputs_embeds=states[None])

    def skipping(self, layers: Sequence[int]) -> "StockNetwork":
        kept = [index for index in range(self.depth) if index not in layers]
        shallower = copy(self)
        shallower.model = with_layers(self.model, kept)
        # Each layer keeps its old index in the cache; the buffers of the skipped layers are never allocated.
        shallower.cache, shallower.extent = preallocated_cache(len(self.cache.layers))
        shallower.depth, shallower._submodels = len(kept), {}
        return shallower

    @torch.inference_mode()
    def move(self, begin: int, indices: Sequence[int]) -> None:
        for buffer in self.buffers():
            chosen = torch.tensor(indices, device=buffer.device)
            buffer[..., begin : begin + len(indices), :] = buffer.index_select(-2, chosen)

    def release(self) -> None:
        self.cache, self.extent = preallocated_cache(len(self.cache.layers))

    def buffers(self) -> list[Tensor]:
        layers = [layer for layer in self.cache.layers if isinstance(layer, PreallocatedLayer) and layer.is_initialized]
        return [buffer for layer in layers for buffer in (layer.keys, layer.values) if buffer is not None]

    def _pass(
        self, model: PreTrainedModel, positions: Positions, rows: int | None, **given: Tensor
    ) -> tuple[Tensor, Tensor]:
        """One `forward` of the model, or of a submodel."""
        self.extent.length = positions.begin
        options: dict[str, object] = {"logits_to_keep": rows or 0} if self._cuts_rows else {}
        masks: AbstractContextManager[None] = nullcontext()
        if positions.ids is not None:
            if self.tree_refusal:
                raise PairError(f"{self.tree_refusal}: use a drafter that proposes chains.")
            masks, options["position_ids"] = tree_masks(positions), positions.ids[None]
        with masks:
            output = model(
                **given, past_key_values=self.cache, use_cache=True, output_hidden_states=self._hidden, **options
            )
        logits = output.logits[0] if rows is None else output.logits[0, -rows:]
        return logits, output.hidden_states[-1][0] if self._hidden else logits.new_zeros(0, 0)

    def _halves(self, depth: int) -> tuple[PreTrainedModel, LastStates, PreTrainedModel]:
        """The first `depth` layers, their last states, and the layers from `depth` on; both submodels share this network's cache."""
        if depth not in self._submodels:
            lower = with_layers(self.model, range(depth))
            self._submodels[depth] = (lower, LastStates(lower), layers_from(self.model, depth))
        return self._submodels[depth]
