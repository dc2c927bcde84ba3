"""duel_timeline.ts and duel_words.ts: what the opening shows at every moment, and what it says, on the recording that it plays."""

from typing import Any

import pytest

from app.screens import opening
from app.stage import recordings
from specviz.trace.files import load
from specviz.trace.metrics import speedup, summarise
from tests.helpers.node import Node
from tests.helpers.views import plain_of, trace_of, view_of
from tests.javascript.views import GIVEN

VIEW = recordings.read_shipped(opening.RECORDING)
SPECULATIVE, PLAIN = load(VIEW["recording"])
_MOMENTS = """(view, given) => {
    const run = readRun(view, given), plan = planOf(run);
    return Array.from({ length: 60 * plan.end + 1 }, (_, i) => {
        const moment = momentAt(run, plan, i / 60);
        return { ...moment, chips: chipsAt(run, moment), caption: captionAt(run, moment) };
    });
}"""
_SAYS = "(view, given) => { const run = readRun(view, given); return { ...closingWords(run), text: asText(run) }; }"


def _moments(js: Node) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = js.call(_MOMENTS, VIEW, GIVEN)
    return found


def test_both_lanes_share_the_recorded_clock(js: Node) -> None:
    """At every sixtieth of a second each lane has as many passes as the recording had by that moment of its clock, which never goes back;
    it begins at nothing, ends complete and lasts 15 seconds."""
    moments = _moments(js)
    assert len(moments) == 15 * 60 + 1
    clocks = [moment["engine"] for moment in moments]
    assert clocks == sorted(clocks)
    for moment in moments:
        now = moment["engine"] + 1e-9
        assert moment["plainPasses"] == sum(round_.ended_s <= now for round_ in PLAIN.rounds)
        assert moment["passes"] == sum(round_.ended_s <= now for round_ in SPECULATIVE.rounds)
        assert 0 <= moment["plainShare"] <= 1
    first, last = moments[0], moments[-1]
    assert (first["passes"], first["plainPasses"], first["chips"]) == (0, 0, [])
    assert (last["passes"], last["plainPasses"]) == (len(SPECULATIVE.rounds), len(PLAIN.rounds))
    assert [moment["closed"] for moment in moments].index(True) > moments.index(
        next(moment for moment in moments if moment["phase"] == "done")
    )


def test_guesses_become_text_only_by_their_verdicts(js: Node) -> None:
    """No chip has a verdict before its round's pass is over; a rejected guess shows as such, and its position then has the target's own
    token; what is written at any moment is how the text begins, and at the end all of it."""
    ids, rejected = SPECULATIVE.token_ids, set()
    for moment in _moments(js):
        assert moment["written"] >= sum(len(r.tokens) for r in SPECULATIVE.rounds[: max(0, moment["index"])])
        written, under_way = moment["chips"][: moment["written"]], moment["chips"][moment["written"] :]
        assert [chip["token"] for chip in written] == list(ids[: moment["written"]])
        assert not {chip["is"] for chip in written} & {"rejected", "discarded", "drafted"}
        if moment["phase"] in ("draft", "pass"):
            assert {chip["is"] for chip in under_way} <= {"drafted", "awaited"}
        rejected |= {(moment["written"] + i, c["token"]) for i, c in enumerate(under_way) if c["is"] == "rejected"}
    assert moment["written"] == len(ids)
    assert {index for index, _ in rejected} == {
        i for i, chip in enumerate(moment["chips"]) if chip["is"] == "corrected"
    }
    assert all(ids[index] != token for index, token in rejected)


def test_its_recording_is_worth_a_first_look(js: Node) -> None:
    """The first guesses are all right, a later one is rejected, both texts are the same and end by themselves, and it pays; every sentence
    that explains stays for at least half a second."""
    figures = summarise(SPECULATIVE)
    assert SPECULATIVE.token_ids == PLAIN.token_ids
    assert len(SPECULATIVE.rounds[0].accepted) == len(SPECULATIVE.rounds[0].drafted) > 1
    assert figures.accepted < figures.judged
    assert figures.stop.value == "end_of_text"
    assert speedup(PLAIN, SPECULATIVE) > 1.5
    captions = [moment["caption"] for moment in _moments(js)]
    assert min(captions.count(caption) for caption in set(captions) - {""}) >= 30
    assert "A small draft model guesses 5 tokens." in captions
    assert any("is wrong" in caption for caption in captions)


def test_the_closing_line_is_that_of_the_recording(js: Node) -> None:
    """Passes and speedup are the metrics' own, with the machine and the day; the text for a screen reader has both counts and both texts."""
    said = js.call(_SAYS, VIEW, GIVEN)
    alone, helped = len(PLAIN.rounds), len(SPECULATIVE.rounds)
    assert said["says"] == f"Same text. {alone / helped:.1f} times fewer passes."
    assert said["speedup"]["value"] == f"{speedup(PLAIN, SPECULATIVE):.1f}× as fast"
    assert said["speedup"]["where"] == "On 2 cores of an AMD EPYC, 22 November 2026"
    assert "the median of 5 pairs" in said["speedup"]["how"]
    for part in (f"{alone} passes", f"{helped} passes", said["says"], " ".join(SPECULATIVE.text.split())):
        assert part in said["text"]


@pytest.mark.parametrize("doubt", ["judged", "impossible"])
def test_a_distrusted_recording_has_no_speedup(js: Node, doubt: str) -> None:
    """Where the times were disturbed, or claim more than the passes allow, the closing line has its counts only."""
    trace = trace_of(["aaa", "ard"])
    view = view_of(trace, plain_of(trace))
    if doubt == "judged":
        view["timing"] = {"trusted": False, "why": "this machine is busy", "grounds": "It waited."}
    else:
        for round_ in view["recording"]["traces"][1]["rounds"]:
            round_["began_s"], round_["ended_s"] = (1000 * round_[name] for name in ("began_s", "ended_s"))
    assert js.call(_SAYS, view_of(trace, plain_of(trace)), GIVEN)["speedup"]["where"] == "Where it was recorded"
    said = js.call(_SAYS, view, GIVEN)
    assert said["speedup"] is None
    assert "×" not in said["text"]
