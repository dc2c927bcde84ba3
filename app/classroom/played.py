"""The part of the run on the presenter's stage that its audience may have: what has been played. The browser of a follower gets nothing else, so
nobody reads the answer of a question in it."""

from collections.abc import Mapping
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


def plain_ends(view: Json, source: Json) -> list[float]:
    """When plain decoding of the same prompt wrote each of its tokens, in seconds of the engine's clock; nothing of what it wrote, which would answer
    questions."""
    recording = view.get("recording")
    if not recording:
        rounds = source["plain_rounds"]
    else:
        rounds = next((trace["rounds"] for trace in recording["traces"] if _is_plain(trace, source)), ())
    return [round(round_["ended_s"], _DIGITS) for round_ in rounds]


def _is_plain(trace: Json, source: Json) -> bool:
    nothing = not any(round_["drafted"] for round_ in trace["rounds"])
    return trace is not source and nothing and bool(trace["prompt_ids"] == source["prompt_ids"])


def shown(source: Json, index: int) -> dict[str, Any]:
    """A round whose verdicts were shown, without the alternatives beside its tokens, and the bytes of its tokens."""
    round_ = source["rounds"][index]
    played = dict(round_) | {"drafted": [_less(drafted) for drafted in round_["drafted"]]}
    if round_.get("closing"):
        played["closing"] = _less(round_["closing"])
    return {"round": played, "tokens": _bytes_of(source, _ids_of(played))}


def drafted(source: Json, index: int) -> dict[str, Any] | None:
    """A round before the target has said anything of it, and the bytes of its tokens; None where it has not come."""
    if index >= len(source["rounds"]):
        return None
    round_ = source["rounds"][index]
    tokens = [{name: token[name] for name in _COVERED if name in token} for token in round_["drafted"]]
    hidden = {"target_prob": None, "draw": None, "verdict": "discarded"}
    kept_fields = {
        name: value for name, value in round_.items() if name not in ("drafted", "accepted", "closing", "own")
    }
    covered = kept_fields | {
        "drafted": [token | hidden for token in tokens],
        "accepted": [],
        "closing": None,
        "covered": True,
    }
    return {"round": covered, "tokens": _bytes_of(source, _ids_of(covered))}


def _less(token: Json) -> dict[str, Any]:
    """A token without the alternatives, and with shorter numbers."""
    return {
        name: float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value
        for name, value in token.items()
        if name not in _ALTERNATIVES
    }


def _bytes_of(source: Json, ids: set[int]) -> Json:
    return {str(i): source["tokens"][str(i)] for i in sorted(ids) if str(i) in source["tokens"]}


def _ids_of(round_: Json) -> set[int]:
    ids = {token["token"] for token in round_["drafted"]}
    return ids | {round_["closing"]["token"]} if round_["closing"] else ids
