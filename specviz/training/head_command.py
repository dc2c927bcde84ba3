"""`specviz train head`. What loads torch is imported inside the functions, so that --help is quick."""

import argparse
import sys
from typing import Any

from specviz.errors import SpecvizError
from specviz.known_pairs import offered
from specviz.training.asked import (
    add_making,
    add_target,
    check_out,
    check_own_text,
    check_texts,
    conclude,
    effort_of,
    fields_of,
)
from specviz.training.examine_command import examined_head, named_target, shown_head
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
    add_target(head, "folder for text and checkpoints (default OUT.work); heads and a draft of one target can share it")
    add_making(head, "head", USUAL)
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
    from specviz.training.drafts.folder import in_one_step
    from specviz.training.heads import folder
    from specviz.training.heads.making import HeadRequest, make

    request = HeadRequest(
        **fields_of(args, target, work, effort),
        kind=args.kind,
        given=given,
        name=args.target,
        quick=args.quick,
        rate=args.rate,
    )
    figures: dict[str, Any] | None = None
    refused = ""
    try:
        made = make(request)
        with in_one_step(out, "head") as partial:
            folder.write(made, partial)
            if effort.prompts:
                try:
                    beside = args.draft or named_target(args.target)[1]
                    source = made.source
                    figures = examined_head(
                        target,
                        beside,
                        str(partial),
                        kind=made.spec.kind,
                        longest=made.longest,
                        tokens=made.tokens,
                        asked=(source.prompts, source.template, effort.examined_tokens, 1),
                        device=str(request.device),
                        dtype="float32",
                    )
                except SpecvizError as error:  # hours of training are not lost with it
                    refused = str(error)
            if figures is not None:
                folder.write_card(partial, made.facts, figures)
    except KeyboardInterrupt:
        sys.stderr.write(f"The same command continues with what is kept in {work}.\n")
        raise
    option = "--pair" if draft else "--target"
    chosen = f"{option} {args.target} --head {args.out} --drafter {made.facts['drafter']}"
    return conclude(args, "head", chosen, work, made.facts, figures, shown_head, refused)
