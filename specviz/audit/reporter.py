"""Reports an audit to the page while it runs, a few times a second."""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from time import monotonic, perf_counter

from specviz.audit.messages import CHECKS, AuditProgress, CheckLine, CheckState, TokenBar, encode
from specviz.audit.records import AuditReport, Evidence, Finding, SequentialEvidence, evidence_sentence
from specviz.audit.subject import Subject
from specviz.runs.tasks import Work

_APART_S = 0.25


class AuditReporter:
    """Reports an audit until it ends or is stopped.

    Args:
        text_of: a token's visible text.
        about: further entries of the saved report, by name.
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
        self._progress = AuditProgress(mark, prompt, tuple(CheckLine(check) for check in CHECKS))

    def follow(self, checks: Sequence[str], events: Iterator[Evidence | Finding]) -> None:
        """Report these checks, one after the other, to the last finding or to the Stop; nothing where the audit was stopped before."""
        waiting = [] if self._stopped else [*checks]
        while waiting:
            check = waiting.pop(0)
            self._set_line(CheckLine(check, CheckState.RUNNING))
            self._send(at_once=True)
            for event in events:
                self._take_in(event)
                if isinstance(event, Finding):
                    break
                if self._work.stopped():
                    self._stop(check)
                    return

    def _stop(self, check: str) -> None:
        self._stopped = True
        line = next(line for line in self._progress.lines if line.check == check)
        self._set_line(replace(line, state=CheckState.STOPPED, sentence=f"Stopped: {line.sentence}"))

    def close(self) -> None:
        """The last report, with the text of the saved file."""
        settings, seconds = asdict(self._subject.settings), perf_counter() - self._began
        report = AuditReport(self._subject.name, settings, tuple(self._findings), seconds, self._stopped)
        saved = json.dumps({**self._about, **report.as_object()}, allow_nan=False)
        self._progress = replace(self._progress, over=True, stopped=self._stopped, saved=saved)
        self._send(at_once=True)

    def _take_in(self, event: Evidence | Finding) -> None:
        if isinstance(event, Finding):
            self._findings.append(event)
            evidence = event.evidence
            done, total = (evidence.done, evidence.total) if evidence is not None else (0, 0)
            self._set_line(CheckLine(event.check, CheckState(event.verdict.value), event.sentence, done, total))
            if event.power:
                self._progress = replace(self._progress, power=event.power)
            self._send(at_once=True)
            return
        if all(finding.check != event.check for finding in self._findings):  # else only the histogram goes on
            self._set_line(
                CheckLine(event.check, CheckState.RUNNING, evidence_sentence(event), event.done, event.total)
            )
        if isinstance(event, SequentialEvidence) and event.bars:
            bars = (
                TokenBar(None if bar.token is None else self._text_of(bar.token), bar.p, bar.count)
                for bar in event.bars
            )
            self._progress = replace(self._progress, bars=tuple(bars))
        self._send()

    def _set_line(self, line: CheckLine) -> None:
        lines = tuple(line if line.check == earlier.check else earlier for earlier in self._progress.lines)
        self._progress = replace(self._progress, lines=lines)

    def _send(self, *, at_once: bool = False) -> None:
        if at_once or monotonic() - self._reported >= _APART_S:
            self._reported = monotonic()
            self._work.report(encode(self._progress))
