"""The figures of a GPU: plain decoding, costs of passes, and speedups."""

from dataclasses import asdict
from typing import Any

import torch

from specviz.errors import SpecvizError
from specviz.runs.costs import fill, pass_seconds
from specviz.runs.engine_process import free_memory
from specviz.settings import Settings
from specviz.trace.records import Round
from tools.gpu.synthetic import SyntheticPair, synthetic_pair
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
from tools.measurement import figure, in_turn, ratios

AGREEMENTS = (0.6, 0.8, 0.9)
_PROMPT = 64
_LENGTHS = (1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64)


def pair_figures(names: tuple[str, str], device: torch.device, tokens: int) -> dict[str, object]:
    """All figures of a pair, which is in memory meanwhile."""
    free_memory()  # of the pair before
    pair = synthetic_pair(*names, device)
    if device.type == "cpu":
        pair.target.network, pair.draft.network = graphed_network(pair.target.model), graphed_network(pair.draft.model)
    return {
        "plain": plain_figures(pair, tokens),
        "costs": cost_figures(pair),
        "speculative": {f"agreement {share}": speculative_figures(pair, share, tokens) for share in AGREEMENTS},
        "graphs": {"target": graphs_of(pair.target), "draft": graphs_of(pair.draft)},
    }


def plain_figures(pair: SyntheticPair, tokens: int) -> dict[str, object]:
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
    }
