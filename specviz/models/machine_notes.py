"""What was measured about this machine, kept between processes: which layout of a matrix is fastest, what passes cost. SPECVIZ_CACHE sets the folder.

The notes of another machine, another number of threads or another torch are other notes. A file that cannot be read or written only means
that the next process measures again.
"""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any, Self, TypeVar

import torch

from specviz.folders import cache_folder, read_object, write_notes
from specviz.models.devices import processor_name
from specviz.models.limits import core_count

T = TypeVar("T")
_CALM = 0.9  # a thread that computed for a smaller share of the time waited for a core
_MOST = 400  # notes of one machine; the oldest are dropped


class CalmCheck:
    """Within it something is measured; afterwards `calm` says whether this thread computed nearly all the time, so that other programs did not
    have the cores."""

    calm = False

    def __enter__(self) -> Self:
        self._began, self._computed = perf_counter(), thread_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.calm = thread_time() - self._computed > _CALM * (perf_counter() - self._began)


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
