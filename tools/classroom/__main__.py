"""`make classroom N=50`: measures a classroom on this machine and prints one table. Nothing else should run meanwhile."""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tools.classroom.figures import ClassroomFigure, table
from tools.classroom.host import classroom
from tools.classroom.parts import PARTS


def main(arguments: list[str] | None = None) -> int:
    """Each part meets a fresh server. Exit code 1 where a goal was missed."""
    parser = argparse.ArgumentParser(prog="python -m tools.classroom", description=__doc__)
    parser.add_argument("--count", type=_count, default=50, help="visitors (default 50)")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=[*PARTS], help="default: all")
    args = parser.parse_args(arguments)
    figures: list[ClassroomFigure] = []
    for part in args.parts:
        with tempfile.TemporaryDirectory() as folder, classroom(Path(folder)) as host:
            figures += asyncio.run(PARTS[part](host, args.count))
    sys.stdout.write(f"{table(figures)}\n")
    return int(any(figure.met is False for figure in figures))


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= 2000):
        raise argparse.ArgumentTypeError(f"the number of visitors was {text!r:.40}: give 1 to 2000")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
