"""Matrices packed once so that passes over a few tokens read them fast.

On x86 processors FBGEMM multiplies float32 activations by a matrix that is stored in blocks of half precision and widened as it is
read: half the memory traffic, and kernels made for few rows. It is used only where half precision represents every weight exactly, as
for a checkpoint saved in bfloat16 (8 significant bits against 11); then the product is the float32 product. Processors without bfloat16
instructions multiply bfloat16 matrices dozens of times slower than float32 ones. There bfloat16 models use the same kernels, and the
steps between the products stay float32 too: rounding them would cost time without any gain.
"""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor
from torch.nn import functional

SUBNORMAL = 2.0**-25
"""Half the distance between half precision's smallest numbers. Weights below 6e-5 may differ by this much, a hundredth of the
rounding error of a pass's float32 sums."""


class Matrix:
    """A matrix [n, m] with an optional bias [n]; called with [rows, m] it returns [rows, n]."""

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        self._weight, self._bias = weight, bias

    def __call__(self, rows: Tensor) -> Tensor:
        return functional.linear(rows.to(self._weight.dtype), self._weight, self._bias).to(rows.dtype)


class HalfMatrix(Matrix):
    """A float32 or bfloat16 matrix stored in half precision without loss; see `half_holds`."""

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        with _quiet():
            self._packed = torch.ops._quantized.wrapped_fbgemm_pack_gemm_matrix_fp16(weight.float().contiguous())
            self._outputs = weight.shape[0]
            self._bias = (bias if bias is not None else weight.new_zeros(self._outputs)).float()
            self(weight[:1])

    def __call__(self, rows: Tensor) -> Tensor:
        product: Tensor = torch.ops._quantized.wrapped_fbgemm_linear_fp16_weight(
            rows.float(), self._packed, self._bias, self._outputs
        )
        return product.to(rows.dtype)


def pack(weight: Tensor, bias: Tensor | None = None) -> Matrix:
    """The fastest layout that represents this matrix exactly."""
    return HalfMatrix(weight, bias) if half_is_fast() and half_holds(weight) else Matrix(weight, bias)


def arithmetic_of(weights: torch.dtype, device: torch.device) -> torch.dtype:
    """The number format to compute in for weights of this format: the same one, except float32 for bfloat16 weights on a processor
    that only emulates bfloat16. There these kernels widen the weights as they read them."""
    emulated = weights == torch.bfloat16 and device.type == "cpu" and half_is_fast() and not _multiplies_bfloat16()
    return torch.float32 if emulated else weights


def half_is_fast() -> bool:
    """Whether this machine and this torch have FBGEMM's kernels."""
    return "fbgemm" in torch.backends.quantized.supported_engines and hasattr(
        torch.ops._quantized, "wrapped_fbgemm_linear_fp16_weight"
    )


def half_holds(weight: Tensor) -> bool:
    """Whether this matrix should be packed, and half precision represents it exactly (subnormal numbers within `SUBNORMAL`).

    Only matrices on the CPU are packed: float32 ones, and bfloat16 ones where the processor only emulates bfloat16.
    """
    slow = weight.dtype == torch.float32 or (weight.dtype == torch.bfloat16 and not _multiplies_bfloat16())
    if weight.device.type != "cpu" or not slow:
        return False
    wide = weight.float()
    return bool(((wide.half().float() - wide).abs() <= _slack(wide)).all())


def _multiplies_bfloat16() -> bool:
    """Whether this processor has bfloat16 instructions."""
    return bool(torch.cpu._is_avx512_bf16_supported())


def _slack(weight: Tensor) -> Tensor:
    """The allowed error of each number: 0, or `SUBNORMAL` below half precision's normal range."""
    return torch.where(weight.abs() < torch.finfo(torch.float16).tiny, SUBNORMAL, 0.0)


@contextmanager
def _quiet() -> Iterator[None]:
    """Hide torch's one-time warning that these kernels will be removed. torch is pinned, and `pack` checks that they exist."""
    sys.stderr.flush()
    saved_stderr = os.dup(2)
    try:
        with open(os.devnull, "w") as nowhere, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            os.dup2(nowhere.fileno(), 2)
            yield
    finally:
        os.dup2(saved_stderr, 2)
        os.close(saved_stderr)
