"""Recordings: what is written is read back the same, and what is not a recording is rejected, never partly read."""

import copy
import json
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from specviz.errors import TraceError
from specviz.models import Pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace import files as traces
from specviz.trace.files import dump, dumps, from_json, load, loads, read_file, to_json, write_file
from specviz.trace.plan import Plan
from specviz.trace.records import SCHEMA, Closing, Round, Top, Trace, Verdict, ids_in
from tests.helpers.fuzz import TRACES, at, mutants, paths_in, reading
from tests.helpers.refusals import refusal

# An error comes at once; longer than this would be a hang, even on a busy machine.
PATIENCE_S = 20.0

PROMPT = 'The dog said: "na\u00efve \U0001f680'


@pytest.fixture(scope="module")
def recording(embedded: Pair) -> tuple[Trace, ...]:
    """Two real runs with every detail, greedy and sampled, and the plain one."""
    greedy = Settings(max_new_tokens=6, k=3)
    return (
        Run(embedded, PROMPT, greedy).finish(),
        Run(embedded, PROMPT, greedy, plain=True).finish(),
        Run(embedded, PROMPT, Settings(max_new_tokens=8, k=3, temperature=0.8, top_p=0.95, top_k=50, seed=7)).finish(),
    )


@pytest.fixture
def plain_json(recording: tuple[Trace, ...]) -> Any:
    """The recording as JSON values that may be damaged."""
    return copy.deepcopy(dump(recording))


def error_of(text: str | bytes) -> str:
    """The sentence of the error, which can be shown anywhere."""
    return refusal(TraceError, loads, text)


def test_recordings_of_drafters_that_are_gone_open(recording: tuple[Trace, ...]) -> None:
    """Under the name and the label that they have, with a former policy, and without what such a drafter alone recorded."""
    values = dump(recording[:1])
    trace = values["traces"][0]
    trace["card"]["drafter"] |= {"name": "slem", "label": "re-cut text"}
    trace["settings"] |= {"drafter": "slem", "policy": "history"}
    trace["rounds"][0]["own"] = {"read": ["8J8=", ""], "written": ["IGE="]}
    (opened,) = load(values)
    assert (opened.card.drafter.label, opened.settings.policy) == ("re-cut text", "history")
    assert opened.rounds == recording[0].rounds


def test_what_is_written_is_read_back(recording: tuple[Trace, ...], tmp_path: Path) -> None:
    """Real runs are read back equal in every field, from text, from bytes and from a file, and are written identically again."""
    text = dumps(recording)
    assert text.isascii()
    assert loads(text) == loads(text.encode()) == recording
    assert dumps(loads(text)) == text
    write_file(tmp_path / "a.json", recording)
    assert read_file(tmp_path / "a.json") == recording


def test_a_recording_holds_every_kind_of_detail(recording: tuple[Trace, ...]) -> None:
    """The recording that these tests damage has draws, alternatives, rejections and both closings; otherwise they would prove nothing."""
    rounds = [r for trace in recording for r in trace.rounds]
    drafted = [d for r in rounds for d in r.drafted]
    assert {d.verdict for d in drafted} == set(Verdict)
    assert {r.closing.how for r in rounds if r.closing} == set(Closing)
    assert any(d.draw is not None for d in drafted)
    assert any(d.draw is None for d in drafted)
    assert all(d.draft_top.tokens and d.target_top.tokens for d in drafted)


def test_a_field_is_checked_wherever_it_is(plain_json: Any) -> None:
    """An optional field of another kind, an impossible value and an unknown field beside them are rejected, with the reason."""
    plan = to_json(Plan(("k",), 1.9, 3, 1.1, 0.2))
    tree = json.loads((TRACES / "products-tree.json").read_text(encoding="ascii"))
    for recording, path, wrong, reason in (
        (plain_json, ("settings", "rule"), "lenient", "with temperature 0"),
        (plain_json, ("settings", "nodes"), 99, "traces[0].settings is invalid: nodes (size of the tree) was 99"),
        (plain_json, ("rounds", 0, "source"), "x", "rounds[0].source must be a whole number"),
        (plain_json, ("rounds", 0, "match"), {"length": 2, "occurrences": 3, "followed": 4}, "4 of 3 occurrences"),
        (plain_json, ("rounds", 0, "source"), 10**6, "round 0 copies from 1000000, which is beyond the text so far"),
        (tree, ("rounds", 0, "drafted", 0, "verdict"), "skipped", "verdict"),
        (tree, ("rounds", 0, "allowed"), -1, "allowed"),
        (tree, ("stop",), "crash", "stop"),
        (tree, ("card", "drafter", "layers"), [0] * 900, "different indices in order, from 0 on."),
        (tree, ("card", "versions"), [["torch", "2", "3"]], "versions"),
        (tree, ("plan",), {**plan, "tokens": 0.5}, "the plan is impossible"),
        (tree, ("plan",), {**plan, "why": "because"}, "'why', which is unknown"),
    ):
        damaged = copy.deepcopy(recording)
        at(damaged["traces"][0], path[:-1])[path[-1]] = wrong
        assert reason in error_of(json.dumps(damaged))
    tree["traces"][0]["plan"] = plan
    assert loads(json.dumps(tree))[0].plan


NO_RECORDINGS: list[str | bytes] = [
        "", "{", "not json", "[]", "null", "1", '"a"', "\x00", b"\xff\xfe\x00", b"\x80", "{}", '{"schema": null}', "\ufeff{}",
        '{"schema": NaN}', '{"schema": Infinity}', '{"schema": -Infinity}', '{"schema": ' + "9" * 5000 + "}",
        '{"schema": ' + "9" * 4000 + "}", "[" * 1_000_000, '{"a":' * 1_000_000, '{"schema": "\\ud800"}',
        f'{{"schema": "{SCHEMA}"}}', f'{{"schema": "{SCHEMA}", "traces": []}}', f'{{"schema": "{SCHEMA}", "traces": {{}}}}',
        f'{{"schema": "{SCHEMA}", "traces": [{{}}]}}', f'{{"schema": "{SCHEMA}", "traces": [{"[" * 500}{"]" * 500}]}}',
        f'{{"schema": "{SCHEMA}", "traces": [1], "\\ud800": 1}}', f'{{"schema": "{SCHEMA}", "traces": [{{"\\ud800": 1}}]}}',
]  # fmt: skip


def test_what_is_no_recording_is_rejected() -> None:
    """Text that is not JSON, not a recording, or hostile is rejected quickly, in a sentence that can be printed."""
    for text in NO_RECORDINGS:
        began = process_time()
        error_of(text)
        assert process_time() - began < PATIENCE_S


def test_another_schema_is_named(plain_json: Any) -> None:
    """A recording of another version is rejected with both versions."""
    sentence = error_of(json.dumps({**plain_json, "schema": "specviz.trace/3"}))
    assert "'specviz.trace/3'" in sentence
    assert SCHEMA in sentence
    assert "is no recording of specviz" in error_of('{"name": "another file"}')


def test_too_large_a_recording_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than 20 MB is rejected before it is parsed, and a large file before all of it is read."""
    assert traces.MAX_BYTES == 20_000_000
    assert "20.0 MB, more than the limit of 20 MB" in error_of(" " * 20_000_001)
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(TraceError, match="it has more than 20 MB"):
        read_file(large)


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    """A path that is not a readable file raises the same error class, for reading and for writing."""
    for name in ("missing.json", ".", "a\0b"):
        with pytest.raises(TraceError, match="could not be opened"):
            read_file(tmp_path / name)
        with pytest.raises(TraceError, match="could not be written"):
            write_file(tmp_path / name / "no folder" / "a.json", ())


def test_a_number_that_is_not_finite_is_not_written(recording: tuple[Trace, ...]) -> None:
    """A trace with a score that is no number is rejected when it is saved, not when it is read."""
    trace = recording[0]
    first = trace.rounds[0]
    bad = Top((first.drafted[0].token,), (float("-inf"),), (0.0,), (0.0,))
    damaged = replace(first, drafted=(replace(first.drafted[0], draft_top=bad), *first.drafted[1:]))
    with pytest.raises(TraceError, match="not finite"):
        dumps([replace(trace, rounds=(damaged, *trace.rounds[1:]))])


def shape(path: tuple[Any, ...]) -> tuple[Any, ...]:
    """A path without its indices: paths of one shape have the same kind of value."""
    return tuple("#" if isinstance(step, int) or str(step).isdigit() else step for step in path)


def one_of_each(value: Any) -> list[tuple[Any, ...]]:
    """One path of every shape."""
    paths = sorted(paths_in(value), key=lambda path: at(value, path) is not None)
    return list({shape(path): path for path in paths}.values())


@pytest.mark.slow
def test_a_field_that_is_missing_or_unknown_is_named_at_every_depth(plain_json: Any) -> None:
    """Removing any field of any record, or adding one, is rejected with its path."""
    objects = [path for path in one_of_each(plain_json) if isinstance(at(plain_json, path), dict)]
    records = [path for path in objects if shape(path)[-1:] != ("tokens",)]
    assert len(records) > 10
    original = json.dumps(plain_json)
    optional = {name for names in traces.OPTIONAL.values() for name in names}
    for path in records:
        for field in set(at(plain_json, path)) - optional:
            damaged = json.loads(original)
            del at(damaged, path)[field]
            sentence = error_of(json.dumps(damaged))
            assert path == () or f"{field} is missing" in sentence
        damaged = json.loads(original)
        at(damaged, path)["surplus"] = 1
        assert "'surplus'" in error_of(json.dumps(damaged))


# One value of every kind, and the odd ones of each.
WRONG: list[Any] = [None, True, -1, 1.5, 2**63, 10**400, [], [1], {}, {"a": 1}, "a", "\ud800", "QQ="]
NULLABLE = ("draw", "closing", "draft", "draft_prob", "target_prob")


@pytest.mark.slow
def test_a_value_of_another_kind_is_rejected_at_every_depth(plain_json: Any) -> None:
    """Instead of any value, one of another kind is rejected and its path named; true and false are not numbers."""
    shapes = {shape(path) for path in paths_in(plain_json)}
    del plain_json["traces"][:-1]
    trace = plain_json["traces"][0]
    del trace["rounds"][1 + next(index for index, each in enumerate(trace["rounds"]) if each["accepted"]) :]
    for top in [at(trace, path) for path in paths_in(trace)]:
        if isinstance(top, dict) and "logits" in top:
            for column in top.values():
                del column[1:]
    used = ids_in(trace["prompt_ids"], [from_json(Round, each, "round") for each in trace["rounds"]])
    trace["tokens"] = {key: value for key, value in trace["tokens"].items() if int(key) in used}
    assert {shape(path) for path in paths_in(plain_json)} == shapes, "less to read, and every kind of value in it"
    for path in one_of_each(plain_json):
        if not path:
            continue
        right, record = at(plain_json, path), at(plain_json, path[:-1])
        for wrong in WRONG:
            if same_kind(right, wrong) or (wrong is None and path[-1] in NULLABLE):
                continue
            record[path[-1]] = wrong
            sentence = error_of(json.dumps(plain_json))
            assert named(path) in sentence or f"{named(path[:-1])} cannot be" in sentence, (path, wrong, sentence)
        record[path[-1]] = right
    assert loads(json.dumps(plain_json))


def named(path: tuple[Any, ...]) -> str:
    """A path as error messages spell it."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def same_kind(right: Any, wrong: Any) -> bool:
    """Whether the type alone does not decide, so that a value may or may not be valid."""
    if isinstance(right, bool) or isinstance(wrong, bool) or right is None:
        return isinstance(right, bool) and isinstance(wrong, bool)
    if isinstance(right, int | float) and isinstance(wrong, int | float):
        return wrong != 10**400 if isinstance(right, float) else isinstance(wrong, int) and abs(wrong) < 2**63
    return type(right) is type(wrong) and wrong != "\ud800"


def test_token_ids_bytes_and_numbers_are_strict(plain_json: Any) -> None:
    """A key of the token table that is not a plain id is rejected, so no two keys mean the same token; so are bytes that are not exactly base64, and
    NaN and Infinity, which Python would read but no page can."""
    table, text = plain_json["traces"][0]["tokens"], json.dumps(plain_json)
    for key in ("-1", "01", "1.0", " 1", "x", "\u0661", "1" * 12, ""):
        table[key] = {"data": "", "special": False}
        assert "token ids as keys" in error_of(json.dumps(plain_json))
        del table[key]
    for data in ("QQ", "QQ=", "Q Q==", "QQ==\n", "!QQ==", "\u00e9A=="):
        next(iter(table.values()))["data"] = data
        assert "bytes in base64" in error_of(json.dumps(plain_json))
    for word in ("NaN", "Infinity", "-Infinity"):
        assert f"{word} is not a number" in error_of(text.replace('"logits": [', f'"logits": [{word},', 1))


@pytest.mark.slow
def test_a_huge_round_is_rejected_quickly(plain_json: Any) -> None:
    """A round with more tokens than any draft has is rejected before the slow checks, however it is made."""
    trace = plain_json["traces"][0]
    top: dict[str, list[int]] = {"tokens": [], "logits": [], "probabilities": [], "rule": []}
    made = {"parent": -1, "verdict": "rejected", "draft_top": top, "target_top": top}
    trace["rounds"][0]["drafted"] = [trace["rounds"][0]["drafted"][0] | made] * 20_000
    trace["rounds"][0]["accepted"] = []
    began = process_time()
    assert "drafts more than" in error_of(json.dumps(plain_json))
    assert process_time() - began < PATIENCE_S


@pytest.mark.slow
def test_a_damaged_recording_is_read_or_rejected() -> None:
    """Of 200 mutants each is read as a recording that can be written and printed, or rejected with one sentence, quickly."""
    read = 0
    for content in mutants(20, 200):
        began = process_time()
        read += reading(content) is not None
        assert process_time() - began < PATIENCE_S
    assert 20 < read < 140, "too few or too many are read for the mutations to prove anything"
