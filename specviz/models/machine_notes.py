"""What was measured about this machine, kept between processes: what passes cost, how many threads they gain from. SPECVIZ_CACHE sets the folder.

The notes of another machine, another number of threads or another torch are other notes. A file that cannot be read or written only means
that the next process measures again.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any, Self, TypeVar

import torch

from specviz.folders import cache_folder, read_object, write_notes
from specviz.models.devices import processor_name
from specviz.models.limits import core_count

T = TypeVar("T")
Step = TypeVar("Step")
_WAITED = 0.1  # a thread that did not compute for a larger share of the time waited for a core
_MOST = 400  # notes of one machine; the oldest are dropped


@dataclass(slots=True)
class CoreTime:
    """Adds up, over all `with` blocks, wall time and the time in which this thread computed."""

    wall_s: float = 0.0
    computed_s: float = 0.0
    _began: tuple[float, float] = (0.0, 0.0)

    def __enter__(self) -> Self:
        self._began = perf_counter(), thread_time()
        return self

    def __exit__(self, *_: object) -> None:
        began, computed = self._began
        self.wall_s += perf_counter() - began
        self.computed_s += thread_time() - computed

    def over(self, steps: Iterable[Step]) -> Iterator[Step]:
        """Yield these steps; only the time in which they are made counts, not what is done with them in between."""
        remaining = iter(steps)
        while True:
            with self:
                step = next(remaining, None)
            if step is None:
                return
            yield step

    @property
    def waited(self) -> float:
        """The share of the time in which this thread did not compute."""
        return min(1.0, max(0.0, 1 - self.computed_s / self.wall_s)) if self.wall_s > 0 else 0.0

    @property
    def calm(self) -> bool:
        """True if the thread computed nearly all the time, so that other programs did not have the cores."""
        return self.waited < _WAITED


def notes_file() -> Path:
    """The file with the notes."""
    return cache_folder() / "machine.json"


def machine() -> str:
    """This machine, as far as it decides how fast passes are: processor, its widest instructions, threads, version of torch."""
    return (
        f"{processor_name()}, {torch.backends.cpu.get_cpu_capability()}, {core_count():g} cores, {torch.get_num_threads()} threads, "
        f"torch {torch.__version__}"
    )


def noted(name: str, parse: Callable[[Any], T | None]) -> T | None:
    """The note of this name; None where there is none, or `parse` does not understand it (it returns None or raises ValueError, TypeError,
    KeyError or AttributeError)."""
    try:
        return parse(_all().get(machine(), {})[name])
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def note(name: str, value: Any) -> None:
    """Write a note, a JSON value."""
    notes, here = _all(), machine()
    mine = [(key, old) for key, old in notes.get(here, {}).items() if key != name]
    notes[here] = dict([*mine, (name, value)][-_MOST:])
    write_notes(notes_file(), notes)


def _all() -> dict[str, dict[str, Any]]:
    return {key: mine for key, mine in read_object(notes_file()).items() if isinstance(mine, dict)}
