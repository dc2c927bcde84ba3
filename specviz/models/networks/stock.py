"""Any causal language model through transformers' own forward."""

import inspect
from collections.abc import Sequence
from copy import copy

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.errors import PairError
from specviz.models.networks.kv_cache import PreallocatedLayer, preallocated_cache
from specviz.models.networks.layers import LastStates, part_of, upper_part_of
from specviz.models.networks.positions import Place


class StockNetwork:
    """A `specviz.models.networks.choice.Network` that hands every pass to the model itself.

    Args:
        model: in evaluation mode, on its device.
        hidden: whether last states are wanted; without, `read` returns none of them ([0, 0]).
    """

    def __init__(self, model: PreTrainedModel, *, hidden: bool = False) -> None:
        text = model.config.get_text_config(decoder=True)
        self.model = model
        self.depth: int = text.num_hidden_layers
        self.dtype = model.dtype
        self.cache, self.extent = preallocated_cache(self.depth)
        self._hidden = hidden
        self._parts: dict[int, tuple[PreTrainedModel, LastStates, PreTrainedModel]] = {}
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

    def read(self, tokens: Tensor, place: Place, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """See `Network.read`.

        Raises:
            PairError: for a tree longer than the model's window, whose edge a mask of our own would hide.
        """
        return self._pass(self.model, place, rows, input_ids=tokens[None])

    def lower(self, tokens: Tensor, place: Place, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        part, noted, _ = self._halves(depth)
        logits, _ = self._pass(part, place, rows, input_ids=tokens[None])
        return logits, noted.states

    def upper(self, states: Tensor, place: Place, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        return self._pass(self._halves(depth)[2], place, rows, inputs_embeds=states[None])

    def skipping(self, layers: Sequence[int]) -> "StockNetwork":
        kept = [index for index in range(self.depth) if index not in layers]
        fewer = copy(self)
        fewer.model = part_of(self.model, kept)
        # A layer goes on writing under its old number; the buffers of the others are never made.
        fewer.cache, fewer.extent = preallocated_cache(len(self.cache.layers))
        fewer.depth, fewer._parts = len(kept), {}
        return fewer

    @torch.inference_mode()
    def move(self, begin: int, places: Sequence[int]) -> None:
        for buffer in self.buffers():
            chosen = torch.tensor(places, device=buffer.device)
            buffer[..., begin : begin + len(places), :] = buffer.index_select(-2, chosen)

    def release(self) -> None:
        self.cache, self.extent = preallocated_cache(len(self.cache.layers))

    def buffers(self) -> list[Tensor]:
        layers = [layer for layer in self.cache.layers if isinstance(layer, PreallocatedLayer) and layer.is_initialized]
        return [part for layer in layers for part in (layer.keys, layer.values) if part is not None]

    def _pass(self, model: PreTrainedModel, place: Place, rows: int | None, **given: Tensor) -> tuple[Tensor, Tensor]:
        """One forward of the model, or of a part of it."""
        self.extent.length = place.begin
        options: dict[str, object] = {"logits_to_keep": rows or 0} if self._cuts_rows else {}
        if place.sees is not None and place.positions is not None:
            if self._window is not None and place.end > self._window:
                raise PairError(
                    f"A tree of drafts cannot be read past this model's window of {self._window} tokens: use a drafter that "
                    "proposes chains."
                )
            lowest = torch.finfo(model.dtype).min
            mask = torch.where(place.sees, 0.0, lowest).to(model.dtype)
            options |= {"attention_mask": mask[None, None], "position_ids": place.positions[None]}
        output = model(
            **given, past_key_values=self.cache, use_cache=True, output_hidden_states=self._hidden, **options
        )
        logits = output.logits[0] if rows is None else output.logits[0, -rows:]
        return logits, output.hidden_states[-1][0] if self._hidden else logits.new_zeros(0, 0)

    def _halves(self, depth: int) -> tuple[PreTrainedModel, LastStates, PreTrainedModel]:
        """The layers below `depth`, what watches their states, and the layers from it on; they share this network's cache."""
        if depth not in self._parts:
            below = part_of(self.model, range(depth))
            self._parts[depth] = (below, LastStates(below), upper_part_of(self.model, depth))
        return self._parts[depth]
