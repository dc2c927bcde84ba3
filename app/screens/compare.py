"""Compare: the prompt of the page with every value of one or two settings, each an ordinary run with its own plain run. It lives in the visit."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from app.components.widgets import plain, save_button
from app.screens import settings, shared
from app.server import limits, resources
from app.server.job import Job
from app.server.job_queue import waiting_words
from app.stage.chart import comparison_chart, short_value
from app.stage.comparison import VisitComparison
from app.state import choices, request_form, session
from app.state.page_state import COMPARISON_TABLE, component_value, page_state
from specviz.comparison import planning, results
from specviz.errors import InputError
from specviz.known_pairs import FAMILY
from specviz.request import Request
from specviz.serving import hosting

_NOTHING = "nothing else"
_DEFAULT_VALUES = {
    "k": tuple("12345678"),
    "draft": tuple(FAMILY),
    "temperature": ("0", "0.7", "1"),
    "kind": ("letters", "code", "verse"),
}
"""The values that are marked first; of the drafters those that the page offers first."""
_SIZE = "{runs} beside its own plain run. All else is as in Models and settings, with drafts of a fixed length."
_MOST_ROWS = 9


def screen() -> None:
    """The screen."""
    shared.sidebar()
    with st.container(key="compare-asks", gap="xsmall"):
        plan, problem = _plan()
        with st.container(key="prompt-box"):
            _prompt_box(runnable=plan is not None)
        with st.container(key="ready-prompts"):
            shared.ready_made()
        first = _axis("Vary", "compare-first", [*planning.AXES], "k")
        _axis("and", "compare-second", [_NOTHING, *(axis for axis in planning.AXES if axis != first)], _NOTHING)
        with st.container(key="compare-size"):
            st.caption(plain(problem) if plan is None else _SIZE.format(runs=_runs(len(plan.cells))))
    with st.container():
        shared.problem()
    comparison = page_state().comparison
    st.fragment(run_every=1.0 if comparison is not None and comparison.live else None)(_results)()
    session.write_address()


def _runs(count: int) -> str:
    return "1 run," if count == 1 else f"{count} runs, each"


# ------------------------------------------------------------------ what is compared


def _prompt_box(*, runnable: bool) -> None:
    comparison = page_state().comparison
    box, buttons = st.columns([6, 2.5], vertical_alignment="top", gap="small")
    with box:
        shared.prompt_text()
    with buttons, st.container(horizontal=True, gap="xsmall"):
        icons, live = (":material/compare_arrows:", ":material/stop:"), comparison is not None and comparison.live
        st.button(
            "Compare",
            key="compare",
            type="primary",
            icon=icons[0],
            on_click=_begin,
            disabled=not runnable,
            width="stretch",
        )
        st.button("Stop", key="stop-compare", icon=icons[1], on_click=_stop, disabled=not live, width="stretch")


def _axis(name: str, key: str, axes: list[str], default: str) -> str:
    """A setting that varies, and its values."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=key):
        label_of = lambda axis: f"{name} {planning.AXES.get(axis, axis)}"  # noqa: E731
        axis = settings.picker(name, axes, key, default, label_of, label_visibility="collapsed", width=200) or default
        if axis != _NOTHING:
            offered = _offered(axis)
            default_values = [value for value in _default_values(axis) if value in offered]
            choices.show(f"compare-{axis}", default_values, lambda now, **bound: st.pills(
                planning.AXES[axis], offered, selection_mode="multi", default=[value for value in now if value in offered],
                format_func=partial(short_value, axis), label_visibility="collapsed", width="stretch", **bound,
            ))  # fmt: skip
    return axis


def _default_values(axis: str) -> Sequence[str]:
    return request_form.usual_drafters()[1:] if axis == "drafter" else _DEFAULT_VALUES[axis]


def _offered(axis: str) -> list[str]:
    """The values that this visitor can choose."""
    pair = request_form.chosen_pair()
    values = planning.axis_values(
        axis, Request(pair, request_form.prompt(), request_form.default_settings()), request_form.drafters()[1:]
    )
    if axis != "draft" or pair.name not in FAMILY:
        return [*values]
    return [name for name in values if not limits.refused_models(hosting.current(), replace(pair, name=name))]


def _plan() -> tuple[planning.ComparisonPlan | None, str]:
    """The runs that the page asks for; else why there are none, in a sentence."""
    chosen: dict[str, Sequence[str]] = {}
    for key, usual in (("compare-first", "k"), ("compare-second", _NOTHING)):
        axis = choices.value(key, usual)
        if axis in planning.AXES:
            offered, marked = _offered(axis), choices.value(f"compare-{axis}", [*_default_values(axis)])
            chosen[axis] = [value for value in offered if value in marked]
            if not chosen[axis]:
                return None, f"No {planning.AXES[axis]} is marked: mark one or more."
    try:
        base = replace(request_form.request(), settings=request_form.explicit())
        return planning.plan_of(base, chosen, draft=request_form.has_draft(), heads=request_form.heads()), ""
    except InputError as error:
        return None, str(error)


def _begin() -> None:
    """Begin what the page asks for; a comparison of the same runs that was stopped goes on."""
    plan, _ = _plan()
    if plan is None or shared.requested_run() is None:
        return
    comparison = page_state().comparison
    if comparison is None or comparison.plan != plan or not comparison.stopped:
        _stop()
        comparison = page_state().comparison = VisitComparison(plan)
    comparison.resume()


def _stop() -> None:
    comparison = page_state().comparison
    if comparison is not None and comparison.live:
        comparison.stop(resources.jobs().cancel)


# ------------------------------------------------------------------ what was measured


def _results() -> None:
    """The chart, its conclusion and the table, rendered again every second while runs come in."""
    comparison = page_state().comparison
    was_live = comparison is not None and comparison.live
    if comparison is not None:
        comparison.advance(session.request_run)
    table = results.example() if comparison is None else comparison.table()
    with st.container(key="compare-status"):
        _status(comparison, table)
    with st.container(key="compare-heard"):
        st.markdown(plain(_heard(comparison, table)))
    none_trusted = len(table.rows) == table.cells and not any(row.speedup for row in table.rows)
    default = "tokens_per_pass" if none_trusted else "speedup"
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="compare-figure-row"):
        figure = choices.show("compare-figure", default, lambda chosen, **bound: st.segmented_control(
            "Figure", [*results.FIGURES], default=chosen, required=True, format_func=results.FIGURES.__getitem__,
            label_visibility="collapsed", **bound,
        ))  # fmt: skip
        st.space("stretch")
        marked = (component_value(COMPARISON_TABLE, "selection") or {}).get("rows", [])
        job = (
            None if comparison is None or not marked or marked[0] not in comparison.rows else comparison.jobs[marked[0]]
        )
        recorded, icon = job is not None and job.recording is not None, ":material/visibility:"
        st.button(
            "Open on Watch",
            key="compare-open",
            icon=icon,
            disabled=not recorded,
            help="Mark a row of the table first.",
            on_click=_open,
            args=(job,),
        )
        for name, made in (("CSV", results.as_csv), ("JSON", results.as_json)):
            save_button(name, made(table), f"comparison.{name.lower()}", "download", key=f"compare-{name.lower()}")
    with st.container(key=f"compare-says-{len(table.varied)}"):
        st.markdown(plain(results.conclusion(table, figure)))
    st.plotly_chart(comparison_chart(table, figure), key="compare-chart", config={"displayModeBar": False})
    _table(comparison, table)
    if page_state().to_watch:
        page_state().to_watch = False
        st.switch_page(page_state().screens[session.WATCH])
    if was_live and comparison is not None and not comparison.live:
        st.rerun()


def _status(comparison: VisitComparison | None, table: results.Comparison) -> None:
    """How far it is, or where it was measured."""
    if comparison is None:
        st.caption(f"An example: {plain(table.about)}.")
    elif not comparison.live:
        stopped = "Stopped: Compare goes on with the rest. " if comparison.stopped else ""
        prompts = {cell.request.prompt for cell in comparison.plan.cells}
        prompt = f" “{' '.join(next(iter(prompts)).split())[:70]}”" if len(prompts) == 1 else ""
        st.caption(plain(f"{stopped}{table.about}.{prompt}"))
    elif (job := comparison.current) is not None:
        state = resources.jobs().state(job)
        position = state["queue_position"]
        doing = waiting_words(position, state["wait_s"]) if position else state["what"] or state["status"]
        index = next(index for index, requested in comparison.jobs.items() if requested is job)
        at = " with ".join(
            results.label(axis, comparison.plan.cells[index].at[axis]) for axis in comparison.plan.varied
        )
        st.progress(
            len(comparison.rows) / table.cells, plain(f"Run {len(comparison.rows) + 1} of {table.cells}, {at}: {doing}")
        )


def _heard(comparison: VisitComparison | None, table: results.Comparison) -> str:
    """What is only heard: that it began, and how it ended."""
    if comparison is None:
        return "An example"
    if comparison.live:
        return f"Comparing: {_runs(table.cells).split(',')[0]}"
    return f"{'Stopped' if comparison.stopped else 'Done'}: {results.conclusion(table, 'speedup')}"


def _table(comparison: VisitComparison | None, table: results.Comparison) -> None:
    """Every cell as a row, from the beginning."""
    rows = list(table.rows)
    if comparison is not None:
        cells = enumerate(comparison.plan.cells)
        rows = [
            comparison.rows.get(index) or results.ComparisonRow(dict(cell.at), why="not measured yet")
            for index, cell in cells
        ]
    st.dataframe(
        results.table_of(replace(table, rows=tuple(rows))),
        key=COMPARISON_TABLE,
        hide_index=True,
        selection_mode="single-row",
        on_select="rerun",
        height=38 + 35 * min(len(rows), _MOST_ROWS),
    )


def _open(job: Job) -> None:
    """Put the cell's own run on the stage of Watch."""
    session.set_job(job, own=True)
    choices.put(request_form.PROMPT, job.request.prompt)
    page_state().to_watch = True
