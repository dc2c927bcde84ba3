"""`specviz train draft`. What loads torch is imported inside the functions, so that --help is quick."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from specviz.errors import SpecvizError, TrainingError
from specviz.known_pairs import offered
from specviz.training.asked import (
    add_own_text,
    beginnings,
    check_out,
    check_own_text,
    check_texts,
    effort_of,
    flat,
    some,
)
from specviz.training.drafts.settings import BATCH, EPOCHS, KEPT, QUICK, QUICK_SIZE, TOKENS, Effort
from specviz.training.examine_command import examined_draft, shown_draft

_ABOUT_DRAFT = """Make a draft for any target: the target writes its own training text, a small Llama learns its probabilities, and an examination on
prompts that no training saw measures acceptance, cost and speedup. Hours on two CPU cores, minutes on a GPU. After a stop or a crash, the same
command continues where it stopped."""


def add_draft(works: Any) -> None:
    """The subcommand `draft`."""
    draft = works.add_parser("draft", help="make a draft for any target", description=_ABOUT_DRAFT, allow_abbrev=False)
    draft.add_argument(
        "--target", metavar="MODEL", required=True, help="the name of a pair, a hub id, a folder or a .gguf file"
    )
    draft.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="where the draft goes")
    draft.add_argument("--work", metavar="FOLDER", type=Path, help="folder for text and checkpoints (default OUT.work)")
    draft.add_argument(
        "--text",
        metavar="FOLDER",
        type=Path,
        help="*.txt files for the target to continue, instead of questions of its own; needed without a chat template",
    )
    add_own_text(draft)
    draft.add_argument(
        "--tokens",
        type=int,
        metavar="N",
        help=f"tokens that the target writes (default {TOKENS:,}), or of --own-text at most (default: all)",
    )
    draft.add_argument("--batch", type=int, metavar="N", help=f"tokens of a step (default {BATCH:,})")
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


def _draft(args: argparse.Namespace) -> int:
    effort = effort_of(args, QUICK if args.quick else Effort())
    check_texts(args.text)
    check_own_text(args)
    out = args.out.resolve()
    work = args.work or out.parent / f"{out.name}.work"
    check_out(out, work.resolve())
    from specviz.models.devices import pick_device
    from specviz.models.number_format import pick_dtype
    from specviz.models.sources import short_name
    from specviz.reporting.prompts import ready_prompts
    from specviz.training.drafts import folder
    from specviz.training.drafts.making import DraftRequest, make
    from specviz.training.drafts.student import Size
    from specviz.training.drafts.unseen import held_out_prompts
    from specviz.training.precision import fast_precision
    from specviz.training.progress_bars import bar

    device = pick_device(args.device)
    auto_on_cpu = args.dtype == "auto" and device.type == "cpu"
    size = args.size or (f"{QUICK_SIZE[0]}x{QUICK_SIZE[1]}" if args.quick else "auto")
    target, _ = offered(args.target) or (args.target, None)
    request = DraftRequest(
        source=target,
        work=work,
        texts=args.text,
        own_text=tuple(args.own_text),
        own_tokens=args.tokens,
        own_text_prompts=args.own_text_prompts,
        size=None if size == "auto" else Size.of(size),
        effort=effort,
        batch=args.batch,
        device=device,
        dtype=fast_precision(device) if auto_on_cpu else pick_dtype(args.dtype, device),
        seed=args.seed,
        unseen=(*flat(held_out_prompts()), *(ready.text for ready in ready_prompts())),
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
                    beginnings(made.held_out, effort.prompts)
                    if made.held_out
                    else some(held_out_prompts(), effort.prompts)
                )
                asked = (prompts, not made.held_out, effort.examined_tokens, 1, str(device), "float32")
                try:
                    figures = {**examined_draft(target, str(partial), *asked), "draft": short_name(str(out))}
                except SpecvizError as error:  # hours of training are not lost with it
                    refused = str(error)
            folder.write_card(partial, figures)
    except KeyboardInterrupt:
        sys.stderr.write(f"The same command continues with what is kept in {work}.\n")
        raise
    if args.json:
        sys.stdout.write(json.dumps({"making": made.facts, "examination": figures}) + "\n")
    elif figures is not None:
        shown_draft(figures)
    sys.stderr.write(f"The draft is in {args.out}. Use it: --target {args.target} --draft {args.out}\n")
    sys.stderr.write(f"What it was made from is still in {work}, to continue with; it can be deleted.\n")
    if refused:
        raise TrainingError(f"The draft was not examined: {refused}")
    return 0
