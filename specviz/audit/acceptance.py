"""How often the first drafted token of a round is accepted, against what is known of the drafter: the fault that no text shows.

A head that reads the wrong layers, or its ids by the wrong table, proposes tokens that are drawn from the q it records. The text is right, and no
other check can object. Only the acceptance says that something is wrong: it must be known, from an examination of the same drafter. The claim is that
in every round the first drafted token is accepted with a third of the known probability at least. That leaves room for texts that are harder to
guess than those of the examination, and catches a collapse.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from specviz.audit.limits import concluding, decoded, finding
from specviz.audit.records import FALSE_ALARM, AuditVerdict, Evidence, Finding, SequentialEvidence
from specviz.audit.sequential import log_mean
from specviz.audit.subject import Budget, Subject
from specviz.trace.records import Round

FAR = 3
"""A known acceptance that is divided by this is the least that is claimed."""
_SHARE = 1e-3
"""Of the audit's false alarms, where the claim holds in every round; a text on which an honest drafter guesses three times worse breaks it."""
_STAKES = (0.25, 0.5, 0.75)
"""What each bet risks, of the most that it can."""

NAME = "acceptance"


@concluding(NAME)
def acceptance(subject: Subject, prompts: Sequence[tuple[int, ...]], budget: Budget) -> Iterator[Evidence | Finding]:
    """Accepted first tokens."""
    known = subject.acceptance
    if subject.parts is None or known is None or subject.settings.certain:
        reason = "How often this drafter guesses right is not known: no figures of an examination are here."
        if subject.parts is None:
            reason = "A function gives ids only, and this check needs the drafted tokens: audit the parts of our loop instead."
        elif subject.settings.certain:
            reason = "Nothing is drawn with these settings."
        yield finding(NAME, AuditVerdict.NOT_APPLICABLE, reason)
        return
    least, wealth = known / FAR, dict.fromkeys(_STAKES, 0.0)
    limit = -math.log(_SHARE * FALSE_ALARM)
    accepted = seen = 0
    for done in range(budget.samples):
        settings = replace(
            subject.settings,
            seed=budget.first_seed + done,
            max_new_tokens=min(budget.sampled_tokens, subject.settings.max_new_tokens),
        )
        rounds = decoded(subject, prompts[done % len(prompts)], settings, budget, light=True).rounds or ()
        for hit in first_hits(rounds):
            accepted, seen = accepted + hit, seen + 1
            for stake in wealth:
                wealth[stake] += math.log1p(stake * (least - hit) / (1 - least))
        now = log_mean([*wealth.values()])
        last = SequentialEvidence(NAME, done + 1, budget.samples, seen, now, limit, "rejected first tokens")
        yield last
        if now >= limit:
            sentence = (
                f"The target accepts {accepted} of {seen} first drafted tokens ({accepted / seen:.0%}), and {known:.0%} are known of this "
                "drafter: the text stays right, and every run is slow."
            )
            yield finding(NAME, AuditVerdict.CAUGHT, sentence, evidence=last)
            return
    if not seen:
        yield finding(NAME, AuditVerdict.NOT_APPLICABLE, "Nothing was drafted.")
        return
    sentence = (
        f"The target accepts {accepted} of {seen} first drafted tokens ({accepted / seen:.0%}); {known:.0%} are known."
    )
    yield finding(NAME, AuditVerdict.PASSED, sentence, evidence=last)


def first_hits(rounds: Sequence[Round]) -> list[bool]:
    """For every round that drafted, whether a first token of the draft was accepted."""
    return [bool(round_.accepted) for round_ in rounds if round_.drafted]
