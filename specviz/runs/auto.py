"""Chooses drafter, draft length and size of the tree where a person leaves them to specviz: by what this machine measures and what is known of
each drafter's acceptance.

The expected speedup is that of Leviathan et al. (arXiv 2211.17192, theorem 3.8), with the measured cost of a pass over several tokens. How
often guesses are right is known (`specviz.runs.known_figures`) or assumed, what passes cost is measured (`specviz.runs.pass_costs`); the plan
says where either is not so.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.decoding.pace import Pace, Repeated, Spending, pace_for
from specviz.errors import PairError
from specviz.models.pair import Pair
from specviz.mtp_names import mtp_layer
from specviz.runs.first_guesses import is_set_aside, ready_for_guesses
from specviz.runs.known_figures import Known, examined, shipped_figures
from specviz.runs.pass_costs import Passes, costs_of, guesses, passes_of
from specviz.runs.prepare import PairKit, heads_of
from specviz.settings import AUTO, MAX_DRAFT_LENGTH, Settings
from specviz.trace.plan import Plan
from specviz.trace.records import Round

_LONGEST = 8
"""A draft that is left to specviz is at most so long."""
_TRIED = 4
"""So many drafters are timed at most, those that promise most by the figures of another machine first."""
_ASSUMED = (0.6, 0.55, 0.5)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The settings of a run with nothing left open, and what its pace begins with.

    Attributes:
        plan: why; None where nothing was left open.
        costs, rates: see `specviz.decoding.pace`; None and () where the policy does not need them.
        allowed: how many tokens each round of an earlier run was allowed, for one that is to draft as it did; else None.
    """

    settings: Settings
    plan: Plan | None = None
    costs: Costs | None = None
    rates: tuple[float, ...] = ()
    allowed: tuple[int, ...] | None = None

    def repeating(self, rounds: Sequence[Round]) -> "Chosen":
        """The same choice for a run that is timed again: it drafts as these rounds did, although costs on the clock differ."""
        if self.settings.policy != AUTO:
            return self
        return replace(self, allowed=tuple(round_.allowed or 0 for round_ in rounds))

    def pace(self) -> Pace:
        """A pace for one text."""
        if self.allowed is not None:
            return Repeated(self.allowed)
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
        if settings.policy != "cost":
            return Chosen(settings)
        registry.check(settings)
        return Chosen(settings, costs=costs_of(pair, settings.drafter))
    known, is_known = _known_of(pair, settings)
    passes = passes_of(pair)
    if not known:
        raise PairError(f"No drafter can be used on {pair.name} with these settings: choose one yourself.")
    best = _timed(pair, [_Candidate(name, one, one.draft) for name, one in known], settings, passes)
    left = settings.open
    if "drafter" in left and _is_refused(pair, best.candidate.drafter):
        return chosen(pair, settings)
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


def _is_refused(pair: Pair, name: str) -> bool:
    """Whether this drafter's head does not guess what the target writes, so that another one must be chosen. It is measured now if it was not.

    Raises:
        PairError: a head that a person gave cannot be used for another reason. A layer in the target's own checkpoint is left out then.
    """
    kind = registry.describe(name).head
    try:
        if kind:
            ready_for_guesses(pair, PairKit(pair).head(kind))
    except PairError as error:
        if not is_set_aside(pair, kind):
            folder = pair.head_folders.get(kind)
            if folder is None or not mtp_layer(folder).complete:
                raise
            del pair.head_folders[kind]
            pair.head_faults[kind] = str(error)
        return True
    return False


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


def _known_of(pair: Pair, settings: Settings) -> tuple[list[tuple[str, Known]], bool]:
    """The drafters that may be chosen with what is known of each, and whether that comes from figures."""
    heads = heads_of(pair)
    able = registry.able(draft=pair.draft is not None, heads=heads)
    usable = tuple(name for name in able if not is_set_aside(pair, registry.describe(name).head))
    given = (settings.drafter,) if settings.drafter != AUTO else usable
    shipped = shipped_figures().get(pair.name, {})
    found = [(name, one) for name in given for one in shipped.get(name, ()) if _fits(name, settings)]
    if not found:
        found = [(name, one) for name in given if _fits(name, settings) and (one := examined(pair, name)) is not None]
    if found:
        return found, True
    name = given[0] if settings.drafter != AUTO else _usual(pair, usable, heads)
    tree = registry.describe(name).shape == "tree"
    return [(name, Known(_ASSUMED, _ASSUMED, 0.1, (settings.nodes or 5) if tree else 0))], False


def _fits(name: str, settings: Settings) -> bool:
    """Whether this drafter takes the policy and the rule of the settings."""
    described = registry.describe(name)
    return settings.policy in (*described.policies, AUTO) and settings.rule in described.able_rules


def _usual(pair: Pair, able: Sequence[str], heads: Sequence[str]) -> str:
    """The drafter of a pair of which nothing is known: its head, its draft model, or one that needs none."""
    kinds = {registry.describe(name).head: name for name in reversed(able) if registry.describe(name).shape == "chain"}
    with_head = next((kinds[kind] for kind in heads if kind in kinds), None)
    return with_head or registry.usual(draft=pair.draft is not None)


def _timed(pair: Pair, candidates: list[_Candidate], settings: Settings, passes: Passes) -> _Option:
    """The best option, once the cost of its guesses is that of this machine: what promises most is timed, until that stays the best. Where
    the passes could not be measured, neither are the guesses."""
    timed: dict[_Candidate, _Option] = {}
    left = {candidate: _best(candidate, settings, passes) for candidate in candidates}
    while left and passes.measured and len(timed) < _TRIED:
        first = max(left, key=lambda candidate: left[candidate].speedup)
        if any(option.speedup >= left[first].speedup for option in timed.values()):
            break
        del left[first]
        here = dict(guesses(pair, [(first.drafter, first.known.nodes)]))
        timed[first] = _best(replace(first, c=here.get((first.drafter, first.known.nodes), first.c)), settings, passes)
    return max((timed or left).values(), key=lambda option: option.speedup)
