"""What the audience may have of the run on the presenter's stage: what has been played. The browser of a follower holds nothing else, so
nobody reads the answer of a question in it."""

from collections.abc import Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]
_SOURCE = ("prompt", "settings", "prompt_ids", "prefill", "card", "earlier")
_ALTERNATIVES = ("draft_top", "target_top", "residual_top")
_COVERED = ("token", "parent", "draft_prob", "confidence")
_DIGITS = 6


def about(source: Json) -> dict[str, Any]:
    """Everything of a run but its rounds."""
    ids = {*source["prompt_ids"], *(i for text in source.get("earlier") or () for i in text)}
    return {name: source[name] for name in _SOURCE if name in source} | {"tokens": _bytes_of(source, ids)}


def shown(source: Json, index: int) -> dict[str, Any]:
    """A round whose verdicts were shown, without the alternatives beside its tokens, and the bytes of its tokens."""
    one = source["rounds"][index]
    found = dict(one) | {"drafted": [_less(drafted) for drafted in one["drafted"]]}
    if one.get("closing"):
        found["closing"] = _less(one["closing"])
    return {"round": found, "tokens": _bytes_of(source, _ids_of([found]))}


def drafted(source: Json, index: int) -> dict[str, Any] | None:
    """A round before the target has said anything of it, and the bytes of its tokens; None where it has not come."""
    if index >= len(source["rounds"]):
        return None
    one = source["rounds"][index]
    tokens = [{name: each[name] for name in _COVERED if name in each} for each in one["drafted"]]
    hidden = {"target_prob": None, "draw": None, "verdict": "discarded"}
    known = {name: value for name, value in one.items() if name not in ("drafted", "accepted", "closing", "own")}
    found = known | {"drafted": [each | hidden for each in tokens], "accepted": [], "closing": None, "covered": True}
    return {"round": found, "tokens": _bytes_of(source, _ids_of([found]))}


def _less(given: Json) -> dict[str, Any]:
    """Without the alternatives, and with shorter numbers."""
    return {
        name: float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value
        for name, value in given.items()
        if name not in _ALTERNATIVES
    }


def _bytes_of(source: Json, ids: set[int]) -> Json:
    return {str(i): source["tokens"][str(i)] for i in sorted(ids) if str(i) in source["tokens"]}


def _ids_of(rounds: Sequence[Json]) -> set[int]:
    found = {each["token"] for one in rounds for each in one["drafted"]}
    return found | {one["closing"]["token"] for one in rounds if one["closing"]}
