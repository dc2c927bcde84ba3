"""Measures on request what passes cost on this machine, and what the machine can do: the figures that a lesson shows live.

All shapes of passes are measured in several sweeps, so that a slow moment of the machine does not fall on one shape alone. A sweep that
other programs disturbed is left out or repeated, as a pair of timed runs is. Where the time is too short for all shapes, the largest are
left out; nothing is estimated.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import median, quantiles
from time import monotonic

import torch

from specviz.models.cached_model import CachedModel
from specviz.models.checks.first_use import ready_for_batches
from specviz.models.devices import memory_free, out_of_memory, processor_name
from specviz.models.networks.batched import batch_of
from specviz.models.pair import Pair
from specviz.models.roofs import cache_bytes, product, stream, stream_bytes
from specviz.models.timing import fill, seconds_of
from specviz.models.work import check_dense, operations, pass_bytes, weight_bytes
from specviz.runs.load_watch import CoreTime, Watchman
from specviz.trace.conditions import WAITED_LIMIT, counted, reason
from specviz.trace.measured import Kind, Measurement, Point, Roofs

LIMIT_S = 20.0
"""About how long a measurement may take: others wait for the engine."""
CONTEXT = 64
"""Tokens in the cache of each text."""
LENGTHS = (*range(1, 9), 12, 16, 24, 32, 48, 64)
ROOF_LENGTHS = (1, 2, 4, 8, 16, 32, 64, 128)
GUESTS = (1, 2, 4, 8, 16, 32, 64)
EACH = (1, 2, 3, 5, 9)
"""Tokens of each text: the last committed one, alone and with drafts."""

_SWEEPS = 5
_SHORT_S, _LONG_S = 0.005, 0.025
"""In one sweep a short pass is made five times, a long one once, others three times."""
_SHARE = 0.6
"""The part of the time that is planned for: a pass can take longer than its first one did."""
_ROOF_PASSES, _ROOF_S = 5, 1.0
"""So often the machine's own limits are measured, and for about so many seconds each."""
_TOLD_S = 0.25
"""How often it is reported how much is done."""

_Report = Callable[[str, float | None], None]
_Stop = Callable[[], bool]


def _nothing() -> None:
    """Nothing to roll back."""


@dataclass(slots=True)
class _Shape:
    """Passes of one shape, and the seconds of each, by sweep.

    Attributes:
        cached: tokens in the cache of each text.
        model: what is measured.
        work, after: one pass, and what rolls it back.
        repeats: passes in a sweep.
    """

    guests: int
    tokens: int
    cached: int
    model: CachedModel
    work: Callable[[], object]
    after: Callable[[], object] = _nothing
    repeats: int = 1
    sweeps: list[list[float]] = field(default_factory=list)

    @property
    def operations(self) -> int:
        return operations(self.model, self.tokens, self.cached, self.guests)

    def passes(self, times: int) -> list[float]:
        """The seconds of so many passes."""
        return seconds_of(self.work, self.model.device, times, after=self.after)

    def point(self, counting: Sequence[int]) -> Point:
        """What the sweeps that count say."""
        seconds = [second for index in counting for second in self.sweeps[index]]
        low, _, high = quantiles(seconds, n=4, method="inclusive") if len(seconds) > 1 else seconds * 3
        return Point(
            guests=self.guests,
            tokens=self.tokens,
            pass_s=median(seconds),
            low_s=low,
            high_s=high,
            operations=self.operations,
            bytes=pass_bytes(self.model, self.tokens, self.cached, self.guests),
        )


def measure(
    pair: Pair,
    kind: Kind,
    *,
    report: _Report = lambda what, share: None,
    stop: _Stop = lambda: False,
    limit_s: float = LIMIT_S,
    reserve: int = 0,
) -> Measurement | None:
    """Measure this; None where it was stopped. Nothing else should run on the machine meanwhile. A run in progress on the pair cannot continue.

    Args:
        report: called with what is being done, and how much of it is done, 0 to 1; never during a pass.
        stop: checked between passes.
        limit_s: about how many seconds it may take.
        reserve: cores that are left free for the page.

    Raises:
        PairError: the pair cannot be measured, with the reason.
    """
    target = pair.target
    until = monotonic() + limit_s
    pair.take()
    check_dense(target)
    with torch.inference_mode(), Watchman(target.device.type == "cpu", reserve) as watchman:
        roofs = roof_time = None
        if kind is Kind.BANDWIDTH:
            report("reading memory and multiplying", None)
            roof_time = CoreTime()
            roofs = _roofs(target, roof_time)
        report("warming up", None)
        decoder, shapes = _batches(pair) if kind is Kind.BATCH_COST else _chains(target, kind)
        kept = _affordable(shapes, until, stop)
        if stop() or not _swept(kept, watchman, until, report, stop):
            return None
        conditions = watchman.conditions(_SWEEPS, compared=False)
        _, counting = counted(watchman.turns, _SWEEPS)
    card = pair.card
    waited = roof_time is not None and watchman.on_cpu and roof_time.waited > WAITED_LIMIT
    return Measurement(
        kind=kind,
        target=card.target.name,
        draft=card.draft.name if card.draft else None,
        device=card.device,
        processor=torch.cuda.get_device_name(target.device) if target.device.type == "cuda" else processor_name(),
        dtype=card.dtype,
        threads=conditions.threads,
        decoder=decoder,
        context=kept[0].cached,
        passes=min(shape.repeats for shape in kept) * len(counting),
        weights_bytes=weight_bytes(target),
        points=tuple(shape.point(counting) for shape in kept if shape.model is target),
        draft_points=tuple(shape.point(counting) for shape in kept if shape.model is not target),
        left_out=len(shapes) - len(kept),
        roofs=roofs,
        disturbed=waited or not conditions.trusted,
        why=reason(conditions) or ("this machine is busy" if waited else ""),
    )


def _chains(target: CachedModel, kind: Kind) -> tuple[str, list[_Shape]]:
    """What runs the passes, and passes over more and more tokens of one text."""
    cached = max(1, min(CONTEXT, target.context // 2))
    lengths = [n for n in (ROOF_LENGTHS if kind is Kind.BANDWIDTH else LENGTHS) if cached + n <= target.context]
    fill(target, cached, lengths[-1])
    shapes = [
        _Shape(1, n, cached, target, partial(target.forward, _ids(target, 1, n)[0]), partial(target.keep, []))
        for n in lengths
    ]
    return target.decoder, shapes


def _batches(pair: Pair) -> tuple[str, list[_Shape]]:
    """What runs the target's passes, and passes over several texts: of the target over some tokens of each, of the draft over one; the
    cheapest first, but a pass of the target before all. Not more texts than a quarter of the free memory has room for.

    Raises:
        PairError: a model of the pair cannot read several texts in one pass.
    """
    cached = max(1, min(CONTEXT, *(model.context - EACH[-1] for _, model in pair.models)))
    shapes: list[_Shape] = []
    decoder = ""
    for role, model in pair.models:
        ready_for_batches(pair, role)
        room = memory_free(model.device) // 4 // max(1, (cached + EACH[-1]) * model.bytes_per_token)
        guests = [b for b in GUESTS if b <= room] or GUESTS[:1]
        batch = batch_of(model.network, model.model, guests[-1])
        batch.begin(cached + EACH[-1])
        decoder = decoder or batch.kind
        for b in guests:
            shapes += [
                _Shape(b, n, cached, model, partial(batch.read_texts, _ids(model, b, n), cached))
                for n in (EACH if role == "target" else EACH[:1])
            ]
    first = shapes[0]
    return decoder, sorted(shapes, key=lambda shape: (shape is not first, shape.operations))


def _ids(model: CachedModel, texts: int, tokens: int) -> torch.Tensor:
    """[texts, tokens] arbitrary ids."""
    return (torch.arange(1, texts * tokens + 1, device=model.device) % model.readable).view(texts, tokens)


def _affordable(shapes: Sequence[_Shape], until: float, stop: _Stop) -> list[_Shape]:
    """The first passes of each shape, which do not count; and the shapes whose sweeps fit into the time, from the cheapest on, at least one.

    Args:
        until: when it should be over, by the monotonic clock.
    """
    kept: list[_Shape] = []
    planned = seconds = 0.0
    for shape in shapes:
        left = _SHARE * (until - monotonic()) - planned
        if stop() or (kept and seconds * shape.operations / kept[-1].operations * (3 + _SWEEPS) > left):
            break
        try:
            seconds = min(shape.passes(3)[1:])  # the first one makes what it needs
        except (MemoryError, RuntimeError) as error:
            if not kept or not out_of_memory(error):
                raise
            break
        shape.repeats = 5 if seconds < _SHORT_S else 3 if seconds < _LONG_S else 1
        cost = _SWEEPS * shape.repeats * seconds
        if kept and planned + cost > _SHARE * (until - monotonic()):
            break
        planned += cost
        kept.append(shape)
    return kept


def _swept(shapes: list[_Shape], watchman: Watchman, until: float, report: _Report, stop: _Stop) -> bool:
    """Sweep over the shapes, forth and back, until enough sweeps agree or the time is over; False where it was stopped. Where the time does
    not suffice for the first sweep, the shapes that it did not come to are dropped; a later one that is not complete does not count."""
    told = -_TOLD_S
    while True:
        done, time = len(watchman.turns), CoreTime()
        for index, shape in enumerate([*shapes] if done % 2 == 0 else shapes[::-1]):
            if stop():
                return False
            if monotonic() > until and (done or index):
                if done:
                    return True
                del shapes[index:]
                break
            if monotonic() - told > _TOLD_S:
                told = monotonic()
                share = min(1.0, (done + index / len(shapes)) / _SWEEPS)
                report("measuring" if done < _SWEEPS else "measuring again", share)
            with time:
                shape.sweeps.append(shape.passes(shape.repeats))
        watchman.took(time.wall_s, [time])
        if monotonic() > until or not watchman.may_repeat(_SWEEPS):
            return True
        watchman.settle(stop)


def _roofs(target: CachedModel, time: CoreTime) -> Roofs:
    """What the machine can do; the time is added to `time`."""
    device = target.device

    def rate(work: Callable[[], object], amount: int) -> float:
        seconds_of(work, device, 1)
        seconds: list[float] = []
        while len(seconds) < _ROOF_PASSES and (len(seconds) < 2 or sum(seconds) < _ROOF_S):
            with time:
                seconds += seconds_of(work, device, 1)
        return amount / median(seconds)

    size, weights = stream_bytes(device), weight_bytes(target)
    multiply, count = product(device, target.network.dtype)
    return Roofs(
        reading_bytes_per_s=rate(stream(device, size), size),
        stream_bytes=size,
        cache_bytes=cache_bytes(device),
        repeated_bytes_per_s=rate(stream(device, weights), weights),
        operations_per_s=rate(multiply, count),
    )
