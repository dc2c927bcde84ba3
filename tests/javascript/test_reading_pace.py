"""reading_pace.ts and opening_text.ts: how long each sentence stays, and what the title of a recording says."""

from typing import Any

import pytest

from app.stage import recordings
from specviz.known_pairs import CHAT, EMBEDDED
from tests.helpers.node import Node
from tests.helpers.views import MIXED, TREE_PARENTS, plain_of, trace_of, view_of
from tests.javascript.views import EIGHT, GIVEN, view

_SHOWN = """(view, given, pace) => {
    const run = readRun(view, given), plan = schedule(run, pace), shown = [];
    for (let at = 0; at < plan.end; at += 1 / 100) {
        const caption = captionOf(run, positionAt(run, plan, at));
        if (shown.at(-1)?.caption === caption) shown.at(-1).seconds += 1 / 100;
        else shown.push({ caption, seconds: 1 / 100 });
    }
    return shown;
}"""
"""Every sentence of a run in the order in which it is shown, with its seconds on the viewer's clock."""


def _views() -> list[dict[str, Any]]:
    trace = trace_of(MIXED)
    tree = trace_of(["arad"], parents=TREE_PARENTS)
    recorded = [{**recordings.read_first(family), "status": "opened"} for family in (EMBEDDED, CHAT)]
    return [view(EIGHT), view_of(trace, plain_of(trace)), view_of(tree), *recorded]


def _seconds(caption: str, rate: float) -> float:
    return 60 * len(caption.split()) / rate


def test_a_sentence_stays_as_long_as_it_takes_to_read_it(js: Node) -> None:
    """At the pace Lesson each new sentence has 200 to 250 words a minute and a beat, the verdict's as well; a known one a glance."""
    said: set[str] = set()
    for each in _views():
        read: set[str] = set()
        shown = js.call(_SHOWN, each, GIVEN, "lesson")
        for caption, seconds in ((one["caption"], one["seconds"]) for one in shown):
            if caption in read:
                assert seconds >= 0.85, caption
            else:
                assert _seconds(caption, 250) + 0.2 <= seconds <= _seconds(caption, 200) + 1, caption
            read.add(caption)
        said |= read
    assert any("rejects" in caption for caption in said)


def test_the_other_paces_are_what_their_names_promise(js: Node) -> None:
    """Slow gives every sentence half as long again, Real time is the engine's."""
    function = (
        "(view, given) => Object.keys(PACES).map((pace) => [pace, schedule(readRun(view, given), pace).starts.at(-1)])"
    )
    for each in _views():
        seconds = js.call("(view, given) => readRun(view, given).rounds.at(-1).began_s", each, GIVEN)
        starts = dict(js.call(function, each, GIVEN))
        assert starts["slow"] == pytest.approx(1.5 * starts["lesson"])
        assert starts["real"] == pytest.approx(seconds, rel=0.02)


def test_the_rejection_is_shown_with_its_sentence(js: Node) -> None:
    """At every pace no verdict on the rejected token comes before the sentence that says so, nor after it; what it discards comes later."""
    function = """(view, given, pace) => {
        const run = readRun(view, given), plan = schedule(run, pace), wrong = [], after = [];
        for (let at = 0; at < plan.end; at += plan.end / 4000) {
            const now = positionAt(run, plan, at), round = run.rounds[now.index];
            if (now.phase !== "judge" || !hasRejection(round)) continue;
            const said = captionOf(run, now).includes("rejects");
            if (said !== slotAt(round, now, wallOf(round)).judged) wrong.push(at);
            const last = round.drafted.length - 1;
            if (round.drafted[last].verdict === "discarded" && said && !slotAt(round, now, last).judged) after.push(at);
        }
        return [wrong, after.length];
    }"""
    for pace in ("slow", "lesson", "quick", "real", "hand"):
        wrong, beat = js.call(function, view(EIGHT), GIVEN, pace)
        assert wrong == []
        assert beat > 0


def _title(js: Node, shown: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = js.call("(view, given) => titleOf(readRun(view, given))", shown, GIVEN)
    return found


def test_the_title_counts_the_passes_of_the_recording(js: Node) -> None:
    """Its numbers are rounds of the two runs; a run that needs as many passes says so, and other helpers have their names."""
    trace = trace_of(MIXED)
    assert _title(js, view_of(trace, plain_of(trace))) == [
        {"words": "The large model alone: 10 passes.", "passes": 10},
        {"words": "With a small draft model: 4.", "passes": 4},
    ]
    lost = trace_of(["rdd", "rdd"])
    assert [line["passes"] for line in _title(js, view_of(lost, plain_of(lost)))] == [2, 2]
    copied = trace_of(MIXED, drafter="ngram", label="n-gram lookup")
    assert _title(js, view_of(copied, plain_of(copied)))[1]["words"] == "With n-gram lookup: 4."
    for family in (EMBEDDED, CHAT):
        view_ = {**recordings.read_first(family), "status": "opened"}
        speculative, plain = view_["recording"]["traces"]
        alone, helped = _title(js, view_)
        assert alone["words"] == f"The large model alone: {len(plain['rounds'])} passes."
        assert helped["words"] == f"With a small draft model: {len(speculative['rounds'])}."


def test_the_title_compares_nothing_that_differs(js: Node) -> None:
    """Texts of unlike lengths are named with theirs, and without a plain run nothing is said of it."""
    trace, longer = trace_of(MIXED), trace_of([*MIXED, "a"])
    assert [line["words"] for line in _title(js, view_of(trace, plain_of(longer)))] == [
        "The large model alone: 12 passes for 12 tokens.",
        "With a small draft model: 4 passes for 10 tokens.",
    ]
    assert _title(js, view_of(trace)) == [
        {"words": "The large model with a draft: 10 tokens in 4 passes.", "passes": 4}
    ]
