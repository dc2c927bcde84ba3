"""A run of the zoo's tiny models as a table, and the recorded pairs of runs of which one has a bug."""

import json
from collections.abc import Callable
from typing import Any

from specviz.audit.messages import decode
from specviz.audit.zoo.guess_game import CLUES, TwoRuns, token_text
from specviz.audit.zoo.texts import exhibit
from specviz.folders import ASSETS
from specviz.reporting.templates import html_from
from specviz.trace.records import Round

TWINS = ASSETS / "zoo-twins.json"  # recorded pairs: `python -m tools.zoo_pairs` makes the file again
Say = Callable[[str], str]  # from an English text, whose gaps stay, to that of a language


def recorded_twins(say: Say = str) -> list[dict[str, Any]]:
    """The recorded pairs with the explanation after the guess, as JSON values, see `ZooPair` in loading.ts, with the name of the exhibit."""
    listed: list[dict[str, Any]] = json.loads(TWINS.read_text(encoding="utf-8"))
    return [_pair(twins["exhibit"], decode(TwoRuns, json.dumps(twins["runs"])), say) for twins in listed]


def _pair(name: str, runs: TwoRuns, say: Say) -> dict[str, Any]:
    shown_exhibit, clue = exhibit(name), CLUES[name](runs.broken)
    return {
        "exhibit": name,
        "mark": say(shown_exhibit.mark),
        "clue": say(clue.text).format(**clue.values) if clue else "",
        "what": say(shown_exhibit.what),
        "settings": "".join(f", {key.replace('_', '-')} {value}" for key, value in shown_exhibit.settings.items()),
        "broken": run_table(runs.broken, say),
        "honest": run_table(runs.honest, say),
    }


def run_table(rounds: tuple[Round, ...], say: Say = str) -> str:
    """A run as a table: every drafted token with q, p, u and verdict, and the target's own token; rounds are set apart by a line."""
    return html_from(
        "audit/zoo/run_table.html",
        text=" ".join(token_text(token) for round_ in rounds for token in round_.tokens),
        rounds=rounds,
        say=say,
        token_text=token_text,
        u=lambda draw: "" if draw is None else f"{draw:.3f}",
    )
