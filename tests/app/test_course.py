"""course.js in a real browser: what each lane shows is a pure function of (lanes, clock)."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from app.race import lanes
from specviz.models import load_pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.files import dump
from specviz.trace.metrics import speedup, summarise
from specviz.wire import PairAsked, Request

pytestmark = pytest.mark.xdist_group("lab")

_APP = Path(__file__).parents[2] / "app"
_SCRIPT = "\n".join(
    (_APP / name).read_text(encoding="utf-8")
    for name in ("player/timeline.js", "player/labels.js", "race/course.js", "race/words.js")
)

Json = dict[str, Any]


def _lane(kind: str, rounds: list[tuple[float, str]], state: str = "done", asked: int = 8) -> Json:
    """A lane of rounds (seconds at the end, how each token came: a(ccepted), c(orrected), b(onus))."""
    hows = {"a": "accepted", "c": "corrected", "b": "bonus"}
    rows = [[end, [7] * len(tokens), [hows[c] for c in tokens]] for end, tokens in rounds]
    table = {"7": {"data": "YQ==", "special": False}}
    lane = {"name": kind, "words": "", "kind": kind, "rounds": rows, "state": state, "asked": asked, "say": "soon"}
    return {**lane, "prompt": "p", "prompt_ids": [], "tokens": table, "how": "", "badge": None}


def _plain(tokens: int = 8, each: float = 0.01, state: str = "done", asked: int = 8) -> Json:
    return _lane("plain", [(each * (i + 1), "b") for i in range(tokens)], state, asked)


_QUICK = _lane("speculative", [(0.012, "aaab"), (0.024, "ac"), (0.036, "c"), (0.05, "b")])
_SLOW = _lane("speculative", [(0.02 * (i + 1), "c") for i in range(8)])


def _view(*lanes: Json, race: bool = True, live: bool = False, rate: float | None = None) -> Json:
    return {"id": "x", "race": race, "live": live, "note": "", "hint": "", "plain_rate": rate, "lanes": list(lanes)}


@pytest.fixture
def lab(page: Page) -> Page:
    """An empty page with nothing but the pure files in it."""
    page.set_content("<p></p>")
    page.add_script_tag(content=_SCRIPT)
    return page


def _at(lab: Page, view: Json, clock: float) -> list[Json]:
    script = "([view, clock]) => { const c = readCourse(view); return c.lanes.map((l) => laneAt(c, l, clock)); }"
    found: list[Json] = lab.evaluate(script, [view, clock])
    return found


def _course(lab: Page, view: Json, expression: str) -> Any:
    return lab.evaluate(f"(view) => {{ const c = readCourse(view); return {expression}; }}", view)


def test_a_lane_shows_the_tokens_of_the_rounds_that_have_ended(lab: Page) -> None:
    """Tokens come with the end of their round, never before it, and stay."""
    counts = [[now["tokens"] for now in _at(lab, _view(_plain(), _QUICK), t)] for t in (0, 0.0119, 0.012, 0.03, 1)]
    assert counts == [[0, 0], [1, 0], [1, 4], [3, 6], [8, 8]]


def test_backwards_equals_forwards(lab: Page) -> None:
    """What is shown at a clock does not depend on how the clock came there."""
    script = """(view) => {
        const c = readCourse(view), at = Array.from({ length: 201 }, (_, i) => (i * c.known) / 200);
        const show = (t) => JSON.stringify(c.lanes.map((l) => laneAt(c, l, t)));
        const ahead = at.map(show), back = [...at].reverse().map(show).reverse();
        return ahead.every((p, i) => p === back[i]) && new Set(ahead).size >= 10;
    }"""
    assert lab.evaluate(script, _view(_plain(), _QUICK, _SLOW))


def test_nothing_recorded_yet_has_a_place_too(lab: Page) -> None:
    """Lanes that wait show nothing, finish nothing, and say what they wait for."""
    view = _view(_plain(0, state="waiting"), _lane("speculative", [], "recording"), live=True)
    for now in _at(lab, view, 0.0):
        assert (now["tokens"], now["finished"], now["rate"], now["place"], now["awaited"]) == (
            0,
            False,
            None,
            None,
            True,
        )
    assert _course(lab, view, "[c.known, c.span, factorFor(c)]") == [0, 0, 1]
    assert _course(lab, view, "trackWords(c.lanes[0], laneAt(c, c.lanes[0], 0))") == "soon"


def test_one_token_alone_finishes(lab: Page) -> None:
    """A lane of one token begins with nothing and ends with it."""
    view = _view(_plain(1), _lane("speculative", [(0.02, "c")]))
    assert [now["finished"] for now in _at(lab, view, 0.0)] == [False, False]
    plain, speculative = _at(lab, view, 0.02)
    assert (plain["place"], speculative["place"], speculative["tokens"]) == (1, 2, 1)
    assert speculative["speedup"] == pytest.approx(0.5)


def test_a_slowdown_is_shown_as_one(lab: Page) -> None:
    """Where every draft is rejected the speculative lane loses, with a speedup below 1 and no pass saved."""
    plain, slow = _at(lab, _view(_plain(), _SLOW), 1.0)
    assert (plain["place"], slow["place"]) == (1, 2)
    assert slow["speedup"] == pytest.approx(0.5)
    assert slow["saved"] == 0
    view = _view(_plain(), _SLOW)
    assert _course(lab, view, "speedupWords(laneAt(c, c.lanes[1], 1).speedup)") == "as fast as plain: slower"
    assert _course(lab, view, "passesWords(c.lanes[1], laneAt(c, c.lanes[1], 1))").startswith("no target pass saved")


def test_the_first_to_finish_is_first(lab: Page) -> None:
    """Places follow the recorded ends, and none is given before its lane has finished."""
    view = _view(_plain(), _QUICK, _SLOW)
    assert [now["place"] for now in _at(lab, view, 1.0)] == [2, 1, 3]
    assert [now["place"] for now in _at(lab, view, 0.06)] == [None, 1, None]


def test_a_place_waits_for_lanes_that_may_yet_be_quicker(lab: Page) -> None:
    """A lane that is still being recorded can take the first place until it has been longer under way."""
    behind = _view(_plain(2, state="recording"), _QUICK, live=True)
    beyond = _view(_plain(7, state="recording"), _QUICK, live=True)
    assert _at(lab, behind, 0.05)[1]["place"] is None
    assert _at(lab, beyond, 0.05)[1]["place"] == 1


def test_rates_and_passes_are_the_recorded_ones(lab: Page) -> None:
    """Tokens a second are tokens over recorded seconds, and what is saved is tokens less passes."""
    plain, quick = _at(lab, _view(_plain(), _QUICK), 1.0)
    assert plain["rate"] == pytest.approx(8 / 0.08)
    assert quick["rate"] == pytest.approx(8 / 0.05)
    assert (quick["saved"], quick["passes"], plain["passes"], plain["saved"]) == (4, 4, 8, None)


def test_the_speedup_compares_as_many_tokens(lab: Page) -> None:
    """On the way: tokens by now over plain tokens by now. At the end: the two times for as many tokens as both have."""
    longer = _view(_plain(12), _QUICK)
    assert _at(lab, longer, 0.024)[1]["speedup"] == pytest.approx(6 / 2)
    assert _at(lab, longer, 0.05)[1]["speedup"] == pytest.approx(0.08 / 0.05)
    assert _at(lab, longer, 9.0)[1]["speedup"] == pytest.approx(0.08 / 0.05)


def test_no_speedup_is_made_up_while_plain_is_recorded(lab: Page) -> None:
    """Past what has been recorded of the plain lane there is no speedup yet."""
    view = _view(_plain(2, state="recording"), _QUICK, live=True, rate=100.0)
    assert _at(lab, view, 0.012)[1]["speedup"] == pytest.approx(4.0)
    assert _at(lab, view, 0.04)[1]["speedup"] is None
    assert _at(lab, view, 0.05)[1]["speedup"] is None


def test_the_clock_can_pass_what_is_recorded_of_a_lane(lab: Page) -> None:
    """The speculative lane is watched while the plain one is still awaited."""
    plain, quick = _at(lab, _view(_plain(0, state="waiting"), _QUICK, live=True, rate=100.0), 0.03)
    assert (plain["awaited"], plain["tokens"], quick["awaited"], quick["tokens"]) == (True, 0, False, 6)


@pytest.mark.parametrize(("each", "factor"), [(0.01, 150), (0.0005, 3000), (0.19, 8), (1.4, 1), (30.0, 1)])
def test_by_default_the_plain_lane_lasts_about_twelve_seconds(lab: Page, each: float, factor: float) -> None:
    """The factor is a round number near twelve seconds over the plain lane's, and never quicker than real."""
    view = _view(_plain(each=each), _QUICK)
    found = _course(lab, view, "factorFor(c)")
    assert found == pytest.approx(factor)
    if found > 1:
        assert 10.2 <= found * 8 * each <= 14


def test_until_plain_is_recorded_its_rate_at_load_sets_the_factor(lab: Page) -> None:
    """The default factor rests on the plain rate measured at load while the plain lane is awaited, as does the scale."""
    view = _view(_plain(0, state="waiting"), _QUICK, live=True, rate=10.0)
    assert _course(lab, view, "[factorFor(c), c.span]") == [15, pytest.approx(0.8)]


def test_the_factor_is_said(lab: Page) -> None:
    """True speed is called so, and anything slower says how much."""
    words = lab.evaluate("() => [1, 2.5, 30, 1200].map(factorWords)")
    assert words == ["true speed", "2.5× slower than real", "30× slower than real", "1200× slower than real"]


def test_lanes_of_different_lengths_have_their_own_goals(lab: Page) -> None:
    """Two runs of other lengths both come to the end of their track, and there is no winner between them."""
    other = _lane("speculative", [(0.01, "ab"), (0.02, "ab")], asked=64)
    first, second = _at(lab, _view(_QUICK, other, race=False), 1.0)
    assert (first["share"], second["share"]) == (1, 1)
    assert (first["place"], second["place"], first["speedup"]) == (None, None, None)


def test_a_stopped_lane_has_an_end_but_no_place(lab: Page) -> None:
    """What a stopped run wrote is shown to its end; it wins nothing."""
    cut = _lane("speculative", [(0.01, "aaab")], "stopped")
    plain, stopped = _at(lab, _view(_plain(0, state="missing"), cut), 1.0)
    assert (stopped["finished"], stopped["place"], stopped["speedup"]) == (True, None, None)
    assert not plain["finished"]


def test_arrow_keys_stop_wherever_a_lane_gains_tokens(lab: Page) -> None:
    """From moment to moment forwards, the same moments backwards, held at both ends."""
    view = _view(_plain(3), _lane("speculative", [(0.012, "aaa")]))
    script = """(view) => {
        const c = readCourse(view), ahead = [], back = [];
        for (let t = 0; t < c.known; ) ahead.push((t = stopBeside(c, t, 1)));
        for (let t = c.known; t > 0; ) back.push((t = stopBeside(c, t, -1)));
        return [ahead, back, stopBeside(c, c.known, 1), stopBeside(c, 0, -1)];
    }"""
    ahead, back, last, first = lab.evaluate(script, view)
    assert ahead == pytest.approx([0.01, 0.012, 0.02, 0.03])
    assert back == pytest.approx([0.02, 0.012, 0.01, 0])
    assert (last, first) == (pytest.approx(0.03), 0)


def test_the_figures_of_a_real_race_are_those_of_the_metrics(lab: Page) -> None:
    """At the end of a real recording, each lane's rate, passes and speedup are what the library says."""
    pair = load_pair("embedded", device="cpu", dtype="float32")
    settings = Settings(k=4, max_new_tokens=20)
    speculative = Run(pair, "Once upon a time", settings).finish()
    plain = Run(pair, "Once upon a time", settings, plain=True).finish()
    view = {"id": "x", "status": "done", "recording": dump([speculative, plain]), "live": None}
    request = Request(PairAsked("embedded"), "Once upon a time", settings)
    shown = _at(lab, lanes.race(lanes.Entrant(view, request, None)), 1e9)
    for now, trace in zip(shown, (plain, speculative), strict=True):
        figures = summarise(trace)
        assert now["finished"]
        assert now["rate"] == pytest.approx(figures.tokens_per_second)
        assert (now["tokens"], now["passes"]) == (len(figures.token_ids), figures.rounds)
    assert shown[1]["speedup"] == pytest.approx(speedup(plain, speculative))
