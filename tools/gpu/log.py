"""The results of the GPU benchmark so far, saved after every entry."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from specviz.reporting.files import write_atomically
from tools.gpu.synthetic import SYNTHETIC

SCHEMA = "specviz.gpu/1"


class Log:
    """The results so far; printed and saved after every entry.

    Args:
        path: the JSON file to write; None writes none.
        seconds: after this time nothing new is started.

    Attributes:
        results: nested dictionaries of all entries.
    """

    def __init__(self, path: Path | None, seconds: float) -> None:
        self.results: dict[str, Any] = {"schema": SCHEMA, "weights": SYNTHETIC}
        self._path, self._seconds, self._began = path, seconds, perf_counter()

    def run(self, keys: Sequence[str], work: Callable[[], object]) -> bool:
        """Run this work and store its result, or the reason of its failure, under these nested keys; returns True if it succeeded."""
        value: object
        if self.elapsed > self._seconds:
            value = {"failed": f"too little of the {self._seconds:g} seconds was left to start it"}
        else:
            try:
                value = work()
            except Exception as error:  # noqa: BLE001  # one failure must not stop the other figures
                value = {"failed": " ".join(f"{type(error).__name__}: {error}".split())[:300]}
        entry = self.results
        for key in keys[:-1]:
            entry = entry.setdefault(key, {})
        entry[keys[-1]] = value
        self.results["seconds"] = self.elapsed
        sys.stdout.write(f"{self.elapsed:6.1f} s  {' / '.join(keys)}: {json.dumps(value)}\n")
        sys.stdout.flush()
        if self._path is not None:
            write_atomically(self._path, json.dumps(self.results, indent=1, allow_nan=False) + "\n")
        return not (isinstance(value, dict) and "failed" in value)

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return perf_counter() - self._began
