"""Prompts for the target to answer: questions that it writes itself in the user's turn."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import torch

from specviz.errors import PromptError, TrainingError
from specviz.models.tokens import TokenText
from specviz.training.drafts.unseen import Unseen
from specviz.training.drafts.writer import Writer, Written

LONGEST_QUESTION = 80
"""New tokens of a question, at most."""

_ENOUGH = 0.25
"""If fewer questions than this share are finished, those that are not are used too, as they are."""

_FREE = 3
"""Every third question has no given first words."""

_FIRST_WORDS = Path(__file__).with_name("first_words.json")

_MARK = "\u241eprompt\u241e"


@dataclass(frozen=True, slots=True)
class Opening:
    """A chat template around one turn of the user.

    Attributes:
        ids: what comes before the user's words.
        closing: the text that follows the user's words, without white space around it.
        ends: the ids that end the user's turn.
    """

    ids: tuple[int, ...]
    closing: str
    ends: frozenset[int]


def opening_of(text: TokenText, ends: Collection[int]) -> Opening:
    """The opening of a user's turn, from the tokenizer's chat template. Any special token ends the turn.

    Raises:
        TrainingError: the template does not contain the user's words as they are, or nothing comes before them.
    """
    before = closing = ""
    for content in (_MARK, [{"type": "text", "text": _MARK}]):
        try:
            parts = text.applied(content).partition(_MARK)
        except Exception:  # noqa: BLE001, S112  # a template is a program of its own, which may refuse one of the two forms
            continue
        if parts[1]:
            before, _, closing = parts
            break
    ids: list[int] = text.tokenizer(before, add_special_tokens=False, verbose=False)["input_ids"] if before else []
    if not ids:
        raise TrainingError(
            "The chat template does not show the user's words after an opening: give texts to continue with --text FOLDER."
        )
    return Opening(tuple(ids), closing.strip(), frozenset(ends) | text.special)


def questions(
    writer: Writer,
    text: TokenText,
    opening: Opening,
    count: int,
    generator: torch.Generator,
    unseen: Unseen,
) -> list[list[int]]:
    """Let the target write `count` user's turns, and give each as a prompt in the chat template: token ids.

    Sampled at temperature 1. Two of three turns continue first words that people often begin with, drawn at random: left alone, a small
    target asks "Can you provide" most of the time, and hardly ever for a story, a poem or a sum. What is empty, or one of the prompts in
    `unseen`, is left out, so fewer may come back.
    """
    beginnings = [text.tokenizer(each, add_special_tokens=False)["input_ids"] for each in first_words()]
    drawn = torch.randint(len(beginnings), (count,), generator=generator, device=generator.device).tolist()
    begun = [[*opening.ids, *([] if row % _FREE == 0 else beginnings[index])] for row, index in enumerate(drawn)]
    turns = writer.write(begun, LONGEST_QUESTION, [1.0] * count, generator, opening.ends)
    finished: list[list[int]] = []
    unfinished: list[list[int]] = []
    for turn in turns:
        words, complete = _words(turn, text, opening)
        if not words or unseen.contains(words):
            continue
        try:
            prompt = text.encode(words)
        except PromptError:  # the target wrote something that its own template refuses
            continue
        (finished if complete else unfinished).append(prompt)
    return finished if len(finished) >= _ENOUGH * count else [*finished, *unfinished]


@cache
def first_words() -> Sequence[str]:
    """Words with which people begin what they ask."""
    found: list[str] = json.loads(_FIRST_WORDS.read_text(encoding="utf-8"))
    return tuple(found)


def digest() -> str:
    """Identifies the first words."""
    return sha256(json.dumps(first_words()).encode()).hexdigest()[:8]


def _words(turn: Written, text: TokenText, opening: Opening) -> tuple[str, bool]:
    """The user's words of a turn, and whether they are complete."""
    new = turn.ids[len(opening.ids) : -1] if turn.ended else turn.ids[len(opening.ids) :]
    words: str = text.tokenizer.decode(new, skip_special_tokens=True)
    if opening.closing:
        words, found, _ = words.partition(opening.closing)
        return words.strip(), turn.ended or bool(found)
    return words.strip(), turn.ended


def temperatures(count: int, sampled: float) -> list[float]:
    """Half of the texts are written greedily, half at this temperature, because people run models both ways."""
    return [0.0 if index % 2 else sampled for index in range(count)]
