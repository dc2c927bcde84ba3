"""A sweep as files, and its name."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from app import request_form, widget_state
from app.lab import answer, cell, kept
from app.text import plain
from specviz.errors import SpecvizError
from specviz.lab import export, report
from specviz.lab.results import Sweep, as_json

_NEW_NAME, _PROBLEM = "_sweep_new_name", "_sweep_rename_problem"


def menu(name: str) -> None:
    """Save a sweep, or give it another name. A file is made only when it is downloaded."""
    with st.popover("Save and rename", icon=":material/save:"):
        with st.container(horizontal=True, gap="small"):
            page = "One HTML file with the charts and the table. It needs no network."
            for label, make, end, meaning in (
                ("CSV", export.as_csv, "csv", "One line a cell, for a spreadsheet."),
                ("JSON", _json, "json", "Every cell with its spread, and how it came about."),
                ("Page", _page, "html", page),
            ):
                answer.save(label, partial(_of, name, make), f"sweep.{end}", f"sweep-{end}", meaning)
        with st.form("sweep-rename", border=False):
            st.text_input("New name", placeholder=name, key=_NEW_NAME)
            st.form_submit_button("Rename", on_click=_rename, args=(name,))
        if problem := str(st.session_state.get(_PROBLEM, "")):
            st.error(plain(problem), icon=":material/error:")


def _of(name: str, make: Callable[[Sweep], str]) -> str:
    return make(kept.sweep(name))


def _json(sweep: Sweep) -> str:
    return answer.indented(as_json(sweep))


def _page(sweep: Sweep) -> str:
    return report.page(export.report_of(sweep))


def _rename(name: str) -> None:
    new = str(st.session_state[_NEW_NAME]).strip()
    try:
        if name in kept.driver().running():
            st.session_state[_PROBLEM] = (
                "The sweep is being carried out: stop it, or wait for its end, and rename it then."
            )
            return
        kept.store().rename(name, new)
    except SpecvizError as error:
        st.session_state[_PROBLEM] = str(error)
        return
    st.session_state[_PROBLEM] = ""
    st.session_state[_NEW_NAME] = ""
    widget_state.put(request_form.SWEEP, new)
    widget_state.put(cell.choice(new), widget_state.value(cell.choice(name), cell.EVERY))
