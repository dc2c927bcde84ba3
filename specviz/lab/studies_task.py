"""The studies in the engine process: each calls what the command of the same name calls, and reports while it goes on."""

from collections.abc import Callable
from contextlib import suppress
from itertools import groupby

from specviz.bench.machine import this_machine
from specviz.lab import best_k, drafts, service, study
from specviz.lab.guests import Surface
from specviz.lab.profiling import profile_of
from specviz.lab.strip import KindOfText
from specviz.lab.texts import of_prompts, of_text, piece
from specviz.models import Pair
from specviz.runs.race import Stopped
from specviz.runs.tasks import Work
from specviz.settings import check_prompt


def perform(work: Work) -> None:
    """Do the study that is asked for; what was found before it was stopped was reported.

    Raises:
        SpecvizError: it cannot be done; the sentence is for the person who asked.
    """
    wanted = study.asked(work.asked)
    with suppress(Stopped):
        match wanted:
            case study.BestKAsked():
                _best_k(work, wanted)
            case study.TextsAsked():
                _texts(work, wanted)
            case study.DraftsAsked():
                _drafts(work, wanted)
            case study.ProfileAsked():
                _profile(work, wanted)
            case study.ServerAsked():
                _server(work, wanted)


def _best_k(work: Work, wanted: study.BestKAsked) -> None:
    pair = work.require_pair()
    check_prompt(wanted.prompt.text)
    machine, steps, done = _machine(pair), len(wanted.lengths) + 2, 0

    def seen(found: study.BestK) -> None:
        nonlocal done
        done = 1 + len(found.measured)
        work.report(study.written(study.best_k_found(found, machine)))

    found = best_k.find(
        pair,
        wanted.prompt,
        wanted.settings,
        wanted.lengths,
        wanted.repeats,
        lambda what: work.progress(what, min(1.0, done / steps)),
        template=wanted.template,
        seen=seen,
        stop=work.stopped,
        reserve=work.reserve,
    )
    seen(found)


def _texts(work: Work, wanted: study.TextsAsked) -> None:
    pair = work.require_pair()
    pair.require_draft()
    machine = _machine(pair)
    if wanted.own:
        work.progress("reading the text with target and draft", None)
        own = of_text(pair, "own text", wanted.own, wanted.settings, wanted.most)
        ids = pair.text.encode(wanted.own, template=False)
        begins = piece(pair, ids[0])
        work.report(study.written(study.TextsFound((own,), begins, len(ids) > wanted.most + 1, machine)))
        return
    found: list[KindOfText] = []
    ordered = {name: len(found) for name in dict.fromkeys(each.category for each in wanted.prompts)}
    for category, prompts in groupby(
        sorted(wanted.prompts, key=lambda each: [*ordered].index(each.category)), lambda each: each.category
    ):
        if work.stopped():
            return
        work.progress(f"{category}: the target writes, then target and draft read", len(found) / len(ordered))
        found.append(of_prompts(pair, category, list(prompts), wanted.settings, template=wanted.template))
        work.report(study.written(study.TextsFound(tuple(found), "", False, machine)))


def _drafts(work: Work, wanted: study.DraftsAsked) -> None:
    pair = work.require_pair()
    pair.require_draft()
    found: study.DraftsFound | None = None

    def share() -> float:
        return found.prompts / len(wanted.prompts) if found else 0.0

    for found in drafts.compare(pair, wanted, _saying(work, share), _machine(pair)):
        work.report(study.written(found))


def _profile(work: Work, wanted: study.ProfileAsked) -> None:
    pair = work.require_pair()
    say = _saying(work, lambda: None)
    made = profile_of(
        pair, wanted.name, wanted.by, say, sweeps=wanted.sweeps, limit_s=wanted.limit_s, stop=work.stopped
    )
    work.report(study.written(made))


def _server(work: Work, wanted: study.ServerAsked) -> None:
    surface = Surface(wanted.target, wanted.draft)
    rows: list[study.AtRate] = []
    for rate in wanted.rates:
        alphas = dict(zip(wanted.kinds, wanted.alphas, strict=True))
        load = service.Load(rate, wanted.tokens, wanted.requests, alphas, wanted.k, wanted.room, wanted.seed)
        for mode in service.MODES:
            if work.stopped():
                return
            work.progress(
                f"simulating {rate:.3g} requests a second", len(rows) / len(wanted.rates) / len(service.MODES)
            )
            rows.append(study.AtRate(rate, service.simulate(surface, load, mode)))
        work.report(study.written(study.ServerFound(tuple(rows))))


def _saying(work: Work, share: Callable[[], float | None]) -> Callable[[str], None]:
    """Says what is being done; between two steps Stop is seen.

    Raises:
        Stopped: somebody pressed Stop.
    """

    def say(what: str) -> None:
        if work.stopped():
            raise Stopped
        work.progress(what, share())

    return say


def _machine(pair: Pair) -> str:
    """Where it is measured, and with what."""
    found = this_machine(pair.target.device)
    threads = f"{found.threads} thread{'s' * (found.threads > 1)}"
    return f"{found.device_name}, {threads}, {pair.card.dtype}, torch {found.torch}"
