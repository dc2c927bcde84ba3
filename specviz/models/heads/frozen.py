"""The target's own parts that a trained head borrows: its embedding and its output layer. They are never trained or saved with it. Published
heads can bring their own in place of either."""

from collections.abc import Callable
from copy import copy
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import PreTrainedModel

from specviz.errors import PairError
from specviz.models.cached_model import CachedModel
from specviz.models.networks.kept_head import KeptHead
from specviz.models.networks.layouts import pack
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.originals import restore_originals
from specviz.models.networks.packing import Matrix
from specviz.models.networks.parts import capped, fit_vocabulary

Rows = Callable[[Tensor], Tensor]  # from states [n, width] to logits [n, K]


class Frozen:
    """The embedding and the output layer of a target.

    Attributes:
        vocabulary: the number of real ids of the tokenizer.
        tokens: [K] the ids that are scored; None for all.
        borrowed: whether the scores are those of the target's own output layer.
        device, dtype: of the states that the target gives.
    """

    borrowed = True

    def __init__(
        self,
        table: Tensor,
        rows: Rows,
        *,
        dtype: torch.dtype,
        vocabulary: int,
        own_ids: int,
        readable: int,
        tokens: Tensor | None = None,
    ) -> None:
        self._table, self._rows = table, rows
        self._own_ids, self._readable = own_ids, readable
        self.vocabulary, self.tokens, self.dtype, self.device = vocabulary, tokens, dtype, table.device

    @classmethod
    def of(cls, target: CachedModel, tokens: Tensor | None = None) -> Self:
        """The parts of a target that runs here, for decoding: no gradient goes through them. Raises PairError if the
        target has no output layer that can be called from outside.

        Args:
            tokens: [K] ids, if only these are to be scored: their rows of the output layer are copied.
        """
        network = target.network.innermost
        limits = {"vocabulary": target.vocabulary, "own_ids": target.own_ids, "readable": target.readable}
        if not isinstance(network, LeanDecoder):
            model = target.model
            restore_originals(model)
            every = _every_row(model) if tokens is None else _some_rows(model, tokens)
            table = model.get_input_embeddings().weight.detach()
            return cls(table, every, dtype=model.dtype, tokens=tokens, **limits)
        rows: Rows = network.head
        if tokens is not None:
            restore_originals(target.model)
            try:
                rows = _some_rows(target.model, tokens, packed=True)
            finally:
                target.free_again()
        return cls(network.embedding, rows, dtype=network.dtype, tokens=tokens, **limits)

    def with_own(self, table: Tensor | None, weight: Tensor | None, tokens: Tensor | None) -> "Frozen":
        """These layers, with a head's own parts in place of some, in the target's format and on its device.

        Args:
            table: [V, width] its embedding; None for the target's.
            weight: [K, width] of its output layer; None for scores of the target's, or none at all.
            tokens: [K] the ids that its scores are of, in any order; None for the first ones.
        """
        own = copy(self)
        own.tokens = None if tokens is None else tokens.to(self.device)
        if table is not None and not _same(table := table.to(self.device, self.dtype), self._table):
            own._table, own._readable = table, min(self.vocabulary, len(table))
        if weight is not None:
            own._rows, own._own_ids = pack(weight.to(self.device, self.dtype)), min(self.vocabulary, len(weight))
            own.borrowed = False
        return own

    def check_width(self, width: int) -> None:
        """Raises PairError where the embedding is not as wide as the states that a head reads beside it."""
        embedded = self._table.shape[-1]
        if embedded != width:
            raise PairError(
                f"The target's embedding is {embedded} wide and its states are {width}: a head that reads both needs one width. Choose another drafter."
            )

    def embed(self, ids: Tensor) -> Tensor:
        """The rows of the embedding for [...] ids: [..., width], without the factor that some models apply."""
        readable = ids.clamp(max=self._readable - 1) if self._readable < self.vocabulary else ids
        return functional.embedding(readable, self._table).to(self.dtype)

    def score(self, states: Tensor) -> Tensor:
        """Logits [..., V] of states [..., width] after the final normalisation; [..., K] with `tokens`.

        An id that the target lacks gets the lowest finite number, as in the target's own scores.
        """
        logits = self._rows(states.reshape(-1, states.shape[-1]))
        if self.tokens is None:
            logits = fit_vocabulary(logits, self._own_ids, self.vocabulary)
        return logits.view(*states.shape[:-1], logits.shape[-1])

    def full(self, logits: Tensor) -> Tensor:
        """Logits [..., K] of `tokens` as [..., V]: the other ids get the lowest finite number, so probability 0. Unchanged without `tokens`."""
        if self.tokens is None:
            return logits
        everything = logits.new_full((*logits.shape[:-1], self.vocabulary), torch.finfo(logits.dtype).min)
        return everything.index_copy_(-1, self.tokens, logits)


def _same(first: Tensor, second: Tensor) -> bool:
    """True if two tables have the same numbers: many heads come with a copy of the target's embedding."""
    return first.shape == second.shape and torch.equal(first, second.to(first.dtype))


def _every_row(model: PreTrainedModel) -> Rows:
    head = _head_of(model)
    if type(head) is nn.Linear:
        bias = None if head.bias is None else head.bias.detach()
        return _finished(model, Matrix(head.weight.detach(), bias))
    return _finished(model, head)


def _some_rows(model: PreTrainedModel, tokens: Tensor, *, packed: bool = False) -> Rows:
    """The rows of these ids, copied; of an output layer that is not an ordinary one, these columns of its result."""
    head = _head_of(model)
    if type(head) is not nn.Linear:
        every = _finished(model, head)
        return lambda states: every(states).index_select(-1, tokens)
    weight = head.weight.detach()[tokens].clone()
    bias = None if head.bias is None else head.bias.detach()[tokens].clone()
    return _finished(model, pack(weight, bias) if packed else Matrix(weight, bias))


def _head_of(model: PreTrainedModel) -> nn.Module:
    head = model.get_output_embeddings()
    if not isinstance(head, nn.Module) or isinstance(head, KeptHead):
        raise PairError(
            f"The output layer of {type(model).__name__} cannot be called from outside, and a trained head needs it: choose another drafter."
        )
    # The masked language models' output layers have a block of their own before the rows.
    wider = (
        child for child in model.children() if not isinstance(child, PreTrainedModel) and head in set(child.modules())
    )
    return next(wider, head)


def _finished(model: PreTrainedModel, rows: Rows) -> Rows:
    """`rows` with what models do to logits afterwards, each number by itself: a factor, then a cap.

    Which ones do is in the code of transformers' models. Whatever is missing here is found when the path is compared with the model's own
    pass (`specviz.models.checks.first_use.head_checks`).
    """
    config: Any = model.config.get_text_config(decoder=True)

    def factor_named(*names: str) -> float | None:
        values = (getattr(config, name, None) for name in names)
        return next((float(value) for value in values if isinstance(value, int | float) and value), None)

    factor = (factor_named("logit_scale", "lm_head_multiplier") or 1.0) / (factor_named("logits_scaling") or 1.0)
    cap = factor_named("final_logit_softcapping", "logits_soft_cap")
    if factor == 1 and cap is None:
        return rows

    def finished(states: Tensor) -> Tensor:
        logits = rows(states) * factor
        return logits if cap is None else capped(logits, cap)

    return finished
