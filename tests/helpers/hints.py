"""Hints and runs: what a hint claims, in a form that a program can check against the run that it speaks of.

Beside its words (`look_for`) a hint has `claims`, an object. Each key is a kind of claim; the functions below say what it means. A
number is exact, or a pair of the least and the most. Tokens are compared without the white space around them.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from specviz.trace.metrics import summarise
from specviz.trace.records import (
    Drafted,
    Round,
    Stop,
    Trace,
    Verdict,
)

Claims = dict[str, Any]
Bound = float | list[float]
Pair = list[str]
"""A rejected guess, and the target's own token in its place."""


@dataclass(frozen=True, slots=True)
class Text:
    """What was written after a prompt, and whether it ended by itself."""

    prompt: str
    text: str
    ended: bool


def contradicted(claims: Claims, run: Trace | Text) -> list[str]:
    """The claims that are not true of this run, or of this text, which has no rounds that a claim could speak of.

    Raises:
        KeyError: there is no such kind of claim, or it speaks of rounds and there are none.
    """
    text = run if isinstance(run, Text) else Text(run.prompt, run.text, run.stop is Stop.END_OF_TEXT)
    wrong = []
    for kind, value in claims.items():
        if kind in OF_THE_TEXT or isinstance(run, Text):
            holds = OF_THE_TEXT[kind](text, value)
        else:
            holds = OF_THE_ROUNDS[kind](run, value)
        if not holds:
            wrong.append(f"{kind}: {value}")
    return wrong


def unbacked(hint: str, claims: Claims) -> list[str]:
    """What a hint says and a run could contradict, but no claim of it checks: words, quoted phrases, numbers."""
    missing = [
        word for word, kinds in WORDS.items() if re.search(word, hint, re.IGNORECASE) and not kinds & set(claims)
    ]
    texts, numbers = list(_texts(claims)), set(_numbers(claims))
    missing += [phrase for phrase in _quoted(hint) if not any(phrase in text for text in texts)]
    for number in re.findall(r"\d+(?:[.]\d+)?", re.sub("“.*?”", "", hint)):
        if float(number) not in numbers and not any(number in text for text in texts):
            missing.append(number)
    return missing + [name for name, number in _COUNTS.items() if re.search(name, hint) and number not in numbers]


def _first_guess(run: Trace, verdict: str) -> bool:
    """The verdict on the very first guess."""
    return run.rounds[0].drafted[0].verdict.value == verdict


def _rejections(run: Trace, count: Bound) -> bool:
    """How many guesses are rejected."""
    return _within(sum(len(_rejected(round_)) for round_ in run.rounds), count)


def _checked(run: Trace, count: Bound) -> bool:
    """How many guesses are accepted or rejected."""
    return _within(summarise(run).judged, count)


def _share(run: Trace, share: Bound) -> bool:
    """Which share of the checked guesses is accepted."""
    return _within(summarise(run).acceptance_rate or 0, share)


def _whole(run: Trace, rounds: Sequence[int]) -> bool:
    """The rounds, counted from 1, in which every guess is accepted."""
    return all(len(run.rounds[i - 1].accepted) == len(run.rounds[i - 1].drafted) > 0 for i in rounds)


def _at_once(run: Trace, count: Bound) -> bool:
    """In how many rounds the first guess is rejected already."""
    return _within(sum(bool(r.drafted) and r.drafted[0].verdict is Verdict.REJECTED for r in run.rounds), count)


def _tokens_in_passes(run: Trace, both: Sequence[int]) -> bool:
    """How many tokens in how many passes of the target."""
    return [len(run.token_ids), len(run.rounds)] == list(both)


def _rejected_pairs(run: Trace, pairs: Sequence[Pair]) -> bool:
    """These guesses are rejected for these tokens, in this order; others may be between them."""
    found = iter(_corrections(run))
    return all(any(pair == other for other in found) for pair in pairs)


def _rejected_first(run: Trace, pairs: Sequence[Pair]) -> bool:
    """The first rejected guesses, each with the target's own token."""
    return _corrections(run)[: len(pairs)] == list(pairs)


def _guesses_like(run: Trace, counts: dict[str, Bound]) -> bool:
    """How many rejected guesses match a pattern."""
    return all(
        _within(sum(bool(re.fullmatch(like, guess)) for guess, _ in _corrections(run)), n) for like, n in counts.items()
    )


def _own_like(run: Trace, counts: dict[str, Bound]) -> bool:
    """How many of the target's own tokens, each in place of a rejected guess, match a pattern."""
    return all(
        _within(sum(bool(re.fullmatch(like, own)) for _, own in _corrections(run)), n) for like, n in counts.items()
    )


def _thrown_away(run: Trace, pairs: Sequence[Pair]) -> bool:
    """Guesses, each with the one that was thrown away right after it was rejected."""
    following = [
        [_token(run, one.token), _token(run, two.token)]
        for round_ in run.rounds
        for one, two in zip(round_.drafted, round_.drafted[1:], strict=False)
        if one.verdict is Verdict.REJECTED and two.verdict is Verdict.DISCARDED
    ]
    return all(pair in following for pair in pairs)


def _uncorrected(run: Trace, phrases: Sequence[str]) -> bool:
    """Each phrase comes once without a token that stands in place of a rejected guess."""
    text, corrected = b"", list[bool]()
    for round_ in run.rounds:
        for index, token in enumerate(round_.tokens):
            if not run.tokens[token].special:
                text += run.tokens[token].data
                own = index == len(round_.accepted) and bool(_rejected(round_))
                corrected += [own] * len(run.tokens[token].data)
    return all(
        any(not any(corrected[found.start() : found.end()]) for found in re.finditer(re.escape(phrase.encode()), text))
        for phrase in phrases
    )


def _accepted_beside(run: Trace, beside: dict[str, list[str]]) -> bool:
    """In a tree: a token is accepted although these siblings of it are rejected."""
    found = [
        (_token(run, drafted.token), {_token(run, each.token) for each in _siblings(round_, drafted)})
        for round_ in run.rounds
        for drafted in round_.drafted
        if drafted.verdict is Verdict.ACCEPTED
    ]
    return all(
        any(token == name and siblings >= set(wanted) for name, siblings in found) for token, wanted in beside.items()
    )


def _text_has(text: Text, counts: dict[str, int]) -> bool:
    """The new text has each phrase at least so many times."""
    return all(text.text.count(phrase) >= least for phrase, least in counts.items())


def _text_lacks(text: Text, phrases: Sequence[str]) -> bool:
    """The new text has none of these phrases."""
    return not any(phrase in text.text for phrase in phrases)


def _text_begins(text: Text, phrase: str) -> bool:
    """How the new text begins."""
    return text.text.lstrip().startswith(phrase)


def _copied(text: Text, phrases: Sequence[str]) -> bool:
    """Phrases of the prompt that come in the new text."""
    return all(phrase in text.prompt and phrase in text.text for phrase in phrases)


def _ended(text: Text, ended: bool) -> bool:
    """Whether the text ends by itself."""
    return text.ended == ended


def _temperature(run: Trace, temperature: float) -> bool:
    """The temperature of the run."""
    return run.settings.temperature == temperature


OF_THE_TEXT: dict[str, Callable[[Text, Any], bool]] = {
    "text_has": _text_has,
    "text_lacks": _text_lacks,
    "text_begins": _text_begins,
    "copied": _copied,
    "ended": _ended,
}
"""Claims on the text alone: at temperature 0 it is the target's own, whatever drafts."""
OF_THE_ROUNDS: dict[str, Callable[[Trace, Any], bool]] = {
    "first_guess": _first_guess,
    "rejections": _rejections,
    "checked": _checked,
    "share": _share,
    "whole": _whole,
    "at_once": _at_once,
    "tokens_in_passes": _tokens_in_passes,
    "rejected": _rejected_pairs,
    "rejected_first": _rejected_first,
    "guesses_like": _guesses_like,
    "own_like": _own_like,
    "thrown_away": _thrown_away,
    "uncorrected": _uncorrected,
    "accepted_beside": _accepted_beside,
    "temperature": _temperature,
}
"""Claims on the settings, and on what was guessed, which depends on the drafter."""

_FEW = {"rejections", "share", "whole", "uncorrected", "first_guess", "accepted_beside"}
_MANY = {"rejections", "rejected", "rejected_first", "at_once", "guesses_like", "own_like", "first_guess"}
_COMES = {"text_has", "copied"}
WORDS: dict[str, set[str]] = {
    r"reject|refus|stumbl|wrong|correction|corrected|instead": _MANY | {"uncorrected", "accepted_beside", "text_lacks"},
    r"accept|whole|\bfree\b|complet|guessed|easy|bonus|knows": _FEW,
    r"the draft (guesses|expects|says|tries|wants)": {"rejected", "rejected_first", "guesses_like"},
    r"thrown away": {"thrown_away"},
    r"own token": {"rejected", "rejected_first", "own_like"},
    r"twice|times|again|repeat|loop|comes back|both lines|line after line|same": _COMES
    | {"rejected", "guesses_like", "own_like", "at_once"},
    r"copie|copy|question": {"copied", "text_lacks"},
    r"rhyme|invent|mistake": _COMES | {"text_lacks", "rejected"},
    r"passes|tokens": {"tokens_in_passes", "rejections", "rejected", "rejected_first", "whole"},
    r"\bends\b|stops": {"ended"},
    r"\bbegins|starts": {"text_has", "text_begins", "rejected_first"},
    r"every|never|always|all\b|only|none|\bno\b|not\b|most|half|first|second|last|soon|often|seldom|barely|pays|slow|fast": {
        *OF_THE_TEXT,
        *OF_THE_ROUNDS,
    },
}
"""Words that a run can contradict (patterns), each with the kinds of claims that can check it."""
_COUNTS = {
    rf"(?i)\b{name}\b": number
    for number, name in enumerate(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"), 2)
} | {r"(?i)\btwice\b": 2}


def _quoted(hint: str) -> list[str]:
    return re.findall("“(.+?)”", hint)


def _texts(value: object) -> Iterator[str]:
    """Every text in claims, keys of counts included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _numbers(value: object) -> Iterator[float]:
    """Every number in claims, and the lengths of their lists."""
    if isinstance(value, bool):
        return
    if isinstance(value, int | float):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _numbers(each)
    elif isinstance(value, list):
        yield len(value)
        for each in value:
            yield from _numbers(each)


def _within(number: float, bound: Bound) -> bool:
    low, high = bound if isinstance(bound, list) else (bound, bound)
    return low <= number <= high


def _token(run: Trace, token: int) -> str:
    return run.tokens[token].data.decode(errors="replace").strip(" ")


def _rejected(round_: Round) -> list[Drafted]:
    return [drafted for drafted in round_.drafted if drafted.verdict is Verdict.REJECTED]


def _corrections(run: Trace) -> list[Pair]:
    """Every rejected guess of a chain with the target's own token in its place."""
    return [
        [_token(run, _rejected(round_)[0].token), _token(run, round_.closing.token)]
        for round_ in run.rounds
        if round_.closing is not None and _rejected(round_)
    ]


def _siblings(round_: Round, drafted: Drafted) -> list[Drafted]:
    """The rejected tokens that follow the same one."""
    return [each for each in _rejected(round_) if each.parent == drafted.parent]
