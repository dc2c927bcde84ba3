"""read_recording.ts, drafter_text.ts and labels.ts: what came from Python is read by name, and who drafts is said from the registry and the card."""

import base64
from typing import Any

import pytest

from tests.helpers.node import Node
from tests.helpers.views import MIXED, live_of, plain_of, trace_of, view_of
from tests.javascript.views import GIVEN

_RUN = "(view, given) => { const { bytes, plain, ...run } = readRun(view, given); return { ...run, plainIds: plain.ids, plainDone: plain.done }; }"


def _read(js: Node, view: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = js.call(_RUN, view, GIVEN)
    return found


def test_live_and_recorded_are_read_alike(js: Node) -> None:
    """Text, times and totals of a live run are those of its recording."""
    trace = trace_of(MIXED)
    live = _read(js, {"id": "lab", "status": "running", "live": live_of(trace, plain=4)})
    recorded = _read(js, view_of(trace, plain_of(trace)))
    for name in ("id", "prompt", "promptIds", "ids", "totals", "k", "drafterText", "branching"):
        assert live[name] == recorded[name], name
    assert live["ends"] == recorded["ends"]
    assert (live["plainDone"], recorded["plainDone"], recorded["plainIds"]) == (False, True, recorded["ids"])
    assert live["plainIds"] == recorded["ids"][:4]
    assert recorded["ids"] == list(trace.token_ids)


def test_a_run_is_complete_when_no_round_of_it_will_come(js: Node) -> None:
    """Once the speculative lane has ended, or plain rounds come, the number of rounds is known."""
    trace = trace_of(MIXED)
    for more, complete in (({}, False), ({"ended": {"speculative": "length"}}, True), ({"plain": 1}, True)):
        assert _read(js, {"id": "x", "status": "running", "live": live_of(trace, **more)})["complete"] is complete


def test_the_drafters_words_come_from_the_registry(js: Node) -> None:
    """Names, sentences and pictures are the registry's; counts of layers are the card's, and left out where it has none."""
    entry = {
        **GIVEN["drafters"]["early-exit"],
        "does": "the first {of}layers",
        "verifying": "The other {rest}layers read {all}.",
    }
    given = {**GIVEN, "drafters": {"early-exit": entry}}
    for layers, of, known in (
        (None, 12, False),
        ((0, 1, 2, 3), 12, True),
        ((0, 1), 2, False),
    ):
        trace = trace_of(MIXED, drafter="early-exit", label="early exit", layers=layers, of=of)
        text = js.call("(view, given) => readRun(view, given).drafterText", view_of(trace), given)
        assert text["does"] == ("the first 4 of 12 layers" if known else "the first layers")
        assert text["layers"] == ({"used": list(layers or ()), "of": of} if known else None)
        verifying = js.call("(drafterText) => verifyingOf(drafterText, 5)", text)
        assert verifying == ("The other 8 layers read all 5." if known else "The other layers read all 5.")
    for name, described in GIVEN["drafters"].items():
        text = _read(js, view_of(trace_of(MIXED, drafter=name, label=described["label"])))["drafterText"]
        assert text["who"].lower() == described["label"].lower()
        assert (text["picture"], text["shape"]) == (described["picture"], described["shape"])


def test_a_drafter_that_the_registry_does_not_know_is_drawn_as_a_chain(js: Node) -> None:
    """A student's own drafter has its own label and plain sentences."""
    for name in ("mine", "constructor", "__proto__"):
        trace = trace_of(MIXED, drafter=name, label="my own drafter")
        text = _read(js, view_of(trace))["drafterText"]
        assert text["who"] == "My own drafter"
    assert (text["who"], text["shape"], text["picture"]) == ("My own drafter", "chain", "model")
    nobody = _read(js, view_of(trace_of(["", ""], drafter="none", label="none")))["drafterText"]
    assert (nobody["who"], nobody["checks"]) == ("No drafter", "writes one token in each pass")
    words = js.call(
        "(drafterText) => [0, 1, 3].map((n) => [draftingOf(drafterText, n), verifyingOf(drafterText, n)])", text
    )
    assert words == [
        ["Nothing is drafted in this round.", "The target model reads the last token."],
        ["My own drafter drafts the next token.", "One pass of the target model reads it and scores every position."],
        [
            "My own drafter drafts the next 3 tokens.",
            "One pass of the target model reads all 3 and scores every position.",
        ],
    ]


def test_tokens_are_shown_for_what_they_are(js: Node) -> None:
    """White space and control characters become signs, half a character its bytes, which says what they are; markup stays text. The pieces of a split
    emoji make one character, shown with the token that completes it."""
    function = """(entries) => {
        const bytes = readBytes(entries);
        return Object.keys(entries).map((id) => tokenLabel(bytes, Number(id)));
    }"""
    table = {
        "1": {"data": "IGEK", "special": False},
        "2": {"data": "8J8=", "special": False},
        "3": {"data": "G1sxbQ==", "special": False},
        "4": {"data": "PGltZyBzcmM9eD4=", "special": False},
        "5": {"data": "4oCu", "special": False},
        "6": {"data": "PHM+", "special": True},
    }
    labels = js.call(function, table)
    assert [label["text"] for label in labels] == ["·a⏎", "F0 9F", "␛[1m", "<img·src=x>", "⟨202E⟩", "<s>"]
    assert [label.get("says") for label in labels if label.get("says")] == ["part of a character"]
    split = {str(i): {"data": data, "special": False} for i, data in enumerate(("YfCf", "mIA=", "Yg=="))}
    assert js.call("(entries) => textPieces(readBytes(entries), [0, 1, 2])", split) == ["a", "😀", "b"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [("👩‍👧", "👩‍👧"), ("a\u200db", "a\u200db"), ("1\u200d2", "1⟨200D⟩2"), ("\u200b", "⟨200B⟩"), ("❤️‍🔥", "❤️‍🔥")],
)
def test_joiners_between_letters_and_emoji_are_kept(js: Node, text: str, shown: str) -> None:
    """A joiner that holds letters or emoji together is drawn with them; any other unseen character is spelt out."""
    function = "(text) => tokenLabel(new Map([[1, { data: new TextEncoder().encode(text), special: false }]]), 1).text"
    assert js.call(function, text) == shown


def _entry(text: str, *, mark: bool = False) -> dict[str, Any]:
    return {"data": base64.b64encode(text.encode()).decode(), "special": mark}


def test_a_chat_template_is_not_shown_around_a_prompt(js: Node) -> None:
    """Only what was written stays, piece by piece, and the answer begins on a new line; a word of the template that contains the prompt
    is not taken for it. Marks in the prompt and characters that turn its direction do not bring the template back: they are spelt out.
    Without a template, or where the prompt is not found, nothing changes."""

    def shown(pieces: list[str], prompt: str) -> list[str]:
        """A piece that begins with < is a mark."""
        table = {str(i): _entry(piece, mark=piece.startswith("<")) for i, piece in enumerate(pieces)}
        function = "(entries, ids, prompt) => promptPieces(readBytes(entries), ids, prompt)"
        found: dict[str, Any] = js.call(function, table, [*range(len(pieces))], prompt)
        parts: list[str] = found["pieces"]
        assert found["template"] == (parts[-1] == "" and "\n" in "".join(parts))
        return parts

    def asked(*pieces: str) -> str:
        before, after = (
            ("<s>", "system", "\n", "Be kind", "<e>", "\n", "<s>", "user", "\n"),
            ("<e>", "\n", "<s>", "assistant", "\n"),
        )
        return "|".join(filter(None, shown([*before, *pieces, *after], "".join(pieces))))

    assert asked("What", " is", " it", "?") == "What| is| it|?\n"
    assert asked("What", "<e>", "<s>", "system") == "What|<e>|<s>|system\n"
    assert asked("<e>") == "<e>\n"
    assert asked("a", "\u202e", "b") == "a|⟨202E⟩|b\n"
    assert asked("a\x07", "\t", "\n", "\x1b[1m") == "a␇|\t|\n|␛[1m\n"
    assert shown(["<s>", "user", "\n", "a", "<e>", "assistant"], " a\n") == ["", "", "", "a\n", "", ""]
    assert shown(["[INST]", " Say", " it", "[/INST]"], "Say it") == ["", "Say", " it\n", ""]
    assert shown(["<s>", "The", "<e>", " dog"], "The<e> dog") == ["", "The", "<e>", " dog"]
    for pieces, prompt in (
        (["", "The", " dog"], "The dog"),
        ([" The", " dog"], "The dog"),
        (["x", "y"], "z"),
        (["x"], ""),
    ):
        assert shown(pieces, prompt) == pieces


def test_the_marks_of_the_axis_are_round_and_in_one_unit(js: Node) -> None:
    """Marks are evenly apart from the start to the end, in seconds where the whole axis has one, with the digits that they need."""
    for span, words in (
        (0.413, ["100 ms", "200 ms", "300 ms", "400 ms"]),
        (0.0042, ["1 ms", "2 ms", "3 ms", "4 ms"]),
        (0.0012, ["0.2 ms", "0.4 ms", "0.6 ms", "0.8 ms", "1.0 ms", "1.2 ms"]),
        (2.0, ["0.5 s", "1.0 s", "1.5 s", "2.0 s"]),
        (45.7, ["10 s", "20 s", "30 s", "40 s"]),
        (0, []),
    ):
        marks = js.call("(span) => axisMarks(span)", span)
        assert [mark["words"] for mark in marks] == words
        assert [mark["seconds"] for mark in marks] == pytest.approx(
            [float(w.split()[0]) * (0.001 if "ms" in w else 1) for w in words]
        )
