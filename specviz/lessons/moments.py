"""Moments and lit parts, as a teacher writes them and as the player needs them."""

import re

from specviz.lessons.lesson import Highlight, LessonMoment, LessonRecording

_ROUND = re.compile(r"round (\d{1,6}), (?:(\d{1,6}) )?([a-z]+)")
_WORDS: dict[str, tuple[str, float]] = {
    "begins": ("draft", 0.0),
    "drafting": ("draft", 0.5),
    "drafted": ("draft", 1.0),
    "verifying": ("verify", 0.5),
    "verified": ("verify", 1.0),
    "judged": ("judge", 1.0),
    "committed": ("commit", 1.0),
}
_NUMBERED = re.compile(r"(slot|why|token) (\d{1,6})")
END = "end"
# The forms of a moment, and the parts of the stage that a step may light, where N and M are numbers from 1: docs/writing-a-lesson.md explains them.
MOMENTS = (
    *("start", "round N, begins", "round N, drafting", "round N, M drafted", "round N, drafted", "round N, verifying"),
    *("round N, verified", "round N, M judged", "round N, judged", "round N, committed", END),
)
LIT = (
    *("prompt", "text", "typist", "editor", "draft row", "target row", "slot N", "token N"),
    *("closing", "why N", "why closing", "figures", "speedup", "rate", "tokens per pass", "accepted"),
    *("caption", "legend", "lanes", "controls", "comparison"),
)


def read_moment(text: str, recording: LessonRecording) -> LessonMoment:
    """The moment of a recording that a lesson's words name. Raises ValueError if it is none of this recording; the
    message says why, without a full stop."""
    rounds = recording.run.rounds
    words = _plain(text)
    if words == "start":
        return LessonMoment(0, "draft" if rounds[0].drafted else "verify", 0.0)
    if words == END:
        return LessonMoment(len(rounds) - 1, "commit", 1.0)
    match = _ROUND.fullmatch(words)
    if match is None or match[3] not in _WORDS or (match[2] and match[3] not in ("drafted", "judged")):
        raise ValueError(f"the moment {text!r:.60} is not known: write one of {'; '.join(MOMENTS)}")
    number, (phase, part) = int(match[1]), _WORDS[match[3]]
    count = int(match[2]) if match[2] else None
    if not 1 <= number <= len(rounds):
        raise ValueError(
            f"the moment {text!r:.60} is not in the recording {recording.name!r}, which has {len(rounds)} rounds"
        )
    round_ = rounds[number - 1]
    if match[3] == "begins" and not round_.drafted:
        return LessonMoment(number - 1, "verify", 0.0)
    most = {"draft": len(round_.drafted), "judge": round_.judged}.get(phase)
    if most is not None and not 1 <= (1 if count is None else count) <= most:
        raise ValueError(
            f"the moment {text!r:.60} is not there: round {number} drafts {len(round_.drafted)} tokens and judges {round_.judged}"
        )
    return LessonMoment(number - 1, phase, part, count)


def shows_whole_text(text: str) -> bool:
    """True for the words of the moment at which a lesson shows the whole text instead of a round."""
    return _plain(text) == END


def _plain(text: str) -> str:
    return " ".join(text.split()).lower()


def read_highlights(
    text: str, moment: LessonMoment | None, recording: LessonRecording | None, *, whole: bool
) -> tuple[Highlight, ...]:
    """The parts that are lit, separated by commas. Raises ValueError if one of them is not a part of the stage, or is
    not there at this moment; `whole`: the whole text is shown then."""
    return tuple(_highlight(" ".join(part.split()), moment, recording, whole) for part in text.split(","))


def _highlight(text: str, moment: LessonMoment | None, recording: LessonRecording | None, whole: bool) -> Highlight:
    if moment is None or recording is None:
        raise ValueError("light needs a moment: add a line such as `moment: round 1, drafted`")
    round_, numbered = recording.run.rounds[moment.round], _NUMBERED.fullmatch(text.lower())
    if numbered is None and (text not in LIT or text.endswith(" N")):
        raise ValueError(f"{text!r:.60} is no part of the stage: light one of {', '.join(LIT)}")
    if numbered is None:
        if text in ("closing", "why closing") and round_.closing is None:
            raise ValueError(
                f"{text!r} is not there: round {moment.round + 1} ends without a token of the target's own"
            )
        return Highlight(text)
    part, number = numbered[1], int(numbered[2])
    most, tokens = len(round_.drafted), len(recording.run.token_ids)
    where = f"round {moment.round + 1} drafts {most} tokens"
    if part == "token":
        most, where = tokens if whole else 0, f"light a token at the moment `end`, from 1 to {tokens}"
    if not 1 <= number <= most:
        raise ValueError(f"{text!r} is not there: {where}")
    return Highlight(part, number)
