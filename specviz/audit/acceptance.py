"""The acceptance of the first drafted token of each round against the drafter's known rate: the fault that no text shows.

A head that reads the wrong layers, or its ids by the wrong table, proposes tokens that are drawn from the q it records. The text is right, and no
other check can object. Only the acceptance shows the fault, if the rate is known from an examination of the same drafter. The claim is that
in every round the first drafted token is accepted with a third of the known probability at least. That leaves room for texts that are harder to
guess than those of the examination, and catches a collapse.
"""

import math
from collections.abc import Iterator, Sequence

from specviz.audit.check import NotApplicableError, audit_check, caught, passed, sampled_rounds
from specviz.audit.records import FALSE_ALARM, Evidence, Finding, SequentialEvidence
from specviz.audit.sequential import log_mean
from specviz.audit.subject import Budget, Subject
from specviz.trace.records import Round

FAR = 3  # the claim: the acceptance is at least the known one divided by this
# This check's share of the audit's false alarms, where the claim holds in every round; a text on which an honest
# drafter guesses three times worse breaks it.
_SHARE = 1e-3
_STAKES = (0.25, 0.5, 0.75)  # the stake of each bet, as a share of the largest

NAME = "acceptance"


@audit_check(NAME)
def acceptance(subject: Subject, prompts: Sequence[tuple[int, ...]], budget: Budget) -> Iterator[Evidence | Finding]:
    """Accepted first tokens."""
    known_rate = subject.acceptance
    if subject.settings.certain:
        raise NotApplicableError("Nothing is drawn with these settings.")
    if known_rate is None:
        raise NotApplicableError(
            "How often this drafter guesses right is not known: no figures of an examination are here."
        )
    least, wealth = known_rate / FAR, dict.fromkeys(_STAKES, 0.0)
    limit = -math.log(_SHARE * FALSE_ALARM)
    accepted = judged = 0
    for done, (_, rounds) in enumerate(sampled_rounds(subject, prompts, budget), start=1):
        for hit in first_verdicts(rounds):
            accepted, judged = accepted + hit, judged + 1
            for stake in wealth:
                wealth[stake] += math.log1p(stake * (least - hit) / (1 - least))
        log_wealth = log_mean([*wealth.values()])
        yield SequentialEvidence(NAME, done, budget.samples, judged, log_wealth, limit, "rejected first tokens")
        if log_wealth >= limit:
            sentence = (
                f"The target accepts {accepted} of {judged} first drafted tokens ({accepted / judged:.0%}), and {known_rate:.0%} are known of this "
                "drafter: the text stays right, and every run is slow."
            )
            yield caught(sentence)
            return
    if not judged:
        raise NotApplicableError("Nothing was drafted.")
    yield passed(
        f"The target accepts {accepted} of {judged} first drafted tokens ({accepted / judged:.0%}); {known_rate:.0%} are known."
    )


def first_verdicts(rounds: Sequence[Round]) -> list[bool]:
    """True for each round whose first drafted token was accepted; rounds without a draft are left out."""
    return [bool(round_.accepted) for round_ in rounds if round_.drafted]
