"""Text that the target writes itself, for drafts to learn from: what they will be asked to foresee is its text, not the corpus."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor
from transformers import GenerationConfig, LlamaForCausalLM, StoppingCriteria, StoppingCriteriaList

from specviz.training.tokenizer import END_ID

AT_ONCE = 256
"""Texts written side by side, all of one class: they end at about the same time."""

LONGEST = 160
"""New tokens of a text, at most."""

_SHORTEST_PROMPT, _LONGEST_PROMPT = 3, 40
_ENOUGH = 0.85


def written(
    target: LlamaForCausalLM, tokenizer: Tokenizer, documents: Iterable[tuple[str, str]], seed: str
) -> Iterator[list[int]]:
    """Yield texts as token ids: the beginning of a document, and how the target goes on; the end mark where it ends.

    Half of the batches are written greedily and half are sampled at temperature 1, since people will run the pair both ways. To learn from
    what the target writes: Kim and Rush 2016 (sequence-level distillation); for drafts: Zhou et al. 2024 (DistillSpec), section 4.

    Args:
        target: on any device; it writes in bfloat16.
        documents: (class, text), without end; only their beginnings are used.
        seed: of the beginnings' lengths and of the sampling.
    """
    random = Random(seed)  # noqa: S311  # text, not secrets
    writer = _writer(target)
    waiting: dict[str, list[list[int]]] = {}
    for kind, text in documents:
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        if len(ids) > _SHORTEST_PROMPT:
            waiting.setdefault(kind, []).append(ids)
        if len(waiting.get(kind, ())) == AT_ONCE:
            yield from _continued(writer, waiting.pop(kind), random)


def _writer(target: LlamaForCausalLM) -> LlamaForCausalLM:
    copy = LlamaForCausalLM(target.config).to(device=target.device, dtype=torch.bfloat16).eval()
    copy.load_state_dict(target.state_dict())
    return copy


def _continued(writer: LlamaForCausalLM, texts: list[list[int]], random: Random) -> Iterator[list[int]]:
    """From beginnings of one length, so that none has to be padded; texts that are no longer than that are left out."""
    length = random.randint(_SHORTEST_PROMPT, _LONGEST_PROMPT)
    prompts = [text[:length] for text in texts if len(text) > length]
    if not prompts:
        return
    greedy = random.random() < 0.5
    torch.manual_seed(random.getrandbits(31))
    config = GenerationConfig(
        do_sample=not greedy,
        top_k=0 if not greedy else None,
        max_new_tokens=LONGEST,
        eos_token_id=END_ID,
        pad_token_id=END_ID,
    )
    found: Any = writer.generate(
        torch.tensor(prompts, device=writer.device),
        attention_mask=torch.ones(len(prompts), length, dtype=torch.long, device=writer.device),
        generation_config=config,
        stopping_criteria=StoppingCriteriaList([_MostEnded(length)]),
    )
    for row in found.tolist():
        yield [*row[: row.index(END_ID)], END_ID] if END_ID in row else row


class _MostEnded(StoppingCriteria):
    """Stops a batch when most of its texts have ended: the rest would be written at the price of all."""

    def __init__(self, prompt: int) -> None:
        self._prompt = prompt

    def __call__(self, input_ids: Tensor, scores: Tensor, **rest: object) -> Tensor:  # type: ignore[override]
        ended = (input_ids[:, self._prompt :] == END_ID).any(1)
        return torch.full_like(ended, bool(ended.float().mean() > _ENOUGH))
