"""A sweep on a terminal, or as JSON."""

from rich.table import Table as Drawn
from rich.text import Text

from specviz.lab.asking import print_json
from specviz.lab.export import notes
from specviz.lab.results import LEFT_OUT, REPLANNED, Cell, Sweep, as_json
from specviz.reporting.terminal import Screen, visible


def show_sweep(sweep: Sweep, *, as_object: bool) -> None:
    """Print a sweep: its cells with the numbers of their runs, then what is to be said of it."""
    if as_object:
        print_json(as_json(sweep))
        return
    screen = Screen()
    axes = [axis.name for axis in sweep.plan.axes]
    drawn = table(*axes, "speedup", "predicted", "α", "tokens/pass", "how", "runs")
    for cell in sweep.cells:
        drawn.add_row(*(Text(visible(text, spaces=False)) for text in (*cell.at, *_figures(cell))))
    screen.print(Text(visible(sweep.name, spaces=False), "bold"))
    screen.table(drawn)
    screen.lines(Text(visible(note, spaces=False)) for note in notes(sweep))


def _figures(cell: Cell) -> tuple[str, ...]:
    runs = ", ".join(map(str, cell.tasks))
    if cell.line is None:
        return ("–", "–", "–", "–", LEFT_OUT, runs)
    speed = cell.line.speedup
    spread = (
        f"{speed.median:.2f}" if cell.how == REPLANNED else f"{speed.median:.2f} ({speed.low:.2f}–{speed.high:.2f})"
    )
    return (
        spread if cell.line.trusted else f"busy: {speed.low:.1f}–{speed.high:.1f}",
        "–" if cell.predicted is None else f"{cell.predicted:.2f}",
        "–" if cell.line.alpha is None else f"{cell.line.alpha:.2f}",
        f"{cell.line.tokens_per_pass:.2f}",
        "rounds exact, times priced" if cell.how == REPLANNED else cell.how,
        runs,
    )


def table(*columns: str) -> Drawn:
    """An empty table with these columns."""
    drawn = Drawn(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        drawn.add_column(Text(visible(name, spaces=False)), no_wrap=True)
    return drawn
