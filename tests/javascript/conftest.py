"""One JavaScript process for all tests of the modules that need no browser."""

from collections.abc import Iterator

import pytest

from tests.helpers.node import Node, running

PURE = (
    "opening/duel_timeline",
    "opening/duel_words",
    "player/copied_passages",
    "player/end_card_text",
    "player/end_cause",
    "player/end_suggestion",
    "player/figures_dial_text",
    "player/guess_window",
    "player/guesses_in_text",
    "player/k_curve_text",
    "player/layer_stack",
    "player/opening_text",
    "player/phases",
    "player/playhead",
    "player/position",
    "player/predicted_speed",
    "player/reading_pace",
    "player/reasons_text",
    "player/recycling_table",
    "player/replan",
    "player/schedule",
    "player/stage_text",
    "player/target_choices",
    "player/time_boxes",
    "race/lane_gap",
    "race/race_course",
    "race/race_text",
    "shared/drafter_text",
    "shared/figures",
    "shared/labels",
    "shared/ledger",
    "shared/live_events",
    "shared/live_run",
    "shared/read_recording",
    "shared/round",
    "shared/trained_heads",
    "shared/tree_layout",
)


@pytest.fixture(scope="session")
def js() -> Iterator[Node]:
    """The pure modules of player and race."""
    with running(PURE) as node:
        yield node
