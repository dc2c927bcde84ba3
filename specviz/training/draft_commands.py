"""`specviz train draft` and `specviz train examine`. What loads torch is imported inside the functions, so that --help is quick."""

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from specviz.errors import SpecvizError, TrainingError
from specviz.settings import MAX_NEW_TOKENS
from specviz.training.drafts.settings import EPOCHS, KEPT, QUICK, QUICK_SIZE, TOKENS, Effort

_WORDS = 12
"""Words of a held-out text that are given as a prompt."""
_SEEDS = 2**31
_ABOUT_DRAFT = """Make a draft for any target: the target writes its own training text, a small Llama learns its probabilities, and an examination on
prompts that no training saw measures acceptance, cost and speedup. Hours on two CPU cores, minutes on a GPU. After a stop or a crash, the same
command continues where it stopped."""
_ABOUT_EXAMINE = """Examine a draft with its target on prompts that no training saw: acceptance rate by position, costs of the passes, predicted and
measured speedup, and whether the greedy text is the target's own. Run nothing else at the same time, because it measures speed."""


def add_draft(works: Any) -> None:
    """The subcommand `draft`."""
    draft = works.add_parser("draft", help="make a draft for any target", description=_ABOUT_DRAFT, allow_abbrev=False)
    draft.add_argument("--target", metavar="MODEL", required=True, help="a hub id, a folder or a .gguf file")
    draft.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="where the draft goes")
    draft.add_argument("--work", metavar="FOLDER", type=Path, help="folder for text and checkpoints (default OUT.work)")
    draft.add_argument(
        "--text",
        metavar="FOLDER",
        type=Path,
        help="*.txt files for the target to continue, instead of questions of its own; needed without a chat template",
    )
    draft.add_argument("--tokens", type=int, metavar="N", help=f"tokens that the target writes (default {TOKENS:,})")
    draft.add_argument(
        "--size",
        default=None,
        metavar="WIDTHxLAYERS",
        help="such as 192x2, or auto: chosen from measured costs and an assumed acceptance rate (default auto)",
    )
    draft.add_argument(
        "--vocabulary", type=int, metavar="K", help=f"ids that the draft may write, at most (default {KEPT:,})"
    )
    length = draft.add_mutually_exclusive_group()
    length.add_argument("--epochs", type=float, metavar="N", help=f"how often the text is read (default {EPOCHS:g})")
    length.add_argument("--seconds", type=float, metavar="N", help="about how long to train, instead of --epochs")
    draft.add_argument(
        "--prompts", type=int, metavar="N", help="prompts of the examination (default 40); 0 leaves it out"
    )
    draft.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    draft.add_argument(
        "--dtype", default="auto", help="number format in which the target writes: auto, float32, bfloat16 or float16"
    )
    draft.add_argument("--seed", type=int, default=0, metavar="N", help="of text and weights (default 0)")
    draft.add_argument("--quick", action="store_true", help="the complete path with little of everything, to try it")
    draft.add_argument("--json", action="store_true", help="print the figures as one JSON object")
    draft.set_defaults(work_of=_draft)


def add_examine(works: Any) -> None:
    """The subcommand `examine`."""
    examine = works.add_parser("examine", help="examine a draft", description=_ABOUT_EXAMINE, allow_abbrev=False)
    examine.add_argument("--target", metavar="MODEL", required=True, help="a hub id, a folder or a .gguf file")
    examine.add_argument("--draft", metavar="MODEL", required=True, help="a hub id or a folder")
    examine.add_argument(
        "--text",
        metavar="FOLDER",
        type=Path,
        help="examine on the beginnings of this folder's held-out texts, as `train draft --text` does",
    )
    examine.add_argument("--prompts", type=int, default=40, metavar="N", help="how many prompts (default 40)")
    examine.add_argument("--tokens", type=int, default=64, metavar="N", help="new tokens of a run (default 64)")
    examine.add_argument("--repeats", type=int, default=1, metavar="N", help="timed pairs of runs a prompt (default 1)")
    examine.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    examine.add_argument(
        "--dtype", default="float32", help="float32 (the default, in which texts can be compared), auto, bfloat16, ..."
    )
    examine.add_argument("--card", action="store_true", help="write the figures into the draft's folder and its README")
    examine.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    examine.set_defaults(work_of=_examine)


def _draft(args: argparse.Namespace) -> int:
    effort = _effort(args)
    if args.text is not None and not args.text.is_dir():
        raise TrainingError(f"The folder of texts {str(args.text)!r} does not exist: check the path.")
    out = args.out.resolve()
    work = args.work or out.parent / f"{out.name}.work"
    _check_out(out, work.resolve())
    from specviz.models.devices import pick_device
    from specviz.models.number_format import pick_dtype
    from specviz.models.sources import short_name
    from specviz.reporting.prompts import ready_prompts
    from specviz.training.drafts import folder
    from specviz.training.drafts.making import Request, make
    from specviz.training.drafts.student import Size
    from specviz.training.drafts.unseen import held_out_prompts
    from specviz.training.precision import fast_precision
    from specviz.training.progress_bars import bar

    device = pick_device(args.device)
    auto_on_cpu = args.dtype == "auto" and device.type == "cpu"
    size = args.size or (f"{QUICK_SIZE[0]}x{QUICK_SIZE[1]}" if args.quick else "auto")
    request = Request(
        source=args.target,
        work=work,
        texts=args.text,
        size=None if size == "auto" else Size.of(size),
        effort=effort,
        device=device,
        dtype=fast_precision(device) if auto_on_cpu else pick_dtype(args.dtype, device),
        seed=args.seed,
        unseen=(*_all(held_out_prompts()), *(ready.text for ready in ready_prompts())),
        bar=bar,
    )
    figures: dict[str, Any] | None = None
    refused = ""
    try:
        made = make(request)
        with folder.in_one_step(out) as partial:
            folder.write(made, partial)
            if effort.prompts:
                prompts = (
                    _beginnings(made.held_out, effort.prompts)
                    if made.held_out
                    else _some(held_out_prompts(), effort.prompts)
                )
                asked = (prompts, not made.held_out, effort.examined_tokens, 1, str(device), "float32")
                try:
                    figures = {**_examined(args.target, str(partial), *asked), "draft": short_name(str(out))}
                except SpecvizError as error:  # hours of training are not lost with it
                    refused = str(error)
            folder.write_card(partial, figures)
    except KeyboardInterrupt:
        sys.stderr.write(f"The same command continues with what is kept in {work}.\n")
        raise
    if args.json:
        sys.stdout.write(json.dumps({"making": made.facts, "examination": figures}) + "\n")
    elif figures is not None:
        _print(figures)
    sys.stderr.write(f"The draft is in {args.out}. Use it: --target {args.target} --draft {args.out}\n")
    sys.stderr.write(f"What it was made from is still in {work}, to continue with; it can be deleted.\n")
    if refused:
        raise TrainingError(f"The draft was not examined: {refused}")
    return 0


def _examine(args: argparse.Namespace) -> int:
    if args.prompts < 1 or not 2 <= args.tokens <= MAX_NEW_TOKENS or args.repeats < 1:
        raise TrainingError(f"An examination needs at least 1 prompt, 2 to {MAX_NEW_TOKENS} tokens and 1 repeat.")
    from specviz.training.drafts import documents, folder
    from specviz.training.drafts.unseen import held_out_prompts

    if args.text is not None:
        prompts = _beginnings(documents.read(args.text).held_out, args.prompts)
    else:
        prompts = _some(held_out_prompts(), args.prompts)
    if args.card and not (Path(args.draft) / folder.MAKING).is_file():
        raise TrainingError(f"--card needs a draft that `train draft` made, and {args.draft!r} has no {folder.MAKING}.")
    asked = (prompts, args.text is None, args.tokens, args.repeats, args.device, args.dtype)
    figures = _examined(args.target, args.draft, *asked)
    if args.json:
        sys.stdout.write(json.dumps(figures) + "\n")
    else:
        _print(figures)
    if args.card:
        folder.write_card(Path(args.draft), figures)
    return 0


def _examined(
    target: str,
    draft: str,
    prompts: Mapping[str, Sequence[str]],
    template: bool,
    tokens: int,
    repeats: int,
    device: str,
    dtype: str,
) -> dict[str, Any]:
    from specviz.training.examination.draft import Examination, examine
    from specviz.training.progress_bars import bar

    asked = Examination(target, draft, prompts, template, tokens, repeats, device, dtype)
    with bar("examination") as shown:
        return examine(asked, shown.reached)


def _print(figures: Mapping[str, Any]) -> None:
    from rich.text import Text

    from specviz.reporting.terminal import Screen
    from specviz.training.drafts.card import lines

    Screen().lines(Text(line) for line in lines(figures))


def _effort(args: argparse.Namespace) -> Effort:
    """How much of everything, from the options.

    Raises:
        TrainingError: an amount is not positive, or not a number that can be used.
    """
    effort = QUICK if args.quick else Effort()
    for name, lowest in (("tokens", 1), ("vocabulary", 2), ("epochs", None), ("seconds", None), ("prompts", 0)):
        value = getattr(args, name)
        if value is not None and (value == math.inf or not (value > 0 if lowest is None else value >= lowest)):
            wanted = "a finite number above 0" if lowest is None else f"a number of at least {lowest}"
            raise TrainingError(f"--{name} was {value}: give {wanted}.")
    if not 0 <= args.seed < _SEEDS:
        raise TrainingError(f"--seed was {args.seed}: give a whole number from 0 to {_SEEDS - 1}.")
    given = {
        "tokens": args.tokens,
        "kept": args.vocabulary,
        "epochs": args.epochs,
        "seconds": args.seconds,
        "prompts": args.prompts,
    }
    return replace(effort, **{name: value for name, value in given.items() if value is not None})


def _check_out(out: Path, work: Path) -> None:
    """Check that the draft can be written: better now than after hours of training.

    Raises:
        TrainingError: the folder has no name, is not empty or contains the work folder, or nothing can be written there.
    """
    from specviz.errors import InputError
    from specviz.reporting.files import open_folder

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


def _some(prompts: Mapping[str, Sequence[str]], most: int) -> dict[str, tuple[str, ...]]:
    """At most so many prompts, in turn from each kind."""
    chosen: dict[str, tuple[str, ...]] = {}
    for index in range(max(map(len, prompts.values()))):
        for kind, texts in prompts.items():
            if index < len(texts) and sum(map(len, chosen.values())) < most:
                chosen[kind] = (*chosen.get(kind, ()), texts[index])
    return chosen


def _beginnings(texts: Sequence[str], most: int) -> dict[str, tuple[str, ...]]:
    """The first words of held-out texts, as prompts of one kind."""
    return {"continuation": tuple(" ".join(text.split()[:_WORDS]) for text in texts[:most])}


def _all(prompts: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    return tuple(text for texts in prompts.values() for text in texts)
