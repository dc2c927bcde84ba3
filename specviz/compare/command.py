"""`specviz compare`: its options and what it does. What loads torch is imported inside, so that --help never waits."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from specviz.compare.contestants import ALL, Contestant, contestants
from specviz.compare.results import Comparison, LeftOut, Measured, as_json
from specviz.decoding.drafters import registry
from specviz.errors import InputError
from specviz.offers import EMBEDDED
from specviz.reporting.files import open_folder
from specviz.reporting.progress import print_line, told
from specviz.reporting.prompts import ReadyPrompt, chosen_prompts, ready_prompts
from specviz.settings import Settings, check_prompt

if TYPE_CHECKING:
    from specviz.models import Pair

SAYS = "measure every drafter on the same target and prompts"
MAX_REPEATS = 50
_WRONG, _STOPPED = 1, 130
_TITLE = 40
_ABOUT = """Run every drafter on the same target and the same prompts, each alone and in turn with plain decoding: how often it is right, what
it costs, what it gains, what memory it needs, and whether the text is the plain one. Nothing else should run meanwhile. In float32 and
float64, at temperature 0 or with shared noise, every text must be the plain one, and the exit code is 1 when one is not. Ctrl-C shows what
was measured so far."""


def options(parser: argparse.ArgumentParser) -> None:
    """What `specviz compare` may be told."""
    usual = Settings()
    parser.description = _ABOUT
    parser.add_argument("prompts", nargs="*", metavar="PROMPT", help="the texts to continue, one or more")
    parser.add_argument(
        "--categories",
        nargs="*",
        metavar="WORD",
        help="instead of PROMPTs the ready-made ones, by category: categories (all by default), a number of each (1), or both",
    )
    parser.add_argument(
        "--drafters",
        default=ALL,
        metavar="NAMES",
        help=f"all, or some with commas: {', '.join(registry.names())}; above temperature 0 a tree also with its siblings (tree-top); "
        "and the embedded pairs' names, for the other drafts of an embedded pair",
    )
    parser.add_argument("--pair", help="a name of `specviz pairs` (default embedded)")
    parser.add_argument("--target", metavar="MODEL", help="with --draft, instead of --pair: a hub id or a folder")
    parser.add_argument("--draft", metavar="MODEL", help="with --target: a hub id or a folder")
    parser.add_argument("--k", type=int, default=usual.k, metavar="N", help=f"draft length (default {usual.k})")
    parser.add_argument(
        "--nodes", type=int, default=usual.nodes, metavar="N", help=f"size of trees (default {usual.nodes})"
    )
    parser.add_argument("--tokens", type=int, default=64, metavar="N", help="new tokens of a run (default 64)")
    parser.add_argument("--temperature", type=float, default=0.0, metavar="N", help="0 is greedy decoding (default 0)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the same seed draws the same (default 0)")
    parser.add_argument("--shared-noise", action="store_true", help="draft and target choose with the same noise")
    parser.add_argument(
        "--repeats", type=int, default=3, metavar="N", help=f"runs of each side, 1 to {MAX_REPEATS} (default 3)"
    )
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    parser.add_argument(
        "--dtype",
        default="float32",
        help="float32 (default: texts can be compared), auto, bfloat16, float16 or float64",
    )
    parser.add_argument("--no-template", dest="template", action="store_false", help="leave out the chat template")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="save Markdown, JSON and a page with charts here")


def perform(args: argparse.Namespace) -> int:
    """Measure, print, and save if that was asked for.

    Raises:
        SpecvizError: what was asked for cannot be done; nothing was measured.
    """
    settings = Settings(
        k=args.k,
        nodes=args.nodes,
        max_new_tokens=args.tokens,
        temperature=args.temperature,
        seed=args.seed,
        shared_noise=args.shared_noise,
    )
    _check_asked(args)
    prompts = _prompts(args.prompts, args.categories)
    names = args.drafters.split(",")
    chosen = contestants(names, None if args.target else args.pair or EMBEDDED, settings)
    if args.out is not None:
        open_folder(args.out)
    with told() as say:
        pair = _loaded(args, say)
        found, stopped = _measured(args, pair, chosen, prompts, say)
    comparison = Comparison(
        pair=pair.name,
        target=pair.card.target.name,
        device=pair.card.device,
        dtype=pair.card.dtype,
        settings=settings,
        repeats=args.repeats,
        asked=len(prompts),
        rows=tuple(row for row in found if isinstance(row, Measured)),
        left_out=tuple(row for row in found if isinstance(row, LeftOut)),
    )
    try:
        if args.out is not None:
            _save(comparison, args.out)
    finally:  # whatever became of the files, the figures are shown
        _print(comparison, as_object=args.json)
    if stopped:
        print_line("specviz: stopped; these are the figures so far.")
        return _STOPPED
    return _WRONG if comparison.wrong_texts else 0


def _loaded(args: argparse.Namespace, say: Callable[[str], None]) -> "Pair":
    say("loading torch")
    from specviz.models import load_pair

    return load_pair(
        args.pair,
        target=args.target,
        draft=args.draft,
        device=args.device,
        dtype=args.dtype,
        progress=lambda what, share: say(what),
    )


def _measured(
    args: argparse.Namespace,
    pair: "Pair",
    chosen: Sequence[Contestant],
    prompts: Sequence[ReadyPrompt],
    say: Callable[[str], None],
) -> tuple[list[Measured | LeftOut], bool]:
    """What was measured, and whether Ctrl-C ended it; without anything to show, Ctrl-C goes its way."""
    from specviz.compare.measure import measure, pairs_for

    pairs = pairs_for(pair, chosen, lambda what, share: say(what))
    strict = ALL not in args.drafters.split(",")
    found: list[Measured | LeftOut] = []
    try:
        for row in measure(pairs, chosen, prompts, args.repeats, say, template=args.template, strict=strict):
            found.append(row)  # noqa: PERF402  # what was found before Ctrl-C is kept
    except KeyboardInterrupt:
        if not any(isinstance(row, Measured) for row in found):
            raise
        return found, True
    return found, False


def _save(comparison: Comparison, folder: Path) -> None:
    from specviz.compare.report import write_report
    from specviz.reporting.markup import can_draw

    try:
        written = write_report(folder, comparison)
    except OSError as error:
        raise InputError(
            f"The comparison could not be written to {str(folder)!r} ({error.strerror}): make room, or choose another folder."
        ) from None
    if not can_draw():
        print_line("The page with charts was left out, because plotly is not installed: pip install plotly.")
    print_line(f"The comparison is in {', '.join(path.name for path in written)} in {folder}.")


def _print(comparison: Comparison, *, as_object: bool) -> None:
    if as_object:
        sys.stdout.write(json.dumps(as_json(comparison), allow_nan=False) + "\n")
    else:
        from specviz.compare.show import show

        show(comparison)


def _prompts(texts: Sequence[str], categories: Sequence[str] | None) -> tuple[ReadyPrompt, ...]:
    """The prompts that were asked for; one that was typed is a category of its own."""
    if categories is not None:
        return chosen_prompts(categories, ready_prompts())
    titles = [" ".join(text.split())[:_TITLE] for text in texts]
    numbered = [f"{place}. {title}" if len(texts) > 1 else title for place, title in enumerate(titles, 1)]
    return tuple(ReadyPrompt(title, title, text) for title, text in zip(numbered, texts, strict=True))


def _check_asked(args: argparse.Namespace) -> None:
    """Refuse what can be refused before minutes are spent on loading."""
    if args.pair is not None and (args.target is not None or args.draft is not None):
        raise InputError("--pair was given together with --target or --draft: give a pair, or a target and a draft.")
    if bool(args.prompts) == (args.categories is not None):
        given = "both" if args.prompts else "neither"
        raise InputError(
            f"PROMPT and --categories: {given} given: give one or more prompts, or --categories for ready-made ones."
        )
    for prompt in args.prompts:
        check_prompt(prompt)
    if not 1 <= args.repeats <= MAX_REPEATS:
        raise InputError(f"repeats was {args.repeats}: give a whole number from 1 to {MAX_REPEATS}.")
    if args.tokens < 2:
        raise InputError(f"tokens was {args.tokens}: give at least 2, since nothing is drafted for a single one.")
