"""The studies in the engine process: each calls what the command of the same name calls, and reports while it goes on."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from specviz.lab import best_k, drafts, service, study
from specviz.lab.costs import Watched, watched_costs
from specviz.lab.guests import Surface
from specviz.lab.profile import Profile
from specviz.lab.profiling import profile_of
from specviz.lab.texts import of_prompts, of_text, piece
from specviz.models import Pair
from specviz.reporting.machine import this_machine
from specviz.runs.race import Stopped
from specviz.runs.tasks import Work
from specviz.settings import check_prompt


def perform(work: Work) -> None:
    """Do the study that is asked for, or its next part; what was found before it was stopped was reported.

    Raises:
        SpecvizError: it cannot be done; the sentence is for the person who asked.
    """
    part = study.part_in(work.asked)
    wanted = study.asked(work.asked) if part is None else part.asked
    before = None if part is None else part.found
    shared = _shared(work, "" if part is None else part.sitting)
    with suppress(Stopped):
        for found in _steps(work, wanted, before, shared):
            work.report(study.written(found))
            if part is not None and study.made(found) > study.made(before):
                return


def _shared(work: Work, sitting: str) -> dict[str, object]:
    """What the parts of one sitting share; dropped with the pair."""
    if work.pair is None or not sitting:
        return {}
    kept = work.pair.kept.get(study.NAME)
    if isinstance(kept, tuple) and kept[0] == sitting:
        known: dict[str, object] = kept[1]
        return known
    found: dict[str, object] = {}
    work.pair.kept[study.NAME] = (sitting, found)
    return found


def _steps(
    work: Work, wanted: study.Asked, before: study.Found | None, shared: dict[str, object]
) -> Iterator[study.Found]:
    """What is known after each further step of a study.

    Args:
        before: what the parts before it found. Of another study than this one it counts for nothing.
    """
    match wanted:
        case study.BestKAsked():
            return _best_k(work, wanted, before if isinstance(before, study.BestK) else None, shared)
        case study.TextsAsked():
            return _texts(work, wanted, before if isinstance(before, study.TextsFound) else None)
        case study.DraftsAsked():
            return _drafts(work, wanted, before if isinstance(before, study.DraftsFound) else None, shared)
        case study.ProfileAsked():
            return _profile(work, wanted)
        case study.ServerAsked():
            return _server(work, wanted, before if isinstance(before, study.ServerFound) else None)


def _best_k(
    work: Work, wanted: study.BestKAsked, before: study.BestK | None, shared: dict[str, object]
) -> Iterator[study.BestK]:
    pair = work.require_pair()
    check_prompt(wanted.prompt.text)

    def say(what: str) -> None:
        work.progress(what, None)

    def costs() -> Watched:
        known = shared.get("costs")
        if not isinstance(known, Watched):
            say("measuring what passes cost")
            known = shared["costs"] = watched_costs(pair, wanted.settings.drafter)
        return known

    known = replace(before or best_k.NOTHING, machine=_machine(pair))
    return best_k.steps(pair, wanted, known, costs, say, stop=work.stopped, reserve=work.reserve)


def _texts(work: Work, wanted: study.TextsAsked, before: study.TextsFound | None) -> Iterator[study.TextsFound]:
    pair = work.require_pair()
    pair.require_draft()
    machine = _machine(pair)
    if wanted.own:
        work.progress("reading the text with target and draft", None)
        own = of_text(pair, "own text", wanted.own, wanted.settings, wanted.most)
        ids = pair.text.encode(wanted.own, template=False)
        yield study.TextsFound((own,), piece(pair, ids[0]), len(ids) > wanted.most + 1, machine)
        return
    found = before.kinds if before else ()
    for category in list(dict.fromkeys(each.category for each in wanted.prompts))[len(found) :]:
        if work.stopped():
            return
        work.progress(f"{category}: the target writes, then target and draft read", None)
        prompts = [each for each in wanted.prompts if each.category == category]
        found = (*found, of_prompts(pair, category, prompts, wanted.settings, template=wanted.template))
        yield study.TextsFound(found, "", False, machine)


def _drafts(
    work: Work, wanted: study.DraftsAsked, before: study.DraftsFound | None, shared: dict[str, object]
) -> Iterator[study.DraftsFound]:
    pair, say = work.require_pair(), _saying(work)
    pair.require_draft()
    known = shared.get("drafts")
    if not isinstance(known, drafts.Prepared):
        known = shared["drafts"] = drafts.prepared(pair, wanted, say)
    return drafts.further(known, wanted, before, say, _machine(pair))


def _profile(work: Work, wanted: study.ProfileAsked) -> Iterator[Profile]:
    yield profile_of(
        work.require_pair(),
        wanted.name,
        wanted.by,
        _saying(work),
        sweeps=wanted.sweeps,
        limit_s=wanted.limit_s,
        stop=work.stopped,
    )


def _server(work: Work, wanted: study.ServerAsked, before: study.ServerFound | None) -> Iterator[study.ServerFound]:
    surface = Surface(wanted.target, wanted.draft)
    rows = [*before.rows] if before else []
    alphas = dict(zip(wanted.kinds, wanted.alphas, strict=True))
    for rate in wanted.rates[len(rows) // len(service.MODES) :]:
        load = service.ServiceLoad(rate, wanted.tokens, wanted.requests, alphas, wanted.k, wanted.room, wanted.seed)
        for mode in service.MODES:
            if work.stopped():
                return
            work.progress(f"simulating {rate:.3g} requests a second", None)
            rows.append(study.AtRate(rate, service.simulate(surface, load, mode)))
        yield study.ServerFound(tuple(rows))


def _saying(work: Work) -> Callable[[str], None]:
    """Says what is being done; between two steps Stop is seen.

    Raises:
        Stopped: somebody pressed Stop.
    """

    def say(what: str) -> None:
        if work.stopped():
            raise Stopped
        work.progress(what, None)

    return say


def _machine(pair: Pair) -> str:
    """Where it is measured, and with what."""
    found = this_machine(pair.target.device)
    threads = f"{found.threads} thread{'s' * (found.threads > 1)}"
    return f"{found.device_name}, {threads}, {pair.card.dtype}, torch {found.torch}"
