"""specviz: speculative decoding with real models, one loop, and a record of every round.

Names are loaded on first use: importing this package imports neither torch nor transformers.
"""

from importlib import import_module
from typing import Any

from specviz.trace import records as _records

_HOMES = {
    "CertainDraws": "specviz.decoding.sampling",
    "Decoding": "specviz.decoding.loop",
    "Drafter": "specviz.decoding.protocols",
    "Prepared": "specviz.runs.prepare",
    "Race": "specviz.runs.race",
    "Recorder": "specviz.decoding.recorder",
    "Round": "specviz.trace.records",
    "Run": "specviz.runs.run",
    "SeededDraws": "specviz.decoding.sampling",
    "Settings": "specviz.settings",
    "SpecvizError": "specviz.errors",
    "Trace": "specviz.trace.records",
    "check_drafter": "specviz.runs.run",
    "load_pair": "specviz.models",
    "prepare": "specviz.runs.prepare",
    "race": "specviz.runs.race",
    "show": "specviz.lessons.notebook",
    "speculate": "specviz.decoding.loop",
    "summarise": "specviz.trace.metrics",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  # the table is the one list of exported names
__version__ = "2.0.0"


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'specviz' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def _notebook_page(shown: Any) -> str:
    page: str = import_module("specviz.reporting.player.html_page").notebook_frame(shown)
    return page


_records.notebook_page = _notebook_page


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
