"""The target's own training text: batch by batch, each saved, so that the same command continues where it stopped."""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import islice
from random import Random

import torch

from specviz.errors import TrainingError
from specviz.models.tokens import TokenText
from specviz.training.drafts.conversations import Opening, opening_of, questions, temperatures
from specviz.training.drafts.documents import Documents
from specviz.training.drafts.store import OwnText, Store
from specviz.training.drafts.unseen import Unseen
from specviz.training.drafts.writer import Writer, Written

_TRIES = 5
"""How often questions are asked for again, where none of a batch could be used."""
_MOST_DIFFERENT = 0.1
"""Mean total variation distance between the distributions of a batch and of a plain pass that rounding may cause; a wrong mask exceeds it."""


@dataclass(frozen=True, slots=True)
class Amount:
    """How much the target writes.

    Attributes:
        tokens: in all, prompts not counted.
        at_once: texts in a batch.
        longest: new tokens of a text, at most.
        temperature: at which every second text is sampled; the others are greedy.
        seed: of questions and samples.
    """

    tokens: int
    at_once: int = 128
    longest: int = 256
    temperature: float = 0.8
    seed: int = 0

    @property
    def identity(self) -> str:
        """What a batch depends on: everything but how many there are."""
        return f"{self.at_once} {self.longest} {self.temperature} {self.seed}"


@dataclass(frozen=True, slots=True)
class Author:
    """The target with all that it needs to write text.

    Attributes:
        writer: the target, in the number format in which it writes.
        text: its tokenizer.
        ends: the ids that end a text.
        documents: texts to continue, instead of questions; needed where there is no chat template.
        unseen: prompts that it may not write.
    """

    writer: Writer
    text: TokenText
    ends: frozenset[int]
    documents: Documents | None = None
    unseen: Unseen = Unseen()  # noqa: RUF009  # it never changes

    def texts(self, amount: Amount, number: int) -> list[Written]:
        """Batch `number`, which depends on its number and the settings alone.

        Raises:
            TrainingError: the target writes no questions, or cannot read the documents.
        """
        generator = torch.Generator(self.writer.model.device).manual_seed(amount.seed * 1_000_003 + number)
        prompts = self._prompts(amount, number, generator)
        heat = temperatures(len(prompts), amount.temperature)
        return self.writer.write(prompts, amount.longest, heat, generator, self.ends)

    def _prompts(self, amount: Amount, number: int, generator: torch.Generator) -> list[list[int]]:
        if self.documents is not None:
            random = Random(f"{amount.seed} {number}")  # noqa: S311  # text, not secrets
            return list(islice(self.documents.beginnings(self.text, random), amount.at_once))
        opening = self._opening()
        for _ in range(_TRIES):
            found = questions(self.writer, self.text, opening, amount.at_once, generator, self.unseen)
            if found:
                return found
        raise TrainingError(
            f"The target wrote no question that can be used, of {_TRIES * amount.at_once}: give texts to continue with --text FOLDER."
        )

    def _opening(self) -> Opening:
        if not self.text.has_template:
            raise TrainingError(
                "This target has no chat template, so it cannot write questions: give texts to continue with --text FOLDER."
            )
        return opening_of(self.text, self.ends)


def own_text(
    author: Author,
    amount: Amount,
    store: Store,
    report: Callable[[int, float], object] = lambda tokens, rate: None,
) -> OwnText:
    """All that the target writes: answers to its own questions, or continuations of texts.

    Training on what the target writes itself: Kim and Rush 2016 (sequence-level distillation); for drafts: Zhou et al. 2024 (DistillSpec),
    section 4. A run that was stopped ends with the same text.

    Args:
        store: where finished batches are kept.
        report: callback with the tokens so far and the tokens a second of this run.

    Raises:
        TrainingError: there is neither a chat template nor a folder, the target writes no questions, or it writes otherwise in a batch than alone.
        CheckpointError: a batch cannot be written, or is broken.
    """
    number = tokens = fresh = 0
    began = time.monotonic()
    while tokens < amount.tokens:
        size = store.size(number)
        if size is None:
            texts = author.texts(amount, number)
            if not fresh:
                check(author.writer, texts)
            store.add(number, texts)
            size = sum(len(each.top_ids) for each in texts)
            fresh += size
        number, tokens = number + 1, tokens + size
        report(min(tokens, amount.tokens), fresh / max(time.monotonic() - began, 1e-9))
    return store.read(number)


@torch.inference_mode()
def check(writer: Writer, texts: Collection[Written]) -> None:
    """Compare the text that was padded most, as it was written in its batch, with a plain pass without padding and cache.

    Raises:
        TrainingError: they differ by more than rounding.
    """
    written = min(texts, key=lambda text: text.start)
    ids = torch.tensor([written.ids], device=writer.model.device)
    scores = writer.model(ids, use_cache=False).logits[0, written.start - 1 : -1, : writer.vocabulary].float()
    plain = scores.log_softmax(-1).gather(-1, written.top_ids.long().to(ids.device)).exp()
    distance = (plain - written.top_logs.to(ids.device).float().exp()).abs().sum(-1).mean() / 2
    if not float(distance) <= _MOST_DIFFERENT:
        raise TrainingError(
            f"{type(writer.model).__name__} writes otherwise in a batch than alone (distance {float(distance):.2f}), so its text cannot be "
            "used: choose another target."
        )
