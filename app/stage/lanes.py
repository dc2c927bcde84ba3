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
    live = any(runner.view["status"] in ("queued", "loading", "running") for runner in runners)
    lanes = [_plain_lane(main)]
    for runner, named in zip(runners, _lane_names(runners), strict=True):
        first = runner is main
        waits = Sentence("is recorded first, alone") if first else Sentence("is recorded after the others, alone")
        state = _state(runner.view, Lane.SPECULATIVE, waits)
        lanes.append(_lane(runner.request, runner.figures, state, busy(runner.figures), named))
    if rounds:
        for lane, runner in zip(lanes, [main, *runners], strict=True):
            lane["source"] = source(runner.view, Lane(lane["kind"]))
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


def _lane(request: Request, figures: Figures | None, state: tuple[str, str], doubt: str, named: Json) -> Json:
    """A lane without its rounds; `named` has its kind, its name and more words on it."""
    return {
        "prompt": request.prompt,
        "asked": request.settings.max_new_tokens,
        "source": None,
        "state": state[0],
        "say": state[1],
        "how": for_page(spread(figures)),
        "busy": for_page(doubt),
        "judged": figures is not None,
        "badge": badge(figures, request.settings) if named["kind"] == "speculative" else None,
        **named,
    }


def _plain_lane(main: Entrant) -> Json:
    state = _state(main.view, Lane.PLAIN, Sentence("is recorded next, alone"))
    named = {"kind": "plain", "name": recorded_race.PLAIN, "words": recorded_race.PLAIN_WORDS}
    return _lane(main.request, main.figures, state, untrusted(main.figures), named)


def _lane_names(runners: list[Entrant]) -> list[Json]:
    """The name of each lane, and more words: its drafter; its models where two lanes have the same drafter."""
    drafters = [wording.label(runner.request.settings.drafter) for runner in runners]
    alike = len(set(drafters)) < len(drafters)
    names = []
    for drafter, runner in zip(drafters, runners, strict=True):
        pair = runner.request.pair
        model, details = str(pair.name or pair.draft or pair.target), wording.details(runner.request.settings)
        name = {"name": model} if alike else recorded_race.lane_name(drafter)
        words = in_row([Sentence(drafter) if alike else model, *details], " · ")
        names.append({"kind": "speculative", **name, "words": for_page(words)})
    return names


def _visit_lane(run: VisitRun) -> Json:
    assert run.figures is not None
    named = {
        "kind": "speculative",
        "name": for_page(Sentence("Run {number}", number=run.number)),
        "words": for_page(_draft_words(run.pair, run.settings)),
    }
    state = ("stopped" if run.figures.stopped else "done", "")
    rounds = source({"recording": dump(run.traces()), "live": None}, Lane.SPECULATIVE)
    return {**_lane(run.request, run.figures, state, untrusted(run.figures), named), "source": rounds}


def _draft_words(pair: PairRequest, settings: Settings) -> str:
    by = wording.drafter(pair, settings)
    by = Sentence("draft {draft}", draft=by) if settings.drafter == Settings().drafter else by
    return in_row([f"k = {wording.number(settings.k)}", by, *wording.extras(settings)], " · ")


# ------------------------------------------------------------------ rounds


def source(view: Json, lane: Lane) -> Json | None:
    """The rounds of a lane as they are in the recording or, before there is one, as they have come so far; None without any."""
    if view["recording"] is not None:
        trace = _recorded(view, lane)
        return None if trace is None else recorded_race.source(trace)
    if view["live"] is None:
        return None
    rounds = view["live"]["rounds" if lane is Lane.SPECULATIVE else "plain_rounds"]
    return recorded_race.source({**view["live"], "rounds": rounds, "prefill": None})


def _recorded(view: Json, lane: Lane) -> Json | None:
    """The trace of a lane in a recording, which has the speculative run first."""
    traces: list[Json] = view["recording"]["traces"][[*Lane].index(lane) :]
    return traces[0] if traces else None


# ------------------------------------------------------------------ the state of a lane

_RECORDING = ("recording", Sentence("being recorded now, alone"))
_STOPPED = ("stopped", Sentence("stopped: this is the part that was written"))
_NOT_RECORDED = ("missing", Sentence("not recorded: stopped before its turn"))
_FAILED = ("missing", Sentence("not recorded: the engine failed"))


def _state(view: Json, lane: Lane, waits: Sentence) -> tuple[str, str]:
    """The state of a lane of a job, and that in words; `waits`: while nothing of it is recorded."""
    if view["recording"] is not None:
        if (trace := _recorded(view, lane)) is None:
            return _NOT_RECORDED
        return _STOPPED if trace["stop"] == "cancelled" else ("done", "")
    if view["status"] in ("failed", "cancelled"):
        return _FAILED if view["status"] == "failed" else _NOT_RECORDED
    if view["live"] is None or (lane is Lane.PLAIN and Lane.SPECULATIVE not in view["live"]["ended"]):
        return "waiting", waits
    return ("done", "") if lane in view["live"]["ended"] else _RECORDING


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
