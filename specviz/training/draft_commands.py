"""`specviz train draft`. What loads torch is imported inside the functions, so that --help is quick."""

import argparse
import sys
from typing import Any

from specviz.errors import SpecvizError
from specviz.known_pairs import offered
from specviz.training.asked import (
    add_making,
    add_target,
    beginnings,
    check_out,
    check_own_text,
    check_texts,
    conclude,
    effort_of,
    fields_of,
    flat,
    some,
)
from specviz.training.drafts.settings import QUICK, QUICK_SIZE, Effort
from specviz.training.examine_command import examined_draft, shown_draft

_ABOUT_DRAFT = """Make a draft for any target: the target writes its own training text, a small Llama learns its probabilities, and an examination on
prompts that no training saw measures acceptance, cost and speedup. Hours on two CPU cores, minutes on a GPU. After a stop or a crash, the same
command continues where it stopped."""


def add_draft(works: Any) -> None:
    """The subcommand `draft`."""
    draft = works.add_parser("draft", help="make a draft for any target", description=_ABOUT_DRAFT, allow_abbrev=False)
    add_target(draft, "folder for text and checkpoints (default OUT.work)")
    add_making(draft, "draft", Effort())
    draft.add_argument(
        "--size",
        default=None,
        metavar="WIDTHxLAYERS",
        help="such as 192x2, or auto: chosen from measured costs and an assumed acceptance rate (default auto)",
    )
    draft.set_defaults(work_of=_draft)


def _draft(args: argparse.Namespace) -> int:
    effort = effort_of(args, QUICK if args.quick else Effort())
    check_texts(args.text)
    check_own_text(args)
    out = args.out.resolve()
    work = args.work or out.parent / f"{out.name}.work"
    check_out(out, work.resolve())
    from specviz.models.sources import short_name
    from specviz.reporting.prompts import ready_prompts
    from specviz.training.drafts import folder
    from specviz.training.drafts.making import DraftRequest, make
    from specviz.training.drafts.student import Size
    from specviz.training.drafts.unseen import held_out_prompts

    size = args.size or (f"{QUICK_SIZE[0]}x{QUICK_SIZE[1]}" if args.quick else "auto")
    target, _ = offered(args.target) or (args.target, None)
    request = DraftRequest(
        **fields_of(args, target, work, effort),
        size=None if size == "auto" else Size.of(size),
        unseen=(*flat(held_out_prompts()), *(ready.text for ready in ready_prompts())),
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
                asked = (prompts, not made.held_out, effort.examined_tokens, 1, str(request.device), "float32")
                try:
                    figures = {**examined_draft(target, str(partial), *asked), "draft": short_name(str(out))}
                except SpecvizError as error:  # hours of training are not lost with it
                    refused = str(error)
            folder.write_card(partial, figures)
    except KeyboardInterrupt:
        sys.stderr.write(f"The same command continues with what is kept in {work}.\n")
        raise
    chosen = f"--target {args.target} --draft {args.out}"
    return conclude(args, "draft", chosen, work, made.facts, figures, shown_draft, refused)
