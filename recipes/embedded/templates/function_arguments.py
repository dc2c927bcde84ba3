"""Arguments for the example calls: makers that draw values that a function accepts and that give a readable result."""

from collections.abc import Callable, Sequence
from random import Random

from recipes.embedded.templates.data_files import table
from recipes.embedded.templates.words import words

Maker = Callable[[Random], tuple[object, ...]]


def _examples(name: str) -> tuple[str, ...]:
    return table("functions").table("examples").texts(name)


def numbers(ranges: Sequence[tuple[int, int]]) -> Maker:
    """A maker of whole numbers, one from each range, both ends included."""
    return lambda random: tuple(random.randint(low, high) for low, high in ranges)


def _numbers(random: Random) -> list[int]:
    first = random.randint(1, 5)
    plain = (list(range(first, first + random.randint(3, 5))), random.sample(range(1, 10), random.randint(3, 5)))
    return random.choice((*plain, random.sample(range(1, 30), random.randint(3, 4))))


def _repeating(random: Random) -> list[int]:
    return [random.randint(1, 4) for _ in range(random.randint(4, 6))]


def _sorted_or_not(random: Random) -> tuple[object, ...]:
    numbers = _numbers(random)
    return (random.choice((numbers, sorted(numbers))),)


def _list_and_member(random: Random) -> tuple[object, ...]:
    numbers = _numbers(random)
    return (numbers, random.choice((random.choice(numbers), random.randint(1, 9))))


def _sorted_and_member(random: Random) -> tuple[object, ...]:
    numbers = sorted(_numbers(random))
    return (numbers, random.choice(numbers))


def _lists(random: Random) -> tuple[object, ...]:
    count = random.randint(4, 6)
    cut = random.randint(1, count - 1)
    whole = list(range(1, count + 1))
    return ([whole[:cut], whole[cut:]],)


def _word_and_letter(random: Random) -> tuple[object, ...]:
    word = random.choice(_examples("words"))
    return (word, random.choice(word))


def _word_and_prefix(random: Random) -> tuple[object, ...]:
    word = random.choice(_examples("words"))
    return (word, random.choice((word, random.choice(_examples("words"))))[:2])


def _scores(random: Random) -> tuple[object, ...]:
    keys = random.choice((("a", "b", "c"), ("red", "green", "blue"), ("math", "art", "music"), ("x", "y")))
    return (dict(zip(keys, random.sample(range(1, 10), len(keys)), strict=True)),)


def _exact_division(random: Random) -> tuple[object, ...]:
    divisor = random.randint(2, 10)
    return (divisor * random.randint(2, 12), divisor)


def _two_points(random: Random) -> tuple[object, ...]:
    across, up = random.choice(((3, 4), (6, 8), (4, 3), (5, 12)))
    x, y = random.randint(0, 2), random.randint(0, 2)
    return (x, y, x + across, y + up)


def _part(random: Random) -> tuple[object, ...]:
    whole = random.choice((10, 20, 40, 50, 100, 200))
    return (random.randrange(5, whole, 5), whole)


MAKERS: dict[str, Maker] = {
    "list": lambda random: (_numbers(random),),
    "duplicates": lambda random: (_repeating(random),),
    "signed": lambda random: ([random.randint(-9, 9) for _ in range(4)],),
    "sorted_or_not": _sorted_or_not,
    "list_and_limit": lambda random: (_numbers(random), random.randint(2, 10)),
    "list_and_member": _list_and_member,
    "repeating_and_member": lambda random: (_repeating(random), random.randint(1, 4)),
    "sorted_and_member": _sorted_and_member,
    "list_and_step": lambda random: (_numbers(random), random.randint(1, 2)),
    "list_and_size": lambda random: (list(range(1, random.randint(5, 8))), random.randint(2, 3)),
    "two_lists": lambda random: tuple(random.sample(range(1, 7), random.randint(3, 4)) for _ in range(2)),
    "lists": _lists,
    "word": lambda random: (random.choice(_examples("words")),),
    "word_or_palindrome": lambda random: (
        random.choice(random.choice((_examples("words"), _examples("palindromes")))),
    ),
    "two_words": lambda random: (
        random.choice(table("functions").table("examples").grid("anagrams", 2))
        if random.random() < 0.6
        else tuple(random.sample(_examples("words"), 2))
    ),
    "word_and_letter": _word_and_letter,
    "word_and_times": lambda random: (random.choice(("ha", "ab", "no", "hey", "la", "go", "hi")), random.randint(2, 4)),
    "word_and_prefix": _word_and_prefix,
    "words": lambda random: (random.sample(_examples("words"), random.randint(2, 4)),),
    "sentence": lambda random: (random.choice(_examples("sentences")),),
    "sentence_and_length": lambda random: (random.choice(_examples("sentences")), random.randint(4, 9)),
    "name": lambda random: (random.choice(words("names")),),
    "first_and_last": lambda random: (random.choice(words("names")), random.choice(words("surnames"))),
    "whole_name": lambda random: (f"{random.choice(words('names'))} {random.choice(words('surnames'))}",),
    "scores": _scores,
    "exact_division": _exact_division,
    "maybe_division": lambda random: random.choice(
        (_exact_division(random), (random.randint(5, 30), random.randint(2, 7)))
    ),
    "right_triangle": lambda random: random.choice(((3, 4), (6, 8), (5, 12), (8, 15), (9, 12))),
    "two_points": _two_points,
    "part": _part,
    "fahrenheit": lambda random: (random.choice((32, 50, 59, 68, 77, 86, 95, 104, 212)),),
    "year": lambda random: (random.choice((1900, 2000, 2020, 2021, 2023, 2024, 2025, 2026, 2028)),),
}
"""Name in functions.toml -> what draws the arguments of a call."""
