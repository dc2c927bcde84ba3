"""Figures in the text of a lesson: what stands in braces is read from the recording, and never typed.

`{speedup}`, `{accepted}/{judged}`, `{round 3 accepted}`, `{token 4}`, `{draft 2.1}`, and of another recording of the lesson
`{speedup of story}`. Every figure is one that `specviz.trace.metrics` or the record itself has.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from statistics import median
from typing import Any, TypeVar

from specviz.lessons.lesson import LessonRecording
from specviz.reporting.terminal import token_label, visible
from specviz.trace.metrics import Summary, speedup, summarise
from specviz.trace.records import Drafted, Round, Trace

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
class LessonFigure:
    """A figure of a recording, or of one of its rounds: how it is computed, the sentence that explains it, and how many    decimals are shown, None for as many as it has. `of`: the value, or a text that is shown as it is; raises ValueError where there is none."""

    of: Callable[[Any], float | str]
    how: str
    unit: str = ""
    digits: int | None = 0


def _plain(recording: LessonRecording) -> Trace:
    if recording.plain is None:
        raise ValueError("the recording has no plain run beside it")
    return recording.plain


def _known(value: float | None, missing: str) -> float:
    if value is None:
        raise ValueError(missing)
    return value


def _run_figure(of: Callable[[Summary], float | str], how: str, unit: str = "", digits: int = 0) -> LessonFigure:
    return LessonFigure(lambda recording: of(summarise(recording.run)), how, unit, digits)


def _plain_figure(of: Callable[[Summary], float | str], how: str, unit: str = "") -> LessonFigure:
    return LessonFigure(lambda recording: of(summarise(_plain(recording))), how, unit)


def _expected_tokens(run: Trace) -> float:
    alpha = _known(summarise(run).acceptance_rate, "nothing was judged in this run")
    return sum(alpha**i for i in range(run.settings.k + 1))


_RECORDED = "counted in the recording"
_CLOCK = "on the engine's clock, without the time to read the prompt"
# The placeholders of a whole run.
RUN_FIGURES: dict[str, LessonFigure] = {
    "speedup": LessonFigure(
        lambda r: speedup(_plain(r), r.run),
        "plain seconds over this run's seconds for the same number of tokens",
        "×",
        2,
    ),
    "tokens": _run_figure(lambda run: len(run.token_ids), f"new tokens, {_RECORDED}"),
    "rounds": _run_figure(lambda run: run.rounds, f"rounds, one pass of the target each, {_RECORDED}"),
    "drafted": _run_figure(lambda run: run.drafted, f"drafted tokens, {_RECORDED}"),
    "judged": _run_figure(
        lambda run: run.judged, f"drafted tokens that were checked, up to a round's first rejection, {_RECORDED}"
    ),
    "accepted": _run_figure(lambda run: run.accepted, f"accepted tokens, {_RECORDED}"),
    "rejected": _run_figure(lambda run: run.judged - run.accepted, f"rejected tokens, {_RECORDED}"),
    "discarded": _run_figure(lambda run: run.drafted - run.judged, f"drafted tokens that got no verdict, {_RECORDED}"),
    "acceptance": _run_figure(
        lambda run: 100 * _known(run.acceptance_rate, "nothing was judged in this run"), "accepted over checked", " %"
    ),
    "tokens per round": _run_figure(lambda run: run.tokens_per_round, "new tokens over rounds", "", 2),
    "expected tokens": LessonFigure(
        lambda r: _expected_tokens(r.run),
        "(1 − αᵏ⁺¹) / (1 − α), with the acceptance rate α and the k of this run",
        "",
        2,
    ),
    "tokens per second": _run_figure(lambda run: run.tokens_per_second, f"new tokens over seconds, {_CLOCK}"),
    "time": _run_figure(lambda run: 1000 * run.seconds, f"all rounds together, {_CLOCK}", " ms"),
    "plain tokens": _plain_figure(lambda plain: len(plain.token_ids), f"new tokens of the plain run, {_RECORDED}"),
    "plain rounds": _plain_figure(
        lambda plain: plain.rounds, f"passes of the target in the plain run, one for each token, {_RECORDED}"
    ),
    "plain time": _plain_figure(lambda plain: 1000 * plain.seconds, f"the plain run, {_CLOCK}", " ms"),
    "plain tokens per second": _plain_figure(
        lambda plain: plain.tokens_per_second, f"new tokens of the plain run over its seconds, {_CLOCK}"
    ),
    "plain pass": LessonFigure(
        lambda r: 1000 * median(round_.verify_s for round_ in _plain(r).rounds),
        "the median time of one pass over one token, in the plain run",
        " ms",
        1,
    ),
    "k": LessonFigure(lambda r: r.run.settings.k, "the draft length of the run's settings"),
    "temperature": LessonFigure(lambda r: r.run.settings.temperature, "from the run's settings", digits=None),
    "prompt": LessonFigure(lambda r: " ".join(r.run.prompt.split()), "the run's prompt"),
    "output": LessonFigure(lambda r: " ".join(r.run.text.split()), "the run's new text"),
    "drafter": LessonFigure(lambda r: r.run.card.drafter.label, "from the recording"),
    "target parameters": LessonFigure(
        lambda r: r.run.card.target.parameters / 1e6, "parameters of the target model", " M", 1
    ),
    "draft parameters": LessonFigure(
        lambda r: _known(r.run.card.draft and r.run.card.draft.parameters / 1e6, "the run has no draft model"),
        "parameters of the draft model",
        " M",
        1,
    ),
}
# The placeholders of a round.
ROUND_FIGURES: dict[str, LessonFigure] = {
    "drafted": LessonFigure(lambda r: len(r.drafted), f"drafted tokens of this round, {_RECORDED}"),
    "judged": LessonFigure(lambda r: r.judged, f"checked tokens of this round, {_RECORDED}"),
    "accepted": LessonFigure(lambda r: len(r.accepted), f"accepted tokens of this round, {_RECORDED}"),
    "discarded": LessonFigure(
        lambda r: len(r.drafted) - r.judged, f"tokens of this round that got no verdict, {_RECORDED}"
    ),
    "tokens": LessonFigure(lambda r: len(r.tokens), f"new tokens of this round, {_RECORDED}"),
    "time": LessonFigure(lambda r: 1000 * r.seconds, "this round, on the engine's clock", " ms", 1),
    "draft time": LessonFigure(
        lambda r: 1000 * r.draft_s, "all passes of the draft in this round, on the engine's clock", " ms", 1
    ),
    "verify time": LessonFigure(
        lambda r: 1000 * r.verify_s, "the target's one pass in this round, on the engine's clock", " ms", 1
    ),
}
SLOT_FORMS = [f"{what} R.I" for what in ("draft", "target", "p", "q", "u", "draft probability", "target probability")]
NAMES = [*RUN_FIGURES, *(f"round R {name}" for name in ROUND_FIGURES), *SLOT_FORMS, "token N", "closing R"]


class Placeholders:
    """The figures of a lesson's recordings, in the number format of its language."""

    def __init__(self, recordings: Sequence[LessonRecording], language: str) -> None:
        self._recordings = {recording.name: recording for recording in recordings}
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
        if default not in self._recordings:
            raise ValueError(
                f"{{{inside}}} asks for the recording {default!r}, and the lesson has {', '.join(self._recordings) or 'none'}"
            )
        try:
            return self._filling(name, self._recordings[default])
        except ValueError as error:
            raise ValueError(f"{{{inside}}}: {error}") from None

    def numbers(self, name: str, round_: int | None) -> list[tuple[str, Filling]]:
        """Every number of a recording, and of one of its rounds (an index), with the placeholder that gives it."""
        if (name, round_) not in self._numbers:
            self._numbers[name, round_] = list(self._all_numbers(self._recordings[name], round_))
        return self._numbers[name, round_]

    def _all_numbers(self, recording: LessonRecording, round_: int | None) -> Iterator[tuple[str, Filling]]:
        of_round = [] if round_ is None else [f"round {round_ + 1} {figure}" for figure in ROUND_FIGURES]
        for figure in (*RUN_FIGURES, *of_round):
            with suppress(ValueError):  # the recording has no such figure
                filling = self._filling(figure, recording)
                if filling.number is not None:
                    yield figure, filling

    def _filling(self, name: str, recording: LessonRecording) -> Filling:
        run = recording.run
        if name in RUN_FIGURES:
            return self._figure(RUN_FIGURES[name], recording)
        if (match := _ROUND.fullmatch(name)) and match[2] in ROUND_FIGURES:
            return self._figure(ROUND_FIGURES[match[2]], _nth(run.rounds, int(match[1]), "round"))
        if match := _TOKEN.fullmatch(name):
            return _token(run, match[1], int(match[2]))
        if match := _SLOT.fullmatch(name):
            number, slot = int(match[2]), int(match[3])
            drafted = _nth(_nth(run.rounds, number, "round").drafted, slot, f"drafted token in round {number}")
            return self._of_slot(match[1], drafted, run, number, slot)
        near = get_close_matches(name, NAMES, 3, 0.5) or ["speedup", "accepted", "token N"]
        raise ValueError(f"there is no such figure; near are {', '.join(near)}, and docs/writing-a-lesson.md lists all")

    def _of_slot(self, what: str, drafted: Drafted, run: Trace, number: int, slot: int) -> Filling:
        where = f"slot {slot} of round {number}"
        if what in ("draft", "target"):
            token = drafted.token if what == "draft" else drafted.target_top.most_likely
            how = f"the drafted token in {where}" if what == "draft" else f"the target's most likely token in {where}"
            return Filling(token_label(run.tokens[token]), how, token=True, round=number, slot=slot)
        if what in ("p", "q", "u"):
            value = {"p": drafted.target_prob, "q": drafted.draft_prob, "u": drafted.draw}[what]
            number_drawn = _known(value, "no random number was drawn there")
            return self._number(number_drawn, LessonFigure(float, f"{what} of {where}, as the rule used it", "", 2))
        whose, _ = what.split()
        top = drafted.draft_top if whose == "draft" else drafted.target_top
        if drafted.token not in top.tokens:
            raise ValueError("the recording has no probability of this token")
        share = 100 * top.probabilities[top.tokens.index(drafted.token)]
        how = f"what the {whose} model gave to the token in {where}, at temperature 1"
        return self._number(share, LessonFigure(float, how, " %", 0 if share >= 1 else 2))

    def _figure(self, figure: LessonFigure, source: LessonRecording | Round) -> Filling:
        value = figure.of(source)
        if isinstance(value, str):
            return Filling(visible(value, spaces=False), figure.how)
        return self._number(value, figure)

    def _number(self, value: float, figure: LessonFigure) -> Filling:
        text = f"{value:g}" if figure.digits is None else f"{value:.{figure.digits}f}"
        local = text.replace(".", ",") if self._comma else text
        unit = figure.unit
        return Filling(local + unit.replace(" ", "\u00a0"), figure.how, float(text), unit.strip())


def _token(run: Trace, what: str, number: int) -> Filling:
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
