"""Damaged and hostile recordings, given to the loader; `fuzz_drawing.py` draws those that load.

Real recordings are mutated as JSON values (things dropped, repeated, swapped, retyped, made huge, negative, hostile or
impossible) and as bytes. A recording must be read as one or rejected with one sentence; any other exception is a failure. What
is read must be written the same again, be printed by the command line, and be drawn at any moment without a word of it
becoming markup.
"""

import base64
import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from specviz.cli import show as cli_show
from specviz.errors import TraceError
from specviz.reporting.player.thinning import thinned
from specviz.trace.files import dump, dumps, loads
from specviz.trace.metrics import summarise
from specviz.trace.records import Stop, Trace, ids_in
from tests.helpers.refusals import refusal

TRACES = Path(__file__).parents[2] / "assets" / "traces"
# Texts that a page must show and never interpret.
HOSTILE = (
    '<img src=x onerror="window.hacked=1">',
    "</script><script>window.hacked=1</script>",
    "<!--<script>",
    "javascript:alert(1)",
    "]]>&lt;b&gt;&#60;",
    "\x00\x07\x08\x0b\x1b[31m\x7f\x85",
    "\u202eABC\u2066\u200f\u2028\u2029\ufeff",
    "W" * 5000,
    "🏳️‍🌈👩‍👩‍👧" * 20,
    "שלום مرحبا 你好 नमस्ते",
    "a\u0300" * 300,
)

_ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 1.5, -0.0, 5e-324, 1e-9, 1e5, 1e21, 1e300, -1e300, 2**31, 2**53 + 1, 2**63, 10**400,
    float("nan"), float("inf"), "", "0", "x", "NaN", "\ud800", "QQ=", "QQ==", "__proto__", [], [[]], [0], {}, {"a": 1}, *HOSTILE,
)  # fmt: skip


def bases() -> list[Any]:
    """Short forms of the recordings that come with the project, as JSON values: quick to read, and every part is there."""
    found = []
    for index, file in enumerate(sorted(TRACES.glob("*.json"))):
        recording = [_first_rounds(trace, 3) for trace in loads(file.read_bytes())]
        found.append(dump(thinned(recording, 1) if index else recording))
    return found


def _first_rounds(trace: Trace, count: int) -> Trace:
    rounds = trace.rounds[:count]
    kept = ids_in(trace.prompt_ids, rounds)
    return replace(trace, rounds=rounds, stop=Stop.CANCELLED, tokens={i: trace.tokens[i] for i in kept})


def paths_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value inside, the outermost first."""
    found = [path]
    if isinstance(value, dict | list):
        for step, item in value.items() if isinstance(value, dict) else enumerate(value):
            found += paths_in(item, (*path, step))
    return found


def at(value: Any, path: tuple[Any, ...]) -> Any:
    """The value at a path."""
    for step in path:
        value = value[step]
    return value


def mutants(seed: int, count: int) -> Iterator[bytes]:
    """`count` damaged recordings; the same for the same seed."""
    rng = random.Random(seed)  # noqa: S311  # nothing here is secret
    originals = bases()
    paths = [paths_in(original)[1:] for original in originals]
    for _ in range(count):
        chosen = rng.randrange(len(originals))
        if rng.random() < 0.25:
            yield _bytes_damaged(json.dumps(originals[chosen]).encode(), rng)
            continue
        value = copy.deepcopy(originals[chosen])
        for _ in range(rng.choice((1, 1, 1, 2, 5))):
            try:
                rng.choice(_DAMAGES)(value, rng.choice(paths[chosen]), rng)
            except (LookupError, TypeError, AttributeError, ValueError):
                continue  # an earlier change has removed this path
        yield json.dumps(value, ensure_ascii=rng.random() < 0.9).encode("utf-8", "surrogatepass")


def _retype(value: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    at(value, path[:-1])[path[-1]] = rng.choice(_ODD)


def _drop(value: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    del at(value, path[:-1])[path[-1]]


def _repeat(value: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    parent = at(value, path[:-1])
    parent[path[-1] : path[-1]] = [parent[path[-1]]] * rng.choice((1, 1, 2, 300))


def _swap(value: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    parent = at(value, path[:-1])
    other = rng.choice(list(parent) if isinstance(parent, dict) else range(len(parent)))
    parent[path[-1]], parent[other] = parent[other], parent[path[-1]]


def _transplant(value: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    at(value, path[:-1])[path[-1]] = copy.deepcopy(at(value, rng.choice(paths_in(value)[1:])))


def _nudge(value: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    """Another value of the same kind: much of it is still a recording."""
    found = at(value, path)
    if isinstance(found, bool):
        found = not found
    elif isinstance(found, int):
        found = rng.choice((found + 1, found - 1, -found, found * 1000, 2**53, rng.randrange(16)))
    elif isinstance(found, float):
        found = rng.choice((found * 2, found / 2, -found, found * 1e6, 1e305, 0.0, 1.0, rng.random()))
    elif isinstance(found, str):
        found = rng.choice((found + found, found[: len(found) // 2], found.upper(), *HOSTILE))
    at(value, path[:-1])[path[-1]] = found


def _hostile_tokens(value: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    """Bytes that are not what any tokenizer has: markup, control characters, halves of characters, nothing."""
    for entry in value["traces"][0]["tokens"].values():
        if rng.random() < 0.4:
            data = rng.choice((*(text.encode() for text in HOSTILE), rng.randbytes(rng.randrange(9))))
            entry["data"] = base64.b64encode(data).decode()
            entry["special"] = rng.random() < 0.2


def _strange_round(value: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    """A round with other verdicts, path, closing token or parents, with another beginning, or without a draft."""
    round_ = rng.choice(value["traces"][0]["rounds"])
    drafted, closing = round_["drafted"], round_["closing"]
    changes: tuple[Callable[[], Any], ...] = (
        lambda: rng.choice(drafted).update(verdict=rng.choice(("accepted", "rejected", "discarded"))),
        lambda: round_.update(accepted=rng.sample(range(len(drafted)), rng.randrange(len(drafted) + 1))),
        lambda: round_.update(closing=rng.choice((None, {**closing, "how": "bonus"}, {**closing, "draw": 0.999}))),
        lambda: [token.update(parent=rng.randrange(-1, index + 1)) for index, token in enumerate(drafted)],
        lambda: round_.update(start=rng.choice((-1, 0, 1, 2**40))),
        lambda: round_.update(drafted=[], accepted=[]),
    )
    rng.choice(changes)()


def _warped_time(value: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    """All times of a trace multiplied."""
    factor = rng.choice((0.0, 1e-12, 1e-3, 1e3, 1e7, 1e300, -1.0))
    for round_ in rng.choice(value["traces"])["rounds"]:
        for name in ("began_s", "draft_s", "verify_s", "ended_s"):
            round_[name] *= factor


def _rearranged(value: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    """Traces shuffled, repeated, cut short."""
    traces = value["traces"] * rng.choice((1, 2, 9))
    rng.shuffle(traces)
    value["traces"] = traces
    rng.choice(traces)["rounds"] = rng.choice(traces)["rounds"][: rng.randrange(4)]


def _wrong_lane(value: Any, path: tuple[Any, ...], rng: random.Random) -> None:
    """A speculative run instead of the plain one, ended by an accepted token where possible."""
    false = copy.deepcopy(value["traces"][0])
    false["card"]["drafter"], false["card"]["draft"] = "none", None
    for index, round_ in enumerate(false["rounds"]):
        if round_["accepted"] and round_["closing"]["how"] == "bonus":
            round_["closing"] = None
            del false["rounds"][index + 1 :]
            break
    value["traces"][1:] = [false]


_DAMAGES: tuple[Callable[[Any, tuple[Any, ...], random.Random], None], ...] = (
    _retype, _drop, _repeat, _swap, _transplant, _nudge, _nudge, _hostile_tokens, _strange_round,
    _strange_round, _warped_time, _rearranged, _wrong_lane,
)  # fmt: skip


def _bytes_damaged(content: bytes, rng: random.Random) -> bytes:
    begin = rng.randrange(len(content))
    end = min(len(content), begin + rng.choice((1, 1, 1, 4, 40, 1000)))
    put: bytes = rng.choice(
        (b"", b"", content[begin:end] * 2, b"9" * 400, b"1e999", b"-", b"NaN", b"\\ud800", b"\\u0000", b"\x00", b"\xff\xfe", b'"', b"]",
         b"}", b",", b"[" * 100_000, b'{"a":' * 3000, b"/**/", b"\xed\xa0\x80", rng.randbytes(8), content[:begin])
    )  # fmt: skip
    damaged = content[:begin] + put + content[end:]
    kind = rng.randrange(12)
    if kind == 0:
        return damaged[:begin]
    if kind == 1:
        return content.decode().encode(rng.choice(("utf-16", "utf-8-sig", "utf-32", "utf-7")))
    return damaged


def reading(content: bytes) -> tuple[Trace, ...] | None:
    """What the loader makes of it: traces that survive being written, printed and made a page of; None where it rejected
    with one sentence.

    Raises:
        Exception: anything else, which is a failure.
    """
    try:
        traces = loads(content)
    except TraceError:
        refusal(TraceError, loads, content)
        return None
    assert loads(dumps(traces)) == traces, "what was written is not what was read"
    for trace in traces:
        summarise(trace)
        assert all(line.plain.isprintable() or "\n" in line.plain for line in cli_show.trace_lines(trace))
    return traces
