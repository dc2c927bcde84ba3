"""The dialogues in which something is ordered."""

import re
from collections import Counter
from random import Random

import pytest

from recipes.embedded.templates.orders import order, plural, shops
from recipes.embedded.templates.words import words
from recipes.embedded.tests.helpers import documents

pytestmark = [pytest.mark.slow]


def orders() -> tuple[str, ...]:
    return documents(order, 4000)


def test_same_seed_same_order() -> None:
    """The same seed always gives the same dialogue, and nearly all dialogues differ."""
    assert tuple(order(Random(seed)) for seed in range(100)) == orders()[:100]  # noqa: S311
    assert len(set(orders())) > 0.99 * len(orders())


def test_speakers_take_turns() -> None:
    """A dialogue has three to seven lines, the customer begins, and the two take turns."""
    for text in orders():
        lines = text.split("\n")
        assert 3 <= len(lines) <= 7
        for at, line in enumerate(lines):
            assert re.fullmatch(("Customer", "Assistant")[at % 2] + r": \S.*\S", line), line


def test_plain_text_of_fair_length() -> None:
    """A dialogue is plain ASCII of 100 to 700 characters without gaps or doubled spaces."""
    for text in orders():
        assert text.isascii()
        assert 100 <= len(text) <= 700
        assert not re.search(r"[{}]|  | [,.?!]|[.?!,]{2}", text)


def test_assistant_hands_over_what_was_confirmed() -> None:
    """What will be ready was said by the assistant before, number by number and word by word."""
    for text in orders():
        lines = [line for line in text.split("\n") if line.startswith("Assistant")]
        handed = re.search(r"[Yy]our (.+) will be ", lines[-1])
        assert handed, text
        earlier = " ".join(lines[:-1]).lower()
        for noun in handed[1].lower().split(" and "):
            assert re.search(rf"\b(one|two|three|four) {re.escape(noun)}\b", earlier), text


def test_assistant_repeats_what_the_customer_said() -> None:
    """Every number of things in the assistant's confirmation was ordered by the customer with that number."""
    for text in orders():
        customer = " ".join(line for line in text.split("\n") if line.startswith("Customer"))
        for number, size, noun in re.findall(r"(two|three|four) (small|medium|large) (\w+)", text):
            assert f"{number} {size} {noun}".lower() in customer.lower(), text


def test_names_are_kept() -> None:
    """A name that the assistant thanks is the name the customer gave."""
    named = 0
    for text in orders():
        lines = text.split("\n")
        last = [line for line in lines if line.startswith("Assistant")][-1]
        for name in re.findall(r"\b[A-Z][a-z]+\b", last):
            if name in words("names"):
                named += 1
                assert any(name in line for line in lines if line.startswith("Customer")), text
    assert named > 500


def test_many_customers_use_no_final_mark() -> None:
    """About half of what customers say ends without a mark."""
    said = [line for text in orders() for line in text.split("\n") if line.startswith("Customer")]
    assert 0.4 < sum(line[-1].isalpha() for line in said) / len(said) < 0.6


def test_articles_fit() -> None:
    """`a` is used before consonants and `an` before vowels, in the customer's lines and the assistant's."""
    assert not [text for text in orders() if re.search(r"\b[Aa] (?:[aeio]|hour)|\b[Aa]n (?!hour)[^aeio\W]", text)]


def test_shops_are_many() -> None:
    """There are at least eight shops, each with several sizes, extras and things without a size."""
    assert len(shops()) >= 8
    for shop in shops():
        assert min(len(shop.sized), len(shop.extras), len(shop.plain)) >= 6
        assert len(set(shop.sized + shop.plain)) == len(shop.sized + shop.plain)


def test_first_lines_vary() -> None:
    """No first line is common."""
    assert Counter(text.split("\n")[0] for text in orders()).most_common(1)[0][1] < 10


def test_plurals() -> None:
    """A plural falls on the noun that is counted."""
    assert plural("slice of lemon cake") == "slices of lemon cake"
    assert plural("rye loaf") == "rye loaves"
    assert plural("gingerbread man") == "gingerbread men"
    assert plural("cheese sandwich") == "cheese sandwiches"
    assert plural("ticket for the comedy") == "tickets for the comedy"
    assert plural("blueberry muffin") == "blueberry muffins"
