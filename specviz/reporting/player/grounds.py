"""How a figure was measured, and whether a text is the plain one, in words. Makes no Streamlit call."""

from typing import Any

from specviz.reporting.player import wording
from specviz.reporting.run_figures import Figures, Same, TextCheck
from specviz.settings import Settings
from specviz.trace.conditions import beyond, grounds, most_words, reason, verdict
from specviz.trace.metrics import middle_words

_ONCE = "Timed once, the speculative run first: a longer run is not repeated, because others may wait for the engine."

_DOUBTFUL = "It is compared with the plain run of another lane, whose times are not trusted."


def spread(figures: Figures | None) -> str:
    """How many times a lane was timed, and what disturbed it; short runs are timed again, and the median is shown."""
    if figures is None:
        return ""
    disturbed = grounds(figures.conditions) if figures.conditions is not None else ""
    if not disturbed and figures.most is not None and not figures.possible:
        disturbed = most_words(figures.most)
    if figures.doubtful_plain is not None:
        disturbed = f"{disturbed} {_DOUBTFUL} Of that run: {spread(figures.doubtful_plain)}".strip()
    return f"{_timings(figures)} {disturbed}".strip()


def _timings(figures: Figures) -> str:
    if figures.timed < 2:
        return "" if figures.conditions is None else _ONCE
    if not figures.speedups:
        return f"Timed {figures.timed} times: this is the run of the median time."
    low, high = min(figures.speedups), max(figures.speedups)
    return (
        f"Timed {figures.timed} times, in turn with plain decoding, which starts every other time. Shown is "
        f"{middle_words(figures.timed)}; the speedups ranged from {low:.2f}× to {high:.2f}×."
    )


def busy(figures: Figures | None) -> str:
    """What stands instead of a speedup that is not trusted; "" where it is. Every number in it is of this very run."""
    if figures is None or figures.trusted:
        return ""
    if figures.conditions is not None and not figures.conditions.trusted and figures.conditions.compared:
        return verdict(figures.conditions)
    why = untrusted(figures) or (
        "plain decoding's times are not trusted" if figures.possible or figures.most is None else beyond(figures.most)
    )
    return why if figures.speedup is None else f"{why}: {'about ' if figures.possible else ''}{figures.speedup:.2f}×"


def untrusted(figures: Figures | None) -> str:
    """Why the times of a run that is not compared with plain decoding are not trusted; "" where they are. It has no speedup to give."""
    if figures is None or figures.conditions is None:
        return ""
    return reason(figures.conditions)


def badge(figures: Figures | None, settings: Settings) -> dict[str, Any] | None:
    """Whether the text is the plain one: a kind, a few words, and how that is known. A lossy rule is always labelled."""
    if words := wording.rule(settings):
        return {"kind": Same.LOSSY.value, "text": words, "how": _LOSSY}
    if figures is None or figures.text.same is Same.UNKNOWN:
        return None
    check = figures.text
    return {
        "kind": check.same.value,
        "text": _verdict(check, settings),
        "how": _grounds(check, figures.dtype, settings),
    }


_LOSSY = (
    "This rule accepts more than the exact rule and does not keep the target's distribution: the lane is faster because it "
    "writes another text, not because it writes the same text sooner. Nothing is promised about the text."
)


def _verdict(check: TextCheck, settings: Settings) -> str:
    match check.same:
        case Same.SAME:
            return "same text as plain"
        case Same.CUT:
            return f"same text as plain for {check.compared} tokens"
        case Same.RANDOM:
            return f"temperature {settings.temperature:g}: texts may differ"
    gap = "" if check.gap is None else f", gap {check.gap:.2g}"
    return f"differs from plain at token {check.index + 1}{gap}"


def _grounds(check: TextCheck, dtype: str, settings: Settings) -> str:
    warm = f"Temperature {settings.temperature:g}"
    where = f"{warm} with shared noise" if wording.noise(settings) else "Temperature 0"
    match check.same:
        case Same.SAME | Same.CUT:
            part = " One of the two runs was stopped: they agree as far as both go." if check.same is Same.CUT else ""
            return (
                f"{where}, {dtype}: the text was compared with the plain text token by token, "
                f"and all {check.compared} agree.{part}"
            )
        case Same.RANDOM:
            return (
                f"At temperature {settings.temperature:g} every token is drawn at random, and the two lanes use different "
                "random numbers: they follow the same distribution, but need not write the same text."
            )
    gap = "" if check.gap is None else f" The target's two best logits differ by {check.gap:.2g} there:"
    return (
        f"At token {check.index + 1} plain decoding wrote “{check.plain}”, this lane “{check.speculative}”.{gap} "
        f"{dtype} rounds a single token differently from a batch of tokens, so a tiny gap is a tie; a large one would be a bug."
    )
