"""Figures in the text of a lesson: what stands in braces is read from the recording, and never typed.

`{speedup}`, `{accepted}/{judged}`, `{round 3 accepted}`, `{token 4}`, `{draft 2.1}`, and of another recording of the lesson
`{speedup of story}`. Every figure is one that `specviz.trace.metrics` or the record itself has.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from statistics import median
from typing import TypeVar

from specviz.lessons.labels import token_label
from specviz.lessons.lesson import Recorded
from specviz.reporting.terminal import visible
from specviz.trace.metrics import Summary, speedup, summarise
from specviz.trace.records import Drafted, Round, Top

_T = TypeVar("_T")
_COMMA = ("cs", "da", "de", "el", "es", "fi", "fr", "it", "nb", "nl", "no", "pl", "pt", "ru", "sv", "tr", "uk")
"""Languages that write a comma before the decimals."""
_OF = re.compile(r"(.+) of ([a-z0-9-]+)")
_ROUND = re.compile(r"round (\d{1,6}) ([a-z ]+)")
_TOKEN = re.compile(r"(token|closing) (\d{1,6})")
_SLOT = re.compile(r"(draft probability|target probability|draft|target|p|q|u) (\d{1,6})\.(\d{1,6})")


@dataclass(frozen=True, slots=True)
class Filled:
    """A placeholder's text for the reader, and how it is known.

    Attributes:
        number: its value where it is a number, as it is shown.
        unit: what follows the number: "", "×", "%", "ms".
        token: whether the text is a token, which is shown like one.
        round, slot: where a token is on the stage, from 1; None where it has no such place.
    """

    text: str
    how: str
    number: float | None = None
    unit: str = ""
    token: bool = False
    round: int | None = None
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class _Source:
    """A recording with its summary, and the plain run's."""

    recorded: Recorded
    run: Summary
    plain: Summary | None


@dataclass(frozen=True, slots=True)
class LessonFigure:
    """A figure of a run or of a round: how it is computed, how many decimals are shown, and the sentence that explains it.

    Attributes:
        of: the value, or a text that is shown as it is; raises ValueError where the recording has none.
    """

    of: Callable[[_Source], float | str]
    how: str
    unit: str = ""
    digits: int = 0


def _beside(source: _Source) -> Summary:
    if source.plain is None:
        raise ValueError("the recording has no plain run beside it")
    return source.plain


def _speedup(source: _Source) -> float:
    if source.recorded.plain is None:
        raise ValueError("the recording has no plain run beside it, so nothing is known of a speedup")
    return speedup(source.recorded.plain, source.recorded.run)


def _acceptance(source: _Source) -> float:
    if source.run.acceptance_rate is None:
        raise ValueError("nothing was judged in this run")
    return 100 * source.run.acceptance_rate


def _plain_pass(source: _Source) -> float:
    _beside(source)
    assert source.recorded.plain is not None
    return 1000 * median(round_.verify_s for round_ in source.recorded.plain.rounds)


def _draft_parameters(source: _Source) -> float:
    card = source.recorded.run.card.draft
    if card is None:
        raise ValueError("the run has no draft model")
    return card.parameters / 1e6


_RECORDED = "counted in the recording"
_CLOCK = "on the engine's clock, without the time to read the prompt"
RUN_FIGURES: dict[str, LessonFigure] = {
    "speedup": LessonFigure(_speedup, "plain seconds over this run's seconds for the same number of tokens", "×", 2),
    "tokens": LessonFigure(lambda s: len(s.run.token_ids), f"new tokens, {_RECORDED}"),
    "rounds": LessonFigure(lambda s: s.run.rounds, f"rounds, one pass of the target each, {_RECORDED}"),
    "drafted": LessonFigure(lambda s: s.run.drafted, f"drafted tokens, {_RECORDED}"),
    "judged": LessonFigure(
        lambda s: s.run.judged, f"drafted tokens that were checked, up to a round's first rejection, {_RECORDED}"
    ),
    "accepted": LessonFigure(lambda s: s.run.accepted, f"accepted tokens, {_RECORDED}"),
    "rejected": LessonFigure(lambda s: s.run.judged - s.run.accepted, f"rejected tokens, {_RECORDED}"),
    "discarded": LessonFigure(
        lambda s: s.run.drafted - s.run.judged, f"drafted tokens that got no verdict, {_RECORDED}"
    ),
    "acceptance": LessonFigure(_acceptance, "accepted over checked", " %"),
    "tokens per round": LessonFigure(lambda s: s.run.tokens_per_round, "new tokens over rounds", "", 2),
    "tokens per second": LessonFigure(lambda s: s.run.tokens_per_second, f"new tokens over seconds, {_CLOCK}"),
    "time": LessonFigure(lambda s: 1000 * s.run.seconds, f"all rounds together, {_CLOCK}", " ms"),
    "plain tokens": LessonFigure(lambda s: len(_beside(s).token_ids), f"new tokens of the plain run, {_RECORDED}"),
    "plain rounds": LessonFigure(
        lambda s: _beside(s).rounds, f"passes of the target in the plain run, one for each token, {_RECORDED}"
    ),
    "plain time": LessonFigure(lambda s: 1000 * _beside(s).seconds, f"the plain run, {_CLOCK}", " ms"),
    "plain tokens per second": LessonFigure(
        lambda s: _beside(s).tokens_per_second, f"new tokens of the plain run over its seconds, {_CLOCK}"
    ),
    "plain pass": LessonFigure(_plain_pass, "the median time of one pass over one token, in the plain run", " ms", 1),
    "k": LessonFigure(lambda s: s.recorded.run.settings.k, "the draft length of the run's settings"),
    "temperature": LessonFigure(lambda s: f"{s.recorded.run.settings.temperature:g}", "from the run's settings"),
    "prompt": LessonFigure(lambda s: " ".join(s.recorded.run.prompt.split()), "the run's prompt"),
    "output": LessonFigure(lambda s: " ".join(s.run.text.split()), "the run's new text"),
    "drafter": LessonFigure(lambda s: s.recorded.run.card.drafter.label, "from the recording"),
    "target parameters": LessonFigure(
        lambda s: s.recorded.run.card.target.parameters / 1e6, "parameters of the target model", " M", 1
    ),
    "draft parameters": LessonFigure(_draft_parameters, "parameters of the draft model", " M", 1),
}
"""Placeholders of a whole run."""


_ROUND_FIGURES: dict[str, tuple[Callable[[Round], float], str, str, int]] = {
    "drafted": (lambda r: len(r.drafted), f"drafted tokens of this round, {_RECORDED}", "", 0),
    "judged": (lambda r: r.judged, f"checked tokens of this round, {_RECORDED}", "", 0),
    "accepted": (lambda r: len(r.accepted), f"accepted tokens of this round, {_RECORDED}", "", 0),
    "discarded": (
        lambda r: len(r.drafted) - r.judged,
        f"tokens of this round that got no verdict, {_RECORDED}",
        "",
        0,
    ),
    "tokens": (lambda r: len(r.tokens), f"new tokens of this round, {_RECORDED}", "", 0),
    "time": (lambda r: 1000 * r.seconds, "this round, on the engine's clock", " ms", 1),
    "draft time": (
        lambda r: 1000 * r.draft_s,
        "all passes of the draft in this round, on the engine's clock",
        " ms",
        1,
    ),
    "verify time": (
        lambda r: 1000 * r.verify_s,
        "the target's one pass in this round, on the engine's clock",
        " ms",
        1,
    ),
}
ROUND_NAMES = tuple(_ROUND_FIGURES)
SLOT_FORMS = (
    "draft R.I",
    "target R.I",
    "p R.I",
    "q R.I",
    "u R.I",
    "draft probability R.I",
    "target probability R.I",
    "token N",
    "closing R",
)


class Placeholders:
    """The figures of a lesson's recordings, in the number format of its language."""

    def __init__(self, recordings: Sequence[Recorded], language: str) -> None:
        self._sources = {each.name: _source(each) for each in recordings}
        self._numbers: dict[tuple[str, int | None], list[tuple[str, Filled]]] = {}
        self._comma = language.split("-", maxsplit=1)[0] in _COMMA

    def fill(self, inside: str, default: str | None) -> Filled:
        """What stands between braces, filled.

        Args:
            default: the recording that is meant where the placeholder names none.

        Raises:
            ValueError: there is no such figure; the message says why, without a full stop.
        """
        wanted = " ".join(inside.split())
        named = _OF.fullmatch(wanted)
        if named:
            wanted, default = named[1], named[2]
        if default is None:
            raise ValueError(f"{{{inside}}} needs a recording: name one in the front matter")
        source = self._sources.get(default)
        if source is None:
            raise ValueError(
                f"{{{inside}}} asks for the recording {default!r}, and the lesson has {', '.join(self._sources) or 'none'}"
            )
        try:
            return self._filled(wanted, source)
        except ValueError as error:
            raise ValueError(f"{{{inside}}}: {error}") from None

    def knows(self, inside: str) -> bool:
        """Whether this has the form of a placeholder, whatever the recording holds."""
        bare = _OF.sub(r"\1", " ".join(inside.split()))
        forms = (_TOKEN, _SLOT)
        found = _ROUND.fullmatch(bare)
        return (
            bare in RUN_FIGURES
            or any(form.fullmatch(bare) for form in forms)
            or (found is not None and found[2] in ROUND_NAMES)
        )

    def numbers(self, name: str, round_: int | None) -> list[tuple[str, Filled]]:
        """Every number of a recording, and of one of its rounds (an index), with the placeholder that gives it."""
        known = self._numbers.get((name, round_))
        if known is not None:
            return known
        source = self._sources[name]
        wanted = list(RUN_FIGURES) + ([] if round_ is None else [f"round {round_ + 1} {each}" for each in ROUND_NAMES])
        found = []
        for each in wanted:
            try:
                filled = self._filled(each, source)
            except ValueError:
                continue  # the recording has no such figure
            if filled.number is not None:
                found.append((each, filled))
        self._numbers[name, round_] = found
        return found

    def _filled(self, wanted: str, source: _Source) -> Filled:
        figure = RUN_FIGURES.get(wanted)
        if figure is not None:
            value = figure.of(source)
            if isinstance(value, str):
                return Filled(visible(value, spaces=False), figure.how)
            return self._number(value, figure.digits, figure.unit, figure.how)
        rounds = source.recorded.run.rounds
        if (found := _ROUND.fullmatch(wanted)) and found[2] in _ROUND_FIGURES:
            of, how, unit, digits = _ROUND_FIGURES[found[2]]
            return self._number(of(_nth(rounds, int(found[1]), "round")), digits, unit, how)
        if found := _TOKEN.fullmatch(wanted):
            return _one_token(source.recorded, found[1], int(found[2]))
        if found := _SLOT.fullmatch(wanted):
            number, slot = int(found[2]), int(found[3])
            drafted = _nth(_nth(rounds, number, "round").drafted, slot, f"drafted token in round {number}")
            return self._of_slot(found[1], drafted, source.recorded, number, slot)
        known = [*RUN_FIGURES, *(f"round R {name}" for name in ROUND_NAMES), *SLOT_FORMS]
        near = get_close_matches(wanted, known, 3, 0.5) or ["speedup", "accepted", "token N"]
        raise ValueError(f"there is no such figure; near are {', '.join(near)}, and docs/writing-a-lesson.md lists all")

    def _of_slot(self, what: str, drafted: Drafted, recorded: Recorded, number: int, slot: int) -> Filled:
        label = recorded.run.tokens
        if what == "draft":
            how = f"token {slot} of the draft in round {number}"
            return Filled(token_label(label[drafted.token]), how, token=True, round=number, slot=slot)
        if what == "target":
            token = _most_likely(drafted.target_top)
            how = f"the target's most likely token at slot {slot} of round {number}"
            return Filled(token_label(label[token]), how, token=True, round=number, slot=slot)
        if what in ("p", "q", "u"):
            value = {"p": drafted.target_prob, "q": drafted.draft_prob, "u": drafted.draw}[what]
            if value is None:
                raise ValueError("no random number was drawn there")
            return self._number(value, 2, "", f"{what} of slot {slot} in round {number}, as the rule used it")
        top = drafted.draft_top if what == "draft probability" else drafted.target_top
        if drafted.token not in top.tokens:
            raise ValueError("the recording has no probability of this token")
        share = 100 * top.probabilities[top.tokens.index(drafted.token)]
        whose = "draft" if top is drafted.draft_top else "target"
        how = f"what the {whose} model gave to the token in slot {slot} of round {number}, at temperature 1"
        return self._number(share, 0 if share >= 1 else 2, " %", how)

    def _number(self, value: float, digits: int, unit: str, how: str) -> Filled:
        text = f"{value:.{digits}f}"
        shown = text.replace(".", ",") if self._comma else text
        return Filled(shown + unit.replace(" ", "\u00a0"), how, float(text), unit.strip())


def _source(recorded: Recorded) -> _Source:
    plain = None if recorded.plain is None else summarise(recorded.plain)
    return _Source(recorded, summarise(recorded.run), plain)


def _one_token(recorded: Recorded, what: str, number: int) -> Filled:
    run = recorded.run
    if what == "token":
        token = _nth(run.token_ids, number, "new token")
        return Filled(token_label(run.tokens[token]), f"token {number} of the new text", token=True)
    closing = _nth(run.rounds, number, "round").closing
    if closing is None:
        raise ValueError(f"round {number} ends without a token of the target's own")
    how = f"the target's own token that ends round {number}: {closing.how}"
    return Filled(token_label(run.tokens[closing.token]), how, token=True, round=number)


def _nth(values: Sequence[_T], number: int, what: str) -> _T:
    if not 1 <= number <= len(values):
        raise ValueError(f"there is no {what} {number}; the recording has {len(values)}")
    return values[number - 1]


def _most_likely(top: Top) -> int:
    if not top.tokens:
        raise ValueError("the recording has no alternatives there")
    best = max(range(len(top.tokens)), key=lambda index: (top.rule[index], top.logits[index]))
    return top.tokens[best]
