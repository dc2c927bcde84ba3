"""end_cause.ts, end_suggestion.ts, end_card_text.ts and ledger.ts: what the card at the end of a run says."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from specviz.trace.files import read_file
from specviz.trace.metrics import speedup, summarise
from specviz.trace.records import Round, Trace
from tests.helpers.node import Node
from tests.helpers.views import plain_of, trace_of, view_of
from tests.javascript.views import GIVEN

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
    """A busy machine, or more than is possible: no speed, no blame, and the counts stay."""
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


def test_without_a_plain_run_there_is_no_speed(js: Node) -> None:
    """The guesses are counted, and the sentence says what is missing."""
    words = _words(js, view_of(trace_of(_WRONG)))
    assert words["reason"] == "unknown"
    assert words["cause"] == (
        "6 of 18 guesses were right. Plain decoding was not measured on this prompt, so that no speed is given."
    )
    assert words["suggestion"] is None


def test_after_a_loss_another_way_is_suggested(js: Node) -> None:
    """A head where the page offers one, else only while it pays, else that specviz chooses; in the end that plain decoding is the fastest."""
    lost = _timed(trace_of(_LOST), draft=0.004)
    head = _end(js, lost, ["auto", "model", "eagle"])["suggestion"]
    assert (head["words"], head["change"]["drafter"]) == ("Use the EAGLE head", "eagle")
    assert _end(js, lost, ["auto", "model"])["suggestion"]["change"] == {"policy": "auto"}
    adapted = _timed(trace_of(_LOST, policy="auto"), draft=0.004)
    assert _end(js, adapted, ["auto", "model"])["suggestion"]["change"]["drafter"] == "auto"
    assert _end(js, adapted)["suggestion"]["change"] is None
    assert _end(js, _timed(trace_of(_RIGHT)), ["auto", "eagle"])["suggestion"] is None, "it won"
    short = _timed(trace_of(["rdd", "rdd"], max_new_tokens=2), draft=0.004)
    assert _end(js, short)["suggestion"]["change"] == {"max_new_tokens": "64"}


def test_a_lossy_run_says_so_on_its_card(js: Node) -> None:
    """The label of the rule stands beside the speedup."""
    trace = _timed(trace_of(_RIGHT, temperature=0.8, rule="lenient"))
    assert "LOSSY" in _end(js, trace)["small"]
