"""The task "guess" of the engine process: two real runs of the tiny models, one of them with an exhibit's bug that can be seen in it."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from specviz.audit.messages import decode, encode
from specviz.audit.subject import Subject
from specviz.audit.zoo.guess_game import CLUES, TOKENS, GuessRequest, TwoRuns
from specviz.audit.zoo.measure import PROMPTS, subject
from specviz.audit.zoo.texts import exhibit
from specviz.errors import InputError
from specviz.runs.tasks import Work
from specviz.trace.records import Round

_TRIED = 2000
_FEWEST, _MOST = 2, 5  # rounds of each run: few enough to be read


def perform(work: Work) -> None:
    """Report the runs of the first seed, from the requested one on, where the bug can be seen.

    Raises:
        InputError: this exhibit cannot be seen in one run.
    """
    request = decode(GuessRequest, work.request)
    runs = two_runs(request, work.stopped)
    if runs is not None:
        work.report(encode(runs))


def recorded(count: int) -> list[dict[str, Any]]:
    """`count` pairs of each exhibit, for the site's game."""
    pairs = []
    for exhibit_ in CLUES:
        seed = 0
        for _ in range(count):
            runs = two_runs(GuessRequest(exhibit_, seed), lambda: False)
            assert runs is not None, "nobody stops it"
            pairs.append({"exhibit": exhibit_, "runs": json.loads(encode(runs))})
            seed = runs.seed + 1
    return pairs


def two_runs(request: GuessRequest, stopped: Callable[[], bool]) -> TwoRuns | None:
    """The runs of the first seed, from the requested one on, where the bug can be seen; None if they were stopped.

    Raises:
        InputError: this exhibit cannot be seen in one run.
    """
    if request.exhibit not in CLUES:
        raise InputError(
            f"The bug {request.exhibit!r:.60} cannot be seen in one run: choose one of {', '.join(CLUES)}."
        )
    broken, honest = (subject(exhibit(request.exhibit), honest=is_honest) for is_honest in (False, True))
    clue = CLUES[request.exhibit]
    for seed in range(request.seed, request.seed + _TRIED):
        if stopped():
            return None
        rounds = _rounds(broken, seed)
        if not _FEWEST <= len(rounds) <= _MOST or not clue(rounds):
            continue
        honest_rounds = _rounds(honest, seed)
        if _FEWEST <= len(honest_rounds) <= _MOST and not clue(honest_rounds):
            return TwoRuns(rounds, honest_rounds, seed)
    raise InputError(f"The bug {request.exhibit!r:.60} did not show in {_TRIED} runs: try again.")


def _rounds(audited: Subject, seed: int) -> tuple[Round, ...]:
    settings = replace(audited.settings, max_new_tokens=TOKENS, seed=seed)
    *_, last = audited.decode(PROMPTS[0], settings, light=True)
    return last.rounds or ()
