"""The runs of the visit as a table: its columns, what each means, and whether the runs can be compared."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from app.stage.visit import VisitRun
from specviz.reporting.player import wording
from specviz.reporting.player.provenance import untrusted
from specviz.reporting.run_figures import Same
from specviz.setting_labels import LOSSY

UNLIKE = 1.5
"""Plain rates of one target that differ by more than this factor: the machine was not equally free, and its seconds are not alike."""

_TEXT = {
    Same.SAME: "same",
    Same.DIFFERS: "differs",
    Same.CUT: "same so far",
    Same.RANDOM: "random",
    Same.LOSSY: LOSSY,
    Same.UNKNOWN: "–",
}


def races(runs: list[VisitRun]) -> dict[str, list[Any]]:
    """One row per run, in their order."""
    rows = [(run, run.figures) for run in runs if run.figures is not None]
    return {
        "Run": [run.number for run, _ in rows],
        "Prompt": [" ".join(run.prompt.split())[:200] for run, _ in rows],
        "Drafter": [_drafter(run) for run, _ in rows],
        "k": [run.settings.k for run, _ in rows],
        "Temperature": [run.settings.temperature for run, _ in rows],
        "Acceptance": [
            None if figures.acceptance_rate is None else 100 * figures.acceptance_rate for _, figures in rows
        ],
        "Speedup": [figures.speedup if figures.trusted else None for _, figures in rows],
        "Tokens a second": [figures.rate for _, figures in rows],
        "Plain tokens a second": [figures.plain_rate for _, figures in rows],
        "Passes saved": [f"{max(0, figures.tokens - figures.passes)} of {figures.tokens}" for _, figures in rows],
        "Same text?": [_TEXT[figures.text.same] for _, figures in rows],
    }


def _drafter(run: VisitRun) -> str:
    """The drafter by its name, also the usual one, then the pair."""
    words, label = wording.drafter(run.pair, run.settings), wording.label(run.settings.drafter)
    name = words if words.startswith(label) else f"{label}, {words}"
    return " · ".join([name, *wording.extras(run.settings)])


def compared(first: VisitRun, second: VisitRun) -> str:
    """Two runs in a sentence or two: the tokens per pass of each, and which was faster, where their times can be compared."""
    per_pass = [
        f"run {run.number} wrote {figures.tokens} tokens in {figures.passes} passes, {figures.tokens / max(1, figures.passes):.2f} a pass"
        for run in (first, second)
        if (figures := run.figures) is not None
    ]
    sentence = f"{'; '.join(per_pass)}."
    return f"{sentence[0].upper()}{sentence[1:]} {_faster(first, second)}"


def _faster(first: VisitRun, second: VisitRun) -> str:
    if first.prompt != second.prompt:
        return "They continue different prompts, so that their times cannot be compared."
    for run in (first, second):
        if why := untrusted(run.figures):
            return f"Which was faster is not known: of run {run.number}, {why}."
    if unlike([first, second]) or None in (
        rates := [run.figures.rate if run.figures else None for run in (first, second)]
    ):
        return "Which was faster is not known: they were not timed under the same conditions."
    slow, fast = sorted(((rate or 0.0, run.number) for rate, run in zip(rates, (first, second), strict=True)))
    if not slow[0] or f"{fast[0] / slow[0]:.2f}" == "1.00":
        return "Both wrote as many tokens a second."
    return f"Run {fast[1]} wrote {fast[0]:.0f} tokens a second and run {slow[1]} {slow[0]:.0f}: {fast[0] / slow[0]:.2f}× as fast."


def unlike(runs: Sequence[VisitRun]) -> str:
    """A warning where plain decoding of one target was much slower beside one of these runs than beside another; "" where it was not."""
    rates: dict[str, list[tuple[float, int]]] = {}
    for run in runs:
        if run.figures is not None and run.figures.plain_rate:
            target = repr((run.pair.name, run.pair.target, run.pair.device, run.figures.dtype))
            rates.setdefault(target, []).append((run.figures.plain_rate, run.number))
    for of_target in rates.values():
        (slow, slow_run), (fast, fast_run) = min(of_target), max(of_target)
        if fast > UNLIKE * slow:
            return (
                f"These runs were not timed under the same conditions: plain decoding of the same target wrote {slow:.0f} tokens a "
                f"second beside run {slow_run} and {fast:.0f} beside run {fast_run}. Do not compare their seconds; run the slower one again."
            )
    return ""


def columns() -> dict[str, Any]:
    """How each column is formatted, and how it was measured."""
    number = st.column_config.NumberColumn
    text = st.column_config.TextColumn
    return {
        "Run": number(width=45),
        "Prompt": text(width=160),
        "Drafter": text(width=140, help="The drafter, the pair, and every setting that is not at its default."),
        "k": number(width=40, help="Tokens drafted per round."),
        "Temperature": number(
            width=95, format="%.1f", help="0: always the most probable token. Higher: drawn at random."
        ),
        "Acceptance": number(format="%.0f%%", width=90, help="Guesses accepted, of those that were checked."),
        "Speedup": number(
            format="%.2f×",
            width=75,
            help="Plain seconds / speculative seconds for the same number of tokens, each measured alone. Where a run was timed "
            "several times, the median pair; of an even number the lower of the two in the middle. Below 1× it is slower than plain. "
            "A dash where the times cannot be trusted: then the mark in the chart is hollow, and has the range.",
        ),
        "Tokens a second": number(format="%.0f", width=120, help="New tokens / seconds on the engine's clock."),
        "Plain tokens a second": number(
            format="%.0f", width=150, help="The same for plain decoding of the same prompt, measured beside this run."
        ),
        "Passes saved": text(width=100, help="Plain decoding needs one pass of the target for every token."),
        "Same text?": text(
            width=95,
            help="Compared with the text of plain decoding, at temperature 0 or with shared noise. LOSSY: the rule does not keep "
            "the target's distribution, so nothing is promised about the text.",
        ),
    }
