"""Whether what the target writes is well-formed: records parse, functions compile, letters are complete, sums are right, stories do not loop."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from recipes.embedded import openings
from recipes.embedded.answers import Pupil
from recipes.embedded.marks import Share
from recipes.embedded.templates.counting import counting_examination
from recipes.embedded.templates.functions import compiles
from recipes.embedded.templates.json_records import is_complete_record
from recipes.embedded.templates.letters import is_complete_letter
from recipes.embedded.templates.stories import repeats
from recipes.embedded.templates.sums import right as right_sum
from recipes.embedded.templates.sums import sums_examination

STORY_TOKENS = 120


@dataclass(frozen=True, slots=True)
class Exercise:
    """One exercise: prompts, and what counts as right.

    Attributes:
        prompts: number of prompts -> (prompt, expected text) for each.
        right: (prompt, continuation, expected text) -> whether it is right.
        most: maximum number of new tokens.
    """

    prompts: Callable[[int], list[tuple[str, str]]]
    right: Callable[[str, str, str], bool]
    most: int


def take(pupil: Pupil, exercise: Exercise, count: int) -> Share:
    """Let the network do one exercise with greedy decoding; returns the share of right answers.

    Args:
        count: number of prompts.
    """
    asked = exercise.prompts(count)
    texts = pupil.continuations([prompt for prompt, _ in asked], exercise.most)
    return Share(
        sum(exercise.right(prompt, text, expected) for text, (prompt, expected) in zip(texts, asked, strict=True)),
        len(asked),
    )


def counts_on(continuation: str, expected: str) -> bool:
    """Whether the continuation begins with the expected terms, the last one complete."""
    text = continuation.strip()
    return text.startswith(expected.strip()) and not text[len(expected.strip()) :][:1].isdigit()


def _openings(*kinds: str) -> Callable[[int], list[tuple[str, str]]]:
    return lambda count: [(prompt, "") for kind in kinds for prompt in openings.generated(kind, count // len(kinds))]


def _different(draw: Callable[[Random], tuple[str, str]]) -> Callable[[int], list[tuple[str, str]]]:
    def prompts(count: int) -> list[tuple[str, str]]:
        random = Random("examination")  # noqa: S311  # text, not secrets
        found: dict[str, str] = {}
        while len(found) < count:
            prompt, expected = draw(random)
            found[prompt] = expected
        return list(found.items())

    return prompts


COMPLETE: Mapping[str, Callable[[str], bool]] = {
    "JSON": is_complete_record,
    "code": compiles,
    "letters": is_complete_letter,
    "e-mails": is_complete_letter,
}
"""Class of text -> whether a text is a complete document of this class."""


def _cuts(count: int) -> list[tuple[str, str]]:
    each = -(-count // len(COMPLETE))
    return [(prompt, kind) for kind in COMPLETE for prompt in openings.cut_anywhere(kind, each)][:count]


EXERCISES: Mapping[str, Exercise] = {
    "json_valid": Exercise(_openings("JSON"), lambda prompt, text, _: is_complete_record(prompt + text), 400),
    "code_compiles": Exercise(_openings("code"), lambda prompt, text, _: compiles(prompt + text), 300),
    "letters_complete": Exercise(
        _openings("letters", "e-mails"), lambda prompt, text, _: is_complete_letter(prompt + text), 220
    ),
    "cut_anywhere_right": Exercise(_cuts, lambda prompt, text, kind: COMPLETE[kind](prompt + text), 400),
    "sums_right": Exercise(_different(sums_examination), lambda _, text, expected: right_sum(text, expected), 40),
    "counting_right": Exercise(
        _different(counting_examination), lambda _, text, expected: counts_on(text, expected), 40
    ),
    "stories_without_loops": Exercise(
        lambda count: [(prompt, "") for prompt in openings.STORIES[:count]],
        lambda prompt, text, _: not repeats(prompt + text),
        STORY_TOKENS,
    ),
}
"""Name of the figure -> the exercise that it is measured by."""
