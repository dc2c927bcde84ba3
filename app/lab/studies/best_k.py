"""Best k: the draft length that pays most for this prompt, these models and this machine."""

from functools import partial

import streamlit as st

from app import request_form, run_description, widget_state
from app.lab import answer, inputs, pictures, running
from app.lab.studies import figures
from app.screens import shared
from app.text import plain
from specviz.lab.best_k import USUAL_LENGTHS, BestK, found, lengths_of, requests
from specviz.lab.plan import MOST_REPEATS, SweepPlan
from specviz.lab.rows import MeasuredRow
from specviz.lab.study import Asked, RunAsked
from specviz.trace.conditions import reason

_LENGTHS, _TOKENS, _REPEATS = "_study_k_lengths", "_study_k_tokens", "_study_k_repeats"
_USUAL = ",".join(map(str, USUAL_LENGTHS))
_CHART_PX = 360


def section() -> None:
    """The section."""
    st.markdown("**Which draft length pays most for this prompt, with these models, on this machine?**")
    with st.container(key="prompt-box"):
        shared.prompt_text()
    running.bar(running.BEST_K, "Find the best k", asked, numbers=_numbers)
    result = running.result(running.BEST_K)
    if result is not None:
        _show(result, found(result.asked, result.found), next(e.plan for e in result.asked if isinstance(e, RunAsked)))


def _numbers() -> None:
    widget_state.show(_LENGTHS, _USUAL, partial(st.text_input, "Draft lengths", width=220))
    inputs.tokens(_TOKENS)
    meaning = "Pairs of timed runs of each length: one with drafting, one without, in turn."
    inputs.number(_REPEATS, 3, "Repeats", 1, MOST_REPEATS, meaning)


def asked() -> tuple[Asked, ...]:
    """What the section asks for.

    Raises:
        InputError: it cannot be.
    """
    lengths, repeats = lengths_of(widget_state.value(_LENGTHS, _USUAL)), widget_state.value(_REPEATS, 3)
    prompt, settings = inputs.prompt(), inputs.settings(_TOKENS)
    return requests(inputs.models(), prompt, settings, lengths, repeats, template=request_form.template())


def _show(result: running.Result, best: BestK, wanted: SweepPlan) -> None:
    words, every = headline(best), [_row(best, k) for k in sorted({*best.predicted, *best.measured})]
    rows = [*best.measured.values(), *filter(None, [best.cost_aware])]
    drawn = any(row.trusted for row in rows) or bool(best.predicted and _priced_well(best))
    said_settings = [each for each in run_description.settings(wanted.settings) if not each.startswith("draft length")]
    notes = (
        f"Measured: every k {running.times(wanted.repeats)}, warm, alone and in turn with plain decoding; a bar goes from the lowest to the highest",
        f"Predicted: {best.how}" if best.how and _priced_well(best) else "",
        "" if _priced_well(best) else "busy: the costs of passes were disturbed, so there is no prediction",
        f"Prompt: {wanted.prompts[0].title}",
        running.models_said(result),
        *said_settings,
        best.machine,
    )
    answer.show(running.BEST_K, words, every, notes, partial(figures.best_k, best) if drawn else None)
    for further in filter(None, (more(best), *best.left_out)):
        st.markdown(plain(further))
    if drawn:
        pictures.draw(figures.best_k(best), "best-k-chart", words, height=_CHART_PX)
    running.caption(*notes)
    with st.expander("Every k in figures", expanded=not drawn):
        st.dataframe(every, hide_index=True)


def headline(best: BestK) -> str:
    """The answer in one sentence; a figure that other programs disturbed is none."""
    k = best.best_measured
    if k is None:
        busy = next((row for row in best.measured.values() if row.conditions is not None), None)
        if busy is None or busy.conditions is None:
            return "Predicted so far; the measurements follow."
        return (
            f"No answer: {reason(busy.conditions)}. Close other programs and try again; "
            "tokens per pass and α are exact all the same."
        )
    speed = best.measured[k].speedup.median
    predicted = best.predicted.get(k) if _priced_well(best) else None
    also = f", {predicted:.2f}× predicted" if predicted is not None else ""
    if speed >= 1:
        return f"k = {k} pays most here: {speed:.2f}× measured{also}."
    return f"No k pays here: the best, k = {k}, is {speed:.2f}× measured (slower than plain decoding){also}."


def more(best: BestK) -> str:
    """What else is known: another k that the prediction prefers, the cost-aware policy, lengths without a figure."""
    words = []
    k, predicted = best.best_measured, best.best_predicted
    if k is not None and predicted is not None and predicted != k and _priced_well(best):
        words.append(f"The prediction prefers k = {predicted}, with {best.predicted[predicted]:.2f}×.")
    if best.cost_aware is not None:
        words.append(f"The length that follows measured costs, token by token: {_figure(best.cost_aware)}.")
    busy = [str(k) for k, row in best.measured.items() if not row.trusted]
    if busy and k is not None:
        words.append(f"Busy, so without a figure: k = {', '.join(busy)}.")
    return " ".join(words)


def _priced_well(best: BestK) -> bool:
    """Whether the costs of passes behind the prediction can be trusted."""
    return best.costs is None or best.costs.trusted


def _figure(row: MeasuredRow) -> str:
    return f"{row.speedup.median:.2f}×" if row.trusted else "busy, no figure"


def _row(best: BestK, k: int) -> dict[str, object]:
    row, predicted = best.measured.get(k), best.predicted.get(k)
    trusted = row is not None and row.trusted
    return {
        "k": k,
        "predicted": round(predicted, 2) if predicted is not None and _priced_well(best) else None,
        "measured": round(row.speedup.median, 2) if row is not None and trusted else None,
        "lowest to highest": f"{row.speedup.low:.2f}–{row.speedup.high:.2f}" if row is not None and trusted else "",
        "α": round(row.accepted / row.judged, 2) if row is not None and row.judged else None,
        "tokens per pass": round(row.tokens / row.rounds, 2) if row is not None else None,
        "how": "not measured yet" if row is None else "measured" if trusted else "busy: no figure",
    }
