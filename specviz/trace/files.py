"""Recordings as JSON, schema specviz.trace/2, and back: one format for the player, for files and for exported pages.

A recording is one or more traces: {"schema": "specviz.trace/2", "traces": [...]}. The JSON has the shape of the
records, field by field; bytes are base64. The reader checks every field; an error names the path of the
field and the reason. A few fields may be left out if they have their default; `OPTIONAL` lists them. Standard library only.
"""

import base64
import json
import math
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, partial
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from specviz.errors import SpecvizError, TraceError, brief
from specviz.folders import checked
from specviz.settings import Settings
from specviz.trace.cards import DrafterCard, ModelCard, PairCard
from specviz.trace.records import SCHEMA, ClosingToken, Drafted, Match, Round, Trace

MAX_BYTES = 20_000_000
# A file with the votes of a room, and perhaps a recording, which is read like one of its own.
ROOM_SCHEMA = "specviz.room/1"
MAX_DRAFTED = 4096  # no round drafts this many tokens; the check of a round takes more than linear time


def dump(traces: Iterable[Trace]) -> dict[str, Any]:
    """A recording as plain JSON values."""
    return {"schema": SCHEMA, "traces": [to_json(trace) for trace in traces]}


def dumps(traces: Iterable[Trace]) -> str:
    """A recording as JSON text, ASCII only, so that the encoding cannot matter. Raises TraceError if a recorded number
    is not finite."""
    try:
        return json.dumps(dump(traces), separators=(",", ":"), allow_nan=False)
    except ValueError as error:
        raise TraceError(
            "The recording contains a number that is not finite, so it cannot be saved: run it again."
        ) from error


def loads(text: str | bytes) -> tuple[Trace, ...]:
    """Read a recording. Raises TraceError, which names the field that does not follow the schema, and the reason."""
    if len(text) > MAX_BYTES:
        raise TraceError(
            f"The recording has {len(text) / 1e6:.1f} MB, more than the limit of {MAX_BYTES / 1e6:.0f} MB: open a shorter one."
        )
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except RecursionError as error:
        raise TraceError("The recording is nested too deeply: save it again.") from error
    except ValueError as error:
        raise TraceError(f"The recording is not valid JSON ({brief(error)}): save it again.") from error
    return load(value)


def load(value: Any) -> tuple[Trace, ...]:
    """Read a recording from plain JSON values. Raises TraceError as `loads`."""
    if not isinstance(value, dict):
        raise _mismatch("the file", "an object", value)
    if value.get("schema") == ROOM_SCHEMA:
        value = value.get("recording")
        if not isinstance(value, dict):
            raise TraceError("The file has the votes of a room and no recording: open one that was saved with its run.")
    schema = value.get("schema")
    if schema is None:
        raise TraceError("The file is no recording of specviz: it names no schema. Open one that specviz has saved.")
    if schema != SCHEMA:
        raise TraceError(
            f"The recording has the schema {_show(schema)}, but only {SCHEMA!r} can be read: open one that this version of specviz has saved."
        )
    unknown = next((key for key in value if key not in ("schema", "traces")), None)
    if unknown is not None:
        raise TraceError(f"In the recording, {_show(unknown)} is unknown.")
    traces = value.get("traces")
    if not isinstance(traces, list) or not traces:
        raise TraceError("The recording has no traces: it needs a list of at least one.")
    return tuple(from_json(Trace, trace, f"traces[{i}]") for i, trace in enumerate(traces))


def read_file(path: str | Path) -> tuple[Trace, ...]:
    """Read a recording from a file. Raises TraceError if the file cannot be opened, or does not follow the schema."""
    return loads(content_of(path))


def content_of(path: str | Path) -> bytes:
    """The bytes of a file that may be a recording. Raises TraceError if it cannot be opened, or is too large."""
    try:
        return checked(Path(path), MAX_BYTES).read_bytes()
    except (OSError, ValueError) as error:
        raise TraceError(
            f"The recording {path!s} could not be opened ({brief(error)}): choose another file."
        ) from error


def write_file(path: str | Path, traces: Iterable[Trace]) -> None:
    """Write a recording. Raises TraceError if the file cannot be written."""
    text = dumps(traces)
    try:
        Path(path).write_text(text, encoding="ascii")
    except (OSError, ValueError) as error:
        raise TraceError(
            f"The recording {path!s} could not be written ({brief(error)}): choose another file."
        ) from error


def to_json(value: Any) -> Any:
    """Records as plain JSON values."""
    if is_dataclass(value) and not isinstance(value, type):
        optional = {} if type(value) is Settings else _optional(type(value))
        parts = {name: getattr(value, name) for name in _hints(type(value))}
        return {name: to_json(part) for name, part in parts.items() if name not in optional or part != optional[name]}
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {str(key): to_json(item) for key, item in value.items()}
    return value


# The fields that may be left out if they have their default. Settings are always written in full, so that a reader needs no defaults.
OPTIONAL: dict[type, tuple[str, ...]] = {
    Drafted: ("draft_top", "target_top", "confidence", "bound"),
    ClosingToken: ("residual_top",),
    Round: ("source", "source_text", "match", "allowed"),
    Trace: ("earlier", "plan"),
    Match: ("occurrences", "followed"),
    DrafterCard: ("layers", "taps"),
    ModelCard: ("revision", "weights"),
    PairCard: ("notes",),
    Settings: ("drafter", "nodes", "children", "policy", "threshold", "rule", "lenience", "shared_noise"),
}
# Fields that recordings of earlier versions may have; they are not read.
FORMER: dict[type, frozenset[str]] = {Round: frozenset({"own"})}


@cache
def _optional(kind: type) -> dict[str, Any]:
    """The fields of a record that may be left out, each with its default."""
    names = OPTIONAL.get(kind, ())
    return {f.name: f.default for f in fields(kind) if f.name in names}


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def from_json(kind: Any, value: Any, where: str) -> Any:
    """Read one value of an annotated type: a record, a tuple, an optional or plain value. Raises TraceError if the
    value is not of this type.

    Args:
        kind: the type, as a field of a record is annotated.
        where: the path of the value, which every error names.
    """
    return _reader(kind)(value, where)


@cache
def _reader(kind: Any) -> Callable[[Any, str], Any]:
    """The reader of this type; made once for each, since a recording has tens of thousands of values."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        some = _reader(next(k for k in inner if k is not NoneType))
        return (lambda value, where: None if value is None else some(value, where)) if NoneType in inner else some
    if origin is tuple:
        return partial(_read_tuple, inner)
    if origin is dict:
        return partial(_read_table, inner[1])
    if is_dataclass(kind):
        return partial(_read_record, kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return partial(_read_enum, kind)
    return partial(_read_plain, kind)


def _read_record(kind: Any, value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise _mismatch(where, "an object", value)
    hints, optional = _hints(kind), _optional(kind)
    if value.keys() != hints.keys():
        missing = sorted(hints.keys() - value.keys() - optional.keys())
        if missing:
            raise TraceError(f"In the recording, {where}.{missing[0]} is missing.")
        unknown = value.keys() - hints.keys() - FORMER.get(kind, frozenset())
        if unknown:
            raise TraceError(f"In the recording, {where} contains {_show(next(iter(unknown)))}, which is unknown.")
    if kind is Round and isinstance(value["drafted"], list) and len(value["drafted"]) > MAX_DRAFTED:
        raise TraceError(f"In the recording, {where} drafts more than {MAX_DRAFTED} tokens, which no round does.")
    parts = {name: from_json(hint, value[name], f"{where}.{name}") for name, hint in hints.items() if name in value}
    try:
        return kind(**parts)
    except (ValueError, SpecvizError) as error:
        raise TraceError(f"In the recording, {where} is invalid: {brief(error, 300)}.") from error


def _read_tuple(inner: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise _mismatch(where, "a list", value)
    if len(inner) == 2 and inner[1] is Ellipsis:
        read = _reader(inner[0])
        return tuple(read(item, f"{where}[{i}]") for i, item in enumerate(value))
    if len(value) != len(inner):
        raise _mismatch(where, f"a list of {len(inner)}", value)
    return tuple(from_json(k, item, f"{where}[{i}]") for i, (k, item) in enumerate(zip(inner, value, strict=True)))


def _read_table(kind: Any, value: Any, where: str) -> dict[int, Any]:
    if not isinstance(value, dict):
        raise _mismatch(where, "an object", value)
    table = {}
    for key, item in value.items():
        if not (isinstance(key, str) and TOKEN_ID.fullmatch(key)):
            raise _mismatch(where, "token ids as keys", key)
        table[int(key)] = from_json(kind, item, f"{where}.{key}")
    return table


def _read_enum(kind: type[Enum], value: Any, where: str) -> Enum:
    try:
        return kind(value)
    except (ValueError, TypeError) as error:
        raise _mismatch(where, "one of " + ", ".join(str(k.value) for k in kind), value) from error


def _read_plain(kind: Any, value: Any, where: str) -> Any:
    types, read, expected = _PLAIN[kind]
    with suppress(ValueError, OverflowError):
        if isinstance(value, types) and isinstance(value, bool) == (kind is bool):
            return read(value)
    raise _mismatch(where, expected, value)


def _whole(value: int) -> int:
    if abs(value) >= 2**63:
        raise ValueError
    return value


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError
    return float(value)


def _text(value: str) -> str:
    value.encode()  # fails for half a surrogate pair, which can be neither shown nor saved
    return value


# The JSON types of a plain value, how it is read, and what it is called. A reader raises ValueError or OverflowError.
_PLAIN: dict[Any, tuple[tuple[type, ...], Callable[[Any], Any], str]] = {
    int: ((int,), _whole, "a whole number"),
    float: ((int, float), _finite, "a number"),
    bool: ((bool,), bool, "true or false"),
    str: ((str,), _text, "a text"),
    bytes: ((str,), partial(base64.b64decode, validate=True), "bytes in base64"),
}
TOKEN_ID = re.compile("0|[1-9][0-9]{0,8}")


def _mismatch(where: str, expected: str, value: Any) -> TraceError:
    return TraceError(f"In the recording, {where} must be {expected}, not {_show(value)}.")


def _show(value: Any) -> str:
    """A short form of any value without walking through all of it, since it may be huge or deeply nested."""
    if isinstance(value, dict | list | tuple):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    if isinstance(value, int) and abs(value) >= 2**63:
        return "a very large number"
    text = ascii(value[:40] if isinstance(value, str) else value)
    return text if len(text) <= 40 else text[:37] + "..."


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")
