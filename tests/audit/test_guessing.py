"""Two runs of which one has a bug: the bug shows in one of them, and in the other it does not."""

import json
import re
from collections.abc import Sequence
from functools import partial

from specviz.audit.messages import decode
from specviz.audit.zoo.guess_game import CLUES, TOKENS, TWINS, TwoRuns, recorded_twins
from specviz.trace.records import Round
from specviz.words import translate
from tools.zoo_pairs import two_runs


def test_the_bug_shows_in_one_run_and_not_in_the_other() -> None:
    """In every recorded pair; both are the runs of the tiny models with its seed, and never longer than they were asked to be."""
    for twins in json.loads(TWINS.read_text(encoding="utf-8")):
        runs, clue = decode(TwoRuns, json.dumps(twins["runs"])), CLUES[twins["exhibit"]]
        again = two_runs(twins["exhibit"], runs.seed)
        assert [_texts(one) for one in (runs.broken, runs.honest)] == [
            _texts(one) for one in (again.broken, again.honest)
        ]
        assert clue(runs.broken), twins["exhibit"]
        assert not clue(runs.honest), twins["exhibit"]
        assert sum(len(round_.tokens) for round_ in runs.honest) <= TOKENS


def test_the_recorded_pairs_are_said_in_a_language() -> None:
    """Mark, clue, explanation and pictures in German, with the numbers of the English ones. After the guess one round is marked, before it none."""
    for own, english in zip(recorded_twins(partial(translate, language="de")), recorded_twins(), strict=True):
        assert own["mark"].startswith("FEHLER: ")
        assert own["what"] != english["what"]
        assert [own[run].count('class="found"') for run in ("broken", "honest", "found")] == [0, 0, 1]
        for part in ("clue", "broken", "honest"):
            assert own[part] != english[part]
            assert re.findall(r"\d+(?:\.\d+)?", own[part]) == re.findall(r"\d+(?:\.\d+)?", english[part])


def _texts(rounds: Sequence[Round]) -> list[tuple[list[int], list[int]]]:
    return [([drafted.token for drafted in round_.drafted], [*round_.tokens]) for round_ in rounds]
