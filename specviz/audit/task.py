"""The task "audit" of the engine process: the audit of a loaded pair, reported while it runs."""

from dataclasses import replace

from specviz.audit.full_audit import audit
from specviz.audit.messages import CHECKS, AuditRequest, decode
from specviz.audit.pairs import PROMPTS, prompts_of, subject_of
from specviz.audit.reporter import AuditReporter
from specviz.audit.subject import Budget
from specviz.models import Pair
from specviz.reporting.terminal import visible
from specviz.runs.tasks import Work
from specviz.setting_labels import LOSSY
from specviz.settings import check_prompt

BUDGET = Budget(texts=4, tokens=24, sampled_tokens=4)
# The checks that share their runs, all of which follow the page's own prompt, so that one histogram has them all; and
# those of a few texts, which follow several prompts.
_ON_RUNS, _ON_TEXTS = CHECKS[:3], CHECKS[3:]


def perform(work: Work) -> None:
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
    reporter = AuditReporter(work, subject, prompt, lambda token: _text_of(pair, token), about, mark)
    for names, token_ids in ((_ON_RUNS, prompts[:1]), (_ON_TEXTS, prompts)):
        reporter.follow(names, audit(subject, token_ids, budget, names))
    reporter.close()


def _text_of(pair: Pair, token: int) -> str:
    """A token's visible text; its id where it has none."""
    text = visible(pair.text.bytes_of(token).data.decode("utf-8", "surrogateescape"))
    return text or f"id {token}"
