"""A JavaScript process for tests of the modules that need no browser."""

from collections.abc import Iterator

import pytest

from tests.helpers.node import Node, running

PURE = {
    "opening": """
        duel_timeline duel_words
    """,
    "player": """
        copied_passages end_card_text end_cause end_suggestion figures_dial_text guesses_in_text
        layer_stack opening_text phases playhead position reading_pace reasons_text
        schedule stage_text target_choices time_boxes
    """,
    "race": """
        lane_gap race_course race_text
    """,
    "shared": """
        drafter_text figures labels ledger live_events live_run read_recording round trained_heads tree_layout
    """,
}
"""By folder."""


@pytest.fixture(scope="session")
def _player() -> Iterator[Node]:
    with running([f"{folder}/{name}" for folder, names in PURE.items() for name in names.split()]) as node:
        yield node


@pytest.fixture(scope="module")
def js(request: pytest.FixtureRequest, _player: Node) -> Iterator[Node]:
    """The pure modules of player and race, or those that a test file names in `MODULES`."""
    if own := getattr(request.module, "MODULES", ()):
        with running(own) as node:
            yield node
    else:
        yield _player
