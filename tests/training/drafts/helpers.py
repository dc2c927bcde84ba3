"""A tiny target with a chat template, and text as a target would have written it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from transformers import PreTrainedModel

from specviz.models.tokens import TokenText
from specviz.training.drafts.store import OwnText, TextStore
from specviz.training.drafts.writer import Writer, Written
from tests.models.folders import byte_tokenizer, save_model

CHAT = (
    "{% for m in messages %}<|begin|>{{ m['role'] }}\n{{ m['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|begin|>assistant\n{% endif %}"
)


def chat_text() -> TokenText:
    """A byte-level tokenizer with a chat template."""
    return TokenText(byte_tokenizer(template=CHAT))


@dataclass(frozen=True, slots=True)
class Scripted(Writer):
    """A target that writes what a function gives: what stands before the new words, these words, and whether the target then ends."""

    text: TokenText
    turn: Callable[[list[int]], tuple[list[int], str, bool]]

    def write(self, prompts: Sequence[Sequence[int]], *_: object, **__: object) -> list[Written]:
        """One text for each prompt."""
        found = []
        for prompt in prompts:
            before, words, ended = self.turn(list(prompt))
            new = self.text.tokenizer(words)["input_ids"] + ([0] if ended else [])
            nothing = torch.zeros(len(new), 1)
            found.append(Written([*before, *new], len(before), nothing.int(), nothing, ended))
        return found


def save_target(folder: Path, *, template: bool = True, context: int = 256) -> Path:
    """A tiny random Llama, with or without a chat template."""
    return save_model(
        folder,
        seed=3,
        tokenizer=byte_tokenizer(template=CHAT if template else None),
        context=context,
        initializer_range=0.3,
    )


def written(model: PreTrainedModel, texts: Sequence[Sequence[int]], start: int, top: int) -> list[Written]:
    """These texts as if the model had written them from index `start` on, with its own probabilities."""
    found = []
    for ids in texts:
        with torch.inference_mode():
            logs = model(torch.tensor([list(ids)])).logits[0, start - 1 : -1].float().log_softmax(-1)
        best = logs.topk(top)
        found.append(
            Written(list(ids), start, best.indices.to(torch.int32), best.values.to(torch.float16), ended=False)
        )
    return found


def stored(folder: Path, texts: Sequence[Written]) -> OwnText:
    """The same texts after a way through a store."""
    store = TextStore(folder, "this")
    store.add(0, texts)
    return store.read(1)


def as_lines(prompts: Sequence[str]) -> bytes:
    """A file with these prompts."""
    return b"".join(json.dumps({"prompt": prompt}).encode() + b"\n" for prompt in prompts)
