"""Matrices packed once so that passes over a few tokens read them fast.

On x86 processors FBGEMM multiplies float32 activations by a matrix that is stored in blocks of half precision and widened as it is
read: half the memory traffic, and kernels made for few rows, six at a time. It is used only where half precision represents every weight exactly, as
for a checkpoint saved in bfloat16 (8 significant bits against 11); then the product is the float32 product. Processors without bfloat16
instructions multiply bfloat16 matrices dozens of times slower than float32 ones. There bfloat16 models use the same kernels, and the
steps between the products stay float32 too: rounding them would cost time without any gain.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from warnings import catch_warnings, simplefilter

import torch
from torch import Tensor
from torch.nn import functional

# Half the distance between half precision's smallest numbers. Weights below 6e-5 may differ by this much, a hundredth
# of the rounding error of a pass's float32 sums.
_SUBNORMAL = 2.0**-25
# Numbers in one packed block. Each block is widened to float32 before it is packed, so packing needs 64 MiB however
# large a matrix is.
_BLOCK = 2**24
BLOCK_BYTES = 4 * _BLOCK  # bytes that packing needs in addition to the matrix and its packed copy
_PIECE = 2**20  # numbers that `half_holds` compares at once
_LARGEST_WEIGHT, _LARGEST_STATE = 127, 63  # whole numbers in 8 and, with an offset, in 7 bits
_FINER = 2 * _LARGEST_STATE  # what rounding takes away is at most a half
_TINY = 1e-30  # the factor of a row of zeros


class Matrix:
    """A matrix [n, m] with an optional bias [n]; called with [rows, m] it returns [rows, n]."""

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        self._weight, self._bias = weight, bias

    def __call__(self, rows: Tensor) -> Tensor:
        return functional.linear(rows.to(self._weight.dtype), self._weight, self._bias).to(rows.dtype)


class _PackedMatrix(Matrix):
    """A float32 or bfloat16 matrix in one of FBGEMM's layouts, block by block.

    Args:
        parts: matrices [n_i, m] that are stacked. This matrix is a copy: it does not need them any more.
        bias: [n], where n is the sum of all n_i.
    """

    def __init__(self, parts: Sequence[Tensor], bias: Tensor | None = None) -> None:
        end = 0
        self._bias = None if bias is None else bias.to(torch.float32, copy=True)
        self._blocks: list[Any] = []
        for rows in _blocks_of(parts):
            begin, end = end, end + rows.shape[0]
            self._blocks.append(self._block(rows, None if self._bias is None else self._bias[begin:end]))

    def __call__(self, rows: Tensor) -> Tensor:
        products = self._products(rows.float())
        return (products[0] if len(products) == 1 else torch.cat(products, dim=-1)).to(rows.dtype)

    def _block(self, rows: Tensor, bias: Tensor | None) -> Any:
        """Some rows of the matrix with their bias, in FBGEMM's own layout."""
        raise NotImplementedError

    def _products(self, rows: Tensor) -> list[Tensor]:
        raise NotImplementedError


class HalfMatrix(_PackedMatrix):
    """A float32 or bfloat16 matrix stored in half precision without loss; see `half_holds`."""

    def _block(self, rows: Tensor, bias: Tensor | None) -> Any:
        return torch.ops.quantized.linear_prepack_fp16(rows, bias)

    def _products(self, rows: Tensor) -> list[Tensor]:
        return [torch.ops.quantized.linear_dynamic_fp16(rows, block) for block in self._blocks]


class EightBitMatrix(_PackedMatrix):
    """A matrix of whole numbers in 8 bits with a factor for each row; it represents the weights only roughly, so it serves a draft.

    Each row of states is scaled by its largest number and becomes two rows of whole numbers in 7 bits, the second one for what the first one
    rounds away: few large numbers in a row of states would leave no digits to the others. Both are multiplied while the weights are read once.
    They have 7 bits because processors without the VNNI instructions add pairs of products in 16 bits, where products of 8 bits overflow.
    Sums of whole numbers are exact, so that the product of a row does not depend on the rows beside it.
    """

    def _block(self, rows: Tensor, bias: Tensor | None) -> Any:
        factors = (rows.abs().amax(dim=-1) / _LARGEST_WEIGHT).clamp_min(_TINY).double()
        zeros = torch.zeros_like(factors, dtype=torch.int64)
        with catch_warnings():
            simplefilter("ignore", UserWarning)  # torch announces that such tensors will be made in another way
            whole = torch.quantize_per_channel(rows, factors, zeros, 0, torch.qint8)
        return torch.ops.quantized.linear_prepack(whole, None), bias

    def _products(self, rows: Tensor) -> list[Tensor]:
        count = rows.shape[0]
        factors = torch.linalg.vector_norm(rows, torch.inf, dim=-1, keepdim=True).clamp_min_(_TINY).div_(_LARGEST_STATE)
        both = rows.new_empty(2 * count, rows.shape[1])
        scaled = torch.div(rows, factors, out=both[:count])  # the product rounds it
        torch.sub(scaled, scaled.round(), out=both[count:]).mul_(_FINER)
        product = torch.ops.quantized.linear_with_input_q_dq_qweight_dq_output_fp32
        products = []
        for block, bias in self._blocks:
            joined = product(both, 1.0, _LARGEST_STATE + 1, block)
            outputs = torch.add(joined[:count], joined[count:], alpha=1 / _FINER).mul_(factors)
            products.append(outputs if bias is None else outputs.add_(bias))
        return products


def narrow(weight: Tensor) -> Tensor:
    """These numbers in 16 bits if that loses nothing, as for a checkpoint saved in bfloat16; else the tensor itself.

    Only float32 tensors on the CPU are converted, for tables whose rows are read and widened again.
    """
    if weight.dtype != torch.float32 or weight.device.type != "cpu":
        return weight
    for dtype in (torch.bfloat16, torch.float16):
        if all(torch.equal(piece.to(dtype).float(), piece) for piece in _pieces(weight)):
            return weight.to(dtype)
    return weight


def arithmetic_of(weights: torch.dtype, device: torch.device) -> torch.dtype:
    """The number format to compute in for weights of this format: the same one, except float32 for bfloat16 weights on a processor
    that only emulates bfloat16. There these kernels widen the weights as they read them."""
    emulated = weights == torch.bfloat16 and device.type == "cpu" and half_is_fast() and not _multiplies_bfloat16()
    return torch.float32 if emulated else weights


def half_is_fast() -> bool:
    """True if this machine and this torch have FBGEMM's kernels."""
    return "fbgemm" in torch.backends.quantized.supported_engines and hasattr(
        torch.ops.quantized, "linear_dynamic_fp16"
    )


def why_not_half(dtype: torch.dtype, device: torch.device) -> str:
    """A sentence for the pair card where passes of such a model would be faster with kernels that this machine lacks; else ""."""
    if device.type != "cpu" or dtype != torch.float32 or half_is_fast():
        return ""
    return (
        "This machine lacks the kernels that read weights in half precision (FBGEMM, x86 processors with AVX2): matrices stay in float32, and a "
        "pass takes longer."
    )


def packs(dtype: torch.dtype, device: torch.device) -> bool:
    """True if matrices of this format are packed on this machine if half precision represents them.

    Only matrices on the CPU are: float32 ones, and bfloat16 ones where the processor only emulates bfloat16.
    """
    slow = dtype == torch.float32 or (dtype == torch.bfloat16 and not _multiplies_bfloat16())
    return device.type == "cpu" and slow and half_is_fast()


def packed_bytes(outputs: int, inputs: int) -> int:
    """Bytes of a packed matrix: FBGEMM pads the outputs to a multiple of 16 and the inputs to one of 512."""
    return 2 * (-(-outputs // 16) * 16) * (-(-inputs // 512) * 512)


def half_holds(weight: Tensor) -> bool:
    """True if this matrix should be packed (`packs`), and half precision represents it exactly (subnormal numbers within `_SUBNORMAL`)."""
    if not packs(weight.dtype, weight.device):
        return False
    return all(_half_represents(piece.float()) for piece in _pieces(weight))


def _multiplies_bfloat16() -> bool:
    return bool(torch.cpu._is_avx512_bf16_supported())


def _half_represents(weight: Tensor) -> bool:
    narrow = weight.half().float()
    equal = torch.equal(narrow, weight) and bool(narrow.isfinite().all())  # an infinite number equals itself
    return equal or bool(((narrow - weight).abs() <= _slack(weight)).all())


def _slack(weight: Tensor) -> Tensor:
    """The allowed error of each number: 0, or `_SUBNORMAL` below half precision's normal range."""
    return torch.where(weight.abs() < torch.finfo(torch.float16).tiny, _SUBNORMAL, 0.0)


def _pieces(weight: Tensor) -> Iterable[Tensor]:
    """The matrix in slices of a few rows, so that comparing it needs little memory."""
    pieces: tuple[Tensor, ...] = torch.split(weight, max(1, _PIECE // weight.shape[1]))
    return pieces


def _blocks_of(parts: Sequence[Tensor]) -> Iterator[Tensor]:
    """The rows of these matrices in float32: all in one block if it is small, else part by part in blocks of limited size."""
    if sum(part.numel() for part in parts) <= _BLOCK:
        yield (torch.cat(list(parts)) if len(parts) > 1 else parts[0]).float().contiguous()
        return
    for part in parts:
        for rows in torch.split(part, max(1, _BLOCK // part.shape[1])):
            yield rows.float().contiguous()
