"""The curves of v(n): what is drawn and said follows from the recorded figures by sums that a reader can repeat."""

from typing import Any

import pytest

from specviz.lessons.learn_data import recorded_costs
from tests.helpers.lessons import lesson_of
from tests.helpers.node import Node

MODULES = ("lessons/common/quantities", "lessons/costs/cost_curve", "lessons/costs/cost_text")
SOURCE = {
    "recorded": "a machine", "target": "a model", "device": "cpu", "dtype": "float32", "processor": "", "measured_at": "now",
    "context": 64,
}  # fmt: skip
_SAY = """(source, curve, index) => costParts(source, curve, index).map((part) => part.text ?? part).join("")"""


def _curve(*costs: tuple[int, float]) -> list[dict[str, float]]:
    return [{"tokens": n, "pass_s": v / 100, "v": v, "low": v, "high": v} for n, v in costs]


def test_where_the_curve_bends(js: Node) -> None:
    """Where one more token begins to cost half of a one-token pass, and goes on so; a single slow pass bends nothing."""
    for curve, bend in (
        (_curve((1, 1), (2, 1.1), (4, 1.2), (8, 1.6)), None),
        (_curve((1, 1), (2, 1.1), (4, 1.2), (8, 3.6), (16, 8.6)), 4),
        (_curve((1, 1), (2, 1.1), (4, 1.2), (8, 3.6), (16, 2.4)), None),
        (_curve((1, 1), (2, 1.6), (4, 1.7), (8, 1.9)), None),
        (_curve((1, 1), (2, 1.7), (4, 3.1)), 1),
        (_curve((1, 1), (2, 1.4), (3, 1.9)), 2),
    ):
        assert js.call("(curve) => bendOf(curve)", curve) == bend, curve
        words = js.call("(curve, bend) => bendWords(curve, bend)", curve, bend)
        assert ("costs more than half" in words) is (bend is not None)


def test_the_sentence_of_v(js: Node) -> None:
    """One pass over n tokens, n passes over one, and v(n), the ratio of the two times that were measured; each figure says where."""
    points = js.call("(points) => curveOf(points)", [{"tokens": 1, "pass_s": 0.0045}, {"tokens": 6, "pass_s": 0.0091}])
    alone = {"name": "", "points": points}
    assert js.call(_SAY, SOURCE, alone, 1) == (
        "One pass over 6 tokens: 9.1 ms. Six passes over one token: 27.0 ms. v(6) = 2.02."
    )
    assert js.call(_SAY, SOURCE, alone, 0).endswith("v(1) = 1.")
    how = js.call("(source, curve) => costParts(source, curve, 1)[1].how", SOURCE, alone)
    assert how == (
        "The median of several passes over 6 tokens. Measured on a machine: a model, float32, cpu, now. "
        "Each text had 64 tokens before the pass."
    )
    several = {"name": "4 guests", "guests": 4, "points": points}
    assert js.call(_SAY, SOURCE, several, 1) == (
        "4 guests: one pass over 6 tokens for each takes 9.1 ms, over one for each 4.5 ms. v(6) = 2.02."
    )
    assert js.call("(point) => savedWords(point)", points[1]) == "✓ saved: 4.0 passes"
    assert js.call("(curve) => nearestPoint(curve, 5)", points) == 1
    woken = [{**point, "experts": 2 + 4 * index} for index, point in enumerate(points)]
    said = js.call(_SAY, {**SOURCE, "experts": 32}, {"name": "", "points": woken}, 1)
    assert said.endswith("v(6) = 2.02. It reads 6 of the 32 experts of every layer.")


def test_the_pictures_show_the_recorded_figures(js: Node) -> None:
    """Of one text, of a mixture beside a dense model, and of 1 to 64 guests: more guests make a further token dearer, and of all 64 guests a
    pass over nine tokens costs what the file has."""
    costs = recorded_costs(lesson_of("checking").recordings)
    assert costs is not None
    curves: dict[str, list[dict[str, Any]]] = {
        picture: js.call("(picture, costs) => curvesOf(picture, costs).curves", picture, costs)
        for picture in ("cost", "experts", "guests")
    }
    assert [len(found) for found in curves.values()] == [1, 2, 4]
    assert [point["tokens"] for point in curves["cost"][0]["points"]][-1] == 64
    assert [curve["name"] for curve in curves["guests"]] == ["1 guest", "4 guests", "16 guests", "64 guests"]
    last = [curve["points"][-1]["v"] for curve in curves["guests"]]
    assert last == sorted(last)
    passes = {each["tokens"]: each["pass_s"] for each in costs["guests"] if each["guests"] == 64}
    assert last[-1] == pytest.approx(passes[9] / passes[1])
    for curve in (curve for found in curves.values() for curve in found):
        assert all(point["v"] < point["tokens"] for point in curve["points"][1:]), "what a picture calls saved is saved"


def test_quantities_are_written_for_people(js: Node) -> None:
    """At most three digits, a unit, and no figure that rounds into another unit."""
    times = [2.5e-6, 0.00041, 0.0091, 0.027, 0.0999, 0.12, 0.9999, 1.5]
    assert js.call("(all) => all.map(timeWords)", times) == [
        "2.5 µs", "0.41 ms", "9.1 ms", "27.0 ms", "99.9 ms", "120 ms", "1.00 s", "1.50 s",
    ]  # fmt: skip
    assert js.call("() => [538e6, 9.7e9, 24.2e9].map(bytesWords)") == ["538 MB", "9.7 GB", "24.2 GB"]
