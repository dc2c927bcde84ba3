"""Prompts that no training may see, because drafts are examined on them."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

_FILE = Path(__file__).with_name("held_out_prompts.json")
_WORDS = re.compile(r"\w+")
_LONG = 4
"""A prompt of so many words may not occur inside a longer one either."""


class Unseen:
    """Prompts that are recognised whatever their case, spaces and punctuation."""

    def __init__(self, prompts: Iterable[str] = ()) -> None:
        self._prompts = frozenset(filter(None, map(_normal, prompts)))
        self._long = tuple(prompt for prompt in sorted(self._prompts) if prompt.count(" ") >= _LONG - 1)

    def contains(self, text: str) -> bool:
        """Whether the text is one of the prompts, or has a prompt of at least four words inside."""
        words = _normal(text)
        return words in self._prompts or any(f" {prompt} " in f" {words} " for prompt in self._long)


def held_out_prompts() -> Mapping[str, tuple[str, ...]]:
    """Kind -> prompts on which drafts are examined."""
    return {kind: tuple(prompts) for kind, prompts in json.loads(_FILE.read_text(encoding="utf-8")).items()}


def _normal(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))
