"""The sentence under a measurement: every figure in it is one of the result, in the reader's language."""

from typing import Any

import pytest

from specviz.lessons.ui_text import words_of
from specviz.lessons.vocabulary import MEASUREMENTS
from specviz.trace.measured import Kind
from tests.helpers.node import Node
from tests.test_wire import MEASUREMENT

MODULES = ("lessons/measured/measured_sentence",)


def _point(guests: int, tokens: int, seconds: float) -> dict[str, Any]:
    more = {"low_s": seconds * 0.9, "high_s": seconds * 1.1, "operations": 2e7 * guests * tokens, "bytes": 21e6}
    return {"guests": guests, "tokens": tokens, "pass_s": seconds, **more}


def _result(kind: Kind, points: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {**MEASUREMENT.as_json(), "kind": kind.value, "points": points, "left_out": 0, **more}


def _sentence(js: Node, result: dict[str, Any], language: str = "en") -> tuple[str, dict[str, str]]:
    """The sentence, and how each figure in it is known."""
    pieces = js.call("(...given) => sentenceOf(...given)", result, words_of(language), language)
    return "".join(piece["text"] for piece in pieces), {p["text"]: p["how"] for p in pieces if "how" in p}


def test_every_kind_has_its_sentence(js: Node) -> None:
    """The names in lessons, on the wire and in the sentences are the same, and no gap stays open in any language."""
    assert set(MEASUREMENTS) == {kind.value for kind in Kind}
    points = [_point(g, n, 0.001 * g + 0.001 * n) for g in (1, 64) for n in (1, 5, 6)]
    for language in ("en", "de"):
        for kind in Kind:
            words, figures = _sentence(js, _result(kind, points), language)
            assert "{" not in words
            assert len(figures) >= 2
            assert all(how and "{" not in how for how in figures.values())


def test_the_figures_are_those_of_the_result(js: Node) -> None:
    """Ratios, units and shares, computed here by hand; a comma in German."""
    words, figures = _sentence(
        js, _result(Kind.PASS_COST, [_point(1, 1, 0.002), _point(1, 6, 0.0043), _point(1, 64, 0.1)])
    )
    assert (
        words
        == "A pass over one token takes 2 ms, a pass over 6 tokens 4.3 ms: 2.15× as long, where 6 passes would take 6×."
    )
    assert "Median of 25 passes" in figures["2 ms"]
    assert "between 1.8 ms and 2.2 ms" in figures["2 ms"]
    assert figures["2.15×"] == "4.3 ms over 2 ms, both medians."
    german, _ = _sentence(js, _result(Kind.PASS_COST, [_point(1, 1, 0.002), _point(1, 6, 0.0043)]), "de")
    assert "4,3 ms: 2,15× so lange" in german
    words, figures = _sentence(js, _result(Kind.BANDWIDTH, [_point(1, 1, 0.002)], weights_in_cache=True))
    assert words_of("en")["measured_in_cache"] in figures["10 GB/s"]
    assert (
        "reads 21 MB of weights in 2 ms and uses 10 % of the arithmetic. Memory alone gives 10 GB/s." in words
    )  # 2e7 operations in 2 ms of 1e11 a second
    points = [_point(1, 1, 0.002), _point(1, 5, 0.003), _point(64, 1, 0.01), _point(64, 5, 0.04)]
    words, _ = _sentence(js, _result(Kind.BATCH_COST, points))
    assert "With one guest, 5 tokens cost 1.5×" in words
    assert "With 64 guests, 5 tokens for each cost 4×" in words


def test_what_was_not_measured_is_not_said(js: Node) -> None:
    """Where shapes were left out the sentence speaks of the largest that there is, or says that there is too little."""
    points = [_point(1, 1, 0.002), _point(1, 4, 0.003), _point(1, 8, 0.004)]
    words, _ = _sentence(js, _result(Kind.PASS_COST, points))
    assert "a pass over 4 tokens 3 ms" in words
    for kind in (Kind.PASS_COST, Kind.BATCH_COST):
        words, figures = _sentence(js, _result(kind, [_point(1, 1, 0.002)]))
        assert (words, figures) == (words_of("en")["measured_too_little"], {})
    points = [_point(1, 1, 0.002), _point(1, 5, 0.003), _point(8, 1, 0.01), _point(8, 5, 0.02), _point(16, 1, 0.03)]
    assert "With 8 guests, 5 tokens for each cost 2×" in _sentence(js, _result(Kind.BATCH_COST, points))[0]


def test_figures_that_cannot_be_trusted_are_no_headline(js: Node) -> None:
    """Where something disturbed the passes there is a warning instead of the sentence; shapes that were left out are counted."""
    words = words_of("en")
    points = [_point(1, 1, 0.002), _point(1, 6, 0.0043)]
    said, figures = _sentence(js, _result(Kind.PASS_COST, points, disturbed=True))
    assert (said, figures) == (f"⚠ {words['measured_disturbed']}", {})
    remark = "(...given) => remarkOf(...given)"
    assert js.call(remark, _result(Kind.BANDWIDTH, []), words) == ""
    assert "3 more" in js.call(remark, _result(Kind.BANDWIDTH, [], left_out=3), words)


@pytest.mark.parametrize(
    ("age", "says"),
    [(0, "just now"), (89, "just now"), (91, "2 min ago"), (180, "3 min ago"), (5300, "88 min ago"), (5500, "2 h ago")],
)
def test_when_it_was_measured(js: Node, age: float, says: str) -> None:
    """In minutes, later in hours, with the model."""
    found = js.call("(...given) => whenOf(...given)", _result(Kind.PASS_COST, []), age, words_of("en"))
    assert says in found
    assert found.endswith("Model: big.")
