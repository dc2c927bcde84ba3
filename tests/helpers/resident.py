"""What the system reports about a process that loads a pair: `python -m tests.helpers.resident TARGET DRAFT DTYPE` prints one JSON object."""

import gc
import json
import sys
from pathlib import Path
from threading import Event, Thread

import torch

from specviz.models import load_pair
from specviz.models.memory import Footprint, footprint, peak_of

_EVERY_S = 0.002


def resident() -> int:
    """Bytes of memory that are this process's own; pages of files, which the system can drop at any time, are not."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith("RssAnon:"))


class Peak(Thread):
    """Reads the process's own memory every two milliseconds and keeps the largest value."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.bytes = 0
        self._stop_event = Event()

    def run(self) -> None:
        while not self._stop_event.wait(_EVERY_S):
            self.bytes = max(self.bytes, resident())

    def end(self) -> None:
        self._stop_event.set()
        self.join()


def main(target: str, draft: str, dtype: str) -> None:
    cpu, kind = torch.device("cpu"), getattr(torch, dtype)
    load_pair(
        "embedded", device="cpu", dtype=dtype
    )  # libraries and kernels are loaded once, and are not part of a pair
    gc.collect()
    before = resident()
    parts: list[Footprint] = [footprint(Path(folder), folder, kind, cpu) for folder in (target, draft)]
    peak = Peak()
    peak.start()
    _pair = load_pair(target=target, draft=draft, device="cpu", dtype=dtype)
    peak.end()
    gc.collect()
    after = resident()
    report = {
        "estimated_peak": peak_of(parts),
        "estimated_after": sum(part.after for part in parts),
        "peak": peak.bytes - before,
        "after": after - before,
    }
    sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
