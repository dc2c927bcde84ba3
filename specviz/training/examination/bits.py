"""Held-out loss in bits a byte: comparable whatever the tokenizer."""

import math
from collections.abc import Sequence

import torch

from specviz.training.examination.answers import Pupil

_LONGEST = 512


def bits_per_byte(pupil: Pupil, documents: Sequence[str]) -> float:
    """Bits the network needs for a byte of these documents, each read from its beginning, up to 512 tokens of it."""
    nats = 0.0
    size = 0
    for text in documents:
        ids = pupil.tokenizer.encode(text, add_special_tokens=False).ids[:_LONGEST]
        size += len(pupil.tokenizer.decode(ids).encode())
        row = torch.tensor([[pupil.end, *ids]])  # the end of the text before: how rows are packed in training
        with torch.inference_mode():
            logits = pupil.model(input_ids=row[:, :-1]).logits[0].float()
        nats += torch.nn.functional.cross_entropy(logits, row[0, 1:], reduction="sum").item()
    return nats / math.log(2) / max(size, 1)
