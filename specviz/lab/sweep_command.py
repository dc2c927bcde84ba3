"""`specviz lab sweep`, `resume` and `measure`: what measures."""

import argparse
import sys
from collections.abc import Collection
from typing import Any

from specviz.errors import InputError
from specviz.lab import asking
from specviz.lab.axes import AXES, CATEGORY, axis_of
from specviz.lab.export import report_of
from specviz.lab.plan import SweepPlan, check_size, duration
from specviz.lab.report import show
from specviz.lab.store import Store
from specviz.model_choice import heads_here
from specviz.reporting.pair_options import pair_options
from specviz.reporting.progress import print_json, print_line, progress_messages

_STOPPED = 130


def add(works: Any) -> None:
    """Add the subcommands."""
    sweep = asking.work(works, "sweep", "measure a table of runs over one or two axes", _sweep)
    asking.prompt_options(sweep)
    sweep.add_argument(
        "--over",
        action="append",
        required=True,
        metavar="AXIS",
        help=f"an axis with its values, as k=1,2,4 or k=1..8 or category=all; once or twice. Axes: {', '.join(AXES)}",
    )
    sweep.add_argument("--name", help="what to call it (default: its axes)")
    pair_options(sweep, "float32")
    asking.run_options(sweep)
    asking.repeats_option(sweep, "pairs of runs of each cell")
    sweep.add_argument(
        "--measure-all",
        action="store_true",
        help="run every cell, also where the rounds of every k follow exactly from one plain run and only the times are priced",
    )
    sweep.add_argument("--plan", action="store_true", help="say how many runs and about how long, and measure nothing")
    asking.work(works, "resume", "go on with a sweep that was stopped", _resume, ("NAME",))
    measure = asking.work(
        works, "measure", "measure runs for real that were replanned, or once more", _measure, ("NAME",)
    )
    measure.add_argument(
        "runs", type=int, nargs="+", metavar="RUN", help="their numbers, as `specviz lab show` lists them"
    )


def _sweep(args: argparse.Namespace) -> int:
    plan = plan_of(args)
    store = asking.opened_store()
    seconds = store.run_seconds()
    check_size(plan, seconds)
    if args.plan:
        about = None if seconds is None else duration(seconds * plan.size)
        if args.json:
            print_json({"runs": plan.size, "seconds": None if seconds is None else seconds * plan.size})
        else:
            sys.stdout.write(
                f"{plan.size} runs, {'and no earlier run says how long' if about is None else f'about {about}'}.\n"
            )
        return 0
    from specviz.models.devices import pick_device
    from specviz.reporting.machine import this_machine

    name = args.name or store.free_name(plan)
    store.begin(name, plan, this_machine(pick_device(args.device)).words)
    return _carried_out(store, name, None, as_object=args.json)


def plan_of(args: argparse.Namespace) -> SweepPlan:
    """The plan that the options describe; nothing is loaded.

    Raises:
        InputError: it cannot be carried out.
    """
    models = asking.models_of(args)
    ready = asking.ready_of(args)
    categories = tuple(dict.fromkeys(prompt.category for prompt in ready))
    heads = heads_here(models.pair or None, models.head or None)
    axes = tuple(axis_of(text, pair=models.pair or None, categories=categories, heads=heads) for text in args.over)
    wanted = args.categories
    by_category = next((axis.values for axis in axes if axis.name == CATEGORY), None)
    if by_category is not None:
        if args.prompts or (wanted and not all(word.isdecimal() for word in wanted)):
            raise InputError(
                "The axis category brings its own prompts: leave PROMPT out; --categories takes a number of prompts of each."
            )
        wanted = [*by_category, *(wanted or [])]
    elif wanted is None and not args.prompts:
        wanted = [categories[0]]
    prompts = asking.prompts_of(args, wanted)
    return SweepPlan(models, asking.settings_of(args), axes, prompts, args.repeats, args.template, not args.measure_all)


def _resume(args: argparse.Namespace) -> int:
    return _carried_out(asking.opened_store(), args.name, None, as_object=args.json)


def _measure(args: argparse.Namespace) -> int:
    store = asking.opened_store()
    sweep = store.sweep(args.name)
    unknown = [run for run in args.runs if not 0 <= run < len(sweep.tasks)]
    if unknown:
        raise InputError(f"{args.name!r} has no run {unknown[0]}: give numbers from 0 to {len(sweep.tasks) - 1}.")
    return _carried_out(store, args.name, args.runs, as_object=args.json)


def _carried_out(store: Store, name: str, only: Collection[int] | None, *, as_object: bool) -> int:
    """Measure, and show what there is then; after Ctrl-C what was measured stays, and is shown."""
    stopped = False
    with progress_messages() as say:
        say("loading torch")
        from specviz.lab.sweep import carry_out

        try:
            carry_out(store, name, say, only=only)
        except KeyboardInterrupt:
            stopped = True
    show(report_of(store.sweep(name), stored=True), as_object=as_object)
    if stopped:
        print_line(f"specviz: stopped; what was measured is stored. Go on with: specviz lab resume {name!r}")
        return _STOPPED
    return 0
