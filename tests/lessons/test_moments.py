"""A moment of a lesson is the same moment in the player: the picture there shows what the words say, at every pace."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from specviz.lessons.lesson import LessonRecording
from specviz.lessons.moments import read_moment
from specviz.reporting.player.scripts import given
from specviz.trace.files import dump
from tests.helpers.lessons import recorded
from tests.helpers.node import Node, running

PURE = [*["lessons/highlight", "player/moment_clock", "player/position", "player/schedule", "shared/read_recording"]]
AT = """(view, given, moments, pace) => {
    const run = readRun(view, given), plan = schedule(run, pace);
    return moments.map(moment => positionAt(run, plan, clockOfMoment(run, plan, moment)));
}"""


@pytest.fixture(scope="module")
def js() -> Iterator[Node]:
    with running(PURE) as node:
        yield node


def positions(js: Node, recording: LessonRecording, words: Sequence[str], pace: str) -> dict[str, dict[str, Any]]:
    """Where the player is at each of these moments."""
    view = {"id": recording.name, "status": "opened", "recording": dump(recording.traces)}
    forms = [
        {name: getattr(read_moment(one, recording), name) for name in ("round", "phase", "part", "count")}
        for one in words
    ]
    return dict(zip(words, js.call(AT, view, given(), forms, pace), strict=True))


def test_the_player_shows_what_the_moment_says(js: Node) -> None:
    """Every kind of moment, in rounds of all kinds: the round, how much is drafted, checked, judged and committed."""
    for name in ("capital", "letter", "lighthouse", "products-tree", "eights-ngram"):
        recording = recorded(name)
        rounds = recording.run.rounds
        numbers = (1, 2, len(rounds) - 1, len(rounds))
        words = [(n, word) for n in numbers for word in ("begins", "verifying", "verified", "committed")]
        words += [(n, word) for n in numbers if rounds[n - 1].drafted for word in ("drafted", "judged")]
        at_moment = positions(js, recording, ["start", "end", *(f"round {n}, {word}" for n, word in words)], "lesson")
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


def test_a_count_in_a_moment_is_exact(js: Node) -> None:
    """M drafted and M judged are what the picture shows, at every pace."""
    for pace in ("slow", "lesson", "quick", "real"):
        for word, what in (("drafted", "typed"), ("judged", "judged")):
            moments = [f"round 1, {count} {word}" for count in range(1, 6)]
            shown = positions(js, recorded("letter"), moments, pace)
            assert [position[what] for position in shown.values()] == [1, 2, 3, 4, 5]


def test_a_round_without_drafts_has_no_verdicts() -> None:
    """What cannot be shown is refused, with what can."""
    recording = recorded("eights-ngram")
    number = next(index for index, round_ in enumerate(recording.run.rounds, start=1) if not round_.drafted)
    assert read_moment(f"round {number}, begins", recording).phase == "verify"
    for word in ("drafted", "judged", "1 judged"):
        with pytest.raises(ValueError, match="drafts 0 tokens"):
            read_moment(f"round {number}, {word}", recording)
