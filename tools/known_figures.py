"""Acceptance rates of a pair's drafters and costs of their guesses: the figures from which `specviz.runs.choose` begins.

`python -m tools.known_figures smollm2-135m embedded` measures on prompts that no training saw and writes `FILE` of `specviz.runs.acceptance`,
keeping the pairs that are not named. Run nothing else meanwhile.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from specviz.decoding.drafters import registry
from specviz.decoding.recorder import LIGHT
from specviz.errors import PairError
from specviz.models.loading import load_pair
from specviz.models.machine_notes import machine
from specviz.models.pair import Pair
from specviz.runs.acceptance import FILE
from specviz.runs.costs import besides_s, pass_costs
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.records import Round
from tools.held_out_prompts import held_out_prompts

_K = 6
_TREES = ((3, 5), (4, 8))  # depth and nodes of the trees that are measured
_TEMPERATURE = 0.7
_TOKENS = 48
_JUDGED = 12  # a rate is written from so many judged tokens on


@dataclass(frozen=True, slots=True)
class _Shape:
    drafter: str
    k: int
    nodes: int = 0

    def settings(self, temperature: float) -> Settings:
        nodes = self.nodes or Settings().nodes
        return registry.fitted(Settings(self.k, temperature, max_new_tokens=_TOKENS, drafter=self.drafter, nodes=nodes))


def figures(pair: Pair, prompts: Sequence[str], only: Sequence[str] = ()) -> dict[str, list[dict[str, Any]]]:
    """Drafter -> a row for the chain, or for each size of its tree; of these drafters, all by default."""
    rows: dict[str, list[dict[str, Any]]] = {}
    drafters = [
        name for name in registry.able(draft=pair.draft is not None, heads=pair.head_kinds) if name in only or not only
    ]
    for shape in _shapes(drafters):
        try:
            greedy, sampled = (_rounds(pair, prompts, shape.settings(heat)) for heat in (0.0, _TEMPERATURE))
        except PairError as error:
            sys.stderr.write(f"{shape.drafter}: {error}\n")
            continue
        row: dict[str, Any] = {"greedy": _rates(greedy, shape), "sampled": _rates(sampled, shape)}
        drafting = [round_ for round_ in greedy if round_.drafted]
        if not drafting or not row["greedy"] or not row["sampled"]:
            continue
        plain = _rounds(pair, prompts[:4], Settings(max_new_tokens=_TOKENS), plain=True)
        pass_s = median(round_.verify_s for round_ in plain)
        besides = median(map(besides_s, plain))
        guesses = shape.k if shape.nodes else median(len(round_.drafted) for round_ in drafting)
        row["draft"] = round(max(0.0, median(map(besides_s, drafting)) - besides) / guesses / pass_s, 4)
        row["share"] = round(len(drafting) / len(greedy), 3)
        if shape.nodes:
            row["nodes"] = shape.nodes
        sys.stderr.write(f"{pair.name}, {shape.drafter} {shape.nodes or ''}: {row}\n")
        rows.setdefault(shape.drafter, []).append(row)
    return rows


def _shapes(drafters: Iterable[str]) -> Iterable[_Shape]:
    for name in drafters:
        described = registry.describe(name)
        if described.needs == "target layers" or (described.itself and described.shape == "chain"):
            continue  # half of the target, or a copy of it, costs too much to be chosen, and takes long to be made
        if described.shape == "chain":
            yield _Shape(name, _K)
        else:
            yield from (_Shape(name, depth, nodes) for depth, nodes in _TREES)


def _rounds(pair: Pair, prompts: Sequence[str], settings: Settings, *, plain: bool = False) -> list[Round]:
    """All rounds but the last of each run, which may be cut."""
    runs = (Run(pair, prompt, settings, plain=plain, recorder=LIGHT).finish() for prompt in prompts)
    return [round_ for run in runs for round_ in run.rounds[:-1]]


def _rates(rounds: Sequence[Round], shape: _Shape) -> list[float]:
    """The share of accepted tokens by position among those that were judged; of a tree, of paths that grew by depth."""
    rates = []
    for index in range(shape.k):
        judged = [
            r for r in rounds if len(r.accepted) >= index and (shape.nodes or len(r.drafted) > index) and r.drafted
        ]
        if len(judged) < _JUDGED:
            break
        rates.append(round(sum(len(r.accepted) > index for r in judged) / len(judged), 3))
    return rates


def main(argv: Sequence[str] | None = None) -> int:
    """Measure the pairs that are named, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("pairs", nargs="+", metavar="PAIR")
    parser.add_argument("--prompts", type=int, default=20, metavar="N", help="prompts of each pair (default 20)")
    parser.add_argument(
        "--drafters", nargs="+", default=[], metavar="NAME", help="only these; the figures of others stay"
    )
    args = parser.parse_args(argv)
    try:
        shipped = json.loads(FILE.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        shipped = {"pairs": {}, "passes": {}, "machines": {}}
    for name in args.pairs:
        pair = load_pair(name)
        prompts = held_out_prompts(name, args.prompts)
        passes = pass_costs(pair)
        before = shipped["pairs"].get(name, {}) if args.drafters else {}
        shipped["pairs"][name] = {**before, **figures(pair, prompts, args.drafters)}
        shipped["passes"][name] = [round(cost, 3) for cost in passes.v]
        shipped["machines"][name] = machine()
        FILE.write_text(json.dumps(shipped, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
