"""Two runs of which one has a bug: the bug shows in one of them, and in the other it does not."""

import re
from functools import partial

import pytest

from specviz.audit.zoo.guess_game import CLUES, TOKENS
from specviz.audit.zoo.run_table import recorded_twins
from specviz.audit.zoo.twins import two_runs
from specviz.words import translate


@pytest.mark.slow
def test_the_bug_shows_in_one_run_and_not_in_the_other() -> None:
    """For every exhibit of the game and several seeds; the honest run is never longer than it was asked to be."""
    for name, clue in CLUES.items():
        for seed in (0, 99_999):
            found = two_runs(name, seed)
            assert clue(found.broken), name
            assert not clue(found.honest), name
            assert sum(len(one.tokens) for one in found.honest) <= TOKENS
            again = two_runs(name, found.seed)
            assert [one.tokens for one in found.broken] == [one.tokens for one in again.broken]


def test_the_recorded_pairs_are_said_in_a_language() -> None:
    """Mark, clue, explanation and tables in German, with the numbers of the English ones."""
    for own, english in zip(recorded_twins(partial(translate, language="de")), recorded_twins(), strict=True):
        assert own["mark"].startswith("FEHLER: ")
        assert own["what"] != english["what"]
        for part in ("clue", "broken", "honest"):
            assert own[part] != english[part]
            assert re.findall(r"\d+(?:\.\d+)?", own[part]) == re.findall(r"\d+(?:\.\d+)?", english[part])
