"""Every figure of a GPU: plain decoding, costs of passes, speedups, long contexts, and what compiling adds."""

import gc
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import torch
from transformers import PreTrainedModel

from specviz.bench.cost_curve import measure_costs
from specviz.bench.gpu.book import Book, found_or_failed
from specviz.bench.gpu.timed import (
    REPEATS,
    Decode,
    K,
    decode,
    generated,
    graphed_network,
    graphs_of,
    in_turn,
    nothing_for,
    prompt_of,
    rate_of,
    refuse_refusal,
    round_seconds,
)
from specviz.bench.synthetic import (
    SYNTHETIC,
    SyntheticPair,
    parameters_of,
    shape_named,
    synthetic_model,
    synthetic_pair,
)
from specviz.decoding.clock import wait
from specviz.decoding.drafters.none import NoDrafter
from specviz.errors import InputError, SpecvizError
from specviz.models import CachedModel
from specviz.models.devices import memory_free
from specviz.models.networks.graphs import GraphedDecoder
from specviz.reporting.figures import Figure, figure, ratios
from specviz.settings import Settings
from specviz.trace import theory
from specviz.trace.records import Round

AGREEMENTS = (0.6, 0.8, 0.9)
CONTEXTS = {"cuda": (64, 256, 1024, 4096), "cpu": (64, 128)}
_PROMPT = 64
_COMPILING_S = {"cuda": 180.0, "cpu": 0.0}
_BUFFER = {"cuda": 4 * 2**30, "cpu": 64 * 2**20}
_BESIDE = 1.15
"""Room for passes, caches and graphs, as a part of the weights."""


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
    prompt = prompt_of(_PROMPT, pair.target)
    settings = Settings(k=K, max_new_tokens=tokens)
    rates = in_turn(
        {
            "specviz": lambda: rate_of(decode(pair.target, nothing_for(pair), prompt, settings)),
            "transformers": lambda: generated(pair.target.model, prompt, tokens),
        }
    )
    return {
        "tokens_s": asdict(figure(rates["specviz"])),
        "transformers_eager_tokens_s": asdict(figure(rates["transformers"])),
        "over_transformers_eager": asdict(ratios(rates["specviz"], rates["transformers"])),
        **_bytes_read(pair.target.model, median(rates["specviz"]), bandwidth_bytes_s),
        "graphs": graphs_of(pair.target),
    }


def cost_figures(pair: SyntheticPair) -> dict[str, Any]:
    """c and v(n), and the seconds of a pass, behind as much text as the speculative runs have in their middle."""
    costs = measure_costs(pair, _PROMPT + 64, K, REPEATS)
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
    prompt = prompt_of(_PROMPT, pair.target)
    settings = Settings(k=K, max_new_tokens=tokens)
    plain = decode(pair.target, nothing_for(pair), prompt, settings)[0]
    drafter = pair.drafter([*prompt, *plain], agreement)
    rule = drafter.rule(settings)
    rounds: list[Round] = []

    def speculative() -> float:
        run = decode(pair.target, drafter, prompt, settings, rule)
        if run[0] != plain:
            raise SpecvizError("the text is not the recorded one")
        rounds[:] = run[1]
        return rate_of(run)

    rates = in_turn(
        {"plain": lambda: rate_of(decode(pair.target, nothing_for(pair), prompt, settings)), "speculative": speculative}
    )
    measured = ratios(rates["speculative"], rates["plain"])
    judged = sum(round_.judged for round_ in rounds)
    found: dict[str, object] = {
        "k": K,
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
    prompt = prompt_of(length, pair.target)
    settings = Settings(k=K, max_new_tokens=24)
    for model in (pair.target, pair.draft):
        model.release()  # graphs look at the whole buffers, so these must not be larger than this text needs
    plain = decode(pair.target, nothing_for(pair), prompt, settings)[0]
    drafter = pair.drafter([*prompt, *plain])
    rule = drafter.rule(settings)
    rounds = in_turn(
        {
            "plain": lambda: round_seconds(decode(pair.target, nothing_for(pair), prompt, settings)),
            "speculative": lambda: round_seconds(decode(pair.target, drafter, prompt, settings, rule)),
        }
    )
    return {f"{name}round_seconds": asdict(figure(seconds)) for name, seconds in rounds.items()}


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
    settings = Settings(k=K, max_new_tokens=tokens)
    failed: dict[str, object] = {}
    prompt = [1 + 7 * i % (vocabulary - 1) for i in range(_PROMPT)]
    networks = {}
    for name, compiling in ours.items():
        reader = CachedModel(model, vocabulary)
        reader.network = networks[name] = graphed_network(model, compiled=compiling)
        nothing = NoDrafter(vocabulary, device)
        decoders[name] = lambda reader=reader, nothing=nothing: rate_of(decode(reader, nothing, prompt, settings))  # type: ignore[misc]
    for name in list(decoders):
        began = perf_counter()
        value = found_or_failed(partial(_warmed, decoders[name], networks.get(name)))
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
        pair.target.network, pair.draft.network = graphed_network(pair.target.model), graphed_network(pair.draft.model)
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
    book.enter((*where, "graphs"), lambda: {"target": graphs_of(pair.target), "draft": graphs_of(pair.draft)})


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


def _warmed(decoder: Decode, network: GraphedDecoder | None) -> None:
    decoder()
    refuse_refusal(network)


def _free() -> None:
    """Give back what is no longer used."""
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
