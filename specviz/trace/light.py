"""A round as a viewer sees it while the run is live: without the alternatives beside each token, and with fewer digits."""

from dataclasses import replace

from specviz.trace.records import NO_TOP, Round

_DIGITS = 4
"""Significant digits of a probability in a light round."""
_HIGHEST_DRAW = 1 - 10**-_DIGITS
"""A draw is less than 1, also when it is rounded."""


def light(round_: Round) -> Round:
    """A round for a viewer while the run is live: without alternatives, probabilities to 4 digits, times to the microsecond."""
    closing = round_.closing and replace(round_.closing, draw=_draw(round_.closing.draw), residual_top=NO_TOP)
    drafted = tuple(
        replace(
            d,
            draft_prob=_short(d.draft_prob),
            target_prob=_short(d.target_prob),
            draw=_draw(d.draw),
            confidence=None if d.confidence is None else _short(d.confidence),
            draft_top=NO_TOP,
            target_top=NO_TOP,
        )
        for d in round_.drafted
    )
    began, ended = _microseconds(round_.began_s), _microseconds(round_.ended_s)
    draft = min(_microseconds(round_.draft_s), ended - began)  # rounding must not make the parts longer than the whole
    verify = min(_microseconds(round_.verify_s), ended - began - draft)
    return replace(
        round_,
        drafted=drafted,
        closing=closing,
        began_s=began / 1e6,
        draft_s=draft / 1e6,
        verify_s=verify / 1e6,
        ended_s=ended / 1e6,
    )


def _microseconds(seconds: float) -> int:
    return round(seconds * 1e6)


def _short(probability: float) -> float:
    return float(f"{probability:.{_DIGITS}g}")


def _draw(number: float | None) -> float | None:
    return None if number is None else min(_short(number), _HIGHEST_DRAW)
