"""copied_passages.js and recycling_table.js: where a draft comes from, as it is drawn on the desk."""

from dataclasses import replace
from typing import Any

import torch

from specviz.decoding.drafters.lookahead import LookaheadDrafter
from specviz.decoding.drafters.recycling import RecyclingDrafter
from specviz.decoding.loop import speculate
from specviz.decoding.recorder import FULL
from specviz.decoding.testing import TableModel
from specviz.settings import Settings
from specviz.trace.drafting import Match, OwnTokens
from specviz.trace.files import to_json
from specviz.trace.records import Trace
from tests.helpers.node import Node
from tests.helpers.views import trace_of, view_of
from tests.javascript.views import GIVEN

_STRIP = "(view, given) => { const run = readRun(view, given); return stripOf(run, run.rounds[0]); }"
_ROWS = "(round, last) => [rowsUsed(round, last), rowsWritten(round, last)]"


def _strip(js: Node, trace: Trace) -> Any:
    return js.call(_STRIP, view_of(trace), GIVEN)


def _cells(row: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [(cell["text"], cell["from"], cell["to"], cell["kind"]) for cell in row["cells"]]


def _recut(own: OwnTokens, *, drafter: str = "slem", rounds: str = "ar") -> Trace:
    """The text "a nest" in one token after a special one, with two drafted tokens."""
    texts = {0: b"<|user|>", 5: b"a", 6: b" nest", 1: b" in", 2: b"\n\n"}
    trace = trace_of([rounds], texts=texts, drafter=drafter, label=drafter)
    trace = replace(trace, prompt_ids=(0, 5, 6), rounds=(replace(trace.rounds[0], own=own),))
    return replace(trace, tokens=trace.tokens | {0: replace(trace.tokens[0], special=True)})


def test_both_cuttings_stand_on_one_scale_of_bytes(js: Node) -> None:
    """Tokens stand over the same bytes; what both have is marked so, what is cut differently too, and what was not proposed is left over."""
    own = OwnTokens((b"", b"a", b" ne", b"st"), (b" in", b"\n", b"\n", b"He"))
    strip = _strip(js, _recut(own))
    above, below = strip["rows"]
    assert _cells(above) == [
        ("a", 0, 1, "read alike"),
        ("·ne", 1, 4, "read apart"),
        ("st", 4, 6, "read apart"),
        ("·in", 6, 9, "written alike"),
        ("⏎", 9, 10, "written apart"),
        ("⏎", 10, 11, "written apart"),
        ("He", 11, 13, "left"),
    ]
    assert _cells(below) == [
        ("a", 0, 1, "text alike"),
        ("·nest", 1, 6, "text apart"),
        ("·in", 6, 9, "drafted alike"),
        ("⏎⏎", 9, 11, "drafted apart"),
    ]
    assert [cell["mark"] for cell in below["cells"]] == ["=", "✂", "=", "✂"]
    assert [cell["shown"] for cell in below["cells"]] == [0, 0, 1, 2]
    assert strip["units"] == 13


def test_only_what_the_record_says_of_the_draft_is_drawn(js: Node) -> None:
    """Where the text that was read does not end like the target's, it is left out; nothing is drawn of a round that says nothing."""
    strip = _strip(js, _recut(OwnTokens((b"a", b" rest"), (b" in", b"\n\n"))))
    assert [cells[0][0] for cells in map(_cells, strip["rows"])] == ["·in", "·in"]
    assert _strip(js, replace(_recut(OwnTokens()), rounds=trace_of(["ar"]).rounds)) is None


def test_a_copy_stands_under_the_passage_it_comes_from(js: Node) -> None:
    """The found words and what followed them above, the end of the text and the guesses below, with the counts of the drafter."""
    trace = trace_of(["ar"], drafter="suffix", label="suffix decoding")
    trace = replace(trace, prompt_ids=(3, 4, 1, 2, 3, 4))
    trace = replace(trace, rounds=(replace(trace.rounds[0], source=2),))
    marked = replace(trace, rounds=(replace(trace.rounds[0], match=Match(2, 3, 2)),))
    strip = _strip(js, marked)
    above, below = strip["rows"]
    assert [(cell["text"], cell["kind"]) for cell in above["cells"]] == [
        ("·w3", "found"),
        ("·w4", "found"),
        ("·w1", "followed"),
        ("·w2", "followed"),
    ]
    assert [cell["kind"] for cell in below["cells"]] == ["found", "found", "copied", "copied"]
    assert above["name"] == "Earlier in the text"
    assert strip["note"].startswith("The last 2 tokens occurred 3 times before: 2 of these times went on like this.")
    elsewhere = replace(marked, prompt_ids=(7, 8, 1, 2, 3, 4))
    assert _strip(js, elsewhere)["rows"][0]["name"] == "In an earlier text of this visit"
    lit = "(view, given) => matchedOf(readRun(view, given).rounds[0])"
    assert js.call(lit, view_of(marked), GIVEN) == [0, 2]
    assert js.call(lit, view_of(trace), GIVEN) is None


def test_the_table_is_the_drafters_own(js: Node) -> None:
    """Of every round the rows that are drawn are the beginnings of those that the drafter had, in order, and each is as the pass left it."""
    target = TableModel.random(9, 3, memory=2)
    drafter = RecyclingDrafter(9)
    text, checked, settings = [1, 2, 1], 0, Settings(drafter="recycling", k=4, nodes=9, max_new_tokens=40)
    table: dict[int, list[int]] = {}
    decoding = speculate(target, drafter, text, settings, recorder=FULL)
    with torch.inference_mode():
        for round_ in decoding:
            before = table
            rows, written = js.call(_ROWS, to_json(round_), text[-1])
            for reading in drafter._unread:
                drafter._recycle(reading)
            drafter._unread.clear()
            table = {token: list(row) for token, row in drafter._successors.items()}
            assert written == len({text[-1], *(d.token for d in round_.drafted)})
            for row in rows:
                successors = [one["token"] for one in row["successors"]]
                if before:
                    assert successors == before[row["token"]][: len(successors)]
                assert row["now"] in (None, table[row["token"]][0])
                checked += row["now"] is not None and bool(before)
            text += round_.tokens
    assert checked > 20


def test_the_paths_of_a_window_are_the_tree(js: Node) -> None:
    """Of every round each guess is in a path that ends in a leaf, and is written out in one of them: the others point at it."""
    settings = Settings(drafter="lookahead", k=4, nodes=12, max_new_tokens=30)
    branched = 0
    for round_ in speculate(TableModel.random(9, 3, memory=2), LookaheadDrafter(9), [1, 2, 1], settings, recorder=FULL):
        paths = js.call("(round) => pathsOf(round.drafted)", to_json(round_))
        parents = [drafted.parent for drafted in round_.drafted]
        for path in paths:
            assert [parents[node] for node in path["nodes"]] == [-1, *path["nodes"][:-1]]
            assert path["nodes"][-1] not in parents
        assert sorted(node for path in paths for node in path["nodes"][path["from"] :]) == list(range(len(parents)))
        branched += len(paths) > 1
    assert branched > 3
