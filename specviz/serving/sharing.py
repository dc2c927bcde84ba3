"""What the engines of one machine share: its cores, its GPUs, and the machine itself, by name. Standard library only."""

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

ENGINES_HERE = "SPECVIZ_ENGINES_HERE"
"""The environment variable that says to an engine how many share its machine's cores."""
GPUS = "CUDA_VISIBLE_DEVICES"
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_GPU = re.compile(r"^GPU \d+: .*\(UUID: (GPU-[0-9a-fA-F-]+)\)", re.MULTILINE)
_ASK_S = 10


def threads_of(usual: int, reserve: int, engines: int) -> int:
    """How many threads each of so many engines takes, where one alone would take `usual` and `reserve` cores are left free; at least one."""
    return max(1, (usual - reserve) // max(1, engines))


def engines_here(variables: Mapping[str, str] = os.environ) -> int:
    """How many engines share this machine's cores; 1 where nobody said so."""
    given = variables.get(ENGINES_HERE, "")
    return max(1, int(given)) if given.isascii() and given.isdecimal() else 1


def variables_of(index: int, engines: int, gpus: Sequence[str]) -> dict[str, str]:
    """The environment of one engine of several on this machine.

    Args:
        index: which one it is, from 0.
        gpus: those of this machine, see `gpus_here`. Where there are several, each engine sees one; where there are fewer than engines,
            they are dealt in turn, and some are shared.
    """
    if engines == 1:
        return {}
    return {ENGINES_HERE: str(engines)} | ({GPUS: gpus[index % len(gpus)]} if len(gpus) > 1 else {})


def gpus_here(variables: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """The GPUs that an engine may use, as `CUDA_VISIBLE_DEVICES` names them: those that the host's variable names, or all of the machine."""
    if GPUS in variables:
        return visible(variables[GPUS])
    program = shutil.which("nvidia-smi")
    if program is None:
        return ()
    try:
        listed = subprocess.run([program, "-L"], capture_output=True, text=True, timeout=_ASK_S, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(_GPU.findall(listed.stdout))


def visible(given: str) -> tuple[str, ...]:
    """The GPUs that a value of `CUDA_VISIBLE_DEVICES` names; CUDA ignores everything from the first that is none on."""
    found = []
    for name in (each.strip() for each in given.split(",")):
        if not name or name.startswith("-"):
            break
        found.append(name)
    return tuple(found)


def machine() -> str:
    """The name of this machine, the same for every process and every container on it."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except OSError:
        return socket.gethostname()
