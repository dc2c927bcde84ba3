"""`specviz run`: decode a prompt, and print each round as it happens."""

import argparse
from typing import TYPE_CHECKING

from specviz.cli import show
from specviz.cli.options import check_request, decoding, earlier_texts, load, settings_from
from specviz.cli.output import STOPPED, choices_json, figures_json, print_json, spinner
from specviz.reporting.terminal import Screen
from specviz.trace import files as traces
from specviz.trace.metrics import acceptance, summarise

if TYPE_CHECKING:
    from specviz.runs.run import Run

SAYS = "decode a prompt and show every round"


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz run`."""
    decoding(parser)
    parser.add_argument("--trace", metavar="FILE", help="save the recording here, with every candidate token")


def perform(args: argparse.Namespace) -> int:
    """Decode the prompt; Ctrl-C keeps the rounds so far. Raises SpecvizError if the request cannot be carried out, or
    the recording cannot be written."""
    settings = settings_from(args)
    check_request(args)
    with spinner("loading torch") as say:
        pair = load(args, say)
    from specviz.decoding.recorder import FULL, LIGHT
    from specviz.runs.run import Run

    recorder, earlier = LIGHT if args.trace is None else FULL, earlier_texts(args.earlier, pair)
    run = Run(pair, args.prompt, settings, template=args.template, recorder=recorder, earlier=earlier)
    try:
        code = _follow(run, quiet=args.json)
        if args.json:
            print_json(
                {
                    **figures_json(summarise(run.trace()), run.settings),
                    "acceptance": acceptance(run.trace()),
                    **choices_json(run.settings, run.plan),
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
