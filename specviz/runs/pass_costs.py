"""What passes of a pair cost on this machine, measured in a fraction of a second and noted, so that the next process need not measure. Timed
runs correct the notes.

They are for choices that must be made at once: the policies "auto" and "cost", and the number of threads. Where other programs take the cores, nothing is noted, and the costs of the machine of the shipped
figures stand in for a minute.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import inf, isfinite
from operator import attrgetter
from statistics import median
from time import monotonic, perf_counter
from typing import Any

import torch

from specviz.decoding.clock import wait
from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.loop import capacity_for, speculate
from specviz.decoding.protocols import Drafter
from specviz.decoding.recorder import LIGHT
from specviz.errors import PairError, ScoresError
from specviz.models.machine_notes import Undisturbed, machine, note, noted
from specviz.models.pair import Pair
from specviz.models.threads import Threads
from specviz.models.timing import fill
from specviz.runs.known_figures import shipped_costs
from specviz.runs.load_watch import Watchman
from specviz.runs.prepare import made
from specviz.runs.warmup import warm_up
from specviz.settings import MAX_DRAFT_LENGTH, Settings
from specviz.trace.records import Round, Trace

WIDTHS = (6, 1, 3, 8, 2) * 2 + (4, 7, 12, 17, 5, 1) * 2
"""Tokens of the passes that are timed, in this order, as far as the time goes; between them the cost is interpolated."""
_LIMIT_S = 0.5
"""About how long the passes may take."""
_FEWEST = 5
"""So many passes are timed however long they take."""
_BUSY_S = 60.0
"""After so many seconds a machine that was too busy is measured again."""
_CACHED = 64
_PROMPT, _GUESSED, _ROUNDS = 8, 3, 5
"""A drafter is timed after so many tokens, with drafts so long or trees so deep, in so many rounds, of which the first does not count."""
_LONG_S = 0.01
"""A pass that takes longer gains from every thread: its matrices are large."""
_NEARLY = 1.05
"""Fewer threads are used where they take up to so many times as long: the others are left to other programs."""
_ENOUGH = 5
"""A median of fewer rounds is not learned from."""


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


def learn(pair: Pair, speculative: Trace, plain: Trace) -> None:
    """Let what is known of this pair's costs follow a timed pair of runs, in which both were calm: half of the new figures is theirs.

    Costs that were measured in a moment are those of that moment: what else the machine does changes them.
    """
    passes, settings = pair.kept.get(f"passes of {called(pair)}"), speculative.settings
    rounds = [round_ for round_ in speculative.rounds if round_.drafted]
    enough = len(plain.rounds) >= _ENOUGH and len(rounds) >= _ENOUGH
    if not isinstance(passes, Passes) or not passes.measured or not enough:
        return
    one, besides = (median(map(what, plain.rounds)) for what in (attrgetter("verify_s"), besides_s))
    by_width: dict[int, list[float]] = {}
    for round_ in rounds:
        by_width.setdefault(len(round_.drafted), []).append(round_.verify_s / one)
    seen = {n: median(found) for n, found in by_width.items() if len(found) >= _ENOUGH and n < len(passes.v)}
    if seen:
        v = _following(passes.v, seen)
        note(f"passes of {called(pair)}", v)
        pair.kept[f"passes of {called(pair)}"] = replace(passes, v=v)
    nodes = settings.nodes if registry.describe(settings.drafter).shape == "tree" else 0
    key = _guess_of(pair, settings.drafter, nodes)
    if (c := noted(key, _positive)) is not None:
        now = median((besides_s(round_) - besides) / max(1, round_.allowed or len(round_.drafted)) for round_ in rounds)
        note(key, (c + max(now / one, 1e-6)) / 2)


def _following(v: Sequence[float], seen: Mapping[int, float]) -> tuple[float, ...]:
    """v, half of whose excess over one pass follows what was seen at some numbers of tokens; at the others as at the nearest of these."""
    factors = {n: (1 + max(found - 1, 0.01) / max(v[n] - 1, 0.01)) / 2 for n, found in seen.items()}
    costs = [1.0]
    for n in range(1, len(v)):
        factor = factors[min(factors, key=lambda known: abs(known - n))]
        costs.append(max(costs[-1], 1 + (v[n] - 1) * factor))
    return tuple(costs)


def watched(pair: Pair, reserve: int = 0) -> Watchman:
    """A watchman over runs of this pair, on no more threads than its passes gain from.

    Args:
        reserve: see `Watchman`.
    """
    return Watchman(pair.target.device.type == "cpu", reserve, limit=useful_threads(pair))


def useful_threads(pair: Pair) -> int | None:
    """The number of threads, of those that torch has, on which passes of the target are fastest: noted, else measured now, if enough cores are
    free. None for all of them, or where it is not known. Those of a small model wait longer for a second thread than it saves.

    Uses the pair's caches: a run in progress on the pair cannot continue.
    """
    usual = torch.get_num_threads()
    if pair.target.device.type != "cpu" or usual == 1:
        return None
    name = f"threads for {called(pair)}"
    found = noted(name, lambda count: count if type(count) is int and 1 <= count <= usual else None)
    if found is None:
        with Threads(fixed=True).used() as threads:
            if threads.count < usual:
                return None
            pair.take()
            with Undisturbed() as measured:
                found = _fastest_threads(pair, threads)
        if not measured.calm:
            return None
        note(name, found)
    return found


@torch.inference_mode()
def _fastest_threads(pair: Pair, threads: Threads) -> int:
    """The smallest number of threads with (nearly) the shortest passes over one token and over a few."""
    fill(pair.target, max(1, min(_CACHED, pair.target.context - 8)), 8)
    usual = threads.count
    if min(_once(pair), _once(pair)) > _LONG_S:
        return usual
    seconds: dict[int, float] = {}
    for count in [*(2**n for n in range(usual.bit_length()) if 2**n < usual), usual]:
        threads.use(count)
        seconds[count] = sum(min(_once(pair, width) for _ in range(4)) for width in (1, 6))
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
    if target.device.type != "cpu":  # there the first pass over so many tokens is captured as a graph
        for width in {1, *widths}:
            _once(pair, width)
    until = monotonic() + _LIMIT_S
    for number, width in enumerate([1, *widths]):
        if monotonic() > until and number > _FEWEST:
            break
        best[width] = min(best.get(width, inf), _once(pair, width))
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
    v, where = shipped_costs(pair.name)
    return Passes(v, measured=False, machine=where, until=monotonic() + _BUSY_S)


def guesses(pair: Pair, drafters: Sequence[tuple[str, int]]) -> Iterator[tuple[tuple[str, int], float]]:
    """What one more guess of these drafters costs, of a tree one more level; of one that cannot be used here more than any gains. Those that
    take no pass are left out.

    Args:
        drafters: each with the size of its tree, 0 for a chain.
    """
    for name, nodes in drafters:
        described = registry.describe(name)
        if described.needs == "nothing" and not described.itself:
            continue
        key = _guess_of(pair, name, nodes)
        c = noted(key, _positive)
        if c is None:
            try:
                with Undisturbed() as measured:
                    c = _guess(pair, name, nodes)
            except (PairError, ScoresError):
                c = inf
            if c < inf and (measured.calm or pair.target.device.type != "cpu"):
                note(key, c)
        yield (name, nodes), min(c, 1e6)


def costs_of(pair: Pair, name: str) -> Costs:
    """What passes of the target and guesses of this drafter of chains cost here, for the cost-aware policy.

    Uses the pair's caches: a run in progress on the pair cannot continue.
    """
    return Costs(dict(guesses(pair, [(name, 0)]))[name, 0], passes_of(pair).v)


def _guess_of(pair: Pair, name: str, nodes: int) -> str:
    """The name of the note on what a guess costs."""
    return f"guess of {name} {nodes} for {called(pair)}" + (f", {pair.card.draft.name}" if pair.card.draft else "")


def _positive(found: Any) -> float | None:
    return float(found) if isinstance(found, int | float) and isfinite(found) and found > 0 else None


def _guess(pair: Pair, name: str, nodes: int) -> float:
    """What a round costs besides the pass, more than one without a draft, for each guess: the median over some rounds of a run, in which the
    target's passes take the processor's caches from the drafter. Infinite where it drafts nothing."""
    drafting = [round_ for round_ in _rounds(pair, made(pair, name), nodes) if round_.drafted]
    if not drafting:
        return inf
    target, v = pair.target, passes_of(pair).v
    plain = median(map(besides_s, _rounds(pair, NoDrafter(target.vocabulary, target.device), 0)))
    one = median(round_.verify_s / v[min(len(round_.drafted), len(v) - 1)] for round_ in drafting)
    each = ((besides_s(round_) - plain) / (_GUESSED if nodes else len(round_.drafted)) for round_ in drafting)
    return max(median(each) / one, 1e-6)


def _rounds(pair: Pair, drafter: Drafter, nodes: int) -> list[Round]:
    """Some rounds of a run on an arbitrary text, without the first."""
    pair.take()
    settings = Settings(k=_GUESSED, nodes=nodes or Settings().nodes, max_new_tokens=_ROUNDS * (_GUESSED + 1))
    prompt = [1 + id_ % (pair.target.vocabulary - 1) for id_ in range(_PROMPT)]
    if pair.target.device.type != "cpu":
        warm_up(pair.target, drafter, settings, capacity_for(prompt, settings))
    return [*islice(speculate(pair.target, drafter, prompt, settings, recorder=LIGHT), 1, _ROUNDS)]


def besides_s(round_: Round) -> float:
    """Seconds of a round besides the target's pass."""
    return round_.ended_s - round_.began_s - round_.verify_s


@torch.inference_mode()
def _once(pair: Pair, tokens: int = 1) -> float:
    """Seconds of one pass over so many tokens."""
    ids = torch.arange(1, tokens + 1, device=pair.target.device) % pair.target.vocabulary
    wait(pair.target.device)
    began = perf_counter()
    pair.target.forward(ids)
    wait(pair.target.device)
    took = perf_counter() - began
    pair.target.keep([])
    return took
