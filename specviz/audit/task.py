"""The tasks of the engine process: the audit of a loaded pair, and that of an exhibit of the zoo, reported to the page while they run."""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from time import monotonic, perf_counter

from specviz.audit.full_audit import audit
from specviz.audit.messages import (
    CHECKS,
    AuditProgress,
    AuditRequest,
    CheckLine,
    CheckState,
    ExhibitRequest,
    TokenBar,
    decode,
    encode,
)
from specviz.audit.pairs import PROMPTS, prompts_of, subject_of
from specviz.audit.records import AuditReport, Evidence, Finding, SequentialEvidence, evidence_sentence
from specviz.audit.subject import Budget, Subject
from specviz.audit.zoo import exhibits
from specviz.audit.zoo.guess_game import token_text
from specviz.audit.zoo.texts import EXHIBITS
from specviz.errors import InputError
from specviz.reporting.terminal import token_label, visible
from specviz.runs.engine_process import Work
from specviz.setting_labels import LOSSY
from specviz.settings import check_prompt

BUDGET = Budget(texts=4, tokens=24, sampled_tokens=4)
# The checks that share their runs, all of which follow the page's own prompt, so that one histogram has them all; and
# those of a few texts, which follow several prompts.
_ON_RUNS, _ON_TEXTS = CHECKS[:3], CHECKS[3:]
_SIMULATIONS = 100
_DRAWN = 200  # runs of an exhibit in the histogram, with which it stands clear of where honest decoders end
_APART_S = 0.25  # between two reports


def audit_pair(work: Work) -> None:
    """Audit the pair with the settings of the request. Raises SpecvizError if the drafter cannot be made, or the prompt
    cannot be read."""
    request, pair = decode(AuditRequest, work.request), work.require_pair()
    check_prompt(request.prompt)
    work.progress("preparing the drafter", None)
    settings = replace(request.settings, max_new_tokens=BUDGET.tokens)
    budget = replace(BUDGET, samples=request.samples, first_seed=settings.seed)
    prompts = prompts_of(pair, (request.prompt, *PROMPTS), template=request.template)
    subject = subject_of(pair, settings)
    about = {"pair": pair.name, "device": pair.card.device, "dtype": pair.card.dtype, "prompt": request.prompt}
    prompt, mark = visible(request.prompt, spaces=False), f"{LOSSY}: {settings.rule} rule" if settings.lossy else ""
    reporter = AuditReporter(work, subject, prompt, lambda token: token_label(pair.text.bytes_of(token)), about, mark)
    for names, token_ids in ((_ON_RUNS, prompts[:1]), (_ON_TEXTS, prompts)):
        reporter.follow(names, audit(subject, token_ids, budget, names))
    reporter.close()


def audit_exhibit(work: Work) -> None:
    """Audit the exhibit on its tiny models, or the same parts without its bug. Raises InputError if the zoo has no such exhibit."""
    request = decode(ExhibitRequest, work.request)
    bug = next((exhibit for exhibit in EXHIBITS if exhibit.name == request.exhibit), None)
    if bug is None:
        raise InputError(f"The zoo has no exhibit {request.exhibit!r:.60}: choose one from the list.")
    prompts, subject = exhibits.PROMPTS, exhibits.subject(bug, honest=request.honest)
    drawn = len(prompts) * _DRAWN
    budget = replace(exhibits.BUDGET, samples=request.samples, simulations=_SIMULATIONS, drawn=drawn)
    about = {"exhibit": bug.name, "honest": str(request.honest).lower()}
    prompt = "".join(map(token_text, prompts[0]))
    reporter = AuditReporter(work, subject, prompt, token_text, about, "" if request.honest else bug.mark)
    reporter.follow(CHECKS, audit(subject, prompts, budget, CHECKS))
    reporter.close()


class AuditReporter:
    """Reports an audit to the page, a few times a second, until it ends or is stopped.

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
        mark: str,
    ) -> None:
        self._work, self._subject, self._text_of, self._about = work, subject, text_of, about
        self._began, self._reported = perf_counter(), -math.inf
        self._findings: list[Finding] = []
        self._progress = AuditProgress(mark, prompt, tuple(CheckLine(check) for check in CHECKS))

    def follow(self, checks: Sequence[str], events: Iterator[Evidence | Finding]) -> None:
        """Report these checks, one after the other, to the last finding or to the Stop; nothing where the audit was stopped before."""
        for check in checks:
            if self._progress.stopped:
                return
            self._send_line(CheckLine(check, CheckState.RUNNING))
            for event in events:
                if isinstance(event, Finding):
                    self._take_finding(event)
                    break
                self._take_evidence(event)
                if self._work.stopped():
                    line = self._line(check)
                    self._progress = replace(self._progress, stopped=True)
                    self._send_line(replace(line, state=CheckState.STOPPED, sentence=f"Stopped: {line.sentence}"))
                    break

    def close(self) -> None:
        """The last report, with the text of the saved file."""
        settings, seconds = asdict(self._subject.settings), perf_counter() - self._began
        stopped = self._progress.stopped
        report = AuditReport(self._subject.name, settings, tuple(self._findings), seconds, stopped)
        saved = json.dumps({**self._about, **report.as_object()}, allow_nan=False)
        self._progress = replace(self._progress, over=True, saved=saved)
        self._send()

    def _take_finding(self, finding: Finding) -> None:
        self._findings.append(finding)
        evidence = finding.evidence
        done, total = (evidence.done, evidence.total) if evidence is not None else (0, 0)
        self._progress = replace(self._progress, power=finding.power or self._progress.power)
        state = CheckState(finding.verdict.value)
        self._send_line(CheckLine(finding.check, state, finding.sentence, done, total))

    def _take_evidence(self, evidence: Evidence) -> None:
        if isinstance(evidence, SequentialEvidence) and evidence.bars:
            bars = (
                TokenBar(None if bar.token is None else self._text_of(bar.token), bar.p, bar.count)
                for bar in evidence.bars
            )
            self._progress = replace(self._progress, bars=tuple(bars))
        if self._line(evidence.check).state is CheckState.RUNNING:  # else only the histogram goes on
            sentence = evidence_sentence(evidence)
            self._set_line(CheckLine(evidence.check, CheckState.RUNNING, sentence, evidence.done, evidence.total))
        if monotonic() - self._reported >= _APART_S:
            self._send()

    def _line(self, check: str) -> CheckLine:
        return next(line for line in self._progress.lines if line.check == check)

    def _set_line(self, line: CheckLine) -> None:
        lines = tuple(line if line.check == earlier.check else earlier for earlier in self._progress.lines)
        self._progress = replace(self._progress, lines=lines)

    def _send_line(self, line: CheckLine) -> None:
        self._set_line(line)
        self._send()

    def _send(self) -> None:
        self._reported = monotonic()
        self._work.report(encode(self._progress))
