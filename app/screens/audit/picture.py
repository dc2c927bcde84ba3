"""The picture of an audit as HTML: what was written over the exact p, and the checks as rows. Makes no Streamlit call.

Texts of models go through `html.escape`. Meaning is never in a colour alone: what was written is filled, p is an outline, every state of a
check has a mark and a word.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from html import escape
from itertools import accumulate
from operator import mul
from typing import Final

from specviz.audit.messages import AuditProgress, CheckLine, CheckState, TokenBar
from specviz.audit.records import counted

_WORDS: Final = {
    CheckState.WAITING: ("○", "waiting"),
    CheckState.RUNNING: ("▶", "running"),
    CheckState.STOPPED: ("■", "stopped"),
    CheckState.PASSED: ("✓", "nothing found"),
    CheckState.CAUGHT: ("✕", "caught"),
    CheckState.FAILED: ("✕", "caught: the decoder failed"),
    CheckState.NOT_APPLICABLE: ("–", "cannot be checked here"),
}
_TAIL, _Z = 0.005, 2.576
"""99 of 100 honest decoders end within the bracket; the same as a quantile of the normal distribution."""
_NORMAL = 25.0  # from this variance on, the binomial distribution is replaced by the normal one
_ROOM, _FEW = 1.5, 20
_OTHERS = "all others"


def histogram(report: AuditProgress) -> str:
    """The written tokens, filled, over the exact p, an outline; with the range in which honest decoders end."""
    bars, runs = [bar for bar in report.bars if bar.p > 1e-9 or bar.count], report.runs
    ranges, widest = [bracket(bar.p, runs) for bar in bars], _widest(bars, runs)
    rows = "".join(_row(bar, runs, between, widest) for bar, between in zip(bars, ranges, strict=True))
    broken = " audit-bug" if report.mark else ""
    return (
        f'<div class="audit-picture{broken}">{mark(report.mark)}<table class="audit-bars"><thead><tr><th scope="col">first token</th>'
        f'<th scope="col"></th><th scope="col">written</th><th scope="col">exact p</th></tr></thead><tbody>{rows}</tbody></table>'
        '<div class="audit-key"><span><i><b class="audit-written"></b></i>what speculation wrote</span>'
        '<span><i><b class="audit-p"></b></i>the target’s exact p</span>'
        '<span><i><b class="audit-range"></b></i>99 of 100 honest decoders end here (calculated)</span></div></div>'
    )


def _widest(bars: Sequence[TokenBar], runs: int) -> float:
    """The share at the right end: the outlines of p stay where they are while the counts grow. Very few runs may write beyond it."""
    shares = [bar.count / runs for bar in bars] if runs >= _FEW else []
    return min(1.0, max([0.01, *(_ROOM * bar.p for bar in bars), *shares]))


def mark(text: str) -> str:
    """The mark of an exhibit or of a lossy rule; an empty part where there is none."""
    return f'<div class="audit-mark">{escape(text)}</div>' if text else "<span></span>"


def _row(bar: TokenBar, runs: int, between: tuple[float, float], widest: float) -> str:
    text, share = escape(_OTHERS if bar.text is None else bar.text), bar.count / runs
    low, high = (min(100.0, 100 * end / widest) for end in between)
    return (
        f'<tr><th scope="row">{text}</th><td class="track"><div class="audit-track">'
        f'<div class="audit-written" style="width:{min(100.0, 100 * share / widest):.3f}%"></div><div class="audit-p" style="width:{100 * bar.p / widest:.3f}%"></div>'
        f'<div class="audit-range" style="left:{low:.3f}%;width:{max(0.3, high - low):.3f}%"></div></div></td>'
        f"<td>{share:.1%}</td><td>{bar.p:.1%}</td></tr>"
    )


def bracket(p: float, runs: int) -> tuple[float, float]:
    """The shares between which 99 of 100 honest decoders end after so many runs, for a token of probability p: quantiles of the binomial
    distribution."""
    if p > 0.5:
        low, high = bracket(1 - p, runs)
        return 1 - high, 1 - low
    if runs * p * (1 - p) > _NORMAL:
        half = _Z * math.sqrt(p * (1 - p) / runs)
        return max(0.0, p - half), min(1.0, p + half)
    ratios = ((runs - count) / (count + 1) * p / (1 - p) for count in range(runs))
    sums = [
        *accumulate(accumulate(ratios, mul, initial=(1 - p) ** runs))
    ]  # of the probabilities of 0, 1, 2 ... of these tokens
    return bisect_right(sums, _TAIL) / runs, min(runs, bisect_left(sums, 1 - _TAIL)) / runs


def checks(lines: Sequence[CheckLine], catches: dict[str, str]) -> str:
    """The checks as rows: name, mark and word of the state, the sentence; before it begins, what it can catch."""
    return f'<ul class="audit-checks">{"".join(_check(line, catches[line.check]) for line in lines)}</ul>'


def _check(line: CheckLine, catches: str) -> str:
    sign, word = _WORDS[line.state]
    share = 100 * line.done / line.total if line.total else 0.0
    done = (
        f'<div class="audit-done"><div style="width:{share:.1f}%"></div></div>'
        if line.state is CheckState.RUNNING
        else ""
    )
    more = f"<details><summary>What it can catch</summary>{escape(catches)}</details>" if line.sentence else ""
    kind = line.state.value.replace(" ", "-")
    return (
        f'<li class="{kind}"><div class="head"><span>{escape(line.check[0].upper() + line.check[1:])}</span>'
        f'<span class="word">{sign} {word}</span></div><p>{escape(line.sentence or catches)}</p>{more}{done}</li>'
    )


def verdict(report: AuditProgress) -> str:
    """The audit in one sentence."""
    if report.caught:
        caught = [
            f"{line.check} after {counted(line.check, line.done)}" if line.done else line.check
            for line in report.lines
            if line.caught
        ]
        return f"Caught by {' and by '.join(caught)}."
    running = next((line.check for line in report.lines if line.state is CheckState.RUNNING), None)
    if running is not None:
        return f"Auditing: {running}. Nothing found so far."
    if report.stopped:
        return "Stopped. Nothing was found so far."
    if report.over and report.mark:
        return "Nothing found with so few runs. Its text is not the target’s all the same: ask for more."
    if report.over and any(line.state is CheckState.PASSED for line in report.lines):
        return "Nothing found: as far as these checks can see, the text is the target’s own."
    return "Nothing could be checked." if report.over else "The audit begins."


def power(report: AuditProgress) -> str:
    """The biases that the audit would have found, in a sentence; "" where they were not calculated."""
    sure = [bias_power for bias_power in report.power if bias_power.probability > 0]
    if not report.power:
        return ""
    biases = [f"{bias_power.bias:.0%} in {100 * bias_power.probability:.0f}" for bias_power in sure]
    runs = report.power[0].samples
    if not biases:
        return f"With {runs} runs this audit would have found no bias of {report.power[-1].bias:.0%} of the first tokens or less: ask for more runs."
    return f"With {runs} runs this audit would have found a bias of {', of '.join(biases)} of 100 audits."
