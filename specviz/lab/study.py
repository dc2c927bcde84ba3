"""The studies as page and engine process speak of them: what is asked, and what was found so far. Standard library only.

A study is one question: the best k of a prompt, the acceptance of kinds of text or of a person's own text, the drafts of a target, what
passes cost on this machine, and a simulated server. Every report replaces the one before. A study can be requested part by part: each
part is told what those before it found.
"""

import json
from dataclasses import dataclass
from typing import Any

from specviz.decoding.drafters import registry
from specviz.errors import InputError
from specviz.lab.frontier import DraftCandidate
from specviz.lab.profile import BatchPass, Profile
from specviz.lab.rows import MeasuredRow, flat
from specviz.lab.service import Served
from specviz.lab.strip import KindOfText
from specviz.reporting.prompts import ReadyPrompt
from specviz.settings import MAX_DRAFT_LENGTH, Settings
from specviz.trace.conditions import Conditions
from specviz.trace.files import from_json, to_json

NAME = "study"
"""The task's name in `specviz.engine`."""
USUAL_LENGTHS = (1, 2, 3, 4, 5, 6, 8, 12)


# ------------------------------------------------------------------ the best k


@dataclass(frozen=True, slots=True)
class BestK:
    """DraftCandidate lengths of one prompt, predicted and measured; complete, or as far as it went.

    Attributes:
        how: how the predictions came about.
        predicted: speedup by k.
        measured: the runs by k.
        cost_aware: the run with the policy that stops where a token does not pay; None for a drafter that has no such policy, and before it.
        costs: the conditions under which the costs of passes were measured that the predictions need; None where that is not known.
        machine: where it was measured, in a few words.
    """

    how: str
    predicted: dict[int, float]
    measured: dict[int, MeasuredRow]
    cost_aware: MeasuredRow | None
    costs: Conditions | None = None
    machine: str = ""

    @property
    def best_predicted(self) -> int | None:
        """The k with the highest predicted speedup, of equal ones the smallest; None without one."""
        return min(self.predicted, key=lambda k: (-self.predicted[k], k), default=None)

    @property
    def best_measured(self) -> int | None:
        """The measured k with the highest speedup that is trusted; None without one."""
        trusted = {k: row.speedup.median for k, row in self.measured.items() if row.trusted}
        return min(trusted, key=lambda k: (-trusted[k], k), default=None)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain JSON values."""
        return {**flat(self), "best_predicted": self.best_predicted, "best_measured": self.best_measured}


def lengths_of(text: str) -> tuple[int, ...]:
    """DraftCandidate lengths from a text like "1,2,4".

    Raises:
        InputError: it has none, or one that cannot be.
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and 1 <= int(part[:9]) <= MAX_DRAFT_LENGTH for part in parts):
        raise InputError(
            f"lengths was {text!r:.60}: give draft lengths from 1 to {MAX_DRAFT_LENGTH}, separated by commas."
        )
    return tuple(sorted({int(part) for part in parts}))


@dataclass(frozen=True, slots=True)
class BestKAsked:
    """Every length is measured so many times, in turn with plain decoding."""

    prompt: ReadyPrompt
    settings: Settings
    lengths: tuple[int, ...]
    repeats: int
    template: bool


# ------------------------------------------------------------------ kinds of text


@dataclass(frozen=True, slots=True)
class TextsAsked:
    """Acceptance over texts: what the target writes after these prompts, kind by kind; or a person's own text.

    Attributes:
        own: a person's text; "" for the prompts.
        most: tokens of the own text that are read at most.
    """

    settings: Settings
    template: bool
    prompts: tuple[ReadyPrompt, ...] = ()
    own: str = ""
    most: int = 2000


@dataclass(frozen=True, slots=True)
class TextsFound:
    """What was found so far.

    Attributes:
        begins: of an own text, its first token: nothing stands before it, so that it has no acceptance. Untrusted.
        cut: whether the own text has more tokens than were read.
    """

    kinds: tuple[KindOfText, ...]
    begins: str
    cut: bool
    machine: str


# ------------------------------------------------------------------ drafts


@dataclass(frozen=True, slots=True)
class DraftsAsked:
    """The drafts of a target, and its trained heads, on these prompts.

    Attributes:
        pair: the pair's name; None for one without a name.
        heads: the kinds of trained heads that the target has.
    """

    pair: str | None
    heads: tuple[str, ...]
    prompts: tuple[ReadyPrompt, ...]
    settings: Settings
    repeats: int
    template: bool


@dataclass(frozen=True, slots=True)
class Level:
    """A line of equal speedup at the best k: points (c, α)."""

    label: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class DraftsFound:
    """What was found so far.

    Attributes:
        prompts: on how many prompts so far.
        left_out: why others cannot draft here, a sentence each.
        costs: the conditions under which the costs of the target's passes were measured.
        rows: the runs behind the figures.
    """

    drafts: tuple[DraftCandidate, ...]
    levels: tuple[Level, ...]
    prompts: int
    left_out: tuple[str, ...]
    costs: Conditions
    machine: str
    rows: tuple[MeasuredRow, ...] = ()


# ------------------------------------------------------------------ a machine, and a server


@dataclass(frozen=True, slots=True)
class ProfileAsked:
    """What passes cost here; see `specviz.lab.profiling`."""

    name: str
    by: str
    sweeps: int
    limit_s: float


@dataclass(frozen=True, slots=True)
class ServerAsked:
    """A simulated server at several arrival rates.

    Attributes:
        target, draft: measured passes over several texts.
        rates: requests a second.
        kinds, alphas: the kinds of text that come, and the α of each.
        tokens, requests, k, room, seed: as in `specviz.lab.service.Load`.
    """

    target: tuple[BatchPass, ...]
    draft: tuple[BatchPass, ...]
    rates: tuple[float, ...]
    kinds: tuple[str, ...]
    alphas: tuple[float, ...]
    tokens: int
    requests: int
    k: int
    room: int
    seed: int = 0


@dataclass(frozen=True, slots=True)
class AtRate:
    """One way to serve, at one arrival rate; simulated."""

    rate: float
    served: Served


@dataclass(frozen=True, slots=True)
class ServerFound:
    """What was simulated so far."""

    rows: tuple[AtRate, ...]


# ------------------------------------------------------------------ as JSON

_PART = "StudyPart"
Asked = BestKAsked | TextsAsked | DraftsAsked | ProfileAsked | ServerAsked
Found = BestK | TextsFound | DraftsFound | Profile | ServerFound
_ASKED: dict[str, type[Asked]] = {
    kind.__name__: kind for kind in (BestKAsked, TextsAsked, DraftsAsked, ProfileAsked, ServerAsked)
}
_FOUND: dict[str, type[Found]] = {
    kind.__name__: kind for kind in (BestK, TextsFound, DraftsFound, Profile, ServerFound)
}


@dataclass(frozen=True, slots=True)
class StudyPart:
    """The next part of a study: one draft length, kind of text, prompt or arrival rate.

    Attributes:
        found: what the parts before it found; None before the first.
        sitting: parts with the same word share what was measured for all of them, as long as the models stay loaded.
    """

    asked: Asked
    found: Found | None
    sitting: str


def parts(wanted: Asked) -> int:
    """How many parts a study has."""
    match wanted:
        case BestKAsked():
            return len(wanted.lengths) + ("cost" in registry.describe(wanted.settings.drafter).policies)
        case TextsAsked():
            return 1 if wanted.own else len({each.category for each in wanted.prompts})
        case DraftsAsked():
            return len(wanted.prompts)
        case ProfileAsked():
            return 1
        case ServerAsked():
            return len(wanted.rates)


def made(known: Found | None) -> int:
    """How many parts are over whose findings these are."""
    match known:
        case None:
            return 0
        case BestK():
            return len(known.measured) + (known.cost_aware is not None)
        case TextsFound():
            return len(known.kinds)
        case DraftsFound():
            return known.prompts
        case Profile():
            return 1
        case ServerFound():
            return len({each.rate for each in known.rows})


def part(wanted: StudyPart) -> str:
    """The request of a part as JSON text."""
    before = None if wanted.found is None else written(wanted.found)
    return json.dumps({_PART: {"asked": written(wanted.asked), "found": before, "sitting": wanted.sitting}})


def part_in(text: str) -> StudyPart | None:
    """The part that was written; None where the text asks for a complete study.

    Raises:
        InputError, TraceError: it is no study, or is damaged.
    """
    name, value = _one(text)
    if name != _PART:
        return None
    if not isinstance(value, dict) or not all(isinstance(value.get(each), str) for each in ("asked", "sitting")):
        raise InputError("What was asked for is no part of a study: ask for one with what its parts before found.")
    before = value.get("found")
    return StudyPart(asked(value["asked"]), None if before is None else found(str(before)), value["sitting"])


def written(record: Asked | Found) -> str:
    """A record as JSON text."""
    return json.dumps({type(record).__name__: to_json(record)}, allow_nan=False)


def asked(text: str) -> Asked:
    """The record that was written.

    Raises:
        InputError: it is no study.
        TraceError: it is damaged.
    """
    name, value = _one(text)
    if name not in _ASKED:
        raise InputError(f"There is no study {name!r:.40}: ask for one of {', '.join(_ASKED)}.")
    found: Asked = from_json(_ASKED[name], value, name)
    return found


def found(text: str) -> Found:
    """The record that was written.

    Raises:
        InputError: it is no report of a study.
        TraceError: it is damaged.
    """
    name, value = _one(text)
    if name not in _FOUND:
        raise InputError(f"There is no study that reports {name!r:.40}.")
    known: Found = from_json(_FOUND[name], value, name)
    return known


def _one(text: str) -> tuple[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict) or len(value) != 1:
        raise InputError("What was asked for is no study: ask for one of them by its name.")
    return next(iter(value.items()))
