"""`specviz train examine`: a draft or a head that is there. What loads torch is imported inside the functions, so that --help is quick."""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from specviz.errors import TrainingError
from specviz.known_pairs import offered
from specviz.settings import MAX_NEW_TOKENS
from specviz.training.asked import beginnings, some

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
    return _head(args) if args.head is not None else _draft(args)


def _draft(args: argparse.Namespace) -> int:
    from specviz.training.drafts import folder

    if args.card and not (Path(args.draft) / folder.MAKING).is_file():
        raise TrainingError(f"--card needs a draft that `train draft` made, and {args.draft!r} has no {folder.MAKING}.")
    target = named_target(args.target)[0]
    prompts, template = _prompts(args, embedded=False)
    asked = (prompts, template, args.tokens, args.repeats, args.device, args.dtype)
    figures = examined_draft(target, args.draft, *asked)
    if args.json:
        sys.stdout.write(json.dumps(figures) + "\n")
    else:
        shown_draft(figures)
    if args.card:
        folder.write_card(Path(args.draft), figures)
    return 0


def _head(args: argparse.Namespace) -> int:
    from specviz.models.heads.folder import read_spec, read_tokens
    from specviz.training.drafts.unseen import is_embedded
    from specviz.training.heads import folder
    from specviz.training.heads.making import kind_named

    spec = read_spec(args.head)
    making = folder.read_making(args.head) if args.card else {}
    target, draft = named_target(args.target)
    prompts, template = _prompts(args, embedded=is_embedded(Path(target)))
    figures = examined_head(
        target,
        args.draft or draft,
        str(args.head),
        kind=spec.kind,
        longest=kind_named(spec.kind).longest(spec.options),
        tokens=read_tokens(args.head, spec),
        asked=(prompts, template, args.tokens, args.repeats),
        device=args.device,
        dtype=args.dtype,
    )
    if args.json:
        sys.stdout.write(json.dumps(figures) + "\n")
    else:
        shown_head(figures)
    if args.card:
        folder.write_card(args.head, making, figures)
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


def examined_draft(
    target: str,
    draft: str,
    prompts: Mapping[str, Sequence[str]],
    template: bool,
    tokens: int,
    repeats: int,
    device: str,
    dtype: str,
) -> dict[str, Any]:
    """The figures of a draft, see `specviz.training.examination.draft.examine`."""
    from specviz.training.examination.draft import DraftExamination, examine
    from specviz.training.examination.rounds import ExaminationRequest
    from specviz.training.progress_bars import bar

    asked = DraftExamination(target, draft, ExaminationRequest(prompts, template, tokens, repeats), device, dtype)
    with bar("examination") as shown:
        return examine(asked, shown.reached)


def examined_head(
    target: str,
    draft: str | None,
    head: str,
    *,
    kind: str,
    longest: int,
    tokens: Iterable[Any] | None,
    asked: tuple[Mapping[str, Sequence[str]], bool, int, int],
    device: str,
    dtype: str,
) -> dict[str, Any]:
    """The figures of a head, see `specviz.training.examination.head.examine`.

    Args:
        tokens: the ids that it may write; None for all.
        asked: prompts by kind, whether they go into the chat template, new tokens of a run, and timed pairs of runs a prompt.
    """
    from specviz.training.examination.head import HeadExamination, examine
    from specviz.training.examination.rounds import ExaminationRequest
    from specviz.training.progress_bars import bar

    examination = HeadExamination(
        target=target,
        draft=draft,
        head=head,
        kind=kind,
        longest=longest,
        kept=None if tokens is None else frozenset(int(each) for each in tokens),
        asked=ExaminationRequest(*asked),
        device=device,
        dtype=dtype,
    )
    with bar("examination") as shown:
        return examine(examination, shown.reached)


def shown_draft(figures: Mapping[str, Any]) -> None:
    """Print them."""
    from specviz.training.drafts.card import lines

    _print(lines(figures))


def shown_head(figures: Mapping[str, Any]) -> None:
    """Print them."""
    from specviz.training.heads.card import plain

    _print(plain(figures))


def _print(lines: Iterable[str]) -> None:
    from rich.text import Text

    from specviz.reporting.terminal import Screen

    Screen().lines(Text(line) for line in lines)
