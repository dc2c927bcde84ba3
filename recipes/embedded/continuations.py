"""Text that the target writes itself, for drafts to learn from: a draft will have to predict the target's text, not the corpus."""

from collections.abc import Container, Iterable, Iterator
from copy import deepcopy
from itertools import cycle, islice
from random import Random

import torch
from tokenizers import Tokenizer
from transformers import LlamaForCausalLM

from recipes.embedded.llama_folder import end_id
from recipes.embedded.writing import continued, most_likely, sampled

AT_ONCE = 128
"""Documents in a batch. A text that has ended leaves the batch, so it costs nothing."""

LONGEST = 160
"""New tokens in a text, at most."""

CHARACTERS = 600
"""About the length of a beginning with its continuation. Where shares of a mixture are counted, no more of a longer document counts."""

_SHORTEST_BEGINNING, _LONGEST_BEGINNING = 3, 40


def written(
    target: LlamaForCausalLM,
    tokenizer: Tokenizer,
    documents: Iterable[tuple[str, str]],
    seed: str,
    precision: torch.dtype,
    as_text: Container[str] = (),
) -> Iterator[list[int]]:
    """Yield texts as token ids: the beginning of a document and the target's continuation, up to the end mark or the maximum length.

    Each document gives one text, in their order, so that every class keeps its share, also the rarest. Batches are written greedily and
    sampled at temperature 1 in turn, because people run the pair both ways. Training on the teacher's output: Kim and Rush 2016
    (sequence-level distillation); for drafts: Zhou et al. 2024 (DistillSpec), section 4.

    Args:
        target: the network that writes, on any device; not changed.
        documents: (class of text, text); of a text that the target continues only the beginning is used.
        seed: for the lengths of the beginnings and for the sampling.
        precision: number format in which the target writes.
        as_text: classes of text whose documents are yielded unchanged, before the texts of the same batch that the target writes.
    """
    random = Random(seed)  # noqa: S311  # text, not secrets
    generator = torch.Generator(target.device).manual_seed(random.getrandbits(31))
    writer = deepcopy(target).to(dtype=precision).eval()
    choices = cycle((most_likely, sampled(generator)))
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
            for beginning, new in zip(beginnings, continued(writer, beginnings, LONGEST, next(choices)), strict=True):
                yield beginning + new
