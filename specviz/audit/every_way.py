"""Every way of running a pair, tried once: each indirect path against the plain pass, each drafter's text against plain decoding."""

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from math import isfinite
from time import perf_counter

from specviz.decoding.drafters import registry
from specviz.errors import DeviceLostError, PairError, PromptError
from specviz.models.cached_model import CachedModel
from specviz.models.checks.first_use import exit_check, head_checks, head_of, tree_check
from specviz.models.checks.measure import Check
from specviz.models.checks.paths import check_cache
from specviz.models.checks.reference import Reference, runs_own_decoder, texts_for
from specviz.models.checks.ties import shortfalls
from specviz.models.pair import Pair
from specviz.runs.build import exit_depth
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.records import Trace

_PROMPT = "Once upon a time there was"
_NEW_TOKENS = 32
_K = 4


class CheckOutcome(Enum):
    """The outcome of a check."""

    WORKS = "works"
    SET_ASIDE = "set aside"
    DIFFERS = "DIFFERS"


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """The outcome of one check.

    Attributes:
        name: the checked path or text.
        outcome: whether it works, is not used, or is used although its text differs.
        divergence: mean KL(plain || path) in nats per token, where scores were compared and are numbers.
        note: one sentence on what is special, or empty.
    """

    name: str
    outcome: CheckOutcome
    seconds: float
    divergence: float | None = None
    note: str = ""


def every_way(pair: Pair, progress: Callable[[str], None]) -> Iterator[CheckFinding]:
    """Try everything, one finding after the other.

    Uses the pair's caches: a run in progress on the pair cannot continue.

    Args:
        progress: called before each step.
    """
    pair.take()
    for role, model in pair.models:
        progress(f"scores of the {role}")
        yield _finite(model, role)
    yield from (_finding(check) for loaded in pair.loaded.values() for check in loaded.checks)
    for role, model in pair.models:
        if runs_own_decoder(model):
            progress(f"cache of the {role} under transformers' own modules")
            yield _finding(check_cache(model.stock(), f"cache of the {role}, transformers' own modules"))
    progress("trees")
    for role, _ in pair.models:
        yield from _first_use(tree_check, pair, role)
    for depth in _depths(pair):
        progress(f"early exit after {depth} layers")
        yield from _first_use(exit_check, pair, depth)
    set_aside = set()
    for kind in pair.head_kinds:
        progress(f"what the head {kind} reads")
        findings = [*_first_use(_head_checks, pair, kind)]
        set_aside |= {kind} if any(finding.outcome is not CheckOutcome.WORKS for finding in findings) else set()
        yield from findings
    yield from _texts(pair, set_aside, progress)


def _finding(check: Check) -> CheckFinding:
    outcome = CheckOutcome.WORKS if check.passed and not check.note else CheckOutcome.SET_ASIDE
    divergence = check.divergence if isfinite(check.divergence) else None
    return CheckFinding(check.name, outcome, check.seconds, divergence, check.note or check.measured)


def _head_checks(pair: Pair, kind: str) -> tuple[Check, ...]:
    return head_checks(pair, head_of(pair, kind))


def _first_use(compare: Callable[..., Check | tuple[Check, ...]], *args: object) -> Iterator[CheckFinding]:
    """The checks of a path at its first use; a refusal to make them is one finding."""
    try:
        outcome = compare(*args)
    except PairError as error:
        yield CheckFinding("first use", CheckOutcome.SET_ASIDE, 0.0, note=str(error))
    else:
        yield from map(_finding, [outcome] if isinstance(outcome, Check) else outcome)


def _finite(model: CachedModel, role: str) -> CheckFinding:
    began = perf_counter()
    finite = bool(Reference(model, texts_for(model, 2, seed=2)).scores.isfinite().all())
    note = "" if finite else "some scores are not numbers: choose float32"
    outcome = CheckOutcome.WORKS if finite else CheckOutcome.DIFFERS
    return CheckFinding(f"finite scores of the {role}", outcome, perf_counter() - began, note=note)


def _depths(pair: Pair) -> list[int]:
    """After how many layers an early exit is tried: the depth that runs use, the ends and the middle; none where the target has no early exit, and
    the texts below have the reason."""
    with suppress(PairError):
        depth, used = pair.target.network.depth, exit_depth(pair)
        return sorted({1, depth // 2, depth - 1, used})
    return []


def _texts(pair: Pair, set_aside: Collection[str], progress: Callable[[str], None]) -> Iterator[CheckFinding]:
    """Every drafter of the registry, greedy and with shared noise: its text against that of plain decoding."""
    greedy = Settings(k=_K, max_new_tokens=_new_tokens(pair), seed=1)
    for label, settings in (("greedy", greedy), ("shared noise", replace(greedy, temperature=0.8, shared_noise=True))):
        progress(f"plain decoding, {label}")
        try:
            plain = _run(pair, settings, plain=True)
        except PromptError as error:
            yield CheckFinding(f"texts, {label}", CheckOutcome.SET_ASIDE, 0.0, note=str(error))
            continue
        except PairError as error:
            yield CheckFinding(f"plain decoding, {label}", CheckOutcome.DIFFERS, 0.0, note=str(error))
            if isinstance(error, DeviceLostError):
                return
            continue
        heads = [kind for kind in pair.head_kinds if kind not in set_aside]
        for name in registry.able(draft=True, heads=heads):
            progress(f"text of {name}, {label}")
            try:
                yield _text(pair, registry.fitted(replace(settings, drafter=name)), plain, f"text of {name}, {label}")
            except DeviceLostError as error:  # nothing more can be tried
                yield CheckFinding(f"text of {name}, {label}", CheckOutcome.DIFFERS, 0.0, note=str(error))
                return


def _text(pair: Pair, settings: Settings, plain: Trace, name: str) -> CheckFinding:
    began = perf_counter()
    try:
        trace = _run(pair, settings)
    except DeviceLostError:
        raise
    except (PairError, PromptError) as error:
        return CheckFinding(name, CheckOutcome.SET_ASIDE, perf_counter() - began, note=str(error))
    seconds = perf_counter() - began
    plain_ids, ids = plain.token_ids, trace.token_ids
    if plain_ids == ids:
        return CheckFinding(name, CheckOutcome.WORKS, seconds)
    pairs = enumerate(zip(plain_ids, ids, strict=False))
    index = next(
        (index for index, (our_token, their_token) in pairs if our_token != their_token), min(len(plain_ids), len(ids))
    )
    rounding, reason = _rounding_explains(pair, plain, trace, index)
    note = f"differs from plain decoding at new token {index + 1}{reason}"
    return CheckFinding(name, CheckOutcome.WORKS if rounding else CheckOutcome.DIFFERS, seconds, note=note)


def _rounding_explains(pair: Pair, plain: Trace, trace: Trace, index: int) -> tuple[bool, str]:
    """True if rounding in a 16-bit format explains that the texts differ from this token on; the measured gap ends a sentence.

    It does if every token of `trace`, and the first different one of `plain`, has the highest score in transformers' own pass over
    its text, or one so close to it that rounding may turn the choice round.
    """
    dtype, ours, theirs = pair.target.model.dtype, plain.token_ids, trace.token_ids
    if dtype.itemsize > 2 or index >= min(len(ours), len(theirs)):
        return False, ""
    texts = (theirs, ours[: index + 1])
    missed = [
        shortfall for text in texts for shortfall in shortfalls(pair.target, trace.prompt_ids, text, trace.settings)
    ]
    worst = max(missed, key=lambda shortfall: shortfall.gap - shortfall.rounding, default=None)
    if worst is None:
        return True, ", where transformers' own passes of two lengths differ too"
    apart = f"the scores are {worst.gap:.2g} apart and rounding in {pair.card.dtype} explains {worst.rounding:.2g}"
    if worst.explained:
        return True, f", a near tie: {apart}"
    return False, f", and new token {worst.index + 1} is not the target's own: {apart}"


def _run(pair: Pair, settings: Settings, *, plain: bool = False) -> Trace:
    return Run(pair, _PROMPT, settings, plain=plain, template=False).finish()


def _new_tokens(pair: Pair) -> int:
    """As many new tokens as all models have room for, at least one."""
    spare = min(model.context for _, model in pair.models) - len(pair.text.encode(_PROMPT, template=False))
    return max(1, min(_NEW_TOKENS, spare))
