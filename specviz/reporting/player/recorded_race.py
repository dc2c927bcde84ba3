"""The JSON of recorded runs on one clock, see `RaceView` in race_types.ts: a race, or four kinds of text."""

from typing import Any

from specviz.folders import ASSETS
from specviz.reporting.player import wording
from specviz.reporting.player.provenance import badge, busy, spread
from specviz.reporting.run_figures import Figures, figures_of
from specviz.trace.conditions import Conditions, RacedTraces
from specviz.trace.files import dump, read_file
from specviz.trace.records import Stop, Trace
from specviz.words import Sentence, for_page, in_row

Json = dict[str, Any]
KINDS = {
    "traces/letter.json": Sentence("A letter"),
    "traces/people.json": Sentence("JSON"),
    "traces/vowels.json": Sentence("Code"),
    "lessons/romeo.json": Sentence("Verse"),
}
"""Recordings of four kinds of text, with the same models and settings."""
HINT = Sentence("Each lane ran alone and is replayed on one clock. Point at a figure to see how it was measured.")
PLAIN, PLAIN_WORDS = Sentence("Plain"), Sentence("the target alone, one pass per token")
_ALTERNATIVES = ("draft_top", "target_top", "residual_top")


def race_view(raced: RacedTraces) -> Json:
    """The lanes of runs of one prompt with their rounds; the last one that drafts nothing is the plain one."""
    plain = next((trace for trace in reversed(raced.traces) if not trace.drafts), None)
    lanes = []
    for trace in sorted(raced.traces, key=lambda trace: trace is not plain):
        fields = lane(trace, plain, raced.speedups, raced.timed, raced.conditions)
        lanes.append({**fields, "busy": fields["busy"] or raced.doubt, "source": source(dump([trace])["traces"][0])})
    return _view("race-recorded", lanes, HINT, race=plain is not None)


def kinds_view() -> Json:
    """Four recorded runs of different kinds of text: how often the guesses are right, and what that brings, depends on the text."""
    lanes = []
    for file, name in KINDS.items():
        run, plain = read_file(ASSETS / file)
        own, alone = (source(trace) for trace in dump([run, plain])["traces"])
        lanes.append({**lane(run, plain), "name": for_page(name), "drafter": "", "source": own, "alone": alone})
    hint = Sentence(
        "It depends on the text: four real runs of the same models, recorded alone and replayed on one clock."
    )
    return _view("race-kinds", lanes, hint, race=False)


def _view(name: str, lanes: list[Json], hint: str, *, race: bool) -> Json:
    always = {"live": False, "note": "", "plain_rate": None, "real_time": False}
    return {"id": name, "race": race, "hint": hint, "lanes": lanes, **always}


def lane(
    trace: Trace,
    plain: Trace | None,
    speedups: tuple[float, ...] = (),
    timed: int = 1,
    conditions: Conditions | None = None,
) -> Json:
    """A run as a lane, without its rounds; `speedups`, `timed` and `conditions` as in `figures_of`."""
    figures: Figures | None = figures_of(trace, plain, speedups, timed, conditions) if trace.drafts else None
    label = wording.label(trace.card.drafter.name)
    words = in_row(wording.details(trace.settings), " · ") if figures else PLAIN_WORDS
    return {
        "prompt": trace.prompt,
        "asked": trace.settings.max_new_tokens,
        "source": None,
        **(lane_name(label) if figures else {"name": PLAIN}),
        "words": for_page(words),
        "kind": "speculative" if figures else "plain",
        "state": "stopped" if trace.stop is Stop.CANCELLED else "done",
        "say": "",
        "how": for_page(spread(figures)),
        "busy": for_page(busy(figures)),
        "judged": True,
        "badge": badge(figures, trace.settings) if figures else None,
    }


def lane_name(label: str) -> Json:
    """The name of a lane after its drafter."""
    return {"name": f"{label[:1].upper()}{label[1:]}", "drafter": label}


def source(trace: Json) -> Json:
    """The part of a recorded run that a lane needs."""
    return {
        "prompt_ids": trace["prompt_ids"],
        "tokens": trace["tokens"],
        "prefill": trace.get("prefill"),
        "rounds": [_without_alternatives(round_) for round_ in trace["rounds"]],
    }


def _without_alternatives(round_: Json) -> Json:
    """No lane shows them, and they are most of a recording."""
    closing = round_["closing"]
    return {
        **round_,
        "drafted": [{name: d[name] for name in d if name not in _ALTERNATIVES} for d in round_["drafted"]],
        "closing": closing and {name: closing[name] for name in closing if name not in _ALTERNATIVES},
    }
