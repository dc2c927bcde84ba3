"""`make classroom N=50`: measures a classroom on this machine and prints one table. Nothing else should run meanwhile.

python -m tools.classroom --count 50 --parts open follow run
"""

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path

from tools.classroom import failing, following, opening, running
from tools.classroom.browsers import phones
from tools.classroom.figures import ClassroomFigure, table
from tools.classroom.host import ClassroomHost

PARTS = ("open", "follow", "bytes", "run", "attacked", "restart", "crowd")


def main(arguments: list[str] | None = None) -> int:
    """Each part meets a fresh server. Exit code 1 where a goal was missed."""
    asked = _asked(arguments)
    found: list[ClassroomFigure] = []
    for part in asked.parts:
        with tempfile.TemporaryDirectory() as folder:
            host = ClassroomHost(Path(folder))
            host.start()
            try:
                found += asyncio.run(_measure(part, host, asked))
            finally:
                host.end()
        if not asked.json:
            sys.stdout.write(f"{part}: done\n")
            sys.stdout.flush()
    if asked.json:
        sys.stdout.write(
            json.dumps({"count": asked.count, "figures": [each.as_object() for each in found]}, indent=1) + "\n"
        )
    else:
        sys.stdout.write(f"\n{table(found)}\n")
    return int(any(each.met is False for each in found))


def _asked(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tools.classroom", description=__doc__.split("\n")[0] if __doc__ else ""
    )
    parser.add_argument("--count", type=_count, default=50, help="visitors without browsers (default 50)")
    parser.add_argument("--crowd", type=_count, default=500, help="followers in the part crowd (default 500)")
    parser.add_argument("--browsers", type=int, default=3, help="Chromiums beside them (default 3)")
    parser.add_argument("--seconds", type=float, default=60.0, help="for the part bytes (default 60)")
    parser.add_argument(
        "--parts", nargs="+", choices=PARTS, default=list(PARTS), help="what is measured (default: all)"
    )
    parser.add_argument("--json", action="store_true", help="print one object")
    return parser.parse_args(arguments)


def _count(given: str) -> int:
    if not (given.isascii() and given.isdecimal() and 1 <= int(given[:9]) <= 2000):
        raise argparse.ArgumentTypeError(f"the number of visitors was {given!r:.40}: give 1 to 2000")
    return int(given)


async def _measure(part: str, host: ClassroomHost, asked: argparse.Namespace) -> list[ClassroomFigure]:
    if part in ("open", "follow"):
        async with phones(asked.browsers, host.address) as real:
            measure = opening.measure if part == "open" else following.measure
            return await measure(host, asked.count, real)
    if part == "bytes":
        return await following.measure_bytes(host, asked.count, asked.seconds)
    if part == "run":
        return await running.measure(host, asked.count)
    if part == "attacked":
        return await running.measure_attacked(host, asked.count)
    if part == "restart":
        return await failing.measure(host)
    return await following.measure_crowd(host, asked.crowd)


if __name__ == "__main__":
    sys.exit(main())
