"""Race: plain and speculative decoding, each recorded alone, side by side on one clock."""

from typing import Any

import streamlit as st

from app.classroom import bar, presenter
from app.components.race import raceway
from app.components.widgets import plain
from app.screens import elsewhere, runs, settings, shared
from app.server import resources
from app.server.job import Job
from app.stage import lanes, recordings
from app.stage.run_routes import address_of
from app.state import language, request_form, session, teaching, visitor
from app.state.page_state import page_state
from specviz.known_pairs import FAMILY
from specviz.reporting.player import recorded_race, wording
from specviz.reporting.player.html_page import kinds_page


def screen() -> None:
    """The screen."""
    shared.sidebar(length=lambda: None, more=_third_lane)  # the draft length is beside Race
    # Every part has a container of its own, so that none moves another when its size changes.
    for part, key in ((_prompt_box, "above-lanes"), (shared.problem, None), (_lanes, None)):
        with st.container(key=key):
            part()
    if not teaching.on():
        runs.drawer()
    session.write_address()


def _prompt_box() -> None:
    """The prompt with Race and Stop; where the page teaches it folds into one line, so that the lanes have the room."""
    if teaching.on():
        bar.bar(
            lambda: shared.folded_prompt_box(lambda: shared.run_and_stop(_race, "content")),
            notes=shared.prompt_notes(),
        )
        return
    shared.prompt_box(_race, _more)


def _more() -> None:
    """Other controls, at the end of the row of prompts."""
    runs.button()
    _save_and_share()
    bar.begin("The lanes")


def _save_and_share() -> None:
    """The race as a page of its own, and the code that shows it in another one."""
    with st.popover("Save and share", icon=":material/share:", key="race-share", on_change="rerun") as menu:
        if page_state().job is None:
            elsewhere.page_button("kinds-of-text", kinds_page(language.now()).encode() if menu.open else b"")
            elsewhere.film_button(ready=True)
            elsewhere.frame("kinds-of-text", "", "")
            return
        views = _recorded()
        if not views:
            st.caption("A race can be saved when it is over.")
            return
        name = recordings.file_name(views[0])
        elsewhere.page_button(f"{name}-race", recordings.as_race_page(views, language.now()) if menu.open else b"")
        elsewhere.film_button(ready=True)
        elsewhere.frame(f"{name}-race", "", f"race/{recordings.gallery_name(views[0])}")


def _recorded() -> list[recordings.View]:
    """The recordings in the lanes; none before a race, and while a run is missing."""
    views = [resources.jobs().view(job) for job in session.runs()]
    return views if views and all(view["recording"] is not None for view in views) else []


def _third_lane() -> None:
    """Another drafter, or another draft model for the same target: the pairs that come with the project share one."""
    settings.picker(
        "Third lane",
        request_form.rivals() if page_state().all_drafters else request_form.usual_rivals(),
        request_form.RIVAL,
        None,
        lambda name: name if name in FAMILY else wording.listed(name),
        placeholder="None",
        help="What races beside plain decoding and the drafter above: another drafter, or another draft model of the same target.",
    )


def _race() -> None:
    """Request what the page shows: a run of the pair, and after it one of the third lane's drafter."""
    request = shared.requested_run()
    if request is None:
        return
    session.begin(request, request_form.rival_request(request))


def _lanes() -> None:
    """The lanes, which follow a live race by themselves; when it is over, they have the page rerun once."""
    job, rival = page_state().job, page_state().rival
    if job is None:
        _show_lanes(_kinds())
        return
    for sentence in session.failures():
        st.error(plain(sentence), icon=":material/error:")
    names = ".".join(run.id for run in session.runs())
    events = address_of("races", names, visitor.name()) if session.live() else None
    view = lanes.race(_entrant(job), _entrant(rival) if rival else None, rounds=events is None)
    _show_lanes({**view, "events": events})


def _show_lanes(view: dict[str, Any]) -> None:
    lead = None
    if (room := presenter.led()) is not None:
        presenter.show_race(room, view)
        lead = presenter.lead(room)
    raceway({**view, "talk": teaching.on(), "lead": lead}, key="race-lanes")


def _entrant(job: Job) -> lanes.Entrant:
    return lanes.Entrant(resources.jobs().view(job), job.request_as_run, session.visit().of(job))


@st.cache_resource(show_spinner=False)
def _kinds() -> dict[str, Any]:
    """What the screen opens with: four kinds of text on one clock."""
    return recorded_race.kinds_view()
