"""Hand-made runs and the views of them that the page hands to the player: no server, no browser, no model."""

import json
from dataclasses import replace
from typing import Any

from app.classroom.played import about, drafted, shown
from app.classroom.questions import source_of
from specviz.folders import ASSETS
from specviz.settings import Settings
from specviz.trace.cards import DrafterCard, ModelCard, PairCard
from specviz.trace.files import dump
from specviz.trace.records import (
    Closing,
    ClosingToken,
    Drafted,
    Prefill,
    Round,
    Stop,
    TokenBytes,
    Top,
    Trace,
    Verdict,
)

DRAFT_S, VERIFY_S, REST_S, PLAIN_S = 0.002, 0.005, 0.001, 0.006
MIXED = ["aaa", "ard", "rdd", "aa"]
TREE_PARENTS = (-1, 0, 0, -1)
_VERDICTS = {"a": Verdict.ACCEPTED, "r": Verdict.REJECTED, "d": Verdict.DISCARDED}


def _card(drafter: DrafterCard, draft: ModelCard | None, layers: int = 2) -> PairCard:
    return PairCard(ModelCard("big", "Llama", 10, layers, 8), draft, drafter, "cpu", "float32")


_DRAFT = ModelCard("small", "Llama", 2, 1, 4)


def round_of(
    start: int,
    verdicts: str,
    index: int,
    *,
    parents: tuple[int, ...] | None = None,
    temperature: float = 0.0,
) -> Round:
    """A round of drafts that were a(ccepted), r(ejected) or d(iscarded), closed by the target's own token 9."""
    parents = parents or tuple(range(-1, len(verdicts) - 1))
    drafted = tuple(
        Drafted(
            token=i + 1,
            parent=parent,
            draft_prob=0.5,
            target_prob=0.45 if v == "a" else 0.1,
            draw=None if v == "d" or not temperature else 0.3 if v == "a" else 0.7,
            verdict=_VERDICTS[v],
            draft_top=Top((i + 1, 9), (2.0, 1.0), (0.6, 0.2), (0.5, 0.2)),
            target_top=Top((9, i + 1), (3.0, 1.5), (0.7, 0.1), (0.8, 0.1)),
        )
        for i, (v, parent) in enumerate(zip(verdicts, parents, strict=True))
    )
    accepted = tuple(i for i, v in enumerate(verdicts) if v == "a")
    end = accepted[-1] if accepted else -1
    rejected = any(v == "r" and parent == end for v, parent in zip(verdicts, parents, strict=True))
    how = Closing.CORRECTED if rejected else Closing.BONUS
    own = ClosingToken(9, how, 0.25 if temperature else None, Top((9, 8), (3.0, 1.0), (0.7, 0.1), (0.9, 0.1)))
    began = index * (DRAFT_S + VERIFY_S + REST_S)
    return Round(start, drafted, accepted, own, began, DRAFT_S, VERIFY_S, began + DRAFT_S + VERIFY_S + REST_S)


def trace_of(
    rounds: list[str],
    *,
    texts: dict[int, bytes] | None = None,
    parents: tuple[int, ...] | None = None,
    temperature: float = 0.0,
    drafter: str = "model",
    label: str = "draft model",
    of: int = 2,
    **chosen: Any,
) -> Trace:
    """A run of rounds as `round_of` takes them; `texts` are the bytes of some ids, `parents` makes every round a tree.

    `drafter` and `label` are the drafter's card, `of` how many layers the target has, `chosen` further settings.
    """
    made: list[Round] = []
    start = 0
    for index, verdicts in enumerate(rounds):
        made.append(round_of(start, verdicts, index, parents=parents, temperature=temperature))
        start += len(made[-1].tokens)
    table = {i: TokenBytes(f" w{i}".encode()) for i in range(max(10, max(map(len, rounds), default=0) + 2))}
    table |= {i: TokenBytes(data) for i, data in (texts or {}).items()}
    k = min(16, max(1, *map(len, rounds))) if rounds else 1  # a tree has more
    settings = Settings(k=k, temperature=temperature, **chosen)
    card = _card(DrafterCard(drafter, label), _DRAFT, of)
    return Trace(card, "Say", (0,), settings, Prefill(0.01, 0.002), tuple(made), Stop.LENGTH, table)


def plain_of(trace: Trace) -> Trace:
    """The plain run that writes the same."""
    own = [ClosingToken(token, Closing.BONUS, None) for token in trace.token_ids]
    rounds = tuple(
        Round(i, (), (), token, i * PLAIN_S, 0.0, PLAIN_S - 0.0005, (i + 1) * PLAIN_S) for i, token in enumerate(own)
    )
    card = _card(DrafterCard("none", "none"), None)
    return replace(trace, card=card, rounds=rounds, tokens=dict(trace.tokens))


def view_of(*traces: Trace, **more: Any) -> dict[str, Any]:
    """What the page hands to the player for a finished run."""
    return {"id": "lab", "status": "done", "recording": dump(traces), **more}


def shipped_view(name: str, **more: Any) -> dict[str, Any]:
    """The same for a recording that comes with the project."""
    recording = json.loads((ASSETS / "traces" / f"{name}.json").read_text(encoding="utf-8"))
    return {"id": name, "status": "shipped", "recording": recording, **more}


def live_of(trace: Trace, *, rounds: int | None = None, plain: int = 0, **more: Any) -> dict[str, Any]:
    """What the page hands to the player of a run that goes on, when so many of its rounds have come, and of plain ones."""
    recorded, alone = dump((trace, plain_of(trace)))["traces"]
    now = {"rounds": recorded["rounds"][:rounds], "plain_rounds": alone["rounds"][:plain], "ended": {}}
    return {**recorded, "prefill": {"target_s": 0.01, "draft_s": 0.0}, **now, **more}


def played(view: dict[str, Any], count: int) -> dict[str, Any]:
    """What a follower shows once the verdicts of so many rounds were played, put together as on the page of the audience."""
    source = source_of(view)
    assert source is not None
    covered = drafted(source, count)
    entries = [*(shown(source, index) for index in range(count)), *([covered] if covered else [])]
    known = about(source)
    tokens = {token: data for each in (known, *entries) for token, data in each["tokens"].items()}
    live = {**known, "tokens": tokens, "rounds": [each["round"] for each in entries], "plain_rounds": [], "ended": {}}
    return {"id": view["id"], "asked": view.get("asked"), "status": "running", "live": live}


def english(given: Any) -> str:
    """The sentence with its gaps filled, see `specviz.words.for_page`."""
    if not isinstance(given, dict):
        return str(given)
    if "digits" in given:
        return f"{given['number']:.{given['digits']}f}"
    return str(given["text"]).format(**{name: english(value) for name, value in given["values"].items()})
