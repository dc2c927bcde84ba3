"""The target's own training text: batch by batch, each saved, so that the same command continues where it stopped."""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from random import Random

import torch
from transformers import PreTrainedModel

from specviz.errors import TrainingError
from specviz.models.tokens import TokenText
from specviz.training.drafts.conversations import beginnings, opening_of, questions, temperatures
from specviz.training.drafts.store import OwnText, Store
from specviz.training.drafts.writer import write


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


def own_text(
    model: PreTrainedModel,
    text: TokenText,
    ends: Collection[int],
    amount: Amount,
    store: Store,
    *,
    folder: Path | None = None,
    unseen: Collection[str] = (),
    report: Callable[[int, float], object] = lambda tokens, rate: None,
) -> OwnText:
    """All that the target writes: answers to its own questions, or continuations of the texts in `folder`.

    Training on what the target writes itself: Kim and Rush 2016 (sequence-level distillation); for drafts: Zhou et al. 2024 (DistillSpec),
    section 4. A batch depends on its number and the settings alone, so a run that was stopped ends with the same text.

    Args:
        model: the target, in the number format in which it writes.
        ends: the ids that end a text.
        store: where finished batches are kept.
        folder: texts to continue; needed where there is no chat template, and used instead of questions where it is given.
        unseen: prompts, stripped and in lower case, that may not be written.
        report: callback with the tokens so far and the tokens a second of this run.

    Raises:
        TrainingError: there is neither a chat template nor a folder, or the target writes no questions.
        CheckpointError: a batch cannot be written, or is broken.
    """
    if folder is None and not text.has_template:
        raise TrainingError(
            "This target has no chat template, so it cannot write questions: give texts to continue with --text FOLDER."
        )
    opening = None if folder else opening_of(text, ends)
    number = tokens = fresh = 0
    began = time.monotonic()
    while tokens < amount.tokens:
        size = store.size(number)
        if size is None:
            generator = torch.Generator(model.device).manual_seed(amount.seed * 1_000_003 + number)
            if opening:
                prompts = questions(model, text, opening, amount.at_once, generator, unseen)
            else:
                assert folder is not None, "without an opening there is a folder"
                source = beginnings(folder, text, Random(f"{amount.seed} {number}"))  # noqa: S311  # text, not secrets
                prompts = [next(source) for _ in range(amount.at_once)]
            if not prompts:
                raise TrainingError(
                    f"The target finished none of {amount.at_once} questions: give texts to continue with --text FOLDER."
                )
            texts = write(
                model, prompts, amount.longest, temperatures(len(prompts), amount.temperature), generator, ends
            )
            store.add(number, texts)
            size = sum(len(each.top_ids) for each in texts)
            fresh += size
        number, tokens = number + 1, tokens + size
        report(min(tokens, amount.tokens), fresh / max(time.monotonic() - began, 1e-9))
    return store.read(number)
