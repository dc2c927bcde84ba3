"""A sweep as files, and its name."""

import json
from functools import partial

import streamlit as st

from app import request_form, widget_state
from app.lab import cell, kept
from app.text import plain
from specviz.errors import SpecvizError
from specviz.lab import export, report
from specviz.lab.results import as_json

_NEW_NAME, _PROBLEM = "_sweep_new_name", "_sweep_rename_problem"


def menu(name: str) -> None:
    """Save a sweep, or give it another name. A file is made only when it is downloaded."""
    with st.popover("Save and rename", icon=":material/save:"):
        with st.container(horizontal=True, gap="small"):
            for label, make, end, kind, meaning in (
                ("CSV", _csv, "csv", "text/csv", "One line a cell, for a spreadsheet."),
                ("JSON", _json, "json", "application/json", "Every cell with its spread, and how it came about."),
                (
                    "Page",
                    _page,
                    "html",
                    "text/html",
                    "One HTML file with the charts and the table. It needs no network.",
                ),
            ):
                st.download_button(
                    label,
                    partial(make, name),
                    f"sweep.{end}",
                    kind,
                    key=f"sweep-{end}",
                    icon=":material/download:",
                    help=meaning,
                    on_click="ignore",
                )
        with st.form("sweep-rename", border=False):
            st.text_input("New name", placeholder=name, key=_NEW_NAME)
            st.form_submit_button("Rename", on_click=_rename, args=(name,))
        if problem := str(st.session_state.get(_PROBLEM, "")):
            st.error(plain(problem), icon=":material/error:")


def _csv(name: str) -> bytes:
    return export.as_csv(kept.sweep(name)).encode()


def _json(name: str) -> bytes:
    return (json.dumps(as_json(kept.sweep(name)), indent=1, allow_nan=False) + "\n").encode()


def _page(name: str) -> bytes:
    return report.page(export.report_of(kept.sweep(name))).encode()


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
