"""The claims of a hint, in a form that a program can check against the run of which it speaks.

Beside its words (`look_for`) a hint has `claims`, an object. Each key is a kind of claim; the tables below explain them. A
number is exact, or a pair of the least and the most. Tokens are compared without the white space around them.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from specviz.trace.metrics import summarise
from specviz.trace.records import Drafted, Round, Stop, Trace, Verdict

Claims = dict[str, Any]
Bound = float | list[float]
Pair = list[str]  # a rejected guess, and the target's own token in its place


@dataclass(frozen=True, slots=True)
class Text:
    """A prompt, the text that was written after it, and whether the text ended by itself."""

    prompt: str
    text: str
    ended: bool


def contradicted(claims: Claims, run: Trace | Text) -> list[str]:
    """The claims that are not true of this run, or of this text, which has no rounds that a claim could speak of.

    Raises:
        KeyError: there is no such kind of claim, or it speaks of rounds and there are none.
    """
    text = run if isinstance(run, Text) else Text(run.prompt, run.text, run.stop is Stop.END_OF_TEXT)

    def holds(kind: str, value: Any) -> bool:
        if kind in OF_THE_TEXT or isinstance(run, Text):
            return OF_THE_TEXT[kind](text, value)
        return OF_THE_ROUNDS[kind](run, value)

    return [f"{kind}: {value}" for kind, value in claims.items() if not holds(kind, value)]


# Claims on the text alone: at temperature 0 it is the target's own, whatever drafts.
OF_THE_TEXT: dict[str, Callable[[Text, Any], bool]] = {
    # The new text has each phrase at least this many times; has none of these phrases; begins so.
    "text_has": lambda text, counts: all(text.text.count(phrase) >= least for phrase, least in counts.items()),
    "text_lacks": lambda text, phrases: not any(phrase in text.text for phrase in phrases),
    "text_begins": lambda text, phrase: text.text.lstrip().startswith(phrase),
    # Phrases of the prompt that come in the new text.
    "copied": lambda text, phrases: all(phrase in text.prompt and phrase in text.text for phrase in phrases),
    # The text ends by itself, or not.
    "ended": lambda text, ended: text.ended == ended,
}
# Claims on the settings, and on the guesses, which depend on the drafter.
OF_THE_ROUNDS: dict[str, Callable[[Trace, Any], bool]] = {
    # The verdict on the very first guess.
    "first_guess": lambda run, verdict: run.rounds[0].drafted[0].verdict.value == verdict,
    # The number of rejected guesses, of accepted or rejected ones, and the share of the checked ones that is accepted.
    "rejections": lambda run, count: _within(sum(len(_rejected(round_)) for round_ in run.rounds), count),
    "checked": lambda run, count: _within(summarise(run).judged, count),
    "share": lambda run, share: _within(summarise(run).acceptance_rate or 0, share),
    # The rounds, counted from 1, in which every guess is accepted.
    "whole": lambda run, rounds: all(
        0 < len(r.drafted) == len(r.accepted) for r in (run.rounds[i - 1] for i in rounds)
    ),
    # The number of rounds in which the first guess is rejected already.
    "at_once": lambda run, count: _within(sum(_first_is_rejected(round_) for round_ in run.rounds), count),
    # Tokens and passes of the target.
    "tokens_in_passes": lambda run, both: [len(run.token_ids), len(run.rounds)] == list(both),
    # These guesses are rejected for these tokens, in this order; others may be between them.
    "rejected": lambda run, pairs: _in_order(pairs, _corrections(run)),
    # The first rejected guesses, each with the target's own token.
    "rejected_first": lambda run, pairs: _corrections(run)[: len(pairs)] == list(pairs),
    # The number of rejected guesses, or of the target's own tokens in their place, that match a pattern.
    "guesses_like": lambda run, counts: _count_like([guess for guess, _ in _corrections(run)], counts),
    "own_like": lambda run, counts: _count_like([own for _, own in _corrections(run)], counts),
    # Guesses, each with the one that was thrown away right after it was rejected.
    "thrown_away": lambda run, pairs: all(pair in _thrown_away(run) for pair in pairs),
    # Each phrase comes once without a token that stands in place of a rejected guess.
    "uncorrected": lambda run, phrases: all(_comes_uncorrected(run, phrase) for phrase in phrases),
    # In a tree: a token is accepted although these siblings of it are rejected.
    "accepted_beside": lambda run, beside: all(_accepted_beside(run, *entry) for entry in beside.items()),
    # The temperature of the run.
    "temperature": lambda run, temperature: run.settings.temperature == temperature,
}


def _in_order(pairs: Sequence[Pair], corrections: list[Pair]) -> bool:
    rest = iter(corrections)
    return all(pair in rest for pair in pairs)


def _count_like(tokens: list[str], counts: dict[str, Bound]) -> bool:
    return all(_within(sum(bool(re.fullmatch(like, token)) for token in tokens), n) for like, n in counts.items())


def _thrown_away(run: Trace) -> list[Pair]:
    neighbours = (pair for round_ in run.rounds for pair in pairwise(round_.drafted))
    fates = (Verdict.REJECTED, Verdict.DISCARDED)
    return [[_token(run, d.token) for d in pair] for pair in neighbours if tuple(d.verdict for d in pair) == fates]


def _comes_uncorrected(run: Trace, phrase: str) -> bool:
    text, corrected = b"", list[bool]()
    for round_ in run.rounds:
        for index, token in enumerate(round_.tokens):
            if not run.tokens[token].special:
                text += run.tokens[token].data
                own = index == len(round_.accepted) and bool(_rejected(round_))
                corrected += [own] * len(run.tokens[token].data)
    matches = re.finditer(re.escape(phrase.encode()), text)
    return any(not any(corrected[match.start() : match.end()]) for match in matches)


def _accepted_beside(run: Trace, token: str, siblings: list[str]) -> bool:
    for round_ in run.rounds:
        for drafted in round_.drafted:
            if drafted.verdict is Verdict.ACCEPTED and _token(run, drafted.token) == token:
                rejected = {_token(run, other.token) for other in _rejected(round_) if other.parent == drafted.parent}
                if rejected >= set(siblings):
                    return True
    return False


def _within(number: float, bound: Bound) -> bool:
    low, high = bound if isinstance(bound, list) else (bound, bound)
    return low <= number <= high


def _token(run: Trace, token: int) -> str:
    return run.tokens[token].data.decode(errors="replace").strip(" ")


def _rejected(round_: Round) -> list[Drafted]:
    return [drafted for drafted in round_.drafted if drafted.verdict is Verdict.REJECTED]


def _first_is_rejected(round_: Round) -> bool:
    return any(drafted.verdict is Verdict.REJECTED for drafted in round_.drafted[:1])


def _corrections(run: Trace) -> list[Pair]:
    """Every rejected guess of a chain with the target's own token in its place."""
    return [
        [_token(run, _rejected(round_)[0].token), _token(run, round_.closing.token)]
        for round_ in run.rounds
        if round_.closing is not None and _rejected(round_)
    ]
