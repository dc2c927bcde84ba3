"""The JSON Schema of a recording: what is valid, what is not, and that it is never stricter than the reader."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from specviz.decoding.drafters.ngram import NgramDrafter
from specviz.decoding.testing import TableModel
from specviz.errors import TraceError
from specviz.settings import Settings
from specviz.trace import schema
from specviz.trace.files import OPTIONAL, load, loads, to_json
from specviz.trace.records import Round, Top
from tests.helpers.fuzz import at, mutants, paths_in
from tests.helpers.rounds import rounds_of

TRACES = sorted((Path(__file__).parents[2] / "assets" / "traces").glob("*.json"))
Damage = Callable[[Any], None]


def _valid(value: Any, definition: str | None = None) -> bool:
    """Whether a recording, or a record of this name, is valid against the file."""
    document = json.loads(schema.FILE.read_text(encoding="ascii"))
    if definition is not None:
        document = {"$defs": document["$defs"], "$ref": f"#/$defs/{definition}"}
    return bool(jsonschema.Draft202012Validator(document).is_valid(value))


@pytest.fixture(scope="module")
def recording() -> Any:
    """A shipped recording with a tree, as JSON values."""
    path = next(path for path in TRACES if path.name == "products-tree.json")
    return json.loads(path.read_text(encoding="ascii"))


def test_the_file_is_what_the_records_say() -> None:
    """The shipped file is up to date, and is a JSON Schema itself."""
    assert schema.FILE.read_text(encoding="ascii") == schema.text(), "run 'python -m specviz.trace.schema'"
    jsonschema.Draft202012Validator.check_schema(schema.schema())


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_every_shipped_recording_is_valid(path: Path) -> None:
    """Each file in assets/traces."""
    assert _valid(json.loads(path.read_text(encoding="ascii")))


def test_a_live_round_has_the_shape_of_a_recorded_one() -> None:
    """A round without alternatives, as the wire carries it, is a Round of the schema."""
    rounds = rounds_of(TableModel.random(5, seed=1), NgramDrafter(5), [0, 1, 0, 1], Settings(max_new_tokens=12))
    assert any(round_.drafted for round_ in rounds)
    for round_ in rounds:
        assert _valid(to_json(round_), "Round")


def test_every_field_has_its_place() -> None:
    """Each record is an object of exactly its fields; those that may be left out are the reader's optional ones."""
    defined = schema.schema()["$defs"]
    for kind, optional in OPTIONAL.items():
        node = defined[kind.__name__]
        assert set(node["properties"]) - set(node["required"]) == set(optional)
        assert node["additionalProperties"] is False
    for kind in (Round, Top):
        assert all("description" in node for node in defined[kind.__name__]["properties"].values())


def _set(*path: Any, to: Any) -> Damage:
    def damage(value: Any) -> None:
        at(value, path[:-1])[path[-1]] = to

    return damage


def _drop(*path: Any) -> Damage:
    def damage(value: Any) -> None:
        del at(value, path[:-1])[path[-1]]

    return damage


TRACE, ROUND = ("traces", 0), ("traces", 0, "rounds", 0)
PLAN = {"left": ["k"], "tokens": 1.9, "checked": 3, "pass_cost": 1.1, "draft_cost": 0.2}
DAMAGES: dict[str, Damage] = {
    "an unknown schema": _set("schema", to="specviz.trace/3"),
    "no traces": _set("traces", to=[]),
    "a field beside": _set("more", to=1),
    "a missing field": _drop(*ROUND, "verify_s"),
    "an unknown field": _set(*ROUND, "verify", to=1.0),
    "a wrong type": _set(*TRACE, "prompt", to=7),
    "an unknown verdict": _set(*ROUND, "drafted", 0, "verdict", to="skipped"),
    "an unknown stop": _set(*TRACE, "stop", to="crash"),
    "a version of three parts": _set(*TRACE, "card", "versions", to=[["torch", "2", "3"]]),
    "a version of one part": _set(*TRACE, "card", "versions", to=[["torch"]]),
    "bytes that are no base64": _set(*TRACE, "tokens", to={"1": {"data": "?", "special": False}}),
    "an id that is none": _set(*TRACE, "tokens", to={"01": {"data": "QQ==", "special": False}}),
    "layers out of nowhere": _set(*TRACE, "card", "drafter", "layers", to=[]),
    "a plan of no token": _set(*TRACE, "plan", to={**PLAN, "tokens": 0.5}),
    "a plan with more in it": _set(*TRACE, "plan", to={**PLAN, "why": "because"}),
    "a plan that leaves nothing of it": _set(*TRACE, "plan", to={}),
    "an allowed number below none": _set(*TRACE, "rounds", 0, "allowed", to=-1),
    "a head that reads nothing": _set(*TRACE, "card", "drafter", "taps", to=[]),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_damaged_recordings_are_refused(recording: Any, damage: Damage) -> None:
    """By the schema and by the reader alike."""
    damaged = copy.deepcopy(recording)
    damage(damaged)
    assert not _valid(damaged)
    with pytest.raises(TraceError):
        load(damaged)


@pytest.mark.slow
def test_bounds_are_those_of_the_records(recording: Any) -> None:
    """A number just outside a bound of the schema is refused by the schema and by the reader, wherever the field is."""
    tried = set()
    for path in paths_in(recording):
        for kind, bounds in schema.BOUNDS.items():
            name = path[-1] if path else None
            holder = at(recording, path[:-1]) if path else None
            if name not in bounds or not isinstance(holder, dict) or not _is_one(kind, holder) or (kind, name) in tried:
                continue
            for outside in _outside(bounds[name]):
                damaged = copy.deepcopy(recording)
                at(damaged, path[:-1])[name] = outside
                assert not _valid(damaged), (path, outside)
                with pytest.raises(TraceError):
                    load(damaged)
            tried.add((kind, name))
    missing = {(kind, name) for kind, bounds in schema.BOUNDS.items() for name in bounds} - tried
    plan = {"tokens", "checked", "pass_cost", "draft_cost"}
    copied = {"source", "source_text", "length", "occurrences", "followed"}
    left_out = plan | copied | {"allowed", "layers", "taps", "confidence", "bound"}
    assert {name for _, name in missing} == left_out, "fields that this recording leaves out"


DEFINED = schema.schema()["$defs"]


def _is_one(kind: type, holder: dict[str, Any]) -> bool:
    node = DEFINED[kind.__name__]
    return set(node["required"]) <= holder.keys() <= set(node["properties"])


def _outside(bounds: dict[str, Any]) -> list[Any]:
    found: list[Any] = []
    if "minimum" in bounds:
        found.append(bounds["minimum"] - 1)
    if "maximum" in bounds:
        found.append(bounds["maximum"] + 1)
    found += [bounds[name] for name in ("exclusiveMinimum", "exclusiveMaximum") if name in bounds]
    found += [["nothing"] if "items" in bounds else "nothing"] if {"enum", "items"} & bounds.keys() else []
    if "items" in bounds:
        found += [[outside] for outside in _outside(bounds["items"])]
    return found


def test_the_schema_is_never_stricter_than_the_reader() -> None:
    """Of many mutated recordings, every one that the reader takes is valid."""
    taken = 0
    for content in mutants(seed=11, count=100):
        try:
            loads(content)
        except TraceError:
            continue
        value = json.loads(content)
        if value["schema"] == "specviz.trace/2":
            taken += 1
            assert _valid(value)
    assert taken > 10
