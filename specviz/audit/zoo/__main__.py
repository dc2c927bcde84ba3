"""`python -m specviz.audit.zoo`: audit every exhibit on tiny models and print what caught it, after how many texts or runs."""
# ruff: noqa: T201  # a command prints

import argparse
import json
from dataclasses import asdict, replace

from specviz.audit.zoo.measure import BUDGET, measure
from specviz.audit.zoo.page import page
from specviz.audit.zoo.texts import EXHIBITS


def main() -> None:
    """Print the table, or one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m specviz.audit.zoo", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="of exhibits; all of them by default")
    parser.add_argument("--samples", type=int, default=BUDGET.samples, help="runs of the sequential checks")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--page", action="store_true", help="print docs/bug-zoo.md instead, and measure nothing")
    arguments = parser.parse_args()
    if arguments.page:
        print(page(), end="")
        return
    chosen = [one for one in EXHIBITS if not arguments.names or one.name in arguments.names]
    budget = replace(BUDGET, samples=arguments.samples)
    rows = []
    for one in chosen:
        row = measure(one, budget)
        rows.append(row)
        if not arguments.json:
            caught = ", ".join(f"{found.check} after {found.after}" for found in row.caught) or "not caught"
            print(f"{one.name:26} {row.seconds:5.1f} s  {caught}", flush=True)
    if arguments.json:
        print(json.dumps({"budget": asdict(budget), "rows": [asdict(row) for row in rows]}, indent=1))


if __name__ == "__main__":
    main()
