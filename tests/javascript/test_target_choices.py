"""target_choices.ts: what the target would have written in each slot, as far as the round shows it."""

from pathlib import Path
from typing import Any

import pytest

from specviz.reporting.player.thinning import thinned
from specviz.trace.files import read_file
from specviz.trace.records import Trace
from tests.helpers.node import Node
from tests.helpers.views import TREE_PARENTS, played, trace_of, view_of
from tests.javascript.views import GIVEN

_TRACES = sorted((Path(__file__).parents[2] / "assets" / "traces").glob("*.json"))
_CHOICES = """(view, given) => {
    const run = readRun(view, given);
    return run.rounds.map((round) => round.drafted.map((_, i) => choiceAt(run, round, i)));
}"""


def _choices(js: Node, shown: dict[str, Any]) -> list[list[dict[str, Any] | None]]:
    found: list[list[dict[str, Any] | None]] = js.call(_CHOICES, shown, GIVEN)
    return found


def _tokens(js: Node, shown: dict[str, Any]) -> list[list[int | None]]:
    return [[choice["token"] if choice else None for choice in round_] for round_ in _choices(js, shown)]


def _bare(trace: Trace) -> dict[str, Any]:
    """Without alternatives, as the audience of a room has it."""
    return played(view_of(trace), len(trace.rounds))


def test_at_temperature_0_every_slot_has_the_first_choice(js: Node) -> None:
    """Where the draft was accepted it is the draft's own token, at the wall the one that the target writes, after it the recorded one."""
    assert _tokens(js, view_of(trace_of(["aaa", "ard", "rdd"]))) == [[1, 2, 3], [1, 9, 9], [9, 9, 9]]
    ((choice, *_),) = _choices(js, view_of(trace_of(["rd"])))
    assert choice == {"token": 9, "word": "most likely", "share": None}


def test_without_alternatives_only_the_verdicts_speak(js: Node) -> None:
    """Accepted means the same, the wall has the target's token, and nothing is known after it."""
    assert _tokens(js, _bare(trace_of(["aaa", "ard", "rdd"]))) == [[1, 2, 3], [1, 9, None], [9, None, None]]
    assert _tokens(js, _bare(trace_of(["ard"], temperature=0.8))) == [[None] * 3], "a verdict by chance shows no choice"


def test_above_temperature_0_it_is_called_the_most_likely(js: Node) -> None:
    """There is no choice before a number is drawn: the most likely token is shown as that, with its probability in the rule."""
    for rule in ("exact", "lenient", "typical"):
        choices = _choices(js, view_of(trace_of(["ard"], temperature=0.8, rule=rule)))[0]
        assert choices == [{"token": 9, "word": "most likely", "share": 0.8}] * 3


def test_the_choice_with_the_noise_is_called_that(js: Node) -> None:
    """With shared noise the target has one choice again, which need not be its most likely token."""
    choices = _choices(js, view_of(trace_of(["ard"], temperature=0.8, shared_noise=True)))[0]
    assert [choice and choice["word"] for choice in choices] == ["choice with the noise"] * 3
    assert [choice and choice["token"] for choice in choices] == [1, 9, 9]


def test_nodes_after_one_parent_share_one_choice(js: Node) -> None:
    """In a tree siblings are guesses at one position; what rejected ones left of p is not given out for the target's own p."""
    tree = trace_of(["rdra"], parents=(-1, 0, -1, -1))
    assert _tokens(js, _bare(tree)) == [[4, None, 4, 4]]
    assert _tokens(js, _bare(trace_of(["arad"], parents=TREE_PARENTS))) == [[1, 3, 3, 1]]
    drawn = _choices(js, view_of(trace_of(["rdra"], parents=(-1, 0, -1, -1), temperature=0.8)))[0]
    assert [choice and choice["share"] for choice in drawn] == [0.8, 0.8, None, None]


def test_alternatives_that_were_thinned_away_are_not_made_up(js: Node) -> None:
    """Where a saved page kept the drafted token alone it does not stand for the target's most likely one."""
    bare = thinned((trace_of(["ard"], temperature=0.8),), 0)
    assert _tokens(js, view_of(*bare)) == [[None] * 3]
    assert _tokens(js, view_of(*thinned((trace_of(["ard"]),), 0))) == [[1, 9, None]]


@pytest.mark.parametrize("path", _TRACES, ids=lambda path: path.stem)
def test_pairs_of_real_runs_agree_with_their_verdicts(js: Node, path: Path) -> None:
    """At temperature 0 a judged draft was accepted exactly where it is the target's choice, and every other slot has a choice too."""
    traces = read_file(path)
    main = next(trace for trace in traces if any(round_.drafted for round_ in trace.rounds))
    certain = main.settings.temperature == 0
    for round_, choices in zip(main.rounds, _choices(js, view_of(main)), strict=True):
        for drafted, choice in zip(round_.drafted, choices, strict=True):
            assert choice is not None
            if certain and drafted.verdict != "discarded":
                assert (choice["token"] == drafted.token) == (drafted.verdict == "accepted")
            if certain and drafted.verdict == "discarded" and len(set(drafted.target_top.tokens)) > 1:
                assert choice["token"] == drafted.target_top.tokens[0]


def test_the_sign_of_a_pair_is_the_rule_s(js: Node) -> None:
    """Equal or not where the target has one choice, else the comparison that the rule made; never a sign that the rule did not use."""
    function = """(view, given) => {
        const { drafterText } = readRun(view, given);
        return [true, false].map((accepted) => comparison(drafterText, accepted).word);
    }"""
    for chosen, words in (
        ({}, ["same", "differs"]),
        ({"temperature": 0.8, "shared_noise": True}, ["same", "differs"]),
        ({"temperature": 0.8}, ["u < p/q", "u ≥ p/q"]),
        ({"temperature": 0.8, "rule": "lenient"}, ["u < p/(l·q)", "u ≥ p/(l·q)"]),
        ({"temperature": 0.8, "rule": "typical"}, ["plausible", "not plausible"]),
    ):
        assert js.call(function, view_of(trace_of(["ard"], **chosen)), GIVEN) == words
