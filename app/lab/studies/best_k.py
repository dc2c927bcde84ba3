"""Best k: the draft length that pays most for this prompt, these models and this machine."""

from dataclasses import replace
from functools import partial

import streamlit as st

from app import pairs, request_form, run_description, widget_state
from app.lab import pictures
from app.lab.studies import figures, running
from app.screens import shared
from app.text import plain
from specviz.decoding.drafters import registry
from specviz.errors import InputError
from specviz.lab.plan import MOST_REPEATS
from specviz.lab.rows import MeasuredRow
from specviz.lab.study import USUAL_LENGTHS, BestK, BestKAsked, lengths_of
from specviz.model_choice import chosen_models
from specviz.reporting.prompts import ReadyPrompt
from specviz.settings import RANGES, check_prompt
from specviz.trace.conditions import reason

_LENGTHS, _TOKENS, _REPEATS = "_study_k_lengths", "_study_k_tokens", "_study_k_repeats"
_USUAL = ",".join(map(str, USUAL_LENGTHS))
_TITLE = 40
_CHART_PX = 360


def section() -> None:
    """The section."""
    st.markdown("**Which draft length pays most for this prompt, with these models, on this machine?**")
    with st.container(key="prompt-box"):
        shared.prompt_text()
    running.bar(running.BEST_K, "Find the best k", asked, numbers=_numbers)
    found = running.result(running.BEST_K)
    if found is not None and isinstance(found.found, BestK) and isinstance(found.asked, BestKAsked):
        _show(found, found.found, found.asked)


def _numbers() -> None:
    low, high = RANGES["max_new_tokens"].offered
    widget_state.show(_LENGTHS, _USUAL, partial(st.text_input, "Draft lengths", width=220))
    running.number(_TOKENS, 64, "New tokens", max(2, int(low)), int(high))
    meaning = "Pairs of timed runs of each length: one with drafting, one without, in turn."
    running.number(_REPEATS, 3, "Repeats", 1, MOST_REPEATS, meaning)


def asked() -> BestKAsked:
    """What the section asks for.

    Raises:
        InputError: it cannot be.
    """
    text, pair = request_form.prompt(), request_form.pair_asked()
    check_prompt(text)
    known = next((ready for ready in pairs.ready() if ready.text == text), None)
    settings = replace(request_form.explicit(), max_new_tokens=widget_state.value(_TOKENS, 64))
    draft = chosen_models(pair.name, pair.target, pair.draft).draft is not None
    if refusal := registry.refusal(
        settings.drafter, pair.name or pair.target or "", draft=draft, heads=request_form.heads()
    ):
        raise InputError(refusal)
    registry.check(settings)
    ready = known or ReadyPrompt(" ".join(text.split())[:_TITLE], "own", text)
    lengths, repeats = lengths_of(widget_state.value(_LENGTHS, _USUAL)), widget_state.value(_REPEATS, 3)
    return BestKAsked(ready, settings, lengths, repeats, request_form.template())


def _show(result: running.Result, best: BestK, wanted: BestKAsked) -> None:
    st.markdown(f"#### {plain(headline(best))}")
    if further := more(best):
        st.markdown(plain(further))
    rows = [*best.measured.values(), *filter(None, [best.cost_aware])]
    drawn = any(row.trusted for row in rows) or bool(best.predicted and _priced_well(best))
    if drawn:
        pictures.draw(figures.best_k(best), "best-k-chart", headline(best), height=_CHART_PX)
    said_settings = [each for each in run_description.settings(wanted.settings) if not each.startswith("draft length")]
    running.caption(
        f"MeasuredRow: every k {running.times(wanted.repeats)}, warm, alone and in turn with plain decoding; a bar goes from the lowest to the highest",
        f"Predicted: {best.how}" if best.how and _priced_well(best) else "",
        "" if _priced_well(best) else "busy: the costs of passes were disturbed, so there is no prediction",
        f"Prompt: {wanted.prompt.title}",
        running.models_said(result),
        *said_settings,
        best.machine,
    )
    with st.expander("Every k in figures", expanded=not drawn):
        st.dataframe([_row(best, k) for k in sorted({*best.predicted, *best.measured})], hide_index=True)


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
        words.append(f"The cost-aware policy, which chooses its own lengths: {_figure(best.cost_aware)}.")
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
