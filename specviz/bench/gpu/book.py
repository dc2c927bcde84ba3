"""What was found so far, saved after every entry."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from specviz.bench.synthetic import SYNTHETIC
from specviz.reporting.files import write_whole

SCHEMA = "specviz.gpu/1"


class Book:
    """What was found so far; printed and saved after every entry.

    Args:
        path: where the JSON goes, if anywhere.
        seconds: when they are over nothing new is begun.
    """

    def __init__(self, path: Path | None, seconds: float) -> None:
        self.found: dict[str, Any] = {"schema": SCHEMA, "weights": SYNTHETIC}
        self._path, self._seconds, self._began = path, seconds, perf_counter()

    def enter(self, where: Sequence[str], work: Callable[[], object], needed_s: float = 0.0) -> bool:
        """Note what this work finds, or why it fails, in the place with this path; whether it did not fail.

        Args:
            needed_s: it is not begun where fewer seconds are left.
        """
        value: object
        if self.elapsed + needed_s > self._seconds:
            value = {"failed": f"too little of the {self._seconds:g} seconds was left to begin it"}
        else:
            value = found_or_failed(work)
        place = self.found
        for name in where[:-1]:
            place = place.setdefault(name, {})
        place[where[-1]] = value
        self.found["seconds"] = self.elapsed
        sys.stdout.write(f"{self.elapsed:6.1f} s  {' / '.join(where)}: {json.dumps(value)}\n")
        sys.stdout.flush()
        self.save()
        return not (isinstance(value, dict) and "failed" in value)

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return perf_counter() - self._began

    def save(self) -> None:
        """Write the JSON, whole."""
        if self._path is not None:
            write_whole(self._path, json.dumps(self.found, indent=1, allow_nan=False) + "\n")


def found_or_failed(work: Callable[[], object]) -> object:
    """What the work finds, or that it failed."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001  # whatever it is, the other figures are wanted
        return {"failed": " ".join(f"{type(error).__name__}: {error}".split())[:300]}
