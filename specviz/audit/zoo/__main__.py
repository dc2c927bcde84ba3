"""`python -m specviz.audit.zoo`: audit every exhibit on tiny models and print what caught it, after how many texts or runs."""
# ruff: noqa: T201  # a command prints

import argparse
import json
from dataclasses import asdict, replace

from specviz.audit.subject import Budget
from specviz.audit.zoo.exhibit import Exhibit
from specviz.audit.zoo.honest import SAMPLES, honest_audits
from specviz.audit.zoo.measure import BUDGET, measure
from specviz.audit.zoo.page import page
from specviz.audit.zoo.texts import EXHIBITS
from specviz.audit.zoo.two_runs import recorded


def main() -> None:
    """Print the table, or one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m specviz.audit.zoo", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="of exhibits; all of them by default")
    parser.add_argument(
        "--honest",
        type=int,
        metavar="N",
        help="audit the parts without their bugs so many times, and count the false alarms",
    )
    parser.add_argument(
        "--samples",
        type=int,
        help=f"runs of the sequential checks (default {BUDGET.samples:,}; with --honest {SAMPLES})",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--twins", type=int, metavar="N", help="print N recorded pairs of each exhibit that a single run can give away"
    )
    parser.add_argument("--page", action="store_true", help="print docs/bug-zoo.md instead, and measure nothing")
    arguments = parser.parse_args()
    if arguments.page:
        print(page(), end="")
        return
    if arguments.twins is not None:
        print(json.dumps(recorded(arguments.twins), separators=(",", ":")))
        return
    chosen = [one for one in EXHIBITS if not arguments.names or one.name in arguments.names]
    budget = replace(BUDGET, samples=arguments.samples or (BUDGET.samples if arguments.honest is None else SAMPLES))
    if arguments.honest is not None:
        _count_alarms(arguments.honest, chosen, budget, json_wanted=arguments.json)
        return
    rows = []
    for one in chosen:
        row = measure(one, budget)
        rows.append(row)
        if not arguments.json:
            caught = ", ".join(f"{found.check} after {found.after}" for found in row.caught) or "not caught"
            print(f"{one.name:26} {row.seconds:5.1f} s  {caught}", flush=True)
    if arguments.json:
        print(json.dumps({"budget": asdict(budget), "rows": [asdict(row) for row in rows]}, indent=1))


def _count_alarms(count: int, chosen: list[Exhibit], budget: Budget, *, json_wanted: bool) -> None:
    alarms, seconds = [], 0.0
    for one in honest_audits(chosen, count, budget):
        seconds += one.row.seconds
        if one.row.caught:
            alarms.append({"number": one.number, **asdict(one.row)})
        if not json_wanted and (one.row.caught or (one.number + 1) % 100 == 0):
            print(f"{one.number + 1} of {count} audits, {len(alarms)} false alarms, {seconds:.0f} s", flush=True)
    if json_wanted:
        print(json.dumps({"budget": asdict(budget), "audits": count, "alarms": alarms, "seconds": seconds}))


if __name__ == "__main__":
    main()
