"""What `train draft` and `train head` ask for alike: how much of everything, where it goes, and on which prompts it is examined."""

import argparse
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from specviz.errors import InputError, TrainingError
from specviz.reporting.files import open_folder
from specviz.training.drafts.settings import Effort

_WORDS = 12
"""Words of a held-out text that are given as a prompt."""
_SEEDS = 2**31


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


def add_own_text(parser: argparse.ArgumentParser) -> None:
    """The options for text that the target wrote before."""
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


def check_own_text(args: argparse.Namespace) -> None:
    """Check that prompts were given for text that answers them.

    Raises:
        TrainingError: there is no such text.
    """
    if args.own_text_prompts and not args.own_text:
        raise TrainingError("--own-text-prompts belongs to --own-text: give both, or neither.")


def check_texts(folder: Path | None) -> None:
    """Check that the folder of texts is there, if one was given.

    Raises:
        TrainingError: it is not.
    """
    if folder is not None and not folder.is_dir():
        raise TrainingError(f"The folder of texts {str(folder)!r} does not exist: check the path.")


def check_out(out: Path, work: Path) -> None:
    """Check that the result can be written: better now than after hours of training.

    Raises:
        TrainingError: the folder has no name, is not empty or contains the work folder, or nothing can be written there.
    """
    if not out.name:
        raise TrainingError(f"--out was {str(out)!r}: give the path of a new folder.")
    if work == out or out in work.parents:
        raise TrainingError(
            f"--work was {str(work)!r}, in the folder of --out: give one outside, because --out appears complete."
        )
    try:
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise TrainingError(f"{str(out)!r} exists already: choose another --out, or remove it.")
        for folder in (out.parent, work):
            open_folder(folder)
    except InputError as error:
        raise TrainingError(str(error)) from None
    except OSError as error:
        raise TrainingError(f"{str(out)!r} could not be opened ({error.strerror}): choose another --out.") from None


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
