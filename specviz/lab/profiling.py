"""Makes the cost profile of this machine: passes of one text, of several texts, and what each way of drafting costs."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from specviz.decoding.drafters import registry
from specviz.errors import InputError, PairError
from specviz.lab.costs import watched_costs
from specviz.lab.guests import passes_of
from specviz.lab.profile import BatchPass, Profile
from specviz.models import Pair
from specviz.reporting.cost_curve import cost_curve
from specviz.reporting.figures import CostCurve
from specviz.reporting.machine import this_machine
from specviz.runs.load_watch import CoreTime
from specviz.runs.measuring import CONTEXT, measure
from specviz.runs.race import Stopped, warm
from specviz.trace.conditions import WAITED_LIMIT
from specviz.trace.measured import Kind

_K = 5
_TRIES = 3


def profile_of(
    pair: Pair,
    name: str,
    by: str,
    say: Callable[[str], None],
    *,
    sweeps: int,
    limit_s: float,
    stop: Callable[[], bool] = lambda: False,
) -> Profile:
    """Measure the pair's passes. Nothing else should run on the machine meanwhile.

    Args:
        name: of the machine, for people.
        by: who measures.
        sweeps: of the passes over one text.
        limit_s: about how long the passes over several texts may take.
        stop: checked between steps.

    Raises:
        Stopped: it was stopped.
        PairError: the pair has no draft model.
        InputError: something else took the machine, and what came out is no profile.
    """
    say("warming up")
    warm(pair)
    say("passes over one text")
    with CoreTime() as time:
        costs = cost_curve(pair.target, pair.require_draft(), cached=CONTEXT, in_a_row=_K, sweeps=sweeps)
    busy = pair.target.device.type == "cpu" and time.waited > WAITED_LIMIT
    target, draft, disturbed = _batches(pair, say, limit_s, stop)
    drafters, why = _drafters(pair, say), "this machine was busy" if busy else disturbed
    try:
        known = alone_of(pair, costs, name, by)
        return replace(known, drafters=drafters, target=target, draft=draft, disturbed=why)
    except ValueError as error:
        raise _disturbed(error) from None


def sensible(measured: Callable[[], CostCurve], profile: Callable[[CostCurve], Profile]) -> tuple[CostCurve, Profile]:
    """Passes measured, again where another program took the machine in one of them, and the profile of what came out.

    Raises:
        InputError: what came out is no profile, each time.
    """
    for _ in range(_TRIES - 1):
        costs = measured()
        with suppress(ValueError):
            return costs, profile(costs)
    costs = measured()
    try:
        return costs, profile(costs)
    except ValueError as error:
        raise _disturbed(error) from None


def _disturbed(error: ValueError) -> InputError:
    return InputError(f"Something else took the machine meanwhile ({error}): measure again when it is quiet.")


def alone_of(pair: Pair, costs: CostCurve, name: str, by: str) -> Profile:
    """The profile that knows passes over one text, and the pair's own draft, only."""
    machine = this_machine(pair.target.device)
    return Profile(
        name=name or machine.device_name,
        measured_by=by,
        measured_on=datetime.now(UTC).date().isoformat(),
        about=f"{machine.device_name}, {machine.cores} cores, torch {machine.torch} with {machine.threads} thread{'s' * (machine.threads > 1)}, {machine.system}",
        pair=pair.name,
        models=tuple(card.name for card in (pair.card.target, pair.card.draft) if card is not None),
        dtype=pair.card.dtype,
        device=pair.card.device,
        threads=machine.threads,
        cache_length=costs.cache_length,
        pass_s=costs.pass_s.median,
        c=costs.c.median,
        v=tuple((n, cost.median) for n, cost in costs.v.items()),
    )


def _batches(
    pair: Pair, say: Callable[[str], None], limit_s: float, stop: Callable[[], bool]
) -> tuple[tuple[BatchPass, ...], tuple[BatchPass, ...], str]:
    """Passes over several texts, of target and draft, and why they cannot be trusted; none where the pair cannot read several texts."""
    try:
        found = measure(
            pair,
            Kind.BATCH_COST,
            report=lambda what, share: say(f"passes over several texts: {what}"),
            limit_s=limit_s,
            stop=stop,
        )
    except PairError as error:
        say(str(error))
        return (), (), ""
    if found is None:
        raise Stopped
    return passes_of(found.points), passes_of(found.draft_points), found.why if found.disturbed else ""


def _drafters(pair: Pair, say: Callable[[str], None]) -> tuple[tuple[str, float], ...]:
    """c of the chains that need no second model: 0 for those that copy, measured for those that make passes of the target's own."""
    found = []
    for described in registry.descriptions().values():
        if described.shape != "chain":
            continue
        if described.picture == "copy":
            found.append((described.name, 0.0))
        elif described.needs in ("nothing", "target layers"):
            say(f"cost of {described.name}")
            try:
                found.append((described.name, watched_costs(pair, described.name).costs.c))
            except PairError as error:
                say(str(error))
    return tuple(found)
