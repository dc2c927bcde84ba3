"""Choice of device, how much memory is free, and the machine in words."""

import os
import platform
from pathlib import Path

import psutil
import torch

from specviz.errors import DeviceError
from specviz.models import limits
from specviz.models.limits import core_count


def pick_device(requested: str = "auto") -> torch.device:
    """`auto` is CUDA where it is available, else the CPU. Raises DeviceError if the device is unknown, or this machine
    does not have it."""
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


def processor_name() -> str:
    """The processor's model name where the system reports one."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return name or platform.processor() or platform.machine()


def memory_free(device: torch.device) -> int:
    """Bytes that a model could use now."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0])
    return limits.memory_available()


def memory_of_all_gpus() -> int:
    """Bytes that a model spread over all GPUs could use now; 0 without a GPU."""
    return sum(int(torch.cuda.mem_get_info(index)[0]) for index in range(torch.cuda.device_count()))


def out_of_memory(error: BaseException) -> bool:
    """True if this error means that memory ran out. The CPU's allocator raises a plain RuntimeError."""
    return isinstance(error, MemoryError | torch.OutOfMemoryError) or (
        isinstance(error, RuntimeError) and "can't allocate memory" in str(error)
    )


def device_lost(error: BaseException) -> bool:
    """True if the device itself failed, so that this process cannot use it any more."""
    return isinstance(error, torch.AcceleratorError) and not out_of_memory(error)


def cores_words() -> str:
    """The cores that this process may use: physical ones where the system reports them, else logical ones."""
    cores = max(1, min(psutil.cpu_count(logical=False) or os.cpu_count() or 1, round(core_count())))
    return f"{cores} core{'s' * (cores > 1)}"


def machine_words(device: torch.device) -> str:
    """The machine in a few words: device, threads, version of torch."""
    threads = torch.get_num_threads()
    on = torch.cuda.get_device_name(device) if device.type == "cuda" else f"{processor_name()} with {cores_words()}"
    return f"{on}, {threads} thread{'s' * (threads > 1)}, torch {torch.__version__}"
