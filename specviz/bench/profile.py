"""A machine's cost profile of one pair: the cost of a draft pass and of target passes over n tokens. Standard library only."""

import json
import math
import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from specviz.errors import ProfileError
from specviz.reporting.files import write_atomically

SCHEMA = "specviz.profile/1"
_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Profile:
    """Measured costs at batch 1, in units of a target pass over one token.

    Attributes:
        pair: the pair's name.
        dtype, device: the number format, and the device that it ran on.
        processor: the name of the device's processor.
        threads: torch's threads on the host.
        cache_length: tokens in the cache during the measurement.
        pass_s: seconds of a target pass over one token.
        c: cost of a draft pass.
        v: pairs of n and the cost of a target pass over n tokens; n increases from 1, where the cost is 1.
        batch: always 1.

    Raises:
        ValueError: a value is out of range.
    """

    pair: str
    dtype: str
    device: str
    processor: str
    threads: int
    cache_length: int
    pass_s: float
    c: float
    v: tuple[tuple[int, float], ...]
    batch: int = 1

    def __post_init__(self) -> None:
        lengths = [n for n, _ in self.v]
        costs = (self.pass_s, self.c, *(cost for _, cost in self.v))
        if not all(math.isfinite(cost) and cost > 0 for cost in costs):
            raise ValueError("a cost is not a finite number above 0")
        if not self.v or self.v[0] != (1, 1.0) or lengths != sorted(set(lengths)):
            raise ValueError("the lengths n of v do not increase from n = 1 with cost 1")
        if self.batch != 1 or self.threads < 1 or self.cache_length < 0:
            raise ValueError("batch, threads or cache_length is out of range")

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

    @property
    def file_name(self) -> str:
        """The profile's file name, different for every pair, number format and device."""
        words = (self.pair, self.dtype, self.device)
        return "profile-" + "-".join(re.sub(r"[^A-Za-z0-9.]+", "_", word) for word in words) + ".json"


def as_json(profile: Profile) -> dict[str, Any]:
    """The profile as the JSON that `from_json` reads."""
    return {"schema": SCHEMA, **asdict(profile), "v": [{"n": n, "cost": cost} for n, cost in profile.v]}


def from_json(value: object) -> Profile:
    """A profile from parsed JSON.

    Raises:
        ProfileError: it is not a valid profile; the message names the fault.
    """
    if not isinstance(value, Mapping) or value.get("schema") != SCHEMA:
        raise ProfileError(f"This is not a cost profile ({SCHEMA}): measure one with `specviz bench`.")
    try:
        known: dict[str, Any] = {field.name: _read(field.name, value[field.name]) for field in fields(Profile)}
        return Profile(**known)
    except KeyError as error:
        raise ProfileError(
            f"The cost profile lacks {error.args[0]!r}: measure it again with `specviz bench`."
        ) from None
    except (TypeError, ValueError, OverflowError) as error:
        raise ProfileError(f"The cost profile is damaged ({error}): measure it again with `specviz bench`.") from None


def write_profile(folder: Path, profile: Profile) -> Path:
    """Save the profile in this folder, completely or not at all; returns the file."""
    path = folder / profile.file_name
    write_atomically(path, json.dumps(as_json(profile), indent=1, allow_nan=False) + "\n")
    return path


def read_profile(path: Path) -> Profile:
    """The profile in a file.

    Raises:
        ProfileError: the file cannot be read, or is not a profile.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise ProfileError(f"The file {str(path)!r} is too large for a cost profile: choose another file.")
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ProfileError(
            f"The cost profile {str(path)!r} could not be read ({error!s:.80}): measure one with `specviz bench`."
        ) from None
    return from_json(value)


def _read(name: str, value: object) -> object:
    if name == "v":
        if not isinstance(value, list):
            raise TypeError("v is not a list")
        return tuple((_integer("n", point["n"]), _number("cost", point["cost"])) for point in value)
    if name in ("threads", "cache_length", "batch"):
        return _integer(name, value)
    if name in ("pass_s", "c"):
        return _number(name, value)
    if not isinstance(value, str):
        raise TypeError(f"{name} is not a string")
    return value


def _integer(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} is not an integer")
    return value


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} is not a number")
    return float(value)
