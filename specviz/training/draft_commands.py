"""`specviz train draft`. What loads torch is imported inside the functions, so that --help is quick."""

import argparse
from pathlib import Path
from typing import Any

from specviz.training.asked import add_making, add_target, beginnings, check_start, flat, some
from specviz.training.drafts.settings import QUICK, QUICK_SIZE, Effort
from specviz.training.making_command import Making

_ABOUT_DRAFT = """Make a draft for any target: the target writes its own training text, a small Llama learns its probabilities, and an examination on
prompts that no training saw measures acceptance, cost and speedup. Hours on two CPU cores, minutes on a GPU. After a stop or a crash, the same
command continues where it stopped."""


def add_draft(works: Any) -> None:
    """The subcommand `draft`."""
    draft = works.add_parser("draft", help="make a draft for any target", description=_ABOUT_DRAFT, allow_abbrev=False)
    add_target(draft, "folder for text and checkpoints (default OUT.work)")
    add_making(draft, "draft", Effort(), "made for a target with the same tokenizer")
    draft.add_argument(
        "--size",
        default=None,
        metavar="WIDTHxLAYERS",
        help="such as 192x2, or auto: chosen from measured costs and an assumed acceptance rate (default auto)",
    )
    draft.set_defaults(work_of=_draft)


def _draft(args: argparse.Namespace) -> int:
    making = Making.of(args, Effort(), QUICK)
    check_start(args, "draft", {"--size": args.size, "--vocabulary": args.vocabulary})
    effort = making.effort
    from specviz.reporting.prompts import ready_prompts
    from specviz.training.drafts import folder
    from specviz.training.drafts.making import DraftRequest, MadeDraft, make
    from specviz.training.drafts.student import Size
    from specviz.training.drafts.unseen import held_out_prompts
    from specviz.training.examination.rounds import Examination, ExaminationRequest

    size = args.size or (f"{QUICK_SIZE[0]}x{QUICK_SIZE[1]}" if args.quick else "auto")
    request = DraftRequest(
        **making.fields(),
        size=None if size == "auto" else Size.of(size),
        unseen=(*flat(held_out_prompts()), *(ready.text for ready in ready_prompts())),
    )

    def examination(made: MadeDraft, draft: Path) -> Examination:
        held_out, most = made.held_out, effort.prompts
        prompts = beginnings(held_out, most) if held_out else some(held_out_prompts(), most)
        asked = ExaminationRequest(prompts, not held_out, effort.examined_tokens, 1)
        return Examination(making.target, str(draft), None, asked, str(request.device), "float32")

    chosen = f"--target {args.target} --draft {args.out}"
    return making.carry_out("draft", lambda: make(request), folder.write, examination, lambda made: chosen)
