"""Sweeps: a new one, those that are stored, how one that is carried out goes on, and the one that is open."""

from collections.abc import Collection
from functools import partial

import streamlit as st

from app import request_form, session, visitor, widget_state
from app.lab import files, form, inputs, kept, opened, running, words
from app.text import plain
from specviz.errors import SpecvizError, StoreError
from specviz.folders import ASSETS
from specviz.lab.plan import duration
from specviz.lab.results import Sweep
from specviz.lab.store import Listed

EXAMPLE = ASSETS / "sweeps" / "example.json"
"""A sweep that was measured on a quiet machine: `tools/example_sweep.py` makes it again."""


def section() -> None:
    """The section."""
    try:
        if note := kept.store().note:
            st.warning(plain(note), icon=":material/database:")
        _show(kept.listing())
    except SpecvizError as error:
        if isinstance(error, StoreError):
            kept.forget()
        st.error(plain(str(error)), icon=":material/error:")


def _show(listed: tuple[Listed, ...]) -> None:
    live = kept.driver().running()
    name = _bar(listed)
    opens = not listed or bool(st.session_state.get(form.OPEN))
    if opens:
        form.form()
    if not listed:
        _offer_example()
    if name:
        sweep = kept.sweep(name)
        _standing(sweep, live)
        if not opens:
            opened.show(sweep, listed)
    if listed:
        _all(listed)


def _bar(listed: tuple[Listed, ...]) -> str:
    """Which sweep is open, and what can be done with it; returns its name, "" where there is none."""
    if not listed:
        return ""
    known = {each.name: each for each in listed}
    wanted = widget_state.value(request_form.SWEEP, listed[0].name)
    if wanted not in known:
        st.error(f"No sweep is called “{plain(wanted[:100])}”: choose one of the list.", icon=":material/error:")
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        name: str = inputs.choice(
            request_form.SWEEP,
            "Sweep",
            [*known],
            listed[0].name,
            format_func=lambda each: words.label(known[each]) if each in known else each,
        )
        if st.session_state.get(form.OPEN):
            st.button("Close", icon=":material/close:", key="sweep-close", on_click=_fold, args=(False,))
        else:
            st.button("New sweep", icon=":material/add:", key="sweep-new", on_click=_fold, args=(True,))
        files.menu(name if name in known else listed[0].name)
    return name if name in known else listed[0].name


def _offer_example() -> None:
    """Where nothing was measured yet: a sweep that comes with specviz, which says where it was measured."""
    if EXAMPLE.exists():
        st.button(
            "Look at an example first",
            key="sweep-example",
            icon=":material/table_chart:",
            help="A sweep of the embedded pair over draft length and kind of text, measured on the machine that it names.",
            on_click=_take_example,
        )


def _take_example() -> None:
    try:
        name = kept.store().adopt(EXAMPLE.read_text(encoding="utf-8"))
    except (OSError, SpecvizError) as error:
        session.set_problem(str(error))
        return
    _fold(False)
    widget_state.put(request_form.SWEEP, name)


def _fold(open_: bool) -> None:
    st.session_state[form.OPEN] = open_


# ------------------------------------------------------------------ a sweep that is carried out


def _standing(sweep: Sweep, live: Collection[str]) -> None:
    """How a sweep goes on, with Stop; or that it was stopped, with Resume."""
    driver = kept.driver()
    now = driver.standing(sweep.name)
    if now is None and sweep.name in live:
        st.rerun()  # it ended while the page was rendered
    if problem := driver.problem(sweep.name):
        st.error(plain(problem), icon=":material/error:")
    if now is not None:
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key="sweep-live"):
            stands, stop = partial(driver.standing, sweep.name), partial(driver.stop, sweep.name)
            running.going(stands, stop, driver.bell, "sweep", covered=lambda: bool(st.session_state.get(form.OPEN)))
    elif not sweep.complete:
        with st.container(horizontal=True, gap="small", vertical_alignment="center", key="sweep-stopped"):
            st.button("Resume", key="sweep-resume", icon=":material/play_arrow:", on_click=_resume, args=(sweep.name,))
            st.markdown(f"Stopped: {len(sweep.found):,} of {len(sweep.tasks):,} runs were made.", width="stretch")


def _resume(name: str) -> None:
    try:
        kept.driver().begin(name, visitor=visitor.name())
    except SpecvizError as error:
        session.set_problem(str(error))


# ------------------------------------------------------------------ all of them


def _all(listed: tuple[Listed, ...]) -> None:
    """Every stored sweep, in a table."""
    with st.expander(f"All sweeps on this machine ({len(listed):,})"):
        st.dataframe(
            [
                {
                    "name": each.name,
                    "varies": " × ".join(each.axes),
                    "runs": f"{each.done:,} of {each.runs:,}",
                    "took": duration(each.seconds),
                    "begun": each.created[:16].replace("T", " "),
                    "machine": each.machine,
                }
                for each in listed
            ],
            hide_index=True,
        )
        st.caption(f"They are kept in {plain(str(kept.store().path))}; the command `specviz lab list` lists them too.")
