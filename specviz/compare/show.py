"""The comparison on a terminal."""

from rich.table import Table as Drawn
from rich.text import Text

from specviz.compare.results import Comparison
from specviz.compare.tables import explanations, notes, tables, where_it_goes
from specviz.reporting.terminal import Screen, visible


def show(comparison: Comparison) -> None:
    """Print every table, then the notes."""
    screen = Screen()
    measured, ledgers = tables(comparison), where_it_goes(comparison)
    for table in (*measured, *ledgers):
        drawn = Drawn(box=None, pad_edge=False, header_style="bold")
        for index, name in enumerate(table.columns):
            drawn.add_column(Text(name.replace(" ", "\n")), justify="right" if index else "left", no_wrap=True)
        for row in table.rows:
            drawn.add_row(*(Text(visible(cell, spaces=False)) for cell in row))
        screen.print(Text(visible(table.title, spaces=False), "bold"))
        screen.table(drawn)
        screen.print()
    for table in (*measured[:1], *ledgers):
        screen.print(Text(table.caption, "dim"))
    screen.lines(Text(visible(each, spaces=False)) for each in explanations(comparison))
    screen.lines(Text(visible(note, spaces=False)) for note in notes(comparison))
