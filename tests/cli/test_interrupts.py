"""Ctrl-C at a bad moment."""

import signal
import sys
import time

import pytest

from specviz.cli.interrupts import insistent


class Interrupted:
    """Receives Ctrl-C, or fails, while it is collected."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails

    def __del__(self) -> None:
        if self.fails:
            raise ValueError("not collected")
        signal.raise_signal(signal.SIGINT)
        time.sleep(0)


def test_ctrl_c_during_garbage_collection_is_not_lost() -> None:
    """Python only reports it there; it is raised again, at once even in a long system call."""
    began = time.monotonic()

    def work() -> None:
        with insistent():
            Interrupted()
            time.sleep(600)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert time.monotonic() - began < 300


def test_other_failures_are_reported_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the previous hook, inside the block and after it."""
    reported: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: reported.append(unraisable.exc_type))
    with insistent():
        Interrupted(fails=True)
    assert reported == [ValueError]
    Interrupted(fails=True)
    assert reported == [ValueError, ValueError]
