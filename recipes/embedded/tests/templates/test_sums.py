"""Sums in everyday words."""

import re

import pytest

from recipes.embedded.templates.sums import (
    LARGEST,
    amount,
    held_out,
    right,
    scenarios,
    sums,
    sums_examination,
)
from recipes.embedded.templates.words import words
from recipes.embedded.tests.helpers import documents, seeded

pytestmark = [pytest.mark.slow]


def texts() -> tuple[str, ...]:
    return documents(sums, 4000)


def things_counted() -> set[str]:
    return {things for kind in ("additions", "subtractions") for story in scenarios(kind) for things in story.things}


def test_about_a_tenth_of_the_pairs_is_reserved_either_way_round() -> None:
    """The rule reserves 8% to 12% of the pairs, and the order of the addends makes no difference."""
    pairs = [(a, b) for a in range(LARGEST + 1) for b in range(LARGEST + 1)]
    assert 0.08 <= sum(held_out(a, b) for a, b in pairs) / len(pairs) <= 0.12
    assert all(held_out(a, b) == held_out(b, a) for a, b in pairs)


def test_no_reserved_pair_is_ever_added() -> None:
    """No training text adds a reserved pair, in signs or in words."""
    added = [pair for text in texts() for pair in re.findall(r"(\d+) (?:\+|plus) (\d+)", text)]
    added += [pair for text in texts() for pair in re.findall(r"Add (\d+) and (\d+)\.", text)]
    assert len(added) > len(texts())
    assert not [pair for pair in added if held_out(int(pair[0]), int(pair[1]))]


def test_every_sum_is_right() -> None:
    """Both sides of every equals sign are equal, and never below zero."""
    worked = [found for text in texts() for found in re.findall(r"(\d+) ([+-]) (\d+) = (\d+)", text)]
    assert len(worked) == sum(text.count("=") for text in texts())
    for a, sign, b, total in worked:
        assert int(total) == (int(a) + int(b) if sign == "+" else int(a) - int(b))
        assert max(int(a), int(b)) <= LARGEST


def test_a_story_has_the_numbers_of_its_sum() -> None:
    """The numbers given before a question are the ones that its answer works with, in their order."""
    checked = 0
    for text in texts():
        for problem in text.split("\n\n"):
            told, _, answer = problem.partition("\n")
            if "?" in told and answer:
                assert re.findall(r"\d+", told)[:2] in (
                    re.findall(r"\d+", answer)[:2],
                    re.findall(r"\d+", answer)[1::-1],
                )
                checked += 1
    assert checked > 3000


def test_the_finished_sentence_repeats_the_result() -> None:
    """A sentence after a sum names the same number."""
    said = [found for text in texts() for found in re.findall(r"= (\d+)\. \D*(\d+)", text)]
    assert len(said) > 1000
    assert all(result == repeated for result, repeated in said)


def test_one_thing_is_in_the_singular() -> None:
    """One thing is named in the singular, and several are not."""
    assert [amount(1, things) for things in ("boxes", "cherries", "cookies", "children", "sheep", "pies")] == [
        "1 box",
        "1 cherry",
        "1 cookie",
        "1 child",
        "1 sheep",
        "1 pie",
    ]
    assert amount(2, "boxes") == "2 boxes"
    for things in sorted(things_counted() - {"sheep"}):
        assert amount(1, things).removeprefix("1 ") + "s" == things or amount(1, things).endswith(
            ("box", "ch", "o", "y", "child", "person")
        )


def test_there_are_enough_stories() -> None:
    """There are at least twenty stories of adding and ten of taking away."""
    assert len({scenario.story for scenario in scenarios("additions")}) >= 20
    assert len({scenario.story for scenario in scenarios("subtractions")}) >= 10


def test_the_examination_asks_for_reserved_sums() -> None:
    """A prompt asks for a reserved pair, ends with its line, and the number expected is their sum."""
    for seed in range(1000):
        prompt, expected = sums_examination(seeded(seed))
        a, b = map(int, re.findall(r"\d+", prompt))
        assert prompt.endswith("?\n")
        assert held_out(a, b)
        assert max(a, b) <= LARGEST
        assert expected == str(a + b)


def test_prompts_read_as_training_texts_do() -> None:
    """Without its numbers, names and things, every prompt is found in training texts too."""
    banks = things_counted()
    forms = sorted(
        {*words("names"), *banks, *(amount(1, things).removeprefix("1 ") for things in banks)}, key=len, reverse=True
    )
    anything = re.compile(rf"\b({'|'.join(forms)}|\d+)\b")

    def wording(text: str) -> str:
        return anything.sub("_", text.removeprefix("Question: "))

    trained = {wording(line) for text in texts() for line in text.split("\n")}
    assert {wording(sums_examination(seeded(seed))[0].rstrip("\n")) for seed in range(200)} <= trained


def test_right_reads_the_first_number_after_the_first_equals_sign() -> None:
    """Only the number after the first line's first equals sign counts."""
    verdicts = {
        "Anna has 3 + 4 = 7 apples.": True,
        "3 + 4 = 7": True,
        "3 + 4 =7. Anna has 9 apples.": True,
        "3 + 4 = 70": False,
        "3 + 4 = 7.5": False,
        "3 + 4 = 8. Then 4 + 3 = 7": False,
        "Anna has 7 apples.": False,
        "Anna has many.\n3 + 4 = 7": False,
        "3 + 4 =\n7": False,
        "": False,
    }
    assert {text: right(text, "7") for text in verdicts} == verdicts


def test_documents_are_clean_and_varied() -> None:
    """Documents have no outer white space, a fair length, one text per seed, and are nearly all different."""
    assert texts()[:50] == tuple(sums(seeded(seed)) for seed in range(50))
    assert len(set(texts())) > 0.95 * len(texts())
    for document in texts():
        assert document == document.strip()
        assert document.isascii()
        assert 20 <= len(document) <= 900
