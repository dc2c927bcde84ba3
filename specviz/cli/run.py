"""`specviz run`: decode a prompt, and print each round as it happens."""

import argparse
from typing import TYPE_CHECKING

from specviz.cli import earlier as earlier_files
from specviz.cli import show
from specviz.cli.exit_codes import STOPPED
from specviz.cli.loading import load
from specviz.cli.options import check_request, decoding, settings_from
from specviz.cli.output import choices, figures
from specviz.reporting.progress import print_json
from specviz.reporting.terminal import Screen
from specviz.trace import files as traces
from specviz.trace.metrics import summarise

if TYPE_CHECKING:
    from specviz.runs.run import Run


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz run`."""
    decoding(parser)
    earlier_files.option(parser)
    parser.add_argument("--trace", metavar="FILE", help="save the recording here, with every candidate token")


def perform(args: argparse.Namespace) -> int:
    """Decode the prompt; Ctrl-C keeps the rounds so far.

    Raises:
        SpecvizError: the request cannot be carried out, or the recording cannot be written.
    """
    settings = settings_from(args)
    check_request(args)
    pair = load(args)
    from specviz.decoding.recorder import FULL, LIGHT
    from specviz.runs.run import Run

    recorder, earlier = LIGHT if args.trace is None else FULL, earlier_files.earlier_texts(args.earlier, pair)
    return _done(Run(pair, args.prompt, settings, template=args.template, recorder=recorder, earlier=earlier), args)


def _done(run: "Run", args: argparse.Namespace) -> int:
    """Decode, print and save; returns the exit code."""
    try:
        code = _follow(run, quiet=args.json)
        if args.json:
            print_json(
                {
                    **figures(summarise(run.trace()), run.settings),
                    **choices(run.settings, run.plan),
                    "notes": list(run.card.notes),
                }
            )
        else:
            Screen().lines(show.summary_lines(run.trace()))
    finally:  # the recording is saved even if printing failed
        if args.trace is not None:
            traces.write_file(args.trace, [run.trace()])
    return code


def _follow(run: "Run", *, quiet: bool) -> int:
    """Decode to the end, or until Ctrl-C, and print each round; returns the exit code."""
    screen = Screen()
    if not quiet:
        screen.lines([*show.heading(run), show.legend()])
    try:
        for number, round_ in enumerate(run, 1):
            if not quiet:
                screen.print(show.round_line(number, round_, run.table([round_], prompt=False)))
    except KeyboardInterrupt:
        return STOPPED
    return 0
