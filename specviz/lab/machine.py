"""The cost profile of a machine: what passes of one pair cost on it, alone and for many guests. Standard library only.

A profile can be saved, loaded and shipped. A run priced with it is an estimate and is labelled so; see `specviz.lab.pricing`.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from specviz.bench import profile as alone
from specviz.bench.profile import Profile
from specviz.errors import ProfileError
from specviz.reporting.files import write_atomically

SCHEMA = "specviz.profile/2"
_MAX_BYTES = 1_000_000
_LONGEST = 200
_PASS_S = (1e-7, 1000.0)
_C = (1e-9, 100.0)
_MOST_FOR_A_TOKEN = 20.0
"""A pass over n tokens costs less than this many times n passes."""
_LEAST_OF_ONE = 0.2
"""And no less than this share of a pass over one."""
_MOST_COUNT = 4096


@dataclass(frozen=True, slots=True)
class BatchPass:
    """Passes over `tokens` tokens of each of `guests` texts: median seconds."""

    guests: int
    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class MachineProfile:
    """What passes cost on one machine.

    Attributes:
        name: what people call the machine.
        measured_by, measured_on: who measured it, and the date, as an ISO date.
        about: processor, cores, versions, in a sentence.
        alone: costs at batch 1; its c is a pass of the pair's draft model.
        models: the names of target and draft; empty where only the pair's name is known.
        drafters: c of further drafters by name, 0 for those that make no pass.
        target, draft: passes over several texts; empty where they were not measured.
        disturbed: why the figures cannot be trusted; "" where they can.

    Raises:
        ValueError: a number that no machine has.
    """

    name: str
    measured_by: str
    measured_on: str
    about: str
    alone: Profile
    models: tuple[str, ...] = ()
    drafters: tuple[tuple[str, float], ...] = ()
    target: tuple[BatchPass, ...] = ()
    draft: tuple[BatchPass, ...] = ()
    disturbed: str = ""

    def __post_init__(self) -> None:
        about = (self.name, self.measured_by, self.measured_on, self.about, self.disturbed)
        texts = (*about, self.alone.processor, *self.models)
        if not self.name.strip() or any(len(text) > _LONGEST or not text.isprintable() for text in texts):
            raise ValueError(f"a text is missing, longer than {_LONGEST} characters or not printable")
        _within("a target pass", self.alone.pass_s, *_PASS_S)
        _within("c", self.alone.c, *_C)
        for n, cost in self.alone.v:
            _within("the number of tokens", n, 1, _MOST_COUNT)
            _within(f"the cost of a pass over {n} tokens", cost, _LEAST_OF_ONE, _MOST_FOR_A_TOKEN * n)
        for name, c in self.drafters:
            _within(f"c of {name:.40}", c, 0, _C[1])
        for each in (*self.target, *self.draft):
            _within("guests", each.guests, 1, _MOST_COUNT)
            _within("tokens", each.tokens, 1, _MOST_COUNT)
            _within("a pass over several texts", each.seconds, *_PASS_S)

    @property
    def label(self) -> str:
        """What every figure that was priced with it says."""
        return f"priced with the profile of {self.name}"

    def c_of(self, drafter: str) -> float:
        """The cost of drafting one more token, in passes of the target.

        Raises:
            ProfileError: it was not measured for this drafter.
        """
        known = {"model": self.alone.c, **dict(self.drafters)}
        if drafter not in known:
            raise ProfileError(
                f"The profile of {self.name} has no cost of the drafter {drafter!r}: choose one of {', '.join(known)}."
            )
        return known[drafter]


def as_json(profile: MachineProfile) -> dict[str, Any]:
    """The profile as the JSON that `from_json` reads."""
    inner = alone.as_json(profile.alone)
    return {
        "schema": SCHEMA,
        **{name: getattr(profile, name) for name in ("name", "measured_by", "measured_on", "about", "disturbed")},
        "alone": inner,
        "models": list(profile.models),
        "drafters": dict(profile.drafters),
        "target": [asdict(each) for each in profile.target],
        "draft": [asdict(each) for each in profile.draft],
    }


def from_json(value: object) -> MachineProfile:
    """A profile from parsed JSON; also one of `specviz bench`, which knows nothing of several texts.

    Raises:
        ProfileError: it is none, or its numbers are absurd; the message says what is.
    """
    try:
        if isinstance(value, Mapping) and value.get("schema") == alone.SCHEMA:
            bare = alone.from_json(value)
            return MachineProfile(
                bare.processor, "specviz bench", "", f"{bare.threads} thread{'s' * (bare.threads > 1)}", bare
            )
        if not isinstance(value, Mapping) or value.get("schema") != SCHEMA:
            raise ProfileError(f"This is not a cost profile ({SCHEMA}): make one with `specviz profile`.")
        texts = {name: _text(value[name]) for name in ("name", "measured_by", "measured_on", "about", "disturbed")}
        return MachineProfile(
            **texts,
            alone=alone.from_json(value["alone"]),
            models=tuple(_text(name) for name in value["models"]),
            drafters=tuple((_text(name), _number(c)) for name, c in value["drafters"].items()),
            target=_passes(value["target"]),
            draft=_passes(value["draft"]),
        )
    except KeyError as error:
        raise ProfileError(
            f"The cost profile lacks {error.args[0]!r:.60}: make it again with `specviz profile`."
        ) from None
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise ProfileError(
            f"The cost profile cannot be right ({error!s:.160}): make it again with `specviz profile`."
        ) from None


def write(path: Path, profile: MachineProfile) -> None:
    """Save a profile, completely or not at all."""
    write_atomically(path, json.dumps(as_json(profile), indent=1, allow_nan=False) + "\n")


def read(path: Path) -> MachineProfile:
    """The profile in a file.

    Raises:
        ProfileError: the file cannot be read, or is none.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise ProfileError(f"The file {str(path)!r} is too large for a cost profile: choose another file.")
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ProfileError(
            f"The cost profile {str(path)!r} could not be read ({error!s:.80}): make one with `specviz profile`."
        ) from None
    return from_json(value)


def profile_in(data: bytes, name: str) -> MachineProfile:
    """The profile in the bytes of a file.

    Raises:
        ProfileError: it is none.
    """
    if len(data) > _MAX_BYTES:
        raise ProfileError(f"The file {name!r:.80} is too large for a cost profile: choose another file.")
    try:
        value = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise ProfileError(
            f"The file {name!r:.80} is no cost profile: make one with `specviz profile` or on this page."
        ) from None
    return from_json(value)


def _within(what: str, value: float, low: float, high: float) -> None:
    if not (math.isfinite(value) and low <= value <= high):
        raise ValueError(f"{what} was {value:g}, and no machine is outside {low:g} to {high:g}")


def _passes(value: object) -> tuple[BatchPass, ...]:
    if not isinstance(value, list):
        raise TypeError("the passes over several texts are not a list")
    return tuple(BatchPass(_count(each["guests"]), _count(each["tokens"]), _number(each["seconds"])) for each in value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is not a text")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r:.40} is not a number")
    return float(value)


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r:.40} is not a whole number")
    return value
