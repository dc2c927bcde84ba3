"""An answer of the Lab in one sentence, files that have it with its figures, and the button that saves a file."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from app.text import plain
from specviz.lab import report
from specviz.lab.report import Report, Table

SCHEMA = "specviz.answer/1"


def show(
    kind: str, words: str, rows: Sequence[Mapping[str, object]], notes: Sequence[str], chart: Callable[[], Any] | None
) -> None:
    """The sentence as a heading, with a menu that saves it. A file is made only when it is downloaded.

    Args:
        kind: names the files.
        rows: the figures, each row with the same columns.
        notes: how they came about.
        chart: draws them; None where there is nothing to draw.
    """
    found = partial(_report, kind, words, rows, [note for note in notes if note], chart)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(f"#### {plain(words)}", width="stretch")
        with st.popover("Save", icon=":material/save:", key=f"save-{kind}"):
            page = "One HTML file with the chart and the table. It needs no network."
            save("Page", lambda: report.page(found()), f"{kind}.html", f"save-{kind}-html", page)
            value = f"The sentence, its figures, and how they came about ({SCHEMA})."
            save("JSON", lambda: indented(found().value), f"{kind}.json", f"save-{kind}-json", value)


def save(label: str, make: Callable[[], str], file: str, key: str, meaning: str) -> None:
    """A button that downloads a file, which is made only then.

    Args:
        file: its name, whose end says what it is.
        meaning: of the label.
    """
    kind = {"html": "text/html", "csv": "text/csv", "json": "application/json"}[file.rpartition(".")[2]]
    icon = ":material/download:"
    st.download_button(label, lambda: make().encode(), file, kind, key=key, icon=icon, help=meaning, on_click="ignore")


def indented(value: object) -> str:
    """JSON for a file that people read."""
    return json.dumps(value, indent=1, allow_nan=False) + "\n"


def _report(
    kind: str,
    words: str,
    rows: Sequence[Mapping[str, object]],
    notes: Sequence[str],
    chart: Callable[[], Any] | None,
) -> Report:
    columns = tuple(rows[0]) if rows else ()
    cells = tuple(tuple("–" if row[name] is None else str(row[name]) for name in columns) for row in rows)
    return Report(
        stem=kind,
        title=words,
        tables=(Table("In figures", "", columns, cells),),
        notes=tuple(notes),
        value={"schema": SCHEMA, "question": kind, "answer": words, "figures": [*rows], "notes": [*notes]},
        charts=lambda: [] if chart is None else [chart()],
    )
