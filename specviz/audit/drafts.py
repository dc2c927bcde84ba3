"""The draft's q against what was drawn, and the uniform random numbers u.

First, where the drafter draws from a model's own scores, the recorded q against fresh passes of that model. Then a sequential test of two
claims: each drafted token was drawn from the q that was recorded for it, and each recorded u is uniform, whatever came before it. Where q is
not what the token was drawn from, or u is no fresh number, the rule does not keep the target's distribution.
"""

import math
from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress

from specviz.audit.caches import ancestors, compare
from specviz.audit.check import NotApplicableError, audit_check, caught, passed, sampled_rounds
from specviz.audit.records import FALSE_ALARM, AuditVerdict, Evidence, Finding, SequentialEvidence
from specviz.audit.sequential import Bets, odds
from specviz.audit.subject import Budget, Subject
from specviz.trace.records import Round

_SHARE = 0.25  # the share of each of the two claims in the audit's false alarms
_BINS = 8  # equal parts of 0 to 1, into which u falls
_CERTAIN = 1 - 1e-9  # a q from here on leaves nothing to draw
_UNCOMPARED = "No q was compared with a fresh pass: this drafter does not draw from a full model that the auditor can run by itself."

NAME = "drafts"


@audit_check(NAME)
def drafts(subject: Subject, prompts: Sequence[tuple[int, ...]], budget: Budget) -> Iterator[Evidence | Finding]:
    """The draft's q, and the numbers that are drawn."""
    sentences: list[str] = []
    if subject.draft is not None:
        with suppress(NotApplicableError):
            for event in compare(NAME, subject, prompts, budget, subject.draft, draft=True):
                if isinstance(event, Finding) and event.verdict is AuditVerdict.PASSED:
                    sentences.append(event.sentence)
                    continue
                yield event
                if isinstance(event, Finding):
                    return
    if not subject.settings.certain:
        for last in _sequential(subject, prompts, budget):
            yield last
        if last.log_wealth >= last.limit:
            yield caught(_sentence(last))
            return
        if last.compared:
            sentences.append(f"{last.compared} drawn tokens and numbers agree with the record.")
            sentences += [_UNCOMPARED] if subject.draft is None else []
    if not sentences:
        raise NotApplicableError(
            "Nothing is drawn with these settings, and the drafter has no scores of a model that can be compared."
        )
    yield passed(" ".join(sentences))


def _sequential(subject: Subject, prompts: Sequence[tuple[int, ...]], budget: Budget) -> Iterator[SequentialEvidence]:
    drawn = Bets(_SHARE * FALSE_ALARM, ("first drafts", "texts"))
    numbers = Bets(_SHARE * FALSE_ALARM, ("u", "u after u", "u of a token", "closing u"))
    distinct = subject.settings.children == "distinct"
    for done, (prompt, rounds) in enumerate(sampled_rounds(subject, prompts, budget), start=1):
        _observe_tokens(drawn, rounds, prompt, distinct=distinct)
        _observe_numbers(numbers, rounds)
        worse = max(drawn, numbers, key=lambda bets: bets.highest - bets.limit)
        wealth = worse.highest if worse.rejected else worse.log_wealth
        which = worse.best if worse is numbers else f"tokens of {worse.best}"
        observed = drawn.seen + numbers.seen
        yield SequentialEvidence(NAME, done, budget.samples, observed, wealth, worse.limit, which)
        if worse.rejected:
            return


def _observe_tokens(bets: Bets, rounds: Sequence[Round], prompt: tuple[int, ...], *, distinct: bool) -> None:
    """Every drafted token that was drawn, in the order of drawing."""
    text = prompt
    for number, round_ in enumerate(rounds):
        for node, drafted in enumerate(round_.drafted):
            if drafted.qp[0] >= _CERTAIN:
                continue
            earlier = (
                tuple(sibling.token for sibling in round_.drafted[:node] if sibling.parent == drafted.parent)
                if distinct
                else ()
            )
            context: dict[str, Hashable] = {"texts": ((*text, *ancestors(round_.drafted, node)), earlier)}
            if number == node == 0:
                context["first drafts"] = text
            bets.see(drafted.token, drafted.qp[0], context)
        text = (*text, *round_.tokens)


def _observe_numbers(bets: Bets, rounds: Sequence[Round]) -> None:
    """Every recorded u, in the order in which the tokens were judged; the number of a closing token comes after those of its draft."""
    before: int | None = None
    for round_ in rounds:
        for drafted in round_.drafted:
            if drafted.draw is None:
                continue
            here = min(_BINS - 1, int(drafted.draw * _BINS))
            bets.see(here, 1 / _BINS, {"u": (), "u after u": before, "u of a token": drafted.token})
            before = here
        if round_.closing is not None and round_.closing.draw is not None:
            here = min(_BINS - 1, int(round_.closing.draw * _BINS))
            bets.see(here, 1 / _BINS, {"closing u": before})


def _sentence(last: SequentialEvidence) -> str:
    unlikely = "impossible" if math.isinf(last.log_wealth) else f"less likely than 1 in {odds(last.log_wealth)}"
    if last.best.startswith("tokens"):
        return f"The drafted tokens were not drawn from their recorded q: after {last.done} runs what was seen is {unlikely} ({last.best})."
    return f"The numbers u are not fresh and uniform: after {last.done} runs what was seen is {unlikely} ({last.best})."
