"""How a figure came about, and whether a text is the plain one, in words for those who ask. Makes no Streamlit call."""

from collections.abc import Iterable, Mapping
from typing import Any

from app import drafting
from app.visit import Agreement, Figures, VisitRun


def spread(figures: Figures | None) -> str:
    """How often a lane was timed; short runs are timed again, and the median is shown."""
    if figures is None or figures.timed < 2:
        return ""
    if not figures.speedups:
        return f"Timed {figures.timed} times: this is the run of the median time."
    low, high = min(figures.speedups), max(figures.speedups)
    return (
        f"Timed {figures.timed} times, in turn with plain decoding: shown are the two runs of the median pair; "
        f"the speedups went from {low:.2f} to {high:.2f}."
    )


def badge(figures: Figures | None, settings: Mapping[str, Any]) -> dict[str, Any] | None:
    """Whether the text is the plain one: a kind, a few words, and how that is known. A lossy rule is said at any time."""
    if words := drafting.rule(settings):
        return {"kind": "lossy", "text": words, "how": _LOSSY}
    if figures is None or figures.agreement.kind == "unknown":
        return None
    agreement = figures.agreement
    return {
        "kind": agreement.kind,
        "text": _verdict(agreement, settings["temperature"]),
        "how": _grounds(figures, settings),
    }


_LOSSY = (
    "This rule accepts more than the exact one and gives up the target's distribution: the lane is quicker by writing "
    "another text, not the same one sooner. No promise is made about what it writes."
)


def _verdict(agreement: Agreement, temperature: float) -> str:
    match agreement.kind:
        case "same":
            return "same text as plain"
        case "cut":
            return f"same text as plain for {agreement.compared} tokens"
        case "chance":
            return f"temperature {temperature:g}: texts may differ"
    gap = "" if agreement.gap is None else f", gap {agreement.gap:.2g}"
    return f"parts from plain at token {agreement.index + 1}{gap}"


def _grounds(figures: Figures, settings: Mapping[str, Any]) -> str:
    temperature = settings["temperature"]
    where = f"Temperature {temperature:g} with shared noise" if drafting.noise(settings) else "Temperature 0"
    agreement = figures.agreement
    match agreement.kind:
        case "same" | "cut":
            part = " One of the two was stopped: they agree as far as both go." if agreement.kind == "cut" else ""
            return (
                f"{where}, {figures.dtype}: the text was compared with the plain one token for token, "
                f"and all {agreement.compared} agree.{part}"
            )
        case "chance":
            return (
                f"At temperature {temperature:g} every token is drawn by chance, and the two lanes draw differently: "
                "they follow the same distribution, and need not write the same text."
            )
    gap = "" if agreement.gap is None else f" The target's two best logits lie {agreement.gap:.2g} apart there:"
    return (
        f"At token {agreement.index + 1} plain decoding wrote “{agreement.plain}”, this lane “{agreement.speculative}”.{gap} "
        f"{figures.dtype} rounds one token otherwise than several, so a tiny gap is a tie; a large one would be a bug."
    )


def spread_words(runs: Iterable[VisitRun]) -> list[str]:
    """How each run's speedup was measured, for those who point at it."""
    return [spread(run.figures) or "Timed once." for run in runs]
