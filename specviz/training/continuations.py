"""Text that the target writes itself, for drafts to learn from: what they will be asked to foresee is its text, not the corpus."""

from collections.abc import Container, Iterable, Iterator
from copy import deepcopy
from itertools import cycle, islice
from random import Random

import torch
from tokenizers import Tokenizer
from transformers import LlamaForCausalLM

from specviz.training.llama import end_id
from specviz.training.writing import continued, likeliest, sampled

AT_ONCE = 128
"""Documents taken at once, of whatever classes come; their texts are written side by side. One that has ended costs nothing."""

LONGEST = 160
"""New tokens of a text, at most."""

CHARACTERS = 600
"""About as long is a text that is written, beginning and continuation; of a longer document no more should count."""

_SHORTEST_BEGINNING, _LONGEST_BEGINNING = 3, 40


def written(
    target: LlamaForCausalLM,
    tokenizer: Tokenizer,
    documents: Iterable[tuple[str, str]],
    seed: str,
    precision: torch.dtype,
    as_text: Container[str] = (),
) -> Iterator[list[int]]:
    """Yield texts as token ids: the beginning of a document, and how the target goes on, up to the end mark or to the length.

    Every document begins one text, in the order in which they come, or is one: so the classes keep their shares, the rarest too. By turns a
    batch is written greedily and one is sampled at temperature 1, since people will run the pair both ways. To learn from what the target
    writes: Kim and Rush 2016 (sequence-level distillation); for drafts: Zhou et al. 2024 (DistillSpec), section 4.

    Args:
        target: on any device; it stays as it is.
        documents: (class, text); only the beginnings are used of those that are gone on with.
        seed: of the beginnings' lengths and of the sampling.
        precision: in which the target writes.
        as_text: classes of which the documents themselves are yielded, whole, ahead of what is written beside them.
    """
    random = Random(seed)  # noqa: S311  # text, not secrets
    chance = torch.Generator(target.device).manual_seed(random.getrandbits(31))
    writer = deepcopy(target).to(dtype=precision).eval()
    choices = cycle((likeliest, sampled(chance)))
    coming = iter(documents)
    while batch := list(islice(coming, AT_ONCE)):
        beginnings = []
        for kind, text in batch:
            ids = tokenizer.encode(text, add_special_tokens=False).ids
            if kind in as_text:
                yield [*ids, end_id(target)]
            else:
                beginnings.append(ids[: random.randint(_SHORTEST_BEGINNING, _LONGEST_BEGINNING)])
        if beginnings:
            for begun, new in zip(beginnings, continued(writer, beginnings, LONGEST, next(choices)), strict=True):
                yield begun + new
