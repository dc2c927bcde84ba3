"""A moment of a lesson is the same moment in the player: the picture there shows what the words say, at every pace."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import pytest

from specviz.lessons.lesson import LessonRecording
from specviz.lessons.moments import read_moment
from specviz.reporting.player.scripts import given
from specviz.trace.files import dump
from tests.helpers.lessons import recorded
from tests.helpers.node import evaluated

PURE = ("player/moment_clock", "player/position", "player/schedule", "shared/read_recording")
AT = """(view, given, moments, paces) => {
    const run = readRun(view, given), plans = paces.map(pace => schedule(run, pace));
    return plans.map(plan => moments.map(moment => positionAt(run, plan, clockOfMoment(run, plan, moment))));
}"""


def positions(recording: LessonRecording, words: Sequence[str], *paces: str) -> list[list[dict[str, Any]]]:
    """Where the player is at each of these moments, at each pace."""
    view = {"id": recording.name, "status": "opened", "recording": dump(recording.traces)}
    moments = [asdict(read_moment(moment, recording)) for moment in words]
    at: list[list[dict[str, Any]]] = evaluated(PURE, AT, view, given(), moments, paces)
    return at


@pytest.mark.slow
def test_the_player_shows_what_the_moment_says() -> None:
    """Every kind of moment, in rounds of all kinds: the round, how much is drafted, checked, judged and committed."""
    for name in ("capital", "letter", "lighthouse", "products-tree", "eights-ngram"):
        recording = recorded(name)
        rounds = recording.run.rounds
        numbers = (1, 2, len(rounds) - 1, len(rounds))
        words = [(n, word) for n in numbers for word in ("begins", "verifying", "verified", "committed")]
        words += [(n, word) for n in numbers if rounds[n - 1].drafted for word in ("drafted", "judged")]
        named = ["start", "end", *(f"round {n}, {word}" for n, word in words)]
        at_moment = dict(zip(named, positions(recording, named, "lesson")[0], strict=True))
        for number in numbers:
            round_ = rounds[number - 1]
            at = {word: at_moment[f"round {number}, {word}"] for n, word in words if n == number}
            assert all(position["index"] == number - 1 for position in at.values()), (name, number)
            assert (at["begins"]["typed"], at["begins"]["judged"]) == (0, 0)
            assert 0.4 < at["verifying"]["sweep"] < 0.6
            assert (at["verified"]["phase"], at["verified"]["judged"]) == ("verify", 0)
            assert at["verified"]["sweep"] > 0.999
            assert at["committed"]["committed"] == round_.start + len(round_.tokens)
            if not round_.drafted:
                continue
            drafted, judged = at["drafted"], at["judged"]
            assert (drafted["phase"], drafted["typed"], drafted["sweep"]) == ("draft", len(round_.drafted), 0)
            assert (judged["phase"], judged["landed"]) == ("judge", False)
            assert judged["judged"] >= round_.judged
        assert at_moment["start"]["engine"] == 0
        assert at_moment["end"]["ended"]


def test_a_count_in_a_moment_is_exact() -> None:
    """M drafted and M judged are what the picture shows, at every pace."""
    for word, what in (("drafted", "typed"), ("judged", "judged")):
        moments = [f"round 1, {count} {word}" for count in range(1, 6)]
        for shown in positions(recorded("letter"), moments, "slow", "lesson", "quick", "real"):
            assert [position[what] for position in shown] == [1, 2, 3, 4, 5]


def test_a_round_without_drafts_has_no_verdicts() -> None:
    """What cannot be shown is refused, with what can."""
    recording = recorded("eights-ngram")
    number = next(index for index, round_ in enumerate(recording.run.rounds, start=1) if not round_.drafted)
    assert read_moment(f"round {number}, begins", recording).phase == "verify"
    for word in ("drafted", "judged", "1 judged"):
        with pytest.raises(ValueError, match="drafts 0 tokens"):
            read_moment(f"round {number}, {word}", recording)
