"""Rush hour: speedups from measured costs, and the simulated server, whose limits are the formulas."""

import pytest

from specviz.cli.main import main
from specviz.errors import InputError
from specviz.folders import ASSETS
from specviz.lab.guests import Best, Surface, best_at, speedup_at, switch_off, table
from specviz.lab.profile import BatchPass
from specviz.lab.service import ADAPTIVE, LABEL, MODES, OFF, ON, ROUTED, ServiceLoad, simulate, step_seconds
from specviz.trace import theory
from tests.lab.making import surface

RARE = 1e-6
"""Requests a second, so few that no two meet."""


def load(
    alpha: float, *, rate: float = RARE, room: int = 8, k: int = 4, requests: int = 60, tokens: int = 200
) -> ServiceLoad:
    return ServiceLoad(rate, tokens, requests, {"all": alpha}, k, room)


def test_an_alpha_that_cannot_be_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """Words, numbers outside 0 to 1, and what is no number; nothing is simulated."""
    profile = str(next((ASSETS / "profiles").glob("*.json")))
    for wrong in ("code=7", "code=-1", "code=nan", "code=much"):
        assert main(["lab", "rush", profile, "--alpha", wrong]) == 2
        said = capsys.readouterr().err
        assert f"alpha was '{wrong}': give a kind of text and its α from 0 to 1" in said
        assert "Traceback" not in said


def test_costs_between_measured_ones_are_on_the_line_and_none_outside() -> None:
    """Guests and tokens alike."""
    flat = surface()
    assert flat.pass_s(3, 1) == pytest.approx((flat.pass_s(2, 1) + flat.pass_s(4, 1)) / 2)  # type: ignore[operator]
    assert flat.pass_s(2, 4) == pytest.approx((flat.pass_s(2, 3) + flat.pass_s(2, 5)) / 2)  # type: ignore[operator]
    assert flat.pass_s(9, 1) is None
    assert flat.pass_s(1, 10) is None
    assert flat.draft_s(16) is None
    assert speedup_at(flat, 9, 1, 0.5) is None
    with pytest.raises(ValueError, match="over one token"):
        Surface((BatchPass(1, 2, 0.1),), ())


def test_the_speedup_of_one_guest_is_the_papers_formula_and_falls_with_more() -> None:
    """With the measured c and v; and it is switched off from the first number of guests on from which it never pays again."""
    costs = surface(rise=1.0)
    c, v = 0.001 / 0.010, 0.014 / 0.010
    assert speedup_at(costs, 1, 4, 0.8) == pytest.approx(theory.speedup(0.8, 4, c, v))
    rows = table(costs, 0.6)
    assert [row.guests for row in rows] == list(range(1, 9))
    speeds = [row.speedup for row in rows]
    assert speeds == sorted(speeds, reverse=True)
    assert rows[0] == best_at(costs, 1, 0.6)
    assert switch_off([Best(1, 2, 1.5), Best(2, 2, 0.9), Best(3, 2, 1.1), Best(4, 1, 0.9), Best(5, 1, 0.8)]) == 4
    assert switch_off([Best(1, 2, 1.5)]) is None


def test_one_guest_at_a_time_equals_the_formulas() -> None:
    """Arrival rate to zero, or room for one: plain latency is tokens times a pass; speculative latency is that over the formula's speedup,
    exactly at α 0 and 1, and in the mean between."""
    costs = surface()
    plain, alone = 200 * 0.010, simulate(costs, load(0.5), OFF)
    assert alone.latency_s == pytest.approx(plain)
    assert alone.label == LABEL == "simulated"
    cost = step_seconds(costs, [4])
    assert cost == pytest.approx(0.010 * (4 * 0.1 + 1.12))
    for alpha in (0.0, 1.0):
        served = simulate(costs, load(alpha), ON)
        assert served.latency_s == pytest.approx(plain / theory.speedup(alpha, 4, 0.1, 1.12))
        assert served.guests == 1
    between = simulate(costs, load(0.7, requests=600), ON)
    assert between.latency_s == pytest.approx(plain / theory.speedup(0.7, 4, 0.1, 1.12), rel=0.015)
    busy = simulate(costs, load(0.7, rate=1000.0, room=1, requests=50), ON)
    assert busy.tokens_per_s == pytest.approx(theory.speedup(0.7, 4, 0.1, 1.12) / 0.010, rel=0.02)
    full = simulate(costs, load(0.0, rate=1e6, room=8, requests=80), OFF)
    assert full.tokens_per_s == pytest.approx(8 / costs.pass_s(8, 1), rel=0.01)  # type: ignore[operator]


def test_adaptive_and_routed_choose() -> None:
    """At α 0 neither drafts, at α 1 with cheap passes both do; under load adaptive is no slower than either; routed drafts for some."""
    costs = surface()
    for mode in (ADAPTIVE, ROUTED):
        assert simulate(costs, load(0.0), mode).drafting == 0
        assert simulate(costs, load(1.0), mode).drafting == 1
    steep = surface(rise=2.0)
    busy = {mode: simulate(steep, load(0.6, rate=3.0), mode) for mode in MODES}
    assert busy[ADAPTIVE].latency_s <= 1.02 * min(busy[ON].latency_s, busy[OFF].latency_s)
    mixed = ServiceLoad(0.2, 100, 100, {"code": 0.95, "verse": 0.05}, 4, 8)
    both = {mode: simulate(costs, mixed, mode) for mode in MODES}
    assert 0 < both[ROUTED].drafting < 1
    assert both[ROUTED].latency_s < min(both[ON].latency_s, both[OFF].latency_s)


def test_what_cannot_be_simulated_is_refused() -> None:
    """More room or a longer draft than measured, no rate, an impossible α."""
    costs = surface()
    for room, k in ((9, 4), (8, 9)):
        with pytest.raises(InputError, match="measured are up to 8 guests"):
            simulate(costs, load(0.5, room=room, k=k), ON)
    with pytest.raises(InputError, match="mode"):
        simulate(costs, load(0.5), "maybe")
    for alpha, rate in ((1.1, 1.0), (0.5, 0.0), (0.5, float("inf"))):
        with pytest.raises(InputError):
            load(alpha, rate=rate)
