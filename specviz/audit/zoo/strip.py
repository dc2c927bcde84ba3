"""A run of the zoo's tiny models as a table, and the recorded pairs of runs of which one has a bug. Standard library only."""

import json
from functools import cache
from html import escape
from typing import Any, Final

from specviz.audit.asked import read
from specviz.audit.zoo.guessing import CLUES, END, TwoRuns
from specviz.audit.zoo.texts import exhibit
from specviz.folders import ASSETS
from specviz.trace.records import Closing, Drafted, Round, Verdict

TWINS = ASSETS / "zoo-twins.json"
"""Recorded pairs: `python -m specviz.audit.zoo --twins` makes the file again."""
_VERDICTS: Final = {
    Verdict.ACCEPTED: ("✓", "accepted"),
    Verdict.REJECTED: ("✕", "rejected"),
    Verdict.DISCARDED: ("–", "no verdict"),
}
_HOW: Final = {Closing.CORRECTED: "in its place", Closing.BONUS: "bonus"}
LOOK: Final = """
.guess { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.guess-run { overflow-x: auto; }
.guess :is(th, td) { border: 0; padding: 1px clamp(3px, 0.6vw, 8px); line-height: 1.3; text-align: right; white-space: nowrap; font-weight: 400; }
.guess thead th { font-size: 0.8rem; opacity: 0.85; }
.guess :is(th, td):is(:first-child, :last-child) { text-align: left; }
.guess .token { font-family: ui-monospace, monospace; font-weight: 700; }
.guess tbody { border-top: 1px solid color-mix(in srgb, currentColor 35%, transparent); }
.guess tr.discarded { opacity: 0.75; }
.guess tr.own td { font-style: italic; }
.guess-text { font-family: ui-monospace, monospace; font-size: 1.05rem; margin: 0 0 6px; overflow-wrap: anywhere; }
"""


@cache
def recorded_twins() -> list[dict[str, Any]]:
    """The recorded pairs with what is said after the guess, as JSON values: see `ZooPair` in types.d.ts."""
    listed: list[dict[str, Any]] = json.loads(TWINS.read_text(encoding="utf-8"))
    return [_pair(each["exhibit"], read(TwoRuns, json.dumps(each["runs"]))) for each in listed]


def _pair(name: str, found: TwoRuns) -> dict[str, Any]:
    one = exhibit(name)
    return {
        "mark": one.mark,
        "clue": CLUES[name](found.broken),
        "what": one.what,
        "settings": "".join(f", {key.replace('_', '-')} {value}" for key, value in one.settings.items()),
        "broken": strip(found.broken),
        "honest": strip(found.honest),
    }


def strip(rounds: tuple[Round, ...]) -> str:
    """A run as a table: every drafted token with q, p, u and verdict, and the target's own token; rounds are set apart by a line."""
    text = " ".join(_name(token) for one in rounds for token in one.tokens)
    head = "".join(f'<th scope="col">{each}</th>' for each in ("token", "q", "p", "p/q", "u", "verdict"))
    bodies = "".join(f"<tbody>{_round(one)}</tbody>" for one in rounds)
    return (
        f'<p class="guess-text">{escape(text)}</p><table class="guess"><thead><tr>{head}</tr></thead>{bodies}</table>'
    )


def _round(one: Round) -> str:
    rows = "".join(_drafted(drafted) for drafted in one.drafted)
    if one.closing is None:
        return rows
    u = "" if one.closing.draw is None else f"{one.closing.draw:.3f}"
    how = "own token" if not one.drafted else _HOW[one.closing.how]
    return (
        f'{rows}<tr class="own"><td class="token">{_name(one.closing.token)}</td><td></td><td></td><td></td><td>{u}</td>'
        f"<td>target’s, {how}</td></tr>"
    )


def _drafted(drafted: Drafted) -> str:
    mark, word = _VERDICTS[drafted.verdict]
    u = "" if drafted.draw is None else f"{drafted.draw:.3f}"
    q, p = drafted.qp
    return (
        f'<tr class="{drafted.verdict.value}"><td class="token">{_name(drafted.token)}</td><td>{q:.2f}</td>'
        f"<td>{p:.2f}</td><td>{p / q:.2f}</td><td>{u}</td><td>{mark} {word}</td></tr>"
    )


def _name(token: int) -> str:
    return "end" if token == END else chr(ord("A") + token)
