"""`specviz race`: decode a prompt plainly and speculatively in turn, and compare."""

import argparse
from dataclasses import asdict

from rich.live import Live
from rich.text import Text

from specviz.cli import show
from specviz.cli.options import check_request, decoding, earlier_texts, load, repeats_option, settings_from
from specviz.cli.output import choices_json, figures_json, print_json, spinner
from specviz.reporting.terminal import Screen
from specviz.trace import files as traces

SAYS = "measure speculative decoding against plain decoding"
_RACING = "racing: plain and speculative in turn"


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz race`."""
    decoding(parser)
    repeats_option(parser, "runs of each side")
    parser.add_argument(
        "--trace", metavar="FILE", help="save both runs of the median pair here, with every candidate token"
    )


def perform(args: argparse.Namespace) -> int:
    """Measure both sides, and print the comparison. Raises SpecvizError if the request cannot be carried out, or the
    recording cannot be written."""
    settings = settings_from(args)
    check_request(args)
    with spinner("loading torch") as say:
        pair = load(args, say)
    from specviz.decoding.recorder import FULL, LIGHT
    from specviz.runs.race import race

    with Live(
        Text(_RACING),
        console=Screen(stderr=True),
        auto_refresh=False,  # no spinner: nothing else may run while a side is timed
        transient=True,
    ) as live:
        outcome = race(
            pair,
            args.prompt,
            settings,
            args.repeats,
            template=args.template,
            recorder=LIGHT if args.trace is None else FULL,
            earlier=earlier_texts(args.earlier, pair),
            announce=lambda what: live.update(Text(f"{_RACING}; {what}"), refresh=True),
        )
    if args.trace is not None:
        traces.write_file(args.trace, outcome.recorded)
    divergence, conditions = outcome.first_divergence, outcome.conditions
    if args.json:
        print_json(
            {
                "plain": figures_json(outcome.plain, settings),
                "speculative": figures_json(outcome.speculative, settings),
                **choices_json(outcome.recorded[0].settings, outcome.recorded[0].plan),
                "speedup": outcome.speedup if outcome.trusted else None,
                "speedup_with_prompt": outcome.speedup_with_prompt if outcome.trusted else None,
                "speedups": outcome.speedups,
                "trusted": outcome.trusted,
                "busy": None if outcome.trusted or conditions is None else show.busy_line(conditions),
                "conditions": None if conditions is None else asdict(conditions),
                "same_text": outcome.same_text,
                "first_divergence": None if divergence is None else asdict(divergence),
                "notes": list(pair.card.notes),
            }
        )
    else:
        Screen().lines(show.race_lines(outcome))
    return 0
