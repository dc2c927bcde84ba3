"""end_cause.js, end_suggestion.js, end_card_text.js, predicted_speed.js and ledger.js: what the card at the end of a run says."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from specviz.trace.files import dump, read_file
from specviz.trace.metrics import speedup, summarise
from specviz.trace.records import Round, Trace
from tests.helpers.node import Node
from tests.helpers.views import MIXED, TREE_PARENTS, plain_of, trace_of, view_of
from tests.javascript.views import EIGHT, GIVEN, view

TRACES = sorted((Path(__file__).parents[2] / "assets" / "traces").glob("*.json"))
_UNTRUSTED = {
    "trusted": False,
    "why": "this machine is busy",
    "between": "between 0.5× and 2.1×",
    "grounds": "It waited for a core.",
}
_WRONG = ["rdddd", "ardddd"[:5]] * 6
_RIGHT = ["aaaaa"] * 8
_LOST = ["rdddd"] * 12


def _ledger(plain: Trace, speculative: Trace) -> tuple[float, float, float]:
    """Of the mean round, in mean plain tokens: its tokens, its drafting, and its pass beyond a plain one."""
    common = min(len(plain.token_ids), len(speculative.token_ids))
    base, rounds = ([r for r in trace.rounds if r.start < common] for trace in (plain, speculative))
    token_s, pass_s = base[-1].ended_s / common, sum(r.verify_s for r in base) / common
    draft_s, verify_s = (sum(getattr(r, name) for r in rounds) / len(rounds) for name in ("draft_s", "verify_s"))
    return common / len(rounds), draft_s / token_s, (verify_s - pass_s) / token_s


def _words(js: Node, shown: dict[str, Any], able: list[str] | None = None) -> dict[str, Any]:
    function = """(view, given, able) => {
        const run = readRun(view, given);
        return { ...endWordsOf(run, { able, drafters: given.drafters }), reason: causeOf(run).reason };
    }"""
    found: dict[str, Any] = js.call(function, shown, GIVEN, able or [])
    return found


def _timed(trace: Trace, *, draft: float = 0.001, verify: float = 0.0056, rest: float = 0.0004) -> Trace:
    """The same run with rounds of these seconds; a plain token takes 6 ms, 5.5 of them in the pass."""
    rounds: list[Round] = []
    for round_ in trace.rounds:
        began = rounds[-1].ended_s if rounds else 0.0
        ended = began + draft + verify + rest
        rounds.append(replace(round_, began_s=began, draft_s=draft, verify_s=verify, ended_s=ended))
    return replace(trace, rounds=tuple(rounds))


def _end(js: Node, trace: Trace, able: list[str] | None = None, **more: Any) -> dict[str, Any]:
    return _words(js, view_of(trace, plain_of(trace), **more), able)


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_the_card_has_the_numbers_of_the_metrics(js: Node, path: Path) -> None:
    """Passes, tokens, guesses and the speedup are those of `summarise` and `speedup`, and the ledger adds up to the speedup."""
    speculative, plain = read_file(path)
    summary = summarise(speculative)
    words = _words(js, view_of(speculative, plain))
    assert words["passes"] == f"{summary.rounds} passes instead of {len(summary.token_ids)}"
    assert words["drafted"].split()[0] == str(summary.accepted)
    assert words["own"].split()[0] == str(len(summary.token_ids) - summary.accepted)
    assert words["speedup"]["value"] == f"{speedup(plain, speculative):.2f}×"
    assert words["reason"] == "paid"
    assert words["cause"].startswith(f"{summary.accepted} of {summary.judged} guesses were right")
    assert f"brings {summary.tokens_per_round:.1f} tokens" in words["cause"]
    found = js.call("(view, given) => ledgerOf(readRun(view, given))", view_of(speculative, plain), GIVEN)
    made, drafting, verifying = _ledger(plain, speculative)
    assert (found["tokens"], found["drafting"]) == pytest.approx((made, drafting))
    assert found["verifying"] == pytest.approx(verifying)
    assert made / (1 + drafting + verifying + found["rest"]) == pytest.approx(speedup(plain, speculative))
    assert made / found["cost"] == pytest.approx(speedup(plain, speculative))


def test_a_run_that_lost_names_what_it_lost_by(js: Node) -> None:
    """Wrong guesses, dear passes, dear drafts, the work around them, a short text, passes without a guess: each with its numbers."""
    for name, trace, reason, said in (
        ("low acceptance", _timed(trace_of(_WRONG), verify=0.0099), "guesses", "12 of 18 guesses were wrong, and a pass over 6 tokens costs 1.8 of one here:"),
        ("low acceptance, dear drafts", _timed(trace_of(_WRONG), draft=0.004), "guesses", "12 of 18 guesses were wrong, and drafting 5 tokens takes as long as 0.7 plain ones:"),
        ("dear passes", _timed(trace_of(["aaard"] * 8), verify=0.04), "passes", "A pass over 6 tokens costs 7.3 of one here"),
        ("dear drafts", _timed(trace_of(["aaard"] * 8), draft=0.03), "drafts", "Drafting 5 tokens takes as long as 5.0 plain ones:"),
        ("the rest", _timed(trace_of(["aaard"] * 8), rest=0.03), "rest", "What a round does beside its passes takes as long as"),
        ("short", _timed(trace_of(["rdd", "rdd", "aa"]), draft=0.01), "short", "The text is short, and with 5 tokens in 3 passes"),
        ("nothing found", _timed(trace_of(["", "", "rdd"] * 4), verify=0.007), "idle", "8 of 12 passes had no guess to check"),
    ):  # fmt: skip
        words = _end(js, trace)
        assert (words["reason"], words["mood"]) == (reason, "slower"), name
        assert words["cause"].startswith(said), name
        made, cost = (len(trace.token_ids) / len(trace.rounds), trace.rounds[-1].ended_s / len(trace.rounds) / 0.006)
        assert f": a round brings {made:.1f} tokens in the time of {cost:.1f} plain ones." in words["cause"], name


def test_guesses_are_not_blamed_where_no_guess_could_have_helped(js: Node) -> None:
    """Where it would have lost with every guess right, the dearest part of a round is the cause, however many guesses were wrong."""
    assert _end(js, _timed(trace_of(_WRONG), draft=0.04))["reason"] == "drafts"
    assert _end(js, _timed(trace_of(_WRONG), verify=0.04))["reason"] == "passes"


def test_two_numbers_that_differ_are_not_shown_as_equal(js: Node) -> None:
    """A run that lost by little does not bring 1.3 tokens in the time of 1.3."""
    close = _timed(trace_of(_WRONG), draft=0.00272, verify=0.006)
    assert "brings 1.50 tokens in the time of 1.52 plain ones" in _end(js, close)["cause"]


def test_a_run_that_is_not_trusted_gets_no_cause_but_that(js: Node) -> None:
    """A busy machine, or more than is possible: no speed, no blame, no prediction, and the counts stay."""
    lost, fast = trace_of(_WRONG), _timed(trace_of(_RIGHT), draft=0.0001, verify=0.0003)
    for shown in (view_of(lost, plain_of(lost), timing=_UNTRUSTED), view_of(fast, plain_of(fast))):
        words = _words(js, shown, ["auto", "eagle"])
        assert (words["reason"], words["mood"], words["speedup"]["value"]) == ("busy", "busy", "–")
        assert "not trusted" in words["cause"]
        assert "×" not in words["cause"]
        assert words["suggestion"] == {
            "words": "Run it again while this machine does nothing else.",
            "change": None,
            "how": "",
        }
        assert "passes instead of" in words["passes"]
        assert "speedup" not in js.call("(words) => spokenOf(words)", words)
        predicted = js.call("(view, given) => predictedSpeeds(readRun(view, given))", shown, GIVEN)
        assert predicted["speeds"] == []
        assert "not trusted" in predicted["why"]


def test_without_a_plain_run_there_is_no_speed(js: Node) -> None:
    """The guesses are counted, and the sentence says what is missing."""
    words = _words(js, view_of(trace_of(_WRONG)))
    assert words["reason"] == "unknown"
    assert words["cause"] == (
        "6 of 18 guesses were right. Plain decoding was not measured on this prompt, so that no speed is given."
    )
    assert words["suggestion"] is None


def test_another_draft_length_is_suggested_where_it_is_predicted_to_win(js: Node) -> None:
    """One change: the k with the highest prediction, with the drafter of the run and every draft of that length; nothing where this is the best."""
    lost = _timed(
        trace_of(["ardddd"[:5]] * 12), draft=0.01, verify=0.006
    )  # 2 tokens a round; each draft token takes 2 ms
    suggestion = _end(js, lost, ["auto", "eagle"])["suggestion"]
    assert suggestion["change"] == {"drafter": "model", "k": "1", "policy": "fixed"}
    assert suggestion["words"].startswith("Draft 1 token: predicted 1.")
    assert suggestion["how"].startswith("An estimate: from this run's acceptance")
    won = _end(js, _timed(trace_of(_RIGHT), draft=0.001))["suggestion"]
    assert won["words"].startswith("Draft 10 tokens a round: predicted ")
    for policy in ("fixed", "auto"):  # what adapts is compared with what it measured
        best = _end(js, _timed(trace_of(["aar"] * 12, policy=policy), draft=0.0003))["suggestion"]
        assert best == {**best, "words": "No other draft length is predicted to be faster.", "change": None}


def test_where_no_length_wins_another_way_is_suggested(js: Node) -> None:
    """A head where the page offers one, else only while it pays, else that specviz chooses; in the end that plain decoding is the fastest."""
    lost = _timed(trace_of(_LOST), draft=0.004)
    head = _end(js, lost, ["auto", "model", "eagle"])["suggestion"]
    assert (head["words"], head["change"]["drafter"]) == ("Use the EAGLE head", "eagle")
    assert _end(js, lost, ["auto", "model"])["suggestion"]["change"] == {"policy": "auto"}
    adapted = _timed(trace_of(_LOST, policy="auto"), draft=0.004)
    assert _end(js, adapted, ["auto", "model"])["suggestion"]["change"]["drafter"] == "auto"
    assert _end(js, adapted)["suggestion"]["change"] is None
    short = _timed(trace_of(["rdd", "rdd"], max_new_tokens=2), draft=0.004)
    assert _end(js, short)["suggestion"]["change"] == {"max_new_tokens": "64"}


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_a_priced_prediction_meets_what_was_measured(js: Node, path: Path) -> None:
    """At the run's own k the prediction from its acceptance by position and its passes is near the measured speedup."""
    speculative, plain = read_file(path)
    found = js.call("(view, given) => predictedSpeeds(readRun(view, given))", view_of(speculative, plain), GIVEN)
    assert not found["exact"]
    tolerance = 0.08 if len(speculative.rounds) > 10 else 0.25  # the last round of a short text is often cut
    assert found["speeds"][speculative.settings.k] == pytest.approx(speedup(plain, speculative), rel=tolerance)


def test_an_exact_prediction_is_that_of_the_replanned_run(js: Node) -> None:
    """Where the text does not depend on the draft, every k has the speedup of the what-if, and says that its steps are exact."""
    trace = trace_of(EIGHT)
    shown = view_of(trace, plain_of(trace))
    shown["replan"] = {"matches": [True] * 4 + [True, False] * 2, "c": 0.2, "v": [1.0, 1.1, 1.2, 1.3], "pass_s": 0.0055}
    function = """(view, given) => {
        const run = readRun(view, given), { speeds, exact } = predictedSpeeds(run);
        const what = [1, 2, 5, 16].map((k) => {
            const other = replanned(run, k);
            return speedupOver(other.plain, other, other.rounds.length).speedup;
        });
        return { exact, speeds: [1, 2, 5, 16].map((k) => speeds[k]), what };
    }"""
    found = js.call(function, shown, GIVEN)
    assert found["exact"]
    assert found["speeds"] == pytest.approx(found["what"])


def test_only_what_is_exact_is_said_to_be(js: Node) -> None:
    """Above temperature 0 without shared noise, for a tree, for a drafter that cannot be replanned, for matches of another text, or without any, the
    steps of another draft length are estimated too."""
    many, tree = [*MIXED, *MIXED], trace_of(["arad"] * 4, parents=TREE_PARENTS)
    for name, trace, matches in (
        ("exact", trace_of(many), 20),
        ("drawn", trace_of(many, temperature=0.8), 20),
        ("branching", tree, len(tree.token_ids)),
        ("a tree", trace_of(many, drafter="tree", label="tree of drafts"), 20),
        ("unknown", trace_of(many, drafter="mine", label="mine"), 20),
        ("other text", trace_of(many), 3),
        ("none", trace_of(many), 0),
    ):
        known = (
            {"matches": [True] * matches, "c": 0.2, "v": [1.0, 1.1, 1.2, 1.3], "pass_s": 0.0055} if matches else None
        )
        shown = view_of(trace, plain_of(trace), replan=known)
        found = js.call("(view, given) => predictedSpeeds(readRun(view, given))", shown, GIVEN)
        assert found["exact"] == (name == "exact"), name


def test_what_cannot_be_predicted_says_why(js: Node) -> None:
    """A run that goes on, plain decoding itself, no plain run, too few guesses: one sentence each and no number."""
    nothing = trace_of(["", "", ""], drafter="none", label="none")
    few = trace_of(["rdd"])
    for shown, said in (
        ({**view(EIGHT), "status": "running"}, "The run goes on"),
        (view_of(nothing, plain_of(nothing)), "Nothing was drafted in this run"),
        (view_of(trace_of(_WRONG)), "Plain decoding was not measured"),
        (view_of(few, plain_of(few)), "Only 1 guess of this run was checked"),
    ):
        found = js.call("(view, given) => predictedSpeeds(readRun(view, given))", shown, GIVEN)
        assert found["speeds"] == []
        assert found["why"].startswith(said)


def test_a_tree_is_predicted_no_deeper_than_it_was(js: Node) -> None:
    """Beyond its deepest level nothing was seen."""
    tree = trace_of(["arad"] * 6, parents=TREE_PARENTS, drafter="tree", label="tree of drafts")
    found = js.call("(view, given) => predictedSpeeds(readRun(view, given))", view_of(tree, plain_of(tree)), GIVEN)
    assert len(found["speeds"]) == 3


def test_a_lossy_run_says_so_on_its_card(js: Node) -> None:
    """The label of the rule stands beside the speedup."""
    (recorded,) = dump((trace_of(_RIGHT, temperature=0.8, rule="lenient"),))["traces"]
    assert recorded["settings"]["rule"] == "lenient"
    trace = _timed(trace_of(_RIGHT, temperature=0.8, rule="lenient"))
    assert "LOSSY" in _end(js, trace)["small"]


def test_the_curve_has_a_dot_for_the_run_and_one_for_auto(js: Node) -> None:
    """This run stands at its k, or at the mean length of its drafts where that changed, with what was measured; auto where the prediction
    is highest, at nothing drafted where that is plain decoding; in words they are the same."""
    lost, won = _timed(trace_of(_LOST), draft=0.004), _timed(trace_of(_RIGHT))
    for trace, k, auto in ((won, 5, 10), (lost, 5, 0), (_timed(trace_of([*_RIGHT, "a"], policy="auto")), 41 / 9, 10)):
        curve = js.call("(view, given) => curveOf(readRun(view, given))", view_of(trace, plain_of(trace)), GIVEN)
        assert curve["own"] == {"k": pytest.approx(k), "speedup": pytest.approx(speedup(plain_of(trace), trace))}
        assert curve["auto"] == auto
        assert curve["speeds"][0] == 1
        assert f"measured {curve['own']['speedup']:.2f}×." in curve["words"]
        assert f"Auto would draft {auto or 'nothing'}." in curve["words"]
        assert f"k = 1: {curve['speeds'][1]:.2f}×" in curve["words"]
        words = js.call("(curve, k) => kWordsOf(curve, k, false)", curve, 16)
        assert words["figure"] == f"predicted up to k = {len(curve['speeds']) - 1}"
