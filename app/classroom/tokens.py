"""Which token will the target write? A question about the draft's least sure position, with the tokens as text that nothing can hide in."""

import hashlib
import unicodedata
from base64 import b64decode
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from app.classroom.polls import Poll, about, asked

Json = Mapping[str, Any]
_OFFERED = 5
"""Tokens that are offered, besides "another one"."""
_ANOTHER = "another one"
_LONGEST, _TAIL = 40, 60
_SIGNS = {"\n": "⏎", "\t": "⇥", "\r": "␍", "\u00a0": "⍽", " ": "·"}
"""As on the stage."""
_SEEN = {"L", "M", "N", "P", "S"}
"""First letters of the categories of characters that people can see."""


def about_token(source: Json, run: str, index: int) -> Poll | None:
    """Which token will the target write at the position of this round where the draft was least sure, among those that were judged? None where
    there is no such round.

    Args:
        source: prompt, token table and rounds, of a recording or a live run.
    """
    rounds: Sequence[Json] = source["rounds"]
    if not 0 <= index < len(rounds) or not _written(rounds[index]):
        return None
    one = rounds[index]
    at = _position(one)
    written = _written(one)
    right = written[at]
    known = _claims(one, at)
    offered = _order([right, *_candidates(one, at)], source["tokens"])
    claimed = [known[token] for token in offered] if all(token in known for token in offered) else []
    choices = _distinct([shown(source["tokens"], token) for token in offered], offered)
    rest = 1 - sum(claimed)
    before = [*(token for each in rounds[:index] for token in _written(each)), *written[:at]]
    poll = asked(
        _question(source, before),
        [*choices, _ANOTHER],
        [*claimed, max(0.0, rest)] if claimed and rest > -1e-9 else (),
    )
    return about(poll, run, index, offered.index(right))


def shown(table: Mapping[str, Json], token: int) -> str:
    """A token as visible text: white space as signs, and every character that cannot be seen as its number."""
    entry = table.get(str(token))
    if entry is None:
        return f"#{token}"
    data = b64decode(entry["data"])
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data[: _LONGEST // 3].hex(" ").upper()
    seen = "".join(_visible(each) for each in text)
    return (seen if len(seen) <= _LONGEST else seen[: _LONGEST - 1] + "…") or "∅"


def _visible(one: str) -> str:
    sign = _SIGNS.get(one)
    if sign is not None:
        return sign
    return one if unicodedata.category(one)[0] in _SEEN else f"⟨{ord(one):X}⟩"


def _question(source: Json, before: Sequence[int]) -> str:
    pieces = [b64decode(source["tokens"].get(str(token), {"data": ""})["data"]) for token in before[-_TAIL:]]
    text = b"".join(pieces).decode(errors="replace")
    tail = "".join(each if each == " " else _visible(each) for each in text)[-_TAIL:]
    return (
        f"Which token will the target write after “{tail}”?" if tail.strip() else "Which token will the target write?"
    )


def _written(one: Json) -> list[int]:
    """The tokens that a round adds to the text."""
    path = [one["drafted"][index]["token"] for index in one["accepted"]]
    return [*path, one["closing"]["token"]] if one["closing"] is not None else path


def _position(one: Json) -> int:
    """How many of the round's tokens come before the position that is asked about: where q was smallest among the judged ones. Of a tree
    it is the first."""
    drafted = one["drafted"]
    if any(each["parent"] != index - 1 for index, each in enumerate(drafted)):
        return 0
    judged = drafted[: len(one["accepted"]) + 1]
    sure = [float(each["draft_prob"]) for each in judged]
    return sure.index(min(sure)) if sure else 0


def _there(one: Json, at: int) -> list[Json]:
    """The drafted tokens at this position: one, or the first ones of a tree."""
    return [each for each in one["drafted"] if each["parent"] == at - 1]


def _candidates(one: Json, at: int) -> list[int]:
    """The drafted tokens, then the likeliest ones of draft and target in turn."""
    there = _there(one, at)
    tops = [top["tokens"] for each in there[:1] for name in ("draft_top", "target_top") if (top := each.get(name))]
    closing = one["closing"]
    if not there and closing is not None and closing.get("residual_top"):
        tops.append(closing["residual_top"]["tokens"])
    longest = max(map(len, tops), default=0)
    turn = (top[rank] for rank in range(longest) for top in tops if rank < len(top))
    return [*(each["token"] for each in there), *turn]


def _order(tokens: Sequence[int], table: Mapping[str, Json]) -> list[int]:
    """Each once, the first ones only, in an order that has nothing to do with how likely they are."""
    chosen = islice(dict.fromkeys(tokens), _OFFERED)
    return sorted(chosen, key=lambda token: hashlib.sha256(f"{token} {shown(table, token)}".encode()).digest())


def _claims(one: Json, at: int) -> dict[int, float]:
    """The draft's probabilities at temperature 1, of the tokens for which they were recorded."""
    there = _there(one, at)
    top = there[0].get("draft_top") if there else None
    return dict(zip(top["tokens"], map(float, top["probabilities"]), strict=True)) if top else {}


def _distinct(texts: Sequence[str], tokens: Sequence[int]) -> list[str]:
    """Texts that are the same get the number of their token."""
    return [
        f"{text} (token {token})" if texts.count(text) > 1 or text == _ANOTHER else text
        for text, token in zip(texts, tokens, strict=True)
    ]
