"""What the audience may have of the run on the presenter's stage: what has been played. The browser of a follower holds nothing else, so
nobody reads the answer of a question in it."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.room.questions import rounds_of, source_of

Json = dict[str, Any]
_KEPT = ("id", "plain_rate", "asked")
_SOURCE = ("prompt", "settings", "prompt_ids", "prefill", "card", "earlier")
_ALTERNATIVES = ("draft_top", "target_top", "residual_top")
_COVERED = ("token", "parent", "draft_prob", "confidence")
_DIGITS = 6


def played(view: Json, round_: int) -> Json:
    """A view as a run that has come so far: rounds whose verdicts were shown, without the alternatives beside their tokens, and of the next
    one what was drafted. All of it, once all of it was shown.

    Args:
        round_: the index of the first round whose verdicts were not shown.
    """
    source, recording = source_of(view), view.get("recording")
    if source is None or (recording and round_ >= len(source["rounds"])):
        return view
    rounds = source["rounds"]
    shown = [_light(one) for one in rounds[:round_]] + [_drafted(one) for one in rounds[round_ : round_ + 1]]
    ids = {*source["prompt_ids"], *(i for text in source.get("earlier") or () for i in text), *_ids_of(shown)}
    live = {name: source[name] for name in _SOURCE if name in source} | {
        "rounds": shown,
        "tokens": {key: entry for key, entry in source["tokens"].items() if int(key) in ids},
        "plain_rounds": [],
        "ended": {},
        "detail": None,
    }
    return {name: view[name] for name in _KEPT if name in view} | {"status": "running", "live": live}


def shown_of(view: Json | None, round_: int) -> tuple[int, bool]:
    """What `played` gives: how many rounds, and whether with the verdicts of the last one. A page is sent a view again when that changes."""
    count = len(rounds_of(view))
    return min(round_ + 1, count), round_ >= count


def _light(one: Mapping[str, Any]) -> Json:
    found = dict(one) | {"drafted": [_less(drafted) for drafted in one["drafted"]]}
    if one.get("closing"):
        found["closing"] = _less(one["closing"])
    return found


def _less(given: Mapping[str, Any]) -> Json:
    """Without the alternatives, and with shorter numbers."""
    return {
        name: float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value
        for name, value in given.items()
        if name not in _ALTERNATIVES
    }


def _drafted(one: Mapping[str, Any]) -> Json:
    """A round before the target has said anything of it."""
    drafted = [{name: each[name] for name in _COVERED if name in each} for each in one["drafted"]]
    hidden = {"target_prob": None, "draw": None, "verdict": "discarded"}
    known = {name: value for name, value in one.items() if name not in ("drafted", "accepted", "closing", "own")}
    return known | {"drafted": [each | hidden for each in drafted], "accepted": [], "closing": None, "covered": True}


def _ids_of(rounds: Sequence[Json]) -> set[int]:
    found = {each["token"] for one in rounds for each in one["drafted"]}
    return found | {one["closing"]["token"] for one in rounds if one["closing"]}
