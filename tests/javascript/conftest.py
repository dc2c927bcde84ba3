"""One JavaScript process for all tests of the modules that need no browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.node import Node, running

APP = Path(__file__).parents[2] / "app"
PURE = (
    *(
        APP / "player" / f"{name}.js"
        for name in (
            "phases",
            "round",
            "layout",
            "choices",
            "figures",
            "reading",
            "manner",
            "heads",
            "stack",
            "pacing",
            "schedule",
            "position",
            "playhead",
            "labels",
            "replan",
            "reasons",
            "words",
            "boxes",
            "opening",
            "dialwords",
            "cuttings",
            "recycled",
        )
    ),
    *(APP / "race" / f"{name}.js" for name in ("course", "gap", "words")),
)


@pytest.fixture(scope="session")
def js() -> Iterator[Node]:
    """The pure modules of player and race."""
    with running(PURE) as node:
        yield node
