"""The ready-made prompts of each pair, and the choice of those to measure. Standard library only.

Each family of pairs has a file in `assets/prompts/`: a list of objects with title, category, kind, prompt, look_for and claims. One of
them has `"first": true`: it is in the box when the page opens with that pair. The claims repeat what look_for says in a form that tests
check against the run (`tests/helpers/hints.py`).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from specviz.errors import InputError
from specviz.folders import ASSETS
from specviz.known_pairs import CHAT, EMBEDDED, FAMILY
from specviz.settings import Settings, check_prompt
from specviz.words import ENGLISH, said

_TITLE = 40
"""Letters of the title of a typed prompt."""


@dataclass(frozen=True, slots=True)
class ReadyPrompt:
    """A ready-made prompt.

    Attributes:
        kind: of its category, "easy to guess" or "hard to guess" for the draft of the family's own pair, as measured in its runs; "" where
            its prompts do not have that in common.
        look_for: one or two sentences on what to look for, true of the family's own pair in float32 where `hints_checked`; "" where there are none.
        first: whether the page opens with it.
    """

    title: str
    category: str
    text: str
    kind: str = ""
    look_for: str = ""
    first: bool = False


def own_prompt(text: str) -> ReadyPrompt:
    """A text that a person typed: its beginning is its title.

    Raises:
        PromptError: it cannot be run; see `specviz.settings.check_prompt`.
    """
    check_prompt(text)
    return ReadyPrompt(" ".join(text.split())[:_TITLE], "own", text)


def prompt_family(pair: str | None) -> str:
    """Whose ready-made prompts a pair has: its family's, by the name of the file. Pairs without a file have the chat model's."""
    if pair in FAMILY:
        return EMBEDDED
    return pair if pair is not None and (ASSETS / "prompts" / f"{pair}.json").is_file() else CHAT


def hints_checked(pair: str | None, settings: Settings) -> bool:
    """Whether a run of this pair has the settings at which the hints of its ready-made prompts were checked: the defaults, for a pair
    whose prompts have a file. Those of the embedded pair speak of rounds; the others of the target's text alone, which at temperature 0
    no drafter and no draft length changes."""
    usual = Settings()
    if pair is None or pair != prompt_family(pair):
        return False
    if pair == EMBEDDED:
        return replace(settings, seed=usual.seed) == usual
    return settings.greedy and settings.max_new_tokens == usual.max_new_tokens


SEEN_WITH = "With the draft model, {k} tokens a round: {hint}"


def hint_for(ready: ReadyPrompt, pair: str | None, settings: Settings, language: str = ENGLISH) -> str:
    """What to look for in a run with these settings, in a language; "" where that is not known. Where drafter and draft length are left to specviz, the hint of
    the embedded pair says with which ones it was seen."""
    if hints_checked(pair, settings):
        return said(ready.look_for, language)
    usual = Settings()
    closed = replace(settings, drafter=usual.drafter, k=usual.k, nodes=usual.nodes, policy=usual.policy)
    if "drafter" in settings.open and ready.look_for and hints_checked(pair, closed):
        return said(SEEN_WITH, language).format(k=usual.k, hint=said(ready.look_for, language))
    return ""


def ready_prompts(family: str = EMBEDDED) -> tuple[ReadyPrompt, ...]:
    """Every ready-made prompt of a family, in order."""
    listed = json.loads((ASSETS / "prompts" / f"{family}.json").read_text(encoding="utf-8"))
    return tuple(
        ReadyPrompt(
            each["title"],
            each["category"],
            each["prompt"],
            each.get("kind", ""),
            each["look_for"],
            each.get("first", False),
        )
        for each in listed
    )


def prompts_of_file(path: str | Path) -> tuple[ReadyPrompt, ...]:
    """The prompts of a file: a JSON list of objects with title, category and prompt.

    Raises:
        InputError: the file cannot be read, or is not such a list.
    """
    try:
        listed = json.loads(Path(path).read_text(encoding="utf-8"))
        found = tuple(ReadyPrompt(each["title"], each["category"], each["prompt"]) for each in listed)
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"
        raise InputError(
            f"The prompts {str(path)!r} could not be read ({reason}): give a JSON list of objects with title, category and prompt."
        ) from error
    texts = [text for each in found for text in (each.title, each.category, each.text)]
    if not found or not all(isinstance(text, str) and text for text in texts):
        raise InputError(
            f"The prompts {str(path)!r} are no list of prompts: each needs a title, a category and a prompt."
        )
    return found


def first_prompt(ready: Sequence[ReadyPrompt]) -> ReadyPrompt:
    """The one that the page opens with."""
    return next((prompt for prompt in ready if prompt.first), ready[0])


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
