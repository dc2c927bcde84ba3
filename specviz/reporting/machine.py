"""The machine that figures were measured on, in words."""

import os

import psutil
import torch

from specviz.models.devices import processor_name
from specviz.models.limits import core_count


def cores_words() -> str:
    """The cores that this process may use: physical ones where the system reports them, else logical ones."""
    cores = max(1, min(psutil.cpu_count(logical=False) or os.cpu_count() or 1, round(core_count())))
    return f"{cores} core{'s' * (cores > 1)}"


def machine_words(device: torch.device) -> str:
    """The machine in a few words: device, threads, version of torch."""
    threads = torch.get_num_threads()
    on = torch.cuda.get_device_name(device) if device.type == "cuda" else f"{processor_name()} with {cores_words()}"
    return f"{on}, {threads} thread{'s' * (threads > 1)}, torch {torch.__version__}"
