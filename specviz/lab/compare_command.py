"""`specviz compare`: a sweep over drafters and categories that is shown and not stored. Torch is imported inside functions only."""

import argparse
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from specviz.decoding.drafters import registry
from specviz.errors import InputError, PairError
from specviz.lab import asking
from specviz.lab.axes import CATEGORY, DRAFTER, Axis
from specviz.lab.contestants import ALL, contestants
from specviz.lab.export import report_of
from specviz.lab.plan import SweepPlan, tasks
from specviz.lab.report import finish
from specviz.lab.results import LEFT_OUT, Found, Sweep
from specviz.model_choice import chosen_by_options, heads_here
from specviz.reporting.files import open_folder
from specviz.reporting.pair_options import able_drafter, load, pair_options
from specviz.reporting.progress import print_line, progress_messages
from specviz.reporting.prompts import ReadyPrompt, prompts_of_file
from specviz.settings import Settings, check_closed

SAYS = "measure every drafter on the same target and prompts"
_DIFFERENT, _STOPPED = 1, 130
_ABOUT = """Run every drafter on the same target and the same prompts, each alone and alternating with plain decoding, and report its
acceptance rate, its cost, its speedup, its memory, and whether its text equals that of plain decoding. Nothing else should run meanwhile.
In float32 and float64, at temperature 0 or with shared noise, every text must equal the plain one; if one does not, the exit code is 1.
Ctrl-C prints what was measured so far."""


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz compare`."""
    parser.description = _ABOUT
    asking.prompt_options(parser)
    parser.add_argument(
        "--prompts",
        dest="file",
        metavar="FILE",
        help="the prompts of a file instead: a JSON list of objects with title, category and prompt; assets/prompts/repeats has prompts "
        "that repeat themselves",
    )
    parser.add_argument(
        "--remember",
        action="store_true",
        help="suffix decoding also copies from its texts of the prompts before, in the same category; without it, of no other text",
    )
    parser.add_argument(
        "--drafters",
        default=ALL,
        metavar="NAMES",
        help=f"all, or names separated by commas: {', '.join(registry.names())}; above temperature 0 also a tree with its siblings "
        "(tree-top); with an embedded pair also the names of the embedded pairs, for their drafts",
    )
    pair_options(parser, "float32")
    asking.length_options(parser)
    parser.add_argument(
        "--nodes",
        type=int,
        metavar="N",
        help="size of trees (default: what this machine checks for little more than one token)",
    )
    parser.add_argument("--shared-noise", action="store_true", help="draft and target choose with the same noise")
    asking.repeats_option(parser, "runs of each side")
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="save Markdown, JSON, CSV and a page with charts here"
    )


def perform(args: argparse.Namespace) -> int:
    """Measure, print, and save with --out.

    Raises:
        SpecvizError: the request cannot be carried out; nothing was measured.
    """
    names = args.drafters.split(",")
    plan = plan_of(args, names)
    if args.out is not None:
        open_folder(args.out)
    found: list[Found] = []
    stopped = False
    with progress_messages() as say:
        pair = load(args, say)
        from specviz.lab.measuring import Bench, machine_of
        from specviz.lab.sweep import measured
        from specviz.runs.pass_costs import fitting_nodes

        nodes = fitting_nodes(pair) if args.nodes is None else args.nodes
        plan = replace(plan, settings=replace(plan.settings, nodes=nodes))
        bench = Bench(pair, say, nodes=nodes, remember=args.remember, predicts=False)
        say("preparing the drafters")
        with suppress(*(PairError,) * (ALL in names)):
            bench.check(plan)
        try:
            for one, _ in measured(plan, tasks(plan), lambda dtype: bench, say):
                if one.how == LEFT_OUT and ALL not in names:
                    raise PairError(one.why)
                found.append(one)
        except KeyboardInterrupt:
            if not any(one.row for one in found):
                raise
            stopped = True
        machine = machine_of(pair, plan.models.dtype)
    created = datetime.now(UTC).isoformat(timespec="seconds")
    sweep = Sweep("compare", created, machine, plan, tasks(plan), tuple(found))
    finish(report_of(sweep, "compare", "specviz: drafters compared"), args.out, as_object=args.json)
    if stopped:
        print_line("specviz: stopped; these are the figures so far.")
        return _STOPPED
    return _DIFFERENT if sweep.wrong_texts else 0


def plan_of(args: argparse.Namespace, names: list[str]) -> SweepPlan:
    """The sweep that the options describe; nothing is loaded.

    Raises:
        InputError: it cannot be carried out.
    """
    settings = Settings(
        k=args.k,
        nodes=Settings().nodes if args.nodes is None else args.nodes,
        max_new_tokens=args.tokens,
        temperature=args.temperature,
        seed=args.seed,
        shared_noise=args.shared_noise,
    )
    check_closed(settings)
    models = chosen_by_options(args.pair, args.target, args.draft)
    heads = heads_here(models.name, args.head, models.target)
    chosen = contestants(names, models.name, settings, heads)
    if ALL not in names:
        for each in chosen:
            able_drafter(args, each.settings.drafter)
    prompts = _prompts(args)
    axes = (
        Axis(DRAFTER, tuple(each.name for each in chosen)),
        Axis(CATEGORY, tuple(dict.fromkeys(each.category for each in prompts))),
    )
    return SweepPlan(asking.models_of(args), settings, axes, prompts, args.repeats, args.template, shortcut=False)


def _prompts(args: argparse.Namespace) -> tuple[ReadyPrompt, ...]:
    """The requested prompts; each typed one is its own category."""
    if args.file is not None:
        if args.prompts or args.categories is not None:
            raise InputError("PROMPT and --categories: --prompts too given: give one of the three.")
        return prompts_of_file(args.file)
    found = asking.prompts_of(args, args.categories)
    if args.categories is not None:
        return found
    titles = [f"{number}. {each.title}" if len(found) > 1 else each.title for number, each in enumerate(found, 1)]
    return tuple(ReadyPrompt(title, title, each.text) for title, each in zip(titles, found, strict=True))
