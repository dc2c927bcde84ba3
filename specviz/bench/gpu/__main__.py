"""`python -m specviz.bench.gpu`: what a GPU makes of the engine, on synthetic pairs; no network, no weights, no tokenizer.

Checks come first: passes replayed from CUDA graphs score what passes launched one by one score, and texts do not change. Then the figures.
Each one that cannot be had is reported as `{"failed": why}`, and the others go on. On the CPU there are no graphs: there the passes that
would be captured are run as they are, and the figures only say that everything can be measured.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import torch
import transformers

from specviz.bench.gpu.book import Book
from specviz.bench.gpu.checks import check, check_refusal
from specviz.bench.gpu.figures import measure
from specviz.bench.machine import this_machine
from specviz.bench.synthetic import SHAPES, shape_named
from specviz.errors import InputError, SpecvizError
from specviz.models.devices import pick_device
from specviz.reporting.files import open_folder

ON_GPU = ("llama-8b+llama-1b", "llama-8b+qwen-0.5b", "qwen-7b+qwen-0.5b", "qwen-32b+qwen-0.5b")
ON_CPU = ("tiny+tiny-draft",)


def main(argv: Sequence[str] | None = None) -> int:
    """Check, measure, print and save; 1 where a check fails, 2 where what was asked for cannot be done."""
    args = _asked(argv)
    try:
        device = pick_device(args.device)
        pairs = [_pair_named(words) for words in args.shapes or (ON_GPU if device.type == "cuda" else ON_CPU)]
        if args.json is not None:
            open_folder(args.json.resolve().parent)
    except SpecvizError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    transformers.logging.set_verbosity_error()
    book = Book(args.json, args.seconds)
    book.enter(("machine",), lambda: asdict(this_machine(device)))
    ordinary = _first_graph(device)
    with torch.inference_mode():
        passed = check(book, device)
        measure(book, device, pairs, args.tokens, compiling=not args.no_compile)
        # Last, because a capture that fails may leave something behind.
        passed &= book.enter(("checks", "a refused capture falls back"), partial(check_refusal, device))
    del ordinary
    return 0 if passed else 1


def _first_graph(device: torch.device) -> torch.cuda.CUDAGraph | None:
    """A graph captured outside inference mode, to be held while others are made.

    The first graph of a process makes the state of torch's own generator that all graphs then share, and state made in inference mode
    could not be used outside it, where transformers captures.
    """
    if device.type != "cuda":
        return None
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.device(device), torch.cuda.graph(graph):
        torch.zeros(1, device=device)
    return graph


def _pair_named(words: str) -> tuple[str, str]:
    target, plus, draft = words.partition("+")
    if not plus:
        raise InputError(f"The pair was {words!r}: name two shapes, as in llama-8b+llama-1b.")
    shape_named(target), shape_named(draft)
    return target, draft


def _asked(argv: Iterable[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m specviz.bench.gpu", description=__doc__)
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    parser.add_argument(
        "--shapes", nargs="+", metavar="TARGET+DRAFT", help=f"pairs to be measured, of {', '.join(SHAPES)}"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="save everything here too, after every figure")
    parser.add_argument("--seconds", type=float, default=480.0, metavar="N", help="begin nothing after (default 480)")
    parser.add_argument("--tokens", type=int, default=128, metavar="N", help="new tokens of a run (default 128)")
    parser.add_argument("--no-compile", action="store_true", help="leave out what torch.compile must compile")
    return parser.parse_args(None if argv is None else list(argv))


if __name__ == "__main__":
    sys.exit(main())
