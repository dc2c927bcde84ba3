"""Which updates a follower of something live still needs. Pure: an update follows from the present state and the follower's cursor, so that whoever
was away, lost messages or comes late gets exactly what is missing.

A live state has slots, of which only the present value matters, and logs, of which every entry matters, each once and in order.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from zlib import crc32

_NO_SLOTS: Mapping[str, str] = MappingProxyType({})
_NO_LOGS: Mapping[str, Sequence[str]] = MappingProxyType({})
BEAT_S = 10.0  # between two signs of life: proxies end silent connections, and a lost browser shows only when it is written to
LONGEST_CURSOR = 2000  # characters; a longer cursor counts as none


@dataclass(frozen=True, slots=True)
class LiveState:
    """The present state of something live.

    Attributes:
        slots: name -> its value, as JSON.
        logs: name -> its entries, each as JSON.
        epoch: a follower with another one gets the full state. Letters and digits, as all names.
        over: whether nothing more will come.
    """

    slots: Mapping[str, str] = field(default_factory=lambda: _NO_SLOTS)
    logs: Mapping[str, Sequence[str]] = field(default_factory=lambda: _NO_LOGS)
    epoch: str = ""
    over: bool = False


@dataclass(frozen=True, slots=True)
class Update:
    """One message.

    Attributes:
        text: one line of JSON: {"anew": true} where everything before is gone, {"set": {slot: value}}, {"add": {log: [index of the
            first, entries]}}, {"over": true}; each where there is something to say.
        cursor: of a follower who has it, for `update`.
    """

    text: str
    cursor: str


def update(state: LiveState, cursor: str) -> Update | None:
    """The update for a follower with this cursor; None where nothing is missing. `cursor`: of the update before; "" for
    a new follower. One that cannot be read is as good as none."""
    epoch, marks_before = _read(cursor)
    anew = epoch != state.epoch
    if anew:
        marks_before = {}
    marks = {name: f"{crc32(value.encode()):x}" for name, value in state.slots.items()}
    changed = {name: value for name, value in state.slots.items() if marks_before.get(name) != marks[name]}
    counts = {name: len(entries) for name, entries in state.logs.items()}
    counts_before = {name: _count(marks_before.get(name), most) for name, most in counts.items()}
    parts = []
    if anew and epoch is not None:
        parts.append('"anew":true')
    if changed:
        values = ",".join(f"{json.dumps(name)}:{value}" for name, value in changed.items())
        parts.append(f'"set":{{{values}}}')
    added = [
        f"{json.dumps(name)}:[{first},[{','.join(state.logs[name][first:])}]]"
        for name, first in counts_before.items()
        if first < counts[name]
    ]
    if added:
        parts.append(f'"add":{{{",".join(added)}}}')
    if state.over:
        parts.append('"over":true')
    if not parts:
        return None
    cursor_after = [state.epoch, *(f"{name}={mark}" for name, mark in {**marks, **counts}.items())]
    return Update(f"{{{','.join(parts)}}}", "/".join(cursor_after))


def _read(cursor: str) -> tuple[str | None, dict[str, str]]:
    """The epoch, None for a new follower, and the mark of each slot and log."""
    if not cursor or len(cursor) > LONGEST_CURSOR:
        return None, {}
    epoch, *marks = cursor.split("/")
    return epoch, {name: mark for name, _, mark in (part.partition("=") for part in marks)}


def _count(mark: str | None, most: int) -> int:
    """How many entries of a log a follower has; more than there are cannot be."""
    number = int(mark) if mark is not None and mark.isdecimal() and mark.isascii() else 0
    return number if number <= most else 0
