"""The full audit: every check in order, as one stream of evidence and findings, and the report of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from time import perf_counter

from specviz.audit.acceptance import acceptance
from specviz.audit.caches import caches
from specviz.audit.check import Check
from specviz.audit.distribution import distribution
from specviz.audit.drafts import drafts
from specviz.audit.greedy import greedy_text
from specviz.audit.records import AuditReport, Evidence, Finding
from specviz.audit.subject import Budget, Subject
from specviz.errors import PromptError

# In the order in which they run: the quick ones first.
CHECKS: dict[str, Check] = {
    "greedy text": greedy_text,
    "caches": caches,
    "drafts": drafts,
    "acceptance": acceptance,
    "distribution": distribution,
}


def audit(
    subject: Subject,
    prompts: Sequence[Sequence[int]],
    budget: Budget | None = None,
    checks: Iterable[str] = CHECKS,
) -> Iterator[Evidence | Finding]:
    """Evidence of one check after the other, each ending in its finding. Whoever stops iterating stops the audit.
    Raises PromptError if there is no prompt, or an empty one."""
    if not prompts or not all(prompts):
        raise PromptError("The audit was given no prompt, or an empty one: give at least one token id for each.")
    token_ids = [tuple(int(token) for token in prompt) for prompt in prompts]
    return _all(replace(subject, runs={}), token_ids, budget or Budget(), checks)


def _all(
    subject: Subject, prompts: Sequence[tuple[int, ...]], budget: Budget, checks: Iterable[str]
) -> Iterator[Evidence | Finding]:
    try:
        for name in checks:
            yield from CHECKS[name](subject, prompts, budget)
    finally:
        for plain in (subject.plain, subject.draft):
            if plain is not None:
                plain.release()


def report(
    subject: Subject,
    prompts: Sequence[Sequence[int]],
    budget: Budget | None = None,
    show: Callable[[Evidence | Finding], None] = lambda event: None,
) -> AuditReport:
    """The audit to its end, or to the Ctrl-C that stops it. `show`: called with all evidence and findings, for
    progress."""
    began, findings, stopped = perf_counter(), [], False
    try:
        for event in audit(subject, prompts, budget):
            if isinstance(event, Finding):
                findings.append(event)
            show(event)
    except KeyboardInterrupt:
        stopped = True
    return AuditReport(subject.name, asdict(subject.settings), tuple(findings), perf_counter() - began, stopped)
