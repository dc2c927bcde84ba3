"""Measure the sweep that comes with specviz, and write it to assets/sweeps/example.json. Run nothing else meanwhile; it takes a few minutes.

.venv/bin/python -m tools.example_sweep
"""

import os
import sys
import tempfile
from pathlib import Path

from specviz.cli.main import main
from specviz.folders import ASSETS
from specviz.lab.store import Store, text_of

NAME = "example: draft length and kind of text"


def run() -> int:
    """Measure it in a database of its own."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SPECVIZ_DATA"] = folder
        code = main(
            [
                "lab",
                "sweep",
                "--over",
                "k=1..8",
                "--over",
                "category=all",
                "--tokens",
                "64",
                "--measure-all",
                "--name",
                NAME,
            ]
        )
        sweep = Store(Path(folder) / "lab.sqlite3").sweep(NAME)
    if code == 0 and sweep.complete and not sweep.untrusted:
        (ASSETS / "sweeps").mkdir(exist_ok=True)
        (ASSETS / "sweeps" / "example.json").write_text(text_of(sweep), encoding="utf-8")
        return 0
    sys.stderr.write(f"{len(sweep.untrusted)} runs are not trusted: the machine was busy. Nothing was written.\n")
    return 1


if __name__ == "__main__":
    sys.exit(run())
