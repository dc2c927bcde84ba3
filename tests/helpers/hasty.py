"""What tests do not wait for: repeats of timed runs, other programs, and heads that were trained. As a program it is the engine, as hasty."""

import sys
from pathlib import Path

from specviz.models import machine_notes, threads
from specviz.models.checks import guesses
from specviz.runs import costs, engine_process, load_watch
from specviz.runs.serve import serve

VALUES = (
    (load_watch, "EXTRA_TURNS", 0),
    (load_watch, "_PATIENCE_S", 0.0),
    (threads, "GLANCE_S", 0.01),
    (machine_notes, "_WAITED", 1.1),  # what was measured about this machine is noted all the same
    (costs, "_PASSES", 2),
    # Heads of random weights draft in tests; the floor itself: `tests/models/checks/test_guesses.py`.
    (guesses, "FLOOR", 0.0),
)
_TIMED_S = 0.2
ENGINE = (
    sys.executable,
    "-P",
    "-c",
    f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r}); from tests.helpers.hasty import main; main()",
)
"""What starts such an engine."""


def main() -> None:
    """Serve like `python -m specviz.engine`."""
    from specviz.engine import TASKS

    for module, name, value in VALUES:
        setattr(module, name, value)
    engine_process._TIMED_S = _TIMED_S
    serve(TASKS)
