"""The ready-made prompts, and the choice of those to measure. Standard library only."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from specviz.errors import InputError
from specviz.folders import ASSETS


@dataclass(frozen=True, slots=True)
class ReadyPrompt:
    """A ready-made prompt."""

    title: str
    category: str
    text: str


def ready_prompts() -> tuple[ReadyPrompt, ...]:
    """Every ready-made prompt, in order."""
    path: Path = ASSETS / "prompts.json"
    listed = json.loads(path.read_text(encoding="utf-8"))
    return tuple(ReadyPrompt(each["title"], each["category"], each["prompt"]) for each in listed)


def chosen_prompts(words: Sequence[str], ready: Sequence[ReadyPrompt]) -> tuple[ReadyPrompt, ...]:
    """The prompts selected by these words: categories (all by default), and the number of prompts of each (1 by default).

    Raises:
        InputError: a word is neither a category nor a number, or there are two numbers.
    """
    known = tuple(dict.fromkeys(prompt.category for prompt in ready))
    numbers = [word for word in words if word.isdecimal()]
    wanted = [word for word in words if not word.isdecimal()]
    unknown = next((word for word in wanted if word not in known), None)
    if unknown is not None:
        raise InputError(
            f"prompts was {unknown!r}: give a number of prompts per category, or categories from {', '.join(known)}."
        )
    if len(numbers) > 1 or "0" in numbers:
        raise InputError(
            f"prompts was {' '.join(words)!r}: give at most one number, from 1 on, of prompts per category."
        )
    each = int(numbers[0]) if numbers else 1
    chosen: list[ReadyPrompt] = []
    for category in wanted or known:
        chosen.extend([prompt for prompt in ready if prompt.category == category][:each])
    return tuple(dict.fromkeys(chosen))
