"""Progress for people: a bar on a terminal, a line now and then in a log."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

LOG_EVERY_SECONDS = 30.0


@dataclass(slots=True)
class _Drawn:
    progress: Progress
    task: TaskID

    def reached(self, done: int, total: int, says: str = "") -> None:
        self.progress.update(self.task, completed=done, total=total, says=says)


@dataclass(slots=True)
class _Logged:
    title: str
    began: float = 0.0
    first: int | None = None
    last: float = 0.0

    def reached(self, done: int, total: int, says: str = "") -> None:
        now = time.monotonic()
        if self.first is None:
            self.first, self.began = done, now
        if now - self.last < LOG_EVERY_SECONDS and done < total:
            return
        self.last = now
        left = ""
        if done > self.first:
            left = f", about {(now - self.began) / (done - self.first) * (total - done) / 60:.0f} min left"
        sys.stderr.write(f"{self.title}: {done:,} of {total:,}, {says}{left}\n")
        sys.stderr.flush()


@contextmanager
def bar(title: str) -> Iterator[_Drawn | _Logged]:
    """Open a display for one piece of work, on stderr."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Logged(title)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[says]}"),
    )
    with Progress(*columns, console=console, transient=False) as progress:
        yield _Drawn(progress, progress.add_task(title, total=None, says=""))
