"""A head's laws beside the target's, for losses. Both are as long as the vocabulary, and on a processor every pass over them costs as much as the
multiplication that made them: so they are read in parts that stay in its cache, and the gradient is written down instead of derived step by step.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

_PART = {"cpu": 2**17}
"""Numbers of each operand that are read at once: half a megabyte."""
_LARGE_PART = 2**26


@dataclass(frozen=True, slots=True)
class Laws:
    """What the target would write at some positions.

    Attributes:
        p: [laws, scores] float32 probabilities.
        negative_entropy: [laws] the sum of p log p.
        best: [laws] the likeliest column.
    """

    p: Tensor
    negative_entropy: Tensor
    best: Tensor

    @classmethod
    @torch.no_grad()
    def of(cls, scores: Tensor) -> Self:
        """From the target's scores [laws, scores]."""
        p = torch.empty_like(scores, dtype=torch.float32)
        found = scores.new_empty(len(scores), dtype=torch.float32), scores.new_empty(len(scores), dtype=torch.int64)
        for part in _parts(p):
            shifted, best, total = _softmax(scores[part], None, p[part])
            found[0][part] = torch.linalg.vecdot(p[part], shifted) - total
            found[1][part] = best
        return cls(p, *found)


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a head's law q of each label compares with the target's, p. All are [labels].

    Attributes:
        divergence: KL(p || q), with a gradient.
        apart: the sum of |p - q|, which is 2 - 2 alpha, with a gradient.
        logs: log q of the given column, with a gradient.
        hits: whether that column is the likeliest of q.
    """

    divergence: Tensor
    apart: Tensor
    logs: Tensor
    hits: Tensor


def compared(scores: Tensor, laws: Laws, which: Tensor, columns: Tensor, bias: Tensor | None = None) -> Comparison:
    """Compare the head's scores of some labels with laws of the target.

    Args:
        scores: [labels, scores].
        which: [labels] the index of each label's law.
        columns: [labels] a column of each, such as that of the token that was written.
        bias: [labels, scores] to be added to the scores.
    """
    divergence, apart, logs, best = _Compare.apply(  # type: ignore[no-untyped-call]  # torch has no types for it
        scores, bias, laws.p, laws.negative_entropy, which, columns
    )
    return Comparison(divergence, apart, logs, best == columns)


class _Compare(torch.autograd.Function):
    """The forward pass keeps q; the backward pass, of which there may be one, writes the gradient over it."""

    @staticmethod
    def forward(
        ctx: Any,
        scores: Tensor,
        bias: Tensor | None,
        p: Tensor,
        negative_entropy: Tensor,
        which: Tensor,
        columns: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        q = torch.empty_like(scores, dtype=torch.float32)
        divergence, apart, logs = q.new_empty(3, len(q)).unbind()
        best = torch.empty_like(which)
        for part in _parts(q):
            there = p[which[part]]
            shifted, best[part], total = _softmax(scores[part], None if bias is None else bias[part], q[part])
            divergence[part] = negative_entropy[which[part]] + total - torch.linalg.vecdot(there, shifted)
            apart[part] = torch.linalg.vector_norm(there.sub_(q[part]), 1, dim=-1)
            logs[part] = shifted.gather(-1, columns[part, None])[:, 0] - total
        ctx.q, ctx.formats = q, (scores.dtype, None if bias is None else bias.dtype)
        ctx.save_for_backward(p, which, columns)
        ctx.mark_non_differentiable(best)
        ctx.set_materialize_grads(False)
        return divergence, apart, logs, best

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, divergence: Tensor | None, apart: Tensor | None, logs: Tensor | None, best: None
    ) -> tuple[Tensor | None, ...]:
        q, ctx.q = ctx.q, None
        assert q is not None, "the gradient was written over q"
        p, which, columns = ctx.saved_tensors
        common = torch.zeros_like(q[:, :1])
        if divergence is not None:
            common += divergence[:, None]
        if logs is not None:
            common -= logs[:, None]
        for part in _parts(q):
            here = q[part]
            there = None if divergence is None and apart is None else p[which[part]]
            factor = common[part]
            if there is not None and apart is not None:
                sign = (here - there).sign_()
                factor = sign.sub_(torch.linalg.vecdot(here, sign)[:, None]).mul_(apart[part, None]).add_(factor)
            here.mul_(factor)
            if there is not None and divergence is not None:
                here.addcmul_(there, divergence[part, None], value=-1)
            if logs is not None:
                here.scatter_add_(-1, columns[part, None], logs[part, None])
        first, second = ctx.formats
        return q.to(first), None if second is None else q.to(second), None, None, None, None


def _softmax(scores: Tensor, bias: Tensor | None, into: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Writes the softmax of [n, scores] there. Returns the scores less the largest of each row, its column, and the logarithm of the sum of
    their exponentials."""
    given = scores.float() if bias is None else scores + bias.float()
    largest, best = given.max(dim=-1, keepdim=True)
    shifted = given - largest
    torch.softmax(shifted, -1, out=into)
    return shifted, best[:, 0], -into.gather(-1, best)[:, 0].log()


def _parts(values: Tensor) -> Iterator[slice]:
    """The rows of [n, scores] in parts."""
    step = max(1, _PART.get(values.device.type, _LARGE_PART) // max(1, values.shape[-1]))
    return (slice(at, at + step) for at in range(0, len(values), step))
