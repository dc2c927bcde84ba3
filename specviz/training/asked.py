"""What `train draft` and `train head` ask for alike: how much of everything, where it goes, and on which prompts it is examined."""

import argparse
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

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


def add_making(parser: argparse.ArgumentParser, made: str, usual: Effort) -> None:
    """The options of what learns: its text, its size and its examination.

    Args:
        made: "draft" or "head".
        usual: the defaults.
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
        "--prompts", type=int, metavar="N", help="prompts of the examination (default 40); 0 leaves it out"
    )
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON object")


def fields_of(args: argparse.Namespace, target: str, work: Path, effort: Effort) -> dict[str, Any]:
    """What `specviz.training.making.MakingRequest` has, from the options."""
    from specviz.models.devices import pick_device
    from specviz.models.number_format import pick_dtype
    from specviz.training.precision import fast_precision
    from specviz.training.progress_bars import bar

    device = pick_device(args.device)
    auto_on_cpu = args.dtype == "auto" and device.type == "cpu"
    return {
        "source": target,
        "work": work,
        "texts": args.text,
        "own_text": tuple(args.own_text),
        "own_tokens": args.tokens,
        "own_text_prompts": args.own_text_prompts,
        "effort": effort,
        "batch": args.batch,
        "device": device,
        "dtype": fast_precision(device) if auto_on_cpu else pick_dtype(args.dtype, device),
        "seed": args.seed,
        "bar": bar,
    }


def conclude(
    args: argparse.Namespace,
    made: str,
    chosen: str,
    work: Path,
    facts: Mapping[str, Any],
    figures: Mapping[str, Any] | None,
    show: Callable[[Mapping[str, Any]], None],
    refused: str,
) -> int:
    """Print the figures and how what was made is used; returns the exit code.

    Args:
        made: "draft" or "head".
        chosen: the options that choose it.
        facts: how it was made.
        figures: of its examination, which `show` prints; None without one.
        refused: why it could not be examined; "" if it was, or was not to be.

    Raises:
        TrainingError: it could not be examined.
    """
    if args.json:
        sys.stdout.write(json.dumps({"making": facts, "examination": figures}) + "\n")
    elif figures is not None:
        show(figures)
    sys.stderr.write(f"The {made} is in {args.out}. Use it: {chosen}\n")
    sys.stderr.write(f"What it was made from is still in {work}, to continue with; it can be deleted.\n")
    if refused:
        raise TrainingError(f"The {made} was not examined: {refused}")
    return 0


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
