"""`python -m tools.zoo_pairs`: prints `assets/zoo-twins.json`, two real runs of the tiny models a pair, one with an exhibit's bug that shows in it."""
# ruff: noqa: T201  # a command prints

import json
from dataclasses import replace

from specviz.audit.messages import encode
from specviz.audit.subject import Subject
from specviz.audit.zoo.exhibits import PROMPTS, subject
from specviz.audit.zoo.guess_game import CLUES, TOKENS, TwoRuns
from specviz.audit.zoo.texts import exhibit
from specviz.trace.records import Round

_EACH = 4  # pairs of an exhibit
_TRIED = 2000
_FEWEST, _MOST = 2, 5  # rounds of each run: few enough to be read


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


def main() -> None:
    """Print the pairs as JSON."""
    pairs = []
    for name in CLUES:
        seed = 0
        for _ in range(_EACH):
            runs = two_runs(name, seed)
            pairs.append({"exhibit": name, "runs": json.loads(encode(runs))})
            seed = runs.seed + 1
    print(json.dumps(pairs, separators=(",", ":")))


if __name__ == "__main__":
    main()
