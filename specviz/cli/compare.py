"""`specviz compare`: one prompt with every value of one or two settings, each run in turn with its own plain run."""

import argparse
from typing import TYPE_CHECKING

from rich.text import Text

from specviz.cli import show
from specviz.cli.options import load, pair_options, repeats_option, template_option
from specviz.cli.output import FAILED, STOPPED, print_json, print_line, progress_messages
from specviz.comparison import planning, results
from specviz.errors import PairError
from specviz.model_choice import chosen_by_options, heads_here
from specviz.reporting.prompts import first_prompt, prompt_family, ready_prompts
from specviz.reporting.run_figures import Same, figures_of
from specviz.reporting.terminal import Screen, visible
from specviz.request import PairRequest, Request
from specviz.settings import Settings, check_prompt

if TYPE_CHECKING:
    from specviz.models import Pair

SAYS = "run a prompt with every value of one or two settings: k, drafter, draft model, temperature, kind of text"
_AXIS, _EXACT = "varied_", ("float32", "float64")
_ABOUT = """Run a prompt once for each value of one or two settings, at most 24 runs, each alone and in turn with its own plain run. Every option
below with several values is varied: "1,2,4", "1..8" or "all". Where none has several, every drafter is compared. Nothing else should run meanwhile. In float32 and float64,
at temperature 0, every text must equal the plain one; if one does not, the exit code is 1. Ctrl-C prints what was measured so far."""


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz compare`."""
    default = Settings()
    parser.description = _ABOUT
    parser.add_argument("prompt", metavar="PROMPT", nargs="?", help="the text to continue (default: a ready-made one)")
    for axis, option, says in (
        ("k", "--k", f"draft lengths (default {default.k})"),
        ("drafter", "--drafters", "drafters; all: those that the pair can use"),
        ("draft", "--drafts", "drafts of the embedded target, by their pairs' names; all: the four of them"),
        ("temperature", "--temperature", "temperatures; 0 is greedy decoding (default 0)"),
        ("kind", "--kinds", "kinds of text, each by its first ready-made prompt, in place of PROMPT"),
    ):
        parser.add_argument(option, dest=f"{_AXIS}{axis}", metavar="VALUES", help=says)
    pair_options(parser, "float32")
    template_option(parser)
    for option, value, says in (
        ("--tokens --max-new-tokens", default.max_new_tokens, "stop after N tokens"),
        ("--seed", default.seed, "the same seed gives the same text"),
    ):
        parser.add_argument(*option.split(), default=value, type=int, metavar="N", help=f"{says} (default {value})")
    repeats_option(parser, "pairs of runs of each cell")


def perform(args: argparse.Namespace) -> int:
    """Measure every cell, and print the table and its conclusions. Raises SpecvizError if the request cannot be carried
    out; nothing was measured."""
    comparison, stopped = _measure(args, plan_of(args))
    if args.json:
        print_json(results.as_object(comparison))
    else:
        _show(comparison)
    if stopped:
        print_line("specviz: stopped; these are the figures so far.")
        return STOPPED
    differs = any(row.text == Same.DIFFERS.value for row in comparison.rows)
    return FAILED if differs and args.dtype in _EXACT else 0


def plan_of(args: argparse.Namespace) -> planning.ComparisonPlan:
    """The runs that the options describe; nothing is loaded. Raises InputError if they cannot be run."""
    models = chosen_by_options(args.pair, args.target, args.draft)
    heads = tuple(heads_here(models.name, args.head))
    pair = PairRequest(models.name, None if models.name else models.target, None if models.name else models.draft)
    prompt = first_prompt(ready_prompts(prompt_family(models.name))).text if args.prompt is None else args.prompt
    check_prompt(prompt)
    base = Request(pair, prompt, Settings(max_new_tokens=args.tokens, seed=args.seed), template=args.template)
    chosen = {
        axis: planning.values_of(axis, text) for axis in planning.AXES if (text := getattr(args, f"{_AXIS}{axis}"))
    }
    if not any(len(values) > 1 or planning.ALL in values for values in chosen.values()):
        chosen = {"drafter": (planning.ALL,), **chosen}
    return planning.plan_of(base, chosen, draft=models.draft is not None, heads=heads)


def _measure(args: argparse.Namespace, plan: planning.ComparisonPlan) -> tuple[results.Comparison, bool]:
    """The comparison, and whether it was stopped before its end. Raises PairError if no cell could be run."""
    rows: list[results.ComparisonRow] = []
    about, stopped, loaded = "", False, None
    with progress_messages() as say:
        try:
            for number, cell in enumerate(plan.cells, 1):
                request = cell.request
                if loaded is None or loaded[0] != request.pair.name:
                    name = {} if request.pair.name is None else {"pair": request.pair.name}
                    loaded = request.pair.name, load(argparse.Namespace(**{**vars(args), **name}), say)
                    about = _where(loaded[1])
                say(f"run {number} of {len(plan.cells)}")
                rows.append(_row(loaded[1], cell, args.repeats))
        except KeyboardInterrupt:
            if not rows:
                raise
            stopped = True
    if not any(row.tokens for row in rows):
        raise PairError(rows[0].why)
    return results.Comparison(plan.varied, tuple(rows), len(plan.cells), about), stopped


def _row(pair: "Pair", cell: planning.Cell, repeats: int) -> results.ComparisonRow:
    from specviz.runs.race import race

    request = cell.request
    try:
        raced = race(pair, request.prompt, request.settings, repeats, template=request.template)
    except PairError as error:
        return results.ComparisonRow(dict(cell.at), why=str(error))
    speculative, plain = raced.recorded
    return results.row_of(cell, figures_of(speculative, plain, raced.speedups, len(raced.speedups), raced.conditions))


def _where(pair: "Pair") -> str:
    from specviz.models.devices import machine_words

    return f"{machine_words(pair.target.device)}; {pair.card.target.name} in {pair.card.dtype}"


def _show(comparison: results.Comparison) -> None:
    rows = results.table_of(comparison)
    cells = [[visible(value, spaces=False) for value in row.values()] for row in rows]
    screen = Screen()
    screen.lines(show.table([[*rows[0]], *cells]))
    screen.lines(Text(results.conclusion(comparison, figure)) for figure in results.FIGURES)
    screen.print(Text(comparison.about))
