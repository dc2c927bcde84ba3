"""The ready-made prompts of each pair, and what to look for in their runs. Standard library only.

Each family of pairs has a file in `assets/prompts/`: a list of objects with title, category, kind, prompt, look_for and claims. One of
them has `"first": true`: it is in the box when the page opens with that pair. The claims repeat what look_for says in a form that tests
check against the run (`tests/helpers/hints.py`).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from specviz.folders import ASSETS
from specviz.known_pairs import CHAT, EMBEDDED, FAMILY
from specviz.settings import Settings
from specviz.words import ENGLISH, translate


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


_FIELDS = ("title", "category", "kind", "look_for", "first")


def prompt_family(pair: str | None) -> str:
    """The name of the file with a pair's ready-made prompts: its family's; the chat model's for a pair without a file."""
    if pair in FAMILY:
        return EMBEDDED
    return pair if pair is not None and (ASSETS / "prompts" / f"{pair}.json").is_file() else CHAT


def hints_checked(pair: str | None, settings: Settings) -> bool:
    """True for the settings at which the hints of this pair's ready-made prompts were checked.

    Those are the defaults, for a pair whose prompts have a file. Hints of the embedded pair speak of rounds; the others of the target's
    text alone, which at temperature 0 no drafter and no draft length changes.
    """
    default = Settings()
    if pair is None or pair != prompt_family(pair):
        return False
    if pair == EMBEDDED:
        return replace(settings, seed=default.seed) == default
    return settings.greedy and settings.max_new_tokens == default.max_new_tokens


SEEN_WITH = "With the draft model, {k} tokens a round: {hint}"


def hint_for(ready: ReadyPrompt, pair: str | None, settings: Settings, language: str = ENGLISH) -> str:
    """The hint for a run with these settings, in a language; "" where no hint was checked for them.

    Where drafter and draft length are left to specviz, the hint of the embedded pair says with which ones it was seen.
    """
    if hints_checked(pair, settings):
        return translate(ready.look_for, language)
    default = Settings()
    closed = replace(settings, drafter=default.drafter, k=default.k, nodes=default.nodes, policy=default.policy)
    if "drafter" in settings.open and ready.look_for and hints_checked(pair, closed):
        return translate(SEEN_WITH, language).format(k=default.k, hint=translate(ready.look_for, language))
    return ""


@cache
def ready_prompts(family: str = EMBEDDED) -> tuple[ReadyPrompt, ...]:
    """Every ready-made prompt of a family, in order."""
    listed = json.loads((ASSETS / "prompts" / f"{family}.json").read_text(encoding="utf-8"))
    return tuple(
        ReadyPrompt(**{name: row[name] for name in _FIELDS if name in row}, text=row["prompt"]) for row in listed
    )


def first_prompt(ready: Sequence[ReadyPrompt]) -> ReadyPrompt:
    """The one that the page opens with."""
    return next((prompt for prompt in ready if prompt.first), ready[0])
