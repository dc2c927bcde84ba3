"""What `train draft` and `train head` ask for alike: how much of everything, where it goes, and on which prompts it is examined."""

import argparse
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from specviz.errors import TrainingError
from specviz.training.drafts.settings import Effort

_WORDS = 12
"""Words of a held-out text that are given as a prompt."""
_SEEDS = 2**31
_WEIGHTS = {"draft": "model.safetensors", "head": "head.safetensors"}


def effort_of(args: argparse.Namespace, usual: Effort) -> Effort:
    """How much of everything: what the options say, and else what is usual.

    Raises:
        TrainingError: an amount is not positive, or not a number that can be used.
    """
    asked = (
        ("tokens", 1),
        ("vocabulary", 2),
        ("batch", 1),
        ("epochs", None),
        ("seconds", None),
        ("rate", None),
        ("prompts", 0),
    )
    for name, lowest in asked:
        value = getattr(args, name, None)
        if value is not None and (value == math.inf or not (value > 0 if lowest is None else value >= lowest)):
            wanted = "a finite number above 0" if lowest is None else f"a number of at least {lowest}"
            raise TrainingError(f"--{name} was {value}: give {wanted}.")
    if not 0 <= args.seed < _SEEDS:
        raise TrainingError(f"--seed was {args.seed}: give a whole number from 0 to {_SEEDS - 1}.")
    given = {
        "tokens": args.tokens,
        "kept": args.vocabulary,
        "epochs": args.epochs,
        "seconds": getattr(args, "seconds", None),
        "batch": getattr(args, "batch", None),
        "prompts": args.prompts,
    }
    return replace(usual, **{name: value for name, value in given.items() if value is not None})


def add_target(parser: argparse.ArgumentParser, work: str) -> None:
    """The options for the target and where things are.

    Args:
        work: the help of --work.
    """
    parser.add_argument(
        "--target", metavar="MODEL", required=True, help="the name of a pair, a hub id, a folder or a .gguf file"
    )
    parser.add_argument("--work", metavar="FOLDER", type=Path, help=work)
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    parser.add_argument(
        "--dtype", default="auto", help="number format of the target: auto, float32, bfloat16 or float16"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of text and weights (default 0)")
    parser.add_argument("--quick", action="store_true", help="the complete path with little of everything, to try it")


def add_making(parser: argparse.ArgumentParser, made: str, usual: Effort, fits: str) -> None:
    """The options of what learns: its text, its size and its examination.

    Args:
        made: "draft" or "head".
        usual: the defaults.
        fits: what another one must be, to be trained further.
    """
    parser.add_argument("--out", metavar="FOLDER", type=Path, required=True, help=f"where the {made} goes")
    parser.add_argument(
        "--text",
        metavar="FOLDER",
        type=Path,
        help="*.txt files for the target to continue, instead of questions of its own; needed without a chat template",
    )
    parser.add_argument(
        "--own-text",
        metavar="FILE",
        type=Path,
        nargs="+",
        default=[],
        help="text that the target wrote before, as `train text` saved it; several files are read together, --tokens of them",
    )
    parser.add_argument(
        "--own-text-prompts",
        metavar="FILE",
        type=Path,
        help="the prompts that --own-text answers, where it does not hold them: the same file that `train text` got",
    )
    parser.add_argument(
        "--tokens",
        type=int,
        metavar="N",
        help=f"tokens that the target writes (default {usual.tokens:,}), or of --own-text at most (default: all)",
    )
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--epochs", type=float, metavar="N", help=f"how often the text is read (default {usual.epochs:g})"
    )
    length.add_argument(
        "--seconds", type=float, metavar="N", help="about how long to train, at most, instead of --epochs"
    )
    parser.add_argument(
        "--vocabulary", type=int, metavar="K", help=f"ids that the {made} may write, at most (default {usual.kept:,})"
    )
    parser.add_argument("--batch", type=int, metavar="N", help=f"tokens of a step (default {usual.batch:,})")
    parser.add_argument(
        "--rate",
        type=float,
        default=1.0,
        metavar="N",
        help="learning rates as a multiple of the usual ones; below 1 where the loss rises instead of falling",
    )
    parser.add_argument(
        "--from",
        dest="start",
        type=Path,
        metavar="FOLDER",
        help=f"a {made} that `train {made}` made goes on learning, with its own ids, instead of a new one; {fits}",
    )
    parser.add_argument(
        "--prompts", type=int, metavar="N", help="prompts of the examination (default 40); 0 leaves it out"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON object")


def check_texts(folder: Path | None) -> None:
    """Check that the folder of texts is there, if one was given.

    Raises:
        TrainingError: it is not.
    """
    if folder is not None and not folder.is_dir():
        raise TrainingError(f"The folder of texts {str(folder)!r} does not exist: check the path.")


def check_start(args: argparse.Namespace, made: str, keeps: Mapping[str, object]) -> None:
    """Check that what is to be trained further is there, as far as no model has to be read for it.

    Args:
        made: "draft" or "head".
        keeps: the options that say what it has already, with their values.

    Raises:
        TrainingError: it is not, or one of these options was given.
    """
    folder: Path | None = args.start
    if folder is None:
        return
    if not all((folder / name).is_file() for name in ("making.json", "curves.json", _WEIGHTS[made])):
        raise TrainingError(
            f"--from was {str(folder)!r}, which is no {made} that `train {made}` made: give the folder of one."
        )
    for option, value in keeps.items():
        if value:
            raise TrainingError(f"A {made} that is trained further keeps what it has: leave out {option}.")


def some(prompts: Mapping[str, Sequence[str]], most: int) -> dict[str, tuple[str, ...]]:
    """At most so many prompts, in turn from each kind."""
    chosen: dict[str, tuple[str, ...]] = {}
    for index in range(max(map(len, prompts.values()))):
        for kind, texts in prompts.items():
            if index < len(texts) and sum(map(len, chosen.values())) < most:
                chosen[kind] = (*chosen.get(kind, ()), texts[index])
    return chosen


def beginnings(texts: Sequence[str], most: int) -> dict[str, tuple[str, ...]]:
    """The first words of held-out texts, as prompts of one kind."""
    return {"continuation": tuple(" ".join(text.split()[:_WORDS]) for text in texts[:most])}


def flat(prompts: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The prompts of all kinds."""
    return tuple(text for texts in prompts.values() for text in texts)
