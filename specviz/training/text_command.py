"""`specviz train text`: a target's own text as one file. What loads torch is imported inside the functions, so that --help is quick."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from specviz.errors import TrainingError
from specviz.known_pairs import offered
from specviz.reporting.files import named_if_unwritten, write_atomically
from specviz.training.asked import add_target, check_texts
from specviz.training.drafts.settings import TOKENS
from specviz.training.heads.settings import QUICK, USUAL
from specviz.training.making_command import continued

_ABOUT = """Let a target write its own training text, and save it as one small file, from which `train head --own-text FILE` makes heads of any kind. After
a stop or a crash, the same command continues, also with more --tokens; without --prompts, a work folder in which `train head` or `train draft` has
written serves too. The file does not hold given prompts, only which ones of their file were answered, so that training needs that file again."""


def add_text(works: Any) -> None:
    """The subcommand `text`."""
    text = works.add_parser(
        "text", help="let a target write its own training text", description=_ABOUT, allow_abbrev=False
    )
    add_target(text, "folder for what is written so far (default OUT.work)")
    text.add_argument("--out", metavar="FILE", type=Path, required=True, help="where the text goes")
    text.add_argument(
        "--text",
        metavar="FOLDER",
        type=Path,
        help="*.txt files for the target to continue, instead of questions of its own",
    )
    text.add_argument(
        "--prompts",
        metavar="FILE",
        type=Path,
        help='JSON lines {"prompt": ...}, plain or .gz: two thirds of the texts answer these, a third questions of its own',
    )
    text.add_argument("--tokens", type=int, metavar="N", help=f"tokens that the target writes (default {TOKENS:,})")
    text.add_argument(
        "--longest", type=int, metavar="N", help=f"new tokens of a text, at most (default {USUAL.longest})"
    )
    text.add_argument("--threads", type=int, metavar="N", help="processor threads (default: as many as torch chooses)")
    text.add_argument(
        "--at-once", type=int, metavar="N", help=f"texts in a batch (default {USUAL.at_once}); many more on a GPU"
    )
    text.add_argument(
        "--part",
        metavar="I/N",
        default="1/1",
        help="write only part I of N, so that several processes or machines share the prompts; `train head` reads all their files together",
    )
    text.add_argument(
        "--packed-so-far", action="store_true", help="save what the work folder holds, and write nothing more"
    )
    text.add_argument("--replace", action="store_true", help="overwrite OUT")
    text.set_defaults(work_of=_text)


def _text(args: argparse.Namespace) -> int:
    effort = QUICK if args.quick else USUAL
    for name in ("tokens", "longest", "threads", "at-once"):
        value = getattr(args, name.replace("-", "_"))
        if value is not None and value < 1:
            raise TrainingError(f"--{name} was {value}: give a number of at least 1.")
    part, parts = _part(args.part)
    tokens, longest = args.tokens or effort.tokens, args.longest or effort.longest
    if args.out.is_dir() or (args.out.exists() and not args.replace):
        raise TrainingError(
            f"{str(args.out)!r} exists already: choose another --out, or overwrite a file with --replace."
        )
    check_texts(args.text)
    work = args.work or args.out.with_name(f"{args.out.name}.work")
    target_name, _ = offered(args.target) or (args.target, None)
    import torch

    from specviz.models.devices import pick_device
    from specviz.models.heads.folder import digest_of
    from specviz.models.loading import load_target
    from specviz.training.drafts import prompt_file
    from specviz.training.drafts.own_text import Amount
    from specviz.training.drafts.packed_text import packed
    from specviz.training.heads.source import source_of
    from specviz.training.precision import own_precision
    from specviz.training.progress_bars import bar
    from specviz.training.recognition import check_work
    from specviz.training.target_text import at_once, store_of, target_text

    prompts = prompt_file.read(args.prompts) if args.prompts else None
    if args.threads:
        torch.set_num_threads(args.threads)
    device = pick_device(args.device)
    target = load_target(target_name, device=device, dtype=own_precision(args.dtype, device))
    found = source_of(target, args.text, 0)
    if prompts and found.documents:
        raise TrainingError("--prompts is for a target that answers in a chat template, without --text: leave one out.")
    check_work(work, target)
    together = at_once(target, args.at_once or effort.at_once, longest)
    amount = Amount(tokens, together, longest, seed=args.seed, part=part, parts=parts)
    if args.packed_so_far:
        amount = replace(amount, tokens=store_of(target, amount, found.documents, work, prompts).tokens())
        if not amount.tokens:
            raise TrainingError(f"Nothing is written in {str(work)!r} yet: leave out --packed-so-far.")
    with continued(work):
        own = target_text(target, amount, found.documents, work, found.unseen, bar, prompts)
    data = packed(own, target.card.name, digest_of(target.model), prompts.digest if prompts else "")
    with named_if_unwritten(args.out, TrainingError):
        write_atomically(args.out, data)
    answered = f", {int((own.given >= 0).sum()):,} of which answer given prompts" if prompts else ""
    size = f"{len(data) / 1e6:.2f} MB"
    sys.stdout.write(f"{own.written:,} tokens in {len(own.starts):,} texts{answered}, {size}: {args.out}\n")
    return 0


def _part(text: str) -> tuple[int, int]:
    """The part that is written as I/N, counted from 0, and how many there are.

    Raises:
        TrainingError: it is not written like that.
    """
    first, _, last = text.partition("/")
    part, parts = (int(each) if each.isascii() and each.isdigit() and len(each) < 5 else 0 for each in (first, last))
    if not 1 <= part <= parts:
        raise TrainingError(f"--part was {text!r:.20}: give I/N, such as 2/4 for the second part of four.")
    return part - 1, parts
