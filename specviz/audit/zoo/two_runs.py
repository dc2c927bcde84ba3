"""The task "guess" of the engine process: two real runs of the tiny models, one of them with an exhibit's bug that can be seen in it."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from specviz.audit.asked import read, written
from specviz.audit.subject import Subject
from specviz.audit.zoo.guessing import CLUES, TOKENS, GuessAsked, TwoRuns
from specviz.audit.zoo.measure import PROMPTS, subject
from specviz.audit.zoo.texts import exhibit
from specviz.decoding.recorder import LIGHT
from specviz.errors import InputError
from specviz.runs.tasks import Work
from specviz.trace.records import Round

_TRIED = 2000
_FEWEST, _MOST = 2, 5
"""Rounds of each run: few enough to be read."""


def perform(work: Work) -> None:
    """Report the runs of the first seed, from the one that is asked for, where the bug can be seen.

    Raises:
        InputError: this exhibit cannot be seen in one run.
    """
    asked = read(GuessAsked, work.asked)
    found = two_runs(asked, work.stopped)
    if found is not None:
        work.report(written(found))


def recorded(count: int) -> list[dict[str, Any]]:
    """Several pairs of each exhibit, as the site's game shows them."""
    pairs = []
    for exhibit_ in CLUES:
        seed = 0
        for _ in range(count):
            found = two_runs(GuessAsked(exhibit_, seed), lambda: False)
            assert found is not None, "nobody stops it"
            pairs.append({"exhibit": exhibit_, "runs": json.loads(written(found))})
            seed = found.seed + 1
    return pairs


def two_runs(asked: GuessAsked, stopped: Callable[[], bool]) -> TwoRuns | None:
    """The runs of the first seed, from the one that is asked for, where the bug can be seen; None if they were stopped.

    Raises:
        InputError: this exhibit cannot be seen in one run.
    """
    if asked.exhibit not in CLUES:
        raise InputError(f"The bug {asked.exhibit!r:.60} cannot be seen in one run: choose one of {', '.join(CLUES)}.")
    broken, honest = (_light(subject(exhibit(asked.exhibit), honest=each)) for each in (False, True))
    clue = CLUES[asked.exhibit]
    for seed in range(asked.seed, asked.seed + _TRIED):
        if stopped():
            return None
        found = _rounds(broken, seed)
        if not _FEWEST <= len(found) <= _MOST or not clue(found):
            continue
        other = _rounds(honest, seed)
        if _FEWEST <= len(other) <= _MOST and not clue(other):
            return TwoRuns(found, other, seed)
    raise InputError(f"The bug {asked.exhibit!r:.60} did not show in {_TRIED} runs: try again.")


def _light(given: Subject) -> Subject:
    assert given.parts is not None, "an exhibit is made of the parts of the loop"
    return replace(given, parts=replace(given.parts, recorder=LIGHT))


def _rounds(given: Subject, seed: int) -> tuple[Round, ...]:
    settings = replace(given.settings, max_new_tokens=TOKENS, seed=seed)
    *_, last = given.decode(PROMPTS[0], settings)
    return last.rounds or ()
