"""The distribution of the first new tokens at a temperature above 0, tested sequentially against the exact p of plain passes.

The first n new tokens of many runs, each with its own seed, form a tree of texts; a plain pass gives the exact p at every node that a run
came through. Each token is one observation of the test in `specviz.audit.sequential`.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from specviz.audit.caches import warps
from specviz.audit.check import DecoderError, NotApplicableError, audit_check, caught, decode_run, passed
from specviz.audit.records import FALSE_ALARM, Bar, Evidence, Finding, Power, SequentialEvidence
from specviz.audit.sequential import STRENGTHS, Bets, odds, power
from specviz.audit.subject import Budget, Subject
from specviz.decoding.sampling import warp
from specviz.settings import Settings

_SHARE = 0.5  # this check's share of the audit's false alarms
_BARS = 12  # tokens of the histogram; the others share one bar
_EXPONENTS = {"sharper than p": 1.25, "much sharper than p": 2.0, "flatter than p": 0.8, "much flatter than p": 0.5}
_MIXED = {"towards the first choice": 0.1, "towards p without the settings": 0.5}
_DRAFT = {"a little towards the draft": 0.1, "towards the draft": 0.5}
_CONTEXTS = ("first token", "text so far")
_SURE = 0.9  # with this probability a bias counts as one that would have been found

NAME = "distribution"


@audit_check(NAME, needs_rounds=False)
def distribution(subject: Subject, prompts: Sequence[tuple[int, ...]], budget: Budget) -> Iterator[Evidence | Finding]:
    """Texts that are drawn at random."""
    settings = subject.at(greedy=False)
    if settings is None:
        raise NotApplicableError("Nothing is random with these settings: choose a temperature above 0.")
    settings = replace(settings, max_new_tokens=min(budget.sampled_tokens, settings.max_new_tokens))
    test = _Test(subject, settings, prompts)
    over = False
    for done in range(budget.samples):
        index = done % len(prompts)
        run_settings = replace(settings, seed=budget.first_seed + done)
        try:
            problem = test.see(index, decode_run(subject, prompts[index], run_settings, budget, light=True).ids)
        except DecoderError:
            if over:
                return
            raise
        last = test.evidence(NAME, done + 1, budget.samples)
        yield last
        if not over and (problem or test.bets.rejected):
            sentence = f"Prompt {index + 1}, seed {run_settings.seed}: {problem}" if problem else _differs(last)
            yield caught(sentence)
            over = True
        if over and done + 1 >= budget.drawn:
            return
    if over:
        return
    powers = test.power(budget.simulations)
    yield passed(_agrees(last, powers), powers)


class _Test:
    """The bets, the exact distributions and the histogram."""

    def __init__(self, subject: Subject, settings: Settings, prompts: Sequence[tuple[int, ...]]) -> None:
        self._settings, self._prompts = settings, prompts
        self._plain = subject.plain
        self._draft = subject.draft
        names = (*_EXPONENTS, *_MIXED, *(_DRAFT if self._draft is not None else ()))
        self.bets = Bets(_SHARE * FALSE_ALARM, _CONTEXTS, names)
        self._count = len(_CONTEXTS) * len(STRENGTHS) + len(names)
        self._firsts = [Counter[int]() for _ in prompts]
        self._known: dict[tuple[int, ...], _Exact | None] = {}

    def see(self, index: int, text: tuple[int, ...]) -> str:
        """Take note of a text; returns what is wrong with its length, or ""."""
        prompt, most = self._prompts[index], self._settings.max_new_tokens
        for at, token in enumerate(text[:most]):
            if at and text[at - 1] in self._plain.end_ids:
                return "the text went on after its end-of-text token."
            context = (*prompt, *text[:at])
            if not at:
                self._firsts[index][token] += 1
            if context not in self._known:
                self._known[context] = self._exact(context, len(prompt))
            exact = self._known[context]
            if exact is None:
                continue
            kinds = {"text so far": context, **({"first token": index} if not at else {})}
            self.bets.see(token, float(exact.p[token]), kinds, exact.alternatives(token))
        if len(text) > most and text[most - 1] not in self._plain.end_ids:
            return f"the text has at least {len(text)} new tokens, and only {most} were requested."
        if len(text) > most:
            return "the text went on after its end-of-text token."
        if len(text) < most and not (text and text[-1] in self._plain.end_ids):
            return f"the text has {len(text)} new tokens, and ends without an end-of-text token."
        return ""

    def _exact(self, context: tuple[int, ...], prompt_length: int) -> "_Exact | None":
        """None where rounding decides which tokens are possible: then nobody bets."""
        row = self._plain.rows(context, len(context) - 1).double()
        possible = warps(row, self._settings, len(context) - prompt_length)
        if len(possible) > 1:
            return None
        q = None
        if self._draft is not None:
            q = warp(self._draft.rows(context, len(context) - 1), self._settings, [len(context) - prompt_length])[0]
        return _Exact(possible[0], row[0].softmax(dim=-1), q)

    def evidence(self, name: str, done: int, total: int) -> SequentialEvidence:
        bets = self.bets
        wealth = bets.highest if bets.rejected else bets.log_wealth
        return SequentialEvidence(name, done, total, bets.seen, wealth, bets.limit, bets.best, self._bars())

    def _first(self, index: int) -> Tensor | None:
        exact = self._known.get(self._prompts[index])
        return None if exact is None else exact.p

    def _bars(self) -> tuple[Bar, ...]:
        """The likeliest first tokens after the first prompt."""
        p, counts = self._first(0), self._firsts[0]
        if p is None:
            return ()
        top = p.topk(min(_BARS, p.shape[0]))
        bars = [Bar(t, v, counts[t]) for v, t in zip(top.values.tolist(), top.indices.tolist(), strict=True) if v > 0]
        rest = Bar(None, max(0.0, 1 - sum(bar.p for bar in bars)), counts.total() - sum(bar.count for bar in bars))
        return (*bars, rest)

    def power(self, simulations: int) -> tuple[Power, ...]:
        """The power of the first tokens."""
        ps = [(self._first(index), counts.total()) for index, counts in enumerate(self._firsts)]
        starts = [(p.tolist(), samples) for p, samples in ps if p is not None]
        return power(starts, self.bets.limit, self._count, simulations) if starts else ()


class _Exact:
    """The exact distribution p after one text, with alternatives to bet on.

    Args:
        p: [V] after the warp.
        raw: [V] at temperature 1 and without the other settings.
        q: [V] the draft's, if it is known.
    """

    def __init__(self, p: Tensor, raw: Tensor, q: Tensor | None) -> None:
        self.p = p
        self._powers = {name: p.pow(exponent) for name, exponent in _EXPONENTS.items()}
        self._sums = {name: float(powers.sum()) for name, powers in self._powers.items()}
        self._others = {name: (share, raw) for name, share in _MIXED.items()}
        first = torch.zeros_like(p)
        first[p.argmax()] = 1.0
        self._others["towards the first choice"] = (_MIXED["towards the first choice"], first)
        if q is not None:
            self._others |= {name: (share, q) for name, share in _DRAFT.items()}

    def alternatives(self, token: int) -> dict[str, float]:
        """The token's probability under each."""
        p = float(self.p[token])
        probabilities = {name: float(powers[token]) / self._sums[name] for name, powers in self._powers.items()}
        return probabilities | {
            name: (1 - share) * p + share * float(mixed[token]) for name, (share, mixed) in self._others.items()
        }


def _differs(last: SequentialEvidence) -> str:
    if math.isinf(last.log_wealth):
        return f"A token was written to which the target gives the probability 0 (run {last.done})."
    return (
        f"Not the target's distribution: after {last.done} runs ({last.compared} tokens) what was seen is less likely than 1 in "
        f"{odds(last.log_wealth)} if it were ({last.best})."
    )


def _agrees(last: SequentialEvidence, powers: Sequence[Power]) -> str:
    sentence = f"{last.done} runs ({last.compared} tokens) agree with the exact p of plain passes."
    certain = next((power for power in powers if power.probability >= _SURE), None)
    if certain is not None:
        return f"{sentence} A bias of {certain.bias:.0%} of the first tokens would have been caught with a probability of {certain.probability:.0%}."
    if powers:
        return (
            f"{sentence} These are few: a bias of {powers[-1].bias:.0%} of the first tokens would have been caught with a probability of only "
            f"{powers[-1].probability:.0%}."
        )
    return sentence
