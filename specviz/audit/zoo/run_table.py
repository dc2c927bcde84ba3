"""A run of the zoo's tiny models as a table, and the recorded pairs of runs of which one has a bug. Standard library only."""

import json
from collections.abc import Callable
from html import escape
from typing import Any, Final

from specviz.audit.messages import decode
from specviz.audit.zoo.guess_game import CLUES, TwoRuns, token_text
from specviz.audit.zoo.texts import exhibit
from specviz.folders import ASSETS
from specviz.trace.records import Closing, Drafted, Round, Verdict

TWINS = ASSETS / "zoo-twins.json"  # recorded pairs: `python -m tools.zoo_pairs` makes the file again
_VERDICTS: Final = {
    Verdict.ACCEPTED: ("✓", "accepted"),
    Verdict.REJECTED: ("✕", "rejected"),
    Verdict.DISCARDED: ("–", "no verdict"),
}
_HOW: Final = {Closing.CORRECTED: "target’s, in its place", Closing.BONUS: "target’s, bonus"}
Say = Callable[[str], str]  # from an English text, whose gaps stay, to that of a language


def recorded_twins(say: Say = str) -> list[dict[str, Any]]:
    """The recorded pairs with the explanation after the guess, as JSON values, see `ZooPair` in site_types.ts, with the name of the exhibit."""
    listed: list[dict[str, Any]] = json.loads(TWINS.read_text(encoding="utf-8"))
    return [_pair(twins["exhibit"], decode(TwoRuns, json.dumps(twins["runs"])), say) for twins in listed]


def _pair(name: str, runs: TwoRuns, say: Say) -> dict[str, Any]:
    shown_exhibit, clue = exhibit(name), CLUES[name](runs.broken)
    return {
        "exhibit": name,
        "mark": say(shown_exhibit.mark),
        "clue": say(clue.sentence).format(**clue.numbers) if clue else "",
        "what": say(shown_exhibit.what),
        "settings": "".join(f", {key.replace('_', '-')} {value}" for key, value in shown_exhibit.settings.items()),
        "broken": run_table(runs.broken, say),
        "honest": run_table(runs.honest, say),
    }


def run_table(rounds: tuple[Round, ...], say: Say = str) -> str:
    """A run as a table: every drafted token with q, p, u and verdict, and the target's own token; rounds are set apart by a line."""
    text = " ".join(token_text(token) for round_ in rounds for token in round_.tokens)
    names = (say("token"), "q", "p", "p/q", "u", say("verdict"))
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    bodies = "".join(f"<tbody>{_round(round_, say)}</tbody>" for round_ in rounds)
    return (
        f'<p class="guess-text">{escape(text)}</p><table class="guess"><thead><tr>{head}</tr></thead>{bodies}</table>'
    )


def _round(round_: Round, say: Say) -> str:
    rows = "".join(_drafted(drafted, say) for drafted in round_.drafted)
    if round_.closing is None:
        return rows
    u = "" if round_.closing.draw is None else f"{round_.closing.draw:.3f}"
    how = say(_HOW[round_.closing.how] if round_.drafted else "target’s, own token")
    return (
        f'{rows}<tr class="own"><td class="token">{token_text(round_.closing.token)}</td><td></td><td></td><td></td><td>{u}</td>'
        f"<td>{escape(how)}</td></tr>"
    )


def _drafted(drafted: Drafted, say: Say) -> str:
    mark, word = _VERDICTS[drafted.verdict]
    u = "" if drafted.draw is None else f"{drafted.draw:.3f}"
    q, p = drafted.qp
    return (
        f'<tr class="{drafted.verdict.value}"><td class="token">{token_text(drafted.token)}</td><td>{q:.2f}</td>'
        f"<td>{p:.2f}</td><td>{p / q:.2f}</td><td>{u}</td><td>{mark} {escape(say(word))}</td></tr>"
    )
