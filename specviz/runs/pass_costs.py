"""What passes of a pair cost on this machine, measured in a fraction of a second and noted, so that the next process need not measure.

Where other programs take the cores, nothing is noted, and the costs of the machine of the shipped figures stand in for a minute.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from time import monotonic, perf_counter
from typing import Any

import torch

from specviz.decoding.clock import wait
from specviz.decoding.drafters import registry
from specviz.decoding.loop import tap
from specviz.errors import PairError
from specviz.models.machine_notes import Undisturbed, machine, note, noted
from specviz.models.pair import Pair
from specviz.models.timing import fill
from specviz.runs.calm import Glance, Watchman
from specviz.runs.known_figures import shipped_costs
from specviz.runs.prepare import draft_seconds, made
from specviz.settings import MAX_DRAFT_LENGTH, Settings

WIDTHS = (1, 6, 3, 8, 2, 12, 1, 4, 7, 6, 17)
"""Tokens of the passes that are timed, in this order, as far as the time goes; between them the cost is interpolated."""
_LIMIT_S = 0.35
"""About how long the passes may take."""
_BUSY_S = 60.0
"""After so many seconds a machine that was too busy is measured again."""
_CACHED = 64
_LONG_S = 0.01
"""A pass that takes longer gains from every thread: its matrices are large."""
_NEARLY = 1.05
"""Fewer threads are used where they take up to so many times as long: the others are left to other programs."""
_LITTLE_MORE = 1.4
"""Cost of a pass, in passes over one token, up to which a tree is taken to fit."""


@dataclass(frozen=True, slots=True)
class Passes:
    """What a pass of the target costs.

    Attributes:
        v: v[n] of `Costs`.
        measured: whether on this machine.
        machine: where.
        until: those of another machine stand in until then, by the monotonic clock.
    """

    v: tuple[float, ...]
    measured: bool
    machine: str
    until: float = 0.0


def passes_of(pair: Pair) -> Passes:
    """What passes of the target cost here: noted, else measured now, else as on the machine of the shipped figures, where this one is too busy.

    Uses the pair's caches: a run in progress on the pair cannot continue.
    """
    name = f"passes of {called(pair)}"
    kept = pair.kept.get(name)
    if isinstance(kept, Passes) and (kept.machine == machine() if kept.measured else monotonic() < kept.until):
        return kept
    v = noted(name, _costs)
    if v is None:
        pair.take()
        with Undisturbed() as measured:
            v = _measured(pair)
        if pair.target.device.type == "cpu" and not measured.calm:
            pair.kept[name] = stand_in = _elsewhere(pair)
            return stand_in
        note(name, v)
    found = Passes(v, measured=True, machine=machine())
    pair.kept[name] = found
    return found


def fitting_nodes(pair: Pair) -> int:
    """The size of a tree that one pass checks for little more than it takes for one token: where a kernel takes some rows at a time, its block.

    Uses the pair's caches: a run in progress on the pair cannot continue.
    """
    v = passes_of(pair).v
    return max((n for n in range(2, Settings().nodes + 1) if v[n] <= _LITTLE_MORE), default=2)


def watched(pair: Pair, reserve: int = 0, before: Glance | None = None) -> Watchman:
    """A watchman over runs of this pair, on no more threads than its passes gain from: those of a small model wait longer for a second
    thread than it saves.

    Args:
        reserve, before: see `Watchman`.
    """
    on_cpu = pair.target.device.type == "cpu"
    return Watchman(on_cpu, reserve, before=before, limit=_threads(pair) if on_cpu else None)


def _threads(pair: Pair) -> int:
    """The number of threads, of those that torch has, on which passes of the target are fastest: noted, else measured now.

    Uses the pair's caches: a run in progress on the pair cannot continue.
    """
    usual = torch.get_num_threads()
    name = f"threads for {called(pair)}"
    found = noted(name, lambda count: count if type(count) is int and 1 <= count <= usual else None)
    if found is None and usual > 1:
        pair.take()
        with Undisturbed() as measured:
            found = _fastest_threads(pair, usual)
        if not measured.calm:
            return usual
        note(name, found)
    return found or usual


@torch.inference_mode()
def _fastest_threads(pair: Pair, usual: int) -> int:
    """The smallest number of threads with (nearly) the shortest passes over one token and over a few."""
    fill(pair.target, max(1, min(_CACHED, pair.target.context - 8)), 8)
    if min(_once(pair), _once(pair)) > _LONG_S:
        return usual
    seconds: dict[int, float] = {}
    try:
        for count in [*(2**n for n in range(usual.bit_length()) if 2**n < usual), usual]:
            torch.set_num_threads(count)
            seconds[count] = sum(min(_once(pair, width) for _ in range(4)) for width in (1, 6))
    finally:
        torch.set_num_threads(usual)
    return next(count for count in seconds if seconds[count] <= _NEARLY * min(seconds.values()))


def _costs(found: Any) -> tuple[float, ...] | None:
    """v from a note; None where it is not usable."""
    usable = isinstance(found, list) and len(found) == MAX_DRAFT_LENGTH + 1
    return tuple(map(float, found)) if usable and all(isfinite(cost) and 0 < cost < 1000 for cost in found) else None


def called(pair: Pair) -> str:
    """The target, as far as it decides what its passes cost."""
    card = pair.card
    return f"{card.target.name} {card.target.revision} {card.target.parameters} {card.dtype} on {card.device}, {pair.target.decoder}"


@torch.inference_mode()
def _measured(pair: Pair) -> tuple[float, ...]:
    """v, from passes over some numbers of tokens: the shortest of each counts, and a wider pass is never taken for a cheaper one."""
    target = pair.target
    widths = [width for width in WIDTHS if width + 1 < target.context // 2] or [1]
    cached = max(1, min(_CACHED, target.context - max(widths) - 1))
    fill(target, cached, max(widths) + 1)
    best: dict[int, float] = {}
    until = monotonic() + _LIMIT_S
    for number, width in enumerate([1, *widths]):
        if monotonic() > until and number > 3:
            break
        ids = torch.arange(1, width + 1, device=target.device) % target.vocabulary
        wait(target.device)
        began = perf_counter()
        target.forward(ids)
        wait(target.device)
        took = perf_counter() - began
        target.keep([])
        best[width] = min(best.get(width, took), took)
    return _between(best)


def _between(seconds: Mapping[int, float]) -> tuple[float, ...]:
    """v of every number of tokens from the seconds of some."""
    known = sorted(seconds)
    costs: list[float] = []
    for tokens in range(1, MAX_DRAFT_LENGTH + 2):
        after = next((width for width in known if width >= tokens), known[-1])
        before = max((width for width in known if width <= tokens), default=known[0])
        share = (tokens - before) / (after - before) if after > before else 0.0
        cost = (seconds[before] + share * (seconds[after] - seconds[before])) / seconds[1]
        if tokens > known[-1]:
            cost *= tokens / known[-1]
        costs.append(max(cost, costs[-1] if costs else 1.0))
    return tuple(costs)


def _elsewhere(pair: Pair) -> Passes:
    """The costs of the machine where the shipped figures were measured."""
    found, where = shipped_costs(pair.name)
    return Passes(
        _costs(found) or tuple(1 + 0.1 * n for n in range(MAX_DRAFT_LENGTH + 1)),
        measured=False,
        machine=where,
        until=monotonic() + _BUSY_S,
    )


def guesses(pair: Pair, names: Sequence[str]) -> Iterator[tuple[str, float]]:
    """What one more guess of these drafters costs, where a guess can be timed; one that cannot be used here costs more than any gains."""
    for name in names:
        described = registry.describe(name)
        if described.shape == "tree" or described.needs == "nothing":
            continue
        key = f"guess of {name} for {called(pair)}" + (f", {pair.card.draft.name}" if pair.card.draft else "")
        c = noted(key, _positive)
        if c is None:
            try:
                with Undisturbed() as measured:
                    c = _guess(pair, name)
            except PairError:
                yield name, 1e6
                continue
            if measured.calm or pair.target.device.type != "cpu":
                note(key, c)
        yield name, c


def _positive(found: Any) -> float | None:
    return float(found) if isinstance(found, int | float) and isfinite(found) and found > 0 else None


def _guess(pair: Pair, name: str) -> float:
    pair.take()
    drafter = made(pair, name)
    tap(pair.target, drafter)
    with torch.inference_mode():
        fill(pair.target, min(_CACHED, pair.target.context // 2), 2)
        seconds = min(_once(pair) for _ in range(3))
        return max(draft_seconds(drafter) / seconds, 1e-6)


def _once(pair: Pair, tokens: int = 1) -> float:
    """Seconds of one pass over so many tokens."""
    ids = torch.ones(tokens, dtype=torch.long, device=pair.target.device)
    wait(pair.target.device)
    began = perf_counter()
    pair.target.forward(ids)
    wait(pair.target.device)
    took = perf_counter() - began
    pair.target.keep([])
    return took
