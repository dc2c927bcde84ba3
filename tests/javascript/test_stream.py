"""The weights that a pass reads: what is drawn and said follows from the recorded figures."""

from typing import Any

import pytest

from specviz.lessons.learn_data import recorded_costs
from tests.helpers.lessons import lesson_of
from tests.helpers.node import Node

ONE, MANY = 0.0063, 0.0076
TIMES = {"one": ONE, "many": MANY}
SCENE = "(mode, times, clock) => sceneAt(mode, times, clock)"
END = "(mode, times) => streamEnd(mode, times)"

MODULES = ("lessons/stream/stream_timeline", "lessons/stream/stream_text")


@pytest.fixture(scope="module")
def costs() -> dict[str, Any]:
    found = recorded_costs(lesson_of("checking").recordings)
    assert found is not None
    return found


def _scene(js: Node, mode: str, share: float) -> dict[str, Any]:
    found: dict[str, Any] = js.call(SCENE, mode, TIMES, share * js.call(END, mode, TIMES))
    return found


def test_every_token_of_its_own_pass_waits_for_the_one_before(js: Node) -> None:
    """In the middle of six passes three tokens are written, and the weights were read three times; at the end six times."""
    middle = _scene(js, "six passes", 0.5)
    assert middle["shares"] == pytest.approx([1, 1, 1, 0, 0, 0])
    assert middle["readings"] == pytest.approx(3)
    end = _scene(js, "six passes", 1)
    assert end["ended"]
    assert end["readings"] == 6
    assert end["elapsed"] == pytest.approx(6 * ONE)
    assert _scene(js, "one token", 1)["elapsed"] == pytest.approx(ONE)


def test_six_passes_become_one(js: Node) -> None:
    """It begins as the six passes ended, their blocks move into one that is as long as a pass over six tokens, and the weights are read once,
    past all of them at the same time."""
    first = _scene(js, "six in one", 0)
    assert first["blocks"] == _scene(js, "six passes", 1)["blocks"]
    assert first["joined"] == 0
    late = _scene(js, "six in one", 0.8)
    assert late["joined"] == 1
    assert all(block["from"] == 0 and block["to"] == pytest.approx(MANY) for block in late["blocks"])
    assert len(set(late["shares"])) == 1
    assert 0 < late["shares"][0] < 1
    assert late["shares"][0] == pytest.approx(late["readings"]) == pytest.approx(late["elapsed"] / MANY)
    end = _scene(js, "six in one", 1)
    assert (end["readings"], end["elapsed"]) == (1, pytest.approx(MANY))


def test_the_figures_are_those_of_the_file(js: Node, costs: dict[str, Any]) -> None:
    """Bytes are the target's weights in the recorded number format; each time says the file that it is from."""
    points = {point["tokens"]: point["pass_s"] for point in costs["points"]}
    assert costs["weights_bytes"] == 10_688_768 * 4
    assert points[6] / points[1] == pytest.approx(1.19, abs=0.01)
    times = {"one": points[1], "many": points[6]}
    parts = js.call("(mode, costs, times) => streamParts(mode, costs, times)", "six in one", costs, times)
    figures = [part for part in parts if isinstance(part, dict)]
    assert [each["text"] for each in figures] == ["42.8 MB", "7.6 ms", "38.0 ms"]
    assert all("two cores of an AMD EPYC" in each["how"] for each in figures)
    assert "assets/recorded-costs.json" in figures[1]["how"]


def test_a_recording_of_another_target_has_no_costs() -> None:
    """Costs of the embedded pair are shown beside its own recordings only."""
    assert recorded_costs([]) is None
