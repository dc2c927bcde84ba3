"""`specviz train head`. What loads torch is imported inside the functions, so that --help is quick."""

import argparse
from pathlib import Path
from typing import Any

from specviz.known_pairs import offered
from specviz.training.asked import add_making, add_target, check_start
from specviz.training.examine_command import named_target
from specviz.training.heads.kinds import MODULES, check
from specviz.training.heads.options import parsed
from specviz.training.heads.settings import QUICK, USUAL
from specviz.training.making_command import Making

_ABOUT = """Train a head for any target that shows the states of its layers: the target writes its own training text, a small network learns to
go on from the target's states, and an examination on prompts that no training saw measures acceptance, cost and speedup beside a draft model.
On a CPU the heads of the embedded target trained for 15 (medusa), 16 (jetspec), 31 (dspark) and 78 minutes (eagle3), at 2 to 3 epochs of
895,739 tokens; writing the text and the examination come in addition. After a stop or a crash, the same command continues where it stopped."""


def add_head(works: Any) -> None:
    """The subcommand `head`."""
    head = works.add_parser("head", help="train a head for any target", description=_ABOUT, allow_abbrev=False)
    head.add_argument("--kind", required=True, metavar="KIND", help=f"one of {', '.join(MODULES)}")
    add_target(head, "folder for text and checkpoints (default OUT.work); heads and a draft of one target can share it")
    add_making(head, "head", USUAL, "of the same kind, for the same target")
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
    making = Making.of(args, USUAL, QUICK)
    check_start(args, "head", {"--vocabulary": args.vocabulary})
    from specviz.training.examination.rounds import Examination, ExaminationRequest
    from specviz.training.heads import folder
    from specviz.training.heads.making import HeadRequest, MadeHead, make

    request = HeadRequest(
        **making.fields(),
        kind=args.kind,
        given=given,
        name=args.target,
        quick=args.quick,
    )

    def examination(made: MadeHead, head: Path) -> Examination:
        asked = ExaminationRequest(made.source.prompts, made.source.template, making.effort.examined_tokens, 1)
        beside = args.draft or named_target(args.target)[1]
        return Examination(making.target, beside, head, asked, str(request.device), "float32")

    def chosen(made: MadeHead) -> str:
        option = "--pair" if offered(args.target) else "--target"
        return f"{option} {args.target} --head {args.out} --drafter {made.facts['drafter']}"

    return making.carry_out("head", lambda: make(request), folder.write, examination, chosen)
