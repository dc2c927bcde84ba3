"""The speed of `auto` on prompts that no training saw, each against plain decoding: a table for docs/performance.md. Run nothing else meanwhile.

    .venv/bin/python -m tools.never_slower smollm2-135m --prompts 40
    .venv/bin/python -m tools.never_slower smollm2-135m --ready-made
    .venv/bin/python -m tools.never_slower smollm2-135m --edits
    .venv/bin/python -m tools.never_slower smollm2-135m --edits --again

Every prompt is decoded three times plainly and three times with `auto`, in turn; the median pair counts.
"""

import argparse
import sys
from statistics import median, quantiles

from specviz.decoding.drafters.registry import describe
from specviz.models.loading import load_pair
from specviz.models.machine_notes import machine
from specviz.reporting.prompts import prompt_family, ready_prompts
from specviz.runs.prepare import prepare
from specviz.runs.race import Race, race
from specviz.runs.run import Run
from specviz.settings import AUTO, Settings
from specviz.trace.records import Round
from tools.held_out_prompts import editing_prompts, held_out_prompts

SLOWER = 0.97  # below this a run is called slower than plain; above it is within what repeats differ by


def guesses(round_: Round, *, tree: bool) -> int:
    """The guesses that a round paid for: of a tree its levels; one that the policy then refused was paid for too, and a copy costs nothing."""
    allowed = round_.allowed or 0
    if round_.source is not None:
        return 0
    return allowed if tree else len(round_.drafted) or min(1, allowed)


def by_costs(outcome: Race, c: float, v: tuple[float, ...]) -> float:
    """The speedup that the measured costs give for the guesses that were right in this very run."""
    settings, rounds = outcome.recorded[0].settings, outcome.recorded[0].rounds
    tree = describe(settings.drafter).shape == "tree"
    spent = sum(c * guesses(round_, tree=tree) + v[min(len(round_.drafted), len(v) - 1)] for round_ in rounds)
    return sum(len(round_.tokens) for round_ in rounds) / spent


def main() -> int:
    """Measure, and print a line for each prompt and the table's row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pair")
    parser.add_argument("--prompts", type=int, default=40)
    parser.add_argument("--ready-made", action="store_true", help="the page's own prompts instead")
    parser.add_argument("--edits", action="store_true", help="prompts whose answers repeat most of them instead")
    parser.add_argument("--again", action="store_true", help="each prompt a second time, copying from its first answer")
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    pair = load_pair(args.pair)
    prompts = (
        [ready.text for ready in ready_prompts(prompt_family(args.pair))]
        if args.ready_made
        else editing_prompts()
        if args.edits
        else held_out_prompts(args.pair, args.prompts)
    )
    settings = Settings(
        drafter=AUTO, k=0, nodes=0, policy=AUTO, temperature=args.temperature, max_new_tokens=args.tokens
    )
    prepared = prepare(pair, settings)
    assert prepared.plan is not None
    assert prepared.costs is not None
    sys.stdout.write(
        f"{machine()}\n{prepared.settings.drafter}, k up to {prepared.settings.k}, predicted {prepared.plan.predicted:.2f}\n"
    )
    races: list[Race] = []
    predicted: list[float] = []
    for prompt in prompts:
        first = Run(prepared, prompt).finish() if args.again else None
        earlier = [(*first.prompt_ids, *first.token_ids)] if first else ()
        outcome = race(prepared, prompt, repeats=args.repeats, earlier=earlier)
        costs = by_costs(outcome, prepared.costs.c, prepared.costs.v)
        rounds = outcome.recorded[0].rounds
        races.append(outcome)
        predicted.append(costs)
        off = sum(round_.allowed == 0 for round_ in rounds)
        sys.stdout.write(
            f"{outcome.speedup:.2f} (costs say {costs:.2f}; {len(rounds)} rounds, {off} without a draft) "
            f"{outcome.plain.tokens_per_second:.0f} tok/s plain{'' if outcome.trusted else ', not trusted'} {prompt[:60]!r}\n"
        )
        sys.stdout.flush()
    speedups = [outcome.speedup for outcome in races]
    low, _, high = quantiles(speedups, n=4)
    near = sum(0.9 <= costs / speedup <= 1.1 for costs, speedup in zip(predicted, speedups, strict=True)) / len(races)
    slower = sum(speedup < SLOWER for speedup in speedups) / len(races)
    differs = sum(outcome.same_text is False for outcome in races)
    sys.stdout.write(
        f"{len(races)} prompts, temperature {args.temperature:g}: median {median(speedups):.2f} (quartiles {low:.2f} to {high:.2f}), lowest "
        f"{min(speedups):.2f}, below {SLOWER}: {slower:.0%}; predicted by the costs within 10% of measured: {near:.0%}; texts that differ: "
        f"{differs}; not trusted: {sum(not outcome.trusted for outcome in races)}\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
