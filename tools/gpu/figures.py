"""The figures of a GPU: plain decoding, costs of passes, and speedups."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import torch
from transformers import PreTrainedModel

from specviz.decoding.clock import wait
from specviz.errors import InputError, SpecvizError
from specviz.models.devices import memory_free
from specviz.models.timing import fill, pass_seconds
from specviz.runs.engine_process import free_memory
from specviz.settings import Settings
from specviz.trace.records import Round
from tools.gpu.log import Log
from tools.gpu.synthetic import (
    SYNTHETIC,
    SyntheticPair,
    parameters_of,
    shape_named,
    synthetic_pair,
)
from tools.gpu.timed import (
    REPEATS,
    K,
    decode,
    generated,
    graphed_network,
    graphs_of,
    no_drafter,
    prompt_of,
    rate_of,
)
from tools.measurement import Figure, figure, in_turn, ratios

AGREEMENTS = (0.6, 0.8, 0.9)
_PROMPT = 64
_LENGTHS = (1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64)
_BUFFER = {"cuda": 4 * 2**30, "cpu": 64 * 2**20}
_MEMORY_FACTOR = 1.15  # memory for weights, passes, caches and graphs, relative to the weights alone


def measure(log: Log, device: torch.device, pairs: Sequence[tuple[str, str]], tokens: int) -> None:
    """Measure all figures, with one pair in memory at a time."""
    log.run(("figures", "read_bandwidth_bytes_s"), lambda: asdict(bandwidth(device)))
    rate = log.results["figures"]["read_bandwidth_bytes_s"].get("median")
    for names in pairs:
        _measure_pair(log, names, device, tokens, rate)
        free_memory()


def bandwidth(device: torch.device) -> Figure:
    """Read bandwidth in bytes per second, measured by summing a large buffer."""
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
    """Plain decoding compared with transformers' own eager `generate`, in turn."""
    prompt = prompt_of(_PROMPT, pair.target)
    settings = Settings(k=K, max_new_tokens=tokens)
    rates = in_turn(
        {
            "specviz": lambda: rate_of(decode(pair.target, no_drafter(pair), prompt, settings)),
            "transformers": lambda: generated(pair.target.model, prompt, tokens),
        },
        REPEATS,
    )
    return {
        "tokens_s": asdict(figure(rates["specviz"])),
        "transformers_eager_tokens_s": asdict(figure(rates["transformers"])),
        "over_transformers_eager": asdict(ratios(rates["specviz"], rates["transformers"])),
        **_bytes_read(pair.target.model, median(rates["specviz"]), bandwidth_bytes_s),
        "graphs": graphs_of(pair.target),
    }


def cost_figures(pair: SyntheticPair) -> dict[str, Any]:
    """v(n), a target pass over n tokens relative to one over a single token; c, a draft pass relative to a target pass; and the seconds of a
    target pass over one token. The caches are as full as halfway through a speculative run of 128 tokens.

    Passes of every length are timed in sweeps, after one to warm up; each is rolled back. A draft pass is one of several in a row with one
    device synchronisation at their end, as in a round.
    """
    lengths = [n for n in _LENGTHS if n < pair.target.context]
    cached = min(_PROMPT + 64, *(model.context - max(*lengths, K) for model in (pair.target, pair.draft)))
    for model in (pair.target, pair.draft):
        fill(model, cached, max(*lengths, K))
    sweeps = [
        ({n: pass_seconds(pair.target, n) for n in lengths}, pass_seconds(pair.draft, 1, in_a_row=K) / K)
        for _ in range(REPEATS + 1)
    ][1:]
    single = [seconds[1] for seconds, _ in sweeps]
    return {
        "cache_length": cached,
        "pass_s": asdict(figure(single)),
        "c": asdict(ratios((drafting for _, drafting in sweeps), single)),
        "v": {str(n): asdict(ratios((seconds[n] for seconds, _ in sweeps), single)) for n in lengths},
    }


def speculative_figures(pair: SyntheticPair, agreement: float, tokens: int) -> dict[str, object]:
    """The speedup of the synthetic drafter over plain decoding, in turn."""
    prompt = prompt_of(_PROMPT, pair.target)
    settings = Settings(k=K, max_new_tokens=tokens)
    plain = decode(pair.target, no_drafter(pair), prompt, settings)[0]
    drafter = pair.drafter([*prompt, *plain], agreement)
    rule = drafter.rule(settings)
    rounds: list[Round] = []

    def speculative() -> float:
        run = decode(pair.target, drafter, prompt, settings, rule)
        if run[0] != plain:
            raise SpecvizError("The speculative text differs from the recorded plain text.")
        rounds[:] = run[1]
        return rate_of(run)

    rates = in_turn(
        {"plain": lambda: rate_of(decode(pair.target, no_drafter(pair), prompt, settings)), "speculative": speculative},
        REPEATS,
    )
    judged = sum(round_.judged for round_ in rounds)
    return {
        "k": K,
        "tokens_s": asdict(figure(rates["speculative"])),
        "speedup": asdict(ratios(rates["speculative"], rates["plain"])),
        "accepted_of_judged": sum(len(round_.accepted) for round_ in rounds) / judged if judged else None,
        "tokens_per_pass": len(plain) / len(rounds),
        "draft_share": median(round_.draft_s / round_.seconds for round_ in rounds),
        "verify_share": median(round_.verify_s / round_.seconds for round_ in rounds),
        "round_s": median(round_.seconds for round_ in rounds),
    }


def _measure_pair(
    log: Log, names: tuple[str, str], device: torch.device, tokens: int, bandwidth_bytes_s: float | None
) -> None:
    """Every figure of one pair, each as its own entry of the log."""
    keys = ("figures", "pairs", f"{SYNTHETIC} {names[0]} + {names[1]}")
    made: list[SyntheticPair] = []

    def make() -> dict[str, object]:
        _check_memory(device, *names)
        made.append(synthetic_pair(*names, AGREEMENTS[1], device=device))
        return asdict(made[0].card)

    if not log.run((*keys, "card"), make):
        return
    pair = made[0]
    if device.type == "cpu":
        pair.target.network, pair.draft.network = graphed_network(pair.target.model), graphed_network(pair.draft.model)
    log.run((*keys, "plain"), partial(plain_figures, pair, tokens, bandwidth_bytes_s))
    log.run((*keys, "costs"), partial(cost_figures, pair))
    for agreement in AGREEMENTS:
        log.run((*keys, "speculative", f"agreement {agreement}"), partial(speculative_figures, pair, agreement, tokens))
    log.run((*keys, "graphs"), lambda: {"target": graphs_of(pair.target), "draft": graphs_of(pair.draft)})


def _bytes_read(model: PreTrainedModel, rate: float, bandwidth_bytes_s: float | None) -> dict[str, object]:
    """Bytes of weights that a pass reads, and the share of the bandwidth that this is. Of an untied input embedding a pass reads only one row."""
    read = sum(weight.nbytes for weight in model.parameters())
    if not model.config.tie_word_embeddings:
        read -= model.get_input_embeddings().weight.nbytes
    share = None if bandwidth_bytes_s is None else rate * read / bandwidth_bytes_s
    return {"weight_bytes_per_token": read, "share_of_bandwidth": share}


def _check_memory(device: torch.device, *names: str) -> None:
    needed = sum(parameters_of(shape_named(name)) for name in names) * torch.bfloat16.itemsize * _MEMORY_FACTOR
    free = memory_free(device)
    if needed > free:
        raise InputError(
            f"{' + '.join(names)} needs about {needed / 1e9:.0f} GB, and {free / 1e9:.0f} GB are free: choose smaller shapes."
        )
