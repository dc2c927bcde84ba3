"""What is measured on request is what the passes took, on a fake clock that each pass advances by a known price; and its ends."""

import io
from functools import partial
from typing import Any

import pytest
import torch

from specviz.models import Pair, timing
from specviz.models.networks.batched import LeanBatch
from specviz.request import PairAsked
from specviz.runs import load_watch, measuring
from specviz.runs.engine_process import Engine, _Warm
from specviz.runs.load_watch import CoreTime, Watchman
from specviz.runs.measuring import measure
from specviz.trace import conditions
from specviz.trace.measured import Kind, Measurement, Roofs
from specviz.wire import Event, Failed, Loaded, Measure, Measured, Progress, decode_event

ASKED = PairAsked("embedded")
Patch = pytest.MonkeyPatch


class Clock:
    """A clock on which a pass over n tokens of b texts takes 8 + b·n seconds for the target and a quarter of that for the draft."""

    def __init__(self) -> None:
        self.now = 0.0
        self.passes: list[tuple[int, int]] = []

    def over(self, most: int) -> bool:
        return len(self.passes) > most

    def paid(self, guests: int, tokens: int, share: float) -> None:
        self.now += share * (8 + guests * tokens)
        self.passes.append((guests, tokens))


@pytest.fixture
def clock(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock, and few shapes."""
    made = Clock()
    forward, read = embedded.target.forward, LeanBatch.read_texts
    depth = embedded.target.network.depth

    def one(tokens: Any, parents: Any = None, rows: Any = None) -> Any:
        made.paid(1, len(tokens), 1.0)
        return forward(tokens, parents, rows)

    def several(self: LeanBatch, tokens: Any, begin: int) -> Any:
        made.paid(tokens.shape[0], tokens.shape[1], 1.0 if self.depth == depth else 0.25)
        return read(self, tokens, begin)

    monkeypatch.setattr(embedded.target, "forward", one)
    monkeypatch.setattr(LeanBatch, "read_texts", several)
    monkeypatch.setattr(timing, "perf_counter", lambda: made.now)
    monkeypatch.setattr(measuring, "monotonic", lambda: made.now)
    monkeypatch.setattr(measuring, "LENGTHS", (1, 2, 6, 12))
    monkeypatch.setattr(measuring, "ROOF_LENGTHS", (1, 4))
    monkeypatch.setattr(measuring, "GUESTS", (1, 3))
    monkeypatch.setattr(measuring, "EACH", (1, 5))
    monkeypatch.setattr(measuring, "_roofs", lambda target, time: Roofs(1e10, 2**28, None, 2e10, 1e11))
    monkeypatch.setattr(Watchman, "settle", lambda self, stop: None)
    return made


def taken(pair: Pair, kind: Kind, **options: Any) -> Measurement:
    found = measure(pair, kind, **{"limit_s": 1e9, **options})
    assert found is not None
    return found


@pytest.mark.parametrize("kind", Kind)
def test_every_figure_is_a_median_of_passes(kind: Kind, embedded: Pair, clock: Clock) -> None:
    """Each point has the time of a pass of its shape, each pass is of one of these shapes, and the JSON has the points and one pass."""
    found = taken(embedded, kind)
    shapes = {
        Kind.BANDWIDTH: [(1, 1), (1, 4)],
        Kind.PASS_COST: [(1, 1), (1, 2), (1, 6), (1, 12)],
        Kind.BATCH_COST: [(1, 1), (3, 1), (1, 5), (3, 5)],
    }[kind]
    assert [(point.guests, point.tokens) for point in found.points] == shapes
    for point in found.points:
        price = 8 + point.guests * point.tokens
        assert (point.pass_s, point.low_s, point.high_s) == pytest.approx((price, price, price))
        assert point.operations >= 2 * point.guests * point.tokens * found.weights_bytes / 4
        assert point.bytes > found.weights_bytes
    assert found.left_out == 0
    assert found.passes >= 3
    assert (found.target, found.dtype, found.context) == (embedded.card.target.name, "float32", measuring.CONTEXT)
    draft = [(point.guests, point.tokens, point.pass_s) for point in found.draft_points]
    assert draft == ([(1, 1, 9 / 4), (3, 1, 11 / 4)] if kind is Kind.BATCH_COST else [])
    form = found.as_json()
    assert form["kind"] == kind.value
    assert [point["pass_s"] for point in form["points"]] == [point.pass_s for point in found.points]
    assert ("draft_pass_s" in form) == (kind is Kind.BATCH_COST)
    if kind is Kind.BANDWIDTH:
        assert (form["pass_s"], form["pass_low_s"], form["operations_per_s"]) == pytest.approx((9, 9, 1e11))
        assert form["weights_in_cache"] is None
    assert isinstance(form["disturbed"], bool)


def test_a_short_time_leaves_out_the_largest(embedded: Pair, clock: Clock) -> None:
    """With less time fewer shapes are measured, from the cheapest on, never more passes than the time allows; one is always measured."""
    before = 4
    for limit in (2000.0, 600.0, 10.0):
        clock.now = 0.0
        clock.passes = []
        found = taken(embedded, Kind.PASS_COST, limit_s=limit)
        tokens = [point.tokens for point in found.points]
        assert tokens == [1, 2, 6, 12][: len(tokens)]
        assert len(tokens) + found.left_out == 4
        assert len(tokens) <= before
        before = len(tokens)
        if limit > 100:
            assert clock.now <= limit
    assert before == 1


def test_a_machine_that_becomes_slow_does_not_take_longer(embedded: Pair, clock: Clock, monkeypatch: Patch) -> None:
    """Where passes take far longer than the first ones did, the sweep ends with the time: shapes that it did not come to are left out, and
    what is shown was measured."""
    paid = clock.paid

    def slower(guests: int, tokens: int, share: float) -> None:
        paid(guests, tokens, 50 * share if len(clock.passes) >= 13 else share)

    monkeypatch.setattr(clock, "paid", slower)
    found = taken(embedded, Kind.PASS_COST, limit_s=1000.0)
    assert [point.tokens for point in found.points] == [1, 2]
    assert found.left_out == 2
    assert [point.pass_s for point in found.points] == pytest.approx([50 * 9, 50 * 10])
    assert clock.now < 1500


def test_it_can_be_stopped_between_passes(embedded: Pair, clock: Clock) -> None:
    """Nothing comes of it, soon, and the pair can be measured again."""
    for most in (0, 3, 9):
        clock.passes = []
        assert measure(embedded, Kind.PASS_COST, stop=partial(clock.over, most), limit_s=1e9) is None
        assert len(clock.passes) <= most + 6
    assert taken(embedded, Kind.PASS_COST).points


def test_a_busy_machine_is_said(embedded: Pair, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the passes waited for a core, the figures are marked; there are no more sweeps than a timed run has turns."""

    told: list[tuple[str, float | None]] = []
    monkeypatch.setattr(load_watch, "EXTRA_TURNS", 3)  # tests have none otherwise
    monkeypatch.setattr(conditions, "SPREAD_LIMIT", 1e9)
    monkeypatch.setattr(CoreTime, "waited", 0.0)
    assert not taken(embedded, Kind.PASS_COST).disturbed
    monkeypatch.setattr(CoreTime, "waited", 0.5)
    found = taken(embedded, Kind.PASS_COST, report=lambda what, share: told.append((what, share)))
    assert found.disturbed
    assert found.why
    assert found.passes == 8
    shares = [share for _, share in told if share is not None]
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1


def test_on_this_machine_more_work_takes_longer(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the real clock 128 tokens take longer than one, far less than 128 passes, and the machine reads and multiplies."""
    monkeypatch.setattr(measuring, "ROOF_LENGTHS", (1, 128))
    found = taken(embedded, Kind.BANDWIDTH)  # without a limit, which would leave out lengths where the machine is busy
    first, last = found.points[0], found.points[-1]
    assert (first.tokens, last.tokens) == (1, 128)
    assert first.pass_s < last.pass_s < 128 * first.pass_s
    assert all(point.low_s <= point.pass_s <= point.high_s for point in found.points)
    assert found.roofs is not None
    assert 1e8 < found.roofs.reading_bytes_per_s < 1e13
    assert 1e9 < found.roofs.operations_per_s < 1e15


def events(embedded: Pair, kind: Kind, *, cancel: bool = False) -> list[Event]:
    out = io.StringIO()
    engine = Engine(out)
    engine._warm = _Warm(ASKED, embedded, 100.0)
    if cancel:
        engine.cancel("job")
    engine.do(Measure("job", ASKED, kind))
    return [decode_event(line) for line in out.getvalue().splitlines()]


def test_the_engine_measures_on_request(embedded: Pair, clock: Clock) -> None:
    """The pair is named, then it says how far it is, then there is the measurement; a cancelled one has none."""
    first, *between, last = events(embedded, Kind.PASS_COST)
    assert isinstance(first, Loaded)
    assert between
    assert all(isinstance(event, Progress) for event in between)
    assert isinstance(last, Measured)
    assert last.measurement is not None
    assert last.measurement.kind is Kind.PASS_COST
    assert events(embedded, Kind.PASS_COST, cancel=True)[-1] == Measured("job", None)


def test_a_pass_that_fails_is_one_sentence(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a pass raises, the engine says it in one sentence and goes on."""

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the kernel\nis broken")

    monkeypatch.setattr(embedded.target, "forward", broken)
    last = events(embedded, Kind.PASS_COST)[-1]
    assert isinstance(last, Failed)
    assert "the kernel is broken" in last.message
    assert "\n" not in last.message


def test_too_little_memory_leaves_out_the_largest(embedded: Pair, clock: Clock, monkeypatch: Patch) -> None:
    """A shape that the memory is too small for ends the list; the others are measured."""
    forward = embedded.target.forward

    def small(tokens: Any, parents: Any = None, rows: Any = None) -> Any:
        if 2 < len(tokens) < 20:  # the context is longer
            raise torch.OutOfMemoryError("CUDA out of memory")
        return forward(tokens, parents, rows)

    monkeypatch.setattr(embedded.target, "forward", small)
    found = taken(embedded, Kind.PASS_COST)
    assert [point.tokens for point in found.points] == [1, 2]
    assert found.left_out == 2
