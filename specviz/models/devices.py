"""Choice of device and number format, and how much memory is free."""

import json
import os
import platform
from pathlib import Path
from time import perf_counter

import psutil
import torch

from specviz.errors import DeviceError, PairError
from specviz.folders import cache_folder
from specviz.models.networks.packing import pack

_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16, "float64": torch.float64}
DTYPES = ("auto", *_DTYPES)
_TIME_LIMIT_S = 0.4


def pick_device(requested: str = "auto") -> torch.device:
    """`auto` is CUDA where it is available, else the CPU.

    Raises:
        DeviceError: the device is unknown, or this machine does not have it.
    """
    if requested == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(requested)
    except RuntimeError:
        device = None
    if device is None or device.type not in ("cpu", "cuda"):
        raise DeviceError(f"The device was {requested!r}: give auto, cpu, cuda or cuda:N.")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise DeviceError(
            f"The device was {requested!r}, but this machine has {torch.cuda.device_count()} CUDA devices: use cpu."
        )
    return device


def pick_dtype(requested: str, device: torch.device) -> torch.dtype:
    """`auto` is bfloat16 on a GPU that computes in it, else float16 or, on the oldest, float32; on the CPU it is whichever of float32 and bfloat16 is faster on this machine.

    Raises:
        DeviceError: the format is unknown.
    """
    if requested not in DTYPES:
        raise DeviceError(f"The dtype was {requested!r}: give one of {', '.join(DTYPES)}.")
    if requested != "auto":
        return _DTYPES[requested]
    return _format_of_gpu(device) if device.type == "cuda" else _DTYPES[_faster_on_cpu()]


def _format_of_gpu(device: torch.device) -> torch.dtype:
    """GPUs before compute capability 8 only imitate bfloat16, slowly; those before 7 have no fast half precision at all."""
    generation = 8 if torch.version.hip else torch.cuda.get_device_properties(device).major
    return torch.bfloat16 if generation >= 8 else torch.float16 if generation == 7 else torch.float32


def dtype_name(dtype: torch.dtype) -> str:
    """`torch.float32` as "float32"."""
    return str(dtype).removeprefix("torch.")


def processor_name() -> str:
    """The processor's model name where the system reports one."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return named or platform.processor() or platform.machine()


def memory_free(device: torch.device) -> int:
    """Bytes that a model could use now."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    return int(psutil.virtual_memory().available)


def memory_of_all_gpus() -> int:
    """Bytes that a model spread over all GPUs could use now; 0 without a GPU."""
    return sum(int(torch.cuda.mem_get_info(index)[0]) for index in range(torch.cuda.device_count()))


def check_separable(model: torch.nn.Module) -> None:
    """Refuse to run only some of the layers of a model that accelerate has spread over devices. It has bound every module's `forward` to
    that very module, so a copy with fewer layers would run all of them.

    Raises:
        PairError: accelerate's hooks are attached.
    """
    if any("_hf_hook" in vars(module) for module in model.modules()):
        raise PairError(
            f"{type(model).__name__} is spread over several devices, so its layers cannot be run separately: use a drafter other than "
            "early exit and layer skip, or a smaller pair that fits on one device."
        )


def out_of_memory(error: BaseException) -> bool:
    """Whether this error means that memory ran out. The CPU's allocator raises a plain RuntimeError."""
    return isinstance(error, MemoryError | torch.OutOfMemoryError) or (
        isinstance(error, RuntimeError) and "can't allocate memory" in str(error)
    )


def device_lost(error: BaseException) -> bool:
    """Whether the device itself failed, so that this process cannot use it any more."""
    return isinstance(error, torch.AcceleratorError) and not out_of_memory(error)


def notes_file() -> Path:
    """The file that caches what was measured about this machine (SPECVIZ_CACHE sets its folder)."""
    return cache_folder() / "machine.json"


def _faster_on_cpu() -> str:
    """The faster of float32 and bfloat16: measured at the first call on a machine, then read from the notes file."""
    machine = f"{platform.processor() or platform.machine()}/{os.cpu_count()}/{torch.__version__}/packed"
    path = notes_file()
    try:
        notes = json.loads(path.read_text())
        if notes.get("machine") == machine and notes.get("cpu_dtype") in ("float32", "bfloat16"):
            return str(notes["cpu_dtype"])
    except (OSError, ValueError, AttributeError, RecursionError):
        pass  # the file is missing or damaged
    faster = min(("float32", "bfloat16"), key=lambda name: _pass_seconds(_DTYPES[name]))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"machine": machine, "cpu_dtype": faster}))
    except OSError:
        pass  # a read-only home only means that the next process measures again
    return faster


def _pass_seconds(dtype: torch.dtype, width: int = 512, layers: int = 16, repeats: int = 15) -> float:
    """Median seconds of passes over one token and over six through a stack of matrices, packed as models pack them."""
    with torch.inference_mode():
        # Most checkpoints were saved in bfloat16, so the weights are rounded to it first.
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
            if sum(times) > _TIME_LIMIT_S:
                break  # a format this slow does not need a more exact time
    return sorted(times)[len(times) // 2]
