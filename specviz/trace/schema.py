"""The JSON Schema of a recording (draft 2020-12), generated from the records: `python -m specviz.trace.schema` writes the file.

Fields, types and descriptions come from the records' annotations and docstrings, optional fields from `specviz.trace.files.OPTIONAL`. What a
schema cannot say (the accepted path follows the parents, the rounds follow one another, no time runs backwards) the records check.
Standard library only.
"""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from inspect import getdoc
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from specviz.folders import ASSETS
from specviz.settings import CHILDREN, POLICIES, RANGES, RULES, Settings
from specviz.trace.cards import DrafterCard
from specviz.trace.drafting import Match
from specviz.trace.files import MAX_DRAFTED, OPTIONAL, TOKEN_ID
from specviz.trace.plan import Plan
from specviz.trace.records import (
    FROM_COMMITTED,
    MAX_SECONDS,
    SCHEMA,
    ClosingToken,
    Drafted,
    Prefill,
    Round,
    Top,
    Trace,
)

FILE = ASSETS / "schema" / f"{SCHEMA.replace('/', '-')}.schema.json"
Node = dict[str, Any]

_WHOLE: Node = {"type": "integer", "minimum": 1 - 2**63, "maximum": 2**63 - 1}
_PLAIN: dict[type, Node] = {
    int: _WHOLE,
    float: {"type": "number"},
    bool: {"type": "boolean"},
    str: {"type": "string"},
    bytes: {"type": "string", "contentEncoding": "base64", "pattern": "^[A-Za-z0-9+/]*={0,2}$"},
}
_PROBABILITY: Node = {"minimum": 0, "maximum": 1}
_UNIFORM: Node = {"minimum": 0, "exclusiveMaximum": 1}
_SECONDS: Node = {"minimum": 0, "exclusiveMaximum": MAX_SECONDS}
_INDEX: Node = {"minimum": 0}
_COUNT: Node = {"minimum": 1}

BOUNDS: dict[type, dict[str, Node]] = {
    Settings: {
        **{
            name: {"exclusiveMinimum" if one.positive else "minimum": one.low, "maximum": one.high}
            for name, one in RANGES.items()
        },
        "children": {"enum": list(CHILDREN)},
        "policy": {"enum": list(POLICIES)},
        "rule": {"enum": list(RULES)},
    },
    Drafted: {
        "parent": {"minimum": FROM_COMMITTED},
        "draft_prob": _PROBABILITY,
        "target_prob": _PROBABILITY,
        "draw": _UNIFORM,
        "confidence": _PROBABILITY,
        "bound": _PROBABILITY,
    },
    ClosingToken: {"draw": _UNIFORM},
    Round: {
        "start": _INDEX,
        "drafted": {"maxItems": MAX_DRAFTED},
        "accepted": {"items": _INDEX},
        "began_s": _SECONDS,
        "draft_s": _SECONDS,
        "verify_s": _SECONDS,
        "ended_s": _SECONDS,
        "source": _INDEX,
        "source_text": _INDEX,
        "allowed": _INDEX,
    },
    Plan: {"tokens": _COUNT, "checked": _COUNT, "pass_cost": _INDEX, "draft_cost": _INDEX},
    Match: {"length": _COUNT, "occurrences": _COUNT, "followed": _COUNT},
    Prefill: {"target_s": _SECONDS, "draft_s": _SECONDS},
    Top: {"probabilities": {"items": _PROBABILITY}, "rule": {"items": _PROBABILITY}},
    DrafterCard: {name: {"items": _INDEX, "minItems": 1, "uniqueItems": True} for name in ("layers", "taps")},
}
"""What the records check of single fields beside their types; of a list, `items` holds for each item."""


def schema() -> Node:
    """The schema of a recording, as plain JSON values."""
    records: dict[str, Node] = {}
    trace = _of(Trace, records)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{SCHEMA.replace('/', ':').replace('.', ':')}",
        "title": f"A recording of speculative decoding, schema {SCHEMA}",
        "type": "object",
        "properties": {
            "schema": {"const": SCHEMA},
            "traces": {"type": "array", "items": trace, "minItems": 1},
        },
        "required": ["schema", "traces"],
        "additionalProperties": False,
        "$defs": dict(sorted(records.items())),
    }


def text() -> str:
    """The file's content."""
    return json.dumps(schema(), indent=2, ensure_ascii=True) + "\n"


def _of(kind: Any, records: dict[str, Node]) -> Node:
    """The schema of an annotated type; every record that it mentions joins `records`."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return {"anyOf": [_of(next(k for k in inner if k is not NoneType), records), {"type": "null"}]}
    if origin is tuple:
        return _tuple(inner, records)
    if origin is dict:
        names = {"pattern": f"^(?:{TOKEN_ID.pattern})$"}
        return {"type": "object", "propertyNames": names, "additionalProperties": _of(inner[1], records)}
    if is_dataclass(kind) and isinstance(kind, type):
        if kind.__name__ not in records:
            records[kind.__name__] = {}  # its place is taken before its fields are read
            records[kind.__name__] = _record(kind, records)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    if issubclass(kind, Enum):
        return {"enum": [member.value for member in kind]}
    return dict(_PLAIN[kind])


def _tuple(inner: tuple[Any, ...], records: dict[str, Node]) -> Node:
    if len(inner) == 2 and inner[1] is Ellipsis:
        return {"type": "array", "items": _of(inner[0], records)}
    items = [_of(kind, records) for kind in inner]
    return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}


def _record(kind: type, records: dict[str, Node]) -> Node:
    hints, bounds, notes = get_type_hints(kind), BOUNDS.get(kind, {}), dict(_notes(kind))
    properties: Node = {}
    for name, hint in hints.items():
        node = _bounded(_of(hint, records), bounds.get(name, {}))
        properties[name] = {"description": notes[name], **node} if name in notes else node
    return {
        "description": (getdoc(kind) or "").split("\n\n")[0].replace("\n", " "),
        "type": "object",
        "properties": properties,
        "required": [field.name for field in fields(kind) if field.name not in OPTIONAL.get(kind, ())],
        "additionalProperties": False,
    }


def _bounded(node: Node, bounds: Node) -> Node:
    """A field's schema with its bounds, which do not hold for null."""
    if "anyOf" in node:
        first, *others = node["anyOf"]
        return {"anyOf": [_bounded(first, bounds), *others]}
    if "items" in bounds and "items" in node:
        return {**node, **bounds, "items": {**node["items"], **bounds["items"]}}
    return {**node, **bounds}


def _notes(kind: type) -> Iterator[tuple[str, str]]:
    """Field -> its line of the docstring's Args or Attributes."""
    found = re.search(r"^(?:Args|Attributes):\n((?: {4}.*\n?)+)", getdoc(kind) or "", re.MULTILINE)
    for names, note in re.findall(r"^ {4}([\w, ]+): ((?:.|\n {8})+)", found[1] if found else "", re.MULTILINE):
        for name in names.split(", "):
            yield name, re.sub(r"\bNone\b", "null", re.sub(r"\s+", " ", note)).strip()


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(text(), encoding="ascii")
    sys.stdout.write(f"{FILE}\n")
