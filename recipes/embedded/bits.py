"""Held-out loss in bits a byte: comparable whatever the tokenizer."""

import math
from collections.abc import Sequence

import torch

from recipes.embedded.answers import Pupil

_LONGEST = 512


def bits_per_byte(pupil: Pupil, documents: Sequence[str]) -> float:
    """Cross-entropy of these documents in bits a byte (UTF-8): each is read from its beginning, up to 512 tokens. 0 without documents."""
    nats = 0.0
    size = 0
    for text in documents:
        ids = pupil.tokenizer.encode(text, add_special_tokens=False).ids[:_LONGEST]
        size += len(pupil.tokenizer.decode(ids).encode())
        row = torch.tensor([[pupil.end, *ids]])  # documents follow an end mark, as in training
        with torch.inference_mode():
            logits = pupil.model(input_ids=row[:, :-1]).logits[0].float()
        nats += torch.nn.functional.cross_entropy(logits, row[0, 1:], reduction="sum").item()
    return nats / math.log(2) / max(size, 1)
