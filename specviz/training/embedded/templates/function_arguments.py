"""Arguments for the example calls: for each function, how to draw some that it accepts and that give a readable value."""

from collections.abc import Callable
from random import Random

from specviz.training.embedded.templates.words import NAMES, SURNAMES

Maker = Callable[[Random], tuple[object, ...]]

_WORDS = (
    "apple", "banana", "bird", "book", "bread", "cat", "cherry", "cloud", "desk", "dog", "fig", "fish", "flower", "forest", "garden", "grape",
    "green", "house", "kiwi", "lamp", "lemon", "lion", "mango", "moon", "mouse", "music", "ocean", "orange", "paper", "pear", "pencil", "plum",
    "python", "rain", "river", "rose", "school", "snow", "star", "stone", "summer", "sun", "table", "tiger", "tree", "water", "window", "yellow",
)  # fmt: skip

_PALINDROMES = ("level", "radar", "noon", "kayak", "civic", "madam", "rotor", "refer")

_ANAGRAMS = (
    ("listen", "silent"),
    ("stone", "notes"),
    ("night", "thing"),
    ("heart", "earth"),
    ("angel", "glean"),
    ("stop", "post"),
)

_SENTENCES = (
    "the cat and the dog", "hello world", "good morning", "to be or not to be", "a red rose", "one two one", "the sun is up", "we like green tea",
    "the rain and the wind", "hello again hello", "a cup of tea", "the boat on the lake", "tea or coffee or tea", "learning to code",
)  # fmt: skip


def _ints(*ranges: tuple[int, int]) -> Maker:
    return lambda random: tuple(random.randint(low, high) for low, high in ranges)


def _numbers(random: Random) -> list[int]:
    first = random.randint(1, 5)
    plain = (list(range(first, first + random.randint(3, 5))), random.sample(range(1, 10), random.randint(3, 5)))
    return random.choice((*plain, random.sample(range(1, 30), random.randint(3, 4))))


def _repeating(random: Random) -> list[int]:
    return [random.randint(1, 4) for _ in range(random.randint(4, 6))]


def _list(random: Random) -> tuple[object, ...]:
    return (_numbers(random),)


def _duplicates(random: Random) -> tuple[object, ...]:
    return (_repeating(random),)


def _signed(random: Random) -> tuple[object, ...]:
    return ([random.randint(-9, 9) for _ in range(4)],)


def _sorted_or_not(random: Random) -> tuple[object, ...]:
    numbers = _numbers(random)
    return (random.choice((numbers, sorted(numbers))),)


def _list_and_limit(random: Random) -> tuple[object, ...]:
    return (_numbers(random), random.randint(2, 10))


def _list_and_member(random: Random) -> tuple[object, ...]:
    numbers = _numbers(random)
    return (numbers, random.choice((random.choice(numbers), random.randint(1, 9))))


def _repeating_and_member(random: Random) -> tuple[object, ...]:
    return (_repeating(random), random.randint(1, 4))


def _sorted_and_member(random: Random) -> tuple[object, ...]:
    numbers = sorted(_numbers(random))
    return (numbers, random.choice(numbers))


def _list_and_step(random: Random) -> tuple[object, ...]:
    return (_numbers(random), random.randint(1, 2))


def _list_and_size(random: Random) -> tuple[object, ...]:
    return (list(range(1, random.randint(5, 8))), random.randint(2, 3))


def _two_lists(random: Random) -> tuple[object, ...]:
    return tuple(random.sample(range(1, 7), random.randint(3, 4)) for _ in range(2))


def _lists(random: Random) -> tuple[object, ...]:
    count = random.randint(4, 6)
    cut = random.randint(1, count - 1)
    whole = list(range(1, count + 1))
    return ([whole[:cut], whole[cut:]],)


def _word(random: Random) -> tuple[object, ...]:
    return (random.choice(_WORDS),)


def _word_or_palindrome(random: Random) -> tuple[object, ...]:
    return (random.choice(random.choice((_WORDS, _PALINDROMES))),)


def _two_words(random: Random) -> tuple[object, ...]:
    return random.choice(_ANAGRAMS) if random.random() < 0.6 else tuple(random.sample(_WORDS, 2))


def _word_and_letter(random: Random) -> tuple[object, ...]:
    word = random.choice(_WORDS)
    return (word, random.choice(word))


def _word_and_times(random: Random) -> tuple[object, ...]:
    return (random.choice(("ha", "ab", "no", "hey", "la", "go", "hi")), random.randint(2, 4))


def _word_and_prefix(random: Random) -> tuple[object, ...]:
    word = random.choice(_WORDS)
    return (word, random.choice((word, random.choice(_WORDS)))[:2])


def _words(random: Random) -> tuple[object, ...]:
    return (random.sample(_WORDS, random.randint(2, 4)),)


def _sentence(random: Random) -> tuple[object, ...]:
    return (random.choice(_SENTENCES),)


def _sentence_and_length(random: Random) -> tuple[object, ...]:
    return (random.choice(_SENTENCES), random.randint(4, 9))


def _name(random: Random) -> tuple[object, ...]:
    return (random.choice(NAMES),)


def _first_and_last(random: Random) -> tuple[object, ...]:
    return (random.choice(NAMES), random.choice(SURNAMES))


def _whole_name(random: Random) -> tuple[object, ...]:
    return (f"{random.choice(NAMES)} {random.choice(SURNAMES)}",)


def _scores(random: Random) -> tuple[object, ...]:
    keys = random.choice((("a", "b", "c"), ("red", "green", "blue"), ("math", "art", "music"), ("x", "y")))
    return (dict(zip(keys, random.sample(range(1, 10), len(keys)), strict=True)),)


def _exact_division(random: Random) -> tuple[object, ...]:
    divisor = random.randint(2, 10)
    return (divisor * random.randint(2, 12), divisor)


def _maybe_division(random: Random) -> tuple[object, ...]:
    return random.choice((_exact_division(random), (random.randint(5, 30), random.randint(2, 7))))


def _right_triangle(random: Random) -> tuple[object, ...]:
    return random.choice(((3, 4), (6, 8), (5, 12), (8, 15), (9, 12)))


def _two_points(random: Random) -> tuple[object, ...]:
    across, up = random.choice(((3, 4), (6, 8), (4, 3), (5, 12)))
    x, y = random.randint(0, 2), random.randint(0, 2)
    return (x, y, x + across, y + up)


def _part(random: Random) -> tuple[object, ...]:
    whole = random.choice((10, 20, 40, 50, 100, 200))
    return (random.randrange(5, whole, 5), whole)


def _fahrenheit(random: Random) -> tuple[object, ...]:
    return (random.choice((32, 50, 59, 68, 77, 86, 95, 104, 212)),)


def _year(random: Random) -> tuple[object, ...]:
    return (random.choice((1900, 2000, 2020, 2021, 2023, 2024, 2025, 2026, 2028)),)


_TWO_SMALL = _ints((1, 20), (1, 20))
_ONE_SMALL = _ints((1, 12))
_ONE_SIGNED = _ints((-10, 10))

ARGUMENTS: dict[str, Maker] = {
    "add": _ints((1, 12), (1, 12)), "subtract": _ints((6, 20), (1, 6)), "multiply": _ints((2, 9), (2, 9)), "divide": _exact_division,
    "square": _ONE_SMALL, "cube": _ints((1, 6)), "double": _ints((1, 30)), "half": _ints((1, 30)), "power": _ints((2, 5), (2, 4)),
    "absolute": _ONE_SIGNED, "sign": _ONE_SIGNED, "is_even": _ints((1, 20)), "is_odd": _ints((1, 20)), "is_positive": _ONE_SIGNED,
    "is_negative": _ONE_SIGNED, "is_divisible": _maybe_division, "is_leap_year": _year, "is_prime": _ints((2, 30)),
    "primes_up_to": _ints((5, 30)), "factorial": _ints((3, 7)), "fibonacci": _ints((5, 12)), "fibonacci_list": _ints((4, 9)),
    "gcd": _ints((6, 40), (4, 40)), "lcm": _ints((2, 12), (2, 12)), "sum_of_digits": _ints((10, 9999)), "count_digits": _ints((5, 99999)),
    "divisors": _ints((4, 30)), "sum_to": _ints((3, 20)), "countdown": _ints((3, 7)), "multiplication_table": _ints((2, 9)),
    "clamp": _ints((-5, 20), (0, 4), (8, 12)), "larger": _TWO_SMALL, "smaller": _TWO_SMALL, "swap": _TWO_SMALL, "maximum": _list,
    "minimum": _list, "total": _list, "product": _list, "mean": _list, "median": _list, "even_numbers": _list, "odd_numbers": _list,
    "positive_numbers": _signed, "squares": _list, "double_all": _list, "sum_of_squares": _list, "running_total": _list,
    "count_greater": _list_and_limit, "differences": _list, "is_sorted": _sorted_or_not, "bubble_sort": _list,
    "binary_search": _sorted_and_member, "find_index": _list_and_member, "contains": _list_and_member, "count_item": _repeating_and_member,
    "unique_items": _duplicates, "has_duplicates": _duplicates, "common_items": _two_lists, "flatten": _lists, "chunks": _list_and_size,
    "first_item": _list, "last_item": _list, "reverse_list": _list, "rotate": _list_and_step, "reverse_string": _word,
    "is_palindrome": _word_or_palindrome, "is_anagram": _two_words, "count_vowels": _word, "remove_vowels": _word,
    "count_letter": _word_and_letter, "count_words": _sentence, "word_counts": _sentence, "letter_counts": _word, "longest_word": _words,
    "word_lengths": _words, "join_words": _words, "upper_words": _words, "sort_by_length": _words, "group_by_letter": _words,
    "initials": _whole_name, "greet": _name, "say_goodbye": _name, "full_name": _first_and_last, "repeat": _word_and_times,
    "title_case": _sentence, "shorten": _sentence_and_length, "starts_with": _word_and_prefix, "celsius_to_fahrenheit": _ints((0, 40)),
    "fahrenheit_to_celsius": _fahrenheit, "minutes_to_seconds": _ints((1, 20)), "hours_to_minutes": _ints((1, 12)),
    "days_to_hours": _ints((1, 10)), "meters_to_kilometers": _ints((500, 5000)), "format_time": _ints((30, 600)), "circle_area": _ONE_SMALL,
    "circumference": _ONE_SMALL, "rectangle_area": _TWO_SMALL, "perimeter": _TWO_SMALL, "triangle_area": _TWO_SMALL,
    "square_area": _ONE_SMALL, "hypotenuse": _right_triangle, "distance": _two_points, "average_speed": _exact_division, "percentage": _part,
    "discount_price": _ints((20, 90), (10, 50)), "fizzbuzz": _ints((1, 30)), "grade": _ints((60, 99)), "is_adult": _ints((10, 40)),
    "collatz_steps": _ints((2, 20)), "to_binary": _ints((2, 40)), "swap_keys": _scores, "key_with_highest_value": _scores,
}  # fmt: skip
