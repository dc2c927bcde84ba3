"""The task "audit" of the engine process: the audit of a loaded pair, reported while it runs."""

from dataclasses import replace

from specviz.audit.asked import CHECKS, AuditAsked, read
from specviz.audit.following import Following
from specviz.audit.pairs import PROMPTS, prompts_of, subject_of
from specviz.audit.subject import Budget
from specviz.audit.whole import audit
from specviz.models import Pair
from specviz.reporting.terminal import visible
from specviz.runs.tasks import Work
from specviz.setting_labels import LOSSY
from specviz.settings import check_prompt

BUDGET = Budget(texts=4, tokens=24, sampled_tokens=4)
_ON_RUNS, _ON_TEXTS = CHECKS[:3], CHECKS[3:]
"""The checks that share their runs, all of which follow the page's own prompt, so that one histogram has them all; and those of a few texts,
which follow several prompts."""


def perform(work: Work) -> None:
    """Audit the pair as it was asked for.

    Raises:
        SpecvizError: the drafter cannot be made, or the prompt cannot be read.
    """
    asked, pair = read(AuditAsked, work.asked), work.require_pair()
    check_prompt(asked.prompt)
    work.progress("preparing the drafter", None)
    settings = replace(asked.settings, max_new_tokens=BUDGET.tokens)
    budget = replace(BUDGET, samples=asked.samples, first_seed=settings.seed)
    prompts = prompts_of(pair, (asked.prompt, *PROMPTS), template=asked.template)
    subject = subject_of(pair, settings)
    about = {"pair": pair.name, "device": pair.card.device, "dtype": pair.card.dtype, "prompt": asked.prompt}
    said, mark = visible(asked.prompt, spaces=False), f"{LOSSY}: {settings.rule} rule" if settings.lossy else ""
    following = Following(work, subject, said, lambda token: _text_of(pair, token), about, mark)
    for names, given in ((_ON_RUNS, prompts[:1]), (_ON_TEXTS, prompts)):
        following.follow(names, audit(subject, given, budget, names))
    following.close()


def _text_of(pair: Pair, token: int) -> str:
    """A token's visible text; its id where it has none."""
    text = visible(pair.text.bytes_of(token).data.decode("utf-8", "surrogateescape"))
    return text or f"id {token}"
