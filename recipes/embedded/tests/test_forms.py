"""The exercises: prompts that stand in no training text, and judges that let through only what holds together."""

import re
from pathlib import Path

import pytest

from recipes.embedded import forms, openings
from recipes.embedded.answers import Pupil
from recipes.embedded.mixture import Library
from recipes.embedded.templates import counting, sums
from recipes.embedded.templates.functions import function
from recipes.embedded.templates.json_records import records
from recipes.embedded.templates.letters import closings, email, letter
from recipes.embedded.templates.stories import story
from recipes.embedded.tests.helpers import documents

NAMES = tuple(forms.EXERCISES)
OPENED = ("json_valid", "code_compiles", "letters_complete")
SEEDS = 40
"""So many documents of a class are judged."""


def judged(name: str, text: str, cut: int, expected: str = "") -> bool:
    """What the exercise says of a document whose first `cut` characters were the prompt."""
    return forms.EXERCISES[name].right(text[:cut], text[cut:], expected)


def test_the_exercises_are_those_that_the_report_names() -> None:
    """The figures on forms, each under its own name."""
    assert set(NAMES) == {
        "json_valid",
        "code_compiles",
        "letters_complete",
        "cut_anywhere_right",
        "sums_right",
        "counting_right",
        "stories_without_loops",
    }


def test_prompts_are_all_different_and_always_the_same() -> None:
    """As many prompts as were asked for, where there are as many, no two alike, and the same ones every time."""
    for name in NAMES:
        prompts = forms.EXERCISES[name].prompts(100)
        assert len(prompts) == (len(openings.STORIES) if name == "stories_without_loops" else 100)
        assert len({prompt for prompt, _ in prompts}) == len(prompts)
        assert forms.EXERCISES[name].prompts(100) == prompts
        assert forms.EXERCISES[name].prompts(10) == prompts[:10] or name in ("letters_complete", "cut_anywhere_right")
        assert len(forms.EXERCISES[name].prompts(10)) == 10


def test_no_training_text_begins_like_a_prompt() -> None:
    """Whatever begins with a prompt is kept out of the training text; text that does not is let in."""
    for name in (*OPENED, "stories_without_loops"):
        held_out = openings.held_out((), Library(None, ()))
        for prompt, _ in forms.EXERCISES[name].prompts(100):
            assert held_out.touches(prompt + " and so on.")
            assert not held_out.touches("Nothing " + prompt)


def test_sums_are_asked_on_reserved_pairs_only() -> None:
    """Every word problem names two numbers that no training text adds, and expects their sum."""
    for prompt, expected in forms.EXERCISES["sums_right"].prompts(100):
        numbers = [int(found) for found in re.findall(r"\d+", prompt)]
        pairs = [(a, b) for at, a in enumerate(numbers) for b in numbers[at + 1 :] if a + b == int(expected)]
        assert any(sums.held_out(a, b) for a, b in pairs), prompt


def test_counting_is_asked_on_reserved_runs_only() -> None:
    """Every run shown is one that no training text counts, and the expected terms continue with the same step."""
    for prompt, expected in forms.EXERCISES["counting_right"].prompts(100):
        run = re.search(r"\d+(?:, \d+)+(?=,$)", prompt)
        assert run, prompt
        terms = [int(term) for term in run[0].split(", ")]
        step = terms[1] - terms[0]
        assert counting.held_out(terms[0], step)
        following = [int(term) for term in expected.split(", ")]
        assert terms + following == list(range(terms[0], terms[0] + step * (len(terms) + 5), step))


def test_json_must_be_whole() -> None:
    """A whole record is valid wherever it was cut; without its end, or with something after it, it is not."""
    for text in documents(records, SEEDS):
        assert judged("json_valid", text, len(text) // 5), text
        assert not judged("json_valid", text.rstrip()[:-1], len(text) // 5), text
        assert not judged("json_valid", text + text, len(text) // 5), text
        assert not judged("json_valid", '"' + text[:5], 3), text


def test_code_must_compile() -> None:
    """A function compiles; its head alone does not, nor does it with a bracket too many."""
    for text in documents(function, SEEDS):
        head = text.index(":\n", text.index("def ")) + 2
        assert judged("code_compiles", text, head), text
        assert not judged("code_compiles", text[:head], head), text
        assert not judged("code_compiles", text + "\n)", head), text


def test_letters_must_close() -> None:
    """A letter with greeting, text, closing and signature is complete; cut before its closing it is not."""
    for text in (*documents(letter, SEEDS), *documents(email, SEEDS)):
        closing = min(at for word in closings() if (at := text.find(f"\n{word}\n")) >= 0)
        assert judged("letters_complete", text, 30), text
        assert not judged("letters_complete", text[:closing], 30), text
        assert not judged("letters_complete", text[closing:], 3), text


def test_stories_must_not_repeat() -> None:
    """A story passes; a story that repeats one of its sentences is a loop."""
    for text in documents(story, SEEDS):
        assert judged("stories_without_loops", text, 30), text
        assert not judged("stories_without_loops", f"{text} {text}", 30), text
        assert not judged("stories_without_loops", f"{text} {text}", len(text)), text


def test_sums_must_be_right() -> None:
    """The number after the first equals sign decides, to its last digit."""
    for prompt, expected in forms.EXERCISES["sums_right"].prompts(12):
        right = forms.EXERCISES["sums_right"].right
        assert right(prompt, f"3 + 4 = {expected}. There are many.", expected), prompt
        assert not right(prompt, f"3 + 4 = {int(expected) + 1}.", expected), prompt
        assert not right(prompt, f"3 + 4 = {expected}0.", expected), prompt
        assert not right(prompt, "There are many.", expected), prompt


def test_counting_must_go_on_right() -> None:
    """All five terms have to follow, in order."""
    for prompt, expected in forms.EXERCISES["counting_right"].prompts(12):
        right = forms.EXERCISES["counting_right"].right
        terms = expected.split(", ")
        assert right(prompt, f" {expected}.", expected), prompt
        assert right(prompt, f" {expected}, and so on.", expected), prompt
        assert not right(prompt, " " + ", ".join(terms[:-1]) + ".", expected), prompt
        assert not right(prompt, " " + ", ".join([*terms[1:], "1"]) + ".", expected), prompt
        assert not right(prompt, " " + ", ".join([*terms[:-1], str(int(terms[-1]) + 1)]) + ".", expected), prompt


@pytest.mark.slow
def test_a_network_is_marked_by_what_it_writes(miniature: Path) -> None:
    """The share taken is that of the network's own greedy texts that the judge accepts, prompt by prompt."""
    pupil = Pupil.of(miniature / "target")
    asked = [(f"Tell {word}", word) for word in ("one", "two", "three")]
    texts = pupil.continuations([prompt for prompt, _ in asked], 5)
    seen: list[tuple[str, str, str]] = []

    def judge(prompt: str, text: str, expected: str) -> bool:
        seen.append((prompt, text, expected))
        return expected != "two"

    share = forms.take(pupil, forms.Exercise(lambda count: asked[:count], judge, 5), 3)
    assert (share.right, share.asked) == (2, 3)
    assert seen == [(prompt, text, word) for (prompt, word), text in zip(asked, texts, strict=True)]
