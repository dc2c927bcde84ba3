"""The visit's runs as a table: plain columns, and what each column means."""

from typing import Any

import streamlit as st

from app import drafting
from app.visit import Figures, VisitRun

_AGREEMENT = {
    "same": "same",
    "parts": "parts",
    "cut": "same so far",
    "chance": "by chance",
    "lossy": drafting.LOSSY,
    "unknown": "–",
}


def races(runs: list[VisitRun]) -> dict[str, list[Any]]:
    """One row a run, in their order."""
    rows = [(run, run.figures) for run in runs if run.figures is not None]
    return {
        "Run": [run.number for run, _ in rows],
        "Prompt": [" ".join(run.prompt.split())[:200] for run, _ in rows],
        "Drafter": [_drafter(run) for run, _ in rows],
        "k": [run.settings["k"] for run, _ in rows],
        "T": [run.settings["temperature"] for run, _ in rows],
        "α": [one.acceptance_rate for _, one in rows],
        "Speedup": [one.speedup for _, one in rows],
        "Tokens/s": [one.rate for _, one in rows],
        "Plain": [one.plain_rate for _, one in rows],
        "Saved": [_saved(one) for _, one in rows],
        "Text": [_AGREEMENT[one.agreement.kind] for _, one in rows],
    }


def _drafter(run: VisitRun) -> str:
    return " · ".join([drafting.drafter(run.pair, run.settings), *drafting.extras(run.settings)])


def _saved(figures: Figures) -> str:
    return f"{max(0, figures.tokens - figures.passes)} of {figures.tokens}"


def columns() -> dict[str, Any]:
    """How each column is written, and how it was measured."""
    number = st.column_config.NumberColumn
    text = st.column_config.TextColumn
    return {
        "Run": number(width=45),
        "Prompt": text(width=170),
        "Drafter": text(width=150, help="Who drafted, with which pair, and what was not as usual."),
        "k": number(width=45, help="Tokens drafted a round."),
        "T": number(width=45, format="%.1f", help="Temperature."),
        "α": number(format="%.2f", width=55, help="Acceptance rate: accepted drafts over drafts that were judged."),
        "Speedup": number(
            format="%.2f×",
            width=72,
            help="Plain seconds over speculative seconds for as many tokens, each measured alone; the median pair where "
            "a run was timed several times. Below 1 it is slower.",
        ),
        "Tokens/s": number(format="%.0f", width=72, help="New tokens over seconds of the engine's clock."),
        "Plain": number(format="%.0f", width=55, help="Tokens a second of plain decoding on the same prompt."),
        "Saved": text(width=75, help="Target passes saved: plain decoding needs one for every token."),
        "Text": text(
            width=80,
            help="Against the text of plain decoding, at temperature 0 or with shared noise. LOSSY: the rule gives up the target's "
            "distribution, so no text is promised.",
        ),
    }
