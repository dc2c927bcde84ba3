"""What was measured about this machine, kept between processes: which layout of a matrix is fastest, what passes cost. SPECVIZ_CACHE sets the folder.

The notes of another machine, another number of threads or another torch are other notes. A file that cannot be read or written only means
that the next process measures again.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any, Self, TypeVar

import torch

from specviz.folders import cache_folder
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
    path, here = notes_file(), machine()
    notes = _all()
    mine = notes.get(here)
    mine = (
        {**{key: old for key, old in mine.items() if key != name}, name: value}
        if isinstance(mine, dict)
        else {name: value}
    )
    notes[here] = dict(list(mine.items())[-_MOST:])
    part = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(notes))
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()


def _all() -> dict[str, Any]:
    try:
        notes = json.loads(notes_file().read_text())
    except (OSError, ValueError, RecursionError):
        return {}
    return {key: mine for key, mine in notes.items() if isinstance(mine, dict)} if isinstance(notes, dict) else {}
