"""The chosen cell of a sweep: what was measured there, its runs on Watch, Measure it, and where its speedup goes."""

from collections.abc import Sequence

import streamlit as st

from app import session, visitor, widget_state
from app.lab import inputs, kept, pictures, running
from app.lab import words as said
from app.text import plain
from specviz.errors import InputError, SpecvizError
from specviz.lab import charts
from specviz.lab.plan import Task, title
from specviz.lab.results import MEASURED, Cell, Found, Sweep

_LEDGER_PX = 260
EVERY: tuple[str, ...] = ()
"""No cell is chosen: all of them together."""


def choice(sweep: str) -> str:
    """The choice of a cell of this sweep."""
    return f"_sweep_cell {sweep}"


def chosen(sweep: Sweep) -> tuple[str, ...]:
    """The values of the axes of the chosen cell; none for all cells together."""
    at: tuple[str, ...] = widget_state.value(choice(sweep.name), EVERY)
    return at if at in {task.at for task in sweep.tasks} else EVERY


def panel(sweep: Sweep) -> None:
    """The chosen cell."""
    at = _picker(sweep)
    found = [each for each in sweep.found if not at or sweep.tasks[each.task].at == at]
    if at:
        _cell(sweep, at, next((each for each in sweep.cells if each.at == at), None), found)
    _ledger(sweep, at, found)


def words(at: Sequence[str], sweep: Sweep) -> str:
    """The values of a cell with the names of their axes."""
    return (
        ", ".join(f"{axis.name} {value}" for axis, value in zip(sweep.plan.axes, at, strict=True))
        if at
        else "All cells"
    )


def _picker(sweep: Sweep) -> tuple[str, ...]:
    places = [EVERY, *dict.fromkeys(task.at for task in sweep.tasks)]
    picked: tuple[str, ...] = inputs.choice(
        choice(sweep.name), "Cell", places, EVERY, format_func=lambda each: words(each, sweep)
    )
    return picked


def _cell(sweep: Sweep, at: tuple[str, ...], cell: Cell | None, found: list[Found]) -> None:
    """Its figures, and what can be done with it."""
    with st.container(gap="xsmall"):
        for line in said.figures(cell, found):
            st.markdown(line)
    runs = [task for task in sweep.tasks if task.at == at]
    with st.container(horizontal=True, gap="small"):
        recorded = [each for each in found if each.how == MEASURED]
        for each in recorded[:4]:
            task = sweep.tasks[each.task]
            label = "Open this run on Watch" if len(runs) == 1 else f"Watch: {sweep.plan.prompts[task.prompt].title}"
            if st.button(plain(label), key=f"watch-{each.task}", icon=":material/visibility:"):
                _watch(sweep, task)
        live = kept.driver().standing(sweep.name)
        label = (
            "Measure it"
            if cell is None or cell.how != MEASURED or not (cell.line and cell.line.trusted)
            else "Measure again"
        )
        if cell is None or cell.line is not None:
            st.button(
                label,
                key="cell-measure",
                icon=":material/timer:",
                help="Run it for real: warm, alone, in turn with plain decoding.",
                on_click=measure,
                args=(sweep.name, tuple(task.index for task in runs)),
                disabled=live is not None,
            )


def _watch(sweep: Sweep, task: Task) -> None:
    """Put the recording of a run on the stage of Watch."""

    def recording() -> bytes:
        found = kept.store().recording(sweep.name, task.index)
        if found is None:
            raise InputError("This run has no recording: measure it again.")
        return found.encode()

    running.watch(recording, f"the sweep “{sweep.name}”: {title(sweep.plan, task)}")


def measure(name: str, runs: tuple[int, ...]) -> None:
    """Measure these runs of a sweep for real."""
    try:
        kept.driver().begin(name, runs, visitor=visitor.name())
    except SpecvizError as error:
        session.set_problem(str(error))


def _ledger(sweep: Sweep, at: tuple[str, ...], found: list[Found]) -> None:
    """Where the speedup goes: of the cell, or the mean of all."""
    known = charts.mean_ledger(found)
    if known is None:
        if found:
            st.caption(
                "Where the speedup goes is drawn for measured runs that are trusted: calculated ones have no times of their own."
            )
        return
    count, steps = known
    of = words(at, sweep) if at else f"mean of {count} runs"
    alt = (
        f"{steps.tokens_per_pass:.2f} tokens per pass, less {steps.drafting:.2f} for drafting, {steps.verification:.2f} for verification "
        f"and {steps.overhead:.2f} for the rest, leave a speedup of {steps.speedup:.2f}."
    )
    pictures.draw(charts.waterfall(of, steps), f"ledger-{sweep.name}", alt, height=_LEDGER_PX)
    runs = "one measured run" if count == 1 else f"{count} measured runs, their mean"
    st.caption(f"From the recorded times of {runs}. Without any cost the speedup would be the tokens per pass.")
