"""A transformers causal language model that keeps its own cache right."""

import inspect
from collections.abc import Sequence

import torch
from torch import Tensor
from transformers import PreTrainedModel
from transformers.cache_utils import DynamicCache, DynamicLayer, DynamicSlidingWindowLayer

from specviz.errors import CacheError, PairError
from specviz.models.cache import preallocated_cache
from specviz.protocols import CacheReport, Scores

_SPARE = 64
"""Buffers grow by whole multiples of this many tokens, so that nearby capacities share one allocation."""


class CachedModel:
    """Any causal model of transformers as a `specviz.protocols.LanguageModel`.

    Args:
        model: in evaluation mode, on its device.
        vocabulary: how many real ids the pair's tokenizer has. The head is cut to these before any softmax; ids that
            the head lacks get a score of minus infinity.
        end_ids: every id that ends a text.
        hidden: whether `forward` also returns the last layer's states.

    Raises:
        CacheError: the model keeps a state that cannot be taken back.
    """

    def __init__(
        self, model: PreTrainedModel, vocabulary: int, end_ids: frozenset[int] = frozenset(), *, hidden: bool = False
    ) -> None:
        text = model.config.get_text_config(decoder=True)
        _check_rewindable(model, text)
        self.model = model
        self.vocabulary = vocabulary
        self.end_ids = end_ids
        self.device = model.device
        self.context: int = getattr(text, "max_position_embeddings", None) or 2**31
        self._cache, self._extent = preallocated_cache(text.num_hidden_layers)
        self._hidden = hidden
        self._cuts_rows = "logits_to_keep" in inspect.signature(model.forward).parameters
        self._committed = 0
        self._report = CacheReport(0, 0, 0)

    @property
    def length(self) -> int:
        return self._extent.length

    @property
    def report(self) -> CacheReport:
        return self._report

    def begin(self, capacity: int) -> None:
        rounded = -(-capacity // _SPARE) * _SPARE
        self._extent.capacity = max(self._extent.capacity, rounded)
        self._report = CacheReport(0, self._extent.length, 0)
        self._extent.length = self._committed = 0

    @torch.inference_mode()
    def forward(self, tokens: Tensor, parents: Sequence[int] | None = None, rows: int | None = None) -> Scores:
        """See `LanguageModel.forward`.

        Raises:
            PairError: for a tree: this model reads chains.
        """
        count = tokens.shape[0]
        if parents is not None and tuple(parents) != tuple(range(-1, count - 1)):
            raise PairError(
                "A tree of drafts was given to a model that reads chains: use a drafter that proposes chains."
            )
        if self._extent.length + count > self._extent.capacity:
            raise PairError(
                f"The cache has room for {self._extent.capacity} tokens and {self._extent.length + count} were read: "
                "begin with a larger capacity."
            )
        options: dict[str, object] = {"logits_to_keep": rows or 0} if self._cuts_rows else {}
        output = self.model(
            input_ids=tokens.unsqueeze(0),
            past_key_values=self._cache,
            use_cache=True,
            output_hidden_states=self._hidden,
            **options,
        )
        self._extent.length += count
        before = self._report
        self._report = CacheReport(before.kept, before.dropped, before.added + count)
        logits = output.logits[0] if rows is None else output.logits[0, -rows:]
        return Scores(self._real(logits), output.hidden_states[-1][0] if self._hidden else None)

    def keep(self, path: Sequence[int]) -> None:
        pending = self._extent.length - self._committed
        if list(path) != list(range(len(path))) or len(path) > pending:
            raise PairError(f"Only the first of the {pending} pending tokens can be kept, in order; got {list(path)}.")
        kept = self._committed + len(path)
        self._report = CacheReport(kept, self._extent.length - kept, 0)
        self._extent.length = self._committed = kept

    def _real(self, logits: Tensor) -> Tensor:
        head = logits.shape[-1]
        if head >= self.vocabulary:
            return logits[..., : self.vocabulary]
        return torch.nn.functional.pad(logits, (0, self.vocabulary - head), value=-torch.inf)


def _check_rewindable(model: PreTrainedModel, text_config: object) -> None:
    name = type(model).__name__
    try:
        layers = DynamicCache(config=text_config).layers
    except Exception as error:
        raise CacheError(
            f"{name} keeps a cache of an unknown kind ({error}): choose an ordinary attention model."
        ) from error
    odd = {type(layer).__name__ for layer in layers if type(layer) not in (DynamicLayer, DynamicSlidingWindowLayer)}
    if getattr(model, "_is_stateful", False) or odd:
        kind = ", ".join(sorted(odd)) or "a recurrent state"
        raise CacheError(
            f"{name} cannot take back tokens once read (its cache holds {kind}), and speculation must take back rejected "
            "ones: choose a model with ordinary attention."
        )
