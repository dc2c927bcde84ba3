"""Prompts for the target to answer: questions that it writes itself in the user's turn, or the beginnings of given texts."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random

import torch
from transformers import PreTrainedModel

from specviz.errors import PromptError, TrainingError
from specviz.models.tokens import TokenText
from specviz.training.drafts.writer import write

LONGEST_QUESTION = 80
"""New tokens of a question, at most; a question that is not finished by then is left out."""

_MARK = "\u241eprompt\u241e"
_SHORTEST_BEGINNING, _LONGEST_BEGINNING = 3, 40


@dataclass(frozen=True, slots=True)
class Opening:
    """A chat template around one turn of the user.

    Attributes:
        ids: what comes before the user's words.
        closing: the text that follows the user's words.
        ends: the ids that end the user's turn.
    """

    ids: tuple[int, ...]
    closing: str
    ends: frozenset[int]


def opening_of(text: TokenText, ends: Collection[int]) -> Opening:
    """The opening of a user's turn, from the tokenizer's chat template.

    Raises:
        TrainingError: the template does not contain the user's words as they are.
    """
    before, found, closing = text.applied(_MARK).partition(_MARK)
    if not found:
        raise TrainingError(
            "The chat template does not show the user's words as they are: give texts with --text FOLDER."
        )
    encode = text.tokenizer
    following: list[int] = encode(closing, add_special_tokens=False, verbose=False)["input_ids"]
    special = {following[0]} if following and text.bytes_of(following[0]).special else set()
    return Opening(
        tuple(encode(before, add_special_tokens=False, verbose=False)["input_ids"]), closing, frozenset(ends) | special
    )


def questions(
    model: PreTrainedModel,
    text: TokenText,
    opening: Opening,
    count: int,
    generator: torch.Generator,
    unseen: Collection[str] = (),
) -> list[list[int]]:
    """Let the target write `count` user's turns, and give each as a prompt in the chat template: token ids.

    Sampled at temperature 1. What is empty, unfinished, or one of the prompts in `unseen` is left out, so fewer may come back.

    Args:
        unseen: prompts, stripped and in lower case, that no training may see.
    """
    written = write(model, [opening.ids] * count, LONGEST_QUESTION, [1.0] * count, generator, opening.ends)
    prompts = []
    for turn in written:
        words = text.tokenizer.decode(turn.ids[turn.start : -1] if turn.ended else turn.ids[turn.start :])
        words, closed, _ = (
            words.partition(opening.closing.strip() or "\n\n") if not turn.ended else (words, "ended", "")
        )
        words = words.strip()
        if not closed or not words or words.lower() in unseen:
            continue
        try:
            prompts.append(text.encode(words))
        except PromptError:  # the target wrote something that its own template refuses
            continue
    return prompts


def beginnings(folder: Path, text: TokenText, random: Random) -> Iterator[list[int]]:
    """Yield beginnings of the texts in a folder (*.txt, one document between blank lines), over and over, as token ids.

    Raises:
        TrainingError: there is no text in the folder.
    """
    documents = [
        document.strip()
        for file in sorted(folder.glob("**/*.txt"))
        for document in file.read_text(encoding="utf-8", errors="replace").split("\n\n")
        if document.strip()
    ]
    if not documents:
        raise TrainingError(
            f"There are no texts (*.txt) in {str(folder)!r}: name a folder with text for the target to continue."
        )
    random.shuffle(documents)
    for document in cycle(documents):
        ids = text.encode(document[:1000], template=False)[: random.randint(_SHORTEST_BEGINNING, _LONGEST_BEGINNING)]
        if ids:
            yield ids


def temperatures(count: int, sampled: float) -> Sequence[float]:
    """Half of the texts are written greedily, half at this temperature, because people run models both ways."""
    return [0.0 if index % 2 else sampled for index in range(count)]
