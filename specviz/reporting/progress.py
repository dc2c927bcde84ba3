"""Progress messages on stderr, printed between the measurements; nothing is printed during a measurement."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.live import Live
from rich.text import Text

from specviz.reporting.terminal import Screen, visible


@contextmanager
def progress_messages() -> Iterator[Callable[[str], None]]:
    """A callback that prints the next step: on a terminal as one line that changes, in a log as a new line each time."""
    screen = Screen(stderr=True)
    if not screen.is_terminal:
        yield lambda step: print_line(visible(step, spaces=False))
        return
    with Live(console=screen, auto_refresh=False, transient=True) as live:
        yield lambda step: live.update(Text(f"measuring: {visible(step, spaces=False)}"), refresh=True)


def print_line(line: str) -> None:
    """Print one line on stderr and flush it."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()
