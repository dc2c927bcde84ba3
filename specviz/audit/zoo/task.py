"""The task "zoo" of the engine process: the audit of an exhibit on its tiny models. No run of the page leads here: a run names a drafter."""

from dataclasses import replace

from specviz.audit.full_audit import audit
from specviz.audit.messages import CHECKS, ExhibitRequest, decode
from specviz.audit.reporter import AuditReporter
from specviz.audit.zoo.guess_game import token_text
from specviz.audit.zoo.measure import BUDGET, PROMPTS, subject
from specviz.audit.zoo.texts import EXHIBITS
from specviz.errors import InputError
from specviz.runs.tasks import Work

_SIMULATIONS = 100
_DRAWN = 200  # runs of the first prompt in the histogram, with which it stands clear of where honest decoders end


def perform(work: Work) -> None:
    """Audit the exhibit, or the same parts without its bug. Raises InputError if the zoo has no such exhibit."""
    request = decode(ExhibitRequest, work.request)
    bug = next((exhibit for exhibit in EXHIBITS if exhibit.name == request.exhibit), None)
    if bug is None:
        raise InputError(f"The zoo has no exhibit {request.exhibit!r:.60}: choose one from the list.")
    audited = subject(bug, honest=request.honest)
    budget = replace(BUDGET, samples=request.samples, simulations=_SIMULATIONS, drawn=len(PROMPTS) * _DRAWN)
    about = {"exhibit": bug.name, "honest": str(request.honest).lower()}
    prompt = "".join(token_text(token) for token in PROMPTS[0])
    reporter = AuditReporter(work, audited, prompt, token_text, about, "" if request.honest else bug.mark)
    reporter.follow(CHECKS, audit(audited, PROMPTS, budget, CHECKS))
    reporter.close()
