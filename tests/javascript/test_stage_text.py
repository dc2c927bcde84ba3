"""stage_text.ts and reasons_text.ts: what the stage says of a moment, for every way of drafting and judging."""

from dataclasses import replace
from typing import Any

import pytest

from specviz.setting_labels import NOT_DRAFTING
from specviz.trace.records import Trace
from tests.helpers.node import Node
from tests.helpers.views import TREE_PARENTS, live_of, plain_of, trace_of, view_of
from tests.javascript.views import GIVEN

_CAPTIONS = """(view, given) => {
    const run = readRun(view, given), plan = schedule(run, "lesson");
    const caption = (clock) => captionOf(run, positionAt(run, plan, clock));
    const phases = run.rounds.map((_, i) => PHASES.map((phase) => caption((PHASES.indexOf(phase) < 3
        ? clockOf(plan, i, PHASES[PHASES.indexOf(phase) + 1]) : endOf(plan, i)) - 1e-6)));
    return { phases, end: caption(plan.end), note: noteOf(run, view) };
}"""
_REASONS = """(view, given) => {
    const run = readRun(view, given);
    return run.rounds.map((round) => [...round.drafted.map((_, i) => reasonOf(run, round, i)), closingReason(run, round)]);
}"""
_POINTED = """(view, given) => {
    const run = readRun(view, given), plan = schedule(run, "lesson"), position = positionAt(run, plan, plan.end);
    return [...run.rounds.at(-1).drafted.map((_, i) => i), "closing"].map((slot) => explanationOf(run, position, slot));
}"""


def _captions(js: Node, trace: Trace, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = js.call(_CAPTIONS, view_of(trace, plain_of(trace), **more), GIVEN)
    return found


def test_every_phase_of_a_chain_has_its_sentence(js: Node) -> None:
    """Drafting, the target's pass, the verdicts and the commit, in a round that ends at a rejection and in one that does not."""
    said = _captions(js, trace_of(["ard", "aaa", ""]))
    model = GIVEN["drafters"]["model"]
    drafting = model["drafting"].replace("{next}", "the next 3 tokens")
    verifying = "One pass of the target model reads all 3 and scores every position."
    assert [*said["phases"][:2], said["phases"][2][1:]] == [
        [
            drafting,
            verifying,
            "The target rejects “·w2”: the guess after it is thrown away.",
            "The target writes its own “·w9” instead of “·w2”.",
        ],
        [
            drafting,
            verifying,
            "From left to right: would the target have written this too?",
            "All 3 accepted: the same pass gives “·w9” as a bonus.",
        ],
        [
            "The target model reads the last token.",
            "The target model reads the last token.",
            "The target writes “·w9”.",
        ],
    ]
    assert said["end"] == "The requested length is reached. Plain decoding wrote the same, token for token."
    assert said["note"] == ""


def test_a_tree_has_sentences_of_its_own(js: Node) -> None:
    """From the root down; a path that ends before a leaf, and guesses that are rejected side by side."""
    said = _captions(js, trace_of(["arad"], parents=TREE_PARENTS, drafter="tree", label="tree of drafts"))
    assert said["phases"][0][2:] == [
        "From the root down: which of these would the target have written?",
        "The accepted path of 2 ends here: the same pass gives “·w9” as a bonus.",
    ]
    said = _captions(js, trace_of(["rr"], parents=(-1, -1), drafter="tree", label="tree of drafts"))
    assert said["phases"][0][2:] == [
        "The target rejects “·w2” too: none of the 2 guesses there is right.",
        "None of the 2 guesses there was right: the target writes its own “·w9” instead.",
    ]


def test_the_end_says_where_plain_decoding_differs(js: Node) -> None:
    """The index, the gap of the two highest logits there and the number format are named."""
    trace = trace_of(["aaa", "aaa"])
    view = view_of(trace, plain_of(trace))
    closing = view["recording"]["traces"][1]["rounds"][2]["closing"]
    top = {"tokens": [5, 3], "logits": [2.5, 2.4995], "probabilities": [0.5, 0.4], "rule": [1.0, 0.0]}
    closing |= {"token": 5, "residual_top": top}
    assert js.call(_CAPTIONS, view, GIVEN)["end"] == (
        "The requested length is reached. Plain decoding differs at token 3, where its two highest logits are 0.0005 apart: "
        "float32 rounds differently for one token than for several."
    )


def test_a_lossy_end_promises_no_text(js: Node) -> None:
    """Neither the plain text nor its distribution is claimed."""
    said = _captions(js, trace_of(["aaa"], temperature=0.8, rule="lenient", lenience=0.3))
    assert said["end"] == (
        "The requested length is reached. LOSSY: lenient rule, lenience 0.3: it is not the text of the target alone, nor drawn "
        "from its distribution."
    )


def test_reasons_of_the_exact_rule(js: Node) -> None:
    """The share of draws, the draw itself, and in a tree what earlier guesses have left of p."""
    assert js.call(_REASONS, view_of(trace_of(["ar", "aa"], temperature=0.8)), GIVEN) == [
        [
            "Probability of acceptance 90%. Random number 0.300 is smaller: accepted.",
            "Probability of acceptance 20%. Random number 0.700 is larger: rejected.",
            "Drawn from the tokens that the target rates higher than the draft does, with random number 0.250.",
        ],
        [
            *["Probability of acceptance 90%. Random number 0.300 is smaller: accepted."] * 2,
            "All guesses were accepted, and the same pass already scores the next position. It was drawn from p, with random number 0.250.",
        ],
    ]
    tree = trace_of(["ra"], parents=(-1, -1), temperature=0.8, drafter="tree", label="tree of drafts")
    ((_, second, _),) = js.call(_REASONS, view_of(tree), GIVEN)
    assert second.startswith(
        "p is what is left after the earlier guesses for this position were rejected. Probability of acceptance 90%."
    )


def test_reasons_of_the_lossy_rules(js: Node) -> None:
    """The lenient rule names its lenience; the typical one its two constants, which come from the engine."""
    lenient = trace_of(["r"], temperature=0.8, rule="lenient", lenience=0.4)
    assert js.call(_REASONS, view_of(lenient), GIVEN)[0][0] == (
        "LOSSY, the lenient rule requires only 0.4 of q. Probability of acceptance 50%. Random number 0.700 is larger: rejected."
    )
    sure = trace_of(["a"], temperature=0.8, rule="lenient", lenience=0.2)
    assert js.call(_REASONS, view_of(sure), GIVEN)[0][0] == (
        "LOSSY, the lenient rule requires only 0.2 of q. p is at least that: always accepted."
    ), "it may still be less than q"
    typical = view_of(trace_of(["ar"], temperature=0.8, rule="typical"))
    given = {**GIVEN, "rules": {"typical": {"epsilon": 0.125, "delta": 0.75}}}
    accepted, rejected, closing = js.call(_REASONS, typical, given)[0]
    assert "p > min(0.125, 0.75·exp(−H)), plausible enough. Accepted." in accepted
    assert "p is not above min(0.125, 0.75·exp(−H)). Rejected, even by this rule." in rejected
    assert closing == (
        "Drawn from p itself: after a rejection the typical rule (LOSSY) does not change it, with random number 0.250."
    )
    formula = js.call("(view, given) => formulaOf(readRun(view, given).drafterText)", typical, given)
    assert formula == "accept x when p(x) > min(0.125, 0.75·exp(−H(p)))"


def test_reasons_of_the_other_exact_rule(js: Node) -> None:
    """A block is judged from its end, so every guess says what it was compared with."""
    block = trace_of(["aar"], temperature=0.8, rule="block")
    first = block.rounds[0]
    bounds = ((0.4, 0.9), (0.8, 0.3), (0.1, 0.6))
    drafted = tuple(replace(one, bound=h, draw=u) for one, (h, u) in zip(first.drafted, bounds, strict=True))
    found = js.call(_REASONS, view_of(replace(block, rounds=(replace(first, drafted=drafted),))), GIVEN)[0]
    assert (
        found[0]
        == "The prefix that ends here does not pass alone (random number 0.900 against h = 0.400), but a longer one does: kept with it."
    )
    assert found[1] == "The prefix that ends here passes: random number 0.300 against h = 0.800. Accepted."
    assert found[2].endswith("No longer one does. Rejected with the block.")
    assert "max(0, w·p − q)" in found[3]
    lossy = "(view, given) => readRun(view, given).drafterText.lossy"
    for rule in ("exact", "block"):
        assert not js.call(lossy, view_of(trace_of(["ar"], temperature=0.8, rule=rule)), GIVEN)


def test_an_id_that_the_draft_cannot_write_has_no_logit(js: Node) -> None:
    """Its q of 0 is shown; the lowest number of a format, which stands for its logit, is not, in any format nor with four digits."""
    for lowest in (-3.4028234663852886e38, -3.39e38, -65504.0, -6.55e4):
        view = view_of(trace_of(["r"]))
        top = {"tokens": [7, 3], "logits": [2.0, lowest], "probabilities": [1.0, 0.0], "rule": [1.0, 0.0]}
        drafted = view["recording"]["traces"][0]["rounds"][0]["drafted"][0]
        drafted |= {"draft_top": top, "target_top": {**top, "logits": [1.0, 2.0]}}
        call = "(view, given) => { const run = readRun(view, given); return candidatesOf(run, run.rounds[0].drafted[0], true); }"
        found = {row["token"]: (row["q"], row["qLogit"]) for row in js.call(call, view, GIVEN)}
        assert found == {7: (1.0, 2.0), 3: (0.0, None)}


def test_reasons_with_shared_noise(js: Node) -> None:
    """The noise decides, and the probabilities are said to be without it."""
    trace = trace_of(["ar"], temperature=0.8, shared_noise=True)
    drafted = tuple(replace(d, draw=None) for d in trace.rounds[0].drafted)
    trace = replace(trace, rounds=(replace(trace.rounds[0], drafted=drafted),))
    accepted, rejected, closing = js.call(_REASONS, view_of(trace), GIVEN)[0]
    assert accepted.startswith("The noise decided: with it this is the target's choice too. Accepted.")
    assert rejected.startswith("The noise decided: with it the target's choice is “·w9”. Rejected.")
    assert closing == "The target's own choice with the noise of this position replaces the rejected token."


@pytest.mark.parametrize(
    ("trace", "said"),
    [
        (
            trace_of(["ar"]),
            [
                "“·w1”: draft q = 0.600, target p = 0.100 (at temperature 1), the target's most likely token: accepted.",
                "“·w2”: draft q = 0.600, target p = 0.100 (at temperature 1), not the target's most likely token: rejected.",
                "The target's own most likely token replaces the rejected token.",
            ],
        ),
        (
            trace_of(["rd"], temperature=0.8),
            [
                "“·w1”: draft q = 0.500, target p = 0.100, probability of acceptance 20%. Random number 0.700 is larger: rejected.",
                "“·w2”: draft q = 0.500, target p = 0.100, never checked: thrown away.",
                "Drawn from the tokens that the target rates higher than the draft does, with random number 0.250.",
            ],
        ),
        (
            trace_of(["a"], drafter="ngram", label="n-gram lookup", source=0),
            [
                "“·w1”: copied, q = 1, target p = 0.100 (at temperature 1), the target's most likely token: accepted.",
                "All guesses were accepted, and the same pass already scores the next position. It is the target's most likely token there.",
            ],
        ),
    ],
    ids=["temperature 0", "temperature 0.8", "copied"],
)
def test_what_is_pointed_at_is_explained(js: Node, trace: Trace, said: list[str]) -> None:
    """q, p, the draw and the verdict of a slot, in one sentence."""
    assert js.call(_POINTED, view_of(trace), GIVEN) == said


def test_the_note_says_what_is_waited_for_and_where_a_recording_comes_from(js: Node) -> None:
    """The queue with the number of those before, the loading, the prompt; then the origin, and what to look for."""
    note = "(view, given) => noteOf(readRun(view, given), view)"
    for view, says in (
        ({"status": "queued", "queue_position": 2}, "Waiting in line: 2 before you …"),
        ({"status": "loading", "what": "reading weights"}, "Getting the models ready: reading weights …"),
        ({"status": "running"}, "Reading the prompt …"),
        ({"status": "cancelled"}, "Press Run to watch two models write."),
    ):
        assert js.call(note, {"id": "x", **view}, GIVEN) == says
    opened = {**view_of(trace_of(["a"])), "status": "opened", "origin": "Opened from a.json"}
    assert js.call(note, opened, GIVEN) == "Opened from a.json (float32, cpu). Press Run for one of your own."
    shipped = {**opened, "look_for": "Two guesses are rejected."}
    assert js.call(note, shipped, GIVEN).startswith(
        "Opened from a.json (float32, cpu). Two guesses are rejected. Press"
    )


def test_that_a_run_is_timed_again_is_said(js: Node) -> None:
    """Once the run has been watched to its end, the note says that it is timed again, and why; before, it says nothing of it."""
    function = "(view, given) => noteOf(readRun(view, given), view)"
    what = "this machine is busy: waiting for free cores, then timing both again, in turn"
    said = "This machine is busy: waiting for free cores, then timing both again, in turn …"
    for ended, note in (({"speculative": "length"}, said), ({}, "")):
        live = live_of(trace_of(["aaa"]), ended=ended)
        shown = {"id": "x", "status": "running", "what": what, "live": live, "recording": None}
        assert js.call(function, shown, GIVEN) == note


def test_a_round_in_which_drafting_does_not_pay_says_so(js: Node) -> None:
    """Light or full, it has the sentence of words.py while it is drafted and read, in its reason and for screen readers; a round that drafts
    nothing for another reason has not."""
    trace = trace_of(["ard", "", ""], drafter="ngram", label="n-gram lookup")
    resting = replace(trace, rounds=(trace.rounds[0], replace(trace.rounds[1], allowed=0), trace.rounds[2]))
    reading = f"{NOT_DRAFTING} The target model reads the last token."
    for view in (view_of(resting, plain_of(resting)), {"id": "x", "status": "running", "live": live_of(resting)}):
        _, rests, idle = js.call(_CAPTIONS, view, GIVEN)["phases"]
        assert rests[1] == reading
        assert NOT_DRAFTING not in " ".join(idle)
    drafting = "(view, given) => { const run = readRun(view, given); return captionOf(run, { ...NOWHERE, index: 1, phase: 'draft' }); }"
    assert js.call(drafting, view_of(resting), GIVEN) == NOT_DRAFTING
    reasons = js.call(_REASONS, view_of(resting), GIVEN)
    assert reasons[1][-1].startswith(NOT_DRAFTING)
    assert NOT_DRAFTING not in reasons[2][-1]
    summary = js.call("(view, given) => summaryOf(readRun(view, given), given.looks, 1)", view_of(resting), GIVEN)
    assert "not drafting, because guesses cost more than they bring here" in summary


def test_of_a_servers_log_nothing_is_claimed(js: Node) -> None:
    """Without p and q a verdict is only named, and the server's own token has no distribution."""
    trace = trace_of(["ar"], temperature=1.0)
    first = trace.rounds[0]
    drafted = tuple(replace(one, draft_prob=None, target_prob=None, draw=None) for one in first.drafted)
    function = """(view, given) => {
        const run = readRun(view, given), plan = schedule(run, "lesson");
        const end = positionAt(run, plan, plan.end);
        return [0, 1, "closing"].map((slot) => explanationOf(run, end, slot));
    }"""
    accepted, rejected, own = js.call(
        function, view_of(replace(trace, rounds=(replace(first, drafted=drafted),))), GIVEN
    )
    assert accepted.endswith(", accepted.")
    assert rejected.endswith(", rejected.")
    assert "most likely" not in accepted + rejected
    assert own == "The server's own token; its log has no probabilities."


def test_the_verdict_of_a_block_falls_from_the_right(js: Node) -> None:
    """Guesses are dropped from the end of the block, until a prefix passes and is kept as one; the caption names what was compared."""
    trace = trace_of(["aard"], temperature=0.8, rule="block")
    first = trace.rounds[0]
    bounds = ((0.4, 0.9), (0.8, 0.3), (0.1, 0.6), (0.2, 0.5))
    drafted = tuple(replace(one, bound=h, draw=u) for one, (h, u) in zip(first.drafted, bounds, strict=True))
    function = """(view, given) => {
        const run = readRun(view, given), plan = schedule(run, "lesson"), round = run.rounds[0];
        const moments = Array.from({ length: 2000 }, (_, i) => positionAt(run, plan, (i * plan.end) / 2000));
        const seen = moments.filter(({ phase, index }) => phase === "judge" && index === 0).map((at) =>
            [guessesAt(run, round, at).kinds.map((kind) => kind[0]).join(""), stagedAt(round, at), captionOf(run, at)].join("|"));
        return seen.filter((each, i) => each !== seen[i - 1]);
    }"""
    seen = js.call(function, view_of(replace(trace, rounds=(replace(first, drafted=drafted),))), GIVEN)
    assert [each.split("|")[:2] for each in seen] == [
        ["tttt", ""],
        ["tttd", ""],
        ["ttrd", "still"],
        ["aard", "walled"],
    ]
    words = [each.split("|")[2] for each in seen]
    assert words[0] == "As a block, from the right: do all 4 pass together?"
    assert words[1].startswith("All 4 together do not pass: random number 0.500 against h = 0.200. ")
    assert words[2].startswith("The first 3 do not pass: random number 0.600 against h = 0.100. ")
    assert words[3] == "The first 2 pass: random number 0.300 against h = 0.800. They are kept."
