"""The report on a terminal."""

from rich.table import Table as Drawn
from rich.text import Text

from specviz.bench.results import Report
from specviz.bench.tables import notes, tables
from specviz.reporting.terminal import Screen, visible


def show(report: Report) -> None:
    """Print every table, then the notes."""
    screen = Screen()
    for table in tables(report):
        drawn = Drawn(box=None, pad_edge=False, header_style="")
        for index, name in enumerate(table.columns):
            drawn.add_column(Text(name), justify="right" if index else "left", overflow="fold")
        for row in table.rows:
            drawn.add_row(*(Text(visible(cell, spaces=False)) for cell in row))
        screen.print(Text(table.title, "bold"))
        screen.table(drawn)
        screen.print(Text(table.caption, "dim"))
        screen.print()
    screen.lines(Text(visible(note, spaces=False)) for note in notes(report))
