"""Held-out loss by class of text, in bits a byte: comparable whatever the tokenizer."""

import math
from collections.abc import Sequence
from random import Random

import torch

from specviz.training.embedded import tokenizer as tokens
from specviz.training.embedded.mixture import GENERATED, Library
from specviz.training.examination.answers import Pupil

COLLECTED = ("picture books", "fables", "prose", "verse", "orders", "word problems")
_LONGEST = 512


def texts(library: Library | None, count: int) -> dict[str, list[str]]:
    """New documents of every generated class, and held-out ones of the collected classes where there is a corpus."""
    found = {}
    for kind, write in GENERATED.items():
        random = Random(f"bits {kind}")  # noqa: S311  # text, not secrets
        found[kind] = [write(random) for _ in range(count)]
    if library is not None:
        found |= {kind: library.held_out(kind)[:count] for kind in COLLECTED}
    return found


def bits_per_byte(pupil: Pupil, documents: Sequence[str]) -> float:
    """Bits the network needs for a byte of these documents, each read from its beginning, up to 512 tokens of it."""
    nats = 0.0
    size = 0
    for text in documents:
        ids = pupil.tokenizer.encode(text, add_special_tokens=False).ids[:_LONGEST]
        size += len(pupil.tokenizer.decode(ids).encode())
        row = torch.tensor([[tokens.END_ID, *ids]])  # the end of the text before: how rows are packed in training
        with torch.inference_mode():
            logits = pupil.model(input_ids=row[:, :-1]).logits[0].float()
        nats += torch.nn.functional.cross_entropy(logits, row[0, 1:], reduction="sum").item()
    return nats / math.log(2) / max(size, 1)
