"""`specviz train draft` and `specviz train examine`. What loads torch is imported inside the functions, so that --help is quick."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from specviz.errors import SpecvizError, TrainingError
from specviz.settings import MAX_NEW_TOKENS
from specviz.training.asked import beginnings, check_out, check_texts, effort_of, flat, some
from specviz.training.drafts.settings import EPOCHS, KEPT, QUICK, QUICK_SIZE, TOKENS, Effort

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
    effort = effort_of(args, QUICK if args.quick else Effort())
    check_texts(args.text)
    out = args.out.resolve()
    work = args.work or out.parent / f"{out.name}.work"
    check_out(out, work.resolve())
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
        prompts = beginnings(documents.read(args.text).held_out, args.prompts)
    else:
        prompts = some(held_out_prompts(), args.prompts)
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
    from specviz.training.examination.rounds import Asked
    from specviz.training.progress_bars import bar

    asked = Examination(target, draft, Asked(prompts, template, tokens, repeats), device, dtype)
    with bar("examination") as shown:
        return examine(asked, shown.reached)


def _print(figures: Mapping[str, Any]) -> None:
    from rich.text import Text

    from specviz.reporting.terminal import Screen
    from specviz.training.drafts.card import lines

    Screen().lines(Text(line) for line in lines(figures))
