"""`specviz train examine`: a draft or a head that is there. What loads torch is imported inside the functions, so that --help is quick."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from specviz.errors import TrainingError
from specviz.known_pairs import offered
from specviz.settings import MAX_NEW_TOKENS
from specviz.training.asked import beginnings, some

if TYPE_CHECKING:
    from specviz.training.examination.rounds import Examination

_ABOUT = """Examine a draft or a head with its target on prompts that no training saw: acceptance rate by position, costs of the passes, predicted and
measured speedup, and whether the greedy text is the target's own. Run nothing else at the same time, because it measures speed."""


def add_examine(works: Any) -> None:
    """The subcommand `examine`."""
    examine = works.add_parser("examine", help="examine a draft or a head", description=_ABOUT, allow_abbrev=False)
    examine.add_argument(
        "--target", metavar="MODEL", required=True, help="the name of a pair, a hub id, a folder or a .gguf file"
    )
    examine.add_argument("--draft", metavar="MODEL", help="a hub id or a folder; with --head, a draft to compare with")
    examine.add_argument(
        "--head", metavar="FOLDER", type=Path, help="a head that `train head` made, instead of a draft"
    )
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
    examine.add_argument("--card", action="store_true", help="write the figures into the folder and its README")
    examine.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    examine.set_defaults(work_of=_examine)


def _examine(args: argparse.Namespace) -> int:
    if args.prompts < 1 or not 2 <= args.tokens <= MAX_NEW_TOKENS or args.repeats < 1:
        raise TrainingError(f"An examination needs at least 1 prompt, 2 to {MAX_NEW_TOKENS} tokens and 1 repeat.")
    if args.draft is None and args.head is None:
        raise TrainingError("Neither --draft nor --head was given: give what is to be examined.")
    from specviz.training import made_folder
    from specviz.training.drafts.unseen import is_embedded
    from specviz.training.examination.rounds import Examination, ExaminationRequest

    what, folder = ("draft", Path(args.draft)) if args.head is None else ("head", args.head)
    if args.card:
        made_folder.card_of(folder, what)
    target, draft = named_target(args.target)
    prompts, template = _prompts(args, embedded=what == "head" and is_embedded(Path(target)))
    request = ExaminationRequest(prompts, template, args.tokens, args.repeats)
    figures = examined(Examination(target, args.draft or draft, args.head, request, args.device, args.dtype))
    if args.json:
        sys.stdout.write(json.dumps(figures) + "\n")
    else:
        show_figures(what, figures)
    if args.card:
        made_folder.write_card(folder, what, figures)
    return 0


def named_target(name: str) -> tuple[str, str | None]:
    """The target that was named, and the draft of its pair where there is one here."""
    target, draft = offered(name) or (name, None)
    missing = draft is not None and Path(draft).is_absolute() and not Path(draft, "config.json").is_file()
    return target, None if missing else draft


def _prompts(args: argparse.Namespace, *, embedded: bool) -> tuple[Mapping[str, Sequence[str]], bool]:
    """The prompts by kind, and whether they go into the chat template."""
    from specviz.training.drafts import documents
    from specviz.training.drafts.unseen import held_out_prompts

    if args.text is not None:
        return beginnings(documents.read(args.text).held_out, args.prompts), False
    return some(held_out_prompts(embedded=embedded), args.prompts), not embedded


def examined(asked: "Examination") -> dict[str, Any]:
    """The figures of a draft or a head, with a progress bar meanwhile.

    Raises:
        SpecvizError: a model cannot be loaded, or a prompt does not fit.
    """
    from specviz.training.examination import draft, head
    from specviz.training.progress_bars import bar

    with bar("examination") as shown:
        return draft.examine(asked, shown.reached) if asked.head is None else head.examine(asked, shown.reached)


def show_figures(what: str, figures: Mapping[str, Any]) -> None:
    """Print the figures of a draft or a head."""
    from rich.text import Text

    from specviz.reporting.terminal import Screen
    from specviz.training.drafts import card as draft_card
    from specviz.training.heads import card as head_card

    lines = draft_card.lines(figures) if what == "draft" else head_card.plain(figures)
    Screen().lines(Text(line) for line in lines)
