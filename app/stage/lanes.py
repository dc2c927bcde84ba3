"""The lanes of a race: each run with its rounds, and the state of its lane in words. Makes no Streamlit call."""

from dataclasses import dataclass
from typing import Any

from app.server.job_queue import waiting_words
from app.stage.visit import VisitRun
from specviz.known_pairs import CHAT
from specviz.reporting.player import recorded_race, wording
from specviz.reporting.player.provenance import badge, busy, spread, untrusted
from specviz.reporting.run_figures import Figures
from specviz.request import PairRequest, Request
from specviz.settings import Settings
from specviz.trace.files import dump
from specviz.wire import Lane
from specviz.words import Sentence, for_page, in_row

Json = dict[str, Any]

_HINT = Sentence(
    "Each lane ran alone, after a warm-up, and is replayed on one clock. Point at a figure to see how it was measured."
)
_COMPARED = Sentence("Two runs of this visit, each recorded alone, replayed on one clock.")
_ALONE = Sentence("One run of this visit, replayed as it was recorded. Choose a second one to see both on one clock.")


@dataclass(frozen=True, slots=True)
class Entrant:
    """A job as the race sees it: its view (see `Jobs.view`), its request, and its figures once it is over."""

    view: Json
    request: Request
    figures: Figures | None


def race(main: Entrant, rival: Entrant | None = None, *, rounds: bool = True) -> Json:
    """Plain against speculative, and against another draft if there is a rival.

    Args:
        rounds: whether the lanes have their rounds.
    """
    runners = [main] if rival is None else [main, rival]
    names = _lane_names(runners)
    live = any(runner.view["status"] in ("queued", "loading", "running") for runner in runners)
    lanes = [
        _plain_lane(main),
        *(_speculative_lane(runner, name, first=runner is main) for runner, name in zip(runners, names, strict=True)),
    ]
    if rounds:
        for lane, runner in zip(lanes, [main, *runners], strict=True):
            lane["source"] = source(runner.view, Lane.PLAIN if lane["kind"] == "plain" else Lane.SPECULATIVE)
    return {
        "id": f"race-{main.view['id']}",
        "race": True,
        "live": live,
        "note": for_page(_note(main, rival)),
        "hint": _HINT,
        "plain_rate": main.view.get("plain_rate"),
        "real_time": main.request.pair.name == CHAT,
        "lanes": lanes,
    }


def side_by_side(runs: list[VisitRun]) -> Json:
    """Runs of the visit, each in a lane of its own."""
    return {
        "id": "runs-" + "-".join(run.id for run in runs),
        "race": False,
        "live": False,
        "note": "",
        "hint": _COMPARED if len(runs) > 1 else _ALONE,
        "plain_rate": None,
        "real_time": False,
        "lanes": [_visit_lane(run) for run in runs],
    }


# ------------------------------------------------------------------ lanes


def _plain_lane(main: Entrant) -> Json:
    state, say = _plain_state(main)
    return {
        **_base(main.request),
        "source": None,
        "name": recorded_race.PLAIN,
        "words": recorded_race.PLAIN_WORDS,
        "kind": "plain",
        "state": state,
        "say": say,
        "how": for_page(spread(main.figures)),
        "busy": for_page(untrusted(main.figures)),
        "judged": main.figures is not None,
        "badge": None,
    }


@dataclass(frozen=True, slots=True)
class _LaneName:
    """The name of a lane, and more words on its drafter."""

    name: Json
    words: str


def _lane_names(runners: list[Entrant]) -> list[_LaneName]:
    """Each lane by its drafter; by its models where two lanes have the same drafter."""
    drafters = [wording.label(runner.request.settings.drafter) for runner in runners]
    models = [_models(runner.request.pair) for runner in runners]
    alike = len(set(drafters)) < len(drafters)
    return [
        _LaneName(
            {"name": model} if alike else recorded_race.lane_name(drafter),
            in_row([Sentence(drafter) if alike else model, *wording.details(runner.request.settings)], " · "),
        )
        for model, drafter, runner in zip(models, drafters, runners, strict=True)
    ]


def _speculative_lane(entrant: Entrant, name: _LaneName, *, first: bool) -> Json:
    state, say = _speculative_state(entrant, first=first)
    return {
        **_base(entrant.request),
        "source": None,
        **name.name,
        "words": for_page(name.words),
        "kind": "speculative",
        "state": state,
        "say": say,
        "how": for_page(spread(entrant.figures)),
        "busy": for_page(busy(entrant.figures)),
        "judged": entrant.figures is not None,
        "badge": badge(entrant.figures, entrant.request.settings),
    }


def _visit_lane(run: VisitRun) -> Json:
    assert run.figures is not None
    return {
        **_base(run.request),
        "source": source({"recording": dump(run.traces()), "live": None}, Lane.SPECULATIVE),
        "name": for_page(Sentence("Run {number}", number=run.number)),
        "words": for_page(_draft_words(run.pair, run.settings)),
        "kind": "speculative",
        "state": "stopped" if run.figures.stopped else "done",
        "say": "",
        "how": for_page(spread(run.figures)),
        "busy": for_page(untrusted(run.figures)),
        "judged": True,
        "badge": badge(run.figures, run.settings),
    }


def _base(request: Request) -> Json:
    return {"prompt": request.prompt, "asked": request.settings.max_new_tokens}


def _models(pair: PairRequest) -> str:
    return str(pair.name or pair.draft or pair.target)


def _draft_words(pair: PairRequest, settings: Settings) -> str:
    by = wording.drafter(pair, settings)
    by = Sentence("draft {draft}", draft=by) if settings.drafter == Settings().drafter else by
    return in_row([f"k = {wording.number(settings.k)}", by, *wording.extras(settings)], " · ")


# ------------------------------------------------------------------ rounds


def source(view: Json, lane: Lane) -> Json | None:
    """The rounds of a lane as they are in the recording or, before there is one, as they have come so far; None without any."""
    index = 0 if lane is Lane.SPECULATIVE else 1
    if view["recording"] is not None:
        traces = view["recording"]["traces"]
        if len(traces) <= index:
            return None
        trace, rounds = traces[index], traces[index]["rounds"]
    elif view["live"] is not None:
        trace, rounds = view["live"], view["live"]["rounds" if lane is Lane.SPECULATIVE else "plain_rounds"]
    else:
        return None
    prefill = None if view["recording"] is None else trace["prefill"]
    return recorded_race.source({**trace, "rounds": rounds, "prefill": prefill})


# ------------------------------------------------------------------ the state of a lane

_RECORDING = ("recording", Sentence("being recorded now, alone"))
_STOPPED = ("stopped", Sentence("stopped: this is the part that was written"))
_NOT_RECORDED = ("missing", Sentence("not recorded: stopped before its turn"))
_FAILED = ("missing", Sentence("not recorded: the engine failed"))


def _speculative_state(entrant: Entrant, *, first: bool) -> tuple[str, str]:
    view = entrant.view
    if view["recording"] is not None:
        cut = view["recording"]["traces"][0]["stop"] == "cancelled"
        return _STOPPED if cut else ("done", "")
    if view["status"] in ("failed", "cancelled"):
        return _FAILED if view["status"] == "failed" else _NOT_RECORDED
    if view["live"] is None:
        first_or_later = (
            Sentence("is recorded first, alone") if first else Sentence("is recorded after the others, alone")
        )
        return "waiting", first_or_later
    return ("done", "") if "speculative" in view["live"]["ended"] else _RECORDING


def _plain_state(main: Entrant) -> tuple[str, str]:
    view = main.view
    if view["recording"] is not None:
        traces = view["recording"]["traces"]
        if len(traces) < 2:
            return _NOT_RECORDED
        return _STOPPED if traces[1]["stop"] == "cancelled" else ("done", "")
    if view["status"] in ("failed", "cancelled"):
        return _FAILED if view["status"] == "failed" else _NOT_RECORDED
    if view["live"] is None or "speculative" not in view["live"]["ended"]:
        return "waiting", Sentence("is recorded next, alone")
    return ("done", "") if "plain" in view["live"]["ended"] else _RECORDING


def _note(main: Entrant, rival: Entrant | None) -> str:
    """The state of the race in one sentence; nothing once everything is recorded."""
    status = main.view["status"]
    if status in ("queued", "loading"):
        return _waiting(main.view)
    if status == "running":
        return _running(main.view)
    if rival is not None and rival.view["status"] in ("queued", "loading"):
        return Sentence("Third lane: {wait}", wait=_waiting(rival.view))
    if rival is not None and rival.view["status"] == "running":
        return Sentence("The third lane is being recorded, alone …")
    if status == "cancelled" and not _complete(main.view["recording"]):
        return main.view["message"] or Sentence("Stopped: this is the part that was written.")
    return ""


def _running(view: Json) -> str:
    """The part of a race that is being recorded now, in a sentence."""
    if view["live"] is None:
        return Sentence("Reading the prompt …")
    ended = view["live"]["ended"]
    if "plain" in ended:
        if what := view.get("what"):
            return f"{what[:1].upper()}{what[1:]} …"
        return Sentence("Both are timed again, in turn …")
    if "speculative" in ended:
        return Sentence("Plain decoding is being recorded, alone …")
    return Sentence("Recording, one lane at a time …")


def _complete(recording: Json | None) -> bool:
    """True where both lanes ended by themselves: then only the repeats were stopped, and nothing is missing."""
    traces = recording["traces"] if recording else []
    return len(traces) > 1 and all(trace["stop"] != "cancelled" for trace in traces)


def _waiting(view: Json) -> str:
    if view["queue_position"]:
        return in_row(
            (Sentence("Waiting in line"), f"{waiting_words(view['queue_position'], view.get('wait_s'))} …"), ": "
        )
    return Sentence("{getting} …", getting=in_row((Sentence("Getting the models ready"), view["what"] or ""), ": "))
