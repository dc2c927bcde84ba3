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
    """The results so far, nested dictionaries; printed, and saved in a JSON file where one is given, after every entry."""

    def __init__(self, path: Path | None) -> None:
        self.results: dict[str, Any] = {"schema": SCHEMA, "weights": SYNTHETIC}
        self._path, self._began = path, perf_counter()

    def run(self, keys: Sequence[str], work: Callable[[], object]) -> bool:
        """Run this work and store its result, or the reason of its failure, under these nested keys; returns True if it succeeded."""
        failed = False
        try:
            value = work()
        except Exception as error:  # noqa: BLE001  # one failure must not stop the other figures
            failed, value = True, {"failed": " ".join(f"{type(error).__name__}: {error}".split())[:300]}
        entry = self.results
        for key in keys[:-1]:
            entry = entry.setdefault(key, {})
        entry[keys[-1]] = value
        self.results["seconds"] = seconds = perf_counter() - self._began
        sys.stdout.write(f"{seconds:6.1f} s  {' / '.join(keys)}: {json.dumps(value)}\n")
        sys.stdout.flush()
        if self._path is not None:
            write_atomically(self._path, json.dumps(self.results, indent=1, allow_nan=False) + "\n")
        return not failed
