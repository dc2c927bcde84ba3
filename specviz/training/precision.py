"""The number format of matrix multiplications while a network learns or writes."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn

from specviz.models.number_format import pick_dtype


def fast_precision(device: torch.device) -> torch.dtype:
    """bfloat16 where it is faster, else float32.

    It is faster on GPUs and on processors with AVX-512. On other processors torch has no vectorised bfloat16 multiplication: with AVX2 it
    reached 1.8 GFLOP/s, float32 120.
    """
    fast = device.type == "cuda" or torch.backends.cpu.get_cpu_capability().startswith("AVX512")
    return torch.bfloat16 if fast else torch.float32


def own_precision(asked: str, device: torch.device) -> torch.dtype:
    """The number format in which a target writes: what was asked for; for "auto" on a CPU the one that is fastest there."""
    return fast_precision(device) if asked == "auto" and device.type == "cpu" else pick_dtype(asked, device)


@contextmanager
def wide_norms(head: nn.Module) -> Iterator[None]:
    """Normalise in the format of the norms' weights: where products are in bfloat16, torch would warn and do so slowly."""
    handles = [
        each.register_forward_pre_hook(lambda norm, given: (given[0].to(norm.weight.dtype),))
        for each in head.modules()
        if isinstance(each, nn.RMSNorm) and each.weight is not None
    ]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()
