"""Pairs with the shapes of real models and random weights, for machines without a network. The cost of a pass does not depend on the
values of the weights, but the acceptance rate does: it is set as a parameter. Everything measured on such a pair is called synthetic."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedConfig, PreTrainedModel, Qwen2Config, Qwen3Config

from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.judge.choice import rule_for
from specviz.decoding.judge.judgement import Judgement, Rule
from specviz.decoding.protocols import Draft, Drafter
from specviz.decoding.sampling import Draws
from specviz.errors import InputError
from specviz.models import CachedModel
from specviz.settings import Settings

SYNTHETIC = "synthetic"  # the name of such models, pairs and drafters everywhere
_CONTEXT = 32768
_LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500_000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
_QWEN = {"rope_type": "default", "rope_theta": 1_000_000.0}


def _shape(
    kind: type[PreTrainedConfig],
    layers: int,
    width: int,
    heads: tuple[int, int, int],
    ffn: int,
    vocabulary: int,
    rotation: dict[str, Any],
    *,
    tied: bool = False,
    spread: float = 0.02,
) -> PreTrainedConfig:
    """The config of a model of these sizes.

    Args:
        heads: the number of attention heads, that of key and value heads, and the width of one.
        spread: standard deviation of the random weights.
    """
    return kind(
        vocab_size=vocabulary,
        hidden_size=width,
        intermediate_size=ffn,
        num_hidden_layers=layers,
        num_attention_heads=heads[0],
        num_key_value_heads=heads[1],
        head_dim=heads[2],
        max_position_embeddings=_CONTEXT,
        tie_word_embeddings=tied,
        rope_parameters=dict(rotation),
        initializer_range=spread,
        bos_token_id=None,
        eos_token_id=None,
        pad_token_id=None,
    )


def _tiny(kind: type[PreTrainedConfig], layers: int) -> PreTrainedConfig:
    # The weights are large, so that no two logits are close to each other.
    return _shape(kind, layers, 64, (4, 2, 16), 96, 128, {"rope_type": "default", "rope_theta": 1e4}, spread=0.4)


# Llama-3.1-8B, Llama-3.2-1B, Qwen2.5-0.5B, -7B and -32B, and tiny ones for checks.
SHAPES = {
    "llama-8b": _shape(LlamaConfig, 32, 4096, (32, 8, 128), 14336, 128256, _LLAMA3),
    "llama-1b": _shape(LlamaConfig, 16, 2048, (32, 8, 64), 8192, 128256, {**_LLAMA3, "factor": 32.0}, tied=True),
    "qwen-0.5b": _shape(Qwen2Config, 24, 896, (14, 2, 64), 4864, 151936, _QWEN, tied=True),
    "qwen-7b": _shape(Qwen2Config, 28, 3584, (28, 4, 128), 18944, 152064, _QWEN),
    "qwen-32b": _shape(Qwen2Config, 64, 5120, (40, 8, 128), 27648, 152064, _QWEN),
    "tiny": _tiny(LlamaConfig, 3),
    "tiny-draft": _tiny(LlamaConfig, 1),
    "tiny-qwen2": _tiny(Qwen2Config, 2),
    "tiny-qwen3": _tiny(Qwen3Config, 2),
}


def shape_named(name: str) -> PreTrainedConfig:
    """The shape with this name. Raises InputError if no shape has this name."""
    if name not in SHAPES:
        raise InputError(f"No shape is called {name!r}: choose one of {', '.join(SHAPES)}.")
    return SHAPES[name]


def synthetic_model(
    shape: PreTrainedConfig, device: torch.device, dtype: torch.dtype, seed: int = 0
) -> PreTrainedModel:
    """A model of this shape with random weights, created directly on the device in this number format."""
    devices = [device] if device.type == "cuda" else []
    with torch.inference_mode(False), torch.random.fork_rng(devices), torch.device(device):
        torch.manual_seed(seed)
        model: PreTrainedModel = AutoModelForCausalLM.from_config(deepcopy(shape), dtype=dtype)
    return model.eval().requires_grad_(False)


@dataclass(frozen=True, slots=True)
class SyntheticPair:
    """A target and a draft of real shapes and random weights. Both use the smaller of the two vocabularies."""

    target: CachedModel
    draft: CachedModel

    def drafter(self, recorded: Sequence[int], agreement: float) -> "SyntheticDrafter":
        """A drafter for a text whose plain continuation is known; `recorded` and `agreement` as in `SyntheticDrafter`."""
        return SyntheticDrafter(ModelDrafter(self.draft), recorded, self.target.vocabulary, agreement)


def synthetic_pair(target: str, draft: str, device: torch.device) -> SyntheticPair:
    """A pair of these shapes in bfloat16; see `SHAPES`. Raises InputError if a shape is unknown."""
    shapes = shape_named(target), shape_named(draft)
    vocabulary = min(shape.vocab_size for shape in shapes)
    models = [synthetic_model(shape, device, torch.bfloat16, seed) for seed, shape in enumerate(shapes)]
    return SyntheticPair(*(CachedModel(model, vocabulary) for model in models))


class SyntheticDrafter(Drafter):
    """Runs every pass of a draft model, then proposes recorded tokens: each is the plain one with probability `agreement`, else another.

    The tokens are not drawn from the model, so q is 1. The random generator is reset for every text, so that all runs are the same.

    Args:
        inner: makes the passes; its proposed tokens are discarded.
        recorded: ids of the prompt and its plain continuation.
        vocabulary: number of ids.
        agreement: the probability, from 0 to 1.
    """

    name = SYNTHETIC

    def __init__(self, inner: ModelDrafter, recorded: Sequence[int], vocabulary: int, agreement: float) -> None:
        self._inner, self._vocabulary, self._agreement = inner, vocabulary, agreement
        self._recorded = torch.tensor(list(recorded), device=inner.model.device)
        self._generator = torch.Generator(inner.model.device)
        self._start = 0

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        self._inner.begin(prompt, capacity)
        self._generator.manual_seed(0)

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        """As many tokens as the draft model proposes. After the end of the recorded text its last token is repeated."""
        self._start = len(committed)
        draft = self._inner.propose(committed, settings, draws, limit)
        count = len(draft.parents)
        if not count:
            return draft
        plain = self.recorded(count)
        agrees = torch.rand(count, generator=self._generator, device=plain.device) < self._agreement
        tokens = torch.where(agrees, plain, (plain + 1) % self._vocabulary)
        certain = torch.zeros_like(draft.probabilities).scatter_(-1, tokens.unsqueeze(-1), 1.0)
        return Draft(tokens, draft.parents, certain, draft.logits)

    def recorded(self, count: int) -> Tensor:
        """The next [count] tokens of the recorded text from the start of the last draft; its last token is repeated at the end."""
        indices = torch.arange(self._start, self._start + count, device=self._recorded.device)
        return self._recorded[indices.clamp(max=len(self._recorded) - 1)]

    def rule(self, settings: Settings) -> Rule:
        """The rule of the settings, applied with the recorded token as the target's choice.

        Random weights give many near ties, and bfloat16 rounds them differently in passes over one token and over several. Without
        this rule a text would soon differ from the recorded one, and no drafted token would agree any more. All passes and the rule
        itself still run.
        """
        real = rule_for(settings)

        def judge(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
            tokens = self.recorded(target.shape[0]).unsqueeze(-1)
            return real(draft, torch.zeros_like(target).scatter_(-1, tokens, 1.0), draws)

        return judge
