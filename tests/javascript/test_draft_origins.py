"""copied_passages.ts: where a copied draft comes from, as it is drawn on the desk."""

from dataclasses import replace
from typing import Any

from specviz.trace.records import Match, Trace
from tests.helpers.node import Node
from tests.helpers.views import trace_of, view_of
from tests.javascript.views import GIVEN

_STRIP = "(view, given) => { const run = readRun(view, given); return stripOf(run, run.rounds[0]); }"


def _strip(js: Node, trace: Trace) -> Any:
    return js.call(_STRIP, view_of(trace), GIVEN)


def _cells(row: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [(cell["text"], cell["from"], cell["to"], cell["kind"]) for cell in row["cells"]]


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
