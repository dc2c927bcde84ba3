"""`specviz train compare-blocks`: what the options of block heads are worth. What loads torch is imported inside the functions."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from specviz.errors import TrainingError
from specviz.known_pairs import offered
from specviz.settings import MAX_NEW_TOKENS
from specviz.training.asked import flat, some

_ABOUT = """Compare block heads of one target on prompts that no training saw: the order of the slots (--causal beside --bidirectional, trained alike),
and of a DSpark head its Markov bias, its trees and its scheduler, for one text and for many that share the passes (priced by measured costs)."""
_HEADS = {
    "causal": "a jetspec head",
    "bidirectional": "one trained like it with --option causal=false",
    "dspark": "a dspark head",
    "unlinked": "one trained like --dspark with --option markov_rank=0",
}


def add_compare_blocks(works: Any) -> None:
    """The subcommand `compare-blocks`."""
    blocks = works.add_parser(
        "compare-blocks", help="compare block heads of one target", description=_ABOUT, allow_abbrev=False
    )
    blocks.add_argument(
        "--target", metavar="MODEL", required=True, help="the name of a pair, a hub id, a folder or a .gguf file"
    )
    for name, what in _HEADS.items():
        blocks.add_argument(f"--{name}", metavar="FOLDER", type=Path, help=what)
    blocks.add_argument("--prompts", type=int, default=18, metavar="N", help="how many prompts (default 18)")
    blocks.add_argument("--tokens", type=int, default=64, metavar="N", help="new tokens of a text (default 64)")
    blocks.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    blocks.add_argument("--dtype", default="float32", help="float32 (the default), auto, bfloat16 or float16")
    blocks.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    blocks.set_defaults(work_of=_compare)


def _compare(args: argparse.Namespace) -> int:
    folders = {name: getattr(args, name) for name in _HEADS}
    if not any(folders.values()) or (args.unlinked and not args.dspark):
        raise TrainingError(
            "There is no head to compare: give --causal, --bidirectional or --dspark; --unlinked only with --dspark."
        )
    if args.prompts < 1 or not 2 <= args.tokens <= MAX_NEW_TOKENS:
        raise TrainingError(f"A comparison needs at least 1 prompt and 2 to {MAX_NEW_TOKENS} tokens.")
    target = (offered(args.target) or (args.target,))[0]
    from specviz.models.loading import load_pair
    from specviz.training.drafts.unseen import held_out_prompts, is_embedded
    from specviz.training.examination.blocks import Heads, Texts, figures
    from specviz.training.progress_bars import bar

    pair = load_pair(target=target, device=args.device, dtype=args.dtype)
    own = is_embedded(Path(target))
    prompts = flat(some(held_out_prompts(embedded=own), args.prompts))
    with bar("block heads") as shown:
        done = 0

        def report(what: str) -> None:
            nonlocal done
            shown.reached(done, done + 1, what)
            done += 1

        found = figures(Texts(pair, prompts, not own, args.tokens, report), Heads(**folders))
    if args.json:
        sys.stdout.write(json.dumps(found) + "\n")
    else:
        from rich.text import Text

        from specviz.reporting.terminal import Screen

        Screen().lines(Text(line) for line in lines(found))
    return 0


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """The figures as a text."""
    yield (
        f"{found['target']}: {found['prompts']} prompts that no training saw, {found['tokens']} new tokens each, temperature 0, "
        f"{found['dtype']} on {found['device']}."
    )
    for name, block in found.get("order", {}).items():
        yield f"{name} block: {_chain(block)}"
        yield (
            f"  its likeliest chain, {block['chains']} times: {_share(block['within_5_nats'])} within 5 nats of the target's own likeliest tokens; "
            f"agreement after its own tokens {' '.join(map(_share, block['agreement_after_own']))}"
        )
    for name, block in found.get("markov", {}).items():
        yield f"Markov bias {name}: {_chain(block)}"
    for nodes, each in found.get("tree", {}).items():
        parts = (f"{name} {value:.2f}" for name, value in each.items())
        yield f"tree of {nodes} nodes, tokens a pass: {', '.join(parts)}"
    if found.get("calibration"):
        parts = (f"{part} {before:.1%} to {after:.1%}" for part, (before, after) in found["calibration"].items())
        yield f"expected calibration error of the confidence, by temperature scaling: {', '.join(parts)}"
    scheduler = found.get("scheduler")
    if scheduler is None:
        return
    for row in scheduler["guests"]:
        on, off, best = row["on"], row["off"], row["best_fixed"]
        what = "1 text" if row["guests"] == 1 else f"{row['guests']} texts"
        yield (
            f"{what}, priced (draft pass {row['c']:.2f}, pass over {len(row['v'])} tokens {row['v'][-1]:.2f}): scheduler on {on['priced_speedup']:.2f}× "
            f"with {on['drafted']:.1f} drafted and {on['tokens_a_pass']:.2f} tokens a pass; off {off['priced_speedup']:.2f}× with k = {off['k']}; "
            f"the best fixed k = {best['k']} is predicted at {best['predicted_speedup']:.2f}×"
        )
    if scheduler["disturbed"]:
        yield "Other programs disturbed the measurement of passes over several texts: prices for several texts cannot be trusted."


def _chain(block: Mapping[str, Any]) -> str:
    return f"{block['tokens_a_pass']:.2f} tokens a pass with chains of {block['k']}, α by position {' '.join(map(_share, block['alpha_by_position']))}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
