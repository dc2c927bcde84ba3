"""`specviz train`: make the pair, or examine it. What loads torch is imported inside, so that --help never waits."""

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

from specviz.errors import ModelFolderError, TrainingError
from specviz.offers import embedded_folder
from specviz.training.embedded.recipe import Recipe
from specviz.training.embedded.recipes import RECIPES
from specviz.training.embedded.sections import PARTS

SAYS = "make the embedded pair from text, or examine it"

_ABOUT_MAKE = """Make a pair from nothing: write the text, learn the tokenizer, train the target, then its drafts. Hours on two CPU cores for the
embedded recipe, minutes on a GPU, seconds for the miniature one. Stopped or killed, the same command goes on from its last checkpoint."""
_ABOUT_EVALUATE = """Examine a pair on prompts kept out of its training text: knowledge, forms, sums, stories, acceptance rates, speedups, held-out
loss. Nothing else should run meanwhile, since it measures speed."""


_ABOUT_CARD = """Write a pair's README.md with the curves of its training and the figures of its examination, so that none is copied by hand."""


def options(parser: argparse.ArgumentParser) -> None:
    """The works of `specviz train` and what each of them may be told."""
    works = parser.add_subparsers(metavar="WORK", required=True)
    make = works.add_parser("make", help="make a whole pair", description=_ABOUT_MAKE, allow_abbrev=False)
    make.add_argument("--corpus", metavar="FOLDER", type=Path, help="collected text; the miniature recipe needs none")
    make.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="where the finished pair goes")
    make.add_argument("--work", metavar="FOLDER", type=Path, help="checkpoints (default OUT.work)")
    make.add_argument(
        "--from",
        metavar="PAIR",
        type=Path,
        dest="begun",
        help="go on from a pair that has its first trainings behind it",
    )
    make.add_argument("--recipe", default="embedded", help=f"one of {', '.join(RECIPES)} (default embedded)")
    make.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    make.add_argument(
        "--compile",
        action=argparse.BooleanOptionalAction,
        help="torch.compile (default: where a C++ compiler is found, but for the miniature recipe)",
    )
    make.set_defaults(work_of=_make)
    evaluate = works.add_parser("evaluate", help="examine a pair", description=_ABOUT_EVALUATE, allow_abbrev=False)
    evaluate.add_argument(
        "--pair", metavar="FOLDER", type=Path, default=embedded_folder(), help="default: the embedded pair"
    )
    evaluate.add_argument("--corpus", metavar="FOLDER", type=Path, help="adds its held-out text to the bits a byte")
    evaluate.add_argument("--quick", action="store_true", help="100 samples a class, in a minute or two")
    evaluate.add_argument("--only", metavar="PART", nargs="+", help=f"one or more of {', '.join(PARTS)}")
    evaluate.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    evaluate.set_defaults(work_of=_evaluate)
    card = works.add_parser("card", help="write a pair's model card", description=_ABOUT_CARD, allow_abbrev=False)
    card.add_argument(
        "--pair", metavar="FOLDER", type=Path, default=embedded_folder(), help="default: the embedded pair"
    )
    card.add_argument("--recipe", default="embedded", help="what the pair was made by (default embedded)")
    card.add_argument("--figures", metavar="FILE", type=Path, required=True, help="of a full `train evaluate --json`")
    card.add_argument(
        "--quote",
        metavar="N",
        type=int,
        nargs="+",
        default=[1, 2, 3, 4, 5],
        help="which of the 20 stories to show, from 1",
    )
    card.add_argument(
        "--history", metavar="TEXT", default="", help="a sentence about these weights, for instance which they replace"
    )
    card.set_defaults(work_of=_card)


def perform(args: argparse.Namespace) -> int:
    """Do what was asked for."""
    code: int = args.work_of(args)
    return code


def _make(args: argparse.Namespace) -> int:
    recipe = _recipe(args.recipe)
    from specviz.models.devices import pick_device
    from specviz.training.embedded import corpus
    from specviz.training.embedded.base_pair import begun
    from specviz.training.embedded.make import Bench, make
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
    if args.begun is not None and args.begun.resolve() == args.out.resolve():
        raise TrainingError(
            "--from and --out name the same folder: what is begun stays as it is, so give another --out."
        )
    bench = Bench(
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
        begun=None if args.begun is None else begun(recipe, args.begun),
    )
    for folder in (args.out, work):
        _open(folder)
    try:
        make(recipe, bench)
    except KeyboardInterrupt:
        sys.stderr.write(f"The same command goes on from the last checkpoint in {work}.\n")
        raise
    except OSError as error:
        raise TrainingError(
            f"The pair could not be written ({error}): what was finished is kept. Make room, then give the same command again."
        ) from None
    sys.stderr.write(f"The pair is in {args.out}. Examine it: specviz train evaluate --pair {args.out}\n")
    return 0


def _evaluate(args: argparse.Namespace) -> int:
    for role in ("target", "draft"):
        if not (args.pair / role / "config.json").is_file():
            raise ModelFolderError(
                f"{str(args.pair)!r} holds no {role}: give a folder with `target` and `draft` in it."
            )
    from specviz.reporting.terminal import Screen
    from specviz.training.embedded.held_out_texts import COLLECTED
    from specviz.training.embedded.mixture import Library
    from specviz.training.embedded.report_card import FULL, QUICK, Candidate, examine, lines
    from specviz.training.progress_bars import bar

    parts = tuple(args.only or PARTS)
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        raise TrainingError(f"There is no part {unknown[0]!r} of the examination: choose from {', '.join(PARTS)}.")
    library = None if args.corpus is None else Library(args.corpus, COLLECTED)
    with bar("examination") as shown:
        figures = examine(
            Candidate(args.pair, _ready_made(), library), QUICK if args.quick else FULL, shown.reached, parts
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
    """Refuse a place that cannot be written now, not after hours."""
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
    path = embedded_folder().parents[1] / "prompts.json"
    found: dict[str, tuple[str, ...]] = {}
    for prompt in json.loads(path.read_text(encoding="utf-8")):
        category = prompt["category"]
        found[category] = (*found.get(category, ()), prompt["prompt"])
    return found
