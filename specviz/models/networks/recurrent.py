"""Recurrent and hybrid models, run by transformers' own `forward`, with states that can be saved and restored."""

import inspect
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedModel

from specviz.errors import CacheError, brief
from specviz.models.networks.network import at_taps
from specviz.models.networks.parts import divergence
from specviz.models.networks.positions import Positions
from specviz.models.networks.states import States
from specviz.models.networks.stock import StockNetwork

_PROMPT = 3
# Lengths of the passes that are tried at load: one shorter and one longer than the usual convolution of four tokens.
_CHUNKS = (2, 6)
_ROUNDING = 1e-4  # share of the range of the logits that passes of different lengths may differ by in float32
_HALF_ROUNDING = 1e-2  # the same in half precision: mean divergence in nats


class RecurrentNetwork(StockNetwork):
    """A network that reads chains only, and goes back only to a state that was saved.

    Some models ignore their state in a pass over several tokens, as if each such pass began a new text. Whether this one does is
    found by comparing the scores of such a pass with those of single tokens, when the network is made. Raises CacheError if the
    model cannot continue a text from its own states.

    Attributes:
        stepwise: several tokens after the prompt must be read one by one.
    """

    def __init__(self, model: PreTrainedModel) -> None:
        super().__init__(model)
        self.stepwise = False
        # Some models count positions from 0 in every pass, unless they are given.
        self._takes_positions = "position_ids" in inspect.signature(model.forward).parameters
        self.states = States(model, self.extent)
        try:
            self._scores([2, 1])
        except torch.OutOfMemoryError:
            raise
        except (RuntimeError, ValueError, TypeError, AttributeError, LookupError) as error:
            raise CacheError(
                f"{type(model).__name__} cannot keep its state in transformers' cache layers ({brief(error)}): choose another model."
            ) from error
        self.stepwise = not self._continues()
        self.release()

    @property
    def kind(self) -> str:
        return "transformers, one token at a time" if self.stepwise else "transformers"

    def begin(self, capacity: int) -> None:
        super().begin(capacity)
        self.states.clear()

    def release(self) -> None:
        super().release()
        self.states = States(self.model, self.extent)

    def save(self) -> Any:
        """A copy of the states after everything that was read."""
        return self.states.save()

    def restore(self, saved: Any) -> None:
        """Continue from saved states. The keys and values to use follow from the next pass's `positions.begin`."""
        self.states.restore(saved)

    def buffers(self) -> list[Tensor]:
        return self.states.buffers()

    def read(self, tokens: Tensor, positions: Positions, rows: int | None = None) -> tuple[Tensor, Tensor]:
        self.extent.length = positions.begin
        options: dict[str, Any] = {"logits_to_keep": rows or 0} if self._cuts_rows else {}
        options[self.states.argument] = self.states.cache
        if self._takes_positions:
            options["position_ids"] = torch.arange(positions.begin, positions.end, device=self.model.device)[None]
        output = self.model(input_ids=tokens[None], **options, use_cache=True, output_hidden_states=bool(self.taps))
        logits = output.logits[0] if rows is None else output.logits[0, -rows:]
        return logits, at_taps(
            [states[0] for states in getattr(output, "hidden_states", None) or ()], self.taps, logits
        )

    def _continues(self) -> bool:
        """True if a pass over several tokens continues the text, as passes over single tokens do."""
        steps = self._scores([_PROMPT, *[1] * sum(_CHUNKS)])[_PROMPT:].double()
        chunks = self._scores([_PROMPT, *_CHUNKS])[_PROMPT:].double()
        if self.dtype.itemsize > 2:
            return torch.allclose(steps, chunks, rtol=0, atol=_ROUNDING * float(steps.max() - steps.min()))
        # Half precision rounds too coarsely for that: compare with scores that ignore the text on purpose.
        unaware = self._scores([sum(_CHUNKS)], first=_PROMPT).double()
        return divergence(steps, chunks) < min(_HALF_ROUNDING, 0.1 * divergence(steps, unaware))

    @torch.inference_mode()
    def _scores(self, lengths: Sequence[int], first: int = 0) -> Tensor:
        """[m, head rows] logits of a short text, without its `first` tokens, that is read in passes of these lengths."""
        count = sum(lengths)
        ids = torch.arange(first + 1, first + count + 1, device=self.model.device)
        ids %= self.model.get_input_embeddings().num_embeddings
        self.begin(count)
        rows, position = [], 0
        for length in lengths:
            rows.append(self.read(ids[position : position + length], Positions(position, length))[0])
            position += length
        return torch.cat(rows)
