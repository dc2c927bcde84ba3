"""Counting and lists."""

import re
from functools import cache

import pytest

from recipes.embedded.templates.counting import (
    ALPHABET,
    LAST_START,
    STEPS,
    counting,
    counting_examination,
    held_out,
    number_word,
)
from recipes.embedded.templates.lists import listing
from recipes.embedded.templates.words import words
from recipes.embedded.tests.helpers import documents, seeded

pytestmark = [pytest.mark.slow]

COUNT = 3000


@cache
def numbers_by_word() -> dict[str, int]:
    return {number_word(number): number for number in range(100)}


def runs(text: str) -> list[list[int]]:
    found = [[int(term) for term in run.split(", ")] for run in re.findall(r"\d+(?:, \d+){2,}", text)]
    spelled = [re.split(r", ", line.split(": ")[-1].rstrip(".").lower()) for line in text.split("\n")]
    known = numbers_by_word()
    return found + [[known[word] for word in each] for each in spelled if len(each) > 2 and set(each) <= known.keys()]


def test_about_an_eighth_of_the_pairs_is_reserved() -> None:
    """The rule reserves 10% to 14% of the pairs, some of each step, and never the runs that everybody knows."""
    pairs = [(start, step) for start in range(LAST_START + 1) for step in STEPS]
    assert 0.10 <= sum(held_out(*pair) for pair in pairs) / len(pairs) <= 0.14
    assert all(any(held_out(start, step) for start in range(LAST_START + 1)) for step in STEPS)
    assert not any(held_out(start, step) for step in STEPS for start in (0, step))
    assert not held_out(1, 1)


def test_runs_are_arithmetic_and_none_is_reserved() -> None:
    """Every run of numbers has one step, and no training text contains a run with a reserved start and step."""
    seen = [run for write in (counting, listing) for text in documents(write, COUNT) for run in runs(text)]
    assert len(seen) > COUNT
    for run in seen:
        step = run[1] - run[0]
        assert run == [run[0] + step * number for number in range(len(run))]
        assert not held_out(run[0], step)


def test_the_heading_of_a_run_tells_its_start_step_and_end() -> None:
    """A run said to count by a step from a number to a number does just that."""
    pattern = re.compile(r"Counting (down )?by (\d+) from (\d+) to (\d+): ([\d, ]+)\.")
    matches = [match for text in documents(counting, COUNT) for match in pattern.finditer(text)]
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

    trained = {wording(line) for text in documents(counting, COUNT) for line in text.split("\n")}
    assert {wording(counting_examination(seeded(seed))[0]) for seed in range(500)} <= trained


def test_weekdays_and_months_follow_one_another() -> None:
    """What is said to come after a day or a month does."""
    days, months = words("weekdays"), words("months")
    following = dict(zip(days + months, (*days[1:], days[0], *months[1:], months[0]), strict=True))
    text = "\n".join(documents(counting, COUNT))
    said = re.findall(r"[Aa]fter ([A-Z]\w+)(?: is| comes|\?) (\w+)\.", text) + re.findall(
        r"comes after (\w+)\? (\w+)\.", text
    )
    assert len(said) > 200
    assert all(following[first] == second for first, second in said)
    assert ", ".join(ALPHABET) in text


def test_number_words() -> None:
    """Numbers below a hundred have their English words."""
    asked = {0: "zero", 13: "thirteen", 20: "twenty", 42: "forty-two", 99: "ninety-nine"}
    assert {number: number_word(number) for number in asked} == asked


def test_a_list_has_as_many_things_as_its_heading_says() -> None:
    """A heading that begins with a number word is followed by just that many different things."""
    checked = 0
    for text in documents(listing, COUNT):
        heading, _, rest = text.partition(":")
        count = numbers_by_word().get(heading.split()[0].lower())
        if count is None:
            continue
        lines = rest.strip().split("\n")
        things = (
            [re.sub(r"^(- |\d+\. )", "", line) for line in lines]
            if len(lines) > 1
            else re.split(r", | and ", rest.strip(" ."))
        )
        assert len(set(things)) == len(things) == count, text
        checked += 1
    assert checked > 500


def test_numbered_lines_count_from_one() -> None:
    """Numbered lines have the numbers one, two, three and so on."""
    for text in documents(listing, COUNT):
        numbers = [int(number) for number in re.findall(r"^(\d+)\. ", text, re.MULTILINE)]
        assert numbers == list(range(1, len(numbers) + 1)), text


def test_documents_are_clean_and_varied() -> None:
    """Documents have no outer white space, a fair length, one text per seed, and are mostly different."""
    for write in (counting, listing):
        found = documents(write, COUNT)
        assert found[:50] == tuple(write(seeded(seed)) for seed in range(50))
        assert len(set(found)) > 0.9 * len(found)
        for document in found:
            assert document == document.strip()
            assert document.isascii()
            assert 30 <= len(document) <= 900
