"""Ctrl-C at a bad moment."""

import signal
import sys
import time

import pytest

from specviz.cli.interrupts import insistent


class Untidy:
    """Takes Ctrl-C, or fails, while it is tidied up."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails

    def __del__(self) -> None:
        if self.fails:
            raise ValueError("not tidied up")
        signal.raise_signal(signal.SIGINT)
        time.sleep(0)


def test_ctrl_c_while_an_object_is_tidied_up_is_not_lost() -> None:
    """Python only notes it there; it comes again."""

    def work() -> None:
        with insistent():
            Untidy()
            time.sleep(20)

    with pytest.raises(KeyboardInterrupt):
        work()


def test_other_failures_are_noted_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """By whoever notes them otherwise, inside the block and behind it."""
    noted: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: noted.append(unraisable.exc_type))
    with insistent():
        Untidy(fails=True)
    assert noted == [ValueError]
    Untidy(fails=True)
    assert noted == [ValueError, ValueError]
