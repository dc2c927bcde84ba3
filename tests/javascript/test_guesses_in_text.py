"""guesses_in_text.ts: what of a round stands in the line of the text at a moment."""

from typing import Any

from tests.helpers.node import Node
from tests.helpers.views import TREE_PARENTS, trace_of, view_of
from tests.javascript.views import GIVEN

_AT = """(view, given, moments) => {
    const run = readRun(view, given), plan = schedule(run, "lesson");
    return moments.map(([index, phase, share]) => {
        const next = PHASES[PHASES.indexOf(phase) + 1], from = clockOf(plan, index, phase);
        const to = next ? clockOf(plan, index, next) : endOf(plan, index);
        return guessesAt(run, run.rounds[index], positionAt(run, plan, from + share * (to - from)));
    });
}"""
_IN_LINE = """(view, given) => {
    const run = readRun(view, given);
    return run.rounds[0].drafted.map(({ token }) => inLine(run.bytes, token));
}"""
_NOTHING = """(view, given) => {
    const run = readRun(view, given);
    return run.rounds.map((round) => noGuessWords(run, round, { landed: false }));
}"""
_NOTE = """(view, given) => {
    const run = readRun(view, given);
    return run.rounds.map((round) => sameWordsNote(run.drafterText, round, layoutOf(round.drafted).nodes));
}"""


def _at(js: Node, rounds: list[str], *moments: tuple[int, str, float], **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = js.call(_AT, view_of(trace_of(rounds, **more)), GIVEN, moments)
    return found


def test_a_round_happens_at_the_caret(js: Node) -> None:
    """One guess after the other; accepted ones belong to the text; at the wall the target's own token takes the place, what follows is left."""
    first, whole, read, judged, landed = _at(
        js, ["ard"], (0, "draft", 0.4), (0, "draft", 0.99), (0, "verify", 0.5), (0, "judge", 0.99), (0, "commit", 0.1)
    )
    assert first["kinds"] == ["typed", "", ""]
    assert whole["kinds"] == read["kinds"] == ["typed"] * 3
    assert (judged["kinds"], judged["final"], judged["replaced"]) == (["accepted", "rejected", "discarded"], 1, -1)
    assert (landed["kinds"], landed["final"], landed["replaced"]) == (["", "", "discarded"], 0, 1)
    (bonus,) = _at(js, ["aaa"], (0, "commit", 0.1))
    assert (bonus["kinds"], bonus["replaced"]) == ([""] * 3, -1), "all of them are text"


def test_a_token_stands_in_a_line_as_it_will(js: Node) -> None:
    """The space before a word is outside of its chip; what a line would swallow is written out, and half a character says what it is."""
    texts = {1: b" Thursday", 2: b"\n", 3: b" ", 4: b"\xf0\x9f", 5: "\u202eevil".encode()}
    found = js.call(_IN_LINE, view_of(trace_of(["aaaaa"], texts=texts)), GIVEN)
    assert [(each["lead"], each["text"]) for each in found] == [
        (" ", "Thursday"),
        ("", "⏎"),
        ("", "·"),
        ("", "F0 9F"),
        ("", "⟨202E⟩evil"),
    ]
    assert [each["says"] for each in found] == ["", "", "", "part of a character", ""]


def test_a_round_without_guesses_says_so(js: Node) -> None:
    """Where nothing matched, and where nothing was drafted for another reason; nothing is said beside guesses."""
    copied = view_of(trace_of(["", "aa"], drafter="ngram", label="n-gram lookup", source=0))
    assert js.call(_NOTHING, copied, GIVEN) == ["no match: nothing to copy", ""]
    assert js.call(_NOTHING, view_of(trace_of([""])), GIVEN) == ["nothing drafted"]


def test_equal_words_of_a_tree_are_explained(js: Node) -> None:
    """Only where a column has the same word twice; of heads that see no guess there is another reason."""

    def note(drafter: str, tokens: list[int]) -> str:
        view = view_of(trace_of(["aard"], parents=TREE_PARENTS, drafter=drafter, label=drafter))
        drafted = view["recording"]["traces"][0]["rounds"][0]["drafted"]
        for one, token in zip(drafted, tokens, strict=True):
            one["token"] = token
        (said,) = js.call(_NOTE, view, GIVEN)
        return str(said)

    assert note("tree", [1, 2, 3, 4]) == ""
    assert "two guesses" in note("tree", [1, 2, 2, 4])
    assert "without seeing the guess before it" in note("medusa-tree", [1, 2, 2, 4])
