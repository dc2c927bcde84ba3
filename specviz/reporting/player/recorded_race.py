"""A recorded race as the raceway shows it: a lane for plain decoding and one for each speculative run, see `RaceView` in race_types.ts."""

from typing import Any

from specviz.reporting.player import wording
from specviz.reporting.player.grounds import badge, busy, spread
from specviz.reporting.run_figures import Figures, figures_of
from specviz.trace.conditions import Conditions
from specviz.trace.files import dump
from specviz.trace.raced import RacedTraces
from specviz.trace.records import Stop, Trace
from specviz.words import Sentence, for_page, in_row

Json = dict[str, Any]
HINT = Sentence("Each lane ran alone and is replayed on one clock. Point at a figure to see how it was measured.")
PLAIN, PLAIN_WORDS = Sentence("Plain"), Sentence("the target alone, one pass per token")
_ALTERNATIVES = ("draft_top", "target_top", "residual_top")


def race_view(raced: RacedTraces) -> Json:
    """The lanes of runs of one prompt with their rounds; the last one that drafts nothing is the plain one."""
    traces, timed = raced.traces, (raced.speedups, raced.timed, raced.conditions)
    plain = next((trace for trace in reversed(traces) if not drafts(trace)), None)
    lanes = [
        {**found, "busy": found["busy"] or raced.doubt, "source": source(dump([trace])["traces"][0])}
        for trace in ([plain] if plain else []) + [trace for trace in traces if trace is not plain]
        for found in [lane(trace, plain, *timed)]
    ]
    return {
        "id": "race-recorded",
        "race": plain is not None,
        "live": False,
        "note": "",
        "hint": HINT,
        "plain_rate": None,
        "real_time": False,
        "lanes": lanes,
    }


def drafts(trace: Trace) -> bool:
    """Whether a run is a speculative one."""
    return any(round_.drafted for round_ in trace.rounds)


def lane(
    trace: Trace,
    plain: Trace | None,
    speedups: tuple[float, ...] = (),
    timed: int = 1,
    conditions: Conditions | None = None,
) -> Json:
    """A run as a lane, without its rounds; what is known of its timings as in `figures_of`."""
    figures: Figures | None = figures_of(trace, plain, speedups, timed, conditions) if drafts(trace) else None
    label = wording.label(trace.card.drafter.name)
    words = in_row(wording.details(trace.settings), " · ") if figures else PLAIN_WORDS
    return {
        "prompt": trace.prompt,
        "asked": trace.settings.max_new_tokens,
        "source": None,
        **(named(label) if figures else {"name": PLAIN}),
        "words": for_page(words),
        "kind": "speculative" if figures else "plain",
        "state": "stopped" if trace.stop is Stop.CANCELLED else "done",
        "say": "",
        "how": for_page(spread(figures)),
        "busy": for_page(busy(figures)),
        "badge": badge(figures, trace.settings) if figures else None,
    }


def named(label: str) -> Json:
    """A lane that is called by its drafter."""
    return {"name": f"{label[:1].upper()}{label[1:]}", "drafter": label}


def source(trace: Json) -> Json:
    """The part of a recorded run that a lane needs."""
    return {
        "prompt_ids": trace["prompt_ids"],
        "tokens": trace["tokens"],
        "prefill": trace.get("prefill"),
        "rounds": [_bare(round_) for round_ in trace["rounds"]],
    }


def _bare(round_: Json) -> Json:
    """A round without its alternatives, which no lane shows and which are most of a recording."""
    closing = round_["closing"]
    return {
        **round_,
        "drafted": [{name: d[name] for name in d if name not in _ALTERNATIVES} for d in round_["drafted"]],
        "closing": closing and {name: closing[name] for name in closing if name not in _ALTERNATIVES},
    }
