"""The runs of the visit as a table: its columns, and what each means."""

from typing import Any

import streamlit as st

from app.visit import Figures, Same, VisitRun
from specviz.reporting.player import wording
from specviz.words import LOSSY

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
        "T": [run.settings.temperature for run, _ in rows],
        "α": [one.acceptance_rate for _, one in rows],
        "Speedup": [one.speedup if one.trusted else None for _, one in rows],
        "Tokens/s": [one.rate for _, one in rows],
        "Plain": [one.plain_rate for _, one in rows],
        "Saved": [_saved(one) for _, one in rows],
        "Text": [_TEXT[one.text.same] for _, one in rows],
    }


def _drafter(run: VisitRun) -> str:
    return " · ".join([wording.drafter(run.pair, run.settings), *wording.extras(run.settings)])


def _saved(figures: Figures) -> str:
    return f"{max(0, figures.tokens - figures.passes)} of {figures.tokens}"


def columns() -> dict[str, Any]:
    """How each column is formatted, and how it was measured."""
    number = st.column_config.NumberColumn
    text = st.column_config.TextColumn
    return {
        "Run": number(width=45),
        "Prompt": text(width=170),
        "Drafter": text(width=150, help="The drafter, the pair, and every setting that is not at its default."),
        "k": number(width=45, help="Tokens drafted per round."),
        "T": number(width=45, format="%.1f", help="Temperature."),
        "α": number(format="%.2f", width=55, help="Acceptance rate: accepted drafts over drafts that were judged."),
        "Speedup": number(
            format="%.2f×",
            width=72,
            help="Plain seconds / speculative seconds for the same number of tokens, each measured alone; the median pair where "
            "a run was timed several times. Below 1× it is slower than plain. A dash where the machine was busy: then the mark in the "
            "chart is hollow, and has the range.",
        ),
        "Tokens/s": number(format="%.0f", width=72, help="New tokens / seconds on the engine's clock."),
        "Plain": number(format="%.0f", width=55, help="Tokens per second of plain decoding on the same prompt."),
        "Saved": text(width=75, help="Target passes saved: plain decoding needs one per token."),
        "Text": text(
            width=80,
            help="Compared with the text of plain decoding, at temperature 0 or with shared noise. LOSSY: the rule does not keep "
            "the target's distribution, so nothing is promised about the text.",
        ),
    }
