"""`specviz train`: make the embedded pair, a draft or a head for any target, and examine them. What loads torch is imported inside the functions, so that --help is quick."""

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

from specviz.errors import ModelFolderError, TrainingError
from specviz.offers import embedded_folder
from specviz.training import block_command, draft_commands, examine_command, head_command, text_command
from specviz.training.embedded.recipe import Recipe
from specviz.training.embedded.recipes import RECIPES
from specviz.training.embedded.sections import SECTIONS

SAYS = "make a draft or a head for any target, or the embedded pair, and examine them"

_ABOUT_MAKE = """Make a pair from nothing: write the text, learn the tokenizer, train the target, then its drafts. Hours on two CPU cores for the
embedded recipe, minutes on a GPU, seconds for the miniature one. After a stop or a crash, the same command continues from its last checkpoint."""
_ABOUT_EVALUATE = """Examine a pair on prompts that its training text does not contain: knowledge, forms, sums, stories, acceptance rates, speedups, held-out
loss. Run nothing else at the same time, because it measures speed."""
_ABOUT_CARD = """Write a pair's README.md with the curves of its training and the figures of its examination."""


def options(parser: argparse.ArgumentParser) -> None:
    """Add the subcommands of `specviz train` and their options."""
    works = parser.add_subparsers(metavar="WORK", required=True)
    make = works.add_parser("make", help="make a complete pair", description=_ABOUT_MAKE, allow_abbrev=False)
    make.add_argument("--corpus", metavar="FOLDER", type=Path, help="collected text; the miniature recipe needs none")
    make.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="where the finished pair goes")
    make.add_argument("--work", metavar="FOLDER", type=Path, help="folder for the checkpoints (default OUT.work)")
    make.add_argument(
        "--from",
        metavar="PAIR",
        type=Path,
        dest="base",
        help="continue from a pair that finished the recipe's first trainings",
    )
    make.add_argument("--recipe", default="embedded", help=f"one of {', '.join(RECIPES)} (default embedded)")
    make.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    make.add_argument(
        "--compile",
        action=argparse.BooleanOptionalAction,
        help="use torch.compile (default: yes if there is a C++ compiler, except for the miniature recipe)",
    )
    make.set_defaults(work_of=_make)
    evaluate = works.add_parser("evaluate", help="examine a pair", description=_ABOUT_EVALUATE, allow_abbrev=False)
    evaluate.add_argument(
        "--pair", metavar="FOLDER", type=Path, default=embedded_folder(), help="default: the embedded pair"
    )
    evaluate.add_argument(
        "--corpus", metavar="FOLDER", type=Path, help="also measure bits a byte on the held-out text of this corpus"
    )
    evaluate.add_argument("--quick", action="store_true", help="take 100 samples a class, in a minute or two")
    evaluate.add_argument("--only", metavar="SECTION", nargs="+", help=f"one or more of {', '.join(SECTIONS)}")
    evaluate.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    evaluate.set_defaults(work_of=_evaluate)
    card = works.add_parser("card", help="write a pair's model card", description=_ABOUT_CARD, allow_abbrev=False)
    card.add_argument(
        "--pair", metavar="FOLDER", type=Path, default=embedded_folder(), help="default: the embedded pair"
    )
    card.add_argument("--recipe", default="embedded", help="the recipe that the pair was made by (default embedded)")
    card.add_argument(
        "--figures", metavar="FILE", type=Path, required=True, help="what a full `train evaluate --json` printed"
    )
    card.add_argument(
        "--quote",
        metavar="N",
        type=int,
        nargs="+",
        default=[1, 2, 3, 4, 5],
        help="which of the 20 stories to show, from 1",
    )
    card.add_argument(
        "--history",
        metavar="TEXT",
        default="",
        help="a sentence about these weights, for example which weights they replace",
    )
    card.set_defaults(work_of=_card)
    draft_commands.add_draft(works)
    examine_command.add_examine(works)
    head_command.add_head(works)
    text_command.add_text(works)
    block_command.add_compare_blocks(works)


def perform(args: argparse.Namespace) -> int:
    """Run the chosen subcommand; returns its exit code."""
    code: int = args.work_of(args)
    return code


def _make(args: argparse.Namespace) -> int:
    recipe = _recipe(args.recipe)
    from specviz.models.devices import pick_device
    from specviz.training.embedded import corpus
    from specviz.training.embedded.base_pair import read
    from specviz.training.embedded.make import Workshop, make
    from specviz.training.precision import fast_precision
    from specviz.training.progress_bars import bar

    device = pick_device(args.device)
    if args.corpus is not None:
        corpus.check(args.corpus)
    elif recipe.name == "embedded":
        raise TrainingError("The embedded recipe needs collected text: name its folder with --corpus.")
    compiled = args.compile
    if compiled is None:
        compiled = recipe.name == "embedded" and any(map(shutil.which, ("c++", "g++", "clang++")))
    work = args.work or args.out.with_name(args.out.name + ".work")
    if args.base is not None and args.base.resolve() == args.out.resolve():
        raise TrainingError(
            "--from and --out name the same folder, but the pair in --from is not changed: give another --out."
        )
    workshop = Workshop(
        corpus=args.corpus,
        work=work,
        out=args.out,
        ready_made=tuple(
            prompt for category, texts in _ready_made().items() if category != "facts" for prompt in texts
        ),
        device=device,
        precision=fast_precision(device),
        compiled=compiled,
        bar=bar,
        base=None if args.base is None else read(recipe, args.base),
    )
    for folder in (args.out, work):
        _open(folder)
    try:
        make(recipe, workshop)
    except KeyboardInterrupt:
        sys.stderr.write(f"The same command continues from the last checkpoint in {work}.\n")
        raise
    except OSError as error:
        raise TrainingError(
            f"The pair could not be written ({error}): finished trainings are kept. Make room, then give the same command again."
        ) from None
    sys.stderr.write(f"The pair is in {args.out}. Examine it: specviz train evaluate --pair {args.out}\n")
    return 0


def _evaluate(args: argparse.Namespace) -> int:
    for role in ("target", "draft"):
        if not (args.pair / role / "config.json").is_file():
            raise ModelFolderError(
                f"{str(args.pair)!r} contains no {role}: give a folder with `target` and `draft` in it."
            )
    from specviz.reporting.terminal import Screen
    from specviz.training.embedded.held_out_texts import COLLECTED
    from specviz.training.embedded.mixture import Library
    from specviz.training.embedded.report_card import FULL, QUICK, Candidate, examine, lines
    from specviz.training.progress_bars import bar

    sections = tuple(args.only or SECTIONS)
    unknown = [section for section in sections if section not in SECTIONS]
    if unknown:
        raise TrainingError(
            f"There is no section {unknown[0]!r} in the examination: choose from {', '.join(SECTIONS)}."
        )
    library = None if args.corpus is None else Library(args.corpus, COLLECTED)
    with bar("examination") as shown:
        figures = examine(
            Candidate(args.pair, _ready_made(), library), QUICK if args.quick else FULL, shown.reached, sections
        )
    if args.json:
        sys.stdout.write(json.dumps(figures) + "\n")
    else:
        Screen().lines(lines(figures))
    return 0


def _card(args: argparse.Namespace) -> int:
    from specviz.training.embedded import card
    from specviz.training.embedded.base_pair import CURVES

    try:
        card.write(_recipe(args.recipe), args.pair, args.figures, [number - 1 for number in args.quote], args.history)
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise TrainingError(
            f"The card needs {CURVES} in {str(args.pair)!r} and the figures of a full examination in {str(args.figures)!r} "
            f"({type(error).__name__}: {error}): make and examine the pair first."
        ) from None
    return 0


def _open(folder: Path) -> None:
    """Make the folder and check that it can be written: better now than after hours of training."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise TrainingError(
            f"Nothing can be written to {str(folder)!r} ({error.strerror}): choose another folder."
        ) from None


def _recipe(name: str) -> Recipe:
    if name not in RECIPES:
        raise TrainingError(f"There is no recipe {name!r}: choose one of {', '.join(RECIPES)}.")
    return RECIPES[name]


def _ready_made() -> dict[str, tuple[str, ...]]:
    """The ready-made prompts by category."""
    path = embedded_folder().parents[1] / "prompts" / "embedded.json"
    found: dict[str, tuple[str, ...]] = {}
    for prompt in json.loads(path.read_text(encoding="utf-8")):
        category = prompt["category"]
        found[category] = (*found.get(category, ()), prompt["prompt"])
    return found
