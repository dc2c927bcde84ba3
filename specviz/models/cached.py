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
        vocabulary: how many real ids the pair's tokenizer has. The head is cut to these before any softmax.
        end_ids: every id that ends a text.
        known: how many of these the model's own tokenizer has, all by default. Those it lacks, or that its head has no
            row for, get the lowest finite score, so probability 0, and are read as the last one it has.
        hidden: whether `forward` also returns the last layer's states.

    Raises:
        CacheError: the model keeps a state that cannot be taken back.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        vocabulary: int,
        end_ids: frozenset[int] = frozenset(),
        *,
        known: int | None = None,
        hidden: bool = False,
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
        self._known = min(vocabulary, known or vocabulary)
        self._readable = min(self._known, model.get_input_embeddings().num_embeddings)
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
        if self._readable < self.vocabulary:
            tokens = tokens.clamp(max=self._readable - 1)
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
        """[m, head rows] as [m, V]. Finite where an id is lacking too: a recorded score must be a number."""
        own = logits[..., : self._known]
        lacking = self.vocabulary - own.shape[-1]
        return torch.nn.functional.pad(own, (0, lacking), value=torch.finfo(own.dtype).min) if lacking else own


def check_rewind(model: CachedModel) -> None:
    """Read a short text, take back half of it and read on: the scores must be those of a model that never saw that half.

    Raises:
        CacheError: they are not; or the scores of a token depend on what follows it; or the model cannot be read with
            this kind of cache at all.
        PairError: the scores are no numbers.
    """
    name = type(model.model).__name__
    ids = torch.arange(1, 9, device=model.device) % model.vocabulary
    try:
        model.begin(16)
        fresh = model.forward(torch.cat([ids[:3], ids[6:]])).logits.float()
        model.begin(16)
        first = model.forward(ids[:6]).logits.float()
        model.keep(range(3))
        again = model.forward(ids[6:]).logits.float()
        model.begin(16)
    except (PairError, torch.OutOfMemoryError):
        raise
    except Exception as error:
        raise CacheError(
            f"{name} cannot be read with a cache that is written in place ({' '.join(str(error).split())[:200]}): choose "
            "another model."
        ) from error
    if not fresh.isfinite().all():
        raise PairError(f"{name} gives scores that are no numbers: choose float32, or download the model again.")
    if not _alike(fresh[:3], first[:3], model.model.dtype):
        raise CacheError(
            f"{name} scores a token by what follows it, so it cannot continue a text: choose a causal language model."
        )
    if not _alike(fresh[3:], again, model.model.dtype):
        raise CacheError(
            f"{name} does not forget tokens that are taken back from its cache, and speculation must take back rejected "
            "ones: choose a model with ordinary attention."
        )


def _alike(one: Tensor, other: Tensor, dtype: torch.dtype) -> bool:
    """Equal but for rounding. Half precision rounds coarsely, but no wrong cache is as near as this in a trained model."""
    ordinary = one[one > torch.finfo(dtype).min]
    tolerance = (0.1 if dtype.itemsize == 2 else 1e-3) * float(ordinary.max() - ordinary.min())
    return torch.allclose(one, other, rtol=0, atol=max(tolerance, 1e-6))


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
