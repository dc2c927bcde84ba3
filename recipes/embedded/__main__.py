"""The recipe of the embedded pair as commands: make a pair from nothing, examine it, write its card, write texts for its heads.

`python -m recipes.embedded --help` lists them. What loads torch is imported inside the functions, so that --help is quick.
"""

import argparse
import gzip
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from recipes.embedded.recipe import Recipe
from recipes.embedded.recipes import OWN, RECIPES
from recipes.embedded.sections import SECTIONS
from specviz.cli.main import Command
from specviz.cli.main import main as run
from specviz.errors import ModelFolderError, TrainingError
from specviz.known_pairs import embedded_folder

PROGRAM = "python -m recipes.embedded"

_ABOUT_MAKE = """Make a pair from nothing: write the text, learn the tokenizer, train the target, then its drafts. Hours on two CPU cores for the
embedded recipe, minutes on a GPU, seconds for the miniature one. After a stop or a crash, the same command continues from its last checkpoint."""
_ABOUT_EVALUATE = """Examine a pair on prompts that its training text does not contain: knowledge, forms, sums, stories, acceptance rates, speedups, held-out
loss. Run nothing else at the same time, because it measures speed."""
_ABOUT_TEXTS = """Write the texts that the embedded target continues when heads learn from it, one JSON object a line: for `specviz train head --text FOLDER`.
Those of the templates come with specviz; with --corpus they have the shares from which the pair's drafts learned."""
_ABOUT_CARD = """Write a pair's README.md with the curves of its training and the figures of its examination."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one of the commands and return its exit code, as `specviz` does."""
    return run(argv, PROGRAM, COMMANDS)


def _make_options(make: argparse.ArgumentParser) -> None:
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


def _evaluate_options(evaluate: argparse.ArgumentParser) -> None:
    _pair_option(evaluate)
    evaluate.add_argument(
        "--corpus", metavar="FOLDER", type=Path, help="also measure bits a byte on the held-out text of this corpus"
    )
    evaluate.add_argument("--quick", action="store_true", help="take 100 samples a class, in a minute or two")
    evaluate.add_argument("--only", metavar="SECTION", nargs="+", help=f"one or more of {', '.join(SECTIONS)}")


def _card_options(card: argparse.ArgumentParser) -> None:
    _pair_option(card)
    card.add_argument("--recipe", default="embedded", help="the recipe that the pair was made by (default embedded)")
    card.add_argument(
        "--figures", metavar="FILE", type=Path, required=True, help="what a full `evaluate --json` printed"
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


def _texts_options(texts: argparse.ArgumentParser) -> None:
    texts.add_argument("--corpus", metavar="FOLDER", type=Path, help="collected text, besides that of the templates")
    texts.add_argument("--out", metavar="FILE", type=Path, required=True, help="a new file: NAME.jsonl.gz")
    texts.add_argument("--count", type=int, default=30_000, metavar="N", help="texts (default 30,000)")
    texts.add_argument(
        "--characters", type=int, metavar="N", help="of each text only so many from its beginning (default: all)"
    )
    texts.add_argument("--seed", type=int, default=0, metavar="N", help="of the choice (default 0)")


def _pair_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pair", metavar="FOLDER", type=Path, default=embedded_folder(), help="default: the embedded pair"
    )


def _make(args: argparse.Namespace) -> int:
    recipe = _recipe(args.recipe)
    from recipes.embedded import corpus
    from recipes.embedded.base_pair import read
    from recipes.embedded.make import Workshop, make
    from specviz.models.devices import pick_device
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
    sys.stderr.write(f"The pair is in {args.out}. Examine it: {PROGRAM} evaluate --pair {args.out}\n")
    return 0


def _evaluate(args: argparse.Namespace) -> int:
    for role in ("target", "draft"):
        if not (args.pair / role / "config.json").is_file():
            raise ModelFolderError(
                f"{str(args.pair)!r} contains no {role}: give a folder with `target` and `draft` in it."
            )
    from recipes.embedded.held_out_texts import COLLECTED
    from recipes.embedded.mixture import Library
    from recipes.embedded.report_card import FULL, QUICK, Candidate, examine, lines
    from specviz.reporting.terminal import Screen
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
    from recipes.embedded import card
    from recipes.embedded.base_pair import CURVES

    try:
        card.write(_recipe(args.recipe), args.pair, args.figures, [number - 1 for number in args.quote], args.history)
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise TrainingError(
            f"The card needs {CURVES} in {str(args.pair)!r} and the figures of a full examination in {str(args.figures)!r} "
            f"({type(error).__name__}: {error}): make and examine the pair first."
        ) from None
    return 0


def _texts(args: argparse.Namespace) -> int:
    from recipes.embedded import openings
    from recipes.embedded.continuations import CHARACTERS
    from recipes.embedded.mixture import GENERATED, Library, documents

    shares = OWN if args.corpus is not None else {kind: share for kind, share in OWN.items() if kind in GENERATED}
    library = Library(args.corpus, shares)
    ready = tuple(prompt for kind, prompts in _ready_made().items() if kind != "facts" for prompt in prompts)
    endless = documents(library, shares, f"{args.seed} heads", openings.held_out(ready, library), CHARACTERS)
    lines = (json.dumps({"text": text[: args.characters]}) for _, text in islice(endless, args.count))
    args.out.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), 9, mtime=0))
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


COMMANDS = (
    Command("make", "make a complete pair", _make_options, _make, prints=False, about=_ABOUT_MAKE),
    Command("evaluate", "examine a pair", _evaluate_options, _evaluate, about=_ABOUT_EVALUATE),
    Command("card", "write a pair's model card", _card_options, _card, prints=False, about=_ABOUT_CARD),
    Command(
        "texts", "write texts for heads to be trained on", _texts_options, _texts, prints=False, about=_ABOUT_TEXTS
    ),
)

if __name__ == "__main__":
    sys.exit(main())
