"""What commands print: their progress on stderr, between the measurements and never during one, their JSON on stdout, and their exit codes."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from rich.live import Live
from rich.text import Text

from specviz.reporting.terminal import Screen, visible
from specviz.setting_labels import planned
from specviz.settings import Settings
from specviz.trace.metrics import Summary
from specviz.trace.plan import Plan

FAILED = 1  # something failed that no check foresaw; one sentence on stderr names it
BAD_INPUT = 2  # the request cannot be carried out; one sentence on stderr explains why
STOPPED = 130  # by Ctrl-C
READER_GONE = 141  # the reader of the output closed the pipe


def figures_json(summary: Summary, settings: Settings) -> dict[str, Any]:
    """A summary as in the JSON of every command, with the acceptance rule: every rule but "exact" is lossy."""
    return {**asdict(summary), "rule": settings.rule, "lossy": settings.lossy}


def choices_json(settings: Settings, plan: Plan | None) -> dict[str, Any]:
    """The settings of a run with nothing left open, and the plan that chose what was left open; None where nothing was."""
    reasons = plan and {**asdict(plan), "predicted": plan.predicted, "why": planned(plan, settings)}
    return {"settings": asdict(settings), "plan": reasons}


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
