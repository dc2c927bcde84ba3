"""The machine that figures were measured on."""

import os
import platform
from dataclasses import dataclass

import psutil
import torch
import transformers

from specviz.models.devices import processor_name
from specviz.models.limits import core_count, memory_total


@dataclass(frozen=True, slots=True)
class Machine:
    """The conditions of measured figures: processor, cores, torch's threads, device, versions.

    `cores` counts physical cores where the system reports them, else logical ones.
    """

    cpu: str
    cores: int
    threads: int
    memory_bytes: int
    device: str
    device_name: str
    system: str
    python: str
    torch: str
    transformers: str

    @property
    def words(self) -> str:
        """The machine in a few words: device, threads, version of torch."""
        cores = "" if self.device.startswith("cuda") else f" with {self.cores} core{'s' * (self.cores > 1)}"
        return f"{self.device_name}{cores}, {self.threads} thread{'s' * (self.threads > 1)}, torch {self.torch}"


def this_machine(device: torch.device) -> Machine:
    """The machine that this process runs on."""
    cpu = processor_name()
    return Machine(
        cpu=cpu,
        cores=max(1, min(psutil.cpu_count(logical=False) or os.cpu_count() or 1, round(core_count()))),
        threads=torch.get_num_threads(),
        memory_bytes=memory_total(),
        device=str(device),
        device_name=torch.cuda.get_device_name(device) if device.type == "cuda" else cpu,
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        torch=torch.__version__,
        transformers=transformers.__version__,
    )
