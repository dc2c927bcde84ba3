"""Tiny models of real architectures with random weights, built by name."""

from copy import deepcopy
from typing import Any

import torch
import transformers
from transformers import PreTrainedModel

from tests.helpers.architecture_rows import ABSENT, BASE, FURTHER_ROWS, PROMPT_LENGTH, ROWS, VOCABULARY, Architecture

NOISE = 0.04
"""Share of each weight tensor's standard deviation that `near` adds as noise."""

ARCHITECTURES: dict[str, Architecture] = {row.name: row for row in (*ROWS, *FURTHER_ROWS)}


def build(name: str, seed: int = 0) -> PreTrainedModel:
    """The tiny model of this row with random weights: float32, on the CPU, in evaluation mode."""
    row = ARCHITECTURES[name]
    chosen = getattr(transformers, row.class_name)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model: PreTrainedModel = chosen(chosen.config_class(**described(row))).eval()
    return model


def described(row: Architecture) -> dict[str, Any]:
    """The arguments of this row's config; of a model with a text part, `BASE` describes that part."""
    if "text_config" in row.options:
        return {**row.options, "text_config": {**BASE, **row.options["text_config"]}}
    return {key: value for key, value in {**BASE, **row.options}.items() if value is not ABSENT}


def near(model: PreTrainedModel, seed: int = 0) -> PreTrainedModel:
    """The same model with a little noise on every weight: a draft that is sometimes accepted and sometimes not."""
    moved = deepcopy(model)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in moved.parameters():
            scale = weight.std() if weight.numel() > 1 else weight.abs().mean()
            weight.add_(NOISE * scale * torch.randn(weight.shape, generator=generator))
    return moved


def prompt(seed: int = 0) -> list[int]:
    """`PROMPT_LENGTH` token ids without the two special ones."""
    generator = torch.Generator().manual_seed(seed)
    return [int(i) for i in torch.randint(2, VOCABULARY, (PROMPT_LENGTH,), generator=generator)]
