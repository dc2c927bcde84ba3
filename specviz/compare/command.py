"""`specviz compare`: its options, and the command itself. What loads torch is imported inside functions, so that --help is fast."""

import argparse
import json
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from specviz.chosen import chosen_by_options, heads_here
from specviz.compare.contestants import ALL, Contestant, contestants
from specviz.compare.results import Comparison, LeftOut, Measured, as_json
from specviz.decoding.drafters import registry
from specviz.errors import InputError
from specviz.reporting.files import open_folder
from specviz.reporting.progress import print_line, progress_messages
from specviz.reporting.prompts import ReadyPrompt, chosen_prompts, prompt_family, prompts_of_file, ready_prompts
from specviz.settings import Settings, check_closed, check_prompt

if TYPE_CHECKING:
    from specviz.models import Pair

SAYS = "measure every drafter on the same target and prompts"
MAX_REPEATS = 50
_DIFFERENT, _STOPPED = 1, 130
_TITLE = 40
_ABOUT = """Run every drafter on the same target and the same prompts, each alone and alternating with plain decoding, and report its
acceptance rate, its cost, its speedup, its memory, and whether its text equals that of plain decoding. Nothing else should run meanwhile.
In float32 and float64, at temperature 0 or with shared noise, every text must equal the plain one; if one does not, the exit code is 1.
Ctrl-C prints what was measured so far."""


def options(parser: argparse.ArgumentParser) -> None:
    """The options of `specviz compare`."""
    default = Settings()
    parser.description = _ABOUT
    parser.add_argument("prompts", nargs="*", metavar="PROMPT", help="the texts to continue, one or more")
    parser.add_argument(
        "--categories",
        nargs="*",
        metavar="WORD",
        help="ready-made prompts instead of PROMPT: categories (default all), a number of prompts per category (default 1), or both",
    )
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
    parser.add_argument("--pair", help="a name listed by `specviz pairs` (default embedded)")
    parser.add_argument("--target", metavar="MODEL", help="instead of --pair: a hub id or a folder")
    parser.add_argument(
        "--draft", metavar="MODEL", help="with --target: a hub id or a folder; without it, drafters that need none"
    )
    parser.add_argument("--head", metavar="FOLDER", help="a head that `specviz train head` made for this target")
    parser.add_argument("--k", type=int, default=default.k, metavar="N", help=f"draft length (default {default.k})")
    parser.add_argument(
        "--nodes",
        type=int,
        metavar="N",
        help="size of trees (default: what this machine checks for little more than one token)",
    )
    parser.add_argument("--tokens", type=int, default=64, metavar="N", help="new tokens per run (default 64)")
    parser.add_argument("--temperature", type=float, default=0.0, metavar="N", help="0 is greedy decoding (default 0)")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="the same seed draws the same numbers (default 0)"
    )
    parser.add_argument("--shared-noise", action="store_true", help="draft and target choose with the same noise")
    parser.add_argument(
        "--repeats", type=int, default=3, metavar="N", help=f"runs of each side, 1 to {MAX_REPEATS} (default 3)"
    )
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    parser.add_argument(
        "--dtype",
        default="float32",
        help="float32 (the default, in which texts can be compared), auto, bfloat16, float16 or float64",
    )
    parser.add_argument(
        "--no-template", dest="template", action="store_false", help="do not wrap the prompt in the chat template"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="save Markdown, JSON and a page with charts here")


def perform(args: argparse.Namespace) -> int:
    """Measure, print, and save with --out.

    Raises:
        SpecvizError: the request cannot be carried out; nothing was measured.
    """
    default_nodes = Settings().nodes
    settings = Settings(
        k=args.k,
        nodes=default_nodes if args.nodes is None else args.nodes,
        max_new_tokens=args.tokens,
        temperature=args.temperature,
        seed=args.seed,
        shared_noise=args.shared_noise,
    )
    check_closed(settings)
    models = chosen_by_options(args.pair, args.target, args.draft)
    _check_request(args)
    if args.file is not None:
        prompts = prompts_of_file(args.file)
    else:
        prompts = _prompts(args.prompts, args.categories, prompt_family(models.name))
    names = args.drafters.split(",")
    heads = heads_here(models.name, args.head)
    chosen = contestants(names, models.name, settings, heads)
    if ALL not in names:
        _check_drafters(chosen, models.name or models.target, draft=models.draft is not None, heads=heads)
    if args.out is not None:
        open_folder(args.out)
    with progress_messages() as say:
        pair = _loaded(args, say)
        if args.nodes is None:
            from specviz.runs.pass_costs import fitting_nodes

            settings = replace(settings, nodes=fitting_nodes(pair))
            chosen = tuple(
                replace(one, settings=registry.fitted(replace(one.settings, nodes=settings.nodes))) for one in chosen
            )
        found, stopped = _measured(args, pair, chosen, prompts, say)
    comparison = Comparison(
        pair=pair.name,
        target=pair.card.target.name,
        device=pair.card.device,
        dtype=pair.card.dtype,
        settings=settings,
        repeats=args.repeats,
        remembers=args.remember,
        asked=len(prompts),
        rows=tuple(row for row in found if isinstance(row, Measured)),
        left_out=tuple(row for row in found if isinstance(row, LeftOut)),
    )
    try:
        if args.out is not None:
            _save(comparison, args.out)
    finally:  # the figures are printed even if saving failed
        _print(comparison, as_object=args.json)
    if stopped:
        print_line("specviz: stopped; these are the figures so far.")
        return _STOPPED
    return _DIFFERENT if comparison.wrong_texts else 0


def _loaded(args: argparse.Namespace, say: Callable[[str], None]) -> "Pair":
    say("loading torch")
    from specviz.models import load_pair

    return load_pair(
        args.pair,
        target=args.target,
        draft=args.draft,
        head=args.head,
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
    """What was measured, and whether Ctrl-C ended it. Ctrl-C before the first measurement is raised."""
    from specviz.compare.measure import measure, pairs_for

    pairs = pairs_for(pair, chosen, lambda what, share: say(what))
    strict = ALL not in args.drafters.split(",")
    found: list[Measured | LeftOut] = []
    try:
        options = {"template": args.template, "strict": strict, "remember": args.remember}
        for row in measure(pairs, chosen, prompts, args.repeats, say, **options):
            found.append(row)  # noqa: PERF402  # keeps what was measured before Ctrl-C
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


def _prompts(texts: Sequence[str], categories: Sequence[str] | None, family: str) -> tuple[ReadyPrompt, ...]:
    """The requested prompts, the ready-made ones of this family; each typed one is its own category."""
    if categories is not None:
        return chosen_prompts(categories, ready_prompts(family))
    titles = [" ".join(text.split())[:_TITLE] for text in texts]
    numbered = [f"{number}. {title}" if len(texts) > 1 else title for number, title in enumerate(titles, 1)]
    return tuple(ReadyPrompt(title, title, text) for title, text in zip(numbered, texts, strict=True))


def _check_drafters(chosen: Sequence[Contestant], pair: str, *, draft: bool, heads: Collection[str]) -> None:
    """Refuse drafters that were named and need a draft model or a trained head, for a pair without it."""
    for contestant in chosen:
        if refusal := registry.refusal(contestant.settings.drafter, pair, draft=draft, heads=heads):
            raise InputError(refusal)


def _check_request(args: argparse.Namespace) -> None:
    """Check everything that can be checked before the models are loaded, which may take minutes."""
    given = [bool(args.prompts), args.categories is not None, args.file is not None]
    if sum(given) != 1:
        several = "neither" if not any(given) else "both" if given[:2] == [True, True] else "--prompts too"
        raise InputError(
            f"PROMPT and --categories: {several} given: give one or more prompts, or --categories for ready-made ones, or --prompts for a file."
        )
    for prompt in args.prompts:
        check_prompt(prompt)
    if not 1 <= args.repeats <= MAX_REPEATS:
        raise InputError(f"repeats was {args.repeats}: give a whole number from 1 to {MAX_REPEATS}.")
    if args.tokens < 2:
        raise InputError(f"tokens was {args.tokens}: give at least 2, because nothing is drafted for a single token.")
