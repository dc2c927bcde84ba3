"""Accepted tokens of a full round by each exact rule, and their difference to the token rule: `python -m tools.rules PAIR [--temperature T ...]`.

Only rounds with k drafted tokens count. The intervals are bootstrapped over prompts, the same for all rules (95%). Nothing is timed.
"""

import argparse
import json
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

from specviz.decoding.recorder import LIGHT
from specviz.folders import ASSETS
from specviz.models.loading import load_pair
from specviz.models.pair import Pair
from specviz.runs.run import Run
from specviz.settings import Settings

RULES = ("exact", "block")
_DRAWS = 2000

Counts = Sequence[tuple[int, int]]
"""Of each prompt: accepted tokens, and rounds with k drafted ones."""


def counts(pair: Pair, prompts: Sequence[str], settings: Settings, seeds: int) -> Counts:
    """Of every prompt, over all seeds."""
    found = []
    for prompt in prompts:
        rounds = [
            round_
            for seed in range(seeds)
            for round_ in Run(pair, prompt, replace(settings, seed=seed), recorder=LIGHT)
            if len(round_.drafted) == settings.k
        ]
        found.append((sum(len(round_.accepted) for round_ in rounds), len(rounds)))
    return found


def lines(by_rule: Mapping[str, Counts]) -> list[str]:
    """One line a rule."""
    prompts = range(len(by_rule[RULES[0]]))
    draw = random.Random(0)  # noqa: S311
    samples = [draw.choices(prompts, k=len(prompts)) for _ in range(_DRAWS)]
    token_rule, found = by_rule[RULES[0]], []
    for rule, its in by_rule.items():
        rounds = sum(count for _, count in its)
        mean, more = _mean(its, prompts), _mean(its, prompts) - _mean(token_rule, prompts)
        drawn = _middle([_mean(its, each) for each in samples])
        apart = _middle([_mean(its, each) - _mean(token_rule, each) for each in samples])
        found.append(f"{rule}: {mean:.2f} ({drawn}) in {rounds} rounds; minus token rule {more:+.2f} ({apart})")
    return found


def _mean(its: Counts, prompts: Sequence[int]) -> float:
    return sum(its[each][0] for each in prompts) / max(1, sum(its[each][1] for each in prompts))


def _middle(values: Sequence[float]) -> str:
    ordered, cut = sorted(values), len(values) // 40
    return f"{ordered[cut]:.2f} to {ordered[-cut - 1]:.2f}"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures of each temperature."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("pair", metavar="PAIR")
    parser.add_argument("--temperature", nargs="+", type=float, default=[0.7, 1.0], metavar="T")
    parser.add_argument("--prompts", type=int, default=27, metavar="N", help="of the page's own prompts")
    parser.add_argument("--seeds", type=int, default=5, metavar="N")
    parser.add_argument("--tokens", type=int, default=48, metavar="N")
    parser.add_argument("--k", type=int, default=5)
    args = parser.parse_args(argv)
    pair = load_pair(args.pair, device="cpu", dtype="float32")
    listed = json.loads((ASSETS / "prompts" / f"{args.pair}.json").read_text(encoding="utf-8"))
    prompts = [each["prompt"] for each in listed][: args.prompts]
    for heat in args.temperature:
        settings = Settings(k=args.k, max_new_tokens=args.tokens, temperature=heat)
        by_rule = {rule: counts(pair, prompts, replace(settings, rule=rule), args.seeds) for rule in RULES}
        found = "\n".join([f"{args.pair}, temperature {heat}, {len(prompts)} prompts", *lines(by_rule)])
        sys.stdout.write(f"{found}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
