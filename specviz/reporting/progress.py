"""Prints a command's progress on stderr, between the measurements and never during one, and its JSON on stdout."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

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


@contextmanager
def spinner(text: str) -> Iterator[Callable[[str], None]]:
    """A spinner on stderr, if that is a terminal; yields a function that changes its text."""

    def safe(text: str) -> Text:
        return Text(visible(text, spaces=False))

    with Screen(stderr=True).status(safe(text)) as status:
        yield lambda text: status.update(safe(text))


def with_share(say: Callable[[str], None]) -> Callable[[str, float | None], None]:
    """The callback of `load_pair` that reports what is being loaded, with its share where that is known."""
    return lambda what, share: say(what if share is None else f"{what} ({share:.0%})")


def print_line(line: str) -> None:
    """Print one line on stderr and flush it."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def print_json(value: Mapping[str, Any]) -> None:
    """Print one JSON object on stdout; ASCII only, so that the encoding cannot matter."""
    sys.stdout.write(json.dumps(value, allow_nan=False) + "\n")
