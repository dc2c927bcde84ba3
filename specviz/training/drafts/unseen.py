"""Prompts that no training may see, because drafts are examined on them."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from specviz.known_pairs import embedded_folder

_FILE = Path(__file__).with_name("held_out_prompts.json")
_EMBEDDED_FILE = Path(__file__).with_name("held_out_beginnings.json")
"""Openings that the recipe of the embedded pair keeps out of its training text."""
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


def held_out_prompts(*, embedded: bool = False) -> Mapping[str, tuple[str, ...]]:
    """Kind -> prompts on which drafts are examined; beginnings of texts for the embedded target, which has no chat template."""
    file = _EMBEDDED_FILE if embedded else _FILE
    return {kind: tuple(prompts) for kind, prompts in json.loads(file.read_text(encoding="utf-8")).items()}


def is_embedded(folder: Path) -> bool:
    """Whether this is the folder of the target that comes with the project."""
    return folder.resolve() == (embedded_folder() / "target").resolve()


def _normal(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))
