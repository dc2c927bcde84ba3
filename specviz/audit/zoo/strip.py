"""A run of the zoo's tiny models as a table, and the recorded pairs of runs of which one has a bug. Standard library only."""

import json
from collections.abc import Callable
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
_HOW: Final = {Closing.CORRECTED: "target’s, in its place", Closing.BONUS: "target’s, bonus"}
Say = Callable[[str], str]
"""From an English text, whose gaps stay, to that of a language."""


def recorded_twins(say: Say = str) -> list[dict[str, Any]]:
    """The recorded pairs with what is said after the guess, as JSON values: see `ZooPair` in site_types.ts."""
    listed: list[dict[str, Any]] = json.loads(TWINS.read_text(encoding="utf-8"))
    return [_pair(each["exhibit"], read(TwoRuns, json.dumps(each["runs"])), say) for each in listed]


def _pair(name: str, found: TwoRuns, say: Say) -> dict[str, Any]:
    one, seen = exhibit(name), CLUES[name](found.broken)
    return {
        "mark": say(one.mark),
        "clue": say(seen.sentence).format(**seen.numbers) if seen else "",
        "what": say(one.what),
        "settings": "".join(f", {key.replace('_', '-')} {value}" for key, value in one.settings.items()),
        "broken": strip(found.broken, say),
        "honest": strip(found.honest, say),
    }


def strip(rounds: tuple[Round, ...], say: Say = str) -> str:
    """A run as a table: every drafted token with q, p, u and verdict, and the target's own token; rounds are set apart by a line."""
    text = " ".join(_name(token) for one in rounds for token in one.tokens)
    names = (say("token"), "q", "p", "p/q", "u", say("verdict"))
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in names)
    bodies = "".join(f"<tbody>{_round(one, say)}</tbody>" for one in rounds)
    return (
        f'<p class="guess-text">{escape(text)}</p><table class="guess"><thead><tr>{head}</tr></thead>{bodies}</table>'
    )


def _round(one: Round, say: Say) -> str:
    rows = "".join(_drafted(drafted, say) for drafted in one.drafted)
    if one.closing is None:
        return rows
    u = "" if one.closing.draw is None else f"{one.closing.draw:.3f}"
    how = say(_HOW[one.closing.how] if one.drafted else "target’s, own token")
    return (
        f'{rows}<tr class="own"><td class="token">{_name(one.closing.token)}</td><td></td><td></td><td></td><td>{u}</td>'
        f"<td>{escape(how)}</td></tr>"
    )


def _drafted(drafted: Drafted, say: Say) -> str:
    mark, word = _VERDICTS[drafted.verdict]
    u = "" if drafted.draw is None else f"{drafted.draw:.3f}"
    q, p = drafted.qp
    return (
        f'<tr class="{drafted.verdict.value}"><td class="token">{_name(drafted.token)}</td><td>{q:.2f}</td>'
        f"<td>{p:.2f}</td><td>{p / q:.2f}</td><td>{u}</td><td>{mark} {escape(say(word))}</td></tr>"
    )


def _name(token: int) -> str:
    return "end" if token == END else chr(ord("A") + token)
