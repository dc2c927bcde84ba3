"""What the machine itself can do, measured: how fast it reads its memory, and how fast it multiplies. With torch's threads of the moment."""

from collections.abc import Callable
from pathlib import Path

import torch

from specviz.models.devices import memory_free

_LEAST, _MOST = 2**28, 2**30
"""Bytes of the buffer that is read: larger than caches are, and not so large that others miss the memory."""
_SIDE_CPU, _SIDE_CUDA = 1024, 8192
"""Rows and columns of the matrices that are multiplied."""


def cache_bytes(device: torch.device) -> int | None:
    """Size of the last cache before the memory; None where the system does not report it."""
    if device.type == "cuda":
        return int(torch.cuda.get_device_properties(device).L2_cache_size) or None
    sizes = [_size(path) for path in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size")]
    return max(sizes, default=0) or None


def stream_bytes(device: torch.device) -> int:
    """Bytes of a buffer that is read from memory, not from a cache: at least twice the last cache where there is room for it."""
    wanted = min(max(_LEAST, 2 * (cache_bytes(device) or 0)), _MOST)
    return max(2**24, min(wanted, memory_free(device) // 4))


def stream(device: torch.device, size: int) -> Callable[[], object]:
    """What reads a buffer of so many bytes once, from its beginning to its end."""
    buffer = torch.ones(size // 4, device=device)
    return lambda: torch.dot(buffer, buffer)


def product(device: torch.device, dtype: torch.dtype) -> tuple[Callable[[], object], int]:
    """What multiplies two large matrices of this format, and its additions and multiplications."""
    side = _SIDE_CUDA if device.type == "cuda" else _SIDE_CPU
    left, right = (torch.rand(side, side, device=device).sub(0.5).to(dtype) for _ in range(2))
    return (lambda: left @ right), 2 * side**3


def _size(path: Path) -> int:
    """ "512K" in bytes; 0 where it cannot be read."""
    try:
        text = path.read_text().strip()
        return int(text.removesuffix("K").removesuffix("M")) * {"K": 2**10, "M": 2**20}.get(text[-1:], 1)
    except (OSError, ValueError):
        return 0
