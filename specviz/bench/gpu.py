"""`python -m specviz.bench.gpu`: what a GPU makes of the engine, on synthetic pairs; no network, no weights, no tokenizer.

Checks come first: passes replayed from CUDA graphs score what passes launched one by one score, and texts do not change. Then the figures.
Each one that cannot be had is reported as `{"failed": why}`, and the others go on. On the CPU there are no graphs: there the passes that
would be captured are run as they are, and the figures only say that everything can be measured.
"""

import argparse
import gc
import json
import sys
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import torch
import transformers
from torch import Tensor
from transformers import GenerationConfig, PreTrainedModel, StoppingCriteria, StoppingCriteriaList

from specviz import theory
from specviz.bench.costs import measure_costs
from specviz.bench.figures import Figure, figure, ratios
from specviz.bench.files import open_folder, write_whole
from specviz.bench.machine import this_machine
from specviz.bench.synthetic import (
    SHAPES,
    SYNTHETIC,
    SyntheticPair,
    parameters_of,
    shape_named,
    synthetic_model,
    synthetic_pair,
)
from specviz.clock import wait
from specviz.drafters import ModelDrafter, NoDrafter, TreeDrafter
from specviz.engine import speculate
from specviz.errors import InputError, SpecvizError
from specviz.models import CachedModel
from specviz.models.devices import memory_free, pick_device
from specviz.models.graphs import LONGEST, GraphedDecoder, Work
from specviz.models.lean import LeanDecoder
from specviz.models.place import Place
from specviz.protocols import Drafter
from specviz.recorder import LIGHT
from specviz.records import Round
from specviz.settings import Settings
from specviz.verify import Rule

SCHEMA = "specviz.gpu/1"
ON_GPU = ("llama-8b+llama-1b", "llama-8b+qwen-0.5b", "qwen-7b+qwen-0.5b", "qwen-32b+qwen-0.5b")
ON_CPU = ("tiny+tiny-draft",)
AGREEMENTS = (0.6, 0.8, 0.9)
CONTEXTS = {"cuda": (64, 256, 1024, 4096), "cpu": (64, 128)}
_K = 5
_REPEATS = 3
_PROMPT = 64
_COMPILING_S = {"cuda": 180.0, "cpu": 0.0}
_BUFFER = {"cuda": 4 * 2**30, "cpu": 64 * 2**20}
_EQUAL = 1e-4
"""How far two float32 scores may lie apart, in parts of the range of all scores: sums over buffers of other lengths round otherwise."""
_BESIDE = 1.15
"""Room for passes, caches and graphs, as a part of the weights."""

Run = tuple[tuple[int, ...], list[Round]]
Decode = Callable[[], float]
"""Decodes once; tokens a second, reading the prompt left out."""


class Unreplayed(GraphedDecoder):
    """A `GraphedDecoder` with graphs off: what would be captured, in the same shapes, runs as it is."""

    def _replay(
        self, key: Hashable, work: Work, tokens: Tensor, begin: int, numbers: Tensor | None = None
    ) -> tuple[Tensor, ...]:
        return work(tokens, torch.tensor(begin, device=tokens.device), numbers)


class Stubborn(GraphedDecoder):
    """A `GraphedDecoder` that cannot be captured, because its passes wait for the device."""

    def read_at(self, tokens: Tensor, length: Tensor, rows: int | None = None) -> tuple[Tensor, Tensor]:
        assert int(length) >= 0, "the device was asked"
        return super().read_at(tokens, length, rows)


class Book:
    """What was found so far; printed and saved after every entry.

    Args:
        path: where the JSON goes, if anywhere.
        seconds: when they are over nothing new is begun.
    """

    def __init__(self, path: Path | None, seconds: float) -> None:
        self.found: dict[str, Any] = {"schema": SCHEMA, "weights": SYNTHETIC}
        self._path, self._seconds, self._began = path, seconds, perf_counter()

    def enter(self, where: Sequence[str], work: Callable[[], object], needed_s: float = 0.0) -> bool:
        """Note what this work finds, or why it fails, in the place with this path; whether it did not fail.

        Args:
            needed_s: it is not begun where fewer seconds are left.
        """
        value: object
        if self.elapsed + needed_s > self._seconds:
            value = {"failed": f"too little of the {self._seconds:g} seconds was left to begin it"}
        else:
            value = _found(work)
        place = self.found
        for name in where[:-1]:
            place = place.setdefault(name, {})
        place[where[-1]] = value
        self.found["seconds"] = self.elapsed
        sys.stdout.write(f"{self.elapsed:6.1f} s  {' / '.join(where)}: {json.dumps(value)}\n")
        sys.stdout.flush()
        self.save()
        return not (isinstance(value, dict) and "failed" in value)

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return perf_counter() - self._began

    def save(self) -> None:
        """Write the JSON, whole."""
        if self._path is not None:
            write_whole(self._path, json.dumps(self.found, indent=1, allow_nan=False) + "\n")


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


def check(book: Book, device: torch.device) -> bool:
    """Whether graphs change neither scores nor texts; in float32, where they must not."""
    passed = [
        book.enter(("checks", f"passes of {name} are the same"), partial(check_passes, name, device))
        for name in ("tiny", "tiny-qwen2", "tiny-qwen3")
    ]
    passed.append(book.enter(("checks", "texts are the same"), partial(check_texts, device)))
    return all(passed)


def check_passes(name: str, device: torch.device) -> dict[str, object]:
    """Every pass over 1 to 17 tokens, at two places, with all rows and with the last one.

    Raises:
        SpecvizError: a pass scores otherwise, or graphs were refused.
    """
    model = synthetic_model(shape_named(name), device, torch.float32)
    ordinary, graphed = LeanDecoder(model), _graphed(model)
    worst = 0.0
    ids = torch.arange(100, device=device) * 7 % model.config.vocab_size
    for capacity in (64, 128):  # larger buffers are captured again
        for decoder in (ordinary, graphed):
            decoder.begin(capacity)
            decoder.read(ids[:20], Place(0, 20))
        for count in range(1, LONGEST + 1):
            for begin in (20, 20 + count):
                for rows in (None, 1):
                    place, tokens = Place(begin, count), ids[begin : begin + count]
                    one, other = (decoder.read(tokens, place, rows) for decoder in (ordinary, graphed))
                    if one[0].shape != other[0].shape or one[1].shape != other[1].shape:
                        raise SpecvizError(f"a pass over {count} tokens gave {tuple(other[0].shape)} scores")
                    worst = max(worst, *(_apart(a, b) for a, b in zip(one, other, strict=True)))
    _refuse_refusal(graphed)
    if not worst <= _EQUAL:
        raise SpecvizError(f"scores lie {worst:.2g} of their range apart")
    return {"passed": True, "largest_difference": worst}


def check_texts(device: torch.device) -> dict[str, object]:
    """Texts with graphs and without: after growth, after a tree, after a run; in float32 greedy ones, which are plain decoding's.

    Sampled ones are compared in float64: where two tokens meet, rounding in float32 decides now and then which of them is drawn.

    Raises:
        SpecvizError: a text differs, or graphs were refused.
    """
    short, long = Settings(k=_K, max_new_tokens=30), Settings(k=_K, max_new_tokens=120)
    tree = Settings(k=3, max_new_tokens=30, drafter="tree", nodes=8)
    sampled = Settings(k=_K, max_new_tokens=40, temperature=1.0, seed=5)
    cut = replace(sampled, temperature=0.8, top_k=100, top_p=0.9)
    told: list[str] = []
    for dtype in (torch.float32, torch.float64):
        big, small = (
            synthetic_model(SHAPES[name], device, dtype, seed) for seed, name in enumerate(("tiny", "tiny-draft"))
        )
        target, draft, quick, quick_draft = (
            CachedModel(model, SHAPES["tiny"].vocabulary) for model in (big, small) * 2
        )
        target.network, draft.network = LeanDecoder(big), LeanDecoder(small)
        quick.network, quick_draft.network = graphs = _graphed(big), _graphed(small)
        prompt = _prompt(19, target)
        nothing, other = NoDrafter(target.vocabulary, device), ModelDrafter(quick_draft)
        greedy: list[tuple[str, Settings, Drafter, Drafter]] = [
            ("plain", short, nothing, nothing),
            ("speculative", short, nothing, other),
            ("in larger buffers", long, nothing, other),
            ("by a tree", tree, nothing, TreeDrafter(quick_draft)),
            ("behind a tree", long, nothing, other),
        ]
        drawn: list[tuple[str, Settings, Drafter, Drafter]] = [
            ("sampled", sampled, ModelDrafter(draft), other),
            ("sampled from the likeliest", cut, ModelDrafter(draft), other),
            ("sampled again", sampled, ModelDrafter(draft), other),
        ]
        for words, settings, drafter, graphed in greedy if dtype == torch.float32 else drawn:
            wanted, found = decode(target, drafter, prompt, settings)[0], decode(quick, graphed, prompt, settings)[0]
            if wanted != found:
                index = next(i for i, (a, b) in enumerate(zip(wanted, found, strict=True)) if a != b)
                raise SpecvizError(f"the text {words} differs from its token {index} on")
            told.append(words)
        for graph in graphs:
            _refuse_refusal(graph)
    return {"passed": True, "texts": told}


def check_refusal(device: torch.device) -> dict[str, object]:
    """A pass that cannot be captured runs uncaptured, and so do those behind it, on the stream that was current before.

    Raises:
        SpecvizError: its scores differ, or nothing was refused.
    """
    model = synthetic_model(SHAPES["tiny"], device, torch.float32)
    ordinary, refused = LeanDecoder(model), Stubborn(model)
    stream = torch.cuda.current_stream(device) if device.type == "cuda" else None
    ids = torch.arange(40, device=device)
    for begin, end in pairwise((0, 20, 21, 25)):
        for decoder in (ordinary, refused):
            decoder.begin(64)
        one, other = (decoder.read(ids[begin:end], Place(begin, end - begin))[0] for decoder in (ordinary, refused))
        if not _apart(one, other) <= _EQUAL:
            raise SpecvizError(f"the scores at {begin} differ")
    if not refused.refusal:
        raise SpecvizError("nothing was refused")
    if stream is not None and torch.cuda.current_stream(device) != stream:
        raise SpecvizError("the capture's stream was not left")
    return {"passed": True, "refusal": refused.refusal}


def measure(
    book: Book, device: torch.device, pairs: Sequence[tuple[str, str]], tokens: int, *, compiling: bool
) -> None:
    """All figures, pair by pair, with the memory to itself; then those of what is compiled, which may take minutes."""
    book.enter(("figures", "read_bandwidth_bytes_s"), lambda: asdict(bandwidth(device)))
    found = book.found["figures"]["read_bandwidth_bytes_s"]
    rate = found.get("median")
    for names in pairs:
        _measure_pair(book, names, device, tokens, rate)
        _free()
    if compiling and pairs:
        target = pairs[0][0]
        work = partial(compiled, target, device, tokens, rate)
        book.enter(("figures", "compiled", f"{SYNTHETIC} {target}"), work, _COMPILING_S[device.type])


def bandwidth(device: torch.device) -> Figure:
    """Bytes a second that are read by summing a large buffer."""
    buffer = torch.ones(_BUFFER[device.type] // 4, dtype=torch.float32, device=device)

    def once() -> float:
        wait(device)
        began = perf_counter()
        buffer.sum()
        wait(device)
        return buffer.nbytes / (perf_counter() - began)

    once()
    return figure(once() for _ in range(10))


def plain_figures(pair: SyntheticPair, tokens: int, bandwidth_bytes_s: float | None) -> dict[str, object]:
    """Plain decoding, beside transformers' own eager `generate`, in turn."""
    prompt = _prompt(_PROMPT, pair.target)
    settings = Settings(k=_K, max_new_tokens=tokens)
    rates = in_turn(
        {
            "specviz": lambda: _rate(decode(pair.target, _nothing(pair), prompt, settings)),
            "transformers": lambda: generated(pair.target.model, prompt, tokens),
        }
    )
    return {
        "tokens_s": asdict(figure(rates["specviz"])),
        "transformers_eager_tokens_s": asdict(figure(rates["transformers"])),
        "over_transformers_eager": asdict(ratios(rates["specviz"], rates["transformers"])),
        **_bytes_read(pair.target.model, median(rates["specviz"]), bandwidth_bytes_s),
        "graphs": _graphs_of(pair.target),
    }


def cost_figures(pair: SyntheticPair) -> dict[str, Any]:
    """c and v(n), and the seconds of a pass, behind as much text as the speculative runs have in their middle."""
    costs = measure_costs(pair, _PROMPT + 64, _K, _REPEATS)
    return {
        "cache_length": costs.cache_length,
        "pass_s": asdict(costs.pass_s),
        "c": asdict(costs.c),
        "v": {str(n): asdict(v) for n, v in costs.v.items()},
    }


def speculative_figures(
    pair: SyntheticPair, agreement: float, tokens: int, costs: Mapping[str, Any] | None
) -> dict[str, object]:
    """The speedup of the synthetic drafter over plain decoding, in turn, beside what the formula says of its rounds."""
    prompt = _prompt(_PROMPT, pair.target)
    settings = Settings(k=_K, max_new_tokens=tokens)
    plain = decode(pair.target, _nothing(pair), prompt, settings)[0]
    drafter = pair.drafter([*prompt, *plain], agreement)
    rule = drafter.rule(settings)
    rounds: list[Round] = []

    def speculative() -> float:
        run = decode(pair.target, drafter, prompt, settings, rule)
        if run[0] != plain:
            raise SpecvizError("the text is not the recorded one")
        rounds[:] = run[1]
        return _rate(run)

    rates = in_turn(
        {"plain": lambda: _rate(decode(pair.target, _nothing(pair), prompt, settings)), "speculative": speculative}
    )
    measured = ratios(rates["speculative"], rates["plain"])
    judged = sum(round_.judged for round_ in rounds)
    found: dict[str, object] = {
        "k": _K,
        "tokens_s": asdict(figure(rates["speculative"])),
        "speedup": asdict(measured),
        "accepted_of_judged": sum(len(round_.accepted) for round_ in rounds) / judged if judged else None,
        "tokens_per_pass": len(plain) / len(rounds),
        "draft_share": median(round_.draft_s / round_.seconds for round_ in rounds),
        "verify_share": median(round_.verify_s / round_.seconds for round_ in rounds),
        "round_s": median(round_.seconds for round_ in rounds),
        "predicted_speedup": None,
        "measured_over_predicted": None,
    }
    if costs is not None and "failed" not in costs:
        v = {int(n): value["median"] for n, value in costs["v"].items()}
        drafted = [len(round_.drafted) for round_ in rounds]
        predicted = theory.speedup_of_rounds(len(plain), drafted, costs["c"]["median"], v.__getitem__)
        found |= {"predicted_speedup": predicted, "measured_over_predicted": measured.median / predicted}
    return found


def context_figures(pair: SyntheticPair, length: int) -> dict[str, object]:
    """The median cost of a plain and of a speculative round behind a prompt of this length."""
    prompt = _prompt(length, pair.target)
    settings = Settings(k=_K, max_new_tokens=24)
    for model in (pair.target, pair.draft):
        model.release()  # graphs look at the whole buffers, so these must not be larger than this text needs
    plain = decode(pair.target, _nothing(pair), prompt, settings)[0]
    drafter = pair.drafter([*prompt, *plain])
    rule = drafter.rule(settings)
    rounds = in_turn(
        {
            "plain": lambda: _round_s(decode(pair.target, _nothing(pair), prompt, settings)),
            "speculative": lambda: _round_s(decode(pair.target, drafter, prompt, settings, rule)),
        }
    )
    return {f"{name}_round_s": asdict(figure(seconds)) for name, seconds in rounds.items()}


def compiled(target: str, device: torch.device, tokens: int, bandwidth_bytes_s: float | None) -> dict[str, object]:
    """Plain decoding with our passes as they are and compiled, and transformers' `generate` with a static cache, compiled; in turn.

    transformers comes first: torch's own graphs, while they are made, let go of memory that graphs captured before may need.
    """
    _check_room(device, target)
    model = synthetic_model(shape_named(target), device, torch.bfloat16)
    vocabulary = shape_named(target).vocabulary
    ours = {"specviz": False, "specviz_compiled": True}
    decoders: dict[str, Decode] = {
        "transformers_static_compiled": lambda: generated(model, prompt, tokens, cache_implementation="static")
    }
    settings = Settings(k=_K, max_new_tokens=tokens)
    failed: dict[str, object] = {}
    prompt = [1 + 7 * i % (vocabulary - 1) for i in range(_PROMPT)]
    networks = {}
    for name, compiling in ours.items():
        reader = CachedModel(model, vocabulary)
        reader.network = networks[name] = _graphed(model, compiled=compiling)
        nothing = NoDrafter(vocabulary, device)
        decoders[name] = lambda reader=reader, nothing=nothing: _rate(decode(reader, nothing, prompt, settings))  # type: ignore[misc]
    for name in list(decoders):
        began = perf_counter()
        value = _found(partial(_warmed, decoders[name], networks.get(name)))
        if value is not None:
            failed[name] = value
            del decoders[name]
        sys.stdout.write(f"          {name}: ready after {perf_counter() - began:.1f} s\n")
        sys.stdout.flush()
    rates = in_turn(decoders) if decoders else {}
    found: dict[str, object] = {
        name: {"tokens_s": asdict(figure(each)), **_bytes_read(model, median(each), bandwidth_bytes_s)}
        for name, each in rates.items()
    }
    return found | failed


def decode(
    target: CachedModel, drafter: Drafter, prompt: Sequence[int], settings: Settings, rule: Rule | None = None
) -> Run:
    """The new tokens and the rounds of one run of the engine."""
    rounds = list(speculate(target, drafter, prompt, settings, recorder=LIGHT, rule=rule))
    return tuple(token for round_ in rounds for token in round_.tokens), rounds


def generated(model: PreTrainedModel, prompt: Sequence[int], tokens: int, **options: object) -> float:
    """Tokens a second of transformers' `generate` from its first new token to its last."""
    ids = torch.tensor([list(prompt)], device=model.device)
    watch = _Ends(tokens, model.device)
    with torch.inference_mode(False):  # as any user would run it; it turns gradients off itself
        model.generate(
            ids.clone(),
            attention_mask=torch.ones_like(ids),
            generation_config=GenerationConfig(do_sample=False, max_new_tokens=tokens, **options),
            stopping_criteria=StoppingCriteriaList([watch]),
        )
    return watch.rate


def in_turn(decoders: Mapping[str, Decode], repeats: int = _REPEATS) -> dict[str, list[float]]:
    """Warm up each decoder, then run them `repeats` times in turn, each alone, another one going first each time."""
    names = list(decoders)
    for name in names:
        decoders[name]()
    found: dict[str, list[float]] = {name: [] for name in names}
    gc.collect()
    for turn in range(repeats):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            found[name].append(decoders[name]())
    return found


class _Ends(StoppingCriteria):  # type: ignore[misc]  # transformers ships no types for it
    """Stops nothing; looks at the clock behind the first and the last new token."""

    def __init__(self, tokens: int, device: torch.device) -> None:
        self._tokens, self._device = tokens, device
        self._seen = 0
        self._times: list[float] = []

    def __call__(self, input_ids: Tensor, scores: Tensor, **kwargs: object) -> Tensor:
        self._seen += 1
        if self._seen in (1, self._tokens):
            wait(self._device)
            self._times.append(perf_counter())
        return torch.zeros(input_ids.shape[0], dtype=torch.bool, device=input_ids.device)

    @property
    def rate(self) -> float:
        """New tokens a second behind the first.

        Raises:
            SpecvizError: fewer tokens came than were asked for.
        """
        if len(self._times) != 2:
            raise SpecvizError(f"generate() wrote {self._seen} of {self._tokens} tokens")
        return (self._tokens - 1) / (self._times[1] - self._times[0])


def _measure_pair(
    book: Book, names: tuple[str, str], device: torch.device, tokens: int, bandwidth_bytes_s: float | None
) -> None:
    """Every figure of one pair, each entered by itself."""
    where = ("figures", "pairs", f"{SYNTHETIC} {names[0]} + {names[1]}")
    made: list[SyntheticPair] = []

    def make() -> dict[str, object]:
        _check_room(device, *names)
        made.append(synthetic_pair(*names, AGREEMENTS[1], device=device))
        return asdict(made[0].card)

    if not book.enter((*where, "card"), make):
        return
    pair = made[0]
    if device.type == "cpu":
        pair.target.network, pair.draft.network = _graphed(pair.target.model), _graphed(pair.draft.model)
    book.enter((*where, "plain"), partial(plain_figures, pair, tokens, bandwidth_bytes_s))
    book.enter((*where, "costs"), partial(cost_figures, pair))
    place = book.found
    for name in where:
        place = place[name]
    for agreement in AGREEMENTS:
        book.enter(
            (*where, "speculative", f"agreement {agreement}"),
            partial(speculative_figures, pair, agreement, tokens, place["costs"]),
        )
    for length in CONTEXTS[device.type]:
        book.enter((*where, "context", str(length)), partial(context_figures, pair, length))
    book.enter((*where, "graphs"), lambda: {"target": _graphs_of(pair.target), "draft": _graphs_of(pair.draft)})


def _bytes_read(model: PreTrainedModel, rate: float, bandwidth_bytes_s: float | None) -> dict[str, object]:
    """The weights that a pass reads (of the input embedding it reads one row, unless that is the head too), and their share."""
    read = sum(weight.nbytes for weight in model.parameters())
    if not model.config.tie_word_embeddings:
        read -= model.get_input_embeddings().weight.nbytes
    share = None if bandwidth_bytes_s is None else rate * read / bandwidth_bytes_s
    return {"weight_bytes_per_token": read, "share_of_bandwidth": share}


def _check_room(device: torch.device, *names: str) -> None:
    needed = sum(parameters_of(shape_named(name)) for name in names) * torch.bfloat16.itemsize * _BESIDE
    free = memory_free(device)
    if needed > free:
        raise InputError(f"{' + '.join(names)} needs about {needed / 1e9:.0f} GB, and {free / 1e9:.0f} GB are free")


def _graphed(model: PreTrainedModel, *, compiled: bool = False) -> GraphedDecoder:
    return (GraphedDecoder if model.device.type == "cuda" else Unreplayed)(model, compiled=compiled)


def _graphs_of(model: CachedModel) -> str:
    network = model.network
    if isinstance(network, Unreplayed) or not isinstance(network, GraphedDecoder):
        return "off"
    refused = network.refusal or network.draft_refusal
    return f"refused: {refused}" if refused else "on"


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


def _refuse_refusal(decoder: GraphedDecoder | None) -> None:
    if decoder is not None and not decoder.drafts_at_once:
        raise SpecvizError(f"graphs were refused: {decoder.refusal or decoder.draft_refusal}")


def _apart(one: Tensor, other: Tensor) -> float:
    """The largest difference, in parts of the range; infinite where a number is none."""
    if not other.isfinite().all():
        return float("inf")
    return float((one - other).abs().max() / (one.max() - one.min()))


def _prompt(length: int, model: CachedModel) -> list[int]:
    """Arbitrary ids, the same every time."""
    return [1 + 7 * place % (model.vocabulary - 1) for place in range(length)]


def _nothing(pair: SyntheticPair) -> NoDrafter:
    return NoDrafter(pair.target.vocabulary, pair.target.device)


def _rate(run: Run) -> float:
    return len(run[0]) / run[1][-1].ended_s


def _round_s(run: Run) -> float:
    return median(round_.seconds for round_ in run[1])


def _found(work: Callable[[], object]) -> object:
    """What the work finds, or that it failed."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001  # whatever it is, the other figures are wanted
        return {"failed": " ".join(f"{type(error).__name__}: {error}".split())[:300]}


def _warmed(decoder: Decode, network: GraphedDecoder | None) -> None:
    decoder()
    _refuse_refusal(network)


def _free() -> None:
    """Give back what is no longer used."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


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
