"""The costs of a pair on this machine: of a pass over n tokens, of a guess of each drafter, and the number of threads that passes gain from.

Each is measured in a fraction of a second and noted, so that the next process need not measure. Where other programs take the cores, nothing is
noted, and the costs of the machine of the shipped figures stand in for a minute.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice
from math import inf, isfinite
from statistics import median
from time import monotonic, perf_counter
from typing import Any

import torch

from specviz.decoding.clock import wait
from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.loop import capacity_for, speculate
from specviz.decoding.protocols import Drafter, LanguageModel
from specviz.decoding.recorder import LIGHT
from specviz.models.checks.first_use import quantized_copy
from specviz.models.machine_notes import CoreTime, machine, note, noted
from specviz.models.pair import Pair, at_first_use
from specviz.models.threads import Threads, is_fixed
from specviz.runs.acceptance import shipped_costs
from specviz.runs.build import build_drafter, first_use
from specviz.runs.load_watch import Watchman, watching
from specviz.runs.warmup import warm_up
from specviz.settings import MAX_DRAFT_LENGTH, Settings
from specviz.trace.records import Round

# Tokens of the passes that are timed, in this order, as far as the time goes; between them the cost is interpolated. Over one token two in a
# row: plain decoding makes no other passes, and after a wide one they take longer.
WIDTHS = ((6, 1, 1, 3, 8, 2) * 2 + (4, 7, 12, 17, 5, 1, 1) * 2) * 2
_LIMIT_S = 1.2  # about how long the passes may take
_FEWEST = 13  # so many passes are timed however long they take: each of the first widths twice
_BUSY_S = 60.0  # a machine that was too busy is measured again after so many seconds
_CACHED = 64  # cached tokens before the passes that are timed
# A drafter is timed after so many tokens, so far ahead, in so many rounds; the first does not count.
_PROMPT, _GUESSED, _ROUNDS = 8, 3, 5
_PASSES = 5  # of one length; the median is used, so that a pause of the machine does not count as cost
_TURNS = 3  # the target and its copy are timed in turn so often
# Numbers of threads are compared by the work of rounds with so many guesses, in so many turns.
_ROUND, _THREAD_TURNS = 5, 7
_LONG_S = 0.01  # a pass that takes longer gains from every thread: its matrices are large
# Fewer threads are used where they take up to so many times as long: the others are left to other programs.
_NEARLY = 1.05
_TOO_DEAR = 1e6  # the cost of a guess of a drafter that never guesses


@dataclass(frozen=True, slots=True)
class PassCosts:
    """The cost of a pass of the target.

    Attributes:
        v: v[n] of `Costs`.
        measured: whether on this machine.
        machine: where.
    """

    v: tuple[float, ...]
    measured: bool
    machine: str


_busy_until: dict[str, float] = {}  # by the name of a note: until when, by the monotonic clock, other costs stand in


def pass_costs(pair: Pair) -> PassCosts:
    """The cost of passes of the target here: noted, else measured now, else as on the machine of the shipped figures, where this one is too busy.

    Uses the pair's caches: a run in progress on the pair cannot continue.
    """
    name = f"passes of {target_name(pair)}"
    v = noted(name, _usable_costs)
    if v is None and monotonic() > _busy_until.get(name, -inf):
        pair.take()
        with CoreTime() as measured:
            v = _measure_passes(pair)
        if measured.calm or pair.target.device.type != "cpu":
            note(name, v)
        else:
            v, _busy_until[name] = None, monotonic() + _BUSY_S
    if v is None:
        shipped, where = shipped_costs(pair.name)
        return PassCosts(shipped, measured=False, machine=where)
    return PassCosts(v, measured=True, machine=machine())


def watched(pair: Pair, reserve: int = 0) -> AbstractContextManager[Watchman]:
    """A watchman over runs of this pair, on no more threads than its passes gain from. `reserve`: see `watching`."""
    return watching(on_cpu=pair.target.device.type == "cpu", reserve=reserve, limit=useful_threads(pair))


def useful_threads(pair: Pair) -> int | None:
    """The number of threads, of those that torch has, on which passes of the target are fastest: noted, else measured now, if enough cores are
    free. None for all of them, or where it is not known. Those of a small model wait longer for a second thread than it saves.

    Uses the pair's caches: a run in progress on the pair cannot continue.
    """
    all_threads = torch.get_num_threads()
    if pair.target.device.type != "cpu" or all_threads == 1:
        return None
    name = f"threads for {target_name(pair)}{_with_draft(pair)}"
    fastest = noted(name, lambda count: count if type(count) is int and 1 <= count <= all_threads else None)
    if fastest is None:
        with Threads(fixed=True).used() as threads:
            if threads.count < all_threads:
                return None
            pair.take()
            with CoreTime() as measured:
                fastest = _fastest_threads(pair, threads)
        if not measured.calm:
            return None
        note(name, fastest)
    return fastest


def limit_threads(threads: Threads, pair: Pair) -> None:
    """No more threads than passes of the target gain from; within a comparison that is decided already."""
    if threads.limit is None and not is_fixed():
        threads.limit = useful_threads(pair)
        threads.fit()


@torch.inference_mode()
def _fastest_threads(pair: Pair, threads: Threads) -> int:
    """The smallest number of threads with (nearly) the shortest work: a plain pass, and the passes of a round, those of a draft model included. Timed
    in turn, and the median counts: where the cores are shared, short passes wait for their second thread now and then, which the shortest hides."""
    models = [pair.target] if pair.draft is None else [pair.target, pair.draft]
    for model in models:
        fill(model, max(1, min(_CACHED, model.context - 8)), 8)
    if min(_pass_seconds(pair.target), _pass_seconds(pair.target)) > _LONG_S:
        return threads.count
    all_threads = threads.count
    counts: list[int] = [*(2**n for n in range(all_threads.bit_length()) if 2**n < all_threads), all_threads]
    seconds: dict[int, list[float]] = {count: [] for count in counts}
    for _ in range(_THREAD_TURNS):
        for count in counts:
            threads.use(count)
            _pass_seconds(pair.target)  # the first pass with another number of threads is slower
            target_s = _pass_seconds(pair.target) + _pass_seconds(pair.target, _ROUND + 1)
            seconds[count].append(target_s + sum(_pass_seconds(model) for model in models[1:] for _ in range(_ROUND)))
    typical = {count: median(times) for count, times in seconds.items()}
    return next(count for count in counts if typical[count] <= _NEARLY * min(typical.values()))


def _usable_costs(noted_v: Any) -> tuple[float, ...] | None:
    """v from a note; None where it is not usable."""
    usable = isinstance(noted_v, list) and len(noted_v) == MAX_DRAFT_LENGTH + 1
    return (
        tuple(map(float, noted_v)) if usable and all(isfinite(cost) and 0 < cost < 1000 for cost in noted_v) else None
    )


def target_name(pair: Pair) -> str:
    """The target, as far as it decides the cost of its passes."""
    card = pair.card
    return f"{card.target.name} {card.target.revision} {card.target.parameters} {card.dtype} on {card.device}, {pair.target.decoder}"


def _with_draft(pair: Pair) -> str:
    return f", {pair.card.draft.name}" if pair.card.draft else ""


@torch.inference_mode()
def _measure_passes(pair: Pair) -> tuple[float, ...]:
    """v, from passes over some numbers of tokens: the shortest of each counts."""
    target = pair.target
    widths = [width for width in WIDTHS if width + 1 < target.context // 2] or [1]
    cached = max(1, min(_CACHED, target.context - max(widths) - 1))
    fill(target, cached, max(widths) + 1)
    best: dict[int, float] = {}
    if target.device.type != "cpu":  # there the first pass over so many tokens is captured as a graph
        for width in {1, *widths}:
            _pass_seconds(target, width)
    until = monotonic() + _LIMIT_S
    for number, width in enumerate([1, *widths]):
        if monotonic() > until and number > _FEWEST:
            break
        best[width] = min(best.get(width, inf), _pass_seconds(target, width))
    return _interpolate(best)


def _interpolate(seconds: Mapping[int, float]) -> tuple[float, ...]:
    """v of every number of tokens from the seconds of some. Other work on the machine can only lengthen a pass, and a narrower pass takes no longer
    than a wider one: where it did, the time of the wider one counts."""
    widths = sorted(seconds)
    shortest = {width: min(seconds[wider] for wider in widths if wider >= width) for width in widths}
    costs: list[float] = []
    for tokens in range(1, MAX_DRAFT_LENGTH + 2):
        after = next((width for width in widths if width >= tokens), widths[-1])
        before = max((width for width in widths if width <= tokens), default=widths[0])
        share = (tokens - before) / (after - before) if after > before else 0.0
        cost = (shortest[before] + share * (shortest[after] - shortest[before])) / shortest[widths[0]]
        if tokens > widths[-1]:
            cost *= tokens / widths[-1]
        costs.append(cost)
    return tuple(costs)


def guess_cost(pair: Pair, name: str, nodes: int = 0) -> float | None:
    """The cost of one more guess of a drafter, of a tree of one more level: noted, else measured now; of one that never guesses more than any
    gains. None for a drafter that takes no pass.

    Uses the pair's caches: a run in progress on the pair cannot continue. Raises PairError if the drafter cannot be used on this pair.

    Args:
        nodes: the size of the tree, 0 for a chain.
    """
    name = registry.guesser(name)
    described = registry.describe(name)
    if described.needs == "nothing" and not described.itself:
        return None
    key = f"guess of {name} {nodes} for {target_name(pair)}{_with_draft(pair)}"
    c = noted(key, _usable_cost)
    if c is None:
        with CoreTime() as measured:
            c = _measure_guess(pair, name, nodes)
        if c < inf and (measured.calm or pair.target.device.type != "cpu"):
            note(key, c)
    return min(c, _TOO_DEAR)


def costs_of(pair: Pair, name: str) -> Costs:
    """The cost ratios of passes of the target and of guesses of this drafter of chains, for the cost-aware policy.

    Uses the pair's caches: a run in progress on the pair cannot continue. Raises SettingsError if there is no such
    drafter; PairError if it cannot be used on this pair.
    """
    c = guess_cost(pair, name)
    v = pass_costs(pair).v
    return Costs(v=v) if c is None else Costs(c, v)


@at_first_use
def copy_cost(pair: Pair) -> float:
    """The seconds of a pass of the target's copy in 8 bits over one token, in passes of the target: the median of a few, timed in turn."""
    models = (pair.target, quantized_copy(pair))
    for model in models:
        fill(model, max(1, min(_CACHED, model.context - 1)), 1)
        pass_seconds(model, 1)  # the first passes are slower
    target, copied = models
    return median(pass_seconds(copied, 1) / pass_seconds(target, 1) for _ in range(_TURNS))


def _usable_cost(cost: Any) -> float | None:
    return float(cost) if isinstance(cost, int | float) and isfinite(cost) and cost > 0 else None


def _measure_guess(pair: Pair, name: str, nodes: int) -> float:
    """The cost of a round besides the pass, beyond that of a round without a draft, for each guess: the median over some rounds of a run, in which
    the target's passes take the processor's caches from the drafter. Infinite where it drafts nothing."""
    drafter = build_drafter(pair, name)
    first_use(pair, drafter)
    drafting = [round_ for round_ in _rounds(pair, drafter, nodes) if round_.drafted]
    if not drafting:
        return inf
    target, v = pair.target, pass_costs(pair).v
    plain = median(map(besides_s, _rounds(pair, NoDrafter(target.vocabulary, target.device), 0)))
    pass_s = median(round_.verify_s / v[min(len(round_.drafted), len(v) - 1)] for round_ in drafting)
    guess_s = ((besides_s(round_) - plain) / (_GUESSED if nodes else len(round_.drafted)) for round_ in drafting)
    return max(median(guess_s) / pass_s, 1e-6)


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


def fill(model: LanguageModel, length: int, spare: int) -> None:
    """Put an arbitrary text of `length` tokens into the model's cache, with room for `spare` more."""
    model.begin(length + spare)
    model.forward(torch.arange(length, device=model.device) % model.vocabulary, rows=1)
    model.keep(range(length))


def pass_seconds(model: LanguageModel, tokens: int, *, in_a_row: int = 1) -> float:
    """Median seconds of a pass over `tokens` tokens after the cached text; see `_pass_seconds`."""
    return median(_pass_seconds(model, tokens, in_a_row) for _ in range(_PASSES))


def _pass_seconds(model: LanguageModel, tokens: int = 1, in_a_row: int = 1) -> float:
    """Seconds of a pass over arbitrary tokens, since its cost does not depend on the text. It is rolled back, outside the measured time.

    Args:
        in_a_row: time this many consecutive passes together, with one device synchronisation at their end.
    """
    ids = torch.arange(1, tokens + 1, device=model.device) % model.vocabulary
    wait(model.device)
    began = perf_counter()
    for _ in range(in_a_row):
        model.forward(ids)
    wait(model.device)
    seconds = perf_counter() - began
    model.keep([])
    return seconds
