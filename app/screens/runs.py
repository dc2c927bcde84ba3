"""The runs of this visit, in a drawer of Watch and Race: every one with its figures, any two side by side on one clock."""

import streamlit as st

from app.components.race import raceway
from app.components.widgets import LIVE_S, plain, save_button
from app.server import resources
from app.stage import chart, lanes, recordings, tables
from app.stage.visit import MAX_RUNS, VisitRun
from app.state import address, session
from app.state.address import RUNS
from app.state.page_state import RUNS_TABLE, page_state

_NONE, _AND = "none", "."  # in the address of an open drawer: that no run is listed, and what is between two names

_NOTHING_YET = "Nothing has run yet on this visit: press Run on Watch, or Race on Race."
_LIVE = "A run is still live: it is listed when it is over."


def button() -> None:
    """Opens the drawer, once there is a run; it stands first in its row, so that it moves nothing when it comes."""
    if count := len(session.visit().measured()):
        st.button(
            f"Runs ({count})",
            key="runs",
            icon=":material/list:",
            help="Every run of this visit; any two side by side on one clock.",
            on_click=lambda: address.change({RUNS: _listed()}),
            type="tertiary",
        )


def drawer() -> None:
    """The drawer, where it is open; the address says so."""
    if is_open():
        list_again()
        _drawer()


def is_open() -> bool:
    """True if the drawer is open."""
    return RUNS in address.parameters()


def list_again() -> None:
    """After a reload of an open drawer, list those of its address that this visitor made, as long as the server keeps them; write into the
    address what is listed."""
    if not session.visit().runs:
        jobs = [resources.jobs().find(name) for name in address.parameter(RUNS).split(_AND)[:MAX_RUNS]]
        own = [job for job in jobs if job is not None and job.over and session.is_own(job)]
        for job in own:
            if not job.rival_of:
                session.visit().add(job, next((rival for rival in own if rival.rival_of == job.id), None))
    address.change({RUNS: _listed()})


def _listed() -> str:
    return _AND.join(run.id for run in session.visit().measured()) or _NONE


def _close_list() -> None:
    address.change({RUNS: ""})


@st.dialog("Runs of this visit", width=960, position="right", on_dismiss=_close_list)
def _drawer() -> None:
    with st.container(key="runs-list"):
        _list()


def _list() -> None:
    if session.live():
        _wait()
    runs = session.visit().measured()
    if not runs:
        if not session.live():
            st.info(_NOTHING_YET, icon=":material/list:")
        return
    chosen = st.dataframe(
        tables.races(runs),
        key=RUNS_TABLE,
        hide_index=True,
        column_config=tables.columns(),
        placeholder="–",
        selection_mode="multi-row",
        on_select="rerun",
        height=min(38 + 36 * len(runs), 330),
    ).selection.rows
    picked = [runs[index] for index in chosen if index < len(runs)]
    st.markdown(_hint(len(picked)))
    if len(picked) > 1:
        st.markdown(plain(tables.compared(*picked[:2])))
    if len(picked) == 1:
        _open_and_save(picked[0])
    if warning := tables.unlike(picked[:2] if len(picked) > 1 else runs):
        st.warning(warning, icon=":material/warning:")
    if picked:
        raceway(lanes.side_by_side(picked[:2]), key="runs-lanes")
    elif raced := [run for run in runs if run.figures is not None and run.figures.speedup is not None]:
        st.plotly_chart(chart.speedups(raced), key="speedups", config={"displayModeBar": False})


def _open_and_save(run: VisitRun) -> None:
    """The buttons for one run of the list."""
    view = recordings.of_run(run)
    with st.container(horizontal=True, gap="small"):
        st.button(f"Open run {run.number} on Watch", icon=":material/visibility:", on_click=_open, args=(run,))
        meaning = (
            "The complete run as JSON: open it again under “Save and share” of Watch, or replay it on the command line."
        )
        file = f"{recordings.file_name(view)}.json"
        save_button("Save recording", recordings.as_json(view), file, "data_object", help=meaning)
    if page_state().to_watch:
        page_state().to_watch = False
        _close_list()
        st.switch_page(page_state().screens[session.WATCH])


def _open(run: VisitRun) -> None:
    session.open_recording(recordings.of_run(run))
    page_state().to_watch = True


def _hint(picked: int) -> str:
    if picked == 0:
        return "Tick one run to replay it, or two to see them side by side on one clock."
    if picked == 1:
        return "Tick a second run to see both on one clock."
    return "Both on one clock." if picked == 2 else "Two at a time: the first two are shown."


@st.fragment(run_every=LIVE_S)
def _wait() -> None:
    """Show that a run is live; list it when it is over."""
    st.caption(_LIVE)
    if not session.live():
        st.rerun()
