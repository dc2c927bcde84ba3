"""Makes the pairs of runs of the game: two real runs of the tiny models, one of them with an exhibit's bug that can be seen in it."""

import json
from dataclasses import replace
from typing import Any

from specviz.audit.messages import encode
from specviz.audit.subject import Subject
from specviz.audit.zoo.guess_game import CLUES, TOKENS, TwoRuns
from specviz.audit.zoo.measure import PROMPTS, subject
from specviz.audit.zoo.texts import exhibit
from specviz.trace.records import Round

_TRIED = 2000
_FEWEST, _MOST = 2, 5  # rounds of each run: few enough to be read


def recorded(count: int) -> list[dict[str, Any]]:
    """`count` pairs of each exhibit, as JSON values."""
    pairs = []
    for exhibit_ in CLUES:
        seed = 0
        for _ in range(count):
            runs = two_runs(exhibit_, seed)
            pairs.append({"exhibit": exhibit_, "runs": json.loads(encode(runs))})
            seed = runs.seed + 1
    return pairs


def two_runs(name: str, first_seed: int) -> TwoRuns:
    """The runs of the first seed, from this one on, where the bug of an exhibit of the game can be seen. Raises
    LookupError if it did not show in any of many runs."""
    broken, honest = (subject(exhibit(name), honest=is_honest) for is_honest in (False, True))
    clue = CLUES[name]
    for seed in range(first_seed, first_seed + _TRIED):
        rounds = _rounds(broken, seed)
        if not _FEWEST <= len(rounds) <= _MOST or not clue(rounds):
            continue
        honest_rounds = _rounds(honest, seed)
        if _FEWEST <= len(honest_rounds) <= _MOST and not clue(honest_rounds):
            return TwoRuns(rounds, honest_rounds, seed)
    raise LookupError(f"The bug {name!r} did not show in {_TRIED} runs.")


def _rounds(audited: Subject, seed: int) -> tuple[Round, ...]:
    settings = replace(audited.settings, max_new_tokens=TOKENS, seed=seed)
    *_, last = audited.decode(PROMPTS[0], settings, light=True)
    return last.rounds or ()
