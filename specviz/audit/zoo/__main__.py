"""`python -m specviz.audit.zoo`: audit every exhibit on tiny models and print what caught it, after how many texts or runs."""
# ruff: noqa: T201  # a command prints

import argparse
import json

from specviz.audit.full_audit import report
from specviz.audit.zoo.measure import BUDGET, PROMPTS, subject
from specviz.audit.zoo.texts import EXHIBITS
from specviz.audit.zoo.twins import recorded


def main() -> None:
    """Print the table, or what a file of the project is made of."""
    parser = argparse.ArgumentParser(prog="python -m specviz.audit.zoo", description=__doc__)
    parser.add_argument(
        "--twins", type=int, metavar="N", help="print N recorded pairs of each exhibit that a single run can give away"
    )
    arguments = parser.parse_args()
    if arguments.twins is not None:
        print(json.dumps(recorded(arguments.twins), separators=(",", ":")))
    else:
        for exhibit in EXHIBITS:
            result = report(subject(exhibit), PROMPTS, BUDGET)
            after = {found.check: found.evidence.done if found.evidence else 1 for found in result.caught}
            caught = ", ".join(f"{check} after {count}" for check, count in after.items()) or "not caught"
            print(f"{exhibit.name:26} {result.seconds:5.1f} s  {caught}", flush=True)


if __name__ == "__main__":
    main()
