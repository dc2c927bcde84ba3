"""Progress display: a bar on a terminal, a line from time to time in a log."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

LOG_EVERY_SECONDS = 30.0


class ProgressBar(Protocol):
    """Shows the progress of one piece of work."""

    def reached(self, done: int, total: int, note: str = "") -> None: ...


OpensBar = Callable[[str], AbstractContextManager[ProgressBar]]
"""Opens a progress display with a title."""


@dataclass(slots=True)
class _Terminal:
    progress: Progress
    task: TaskID

    def reached(self, done: int, total: int, note: str = "") -> None:
        self.progress.update(self.task, completed=done, total=total, note=note)


@dataclass(slots=True)
class _Log:
    title: str
    began: float = 0.0
    first: int | None = None
    last: float = 0.0

    def reached(self, done: int, total: int, note: str = "") -> None:
        now = time.monotonic()
        if self.first is None:
            self.first, self.began = done, now
        if now - self.last < LOG_EVERY_SECONDS and done < total:
            return
        self.last = now
        left = ""
        if done > self.first:
            left = f", about {(now - self.began) / (done - self.first) * (total - done) / 60:.0f} min left"
        sys.stderr.write(f"{self.title}: {done:,} of {total:,}, {note}{left}\n")
        sys.stderr.flush()


@contextmanager
def bar(title: str) -> Iterator[_Terminal | _Log]:
    """Open a progress display for one piece of work, on stderr."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Log(title)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Progress(*columns, console=console, transient=False) as progress:
        yield _Terminal(progress, progress.add_task(title, total=None, note=""))
