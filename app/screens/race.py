"""Race: plain and speculative decoding, each recorded alone, side by side on one clock; and the races of this visit."""

from typing import Any, Literal

import streamlit as st

from app import pairs, request_form, resources, session, visitor
from app.job import Job
from app.race import chart, lanes, tables
from app.race.mount import raceway
from app.routes import runs
from app.screens import settings, shared, strip
from app.text import plain
from app.visit import figures_of
from specviz.reporting.prompts import prompt_family
from specviz.request import PairAsked, Request
from specviz.trace.files import load


def screen() -> None:
    """The screen."""
    shared.sidebar()
    strip.apply(talk=session.talk())
    # Every part has a container of its own, so that none moves another when its size changes.
    shown = (
        (_prompt_box, shared.problem, _lanes) if session.talk() else (_prompt_box, shared.problem, _lanes, _past_races)
    )
    for part in shown:
        with st.container():
            part()


def _prompt_box() -> None:
    """The prompt with Race and Stop; in a talk it folds into one line, so that the lanes have the room."""
    if session.talk():
        shared.folded_prompt_box(lambda: _race_and_stop("content"), _third_lane)
        return
    with st.container(key="prompt-box"):
        box, buttons = st.columns([4, 1.4], vertical_alignment="center", gap="small")
        with box:
            shared.prompt_text()
        with buttons:
            _race_and_stop("stretch")
            _third_lane()
    with st.container(key="ready-prompts"):
        shared.ready_made(lambda: shared.begin_talk("Large type and nothing but the lanes, for a room."))


def _race_and_stop(width: Literal["stretch", "content"]) -> None:
    with st.container(horizontal=True, gap="small", width=width):
        st.button(
            session.start_word(),
            key="race",
            type="primary",
            icon=":material/sports_score:",
            on_click=_race,
            width=width,
        )
        st.button("Stop", icon=":material/stop:", on_click=session.stop, disabled=not session.stoppable(), width=width)


def _third_lane() -> None:
    """Another drafter, or another draft model for the same target: the pairs that come with the project share one."""
    settings.picker(
        "Third lane",
        request_form.rivals(),
        request_form.RIVAL,
        None,
        request_form.rival_label,
        placeholder="Third lane: none",
        label_visibility="collapsed",
    )
    session.write_address()


def _race() -> None:
    """Request what the page shows: a run of the pair, and after it one of the third lane's drafter."""
    asked = shared.asked()
    if asked is None:
        return
    session.begin(asked, request_form.rival_asked(asked))


def _lanes() -> None:
    """The lanes, which follow a live race by themselves; when it is over, they have the page rerun once."""
    job, rival = session.job(), session.rival_job()
    if job is None:
        _show_lanes(lanes.race(_shipped()))
        return
    for sentence in session.failures():
        st.error(plain(sentence), icon=":material/error:")
    events = runs.race_of(job, rival, visitor.name()) if session.live() else None
    view = lanes.race(_entrant(job), _entrant(rival) if rival else None, rounds=events is None)
    _show_lanes({**view, "events": events})


def _show_lanes(view: dict[str, Any]) -> None:
    raceway({**view, "talk": session.talk()}, key="race-lanes")


def _entrant(job: Job) -> lanes.Entrant:
    return lanes.Entrant(resources.jobs().view(job), job.ran, session.visit().of(job))


def _shipped() -> lanes.Entrant:
    """The recording that comes with the project, as if it were a race of this visit."""
    recording = resources.first_recording(prompt_family(pairs.chosen()))
    speculative, plain_run = load(recording["recording"])
    view: dict[str, Any] = {"id": "shipped", "status": "shipped", "recording": recording["recording"], "live": None}
    request = Request(PairAsked(recording["pair"]), speculative.prompt, speculative.settings)
    return lanes.Entrant(view, request, figures_of(speculative, plain_run))


def _past_races() -> None:
    """What was measured so far, prompt by prompt."""
    runs = [run for run in session.visit().measured() if run.figures is not None and run.figures.speedup is not None]
    if not runs:
        return
    st.subheader("Races of this visit", anchor=False)
    st.plotly_chart(chart.speedups(runs), key="speedups", config={"displayModeBar": False})
    st.dataframe(tables.races(runs), hide_index=True, column_config=tables.columns(), placeholder="–")
