"""`specviz train head`. What loads torch is imported inside the functions, so that --help is quick."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from specviz.errors import SpecvizError, TrainingError
from specviz.known_pairs import offered
from specviz.training.asked import add_own_text, check_out, check_own_text, check_texts, effort_of
from specviz.training.drafts.settings import TOKENS
from specviz.training.examine_command import examined_head, shown_head
from specviz.training.heads.kinds import MODULES, check
from specviz.training.heads.options import parsed
from specviz.training.heads.settings import QUICK, USUAL

_ABOUT = """Train a head for any target that shows the states of its layers: the target writes its own training text, a small network learns to
go on from the target's states, and an examination on prompts that no training saw measures acceptance, cost and speedup beside a draft model.
On a CPU the heads of the embedded target trained for 15 (medusa), 16 (jetspec), 31 (dspark) and 78 minutes (eagle3), at 2 to 3 epochs of
895,739 tokens; writing the text and the examination come in addition. After a stop or a crash, the same command continues where it stopped."""


def add_head(works: Any) -> None:
    """The subcommand `head`."""
    head = works.add_parser("head", help="train a head for any target", description=_ABOUT, allow_abbrev=False)
    head.add_argument("--kind", required=True, metavar="KIND", help=f"one of {', '.join(MODULES)}")
    head.add_argument(
        "--target", metavar="MODEL", required=True, help="the name of a pair, a hub id, a folder or a .gguf file"
    )
    head.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="where the head goes")
    head.add_argument(
        "--work",
        metavar="FOLDER",
        type=Path,
        help="folder for text and checkpoints (default OUT.work); heads and a draft of one target can share it",
    )
    head.add_argument(
        "--text",
        metavar="FOLDER",
        type=Path,
        help="*.txt files for the target to continue, instead of questions of its own; needed without a chat template",
    )
    add_own_text(head)
    head.add_argument("--tokens", type=int, metavar="N", help=f"tokens that the target writes (default {TOKENS:,})")
    length = head.add_mutually_exclusive_group()
    length.add_argument("--epochs", type=float, metavar="N", help=f"how often they are read (default {USUAL.epochs:g})")
    length.add_argument(
        "--seconds", type=float, metavar="N", help="about how long to train, at most, instead of --epochs"
    )
    head.add_argument(
        "--vocabulary", type=int, metavar="K", help=f"ids that the head may write, at most (default {USUAL.kept:,})"
    )
    head.add_argument("--batch", type=int, metavar="N", help=f"tokens of a step (default {USUAL.batch:,})")
    head.add_argument(
        "--rate",
        type=float,
        default=1.0,
        metavar="N",
        help="learning rates as a multiple of the usual ones; below 1 where the loss rises instead of falling",
    )
    head.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="change an option of the kind, such as causal=false for jetspec; can be given several times",
    )
    head.add_argument(
        "--draft", metavar="MODEL", help="a draft model to compare with (default: that of the named pair)"
    )
    head.add_argument(
        "--prompts", type=int, metavar="N", help="prompts of the examination (default 40); 0 leaves it out"
    )
    head.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    head.add_argument("--dtype", default="auto", help="number format of the target: auto, float32, bfloat16 or float16")
    head.add_argument("--seed", type=int, default=0, metavar="N", help="of text and weights (default 0)")
    head.add_argument("--quick", action="store_true", help="the complete path with little of everything, to try it")
    head.add_argument("--json", action="store_true", help="print the figures as one JSON object")
    head.set_defaults(work_of=_head)


def _head(args: argparse.Namespace) -> int:
    check(args.kind)
    given = parsed(args.option)
    effort = effort_of(args, QUICK if args.quick else USUAL)
    check_texts(args.text)
    check_own_text(args)
    out = args.out.resolve()
    work = args.work or out.parent / f"{out.name}.work"
    check_out(out, work.resolve())
    target, draft = offered(args.target) or (args.target, None)
    from specviz.models.devices import pick_device
    from specviz.models.number_format import pick_dtype
    from specviz.training.drafts.folder import in_one_step
    from specviz.training.heads import folder
    from specviz.training.heads.making import HeadRequest, make
    from specviz.training.precision import fast_precision
    from specviz.training.progress_bars import bar

    device = pick_device(args.device)
    auto_on_cpu = args.dtype == "auto" and device.type == "cpu"
    request = HeadRequest(
        kind=args.kind,
        given=given,
        name=args.target,
        source=target,
        work=work,
        texts=args.text,
        own_text=tuple(args.own_text),
        own_tokens=args.tokens,
        own_text_prompts=args.own_text_prompts,
        effort=effort,
        quick=args.quick,
        batch=args.batch,
        device=device,
        dtype=fast_precision(device) if auto_on_cpu else pick_dtype(args.dtype, device),
        seed=args.seed,
        rate=args.rate,
        bar=bar,
    )
    figures: dict[str, Any] | None = None
    refused = ""
    try:
        made = make(request)
        with in_one_step(out, "head") as partial:
            folder.write(made, partial)
            if effort.prompts:
                try:
                    beside = args.draft or _here(draft)
                    source = made.source
                    figures = examined_head(
                        target,
                        beside,
                        str(partial),
                        kind=made.spec.kind,
                        longest=made.longest,
                        tokens=made.tokens,
                        asked=(source.prompts, source.template, effort.examined_tokens, 1),
                        device=str(device),
                        dtype="float32",
                    )
                except SpecvizError as error:  # hours of training are not lost with it
                    refused = str(error)
            if figures is not None:
                folder.write_card(partial, made.facts, figures)
    except KeyboardInterrupt:
        sys.stderr.write(f"The same command continues with what is kept in {work}.\n")
        raise
    if args.json:
        sys.stdout.write(json.dumps({"making": made.facts, "examination": figures}) + "\n")
    elif figures is not None:
        shown_head(figures)
    option = "--pair" if draft else "--target"
    chosen = f"{option} {args.target} --head {args.out} --drafter {made.facts['drafter']}"
    sys.stderr.write(f"The head is in {args.out}. Use it: {chosen}\n")
    sys.stderr.write(f"What it was made from is still in {work}, to continue with; it can be deleted.\n")
    if refused:
        raise TrainingError(f"The head was not examined: {refused}")
    return 0


def _here(draft: str | None) -> str | None:
    """The draft of a pair that was named, unless it is a folder that is not there."""
    missing = draft is not None and Path(draft).is_absolute() and not Path(draft, "config.json").is_file()
    return None if missing else draft
