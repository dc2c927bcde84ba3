"""Counting and lists."""

import re
from random import Random

import pytest

from specviz.training.embedded.templates.counting import (
    ALPHABET,
    LAST_START,
    STEPS,
    counting,
    counting_examination,
    held_out,
    number_word,
)
from specviz.training.embedded.templates.lists import listing
from specviz.training.embedded.templates.words import MONTHS, WEEKDAYS

SEEDS = range(3000)
WORDS = {number_word(number): number for number in range(100)}


def seeded(seed: int) -> Random:
    return Random(seed)  # noqa: S311


def runs(text: str) -> list[list[int]]:
    found = [[int(term) for term in run.split(", ")] for run in re.findall(r"\d+(?:, \d+){2,}", text)]
    spelled = [re.split(r", ", line.split(": ")[-1].rstrip(".").lower()) for line in text.split("\n")]
    return found + [
        [WORDS[word] for word in words] for words in spelled if len(words) > 2 and set(words) <= WORDS.keys()
    ]


def test_about_an_eighth_of_the_pairs_is_reserved() -> None:
    """The rule reserves 10% to 14% of the pairs, some of each step, and never the runs that everybody knows."""
    pairs = [(start, step) for start in range(LAST_START + 1) for step in STEPS]
    assert 0.10 <= sum(held_out(*pair) for pair in pairs) / len(pairs) <= 0.14
    assert all(any(held_out(start, step) for start in range(LAST_START + 1)) for step in STEPS)
    assert not any(held_out(start, step) for step in STEPS for start in (0, step))
    assert not held_out(1, 1)


def test_runs_are_arithmetic_and_none_is_reserved() -> None:
    """Every run of numbers goes on by one step, and no training text holds a run with a reserved start and step."""
    seen = [run for seed in SEEDS for text in (counting(seeded(seed)), listing(seeded(seed))) for run in runs(text)]
    assert len(seen) > len(SEEDS)
    for run in seen:
        step = run[1] - run[0]
        assert run == [run[0] + step * number for number in range(len(run))]
        assert not held_out(run[0], step)


def test_the_heading_of_a_run_tells_its_start_step_and_end() -> None:
    """A run said to count by a step from a number to a number does just that."""
    pattern = re.compile(r"Counting (down )?by (\d+) from (\d+) to (\d+): ([\d, ]+)\.")
    matches = [match for seed in SEEDS for match in pattern.finditer(counting(seeded(seed)))]
    assert len(matches) > 100
    for down, step, start, end, run in (match.groups() for match in matches):
        terms = [int(term) for term in run.split(", ")]
        assert terms[1] - terms[0] == (-int(step) if down else int(step))
        assert (terms[0], terms[-1]) == (int(start), int(end))


def test_the_examination_asks_for_reserved_runs() -> None:
    """A prompt shows three or four terms of a reserved run and a comma, and the answer is its next five terms."""
    for seed in range(500):
        prompt, expected = counting_examination(seeded(seed))
        assert re.search(r"\d,$", prompt)
        (run,) = runs(f"{prompt} {expected}")
        step = run[1] - run[0]
        assert run == [run[0] + step * number for number in range(len(run))]
        assert held_out(run[0], step)
        assert len(expected.split(", ")) == 5
        assert len(run) in {8, 9}


def test_prompts_begin_as_training_texts_do() -> None:
    """Every wording of a prompt is found in training texts too."""

    def wording(text: str) -> str:
        return (
            re.sub(r"\d+", "0", re.sub(r" in [a-z-]+ from", " in x from", text.partition(":")[0]))
            if ":" in text
            else ""
        )

    trained = {wording(line) for seed in SEEDS for line in counting(seeded(seed)).split("\n")}
    assert {wording(counting_examination(seeded(seed))[0]) for seed in range(500)} <= trained


def test_weekdays_and_months_follow_one_another() -> None:
    """What is said to come after a day or a month does."""
    following = dict(zip(WEEKDAYS + MONTHS, (*WEEKDAYS[1:], WEEKDAYS[0], *MONTHS[1:], MONTHS[0]), strict=True))
    text = "\n".join(counting(seeded(seed)) for seed in SEEDS)
    said = re.findall(r"[Aa]fter ([A-Z]\w+)(?: is| comes|\?) (\w+)\.", text) + re.findall(
        r"comes after (\w+)\? (\w+)\.", text
    )
    assert len(said) > 200
    assert all(following[first] == second for first, second in said)
    assert ", ".join(ALPHABET) in text


@pytest.mark.parametrize(
    ("number", "word"), [(0, "zero"), (13, "thirteen"), (20, "twenty"), (42, "forty-two"), (99, "ninety-nine")]
)
def test_number_words(number: int, word: str) -> None:
    """Numbers below a hundred have their English words."""
    assert number_word(number) == word


def test_a_list_has_as_many_things_as_its_heading_says() -> None:
    """A heading that begins with a number word is followed by just that many different things."""
    checked = 0
    for seed in SEEDS:
        heading, _, rest = listing(seeded(seed)).partition(":")
        count = WORDS.get(heading.split()[0].lower())
        if count is None:
            continue
        lines = rest.strip().split("\n")
        things = (
            [re.sub(r"^(- |\d+\. )", "", line) for line in lines]
            if len(lines) > 1
            else re.split(r", | and ", rest.strip(" ."))
        )
        assert len(set(things)) == len(things) == count
        checked += 1
    assert checked > 500


def test_numbered_lines_count_from_one() -> None:
    """Numbered lines have the numbers one, two, three and so on."""
    for seed in SEEDS:
        numbers = [int(number) for number in re.findall(r"^(\d+)\. ", listing(seeded(seed)), re.MULTILINE)]
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("write", [counting, listing])
def test_documents_are_clean_and_varied(write: object) -> None:
    """Documents have no outer white space, a fair length, one text per seed, and are mostly different."""
    assert callable(write)
    documents = [write(seeded(seed)) for seed in SEEDS]
    assert documents[:50] == [write(seeded(seed)) for seed in range(50)]
    assert len(set(documents)) > 0.9 * len(documents)
    for document in documents:
        assert document == document.strip()
        assert document.isascii()
        assert 30 <= len(document) <= 900
