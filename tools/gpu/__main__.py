"""`python -m tools.gpu`: check and measure the engine on a GPU with synthetic pairs; no network, no weights, no tokenizer.

The checks come first: passes replayed from CUDA graphs must give the logits of ordinary passes, and texts must not change. The figures
follow. A figure that is not available is reported as `{"failed": reason}`, and the others continue. On the CPU there are no graphs: the
passes that would be captured run uncaptured, and the figures only show that everything can be measured.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
import transformers

from specviz.errors import InputError, SpecvizError
from specviz.models.devices import machine_words, pick_device
from specviz.reporting.files import write_atomically
from tools.gpu import checks
from tools.gpu.figures import pair_figures
from tools.gpu.synthetic import SHAPES, SYNTHETIC, shape_named

SCHEMA = "specviz.gpu/1"
CHECKS: dict[str, Callable[[torch.device], object]] = {
    **{
        f"passes of {name} are the same": partial(checks.check_passes, name)
        for name in ("tiny", "tiny-qwen2", "tiny-qwen3")
    },
    "states are the same": checks.check_read_states,
    "texts are the same": checks.check_texts,
    "a wrong graph is found": checks.check_wrong_graph,
    "buffers shrink": checks.check_buffers,
}
ON_GPU = ("llama-8b+llama-1b", "llama-8b+qwen-0.5b", "qwen-7b+qwen-0.5b", "qwen-32b+qwen-0.5b")
ON_CPU = ("tiny+tiny-draft",)


class Log:
    """The results so far, nested dictionaries; printed, and saved in a JSON file where one is given, after every entry."""

    def __init__(self, path: Path | None) -> None:
        self.results: dict[str, Any] = {"schema": SCHEMA, "weights": SYNTHETIC}
        self._path, self._began = path, perf_counter()

    def run(self, group: str, name: str, work: Callable[[], object]) -> bool:
        """Run this work and store its result, or the reason of its failure; returns True if it succeeded."""
        failed = False
        try:
            value = work()
        except Exception as error:  # noqa: BLE001  # one failure must not stop the other figures
            failed, value = True, {"failed": " ".join(f"{type(error).__name__}: {error}".split())[:300]}
        self.results.setdefault(group, {})[name] = value
        self.results["seconds"] = seconds = perf_counter() - self._began
        sys.stdout.write(f"{seconds:6.1f} s  {group} / {name}: {json.dumps(value)}\n")
        sys.stdout.flush()
        if self._path is not None:
            write_atomically(self._path, json.dumps(self.results, indent=1, allow_nan=False) + "\n")
        return not failed


def main(argv: Sequence[str] | None = None) -> int:
    """Check, measure, print and save; returns 1 if a check fails, and 2 if the options cannot be used."""
    args = _arguments(argv)
    try:
        device = pick_device(args.device)
        pairs = [_pair_named(words) for words in args.shapes or (ON_GPU if device.type == "cuda" else ON_CPU)]
    except SpecvizError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    transformers.logging.set_verbosity_error()
    log = Log(args.json)
    log.results["machine"] = machine_words(device)
    first_graph = _first_graph(device)
    with torch.inference_mode():
        results = [log.run("checks", name, partial(check, device)) for name, check in CHECKS.items()]
        for pair in pairs:
            name = f"{SYNTHETIC} {pair[0]} + {pair[1]}"
            log.run("figures", name, partial(pair_figures, pair, device, args.tokens))
        # This check is last, because a failed capture may leave CUDA in a changed state.
        results.append(log.run("checks", "a failed capture falls back", partial(checks.check_failed_capture, device)))
    del first_graph
    return 0 if all(results) else 1


def _first_graph(device: torch.device) -> torch.cuda.CUDAGraph | None:
    """A graph captured outside inference mode; keep it while others are captured.

    The first graph of a process creates the state of torch's random generator that all graphs share. State created in inference mode
    could not be used outside it, where transformers captures its graphs.
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
        raise InputError(f"The pair was {words!r}: give two shapes, as in llama-8b+llama-1b.")
    shape_named(target), shape_named(draft)
    return target, draft


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.gpu", description=__doc__)
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    parser.add_argument(
        "--shapes", nargs="+", metavar="TARGET+DRAFT", help=f"pairs to measure, made of {', '.join(SHAPES)}"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also save the results here, after every figure")
    parser.add_argument("--tokens", type=int, default=128, metavar="N", help="new tokens of a run (default 128)")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
