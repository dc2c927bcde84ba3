"""What somebody who looks on lacks of something that is alive. Pure: a message follows from what there is now and what is known already, so that
whoever was away, lost messages or comes late is told exactly what is missing.

Something alive has slots, of which only the present value matters, and logs, of which every entry matters, each once and in order.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from zlib import crc32

_NOTHING: Mapping[str, str] = MappingProxyType({})
_NO_LOGS: Mapping[str, Sequence[str]] = MappingProxyType({})
LONGEST = 2000
"""Characters of what somebody claims to know; who claims more knows nothing."""


@dataclass(frozen=True, slots=True)
class Now:
    """What there is.

    Attributes:
        slots: name -> its value, as JSON.
        logs: name -> its entries, each as JSON.
        epoch: another one begins everything anew. Letters and digits, as all names.
        over: whether nothing more will come.
    """

    slots: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    logs: Mapping[str, Sequence[str]] = field(default_factory=lambda: _NO_LOGS)
    epoch: str = ""
    over: bool = False


@dataclass(frozen=True, slots=True)
class News:
    """One message.

    Attributes:
        text: one line of JSON: {"anew": true} where everything known before is gone, {"set": {slot: value}}, {"add": {log: [index of the
            first, entries]}}, {"over": true}; each where there is something to say.
        known: what is known after it, for `news`.
    """

    text: str
    known: str


def news(now: Now, known: str) -> News | None:
    """The message for somebody who knows this; None where nothing is missing.

    Args:
        known: from the message before; "" for somebody new. Whatever else it is, nothing is known.
    """
    epoch, had = _read(known)
    anew = epoch != now.epoch
    if anew:
        had = {}
    marks = {name: f"{crc32(value.encode()):x}" for name, value in now.slots.items()}
    changed = {name: value for name, value in now.slots.items() if had.get(name) != marks[name]}
    counts = {name: len(entries) for name, entries in now.logs.items()}
    begun = {name: _count(had.get(name), most) for name, most in counts.items()}
    parts = []
    if anew and epoch is not None:
        parts.append('"anew":true')
    if changed:
        values = ",".join(f"{json.dumps(name)}:{value}" for name, value in changed.items())
        parts.append(f'"set":{{{values}}}')
    added = [
        f"{json.dumps(name)}:[{begun[name]},[{','.join(now.logs[name][begun[name] :])}]]"
        for name, most in counts.items()
        if begun[name] < most
    ]
    if added:
        parts.append(f'"add":{{{",".join(added)}}}')
    if now.over:
        parts.append('"over":true')
    if not parts:
        return None
    after = [now.epoch, *(f"{name}={mark}" for name, mark in {**marks, **counts}.items())]
    return News(f"{{{','.join(parts)}}}", "/".join(after))


def _read(known: str) -> tuple[str | None, dict[str, str]]:
    """The epoch, None for somebody new, and the mark of each slot and log."""
    if not known or len(known) > LONGEST:
        return None, {}
    epoch, *rest = known.split("/")
    return epoch, {name: mark for name, _, mark in (each.partition("=") for each in rest)}


def _count(mark: str | None, most: int) -> int:
    """How many entries of a log are known; more than there are cannot be."""
    number = int(mark) if mark is not None and mark.isdecimal() and mark.isascii() else 0
    return number if number <= most else 0
