"""v(n) where the target is a mixture of experts, and how many experts a pass reads: `python -m tools.experts [--repeats N] [--out FILE]`.
Run nothing else meanwhile.

A small mixture with random weights is timed beside a dense model that does the same arithmetic for a token, pass by pass in turn. Its router
uses all experts about equally; a trained one may prefer some, so that a pass reads fewer.
"""

import argparse
import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean, quantiles
from typing import Any

import torch
from transformers import DynamicCache, LlamaConfig, LlamaForCausalLM, MixtralConfig, MixtralForCausalLM, set_seed

from specviz.folders import ASSETS
from specviz.reporting.machine import this_machine

WIDTHS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
CACHED = 64
EXPERTS, WOKEN = 32, 2
_SHAPE: dict[str, Any] = {
    "vocab_size": 1024,
    "hidden_size": 512,
    "num_hidden_layers": 4,
    "num_attention_heads": 8,
    "num_key_value_heads": 8,
}
_EXPERT = 1024
"""The width of one expert; the dense model's layer is as wide as the experts that one token wakes."""


def models() -> tuple[Any, Any]:
    """The mixture and the dense model, with random weights."""
    set_seed(0)
    mixture = MixtralForCausalLM(
        MixtralConfig(
            **_SHAPE,
            intermediate_size=_EXPERT,
            num_local_experts=EXPERTS,
            num_experts_per_tok=WOKEN,
            experts_implementation="eager",
        )
    )
    mixture.get_input_embeddings().weight.data.normal_()  # a token's own embedding decides, and not what all have in common
    dense = LlamaForCausalLM(LlamaConfig(**_SHAPE, intermediate_size=WOKEN * _EXPERT))
    return mixture.eval(), dense.eval()


@torch.inference_mode()
def measured(repeats: int) -> dict[str, Any]:
    """The profile of both, as a lesson's picture reads it."""
    both = models()
    text = torch.randint(0, _SHAPE["vocab_size"], (1, CACHED))
    caches = [DynamicCache(config=model.config) for model in both]
    for model, cache in zip(both, caches, strict=True):
        model(text, past_key_values=cache)
    seconds: dict[tuple[int, int], list[float]] = {(which, width): [] for which in (0, 1) for width in WIDTHS}
    woken: dict[int, list[float]] = {width: [] for width in WIDTHS}
    for number in range(repeats + 1):
        for width in WIDTHS:
            tokens = torch.randint(0, _SHAPE["vocab_size"], (1, width))
            for which, (model, cache) in enumerate(zip(both, caches, strict=True)):
                began = time.perf_counter()
                model(tokens, past_key_values=cache)
                took = time.perf_counter() - began
                cache.crop(-width)
                if number:  # the first of each is the warm-up
                    seconds[which, width].append(took)
            routed = both[0](tokens, past_key_values=caches[0], output_router_logits=True).router_logits
            caches[0].crop(-width)
            woken[width].append(mean(len(layer.topk(WOKEN).indices.unique()) for layer in routed))
    machine = this_machine(torch.device("cpu"))
    return {
        "kind": "pass cost",
        "recorded": f"{machine.cores} cores of {machine.cpu}",
        "target": f"a mixture of {EXPERTS} experts with random weights",
        "device": "cpu",
        "processor": f"torch {torch.__version__} with {torch.get_num_threads()} threads",
        "dtype": "float32",
        "measured_at": datetime.now(UTC).date().isoformat(),
        "context": CACHED,
        "experts": EXPERTS,
        "points": [{**_times(seconds[0, n]), "tokens": n, "experts": round(mean(woken[n]), 2)} for n in WIDTHS],
        "dense": [{**_times(seconds[1, n]), "tokens": n} for n in WIDTHS],
    }


def _times(seconds: list[float]) -> dict[str, float]:
    low, middle, high = (round(each, 6) for each in quantiles(seconds, n=4))
    return {"pass_s": middle, "low_s": low, "high_s": high}


def main() -> None:
    """Measure, print the table, and write the profile."""
    parser = argparse.ArgumentParser(prog="python -m tools.experts", description=__doc__)
    parser.add_argument("--repeats", type=int, default=40)
    parser.add_argument("--out", type=Path, default=ASSETS / "experts.json")
    arguments = parser.parse_args()
    found = measured(arguments.repeats)
    ones = found["points"][0]["pass_s"], found["dense"][0]["pass_s"]
    for point, dense in zip(found["points"], found["dense"], strict=True):
        rise, beside = point["pass_s"] / ones[0], dense["pass_s"] / ones[1]
        sys.stdout.write(
            f"{point['tokens']:>3} tokens {point['experts']:>5} experts  v {rise:5.2f}  dense {beside:5.2f}\n"
        )
    arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
