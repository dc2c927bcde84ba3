"""race_course.ts: what each lane shows is a pure function of (lanes, clock)."""

from typing import Any

import pytest

from app.stage import lanes
from specviz.reporting.player.looks import looks
from specviz.request import PairAsked, Request
from specviz.settings import Settings
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


def _said(js: Node, view: Json, clock: float, lane: int = 1) -> list[str]:
    """The headline, the small print, the words at the bracket and the headline's tone."""
    function = """(view, clock, i) => {
        const c = readCourse(view), lane = c.lanes[i], now = laneAt(c, lane, clock), { value, small, tone } = laneHeadline(c, lane, now);
        return [`${value} ${small}`.trim(), passesWords(lane, now), bracketWords(now.gap, c.span, lane.busy), tone];
    }"""
    found: list[str] = js.call(function, view, clock, lane)
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
    assert [busy[1]["gap"][end] for end in ("from", "to")] == [0.05, 0.08]


def test_nothing_recorded_yet_can_be_drawn_too(js: Node) -> None:
    """Lanes that wait show nothing, finish nothing, and say what they wait for; of one that is being recorded, how many tokens there are."""
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
    assert _course(js, view, "c.lanes.map(recordingWords)") == ["Soon", "Soon"]
    begun = _view(_plain(3, state="recording"), _QUICK, _plain(2, state="missing"), live=True)
    assert _course(js, begun, "c.lanes.map(recordingWords)") == ["Soon: 3 tokens so far", "", "Soon"]
    awaited = _view(_plain(0, state="waiting"), _QUICK, live=True, rate=10.0)
    assert _course(js, awaited, "[factorFor(c), c.span]") == [15, pytest.approx(0.8)], "by the rate at load"


def test_the_first_to_finish_is_first(js: Node) -> None:
    """Ranks follow the recorded ends; none is given before its lane has finished, nor while another that is being recorded may still be faster, nor
    between runs of other lengths."""
    view = _view(_plain(), _QUICK, _SLOW)
    assert [now["rank"] for now in _at(js, view, 1.0)] == [2, 1, 3]
    assert [now["rank"] for now in _at(js, view, 0.06)] == [None, 1, None]
    for recorded, rank in ((2, None), (7, 1)):
        still = _view(_plain(recorded, state="recording"), _QUICK, live=True)
        assert _at(js, still, 0.05)[1]["rank"] == rank
    other = _lane("speculative", [(0.01, "ab"), (0.02, "ab")], asked=64)
    assert [
        (now["finished"], now["rank"], now["speedup"]) for now in _at(js, _view(_QUICK, other, race=False), 1.0)
    ] == [(True, None, None)] * 2


def test_the_only_ratio_is_that_of_the_finished_race(js: Node) -> None:
    """While a lane runs there is no ratio, which would change with every pass; then it is that of the two times for as many tokens."""
    longer = _view(_plain(12), _QUICK)
    assert [_at(js, longer, at)[1]["speedup"] for at in (0.012, 0.024, 0.036, 0.05, 0.119)] == [None] * 5
    now = _at(js, longer, 0.12)[1]
    assert now["tokens"] == 8
    assert now["speedup"] == pytest.approx(0.08 / 0.05)


def test_one_steady_number_says_how_a_lane_stands(js: Node) -> None:
    """What is said of the speculative lane from the start to the end: the headline, the small print, the bracket, the colour's tone."""
    view = _view(_plain(), _QUICK)
    assert [_said(js, view, at) for at in (0, 0.012, 0.065, 0.08)] == [
        ["0 tokens ahead of plain", "", "", ""],
        ["▲ 3 tokens ahead of plain", "4 tokens in 1 pass", "", "ahead"],
        ["Finished plain has 2 tokens to go", "8 tokens in 4 passes", "▲ finished 15 ms ago", "ahead"],
        ["1.60× as fast as plain", "8 tokens in 4 passes", "▲ 30 ms earlier than plain", "ahead"],
    ]
    assert _said(js, view, 0.019)[0] == "▲ 3 tokens ahead of plain"
    gaps = [_at(js, view, at)[1]["gap"] for at in (0.012, 0.05, 0.065, 1)]
    assert [(gap["from"], gap["to"]) for gap in gaps] == [
        (0, 0),
        (0.05, 0.05),
        (0.05, 0.065),
        (0.05, pytest.approx(0.08)),
    ]
    late = _view(_plain(), _SLOW)
    assert _said(js, late, 0.045) == ["▼ 2 tokens behind plain", "2 tokens in 2 passes", "", "behind"]
    assert _said(js, late, 0.12) == [
        "▼ 2 tokens to go, plain has finished",
        "6 tokens in 6 passes",
        "▼ plain finished 40 ms ago",
        "behind",
    ]
    assert _said(js, late, 1)[::2] == ["0.50× 50% slower than plain", "▼ 80 ms later than plain"]
    plain = [_said(js, view, at, lane=0)[0] for at in (0, 0.01, 0.065, 0.08)]
    assert plain == ["", "", "", "100 tokens a second"]


def test_long_races_are_shown_in_seconds(js: Node) -> None:
    """From one second on the times of a race are seconds, with one digit at the bracket and two at the flag."""
    slow = _lane("speculative", [(1.2, "aaab"), (2.4, "ac"), (3.6, "c"), (5.0, "b")])
    view = _view(_plain(each=1.0), slow)
    assert [_said(js, view, at)[2] for at in (6.64, 8)] == [
        "▲ finished 1.6 s ago",
        "▲ 3.0 s earlier than plain",
    ]
    assert _course(js, view, "[clockWords(0.5, c.span), clockWords(5, c.span)]") == ["0.50 s", "5.00 s"]
    assert js.call("() => [clockWords(0.5, 0.9), clockWords(0.0834, 0.9)]") == ["500 ms", "83 ms"]


def test_a_shorter_text_is_no_victory(js: Node) -> None:
    """Where the lanes write different numbers of tokens the bracket says so, and nobody is first."""
    short = _lane("speculative", [(0.012, "aaab"), (0.024, "ac")])
    view = _view(_plain(), short)
    assert _said(js, view, 1)[2] == "▲ 56 ms earlier, with 2 tokens fewer"
    assert [now["rank"] for now in _at(js, view, 1)] == [None, None]
    assert _at(js, view, 1)[1]["speedup"] == pytest.approx(0.06 / 0.024)


def test_what_is_not_known_of_a_gap_is_not_said(js: Node) -> None:
    """While plain is still to be recorded there is no gap, nor after a run was stopped; on a busy machine it is said not to be trusted."""
    awaited = _view(_plain(0, state="waiting"), _QUICK, live=True, rate=100.0)
    assert _said(js, awaited, 0.024)[:3] == ["plain is not recorded yet", "6 tokens in 2 passes", ""]
    recorded = _view(_plain(3, state="recording"), _QUICK, live=True)
    assert [_at(js, recorded, at)[1]["gap"] and _at(js, recorded, at)[1]["gap"]["tokens"] for at in (0.024, 0.04)] == [
        4,
        None,
    ]
    cut = _view(_plain(3, state="stopped"), _QUICK)
    assert _said(js, cut, 1)[0].startswith("– not known")
    busy = _view(_plain(), {**_QUICK, "busy": "this machine is busy: between 0.4× and 8.7×"})
    assert _said(js, busy, 1) == [
        "this machine is busy: between 0.4× and 8.7×",
        "8 tokens in 4 passes",
        "▲ 30 ms earlier, not trusted",
        "behind",
    ]


def test_where_nothing_is_drafted_the_token_is_no_bonus(js: Node) -> None:
    """A token of a round without a draft is the target's own, in its colour and in words."""
    lane = _lane("speculative", [(0.01, "ab"), (0.02, "c"), (0.03, "b")])
    script = """(view, looks) => {
        const [lane] = readCourse(view).lanes;
        return lane.origins.map((o) => [o.how, originWords(o, lane, looks)]);
    }"""
    assert js.call(script, _view(lane, race=False), looks()) == [
        ["accepted", "✓ accepted, pass 1"],
        ["bonus", "+ bonus, pass 1"],
        ["corrected", "✎ target's own token instead of a rejected one, pass 2"],
        ["own", "target's own token, pass 3"],
    ]


@pytest.mark.parametrize(("each", "factor"), [(0.01, 150), (0.0005, 3000), (0.19, 8), (1.4, 1), (30.0, 1)])
def test_by_default_the_plain_lane_lasts_about_twelve_seconds(js: Node, each: float, factor: float) -> None:
    """The factor is a round number near twelve seconds over the plain lane's, and never quicker than real."""
    view = _view(_plain(each=each), _QUICK)
    found = _course(js, view, "factorFor(c)")
    assert found == pytest.approx(factor)
    if found > 1:
        assert 10.2 <= found * 8 * each <= 14


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
    assert words == ["Real time", "Slow motion, 2.5×", "Slow motion, 30×", "Slow motion, 1200×"]


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
