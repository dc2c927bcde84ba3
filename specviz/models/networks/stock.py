"""Any causal language model, run by transformers' own `forward`."""

import inspect
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.errors import PairError
from specviz.models.networks.kv_cache import PreallocatedLayer, preallocated_cache
from specviz.models.networks.layers import Halves, LayerStack, layer_stack
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
        self._halves: dict[int, Halves] = {}
        self._cuts_rows = "logits_to_keep" in inspect.signature(model.forward).parameters
        self.tree_refusal = tree_refusal(model)

    @property
    def kind(self) -> str:
        return "transformers"

    @property
    def depth(self) -> int:
        text = self.model.config.get_text_config(decoder=True)
        layers: int = text.num_hidden_layers if self.split_refusal else self._stack.depth
        return layers

    @cached_property
    def split_refusal(self) -> str:
        try:
            self._stack  # noqa: B018  # looking the layers up is the check
        except PairError as error:
            return str(error)
        return ""

    def begin(self, capacity: int) -> None:
        self.extent.capacity = max(self.extent.capacity, capacity)
        self.extent.length = 0

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        """See `Network.read`. Raises PairError if `positions` are a tree, and the model cannot read one in one pass:
        `tree_refusal` is the reason."""
        return self._pass(tokens, positions, rows)

    def lower(self, tokens: Tensor, positions: Positions, depth: int, rows: int | None = None) -> tuple[Tensor, Tensor]:
        halves = self._cut(depth)
        with halves.lower():
            logits, _ = self._part(tokens, positions, rows)
        return logits, halves.states

    def upper(
        self, tokens: Tensor, states: Tensor, positions: Positions, depth: int, rows: int | None = None
    ) -> tuple[Tensor, Tensor]:
        halves = self._cut(depth)
        halves.states = states
        with halves.upper():
            return self._part(tokens, positions, rows)

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

    def _pass(self, tokens: Tensor, positions: Positions, rows: int | None) -> tuple[Tensor, Tensor]:
        """One `forward` of the model."""
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

    def _part(self, tokens: Tensor, positions: Positions, rows: int | None) -> tuple[Tensor, Tensor]:
        """One `forward` in which some layers compute nothing. Its states must keep all tokens up to the head, and where layers share keys
        and values the model itself may drop all but the last `rows` before that."""
        logits, states = self._pass(tokens, positions, None if self._stack.needed else rows)
        return (logits if rows is None else logits[-rows:]), states

    @cached_property
    def _stack(self) -> LayerStack:
        return layer_stack(self.model)

    def _cut(self, depth: int) -> Halves:
        if depth not in self._halves:
            self._halves[depth] = Halves(self._stack, depth)
        return self._halves[depth]
