"""What was measured as text: on a terminal, as JSON, and as files (Markdown, a page with charts where Plotly is installed, CSV)."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from rich.table import Table as Drawn
from rich.text import Text

from specviz.errors import InputError
from specviz.reporting import markup
from specviz.reporting.files import write_atomically
from specviz.reporting.markup import as_plain, table_row
from specviz.reporting.progress import print_json, print_line
from specviz.reporting.terminal import Screen, visible

_STYLE = "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}"
_STYLE += "table{border-collapse:collapse}td,th{padding:.2rem .7rem;border-bottom:1px solid #ccc;text-align:left}"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text; each row has as many cells as there are columns."""

    title: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What is said of a measurement.

    Attributes:
        stem: of the files' names.
        notes: what was run, and anything missing or wrong.
        said: sentences on what was measured.
        value: everything as one JSON object.
        charts: draws; called only where Plotly is installed.
        csv: "" where there is no such file.
    """

    stem: str
    title: str
    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    value: dict[str, Any]
    charts: Callable[[], Sequence[Any]]
    said: tuple[str, ...] = ()
    csv: str = ""


def write(folder: Path, report: Report) -> list[Path]:
    """Save it in this folder, each file completely or not at all; returns the files.

    Raises:
        InputError: it cannot be written there.
    """
    texts = {"md": markdown(report), "json": json.dumps(report.value, indent=1, allow_nan=False) + "\n"}
    if report.csv:
        texts["csv"] = report.csv
    if markup.can_draw():
        texts["html"] = page(report)
    else:
        print_line("The page with charts was left out, because plotly is not installed: pip install plotly.")
    try:
        for end, text in texts.items():
            write_atomically(folder / f"{report.stem}.{end}", text)
    except OSError as error:
        raise InputError(
            f"The report could not be written to {str(folder)!r} ({error.strerror}): make room, or choose another folder."
        ) from None
    return [folder / f"{report.stem}.{end}" for end in texts]


def finish(report: Report, folder: Path | None, *, as_object: bool, further: Callable[[Path], list[Path]] | None = None) -> None:  # fmt: skip
    """Save it, if there is a folder, and print it; the figures are printed even if saving failed.

    Args:
        further: saves what belongs to it in the folder, and returns those files.
    """
    try:
        if folder is not None:
            written = write(folder, report) + (further(folder) if further else [])
            print_line(f"The report is in {', '.join(path.name for path in written)} in {folder}.")
    finally:
        show(report, as_object=as_object)


def markdown(report: Report) -> str:
    """Notes, tables and sentences as Markdown."""
    parts = [f"# {as_plain(report.title)}", "", *(f"- {as_plain(note)}" for note in report.notes)]
    for table in report.tables:
        parts += ["", f"## {as_plain(table.title)}", "", table.caption, "", table_row(table.columns)]
        parts += [table_row(["---", *["---:"] * (len(table.columns) - 1)]), *(table_row(row) for row in table.rows)]
    if report.said:
        parts += ["", "## the drafters", "", *(f"- {as_plain(each)}" for each in report.said)]
    return "\n".join(parts) + "\n"


def page(report: Report) -> str:
    """One HTML file that needs no network: notes, charts and tables."""
    drawn = "".join(
        chart.to_html(full_html=False, include_plotlyjs=index == 0, config={"displaylogo": False})
        for index, chart in enumerate(report.charts())
    )
    items = "".join(f"<li>{escape(each)}</li>" for each in (*report.notes, *report.said))
    title = escape(report.title)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head>'
        f"<body><h1>{title}</h1><ul>{items}</ul>{drawn}{''.join(map(_html, report.tables))}</body></html>\n"
    )


def show(report: Report, *, as_object: bool) -> None:
    """Print one JSON object; or every table, then what is to be said of them."""
    if as_object:
        print_json(report.value)
        return
    screen = Screen()
    for table in report.tables:
        screen.print(Text(visible(table.title, spaces=False), "bold"))
        screen.table(drawn(table))
        screen.print()
    captions = dict.fromkeys(table.caption for table in report.tables if table.caption)
    screen.lines(Text(caption, "dim") for caption in captions)
    screen.lines(Text(visible(each, spaces=False)) for each in (*report.said, *report.notes))


def drawn(table: Table) -> Drawn:
    """A table for the terminal."""
    found = Drawn(box=None, pad_edge=False, header_style="bold")
    for index, name in enumerate(table.columns):
        found.add_column(Text(visible(name, spaces=False).replace(" ", "\n")), justify="right" if index else "left", no_wrap=True)  # fmt: skip
    for row in table.rows:
        found.add_row(*(Text(visible(cell, spaces=False)) for cell in row))
    return found


def _html(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    return f"<h2>{escape(table.title)}</h2><p>{escape(table.caption)}</p><table><tr>{head}</tr>{rows}</table>"
