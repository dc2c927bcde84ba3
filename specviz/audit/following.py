"""An audit that somebody watches: its evidence and findings become reports to the page, a few a second."""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from time import monotonic, perf_counter

from specviz.audit.asked import CHECKS, CheckLine, CheckState, Shown, TokenBar, written
from specviz.audit.records import AuditReport, Evidence, Finding, ScoreEvidence, SequentialEvidence
from specviz.audit.subject import Subject
from specviz.runs.tasks import Work

_APART_S = 0.25
_LARGEST = 20.0
"""Logarithm of the largest wealth that is written as a number."""


class Following:
    """Reports an audit until it ends or is stopped.

    Args:
        text_of: a token's visible text.
        about: what the saved report says beside the findings, by name.
    """

    def __init__(
        self,
        work: Work,
        subject: Subject,
        prompt: str,
        text_of: Callable[[int], str],
        about: dict[str, str],
        mark: str = "",
    ) -> None:
        self._work, self._subject, self._text_of, self._about = work, subject, text_of, about
        self._began, self._reported = perf_counter(), -math.inf
        self._findings: list[Finding] = []
        self._stopped = False
        self._shown = Shown(mark, prompt, tuple(CheckLine(check) for check in CHECKS))

    def follow(self, checks: Sequence[str], found: Iterator[Evidence | Finding]) -> None:
        """Take in these checks, one after the other, to the last finding or to the Stop; nothing where the audit was stopped before."""
        waiting = [] if self._stopped else [*checks]
        while waiting:
            check = waiting.pop(0)
            self._put(CheckLine(check, CheckState.RUNNING))
            self._report(now=True)
            for one in found:
                self._take(one)
                if isinstance(one, Finding):
                    break
                if self._work.stopped():
                    self._stop(check)
                    return

    def _stop(self, check: str) -> None:
        self._stopped = True
        line = next(line for line in self._shown.lines if line.check == check)
        self._put(replace(line, state=CheckState.STOPPED, sentence=f"Stopped: {line.sentence}"))

    def close(self) -> None:
        """The last report, with what a file has."""
        settings, seconds = asdict(self._subject.settings), perf_counter() - self._began
        report = AuditReport(self._subject.name, settings, tuple(self._findings), seconds, self._stopped)
        saved = json.dumps({**self._about, **report.as_object()}, allow_nan=False)
        self._shown = replace(self._shown, over=True, stopped=self._stopped, saved=saved)
        self._report(now=True)

    def _take(self, one: Evidence | Finding) -> None:
        if isinstance(one, Finding):
            self._findings.append(one)
            last = one.evidence
            done, total = (last.done, last.total) if last is not None else (0, 0)
            self._put(CheckLine(one.check, CheckState(one.verdict.value), one.sentence, done, total))
            if one.power:
                self._shown = replace(self._shown, power=one.power)
            self._report(now=True)
            return
        if all(finding.check != one.check for finding in self._findings):  # else only the histogram goes on
            self._put(CheckLine(one.check, CheckState.RUNNING, so_far(one), one.done, one.total))
        if isinstance(one, SequentialEvidence) and one.bars:
            bars = (
                TokenBar(None if bar.token is None else self._text_of(bar.token), bar.p, bar.count) for bar in one.bars
            )
            self._shown = replace(self._shown, bars=tuple(bars))
        self._report()

    def _put(self, line: CheckLine) -> None:
        lines = tuple(line if line.check == one.check else one for one in self._shown.lines)
        self._shown = replace(self._shown, lines=lines)

    def _report(self, *, now: bool = False) -> None:
        if now or monotonic() - self._reported >= _APART_S:
            self._reported = monotonic()
            self._work.report(written(self._shown))


def so_far(one: Evidence) -> str:
    """The evidence of a check, in a sentence."""
    if isinstance(one, SequentialEvidence):
        seen = "tokens" if one.check == "distribution" else "tokens and numbers"
        return (
            f"{one.done} of {one.total} runs, {one.compared} {seen}. A bet against the decoder stands at {_times(one.log_wealth)}; "
            f"at {_times(one.limit)} it is caught."
        )
    done = f"{one.done} of {one.total} texts"
    if isinstance(one, ScoreEvidence):
        return f"{done}, {one.compared} probabilities, at most {one.largest:.1g} from a fresh pass."
    return f"{done}, {one.compared} tokens."


def _times(log: float) -> str:
    """A wealth, where a bet begins with 1."""
    if log > _LARGEST:
        return "more than 100 million times the stake"
    value = math.exp(log)
    if value < 0.01:
        return "less than 0.01 times the stake"
    return f"{value:,.2f} times the stake" if value < 10 else f"{value:,.0f} times the stake"
