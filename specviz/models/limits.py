"""What this process may use of the machine: cores and memory, within the limits of its container (control groups of both versions)."""

import os
from collections.abc import Iterator
from pathlib import Path

import psutil

_ROOT = Path("/sys/fs/cgroup")
_OWN = Path("/proc/self/cgroup")


def cores() -> set[int]:
    """The logical cores that this process may run on."""
    affinity = getattr(os, "sched_getaffinity", None)
    return set(affinity(0)) if affinity else set(range(os.cpu_count() or 1))


def core_count() -> float:
    """How many cores' time this process may use: those it may run on, or less by a container's quota."""
    return min([float(len(cores())), *(quota for quota, _ in _quotas())])


def quota_used_s() -> float | None:
    """Seconds of all cores that were used so far under the smallest quota, by all processes to which it applies; None where no quota is
    smaller than the cores are many."""
    quota, group = min(_quotas(), default=(float(len(cores())), None))
    if group is None or quota >= len(cores()):
        return None
    stat = _read(group / "cpu.stat")
    microseconds = dict(zip(stat[::2], stat[1::2], strict=False)).get("usage_usec")
    if microseconds is not None:
        return int(microseconds) / 1e6
    nanoseconds = "".join(_read(group / "cpuacct.usage"))
    return int(nanoseconds) / 1e9 if nanoseconds else None


def memory_available() -> int:
    """Bytes of memory that could be used now; what only caches files counts as free."""
    free = [limit - _memory_used(group) for group, limit in _memory_limits()]
    return max(0, int(min([psutil.virtual_memory().available, *free])))


def _quotas() -> Iterator[tuple[float, Path]]:
    for group in _groups("cpu"):
        quota, period = [*_read(group / "cpu.max"), "", ""][:2]  # version 2: "max 100000", or microseconds
        if not quota:
            quota, period = "".join(_read(group / "cpu.cfs_quota_us")), "".join(_read(group / "cpu.cfs_period_us"))
        if quota.isdecimal() and period.isdecimal() and int(quota) > 0 < int(period):
            yield int(quota) / int(period), group


def _memory_limits() -> Iterator[tuple[Path, int]]:
    for group in _groups("memory"):
        limit = "".join(_read(group / "memory.max") or _read(group / "memory.limit_in_bytes"))
        if limit.isdecimal():
            yield group, int(limit)


def _memory_used(group: Path) -> int:
    used = "".join(_read(group / "memory.current") or _read(group / "memory.usage_in_bytes"))
    stat = _read(group / "memory.stat")
    numbers = dict(zip(stat[::2], stat[1::2], strict=False))
    cached = numbers.get("total_inactive_file", numbers.get("inactive_file", "0"))
    return int(used or 0) - int(cached)


def _groups(controller: str) -> Iterator[Path]:
    """The folders of this process's group and of those around it: each may set a limit. Inside a container the path can be one of the host,
    which is not there; the root is the container's then."""
    try:
        lines = _OWN.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and controller not in controllers.split(","):
            continue
        root = _ROOT / controller if controllers else _ROOT
        group = root / path.lstrip("/")
        yield from (folder for folder in (group, *group.parents) if folder.is_relative_to(root) and folder.is_dir())


def _read(file: Path) -> list[str]:
    """The words of a file; none where it cannot be read."""
    try:
        return file.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return []
