"""Any causal language model, run by transformers' own `forward`."""

import inspect
from collections.abc import Sequence
from copy import copy

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.errors import PairError
from specviz.models.networks.kv_cache import PreallocatedLayer, preallocated_cache
from specviz.models.networks.layers import LastStates, layers_from, with_layers
from specviz.models.networks.positions import Positions


class StockNetwork:
    """A `specviz.models.networks.choice.Network` that calls the model itself for every pass.

    Args:
        model: in evaluation mode, on its device.
        hidden: whether `read` returns the last states; if not, it returns an empty tensor [0, 0] for them.
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
        kinds = set(getattr(text, "layer_types", None) or [])
        windowed = "sliding_attention" in kinds or not kinds
        self._window: int | None = getattr(text, "sliding_window", None) if windowed else None

    @property
    def kind(self) -> str:
        return "transformers"

    def begin(self, capacity: int) -> None:
        self.extent.capacity = max(self.extent.capacity, capacity)
        self.extent.length = 0

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """See `Network.read`.

        Raises:
            PairError: a tree reaches past the model's sliding window, which our own mask does not apply.
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
        if positions.attends is not None and positions.ids is not None:
            if self._window is not None and positions.end > self._window:
                raise PairError(
                    f"A tree of drafted tokens ends at position {positions.end}, past this model's window of {self._window} "
                    "tokens: use a drafter that proposes chains."
                )
            lowest = torch.finfo(model.dtype).min
            mask = torch.where(positions.attends, 0.0, lowest).to(model.dtype)
            options |= {"attention_mask": mask[None, None], "position_ids": positions.ids[None]}
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
