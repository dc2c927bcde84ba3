"""What several test files share: tiny real models made on the fly, and an oracle that knows nothing of the engine."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
import torch

from specviz.decoding.loop import speculate
from specviz.decoding.protocols import Drafter, LanguageModel
from specviz.decoding.recorder import LIGHT
from specviz.decoding.sampling import Draws
from specviz.models import CachedModel, Pair, load_pair
from specviz.settings import Settings
from specviz.trace.records import Round

torch.set_num_threads(1)

TINY: dict[str, dict[str, Any]] = {
    "LlamaForCausalLM": {"num_key_value_heads": 1},
    "Qwen2ForCausalLM": {"num_key_value_heads": 1},
    "Qwen3ForCausalLM": {"num_key_value_heads": 1, "head_dim": 8},
    "MistralForCausalLM": {"num_key_value_heads": 1, "sliding_window": 8},
    "GPT2LMHeadModel": {},
    "GPTNeoXForCausalLM": {},
}
"""The families that are tried, each with what its tiny configuration adds; Mistral's window is crossed by every text."""


@cache
def tiny_weights(kind: str, seed: int, vocabulary: int, layers: int, width: int, dtype: torch.dtype) -> Any:
    """A real architecture with random weights, large enough for its distributions to be far from flat."""
    import transformers

    build = getattr(transformers, kind)
    config = build.config_class(
        vocab_size=vocabulary,
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=2,
        max_position_embeddings=128,
        initializer_range=0.5,
        bos_token_id=None,
        eos_token_id=None,
        pad_token_id=None,
        **({} if kind == "GPT2LMHeadModel" else {"intermediate_size": 2 * width}),
        **TINY.get(kind, {}),
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return build(config).to(dtype).eval()


def tiny(
    kind: str,
    seed: int,
    *,
    vocabulary: int = 64,
    layers: int = 2,
    width: int = 16,
    dtype: torch.dtype = torch.float32,
    head: int | None = None,
    end_ids: Iterable[int] = (),
) -> CachedModel:
    """A cached model of its own around shared tiny weights; `head` output rows where that differs from `vocabulary`."""
    weights = tiny_weights(kind, seed, head or vocabulary, layers, width, dtype)
    return CachedModel(weights, vocabulary, frozenset(end_ids))


@pytest.fixture(scope="session")
def embedded() -> Pair:
    """The pair that comes with the project, in the format in which text equality is judged."""
    return load_pair("embedded", device="cpu", dtype="float32")


def rounds_of(
    target: LanguageModel,
    drafter: Drafter,
    prompt: Sequence[int],
    settings: Settings,
    draws: Draws | None = None,
    **options: Any,
) -> tuple[Round, ...]:
    """All rounds of a run, without alternatives."""
    return tuple(speculate(target, drafter, prompt, settings, draws, recorder=LIGHT, **options))


def text_of(rounds: Iterable[Round]) -> tuple[int, ...]:
    """The ids that these rounds wrote."""
    return tuple(token for round_ in rounds for token in round_.tokens)


def timeless(rounds: Iterable[Round]) -> tuple[Round, ...]:
    """The same rounds with every time set to 0."""
    return tuple(replace(r, began_s=0.0, draft_s=0.0, verify_s=0.0, ended_s=0.0) for r in rounds)


def fresh_logits(model: CachedModel, ids: Sequence[int]) -> torch.Tensor:
    """[m, V] scores of a forward pass over all ids without any cache."""
    with torch.inference_mode():
        logits: torch.Tensor = model.model(torch.tensor([list(ids)]), use_cache=False).logits[0]
    missing = model.vocabulary - logits.shape[-1]
    return torch.nn.functional.pad(logits, (0, missing), value=-torch.inf) if missing > 0 else logits


def oracle_warp(logits: Sequence[float], settings: Settings) -> list[float]:
    """Temperature, top-k, top-p written a second time, in plain Python, from their definitions."""
    order = sorted(range(len(logits)), key=lambda token: -logits[token])
    if settings.temperature == 0:
        return [float(token == order[0]) for token in range(len(logits))]
    if settings.top_k:
        order = order[: settings.top_k]
    weights = {token: math.exp((logits[token] - logits[order[0]]) / settings.temperature) for token in order}
    total, reached, kept = sum(weights.values()), 0.0, {}
    for token in order:
        if reached / total < settings.top_p:
            kept[token] = weights[token]
        reached += weights[token]
    return [kept.get(token, 0.0) / sum(kept.values()) for token in range(len(logits))]


def oracle_texts(
    logits: Callable[[tuple[int, ...]], Sequence[float]],
    prompt: Sequence[int],
    settings: Settings,
    end_ids: frozenset[int] = frozenset(),
) -> dict[tuple[int, ...], float]:
    """The probability of every text that the target alone can write, by the chain rule of probability."""
    texts: dict[tuple[int, ...], float] = {(): 1.0}
    for _ in range(settings.max_new_tokens):
        longer: dict[tuple[int, ...], float] = {}
        for text, weight in texts.items():
            if text and text[-1] in end_ids:
                longer[text] = weight
                continue
            for token, share in enumerate(oracle_warp(logits((*prompt, *text)), settings)):
                if share > 0:
                    longer[*text, token] = weight * share
        texts = longer
    return texts


def largest_error(found: dict[tuple[int, ...], float], wanted: dict[tuple[int, ...], float]) -> float:
    """The largest difference between two distributions over texts."""
    return max(abs(found.get(text, 0.0) - wanted.get(text, 0.0)) for text in found.keys() | wanted.keys())
