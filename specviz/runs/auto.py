"""Chooses drafter, draft length and size of the tree where a person leaves them to specviz: by what this machine measures and what is known of
each drafter's acceptance.

The expected speedup is that of Leviathan et al. (arXiv 2211.17192, theorem 3.8), with the measured cost of a pass over several tokens. How
often guesses are right comes from the figures that ship with the pair (`python -m specviz.training.known` makes them), else from the
examination beside a draft or a head, else it is assumed. What passes cost is measured in a fraction of a second and noted for this machine;
where other programs take the cores, the costs of another machine stand in, and the plan says so.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import isfinite
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

import torch

from specviz.decoding.clock import wait
from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.decoding.loop import tap
from specviz.decoding.pace import Pace, Spending, pace_for
from specviz.errors import PairError
from specviz.folders import ASSETS
from specviz.models.machine_notes import Undisturbed, machine, note, noted
from specviz.models.pair import Pair
from specviz.models.timing import fill
from specviz.runs.prepare import draft_seconds, heads_of, made
from specviz.settings import AUTO, MAX_DRAFT_LENGTH, Settings
from specviz.trace.plan import Plan

FILE = ASSETS / "acceptance.json"
"""What is known of the drafters of the pairs that come with the project."""
WIDTHS = (1, 6, 3, 8, 2, 12, 1, 4, 7, 6, 17)
"""Tokens of the passes that are timed, in this order, as far as the time goes; between them the cost is interpolated."""
_LIMIT_S = 0.35
"""About how long the passes may take."""
_BUSY_S = 60.0
"""After so many seconds a machine that was too busy is measured again."""
_CACHED = 64
_LITTLE_MORE = 1.4
"""Cost of a pass, in passes over one token, up to which a tree is taken to fit."""
_LONGEST = 8
"""A draft that is left to specviz is at most so long."""
_TRIED = 3
"""So many drafters are timed: those that promise most by the figures of another machine."""
_ASSUMED = (0.6, 0.55, 0.5)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a drafter before it runs on this machine.

    Attributes:
        greedy, sampled: the probability that a token is accepted where those before it are, by position; of a tree that its path grows.
        draft: the cost of one more drafted token, of a tree of one more level, in passes of the target, on the machine where it was measured.
        nodes: the size of the tree; 0 for a chain.
        share: the share of rounds in which it proposes anything: one that copies finds nothing in the others.
    """

    greedy: tuple[float, ...]
    sampled: tuple[float, ...]
    draft: float
    nodes: int = 0
    share: float = 1.0

    def rates(self, settings: Settings) -> tuple[float, ...]:
        """The probabilities with these settings."""
        return self.greedy if settings.greedy else self.sampled


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


@dataclass(frozen=True, slots=True)
class Chosen:
    """The settings of a run with nothing left open, and what its pace begins with.

    Attributes:
        plan: why; None where nothing was left open.
        costs, rates: see `specviz.decoding.pace`; None and () where the policy does not need them.
    """

    settings: Settings
    plan: Plan | None = None
    costs: Costs | None = None
    rates: tuple[float, ...] = ()

    def pace(self) -> Pace:
        """A pace for one text."""
        described = registry.descriptions().get(self.settings.drafter)
        tree = described is not None and described.shape == "tree"
        return pace_for(self.settings, self.costs, self.rates, tree=tree)


@dataclass(frozen=True, slots=True)
class _Candidate:
    drafter: str
    known: Known
    c: float
    """The cost of one more drafted token, or level."""


def chosen(pair: Pair, settings: Settings) -> Chosen:
    """The settings of a run on this pair; only what is left open changes, never what a person gave.

    Measures what passes cost, unless that is noted. Uses the pair's caches: a run in progress on the pair cannot continue.

    Raises:
        PairError: no drafter can be used on this pair.
        SettingsError: with the drafter of the settings, something is not supported.
    """
    if not settings.open and settings.policy != AUTO:
        return Chosen(settings)
    known, is_known = _known_of(pair, settings)
    passes = passes_of(pair)
    ranked = sorted(
        (_Candidate(name, one, one.draft) for name, one in known),
        key=lambda candidate: -_best(candidate, settings, passes).speedup,
    )
    if not ranked:
        raise PairError(f"No drafter can be used on {pair.name} with these settings: choose one yourself.")
    timed = _timed(pair, ranked, passes)
    best = max((_best(candidate, settings, passes) for candidate in timed), key=lambda option: option.speedup)
    left = settings.open
    final = replace(
        settings,
        drafter=best.candidate.drafter,
        k=settings.k or best.longest,
        nodes=settings.nodes or best.candidate.known.nodes or Settings().nodes,
    )
    if "drafter" in left:
        final = registry.fitted(final)
    registry.check(final)
    plan = (
        Plan(left, best.tokens, best.checked, best.verify, best.draft, passes.measured, passes.machine, is_known)
        if left
        else None
    )
    return Chosen(final, plan, Costs(best.candidate.c, passes.v), best.candidate.known.rates(settings))


@dataclass(frozen=True, slots=True)
class _Option:
    """A draft length for a candidate, and what a round of it is expected to bring and to cost; see `Plan`."""

    candidate: _Candidate
    longest: int
    tokens: float
    checked: int
    verify: float
    draft: float

    @property
    def speedup(self) -> float:
        return self.tokens / (self.verify + self.draft)


def _best(candidate: _Candidate, settings: Settings, passes: Passes) -> _Option:
    """The length with the best expected speedup, plain decoding (nothing drafted) among them, except where every draft has k tokens."""
    costs, known = Costs(candidate.c, passes.v), candidate.known
    nodes = (settings.nodes or known.nodes) if known.nodes else 0
    spending = Spending(costs, MAX_DRAFT_LENGTH, nodes, learns=False)
    rates, most = known.rates(settings), settings.k or _LONGEST
    always = settings.policy == "fixed"
    lengths = range(settings.k or 1, most + 1) if always else range(most + 1)
    length = max(lengths, key=lambda n: _option(candidate, spending, rates, n, most, nodes).speedup)
    best = _option(candidate, spending, rates, length, most, nodes)
    if always:
        return replace(best, longest=length)
    # Texts differ: where guesses are right more often, longer drafts pay, and the pace finds out. So the longest draft is what would pay then.
    hopeful = tuple((1 + rate) / 2 for rate in rates)
    longest = max(range(1, most + 1), key=lambda n: _option(candidate, spending, hopeful, n, most, nodes).speedup)
    return replace(best, longest=settings.k or max(longest, len(rates) if nodes else 1))


def _option(
    candidate: _Candidate, spending: Spending, rates: Sequence[float], length: int, most: int, nodes: int
) -> _Option:
    drafted = (nodes or length) if length else 0
    tokens = reach = 1.0
    for index in range(length):
        reach *= rates[min(index, len(rates) - 1)]
        tokens += reach
    share = candidate.known.share
    verify, draft = spending.verify(drafted), spending.draft(length)
    return _Option(candidate, most, 1 + share * (tokens - 1), drafted + 1, 1 + share * (verify - 1), share * draft)


# ------------------------------------------------------------------ what is known


def _known_of(pair: Pair, settings: Settings) -> tuple[list[tuple[str, Known]], bool]:
    """The drafters that may be chosen with what is known of each, and whether that comes from figures."""
    heads = heads_of(pair)
    able = registry.able(draft=pair.draft is not None or pair.other is not None, heads=heads, other=bool(pair.mismatch))
    if pair.mismatch:
        able = tuple(name for name in able if registry.describe(name).needs != "draft model")
    given = (settings.drafter,) if settings.drafter != AUTO else able
    shipped = shipped_figures().get(pair.name, {})
    found = [(name, one) for name in given for one in shipped.get(name, ()) if _fits(name, settings)]
    if not found:
        found = [(name, one) for name in given if _fits(name, settings) and (one := _examined(pair, name)) is not None]
    if found:
        return found, True
    name = given[0] if settings.drafter != AUTO else _usual(pair, able, heads)
    tree = registry.describe(name).shape == "tree"
    return [(name, Known(_ASSUMED, _ASSUMED, 0.1, (settings.nodes or 5) if tree else 0))], False


def _fits(name: str, settings: Settings) -> bool:
    """Whether this drafter takes the policy and the rule of the settings."""
    described = registry.describe(name)
    return settings.policy in (*described.policies, AUTO) and settings.rule in described.rules


def _usual(pair: Pair, able: Sequence[str], heads: Sequence[str]) -> str:
    """The drafter of a pair of which nothing is known: its head, its draft model, or one that needs none."""
    kinds = {registry.describe(name).head: name for name in reversed(able) if registry.describe(name).shape == "chain"}
    with_head = next((kinds[kind] for kind in heads if kind in kinds), None)
    return with_head or (registry.translating()[0] if pair.mismatch else registry.usual(draft=pair.draft is not None))


@cache
def shipped_figures() -> Mapping[str, Mapping[str, tuple[Known, ...]]]:
    """Pair -> drafter -> what is known of it, once for each size of a tree; empty where the file cannot be read."""
    try:
        found = json.loads(FILE.read_text(encoding="utf-8"))
        return {
            pair: {name: tuple(_read(one) for one in each) for name, each in drafters.items()}
            for pair, drafters in found["pairs"].items()
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def _read(one: Mapping[str, Any]) -> Known:
    """One row of the file.

    Raises:
        ValueError: a figure is no probability, or a cost no number of at least 0.
    """
    greedy, sampled = _rates(one["greedy"]), _rates(one["sampled"])
    draft, share = float(one["draft"]), float(one.get("share", 1.0))
    if not greedy or not sampled or not isfinite(draft) or draft < 0 or not 0 <= share <= 1:
        raise ValueError(f"figures of a drafter that cannot be: {one}")
    return Known(greedy, sampled, draft, int(one.get("nodes", 0)), share)


def _rates(values: Sequence[float | None]) -> tuple[float, ...]:
    """Probabilities by position, up to the first that is not known."""
    rates: list[float] = []
    for value in values:
        if not isinstance(value, int | float) or not 0 <= value <= 1:
            break
        rates.append(float(value))
    return tuple(rates)


_JUDGED = 20
"""Figures of a position count from so many judged tokens on."""


def _examined(pair: Pair, name: str) -> Known | None:
    """What the examination beside the trained head says of this drafter; None where there is none."""
    described = registry.describe(name)
    folder = pair.head_folders.get(described.head) if described.shape == "chain" and described.head else None
    if folder is None:
        return None
    try:
        found = json.loads((Path(folder) / "examination.json").read_text(encoding="utf-8"))["drafters"][name]
        greedy, sampled = (_examined_rates(found[kind]) for kind in ("greedy", "sampled"))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return Known(greedy, sampled or greedy, 0.1) if greedy else None


def _examined_rates(found: Mapping[str, Any]) -> tuple[float, ...]:
    judged = found["judged_by_position"]
    return _rates(
        [rate if count >= _JUDGED else None for rate, count in zip(found["alpha_by_position"], judged, strict=False)]
    )


# ------------------------------------------------------------------ what passes cost


def passes_of(pair: Pair) -> Passes:
    """What passes of the target cost here: noted, else measured now, else as on the machine of the shipped figures, where this one is too busy.

    Uses the pair's caches: a run in progress on the pair cannot continue.
    """
    name = f"passes of {_called(pair)}"
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


def _costs(found: Any) -> tuple[float, ...] | None:
    """v from a note; None where it is not usable."""
    usable = isinstance(found, list) and len(found) == MAX_DRAFT_LENGTH + 1
    return tuple(map(float, found)) if usable and all(isfinite(cost) and 0 < cost < 1000 for cost in found) else None


def _called(pair: Pair) -> str:
    """The target, as far as it decides what its passes cost."""
    card = pair.card
    return f"{card.target.name} {card.target.revision} {card.target.parameters} {card.dtype} on {card.device}, {pair.target.decoder}"


@torch.inference_mode()
def _measured(pair: Pair) -> tuple[float, ...]:
    """v, from passes over some numbers of tokens: the shortest of each counts, and a wider pass is never taken for a cheaper one."""
    target = pair.target
    widths = [width for width in WIDTHS if width + 1 < target.context // 2]
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
    try:
        found = json.loads(FILE.read_text(encoding="utf-8"))
        v, where = _costs(found["passes"].get(pair.name) or found["passes"]["embedded"]), str(found["machine"])
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        v, where = None, ""
    return Passes(
        v or tuple(1 + 0.1 * n for n in range(MAX_DRAFT_LENGTH + 1)),
        measured=False,
        machine=where,
        until=monotonic() + _BUSY_S,
    )


def _timed(pair: Pair, ranked: Sequence[_Candidate], passes: Passes) -> list[_Candidate]:
    """The candidates, the first few with the cost of a guess as it is here, unless the passes could not be measured either."""
    if not passes.measured:
        return list(ranked)
    names = [*dict.fromkeys(candidate.drafter for candidate in ranked)][:_TRIED]
    costs = dict(_guesses(pair, names))
    return [replace(one, c=costs[one.drafter]) if one.drafter in costs else one for one in ranked]


def _guesses(pair: Pair, names: Sequence[str]) -> Iterator[tuple[str, float]]:
    """What one more guess of these drafters costs, where a guess can be timed; one that cannot be used here costs more than any gains."""
    for name in names:
        described = registry.describe(name)
        if described.shape == "tree" or described.needs == "nothing":
            continue
        key = f"guess of {name} for {_called(pair)}" + (f", {pair.card.draft.name}" if pair.card.draft else "")
        c = noted(key, _positive)
        if c is None:
            try:
                c = _guess(pair, name)
            except PairError:
                yield name, 1e6
                continue
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


def _once(pair: Pair) -> float:
    """Seconds of one pass over one token."""
    ids = torch.ones(1, dtype=torch.long, device=pair.target.device)
    wait(pair.target.device)
    began = perf_counter()
    pair.target.forward(ids)
    wait(pair.target.device)
    took = perf_counter() - began
    pair.target.keep([])
    return took
