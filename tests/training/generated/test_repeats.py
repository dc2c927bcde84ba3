"""Exercises in copying: what is said again is the same, and what is asked can be read above."""

import re
from collections import Counter
from random import Random

from specviz.training.generated import repeats
from specviz.training.generated.repeats import repeat
from specviz.training.generated.words import NAMES

SEEDS = range(3000)
DOCUMENTS = [repeat(Random(seed)) for seed in SEEDS]  # noqa: S311
EXERCISES = [exercise for text in DOCUMENTS for exercise in text.split("\n\n")]


def matching(pattern: str) -> list[re.Match[str]]:
    """Every exercise of one kind, recognised by its form."""
    found = [match for exercise in EXERCISES if (match := re.fullmatch(pattern, exercise, re.DOTALL))]
    assert len(found) > 50
    return found


def test_a_line_is_said_again_as_it_was() -> None:
    """Behind `say it again`, `copy` and the like the same line follows, once or twice more, and nothing else."""
    pairs = (
        r"(?:Say it again|Repeat after me): (.+)\n(.+)",
        r"Read: (.+)\nRead again: (.+)",
        r"Copy this line\.\n(.+)\n(.+)",
        r"He said, \"(.+)\" She said it too: \"(.+)\"",
        r"Original: (.+)\nCopy: (.+)",
        r"> (.+)\n> (.+)",
        r"Input: (.+)\nOutput: (.+)",
        r"Echo: (.+)\nEcho: (.+)",
    )
    for pattern in pairs:
        for match in matching(pattern):
            assert match[1] == match[2], match[0]
    for match in matching(r"Write this three times\.\n(.+)\n(.+)\n(.+)"):
        assert match[1] == match[2] == match[3], match[0]


def test_words_that_nobody_knows_keep_their_order() -> None:
    """The numbered words come a second time under the same numbers, each with a colour."""
    spelt = [text for text in DOCUMENTS if re.match(r"1\. [a-z]+\n", text)]
    assert len(spelt) > 100
    for text in spelt:
        blocks = text.split("\n\n")
        for listed, told in zip(blocks[::2], blocks[1::2], strict=True):
            again = [re.fullmatch(r"(\d+\. [a-z]+) is [a-z]+", line) for line in told.split("\n")]
            assert [match[1] for match in again if match] == listed.split("\n")


def test_who_has_what_is_answered_rightly() -> None:
    """Every answer about owners, things and colours is what the sentences above say."""
    asked = Counter[str]()
    for exercise in EXERCISES:
        owned = re.findall(r"(\w+) has an? (\w+) (\w+)\.", exercise)
        by_thing = {thing: (who, colour) for who, colour, thing in owned}
        by_owner = {who: (colour, thing) for who, colour, thing in owned}
        for thing, who in re.findall(r"Who has the (\w+)\? (\w+)\.", exercise):
            assert by_thing[thing][0] == who, exercise
            asked["who"] += 1
        for thing, colour in re.findall(r"What colour is the (\w+)\? (\w+)\.", exercise):
            assert by_thing[thing][1] == colour.lower(), exercise
            asked["colour"] += 1
        for who, colour, thing in re.findall(r"What does (\w+) have\? An? (\w+) (\w+)\.", exercise):
            assert by_owner[who] == (colour, thing), exercise
            asked["what"] += 1
        if "?" in exercise:
            assert len(by_thing) == len(by_owner) == len(owned) >= 2, exercise
    assert min(asked[form] for form in ("who", "colour", "what")) > 100


def test_a_shopping_list_lists_what_was_said() -> None:
    """The lines under the sentence are its things, in its order, each with its number."""
    for match in matching(r"\w+ needs ([^\n]+)\.\n(.+)"):
        said = re.split(r", | and (?=\d)", match[1])
        lines = [re.sub(r"^(?:- |\* |\[ \] )", "", line) for line in match[2].split("\n")]
        assert said == lines, match[0]


def test_what_is_made_of_a_name_is_made_of_that_name() -> None:
    """Addresses, greetings, turned names and towns are those of the person in the same line, and the addresses of one place."""
    seen = Counter[str]()
    for exercise in EXERCISES:
        places = set()
        for line in exercise.split("\n"):
            if match := re.fullmatch(r"(\w+) (\S+) <([^@]+)@([a-z]+)\.example>", line):
                assert match[3] == f"{match[1]}.{match[2]}".lower()
                places.add(match[4])
            elif match := re.fullmatch(r"(\w+) \S+: Dear (\w+),", line):
                assert match[1] == match[2]
            elif match := re.fullmatch(r"(\S+), (\w+): (\w+) (\S+)", line):
                assert (match[2], match[1]) == (match[3], match[4])
            elif match := re.fullmatch(r"(\w+) \S+ lives in ([^.]+)\. Write to (\w+) in ([^.]+)\.", line):
                assert (match[1], match[2]) == (match[3], match[4])
            else:
                continue
            seen[match.re.pattern] += 1
        assert len(places) <= 1
    assert len(seen) == 4
    assert min(seen.values()) > 50


def test_what_is_to_be_changed_is_changed_and_nothing_else() -> None:
    """Put back, the new word gives the old sentence; the old word is gone, and the new one was not there before."""
    for match in matching(r"Change (\w+) to (\w+)\.\n(?:Before: |Old: |)([^\n]+)\n(?:After: |New: |)([^\n]+)"):
        old, new, before, after = match.groups()
        assert old != new
        assert re.search(rf"\b{old}\b", before), match[0]
        assert not re.search(rf"\b{old}\b", after), match[0]
        assert not re.search(rf"\b{new}\b", before), match[0]
        assert re.sub(rf"\b{new}\b", old, after) == before, match[0]


def test_the_same_seed_gives_the_same_document() -> None:
    """Chance comes from the argument alone."""
    assert [repeat(Random(seed)) for seed in range(200)] == DOCUMENTS[:200]  # noqa: S311


def test_every_kind_comes() -> None:
    """Each kind of exercise is drawn, and some documents hold one exercise, others several of the same kind."""
    drawn = Counter[int]()
    for seed in range(500):
        drawn[len(DOCUMENTS[seed].split("\n\n"))] += 1
    assert min(drawn[1], drawn[2], drawn[3]) > 50
    assert len(set(repeats._KINDS)) == 6


def test_documents_are_short_plain_and_varied() -> None:
    """All are clean ASCII under 900 characters with every gap filled, hardly two are the same, and nobody's name is left out."""
    for text in DOCUMENTS:
        assert text.isascii()
        assert text == text.strip()
        assert 8 <= len(text) <= 900
        assert not re.search(r"[{}]|  |\n\n\n| \n", text), text
    assert len(set(DOCUMENTS)) > 0.99 * len(DOCUMENTS)
    assert all(any(name in text for text in DOCUMENTS) for name in NAMES)
