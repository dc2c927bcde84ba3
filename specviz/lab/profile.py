"""The cost profile of a machine: what passes of one pair cost on it, alone and for many guests. Standard library only.

A profile can be saved, loaded and shipped. A run priced with it is an estimate and is labelled so; see `specviz.lab.pricing`.
"""

import json
import math
import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from specviz.errors import ProfileError, TraceError
from specviz.reporting.files import write_atomically
from specviz.trace import files

SCHEMA = "specviz.profile/3"
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
class Profile:
    """What passes cost on one machine; at batch 1 in units of a target pass over one token.

    Attributes:
        name: what people call the machine.
        measured_by, measured_on: who measured it, and the date, as an ISO date.
        about: processor, cores, versions, in a sentence.
        pair, models: the pair's name, and those of target and draft.
        dtype, device: the number format, and the device that it ran on.
        threads: torch's threads on the host.
        cache_length: tokens in the cache during the measurement.
        pass_s: seconds of a target pass over one token.
        c: cost of a pass of the pair's draft model.
        v: pairs of n and the cost of a target pass over n tokens; n increases from 1, where the cost is 1.
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
    pair: str
    models: tuple[str, ...]
    dtype: str
    device: str
    threads: int
    cache_length: int
    pass_s: float
    c: float
    v: tuple[tuple[int, float], ...]
    drafters: tuple[tuple[str, float], ...] = ()
    target: tuple[BatchPass, ...] = ()
    draft: tuple[BatchPass, ...] = ()
    disturbed: str = ""

    def __post_init__(self) -> None:
        texts = (self.name, self.measured_by, self.measured_on, self.about, self.disturbed, self.pair, *self.models)
        if not self.name.strip() or any(len(text) > _LONGEST or not text.isprintable() for text in texts):
            raise ValueError(f"a text is missing, longer than {_LONGEST} characters or not printable")
        lengths = [n for n, _ in self.v]
        if not self.v or self.v[0] != (1, 1.0) or lengths != sorted(set(lengths)):
            raise ValueError("the lengths n of v do not increase from n = 1 with cost 1")
        _within("threads", self.threads, 1, _MOST_COUNT)
        _within("a target pass", self.pass_s, *_PASS_S)
        _within("c", self.c, *_C)
        for n, cost in self.v:
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

    @property
    def file_name(self) -> str:
        """The profile's file name, different for every pair, number format and device."""
        words = (self.pair, self.dtype, self.device)
        return "profile-" + "-".join(re.sub(r"[^A-Za-z0-9.]+", "_", word) for word in words) + ".json"

    def v_at(self, n: int) -> float:
        """The cost of a pass over n tokens: linear between measured lengths, and extrapolated from the last two.

        Raises:
            ValueError: n is below 1.
        """
        if n < 1:
            raise ValueError(f"n was {n}: give at least one token.")
        if len(self.v) == 1:
            return self.v[0][1]
        index = min(max(bisect_left([length for length, _ in self.v], n), 1), len(self.v) - 1)
        (low, low_cost), (high, high_cost) = self.v[index - 1], self.v[index]
        return low_cost + (high_cost - low_cost) * (n - low) / (high - low)

    def c_of(self, drafter: str) -> float:
        """The cost of drafting one more token, in passes of the target.

        Raises:
            ProfileError: it was not measured for this drafter.
        """
        known = {"model": self.c, **dict(self.drafters)}
        if drafter not in known:
            raise ProfileError(
                f"The profile of {self.name} has no cost of the drafter {drafter!r}: choose one of {', '.join(known)}."
            )
        return known[drafter]


def as_json(profile: Profile) -> dict[str, Any]:
    """The profile as the JSON that `from_json` reads."""
    return {"schema": SCHEMA, **files.to_json(profile)}


def from_json(value: object) -> Profile:
    """A profile from parsed JSON.

    Raises:
        ProfileError: it is none, or its numbers are absurd; the message says what is.
    """
    if not isinstance(value, Mapping) or value.get("schema") != SCHEMA:
        raise ProfileError(f"This is not a cost profile ({SCHEMA}): make one with `specviz profile`.")
    try:
        rest = {name: each for name, each in value.items() if name != "schema"}
        found: Profile = files.from_json(Profile, rest, "profile")
    except TraceError as error:
        reason = str(error).removeprefix("In the recording, ").rstrip(".")
        raise ProfileError(
            f"The cost profile cannot be right ({reason:.160}): make it again with `specviz profile`."
        ) from None
    return found


def text_of(profile: Profile) -> str:
    """The profile as the text of a file."""
    return json.dumps(as_json(profile), indent=1, allow_nan=False) + "\n"


def write(path: Path, profile: Profile) -> None:
    """Save a profile, completely or not at all."""
    write_atomically(path, text_of(profile))


def read(path: Path) -> Profile:
    """The profile in a file.

    Raises:
        ProfileError: the file cannot be read, or is none.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        raise ProfileError(
            f"The cost profile {str(path)!r} could not be read ({error.strerror}): make one with `specviz profile`."
        ) from None
    return profile_in(data, str(path))


def profile_in(data: bytes, name: str) -> Profile:
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
