"""Chooses drafter, draft length and size of the tree where a person leaves them to specviz: by what passes cost on this machine and by the
acceptance that is known of each drafter.

The expected speedup is that of Leviathan et al. (arXiv 2211.17192, theorem 3.8), with the measured cost of a pass over several tokens. The
acceptance is known (`specviz.runs.acceptance`) or assumed, the costs of passes are measured (`specviz.runs.costs`); the plan says where either
is not so.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from specviz.decoding.costs import Costs
from specviz.decoding.drafters import registry
from specviz.decoding.pace import CostEstimate
from specviz.errors import PairError, ScoresError
from specviz.models.pair import Pair
from specviz.models.quantized import is_able
from specviz.runs.acceptance import AcceptancePrior, shipped_priors
from specviz.runs.costs import PassCosts, costs_of, guess_cost, pass_costs
from specviz.settings import AUTO, MAX_DRAFT_LENGTH, Settings
from specviz.trace.plan import Plan

_LONGEST = 8  # a draft that is left to specviz is at most so long
_LONGEST_COPY = 12  # a copy that is nearly sure pays when it is longer
_TRIED = 4  # so many drafters are timed at most, those that promise most by the figures of another machine first
_ASSUMED = (0.6, 0.55, 0.5)  # acceptance by position where nothing is known
_LARGE = 700_000_000  # parameters of a target that gains from its copy in 8 bits on a processor
_EIGHT_BITS = AcceptancePrior((0.93, 0.93, 0.93), (0.93, 0.93, 0.93), 0.6)  # of such a copy, whatever the model
_COPIES = 0.1  # the share of rounds in which something can be copied in an ordinary text


@dataclass(frozen=True, slots=True)
class DrafterChoice:
    """The settings of a run with nothing left open, and the figures with which its pace begins.

    Attributes:
        plan: why; None where nothing was left open.
        costs, rates: see `specviz.decoding.pace`; None and () where the policy does not need them.
        notes: why drafters that promised more cannot be used on this pair, a sentence each.
    """

    settings: Settings
    plan: Plan | None = None
    costs: Costs | None = None
    rates: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Candidate:
    drafter: str
    prior: AcceptancePrior
    c: float  # the cost of one more drafted token, or level


def choose(pair: Pair, settings: Settings, without: Collection[str] = ()) -> DrafterChoice:
    """The settings of a run on this pair; only what is left open changes, never what a person gave.

    Measures costs, unless they are noted. Uses the pair's caches: a run in progress on the pair cannot continue. Raises
    PairError if no drafter can be used on this pair; SettingsError if with the drafter of the settings, something is
    not supported.

    Args:
        without: drafters that are not to be chosen.
    """
    if not settings.open and settings.policy != AUTO:
        if settings.policy != "cost":
            return DrafterChoice(settings)
        registry.check(settings)
        return DrafterChoice(settings, costs=costs_of(pair, settings.drafter))
    priors, is_known = _priors_of(pair, settings, without)
    if not priors:
        raise PairError(f"No drafter can be used on {pair.name} with these settings: choose one yourself.")
    passes = pass_costs(pair)
    refused: dict[str, str] = {}
    best = _timed(pair, [_Candidate(name, prior, prior.draft) for name, prior in priors], settings, passes, refused)
    if best is None:
        choice = choose(pair, settings, {*without, *refused})
        return replace(choice, notes=(*refused.values(), *choice.notes))
    final = replace(
        settings,
        drafter=best.candidate.drafter,
        k=settings.k or best.longest,
        nodes=settings.nodes or best.candidate.prior.nodes or Settings().nodes,
    )
    if settings.drafter == AUTO:
        final = registry.fitted(final)
    registry.check(final)
    costs, rates = Costs(best.candidate.c, passes.v), best.candidate.prior.rates(settings)
    plan = Plan(
        left=settings.open,
        tokens=best.tokens,
        checked=best.checked,
        pass_cost=best.verify,
        draft_cost=best.draft,
        measured=passes.measured,
        machine=passes.machine,
        known=is_known,
        guess=costs.c,
        passes=costs.v,
        rates=rates,
    )
    return DrafterChoice(final, plan if settings.open else None, costs, rates, tuple(refused.values()))


@dataclass(frozen=True, slots=True)
class _Option:
    """A draft length for a candidate, with the expected tokens and costs of a round; see `Plan`."""

    candidate: _Candidate
    longest: int
    tokens: float
    checked: int
    verify: float
    draft: float

    @property
    def speedup(self) -> float:
        return self.tokens / (self.verify + self.draft)


def _best(candidate: _Candidate, settings: Settings, passes: PassCosts) -> _Option:
    """The length with the best expected speedup, plain decoding (nothing drafted) among them, except where every draft has k tokens."""
    costs, prior = Costs(candidate.c, passes.v), candidate.prior
    nodes = (settings.nodes or prior.nodes) if prior.nodes else 0
    spending = CostEstimate(costs, MAX_DRAFT_LENGTH, nodes, learns=False)
    rates, most = prior.rates(settings), settings.k or _LONGEST
    always = settings.policy == "fixed"
    lengths = range(settings.k or 1, most + 1) if always else range(most + 1)
    length = max(lengths, key=lambda n: _option(candidate, spending, rates, n, most, nodes).speedup)
    best = _option(candidate, spending, rates, length, most, nodes)
    if always:
        return replace(best, longest=length)
    # Texts differ: where guesses are right more often, longer drafts pay, and the pace finds out. So the longest draft is what would pay then.
    hopeful = tuple((1 + rate) / 2 for rate in rates)
    longest = max(range(1, most + 1), key=lambda n: _option(candidate, spending, hopeful, n, most, nodes).speedup)
    if registry.describe(candidate.drafter).otherwise:
        longest = _LONGEST_COPY
    return replace(best, longest=settings.k or max(longest, len(rates) if nodes else 1))


def _option(
    candidate: _Candidate, spending: CostEstimate, rates: Sequence[float], length: int, most: int, nodes: int
) -> _Option:
    drafted = (nodes or length) if length else 0
    tokens = reach = 1.0
    for index in range(length):
        reach *= rates[min(index, len(rates) - 1)]
        tokens += reach
    share = candidate.prior.share
    verify, draft = spending.verify(drafted), spending.draft(length)
    return _Option(candidate, most, 1 + share * (tokens - 1), drafted + 1, 1 + share * (verify - 1), share * draft)


def _priors_of(
    pair: Pair, settings: Settings, without: Collection[str]
) -> tuple[list[tuple[str, AcceptancePrior]], bool]:
    """The drafters that may be chosen, each with its priors, and whether these come from figures."""
    usable = registry.able(draft=pair.draft is not None, heads=pair.head_kinds)
    names = (settings.drafter,) if settings.drafter != AUTO else tuple(name for name in usable if name not in without)
    fitting = [name for name in names if _fits(name, settings)]
    if (
        settings.drafter == AUTO
    ):  # a drafter that copies besides drafts as the other one does where there is nothing to copy
        fitting = [name for name in fitting if name not in {registry.describe(other).otherwise for other in fitting}]
    shipped = shipped_priors().get(pair.name, {})
    priors = [(name, prior) for name in fitting for prior in shipped.get(registry.guesser(name), ())]
    if priors:
        return priors, True
    if not names:
        return [], False
    name = names[0] if settings.drafter != AUTO else _default_drafter(pair, names)
    tree = registry.describe(name).shape == "tree"
    prior = AcceptancePrior(_ASSUMED, _ASSUMED, 0.1, (settings.nodes or 5) if tree else 0)
    if "quantized" in fitting and settings.drafter == AUTO and _gains_from_8_bits(pair):
        return [(name, replace(prior, share=_COPIES)), ("quantized", _EIGHT_BITS)], False
    return [(name, prior)], False


def _gains_from_8_bits(pair: Pair) -> bool:
    """True if the target is alone, and so large that its passes mostly wait for its weights."""
    alone = pair.draft is None and not pair.head_kinds
    return alone and pair.card.target.parameters >= _LARGE and is_able(pair.target)


def _fits(name: str, settings: Settings) -> bool:
    """True if this drafter takes the policy and the rule of the settings."""
    described = registry.describe(name)
    return settings.policy in (*described.policies, AUTO) and settings.rule in described.able_rules


def _default_drafter(pair: Pair, names: Sequence[str]) -> str:
    """The drafter of a pair without figures, one of these: with its head, its draft model, or one that needs none."""
    chains = {
        registry.describe(name).head: name for name in reversed(names) if registry.describe(name).shape == "chain"
    }
    default = registry.usual(draft=pair.draft is not None)
    with_head = next((chains[kind] for kind in pair.head_kinds if kind in chains), default)
    return with_head if with_head in names else names[0]


def _timed(
    pair: Pair, candidates: list[_Candidate], settings: Settings, passes: PassCosts, refused: dict[str, str]
) -> _Option | None:
    """The best option, once the cost of its guesses is that of this machine: what promises most is timed, until that stays the best. Where
    the passes could not be measured, neither are the guesses. None where no candidate can be used. Raises PairError if the drafter that a
    person named cannot be used.

    Args:
        refused: gets, by drafter, the reason why one cannot be used.
    """
    timed: dict[_Candidate, _Option] = {}
    waiting = {candidate: _best(candidate, settings, passes) for candidate in candidates}
    while waiting and passes.measured and len(timed) < _TRIED:
        first = max(waiting, key=lambda candidate: waiting[candidate].speedup)
        if any(option.speedup >= waiting[first].speedup for option in timed.values()):
            break
        del waiting[first]
        try:
            here = guess_cost(pair, first.drafter, first.prior.nodes)
        except (PairError, ScoresError) as error:
            if settings.drafter != AUTO:
                raise
            refused[first.drafter] = str(error)
            continue
        timed[first] = _best(first if here is None else replace(first, c=here), settings, passes)
    return max((timed or waiting).values(), key=lambda option: option.speedup, default=None)
