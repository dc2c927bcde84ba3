"""Which device and which number format, and how much memory there is."""

import json
import os
import platform
from pathlib import Path
from time import perf_counter

import psutil
import torch

from specviz.errors import DeviceError
from specviz.models.networks.packing import pack

_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16, "float64": torch.float64}
DTYPES = ("auto", *_DTYPES)
_ENOUGH_S = 0.4


def pick_device(asked: str = "auto") -> torch.device:
    """`auto` is CUDA where there is one, else the CPU.

    Raises:
        DeviceError: the device asked for is unknown or not here.
    """
    if asked == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(asked)
    except RuntimeError:
        device = None
    if device is None or device.type not in ("cpu", "cuda"):
        raise DeviceError(f"The device was {asked!r}: give auto, cpu, cuda or cuda:N.")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise DeviceError(
            f"The device was {asked!r}, but this machine has {torch.cuda.device_count()} CUDA devices: use cpu."
        )
    return device


def pick_dtype(asked: str, device: torch.device) -> torch.dtype:
    """`auto` is bfloat16 on CUDA, and on the CPU the faster of float32 and bfloat16 on this machine.

    Raises:
        DeviceError: the format asked for is unknown.
    """
    if asked not in DTYPES:
        raise DeviceError(f"The dtype was {asked!r}: give one of {', '.join(DTYPES)}.")
    if asked != "auto":
        return _DTYPES[asked]
    return torch.bfloat16 if device.type == "cuda" else _DTYPES[_faster_on_cpu()]


def dtype_name(dtype: torch.dtype) -> str:
    """`torch.float32` as "float32"."""
    return str(dtype).removeprefix("torch.")


def memory_free(device: torch.device) -> int:
    """Bytes that a load could take now."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    return int(psutil.virtual_memory().available)


def memory_of_all_gpus() -> int:
    """Bytes that a load spread over all GPUs could take now; 0 without one."""
    return sum(int(torch.cuda.mem_get_info(index)[0]) for index in range(torch.cuda.device_count()))


def out_of_memory(error: BaseException) -> bool:
    """Whether this is how a machine says that its memory is used up; the CPU's allocator has no error of its own."""
    return isinstance(error, MemoryError | torch.OutOfMemoryError) or (
        isinstance(error, RuntimeError) and "can't allocate memory" in str(error)
    )


def device_lost(error: BaseException) -> bool:
    """Whether this is a failure of the device itself, after which nothing in this process can use it."""
    return isinstance(error, torch.AcceleratorError) and not out_of_memory(error)


def notes_file() -> Path:
    """Where what was measured once about this machine is kept (SPECVIZ_CACHE moves it)."""
    base = (
        os.environ.get("SPECVIZ_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "specviz"
    )
    return Path(base) / "machine.json"


def _faster_on_cpu() -> str:
    """Measured at the first call on a machine, remembered for the next ones."""
    machine = f"{platform.processor() or platform.machine()}/{os.cpu_count()}/{torch.__version__}/packed"
    path = notes_file()
    try:
        notes = json.loads(path.read_text())
        if notes.get("machine") == machine and notes.get("cpu_dtype") in ("float32", "bfloat16"):
            return str(notes["cpu_dtype"])
    except (OSError, ValueError, AttributeError, RecursionError):
        pass  # no notes, or damaged ones
    faster = min(("float32", "bfloat16"), key=lambda name: _pass_seconds(_DTYPES[name]))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"machine": machine, "cpu_dtype": faster}))
    except OSError:
        pass  # a read-only home only means measuring again next time
    return faster


def _pass_seconds(dtype: torch.dtype, width: int = 512, layers: int = 16, repeats: int = 15) -> float:
    """Median seconds of one decoding-like pass (one token, then six) through a stack of matrices, laid out as models lay them out."""
    with torch.inference_mode():
        # What checkpoints hold was mostly saved in bfloat16.
        weights = [torch.randn(4 * width, width).div(width).bfloat16().to(dtype) for _ in range(layers)]
        stack = [(pack(weight), pack(weight.t())) for weight in weights]
        times = []
        for _ in range(repeats):
            began = perf_counter()
            for tokens in (1, 6):
                state = torch.ones(tokens, width, dtype=dtype)
                for up, down in stack:
                    state = down(up(state))
            times.append(perf_counter() - began)
            if sum(times) > _ENOUGH_S:
                break  # a format that is so slow need not be known better
    return sorted(times)[len(times) // 2]
