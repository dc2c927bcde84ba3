"""An answer of the Lab in one sentence, and files that have it with its figures."""

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
            for label, end, mime, make, meaning in (
                ("Page", "html", "text/html", _page, "One HTML file with the chart and the table. It needs no network."),
                ("JSON", "json", "application/json", _json, f"The sentence, its figures, and how they came about ({SCHEMA})."),
            ):  # fmt: skip
                st.download_button(
                    label,
                    partial(make, found),
                    f"{kind}.{end}",
                    mime,
                    key=f"save-{kind}-{end}",
                    icon=":material/download:",
                    help=meaning,
                    on_click="ignore",
                )


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


def _page(found: Callable[[], Report]) -> bytes:
    return report.page(found()).encode()


def _json(found: Callable[[], Report]) -> bytes:
    return (json.dumps(found().value, indent=1, allow_nan=False) + "\n").encode()
