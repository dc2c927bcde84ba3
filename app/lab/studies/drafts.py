"""Drafts: those of one target, and its trained heads. Which one pays is a matter of α against c."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from app import pairs, request_form, widget_state
from app.lab import answer, inputs, pictures, running
from app.lab.studies import figures
from specviz.known_pairs import FAMILY
from specviz.lab import frontier
from specviz.lab.frontier import DraftCandidate, DraftsFound
from specviz.lab.plan import MOST_REPEATS, SweepPlan
from specviz.lab.study import Asked, RunAsked
from specviz.reporting.prompts import chosen_prompts
from specviz.settings import Settings

_EACH, _TOKENS, _REPEATS = "_study_d_prompts", "_study_d_tokens", "_study_d_repeats"
_CHART_PX = 420


def section() -> None:
    """The section."""
    st.markdown("**A draft must be right often, and cheap. Which drafts of this target pay?**")
    if pairs.chosen() not in FAMILY:
        st.info(
            "These models have one draft, and the heads that were trained for them. The built-in tiny model has several drafts.",
            icon=":material/info:",
        )
    kinds = len({ready.category for ready in pairs.ready()})

    def numbers() -> None:
        inputs.number(_EACH, min(3, kinds), "Prompts", 1, kinds, "One of each kind of text, in their order.")
        inputs.tokens(_TOKENS)
        inputs.number(_REPEATS, 2, "Repeats", 1, MOST_REPEATS, "Pairs of timed runs of each draft on each prompt.")

    running.bar(running.DRAFTS, "Compare the drafts", asked, numbers=numbers)
    result = running.result(running.DRAFTS)
    found = None if result is None else frontier.found(result.asked, result.found)
    if result is not None and found is not None:
        _show(result, found, [each.plan for each in result.asked if isinstance(each, RunAsked)])


def asked() -> tuple[Asked, ...]:
    """What the section asks for.

    Raises:
        InputError: it cannot be.
    """
    prompts = chosen_prompts([], pairs.ready())[: widget_state.value(_EACH, 3)]
    settings = replace(inputs.settings(_TOKENS, drafter=False), drafter=Settings().drafter, policy="fixed")
    axis = frontier.axis(request_form.pair_asked().name, request_form.heads())
    repeats, template = widget_state.value(_REPEATS, 2), request_form.template()
    return frontier.requests(SweepPlan(inputs.models(), settings, (axis,), prompts, repeats, template, shortcut=False))


def _show(result: running.Result, found: DraftsFound, wanted: Sequence[SweepPlan]) -> None:
    words, rows = headline(found), [_row(each, priced=found.costs.trusted) for each in found.drafts]
    chart = partial(figures.drafts, found.drafts, found.levels if found.costs.trusted else {})
    notes = (
        f"α and c measured in real runs on {found.prompts} of {len({each.prompts for each in wanted})} prompts, {running.times(wanted[0].repeats)} each at k = {wanted[0].settings.k}",
        "dotted lines: where the best k gives the same speedup, by the papers' formula with the measured costs of the target's passes"
        if found.costs.trusted
        else "busy: the costs of the target's passes were disturbed, so there are no lines of equal speedup and no verdicts",
        running.models_said(result),
        found.machine,
    )
    answer.show(running.DRAFTS, words, rows, notes, chart)
    pictures.draw(chart(), "drafts-chart", words, height=_CHART_PX)
    running.caption(*notes)
    st.dataframe(rows, hide_index=True, placeholder="busy")
    for sentence in found.left_out:
        running.caption(f"Left out: {sentence}")


def headline(found: DraftsFound) -> str:
    """Which draft pays most by measurement; a figure that other programs disturbed is none."""
    known = [(each.measured, each) for each in found.drafts if each.measured is not None]
    if not known:
        return "This machine is busy: no draft has a measured figure. α holds all the same; close other programs and try again."
    speed, best = max(known, key=lambda one: one[0])
    if speed >= 1:
        return f"What pays most: {figures.called(best.name)}, {speed:.2f}× measured, with α = {best.alpha:.2f} and c = {best.c:.2f}."
    return f"No draft pays here: the best, {figures.called(best.name)}, is {speed:.2f}× measured (slower than plain decoding)."


def _row(each: DraftCandidate, *, priced: bool) -> dict[str, object]:
    """A draft in figures; what a busy machine disturbed is left empty.

    Args:
        priced: whether the costs of the target's passes can be trusted.
    """
    calm = each.measured is not None
    return {
        "draft": figures.called(each.name),
        "α": round(each.alpha, 2),
        "c": round(each.c, 3) if calm else None,
        "measured speedup": None if each.measured is None else round(each.measured, 2),
        "verdict": each.verdict if calm and priced else None,
        "best k (formula)": each.best_k if calm and priced else None,
        "speedup at it (formula)": round(each.speedup, 2) if calm and priced else None,
    }
