"""The game "guess which run is broken": the recorded pairs of runs, the clues that give a bug away, and a run as a picture, said in a page's language."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from specviz.audit.messages import decode
from specviz.audit.zoo.texts import exhibit
from specviz.folders import ASSETS
from specviz.reporting.templates import html_from
from specviz.trace.records import Round, Verdict
from specviz.words import Sentence

TWINS = ASSETS / "zoo-twins.json"  # recorded pairs: `python -m tools.zoo_pairs` makes the file again
Say = Callable[[str], str]  # from an English text, whose gaps stay, to that of a language

TOKENS = 8  # the most new tokens of each run
END = 3  # the id of the tiny models' end-of-text token


def token_text(token: int) -> str:
    """The name of a token of the tiny models, which have no text: a letter, or "end"."""
    return "end" if token == END else chr(ord("A") + token)


@dataclass(frozen=True, slots=True)
class TwoRuns:
    """The rounds of two runs with the same prompt, settings and seed: one with the bug, one without."""

    broken: tuple[Round, ...]
    honest: tuple[Round, ...]
    seed: int


def _accepted_impossible(rounds: Sequence[Round]) -> Sentence | None:
    for number, round_ in enumerate(rounds, start=1):
        if any(drafted.verdict is Verdict.ACCEPTED and drafted.target_prob == 0 for drafted in round_.drafted):
            return Sentence("In round {round} a token with p = 0 was accepted, at u = 0.", round=number)
    return None


def _came_back(rounds: Sequence[Round]) -> Sentence | None:
    for number, round_ in enumerate(rounds, start=1):
        rejected = next((drafted.token for drafted in round_.drafted if drafted.verdict is Verdict.REJECTED), None)
        if rejected is not None and round_.closing is not None and round_.closing.token == rejected:
            return Sentence("In round {round} the token that was rejected came back in its own place.", round=number)
    return None


def _goes_on(rounds: Sequence[Round]) -> Sentence | None:
    for number, round_ in enumerate(rounds, start=1):
        if END in (round_.tokens if number < len(rounds) else round_.tokens[:-1]):
            return Sentence("The end-of-text token stands in the middle of the text.", round=number)
    return None


# The exhibits that a single run can give away, by name: from the rounds of a run to the clue; None where the bug does not show in it.
CLUES: dict[str, Callable[[Sequence[Round]], Sentence | None]] = {
    "redrawn-from-p": _came_back,
    "inclusive-coin": _accepted_impossible,
    "end-inside-missed": _goes_on,
}


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
        "broken": run_picture(runs.broken, say),
        "found": run_picture(runs.broken, say, clue.values["round"] if clue else None),
        "honest": run_picture(runs.honest, say),
    }


def run_picture(rounds: tuple[Round, ...], say: Say, found: object = None) -> str:
    """A run as HTML: a row of cards for each round, one for every drafted token with q and p as bars, u beside p/q, and the verdict, and one for the
    target's own token. `found`: the number of the round where the bug shows, which is marked."""
    return html_from(
        "audit/zoo/run_picture.html",
        text=" ".join(token_text(token) for round_ in rounds for token in round_.tokens),
        rounds=rounds,
        found=found,
        say=say,
        token_text=token_text,
        u="{:.3f}".format,
    )
