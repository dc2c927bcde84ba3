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

from specviz.lessons.lesson import LessonRecording
from specviz.reporting.terminal import token_label, visible
from specviz.trace.metrics import Summary, speedup, summarise
from specviz.trace.records import Drafted, Round

_T = TypeVar("_T")
_DECIMAL_COMMA = ("cs", "da", "de", "el", "es", "fi", "fr", "it", "nb", "nl", "no", "pl", "pt", "ru", "sv", "tr", "uk")
_OF = re.compile(r"(.+) of ([a-z0-9-]+)")
_ROUND = re.compile(r"round (\d{1,6}) ([a-z ]+)")
_TOKEN = re.compile(r"(token|closing) (\d{1,6})")
_SLOT = re.compile(r"(draft probability|target probability|draft|target|p|q|u) (\d{1,6})\.(\d{1,6})")


@dataclass(frozen=True, slots=True)
class Filling:
    """The text in place of a placeholder, and the sentence on how it is known.

    Attributes:
        number: its value where it is a number, as it is shown.
        unit: what follows the number: "", "×", "%", "ms".
        token: whether the text is a token, which is shown like one.
        round, slot: of a token on the stage, from 1; else None.
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

    recording: LessonRecording
    run: Summary
    plain: Summary | None


@dataclass(frozen=True, slots=True)
class LessonFigure:
    """A figure of a run or of a round: how it is computed, how many decimals are shown, and the sentence that explains
    it. `of`: the value, or a text that is shown as it is; raises ValueError where the recording has none."""

    of: Callable[[_Source], float | str]
    how: str
    unit: str = ""
    digits: int = 0


def _plain_summary(source: _Source) -> Summary:
    if source.plain is None:
        raise ValueError("the recording has no plain run beside it")
    return source.plain


def _speedup(source: _Source) -> float:
    if source.recording.plain is None:
        raise ValueError("the recording has no plain run beside it, so nothing is known of a speedup")
    return speedup(source.recording.plain, source.recording.run)


def _acceptance(source: _Source) -> float:
    if source.run.acceptance_rate is None:
        raise ValueError("nothing was judged in this run")
    return 100 * source.run.acceptance_rate


def _plain_pass(source: _Source) -> float:
    _plain_summary(source)
    assert source.recording.plain is not None
    return 1000 * median(round_.verify_s for round_ in source.recording.plain.rounds)


def _draft_parameters(source: _Source) -> float:
    card = source.recording.run.card.draft
    if card is None:
        raise ValueError("the run has no draft model")
    return card.parameters / 1e6


_RECORDED = "counted in the recording"
_CLOCK = "on the engine's clock, without the time to read the prompt"
# The placeholders of a whole run.
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
    "plain tokens": LessonFigure(
        lambda s: len(_plain_summary(s).token_ids), f"new tokens of the plain run, {_RECORDED}"
    ),
    "plain rounds": LessonFigure(
        lambda s: _plain_summary(s).rounds, f"passes of the target in the plain run, one for each token, {_RECORDED}"
    ),
    "plain time": LessonFigure(lambda s: 1000 * _plain_summary(s).seconds, f"the plain run, {_CLOCK}", " ms"),
    "plain tokens per second": LessonFigure(
        lambda s: _plain_summary(s).tokens_per_second, f"new tokens of the plain run over its seconds, {_CLOCK}"
    ),
    "plain pass": LessonFigure(_plain_pass, "the median time of one pass over one token, in the plain run", " ms", 1),
    "k": LessonFigure(lambda s: s.recording.run.settings.k, "the draft length of the run's settings"),
    "temperature": LessonFigure(lambda s: f"{s.recording.run.settings.temperature:g}", "from the run's settings"),
    "prompt": LessonFigure(lambda s: " ".join(s.recording.run.prompt.split()), "the run's prompt"),
    "output": LessonFigure(lambda s: " ".join(s.run.text.split()), "the run's new text"),
    "drafter": LessonFigure(lambda s: s.recording.run.card.drafter.label, "from the recording"),
    "target parameters": LessonFigure(
        lambda s: s.recording.run.card.target.parameters / 1e6, "parameters of the target model", " M", 1
    ),
    "draft parameters": LessonFigure(_draft_parameters, "parameters of the draft model", " M", 1),
}
# The placeholders of a round: value, explanation, unit, decimals.
_ROUND_FIGURES: dict[str, tuple[Callable[[Round], float], str, str, int]] = {
    "drafted": (lambda r: len(r.drafted), f"drafted tokens of this round, {_RECORDED}", "", 0),
    "judged": (lambda r: r.judged, f"checked tokens of this round, {_RECORDED}", "", 0),
    "accepted": (lambda r: len(r.accepted), f"accepted tokens of this round, {_RECORDED}", "", 0),
    "discarded": (lambda r: len(r.drafted) - r.judged, f"tokens of this round that got no verdict, {_RECORDED}", "", 0),
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

    def __init__(self, recordings: Sequence[LessonRecording], language: str) -> None:
        self._sources = {recording.name: _source(recording) for recording in recordings}
        self._numbers: dict[tuple[str, int | None], list[tuple[str, Filling]]] = {}
        self._comma = language.split("-", maxsplit=1)[0] in _DECIMAL_COMMA

    def fill(self, inside: str, default: str | None) -> Filling:
        """The figure that the words in braces name. Raises ValueError if there is no such figure; the message says why,
        without a full stop.

        Args:
            default: the recording that is meant where the placeholder names none.
        """
        name = " ".join(inside.split())
        if match := _OF.fullmatch(name):
            name, default = match[1], match[2]
        if default is None:
            raise ValueError(f"{{{inside}}} needs a recording: name one in the front matter")
        source = self._sources.get(default)
        if source is None:
            raise ValueError(
                f"{{{inside}}} asks for the recording {default!r}, and the lesson has {', '.join(self._sources) or 'none'}"
            )
        try:
            return self._filling(name, source)
        except ValueError as error:
            raise ValueError(f"{{{inside}}}: {error}") from None

    def knows(self, inside: str) -> bool:
        """True for the form of a placeholder, whatever the recording holds."""
        name = _OF.sub(r"\1", " ".join(inside.split()))
        of_round = _ROUND.fullmatch(name)
        return (
            name in RUN_FIGURES
            or any(form.fullmatch(name) for form in (_TOKEN, _SLOT))
            or (of_round is not None and of_round[2] in ROUND_NAMES)
        )

    def numbers(self, name: str, round_: int | None) -> list[tuple[str, Filling]]:
        """Every number of a recording, and of one of its rounds (an index), with the placeholder that gives it."""
        if (numbers := self._numbers.get((name, round_))) is not None:
            return numbers
        source, numbers = self._sources[name], []
        of_round = [] if round_ is None else [f"round {round_ + 1} {figure}" for figure in ROUND_NAMES]
        for figure in (*RUN_FIGURES, *of_round):
            try:
                filling = self._filling(figure, source)
            except ValueError:
                continue  # the recording has no such figure
            if filling.number is not None:
                numbers.append((figure, filling))
        self._numbers[name, round_] = numbers
        return numbers

    def _filling(self, name: str, source: _Source) -> Filling:
        if figure := RUN_FIGURES.get(name):
            value = figure.of(source)
            if isinstance(value, str):
                return Filling(visible(value, spaces=False), figure.how)
            return self._number(value, figure.digits, figure.unit, figure.how)
        rounds = source.recording.run.rounds
        if (match := _ROUND.fullmatch(name)) and match[2] in _ROUND_FIGURES:
            of, how, unit, digits = _ROUND_FIGURES[match[2]]
            return self._number(of(_nth(rounds, int(match[1]), "round")), digits, unit, how)
        if match := _TOKEN.fullmatch(name):
            return _token(source.recording, match[1], int(match[2]))
        if match := _SLOT.fullmatch(name):
            number, slot = int(match[2]), int(match[3])
            drafted = _nth(_nth(rounds, number, "round").drafted, slot, f"drafted token in round {number}")
            return self._of_slot(match[1], drafted, source.recording, number, slot)
        names = [*RUN_FIGURES, *(f"round R {name}" for name in ROUND_NAMES), *SLOT_FORMS]
        near = get_close_matches(name, names, 3, 0.5) or ["speedup", "accepted", "token N"]
        raise ValueError(f"there is no such figure; near are {', '.join(near)}, and docs/writing-a-lesson.md lists all")

    def _of_slot(self, what: str, drafted: Drafted, recording: LessonRecording, number: int, slot: int) -> Filling:
        tokens = recording.run.tokens
        if what == "draft":
            how = f"token {slot} of the draft in round {number}"
            return Filling(token_label(tokens[drafted.token]), how, token=True, round=number, slot=slot)
        if what == "target":
            how = f"the target's most likely token at slot {slot} of round {number}"
            return Filling(
                token_label(tokens[drafted.target_top.most_likely]), how, token=True, round=number, slot=slot
            )
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

    def _number(self, value: float, digits: int, unit: str, how: str) -> Filling:
        text = f"{value:.{digits}f}"
        local = text.replace(".", ",") if self._comma else text
        return Filling(local + unit.replace(" ", "\u00a0"), how, float(text), unit.strip())


def _source(recording: LessonRecording) -> _Source:
    plain = None if recording.plain is None else summarise(recording.plain)
    return _Source(recording, summarise(recording.run), plain)


def _token(recording: LessonRecording, what: str, number: int) -> Filling:
    run = recording.run
    if what == "token":
        token = _nth(run.token_ids, number, "new token")
        return Filling(token_label(run.tokens[token]), f"token {number} of the new text", token=True)
    closing = _nth(run.rounds, number, "round").closing
    if closing is None:
        raise ValueError(f"round {number} ends without a token of the target's own")
    how = f"the target's own token that ends round {number}: {closing.how}"
    return Filling(token_label(run.tokens[closing.token]), how, token=True, round=number)


def _nth(values: Sequence[_T], number: int, what: str) -> _T:
    if not 1 <= number <= len(values):
        raise ValueError(f"there is no {what} {number}; the recording has {len(values)}")
    return values[number - 1]
