"""The target's own training text: batch by batch, each saved, so that the same command continues where it stopped."""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from itertools import islice
from random import Random

import torch

from specviz.errors import TrainingError
from specviz.models.heads.packed import packed_linears
from specviz.models.tokens import TokenText
from specviz.training.drafts.conversations import Opening, opening_of, questions, temperatures
from specviz.training.drafts.documents import Documents
from specviz.training.drafts.prompt_file import GivenPrompt
from specviz.training.drafts.store import OwnText, StoredBatch, TextStore
from specviz.training.drafts.unseen import Unseen
from specviz.training.drafts.writer import Writer, Written

_TRIES = 5
"""How often questions are asked for again, where none of a batch could be used."""
_OWN_SHARE = 2
"""Where prompts are given, so many of them are answered for each question of the target's own."""
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
        part: which of `parts` parts this is, from 0; the parts share the given prompts, and each has questions of its own.
        parts: into how many parts the work is divided.
    """

    tokens: int
    at_once: int = 128
    longest: int = 256
    temperature: float = 0.8
    seed: int = 0
    part: int = 0
    parts: int = 1

    @property
    def identity(self) -> str:
        """What a batch depends on: everything but how many there are."""
        part = f" part {self.part + 1} of {self.parts}" if self.parts > 1 else ""
        return f"{self.at_once} {self.longest} {self.temperature} {self.seed}{part}"

    def seed_of(self, batch: int) -> int:
        """Of the samples of a batch; no two batches of any part have the same."""
        return (self.seed * 1_000_003 + batch) * self.parts + self.part


@dataclass(frozen=True, slots=True)
class SoFar:
    """What the target has written.

    Attributes:
        batches, tokens: how many, prompts of the texts not counted.
        own: texts whose prompts are not from a file.
        given: indices of the prompts of a file that are answered.
    """

    batches: int = 0
    tokens: int = 0
    own: int = 0
    given: frozenset[int] = frozenset()

    def with_batch(self, batch: StoredBatch) -> "SoFar":
        """And the next batch."""
        given = frozenset(batch.given) - {-1}
        own = batch.given.count(-1)
        return SoFar(self.batches + 1, self.tokens + batch.tokens, self.own + own, self.given | given)


@dataclass(frozen=True, slots=True)
class Author:
    """The target with all that it needs to write text.

    Attributes:
        writer: the target, in the number format in which it writes.
        text: its tokenizer.
        ends: the ids that end a text.
        documents: texts to continue, instead of questions; needed where there is no chat template.
        unseen: prompts that it may not write.
        given: prompts of a file, in the order in which they are answered: two thirds of the texts answer them, as long as there are any.
    """

    writer: Writer
    text: TokenText
    ends: frozenset[int]
    documents: Documents | None = None
    unseen: Unseen = Unseen()  # noqa: RUF009  # it never changes
    given: tuple[GivenPrompt, ...] = ()

    def texts(self, amount: Amount, so_far: SoFar) -> list[Written]:
        """The next batch, which depends on what was written and the settings alone.

        Raises:
            TrainingError: the target writes no questions, or cannot read the documents.
        """
        number = so_far.batches
        generator = torch.Generator(self.writer.model.device).manual_seed(amount.seed_of(number))
        left = (prompt for prompt in self.given if prompt.index not in so_far.given)
        if _OWN_SHARE * so_far.own >= len(so_far.given) and (given := list(islice(left, amount.at_once))):
            texts = self._answers([prompt.ids for prompt in given], amount, generator)
            return [replace(text, given=prompt.index) for text, prompt in zip(texts, given, strict=True)]
        return self._answers(self._prompts(amount, number, generator), amount, generator)

    def _answers(self, prompts: list[list[int]], amount: Amount, generator: torch.Generator) -> list[Written]:
        heat = temperatures(len(prompts), amount.temperature)
        return self.writer.write(prompts, amount.longest, heat, generator, self.ends)

    def _prompts(self, amount: Amount, number: int, generator: torch.Generator) -> list[list[int]]:
        if self.documents is not None:
            random = Random(f"{amount.seed} {amount.part + number * amount.parts}")  # noqa: S311  # text, not secrets
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
    store: TextStore,
    report: Callable[[SoFar, float], object] = lambda so_far, rate: None,
) -> OwnText:
    """All that the target writes: answers to given prompts and to its own questions, or continuations of texts.

    Training on what the target writes itself: Kim and Rush 2016 (sequence-level distillation); for drafts: Zhou et al. 2024 (DistillSpec),
    section 4. A run that was stopped ends with the same text. Where prompts are given, no probabilities are kept: such text is for heads,
    which let the target read it again.

    Args:
        store: where finished batches are kept.
        report: callback with what is written so far and the tokens a second of this run.

    Raises:
        TrainingError: there is neither a chat template nor a folder, the target writes no questions, or it writes otherwise in a batch than alone.
        CheckpointError: a batch cannot be written, or is broken.
    """
    so_far, fresh = SoFar(), 0
    began = time.monotonic()
    while so_far.tokens < amount.tokens:
        batch = store.batch(so_far.batches)
        if batch is None:
            with packed_linears(author.writer.model):
                texts = author.texts(amount, so_far)
            if not fresh:
                check(author.writer, texts)
            batch = store.add(so_far.batches, [text.ids_only() for text in texts] if author.given else texts)
            fresh += batch.tokens
        so_far = so_far.with_batch(batch)
        report(so_far, fresh / max(time.monotonic() - began, 1e-9))
    return store.read(so_far.batches)


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
