"""The pure files in a real browser: positions are a pure function of (trace, clock)."""

from pathlib import Path
from typing import Any

import pytest
import torch
from playwright.sync_api import Page

from specviz.models import Pair, load_pair
from specviz.runs.replan import replan
from specviz.runs.run import Run
from specviz.settings import Settings

pytestmark = pytest.mark.xdist_group("lab")

_PROMPT = "The capital of Burkina Faso is"
_PLAYER = Path(__file__).parents[2] / "app" / "player"
_PURE = "\n".join(
    (_PLAYER / f"{name}.js").read_text(encoding="utf-8") for name in ("timeline", "labels", "drafters", "replan")
)


def _row(start: int, verdicts: str, closing: str | None, began: float) -> list[Any]:
    """A round of drafts a(ccepted), r(ejected), d(iscarded): 2 ms to draft, 5 to verify, 1 for the rest."""
    words = {"a": "accepted", "r": "rejected", "d": "discarded"}
    drafted = [[i + 1, i - 1, 1.0, 1.0, None, words[v]] for i, v in enumerate(verdicts)]
    accepted = [i for i, v in enumerate(verdicts) if v == "a"]
    own = None if closing is None else [9, closing, None]
    return [start, drafted, accepted, own, began, 0.002, 0.005, began + 0.008]


def _view(rows: list[list[Any]], plain_ends: list[float] | None = None, rate: float | None = None) -> dict[str, Any]:
    tokens = {str(i): {"data": "YQ==", "special": False} for i in range(10)}
    live = {
        "prompt": "p",
        "settings": {"k": 3},
        "prompt_ids": [0],
        "tokens": tokens,
        "rows": rows,
        "plain_ends": plain_ends or [],
        "detail": None,
    }
    return {"id": "x", "status": "done", "plain_rate": rate, "live": live if rows else None, "recording": None}


_MIXED = [
    _row(0, "aaa", "bonus", 0.0),
    _row(4, "ard", "corrected", 0.008),
    _row(6, "rdd", "corrected", 0.016),
    _row(7, "", "bonus", 0.024),
]


@pytest.fixture
def lab(page: Page) -> Page:
    """An empty page with nothing but the pure files in it."""
    page.set_content("<p></p>")
    page.add_script_tag(content=_PURE)
    return page


def _at(lab: Page, view: dict[str, Any], clock: float, pace: str = "lesson") -> dict[str, Any]:
    script = """([view, clock, pace]) => {
        const run = readRun(view), plan = schedule(run, pace);
        return { ...positionAt(run, plan, clock < 0 ? -clock * plan.end : clock), end: plan.end };
    }"""
    found: dict[str, Any] = lab.evaluate(script, [view, clock, pace])
    return found


def test_an_empty_run_has_a_position(lab: Page) -> None:
    """Before the first round there is nothing to show and nothing breaks."""
    position = _at(lab, _view([]), 3.0)
    assert (position["index"], position["committed"], position["end"]) == (-1, 0, 0)


def test_the_end_shows_every_token(lab: Page) -> None:
    """At the end of the clock all tokens are committed, whatever the pace."""
    for pace in ("slow", "lesson", "quick", "real"):
        position = _at(lab, _view(_MIXED), 1e9, pace)
        assert position["committed"] == 8
        assert position["ended"]
        assert position["engine"] == pytest.approx(0.032)


def test_backwards_equals_forwards(lab: Page) -> None:
    """The position at a clock does not depend on how the clock came there."""
    script = """(view) => {
        const run = readRun(view), plan = schedule(run, "lesson"), at = [];
        for (let i = 0; i <= 200; i += 1) at.push(i * plan.end / 200);
        const ahead = at.map((t) => JSON.stringify(positionAt(run, plan, t)));
        const back = [...at].reverse().map((t) => JSON.stringify(positionAt(run, plan, t))).reverse();
        return ahead.every((p, i) => p === back[i]) && new Set(ahead).size > 100;
    }"""
    assert lab.evaluate(script, _view(_MIXED))


def test_tokens_and_engine_time_never_run_back(lab: Page) -> None:
    """As the viewer's clock goes on, neither the committed tokens nor the engine's clock go back."""
    script = """([view, pace]) => {
        const run = readRun(view), plan = schedule(run, pace);
        let tokens = 0, engine = 0;
        for (let i = 0; i <= 1000; i += 1) {
            const p = positionAt(run, plan, i * plan.end / 1000);
            if (p.committed < tokens || p.engine < engine - 1e-9) return false;
            tokens = p.committed; engine = p.engine;
        }
        return tokens === 8;
    }"""
    for pace in ("lesson", "real"):
        assert lab.evaluate(script, [_view(_MIXED), pace])


def test_phases_come_in_order(lab: Page) -> None:
    """A round drafts, is verified in one sweep, is judged from the left up to the first no, then commits."""
    script = """(view) => {
        const run = readRun(view), plan = schedule(run, "lesson"), seen = [];
        for (let i = 0; i < 400; i += 1) {
            const p = positionAt(run, plan, plan.starts[1] + i * (plan.starts[2] - plan.starts[1]) / 400);
            const state = [p.phase, p.typed, p.judged, p.landed, p.joined].join();
            if (seen.at(-1) !== state) seen.push(state);
        }
        return seen;
    }"""
    seen = [state.split(",") for state in lab.evaluate(script, _view(_MIXED))]
    assert list(dict.fromkeys(s[0] for s in seen)) == ["draft", "verify", "judge", "commit"]
    assert [int(s[1]) for s in seen if s[0] == "draft"] == [0, 1, 2, 3]
    assert max(int(s[2]) for s in seen) == 3
    assert [s[4] for s in seen if s[0] == "commit"] == ["false", "true"]


def test_a_jump_lands_on_the_phase_asked_for(lab: Page) -> None:
    """The clock of a round's phase is inside that phase of that round."""
    script = """(view) => {
        const run = readRun(view), plan = schedule(run, "lesson"), wrong = [];
        for (const index of [0, 1, 2]) for (const phase of PHASES) {
            const p = positionAt(run, plan, clockOf(run, plan, index, phase) + 1e-6);
            if (p.index !== index || p.phase !== phase) wrong.push([index, phase, p.index, p.phase]);
        }
        return wrong;
    }"""
    assert lab.evaluate(script, _view(_MIXED)) == []


def test_a_change_of_pace_keeps_the_place(lab: Page) -> None:
    """Changing the pace leaves the viewer in the same round and phase."""
    script = """(view) => {
        const run = readRun(view), a = schedule(run, "lesson"), b = schedule(run, "slow");
        const clock = a.starts[2] + 0.5 * (a.starts[3] - a.starts[2]);
        const p = positionAt(run, a, clock), q = positionAt(run, b, carryOver(run, a, b, clock));
        return [p.index === q.index, p.phase === q.phase];
    }"""
    assert lab.evaluate(script, _view(_MIXED)) == [True, True]


def test_real_time_takes_as_long_as_the_engine_did(lab: Page) -> None:
    """At the real pace the viewer's clock is the engine's, and the factor says so."""
    script = """(view) => {
        const run = readRun(view), plan = schedule(run, "real");
        return [plan.end, slowdownAt(run, plan, 1), slowdownAt(run, schedule(run, "lesson"), 0)];
    }"""
    end, real, lesson = lab.evaluate(script, _view(_MIXED))
    assert end == pytest.approx(0.032)
    assert real == pytest.approx(1.0)
    assert lesson == pytest.approx(1.6 / 0.008)


def _figures(lab: Page, view: dict[str, Any], share: float) -> dict[str, Any]:
    script = """([view, share]) => {
        const run = readRun(view), plan = schedule(run, "lesson");
        return figuresAt(run, positionAt(run, plan, share * plan.end));
    }"""
    found: dict[str, Any] = lab.evaluate(script, [view, share])
    return found


def test_the_live_speedup_counts_recorded_tokens(lab: Page) -> None:
    """Live speedup is tokens committed by now over plain tokens committed by the same engine time."""
    plain = [0.006 * (i + 1) for i in range(8)]
    early = _figures(lab, _view(_MIXED, plain), 0.3)
    assert early["tokens"] == 4
    assert early["plainTokens"] == 1
    assert early["speedup"] == pytest.approx(4.0)
    assert early["plainIs"] == "measured"


def test_the_speedup_does_not_grow_when_plain_rows_run_out(lab: Page) -> None:
    """Past the plain tokens that have come so far, the rate of the load stands in, and is said to."""
    plain = [0.006 * (i + 1) for i in range(2)]
    figures = _figures(lab, _view(_MIXED, plain, rate=250.0), 1.0)
    assert figures["plainIs"] == "load"
    assert figures["speedup"] == pytest.approx(8 / (250 * 0.032))


def test_without_a_plain_run_the_rate_of_the_load_is_used_and_named(lab: Page) -> None:
    """Until the plain run is there the speedup rests on the rate measured at load, and says so."""
    figures = _figures(lab, _view(_MIXED, rate=250.0), 1.0)
    assert figures["plainIs"] == "load"
    assert figures["speedup"] == pytest.approx(8 / (250 * 0.032))


def test_a_slowdown_is_below_one(lab: Page) -> None:
    """A quick plain run gives a speedup below 1: nothing hides it."""
    plain = [0.0035 * (i + 1) for i in range(12)]
    assert _figures(lab, _view([_row(0, "rdd", "corrected", 0.0)], plain), 1.0)["speedup"] < 1


def test_the_factor_tells_quicker_from_slower(lab: Page) -> None:
    """A round that took longer than it is shown for has a factor below 1."""
    slow = [[0, *_row(0, "aaa", "bonus", 0.0)[1:4], 0.0, 1.0, 3.0, 5.0]]
    script = "(view) => slowdownAt(readRun(view), schedule(readRun(view), 'lesson'), 0)"
    assert lab.evaluate(script, _view(slow)) == pytest.approx(1.6 / 5)


def test_only_judged_drafts_count(lab: Page) -> None:
    """Accepted / judged leaves out the drafts behind a rejection."""
    figures = _figures(lab, _view(_MIXED), 1.0)
    assert (figures["accepted"], figures["judged"]) == (4, 6)


def test_tokens_are_shown_for_what_they_are(lab: Page) -> None:
    """White space and control characters become signs, half a character its bytes, markup stays text."""
    script = """(entries) => {
        const bytes = readBytes(entries);
        return Object.keys(entries).map((id) => tokenLabel(bytes, Number(id)).text);
    }"""
    table = {
        "1": {"data": "IGEK", "special": False},
        "2": {"data": "8J8=", "special": False},
        "3": {"data": "G1sxbQ==", "special": False},
        "4": {"data": "PGltZyBzcmM9eD4=", "special": False},
        "5": {"data": "4oCu", "special": False},
    }
    assert lab.evaluate(script, table) == ["·a⏎", "F0 9F", "␛[1m", "<img·src=x>", "⟨202E⟩"]


def test_a_character_split_over_tokens_is_joined(lab: Page) -> None:
    """The pieces of a split emoji make one character, shown with the token that completes it."""
    script = """(entries) => textPieces(readBytes(entries), [1, 2, 3])"""
    table = {
        "1": {"data": "YfCf", "special": False},
        "2": {"data": "mIA=", "special": False},
        "3": {"data": "Yg==", "special": False},
    }
    assert lab.evaluate(script, table) == ["a", "😀", "b"]


def test_one_round_alone_plays(lab: Page) -> None:
    """A run of a single round, all rejected or all accepted, begins with nothing and ends with its tokens."""
    for verdicts, closing, tokens in (("rdd", "corrected", 1), ("aaa", "bonus", 4), ("aa", None, 2)):
        view = _view([_row(0, verdicts, closing, 0.0)])
        assert _at(lab, view, 0.0)["committed"] == 0
        assert _at(lab, view, -1.0)["committed"] == tokens


@pytest.mark.parametrize(
    ("matches", "k", "rounds"),
    [
        ("", 3, []),
        ("1", 3, [(0, 0, 0)]),
        ("1111", 3, [(0, 3, 3)]),
        ("11111", 3, [(0, 3, 3), (4, 0, 0)]),
        ("0000", 2, [(0, 2, 0), (1, 2, 0), (2, 1, 0), (3, 0, 0)]),
        ("110111", 3, [(0, 3, 2), (3, 2, 2)]),
        ("110111", 1, [(0, 1, 1), (2, 1, 0), (3, 1, 1), (5, 0, 0)]),
        ("101", 16, [(0, 2, 1), (2, 0, 0)]),
    ],
)
def test_another_draft_length_is_replanned_from_the_matches(
    lab: Page, matches: str, k: int, rounds: list[tuple[int, int, int]]
) -> None:
    """From each place min(k, remaining - 1) are drafted, the run of matches is accepted, one token closes the round."""
    found = lab.evaluate("([matches, k]) => replan(matches, k)", [[m == "1" for m in matches], k])
    assert [(r["start"], r["drafted"], r["accepted"]) for r in found] == rounds


@pytest.mark.parametrize("k", [1, 3, 16])
@pytest.mark.parametrize("matches", ["1111", "11101", "0", "1", "1101100111"])
def test_a_text_that_ended_by_itself_is_replanned_as_the_engine_plans_it(lab: Page, matches: str, k: int) -> None:
    """Drafts go past the end of the text, and a round that accepts its last token has no closing one."""
    agreed = [m == "1" for m in matches]
    for limit in (len(matches), len(matches) + 1, 64):
        found = lab.evaluate("([matches, k, limit]) => replan(matches, k, limit)", [agreed, k, limit])
        expected = [(r.start, r.drafted, r.accepted, r.closing is not None) for r in replan(agreed, k, limit)]
        assert [(r["start"], r["drafted"], r["accepted"], r["closed"]) for r in found] == expected


@pytest.fixture(scope="module")
def pair() -> Pair:
    return load_pair("embedded", device="cpu", dtype="float32")


@pytest.mark.parametrize("k", [1, 2, 5, 9])
def test_replanned_rounds_are_those_of_the_engine(lab: Page, pair: Pair, k: int) -> None:
    """Where the draft would have agreed, read off in one pass over the true text, gives the rounds that a real run has."""
    plain = Run(pair, _PROMPT, Settings(max_new_tokens=20), plain=True).finish()
    ids = torch.tensor([*plain.prompt_ids, *plain.token_ids])
    pair.draft.begin(len(ids))
    guesses = pair.draft.forward(ids[:-1]).logits.argmax(dim=-1)[len(plain.prompt_ids) - 1 :]
    matches = (guesses == ids[len(plain.prompt_ids) :]).tolist()
    real = Run(pair, _PROMPT, Settings(k=k, max_new_tokens=20)).finish()
    found = lab.evaluate("([matches, k]) => replan(matches, k)", [matches, k])
    expected = [(r.start, len(r.drafted), len(r.accepted)) for r in real.rounds]
    assert [(r["start"], r["drafted"], r["accepted"]) for r in found] == expected


def test_replanned_times_are_priced(lab: Page) -> None:
    """A round of n drafts takes n·c + v[n] of the target's pass over one token; behind the list's end its last value holds."""
    script = "([n, costs]) => priceOf(n, costs)"
    costs = {"c": 0.25, "v": [1.0, 1.5, 1.75], "pass_s": 0.01}
    for drafted, verify in ((0, 0.01), (1, 0.015), (2, 0.0175), (7, 0.0175)):
        price = lab.evaluate(script, [drafted, costs])
        assert price == {"draft": pytest.approx(drafted * 0.0025), "verify": pytest.approx(verify)}


@pytest.mark.parametrize(
    ("settings", "name", "says", "layers"),
    [
        ({}, "draft model", "types ahead, one token at a time", None),
        ({"drafter": "ngram"}, "n-gram lookup", "no model: copies what stood in the text before", None),
        (
            {"drafter": "early-exit"},
            "early exit, 4 of 12 layers",
            "the target's own first 4 layers of 12",
            {"used": 4, "all": 12},
        ),
        ({"drafter": "early-exit"}, "", "the target's own first layers", None),
        ({"drafter": "early-exit"}, "early exit, 9 of 4 layers", "the target's own first layers", None),
        (
            {"drafter": "layer-skip"},
            "layer skip, 5 of 12 layers",
            "the target with 5 of its 12 layers",
            {"used": 5, "all": 12},
        ),
    ],
)
def test_who_drafts_is_said_from_the_card(
    lab: Page, settings: dict[str, Any], name: str, says: str, layers: dict[str, int] | None
) -> None:
    """The drafter's words come from the settings, and the layers from the name on the card, where it is known."""
    manner = lab.evaluate("([settings, name]) => mannerOf(settings, name)", [{"temperature": 0, **settings}, name])
    assert (manner["does"], manner["layers"]) == (says, layers)
    assert "draft model" not in manner["who"].lower() or not settings


def test_a_copied_draft_keeps_its_source_live_and_recorded(lab: Page) -> None:
    """The place that a draft was copied from is the ninth value of a row; a row without one was not copied."""
    view = _view([[*_row(0, "aaa", "bonus", 0.0), 0], _row(4, "ard", "corrected", 0.008)])
    script = "(view) => readRun(view).rounds.map(copiedOf)"
    assert lab.evaluate(script, view) == [[0, 3], None]
