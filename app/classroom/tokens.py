"""Which token will the target write? A question about the draft's least sure position, with the tokens as text that nothing can hide in."""

import hashlib
import unicodedata
from base64 import b64decode
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from app.classroom.polls import Poll, about, asked

Json = Mapping[str, Any]
_OFFERED = 5  # tokens that are offered, besides "another one"
_ANOTHER = "another one"
_LONGEST, _TAIL = 40, 60
# As on the stage.
_SIGNS = {"\n": "⏎", "\t": "⇥", "\r": "␍", "\u00a0": "⍽", " ": "·"}
_VISIBLE = {"L", "M", "N", "P", "S"}  # first letters of the categories of characters that people can see


def about_token(source: Json, run: str, index: int) -> Poll | None:
    """Which token will the target write at the position of this round where the draft was least sure, among those that were judged? None where
    there is no such round.

    Args:
        source: prompt, token table and rounds, of a recording or a live run.
    """
    rounds: Sequence[Json] = source["rounds"]
    if not 0 <= index < len(rounds) or not _written(rounds[index]):
        return None
    round_ = rounds[index]
    at = _position(round_)
    written = _written(round_)
    right = written[at]
    claims = _claims(round_, at)
    offered = _order([right, *_candidates(round_, at)], source["tokens"])
    claimed = [claims[token] for token in offered] if all(token in claims for token in offered) else []
    choices = _distinct([visible_token(source["tokens"], token) for token in offered], offered)
    rest = 1 - sum(claimed)
    before = [*(token for earlier in rounds[:index] for token in _written(earlier)), *written[:at]]
    poll = asked(
        _question(source, before),
        [*choices, _ANOTHER],
        [*claimed, max(0.0, rest)] if claimed and rest > -1e-9 else (),
    )
    return about(poll, run, index, offered.index(right))


def visible_token(table: Mapping[str, Json], token: int) -> str:
    """A token as visible text: white space as signs, and every character that cannot be seen as its number."""
    entry = table.get(str(token))
    if entry is None:
        return f"#{token}"
    data = b64decode(entry["data"])
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data[: _LONGEST // 3].hex(" ").upper()
    visible = "".join(_visible(character) for character in text)
    return (visible if len(visible) <= _LONGEST else visible[: _LONGEST - 1] + "…") or "∅"


def _visible(character: str) -> str:
    sign = _SIGNS.get(character)
    if sign is not None:
        return sign
    return character if unicodedata.category(character)[0] in _VISIBLE else f"⟨{ord(character):X}⟩"


def _question(source: Json, before: Sequence[int]) -> str:
    pieces = [b64decode(source["tokens"].get(str(token), {"data": ""})["data"]) for token in before[-_TAIL:]]
    text = b"".join(pieces).decode(errors="replace")
    tail = "".join(character if character == " " else _visible(character) for character in text)[-_TAIL:]
    return (
        f"Which token will the target write after “{tail}”?" if tail.strip() else "Which token will the target write?"
    )


def _written(round_: Json) -> list[int]:
    """The tokens that a round adds to the text."""
    path = [round_["drafted"][index]["token"] for index in round_["accepted"]]
    return [*path, round_["closing"]["token"]] if round_["closing"] is not None else path


def _position(round_: Json) -> int:
    """How many of the round's tokens come before the position that is asked about: where q was smallest among the judged ones. Of a tree
    it is the first."""
    drafted = round_["drafted"]
    if any(token["parent"] != index - 1 for index, token in enumerate(drafted)):
        return 0
    judged = drafted[: len(round_["accepted"]) + 1]
    confidences = [float(token["draft_prob"]) for token in judged]
    return confidences.index(min(confidences)) if confidences else 0


def _there(round_: Json, at: int) -> list[Json]:
    """The drafted tokens at this position: one, or the first ones of a tree."""
    return [token for token in round_["drafted"] if token["parent"] == at - 1]


def _candidates(round_: Json, at: int) -> list[int]:
    """The drafted tokens, then the likeliest ones of draft and target in turn."""
    there = _there(round_, at)
    tops = [top["tokens"] for token in there[:1] for name in ("draft_top", "target_top") if (top := token.get(name))]
    closing = round_["closing"]
    if not there and closing is not None and closing.get("residual_top"):
        tops.append(closing["residual_top"]["tokens"])
    longest = max(map(len, tops), default=0)
    turn = (top[rank] for rank in range(longest) for top in tops if rank < len(top))
    return [*(token["token"] for token in there), *turn]


def _order(tokens: Sequence[int], table: Mapping[str, Json]) -> list[int]:
    """The tokens without repeats, the first ones only, in an order that has nothing to do with how likely they are."""
    chosen = islice(dict.fromkeys(tokens), _OFFERED)
    return sorted(chosen, key=lambda token: hashlib.sha256(f"{token} {visible_token(table, token)}".encode()).digest())


def _claims(round_: Json, at: int) -> dict[int, float]:
    """The draft's probabilities at temperature 1, of the tokens for which they were recorded."""
    there = _there(round_, at)
    top = there[0].get("draft_top") if there else None
    return dict(zip(top["tokens"], map(float, top["probabilities"]), strict=True)) if top else {}


def _distinct(texts: Sequence[str], tokens: Sequence[int]) -> list[str]:
    """Texts that are the same get the number of their token."""
    return [
        f"{text} (token {token})" if texts.count(text) > 1 or text == _ANOTHER else text
        for text, token in zip(texts, tokens, strict=True)
    ]
