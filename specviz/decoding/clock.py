"""The engine's clock: it runs only while the engine works, not while a round is being displayed.

On the CPU it is the host's clock. On CUDA the laps inside a round are events on the stream, read after the
round's one synchronisation; the start and end of a round are host times, taken while the device is idle.
"""

from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter
from typing import Protocol

import torch


@dataclass(frozen=True, slots=True)
class Laps:
    """Seconds from start to stop, and of each lap in between."""

    total_s: float
    laps_s: tuple[float, ...]


class Stopwatch(Protocol):
    """Start, any number of laps, stop. `stop` waits until the device has reached the last lap."""

    def start(self) -> None: ...
    def lap(self) -> None: ...
    def stop(self) -> Laps: ...


class HostStopwatch:
    """For work that is finished when its call returns."""

    def start(self) -> None:
        self._marks = [perf_counter()]

    def lap(self) -> None:
        self._marks.append(perf_counter())

    def stop(self) -> Laps:
        end = perf_counter()
        return Laps(end - self._marks[0], _differences(self._marks))


class CudaStopwatch:
    """For work that a CUDA stream does asynchronously."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._pool: list[torch.cuda.Event] = []

    def start(self) -> None:
        self._used = 0
        self._began = perf_counter()
        self.lap()

    def lap(self) -> None:
        if self._used == len(self._pool):
            self._pool.append(torch.cuda.Event(enable_timing=True))  # type: ignore[no-untyped-call]
        self._pool[self._used].record(torch.cuda.current_stream(self._device))
        self._used += 1

    def stop(self) -> Laps:
        self._pool[self._used - 1].synchronize()  # an event has no time before the device has reached it
        total = perf_counter() - self._began
        first = self._pool[0]
        marks = [0.0, *(first.elapsed_time(event) / 1e3 for event in self._pool[1 : self._used])]
        return Laps(total, _differences(marks))


def stopwatch_for(device: torch.device) -> Stopwatch:
    """The stopwatch that measures correctly on this device."""
    return CudaStopwatch(device) if device.type == "cuda" else HostStopwatch()


def _differences(marks: list[float]) -> tuple[float, ...]:
    return tuple(later - earlier for earlier, later in pairwise(marks))


def wait(device: torch.device) -> None:
    """Wait until the device has finished all queued work."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
