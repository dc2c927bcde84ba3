"""Sentences on how a figure was measured, and on whether a text is the plain one."""

from typing import Any

from specviz.reporting.player import wording
from specviz.reporting.run_figures import Figures, Same, TextCheck
from specviz.settings import Settings
from specviz.trace.conditions import beyond, grounds, most_words, reason, verdict
from specviz.trace.metrics import middle_words
from specviz.words import Decimal, Sentence, for_page, in_row

_ONCE = Sentence(
    "Timed once, the speculative run first: a longer run is not repeated, because others may wait for the engine."
)


def spread(figures: Figures | None) -> str:
    """How many times a lane was timed, and what disturbed it. Short runs are timed again, and the median is shown."""
    if figures is None:
        return ""
    disturbed = grounds(figures.conditions) if figures.conditions is not None else ""
    if not disturbed and figures.most is not None and not figures.possible:
        disturbed = most_words(figures.most)
    parts = [_timings(figures), disturbed]
    if figures.doubtful_plain is not None:
        parts += [
            Sentence("It is compared with the plain run of another lane, whose times are not trusted."),
            Sentence("Of that run: {grounds}", grounds=spread(figures.doubtful_plain)),
        ]
    return in_row(parts)


def _timings(figures: Figures) -> str:
    if figures.timed < 2:
        return "" if figures.conditions is None else _ONCE
    if not figures.speedups:
        return Sentence("Timed {times} times: this is the run of the median time.", times=figures.timed)
    return Sentence(
        "Timed {times} times, in turn with plain decoding, which starts every other time. Shown is {shown}; the speedups ranged from "
        "{low}× to {high}×.",
        times=figures.timed,
        shown=middle_words(figures.timed),
        low=Decimal(min(figures.speedups), 2),
        high=Decimal(max(figures.speedups), 2),
    )


def busy(figures: Figures | None) -> str:
    """The words in place of a speedup that is not trusted; "" where it is. Every number in them is of this very run."""
    if figures is None or figures.trusted:
        return ""
    if figures.conditions is not None and not figures.conditions.trusted and figures.conditions.compared:
        return verdict(figures.conditions)
    why = untrusted(figures) or (
        Sentence("plain decoding's times are not trusted")
        if figures.possible or figures.most is None
        else beyond(figures.most)
    )
    if figures.speedup is None:
        return why
    speedup = Decimal(figures.speedup, 2)
    about = Sentence("about {speedup}×", speedup=speedup)
    return in_row((why, about if figures.possible else Sentence("{speedup}×", speedup=speedup)), ": ")


def untrusted(figures: Figures | None) -> str:
    """Why the times of a run that is not compared with plain decoding are not trusted; "" where they are. It has no speedup to give."""
    if figures is None or figures.conditions is None:
        return ""
    return reason(figures.conditions)


def badge(figures: Figures | None, settings: Settings) -> dict[str, Any] | None:
    """Agreement of the text with the plain one: a kind, a few words, and how that is known. A lossy rule is always labelled."""
    if words := wording.rule(settings):
        return {"kind": Same.LOSSY.value, "text": for_page(words), "how": _LOSSY}
    if figures is None or figures.text.same is Same.UNKNOWN:
        return None
    text, how = agreement(figures.text, figures.dtype, settings)
    return {"kind": figures.text.same.value, "text": for_page(text), "how": for_page(how)}


def agreement(check: TextCheck, dtype: str, settings: Settings) -> tuple[str, str]:
    """The agreement of a text with the plain one, which is there, in a few words; and how that is known."""
    return (
        (wording.rule(settings), _LOSSY)
        if settings.lossy
        else (_verdict(check, settings), _grounds(check, dtype, settings))
    )


_LOSSY = Sentence(
    "This rule accepts more than the exact rule and does not keep the target's distribution: the lane is faster because it "
    "writes another text, not because it writes the same text sooner. Nothing is promised about the text."
)


def _verdict(check: TextCheck, settings: Settings) -> str:
    match check.same:
        case Same.SAME:
            return Sentence("same text as plain")
        case Same.CUT:
            return Sentence("same text as plain for {compared} tokens", compared=check.compared)
        case Same.RANDOM:
            return Sentence("temperature {temperature}: texts may differ", temperature=_temperature(settings))
    token = check.index + 1
    if check.gap is None:
        return Sentence("differs from plain at token {token}", token=token)
    return Sentence("differs from plain at token {token}, gap {gap}", token=token, gap=f"{check.gap:.2g}")


def _temperature(settings: Settings) -> Decimal:
    """The temperature with as many digits as it has."""
    return Decimal(settings.temperature, len(f"{settings.temperature:g}".partition(".")[2]))


def _grounds(check: TextCheck, dtype: str, settings: Settings) -> str:
    warm = _temperature(settings)
    noise = Sentence("Temperature {temperature} with shared noise", temperature=warm)
    where = noise if wording.noise(settings) else Sentence("Temperature 0")
    match check.same:
        case Same.SAME | Same.CUT:
            cut = Sentence("One of the two runs was stopped: they agree as far as both go.")
            agree = Sentence(
                "{where}, {dtype}: the text was compared with the plain text token by token, and all {compared} agree.",
                where=where,
                dtype=dtype,
                compared=check.compared,
            )
            return in_row((agree, cut if check.same is Same.CUT else ""))
        case Same.RANDOM:
            return Sentence(
                "At temperature {temperature} every token is drawn at random, and the two lanes use different random numbers: they follow "
                "the same distribution, but need not write the same text.",
                temperature=warm,
            )
    wrote = Sentence(
        "At token {token} plain decoding wrote “{plain}”, this lane “{own}”.",
        token=check.index + 1,
        plain=check.plain,
        own=check.speculative,
    )
    gap = "" if check.gap is None else f"{check.gap:.2g}"
    differ = Sentence("The target's two best logits differ by {gap} there:", gap=gap)
    rounds = Sentence(
        "{dtype} rounds a single token differently from a batch of tokens, so a tiny gap is a tie; a large one would be a bug.",
        dtype=dtype,
    )
    return in_row((wrote, differ if gap else "", rounds))
