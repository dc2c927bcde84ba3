"""What is being measured, told on stderr between the measurements; nothing is drawn while one of them runs."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.live import Live
from rich.text import Text

from specviz.reporting.terminal import Screen, visible


@contextmanager
def told() -> Iterator[Callable[[str], None]]:
    """A way to say what comes next: one line that changes on a terminal, a line each in a log."""
    screen = Screen(stderr=True)
    if not screen.is_terminal:
        yield lambda words: print_line(visible(words, spaces=False))
        return
    with Live(console=screen, auto_refresh=False, transient=True) as live:
        yield lambda words: live.update(Text(f"measuring: {visible(words, spaces=False)}"), refresh=True)


def print_line(line: str) -> None:
    """One line on stderr, at once."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()
