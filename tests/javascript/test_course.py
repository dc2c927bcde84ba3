"""course.js: what each lane shows is a pure function of (lanes, clock)."""

from typing import Any

import pytest

from app.race import lanes
from specviz.models import Pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.files import dump
from specviz.trace.metrics import speedup, summarise
from specviz.wire import PairAsked, Request
from tests.helpers.node import Node

Json = dict[str, Any]
_HOWS = {"c": "corrected", "b": "bonus"}


def _round(start: int, began: float, ended: float, tokens: str) -> Json:
    """A round that ended then, and how each of its tokens came: a(ccepted), c(orrected), b(onus)."""
    accepted = tokens.count("a")
    closing = None if tokens.endswith("a") else {"token": 7, "how": _HOWS[tokens[-1]], "draw": None}
    rejected = ["rejected"] if tokens.endswith("c") else []
    drafted = [
        {"token": 7, "parent": i - 1, "draft_prob": 0.5, "target_prob": 0.5, "draw": None, "verdict": verdict}
        for i, verdict in enumerate(["accepted"] * accepted + rejected)
    ]
    times = {"began_s": began, "draft_s": 0.0, "verify_s": ended - began, "ended_s": ended}
    return {"start": start, "drafted": drafted, "accepted": list(range(accepted)), "closing": closing, **times}


def _lane(kind: str, rounds: list[tuple[float, str]], state: str = "done", asked: int = 8) -> Json:
    """A lane of rounds (seconds at the end, how each token came)."""
    made: list[Json] = []
    start, began = 0, 0.0
    for ended, tokens in rounds:
        made.append(_round(start, began, ended, tokens))
        start, began = start + len(tokens), ended
    source = {"prompt_ids": [], "tokens": {"7": {"data": "YQ==", "special": False}}, "rounds": made}
    lane = {"name": kind, "words": "", "kind": kind, "source": source, "state": state, "asked": asked, "say": "soon"}
    return {**lane, "prompt": "p", "how": "", "busy": "", "badge": None}


def _plain(tokens: int = 8, each: float = 0.01, state: str = "done", asked: int = 8) -> Json:
    return _lane("plain", [(each * (i + 1), "b") for i in range(tokens)], state, asked)


_QUICK = _lane("speculative", [(0.012, "aaab"), (0.024, "ac"), (0.036, "c"), (0.05, "b")])
_SLOW = _lane("speculative", [(0.02 * (i + 1), "c") for i in range(8)])


def _view(*lanes: Json, race: bool = True, live: bool = False, rate: float | None = None) -> Json:
    return {
        "id": "x",
        "race": race,
        "live": live,
        "note": "",
        "hint": "",
        "plain_rate": rate,
        "real_time": False,
        "lanes": list(lanes),
    }


def _at(js: Node, view: Json, clock: float) -> list[Json]:
    function = "(view, clock) => { const c = readCourse(view); return c.lanes.map((l) => laneAt(c, l, clock)); }"
    found: list[Json] = js.call(function, view, clock)
    return found


def _course(js: Node, view: Json, expression: str) -> Any:
    return js.call(f"(view) => {{ const c = readCourse(view); return {expression}; }}", view)


def test_a_lane_shows_the_tokens_of_the_rounds_that_have_ended(js: Node) -> None:
    """Tokens come with the end of their round, never before it, and stay."""
    counts = [[now["tokens"] for now in _at(js, _view(_plain(), _QUICK), t)] for t in (0, 0.0119, 0.012, 0.03, 1)]
    assert counts == [[0, 0], [1, 0], [1, 4], [3, 6], [8, 8]]


def test_a_lane_that_is_not_trusted_has_no_speedup_and_nobody_a_rank(js: Node) -> None:
    """On a busy machine neither the speedup nor who came first is a figure; the tokens and the passes still are."""
    calm = _at(js, _view(_plain(), _QUICK), 1)
    assert [now["rank"] for now in calm] == [2, 1]
    assert calm[1]["speedup"] == pytest.approx(0.08 / 0.05)
    busy = _at(js, _view(_plain(), {**_QUICK, "busy": "this machine is busy: between 0.4× and 8.7×"}), 1)
    assert [now["rank"] for now in busy] == [None, None]
    assert (busy[1]["speedup"], busy[1]["withPrompt"], busy[1]["tokens"]) == (None, None, 8)


def test_backwards_equals_forwards(js: Node) -> None:
    """What is shown at a clock does not depend on how the clock came there."""
    script = """(view) => {
        const c = readCourse(view), at = Array.from({ length: 201 }, (_, i) => (i * c.known) / 200);
        const show = (t) => JSON.stringify(c.lanes.map((l) => laneAt(c, l, t)));
        const ahead = at.map(show), back = [...at].reverse().map(show).reverse();
        return ahead.every((p, i) => p === back[i]) && new Set(ahead).size >= 10;
    }"""
    assert js.call(script, _view(_plain(), _QUICK, _SLOW))


def test_nothing_recorded_yet_can_be_drawn_too(js: Node) -> None:
    """Lanes that wait show nothing, finish nothing, and say what they wait for."""
    view = _view(_plain(0, state="waiting"), _lane("speculative", [], "recording"), live=True)
    for now in _at(js, view, 0.0):
        assert (now["tokens"], now["finished"], now["rate"], now["rank"], now["awaited"]) == (
            0,
            False,
            None,
            None,
            True,
        )
    assert _course(js, view, "[c.known, c.span, factorFor(c)]") == [0, 0, 1]
    assert _course(js, view, "trackWords(c.lanes[0], laneAt(c, c.lanes[0], 0))") == "soon"


def test_one_token_alone_finishes(js: Node) -> None:
    """A lane of one token begins with nothing and ends with it."""
    view = _view(_plain(1), _lane("speculative", [(0.02, "c")]))
    assert [now["finished"] for now in _at(js, view, 0.0)] == [False, False]
    plain, speculative = _at(js, view, 0.02)
    assert (plain["rank"], speculative["rank"], speculative["tokens"]) == (1, 2, 1)
    assert speculative["speedup"] == pytest.approx(0.5)


def test_a_slowdown_is_shown_as_one(js: Node) -> None:
    """Where every draft is rejected the speculative lane loses, with a speedup below 1 and no pass saved."""
    plain, slow = _at(js, _view(_plain(), _SLOW), 1.0)
    assert (plain["rank"], slow["rank"]) == (1, 2)
    assert slow["speedup"] == pytest.approx(0.5)
    assert slow["saved"] == 0
    view = _view(_plain(), _SLOW)
    assert _course(js, view, "speedupWords(laneAt(c, c.lanes[1], 1).speedup)") == "slower than plain"
    assert _course(js, view, "passesWords(laneAt(c, c.lanes[1], 1))").startswith("no target pass saved")


def test_the_first_to_finish_is_first(js: Node) -> None:
    """Ranks follow the recorded ends, and none is given before its lane has finished."""
    view = _view(_plain(), _QUICK, _SLOW)
    assert [now["rank"] for now in _at(js, view, 1.0)] == [2, 1, 3]
    assert [now["rank"] for now in _at(js, view, 0.06)] == [None, 1, None]


def test_a_rank_waits_for_lanes_that_may_still_be_faster(js: Node) -> None:
    """A lane that is still being recorded can still be first until it has taken longer."""
    slower = _view(_plain(2, state="recording"), _QUICK, live=True)
    beyond = _view(_plain(7, state="recording"), _QUICK, live=True)
    assert _at(js, slower, 0.05)[1]["rank"] is None
    assert _at(js, beyond, 0.05)[1]["rank"] == 1


def test_rates_and_passes_are_the_recorded_ones(js: Node) -> None:
    """Tokens a second are tokens over recorded seconds, and what is saved is tokens less passes."""
    plain, quick = _at(js, _view(_plain(), _QUICK), 1.0)
    assert plain["rate"] == pytest.approx(8 / 0.08)
    assert quick["rate"] == pytest.approx(8 / 0.05)
    assert (quick["saved"], quick["passes"], plain["passes"], plain["saved"]) == (4, 4, 8, None)


def test_the_speedup_compares_as_many_tokens(js: Node) -> None:
    """From the third pass on: the two times for the tokens by now; for no more tokens than both have."""
    longer = _view(_plain(12), _QUICK)
    assert [_at(js, longer, at)[1]["speedup"] for at in (0.012, 0.024)] == [None, None]
    for at, tokens in ((0.036, 7), (0.04, 7), (0.05, 8), (9.0, 8)):
        now = _at(js, longer, at)[1]
        assert now["tokens"] == tokens
        assert now["speedup"] == pytest.approx(0.01 * tokens / (0.036 if tokens == 7 else 0.05))


def test_no_speedup_is_made_up_while_plain_is_recorded(js: Node) -> None:
    """For more tokens than have been recorded of the plain lane there is no speedup yet."""
    view = _view(_plain(7, state="recording"), _QUICK, live=True, rate=100.0)
    assert _at(js, view, 0.04)[1]["speedup"] == pytest.approx(0.07 / 0.036)
    assert _at(js, view, 0.05)[1]["speedup"] is None


def test_the_clock_can_pass_what_is_recorded_of_a_lane(js: Node) -> None:
    """The speculative lane is watched while the plain one is still awaited."""
    plain, quick = _at(js, _view(_plain(0, state="waiting"), _QUICK, live=True, rate=100.0), 0.03)
    assert (plain["awaited"], plain["tokens"], quick["awaited"], quick["tokens"]) == (True, 0, False, 6)


@pytest.mark.parametrize(("each", "factor"), [(0.01, 150), (0.0005, 3000), (0.19, 8), (1.4, 1), (30.0, 1)])
def test_by_default_the_plain_lane_lasts_about_twelve_seconds(js: Node, each: float, factor: float) -> None:
    """The factor is a round number near twelve seconds over the plain lane's, and never quicker than real."""
    view = _view(_plain(each=each), _QUICK)
    found = _course(js, view, "factorFor(c)")
    assert found == pytest.approx(factor)
    if found > 1:
        assert 10.2 <= found * 8 * each <= 14


def test_until_plain_is_recorded_its_rate_at_load_sets_the_factor(js: Node) -> None:
    """The default factor rests on the plain rate measured at load while the plain lane is awaited, as does the scale."""
    view = _view(_plain(0, state="waiting"), _QUICK, live=True, rate=10.0)
    assert _course(js, view, "[factorFor(c), c.span]") == [15, pytest.approx(0.8)]


def test_a_race_opens_in_real_time_where_that_can_be_read(js: Node) -> None:
    """The chat model's race plays as fast as it was; the tiny pair's at the default, which is slower."""
    recording = {"recording": None, "live": None, "status": "queued", "id": "x", "queue_position": 0, "what": ""}
    opened = {}
    for name in ("smollm2-135m", "embedded"):
        view = lanes.race(lanes.Entrant(recording, Request(PairAsked(name), "p", Settings()), None))
        opened[name] = _course(js, view, "openingFactor(c)")
    assert opened == {"smollm2-135m": 1, "embedded": None}


def test_the_factor_is_said(js: Node) -> None:
    """Real time is called so, and anything slower says how much."""
    words = js.call("() => [1, 2.5, 30, 1200].map(factorWords)")
    assert words == ["real time", "2.5× slower than real", "30× slower than real", "1200× slower than real"]


def test_lanes_of_different_lengths_have_their_own_goals(js: Node) -> None:
    """Two runs of other lengths both come to the end of their track, and there is no winner between them."""
    other = _lane("speculative", [(0.01, "ab"), (0.02, "ab")], asked=64)
    first, second = _at(js, _view(_QUICK, other, race=False), 1.0)
    assert (first["share"], second["share"]) == (1, 1)
    assert (first["rank"], second["rank"], first["speedup"]) == (None, None, None)


def test_a_stopped_lane_has_an_end_but_no_rank(js: Node) -> None:
    """What a stopped run wrote is shown to its end; it wins nothing."""
    cut = _lane("speculative", [(0.01, "aaab")], "stopped")
    plain, stopped = _at(js, _view(_plain(0, state="missing"), cut), 1.0)
    assert (stopped["finished"], stopped["rank"], stopped["speedup"]) == (True, None, None)
    assert not plain["finished"]


def test_arrow_keys_stop_wherever_a_lane_gains_tokens(js: Node) -> None:
    """From moment to moment forwards, the same moments backwards, held at both ends."""
    view = _view(_plain(3), _lane("speculative", [(0.012, "aaa")]))
    script = """(view) => {
        const c = readCourse(view), ahead = [], back = [];
        for (let t = 0; t < c.known; ) ahead.push((t = stopBeside(c, t, 1)));
        for (let t = c.known; t > 0; ) back.push((t = stopBeside(c, t, -1)));
        return [ahead, back, stopBeside(c, c.known, 1), stopBeside(c, 0, -1)];
    }"""
    ahead, back, last, first = js.call(script, view)
    assert ahead == pytest.approx([0.01, 0.012, 0.02, 0.03])
    assert back == pytest.approx([0.02, 0.012, 0.01, 0])
    assert (last, first) == (pytest.approx(0.03), 0)


def test_the_figures_of_a_real_race_are_those_of_the_metrics(js: Node, embedded: Pair) -> None:
    """At the end of a real recording, each lane's rate, passes and speedup are what the library says."""
    settings = Settings(k=4, max_new_tokens=20)
    speculative = Run(embedded, "Once upon a time", settings).finish()
    plain = Run(embedded, "Once upon a time", settings, plain=True).finish()
    view = {"id": "x", "status": "done", "recording": dump([speculative, plain]), "live": None}
    request = Request(PairAsked("embedded"), "Once upon a time", settings)
    shown = _at(js, lanes.race(lanes.Entrant(view, request, None)), 1e9)
    for now, trace in zip(shown, (plain, speculative), strict=True):
        figures = summarise(trace)
        assert now["finished"]
        assert now["rate"] == pytest.approx(figures.tokens_per_second)
        assert (now["tokens"], now["passes"]) == (len(figures.token_ids), figures.rounds)
    assert shown[1]["speedup"] == pytest.approx(speedup(plain, speculative))
