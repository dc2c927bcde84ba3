"""A machine's cost profile of one pair: what a draft pass and a pass over n tokens cost. Standard library only."""

import json
import math
import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from specviz.errors import ProfileError
from specviz.reporting.files import write_whole

SCHEMA = "specviz.profile/1"
_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Profile:
    """Measured costs at batch 1, in passes of the target over one token.

    Attributes:
        pair: how it was asked for.
        dtype, device: the number format and where it ran.
        processor: the device's own name.
        threads: of torch on the host.
        cache_length: tokens in the cache while the passes were timed.
        pass_s: seconds of a target pass over one token.
        c: a draft pass over a target pass.
        v: pairs of n and the cost of a target pass over n tokens; n rises from 1, where it is 1.
        batch: always 1.

    Raises:
        ValueError: a number that cannot be.
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
            raise ValueError("a cost is not a number above 0")
        if not self.v or self.v[0] != (1, 1.0) or lengths != sorted(set(lengths)):
            raise ValueError("v does not rise from n = 1, where it is 1")
        if self.batch != 1 or self.threads < 1 or self.cache_length < 0:
            raise ValueError("batch, threads or cache length is out of range")

    def v_at(self, n: int) -> float:
        """The cost of a pass over n tokens: on the straight line between two measured lengths, or on the last one's.

        Raises:
            ValueError: n is below 1.
        """
        if n < 1:
            raise ValueError(f"a pass reads at least one token, not {n}")
        if len(self.v) == 1:
            return self.v[0][1]
        place = min(max(bisect_left([length for length, _ in self.v], n), 1), len(self.v) - 1)
        (low, cheap), (high, dear) = self.v[place - 1], self.v[place]
        return cheap + (dear - cheap) * (n - low) / (high - low)

    @property
    def file_name(self) -> str:
        """A name for its file that another pair, number format or device does not share."""
        words = (self.pair, self.dtype, self.device)
        return "profile-" + "-".join(re.sub(r"[^A-Za-z0-9.]+", "_", word) for word in words) + ".json"


def as_json(profile: Profile) -> dict[str, Any]:
    """The profile as the JSON that `from_json` reads."""
    return {"schema": SCHEMA, **asdict(profile), "v": [{"n": n, "cost": cost} for n, cost in profile.v]}


def from_json(value: object) -> Profile:
    """A profile from parsed JSON.

    Raises:
        ProfileError: says in which respect it is none.
    """
    if not isinstance(value, Mapping) or value.get("schema") != SCHEMA:
        raise ProfileError(f"This is no cost profile ({SCHEMA}): measure one with `specviz bench`.")
    try:
        known: dict[str, Any] = {field.name: _read(field.name, value[field.name]) for field in fields(Profile)}
        return Profile(**known)
    except KeyError as error:
        raise ProfileError(f"The cost profile lacks {error.args[0]!r}: measure it anew with `specviz bench`.") from None
    except (TypeError, ValueError, OverflowError) as error:
        raise ProfileError(f"The cost profile is damaged ({error}): measure it anew with `specviz bench`.") from None


def write_profile(folder: Path, profile: Profile) -> Path:
    """Save it in this folder, whole or not at all; returns the file."""
    path = folder / profile.file_name
    write_whole(path, json.dumps(as_json(profile), indent=1, allow_nan=False) + "\n")
    return path


def read_profile(path: Path) -> Profile:
    """Read one back.

    Raises:
        ProfileError: it cannot be read, or is no profile.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise ProfileError(f"The file {str(path)!r} is too large for a cost profile: choose another.")
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ProfileError(
            f"The cost profile {str(path)!r} could not be read ({error!s:.80}): measure one with `specviz bench`."
        ) from None
    return from_json(value)


def _read(name: str, value: object) -> object:
    if name == "v":
        if not isinstance(value, list):
            raise TypeError("v is no list")
        return tuple((_whole("n", point["n"]), _real("cost", point["cost"])) for point in value)
    if name in ("threads", "cache_length", "batch"):
        return _whole(name, value)
    if name in ("pass_s", "c"):
        return _real(name, value)
    if not isinstance(value, str):
        raise TypeError(f"{name} is no text")
    return value


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} is no whole number")
    return value


def _real(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} is no number")
    return float(value)
