"""Matrices laid out once so that passes over a few tokens read them fast.

On x86 processors FBGEMM multiplies float32 activations by a matrix that is kept in blocks of half precision and widened as it is read:
half the memory traffic, and kernels made for few rows. It is used only where half precision holds the very same numbers, as it does
for the weights of a checkpoint saved in bfloat16 (8 significant bits against 11): then the product is the float32 product. Processors
without bfloat16 instructions multiply bfloat16 matrices dozens of times slower than float32 ones; there the same kernels serve
bfloat16 models, and what is between the products stays float32 too: rounding it would cost time and make nothing better.
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
"""Half the distance between half precision's smallest numbers. Weights below 6e-5 may be off by this much, a hundredth of what
float32 sums of a pass round away."""


class Matrix:
    """A [n, m] matrix and perhaps a bias [n]; called with [rows, m] it gives [rows, n]."""

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        self._weight, self._bias = weight, bias

    def __call__(self, rows: Tensor) -> Tensor:
        return functional.linear(rows.to(self._weight.dtype), self._weight, self._bias).to(rows.dtype)


class HalfMatrix(Matrix):
    """A float32 or bfloat16 matrix kept in half precision without loss; see `half_holds`."""

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
    """The fastest layout of this matrix that keeps its numbers."""
    return HalfMatrix(weight, bias) if half_is_fast() and half_holds(weight) else Matrix(weight, bias)


def arithmetic_of(weights: torch.dtype, device: torch.device) -> torch.dtype:
    """The format that passes over weights of this format best compute in: their own, but float32 for bfloat16 ones on a processor
    that can only imitate it, where these kernels widen the weights as they read them."""
    imitated = weights == torch.bfloat16 and device.type == "cpu" and half_is_fast() and not _multiplies_bfloat16()
    return torch.float32 if imitated else weights


def half_is_fast() -> bool:
    """Whether this machine and this torch have FBGEMM's kernels."""
    return "fbgemm" in torch.backends.quantized.supported_engines and hasattr(
        torch.ops._quantized, "wrapped_fbgemm_linear_fp16_weight"
    )


def half_holds(weight: Tensor) -> bool:
    """Whether half precision keeps the numbers of this matrix on the CPU (subnormal ones to within `SUBNORMAL`), and should."""
    wanted = weight.dtype == torch.float32 or (weight.dtype == torch.bfloat16 and not _multiplies_bfloat16())
    if weight.device.type != "cpu" or not wanted:
        return False
    wide = weight.float()
    return bool(((wide.half().float() - wide).abs() <= _slack(wide)).all())


def _multiplies_bfloat16() -> bool:
    """Whether this processor has instructions for it."""
    return bool(torch.cpu._is_avx512_bf16_supported())


def _slack(weight: Tensor) -> Tensor:
    """What may be lost of each number: nothing, or `SUBNORMAL` below half precision's normal range."""
    return torch.where(weight.abs() < torch.finfo(torch.float16).tiny, SUBNORMAL, 0.0)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep off the screen what torch says once about these kernels leaving some day; torch is pinned, and `pack` looks for them."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with open(os.devnull, "w") as nowhere, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            os.dup2(nowhere.fileno(), 2)
            yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
