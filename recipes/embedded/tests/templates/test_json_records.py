"""The JSON documents parse, fit, agree with themselves and vary."""

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from recipes.embedded.templates.json_records import is_complete_record, records
from recipes.embedded.templates.record_kinds import things
from recipes.embedded.tests.helpers import documents

pytestmark = [pytest.mark.slow]


@pytest.fixture(scope="module")
def texts() -> tuple[str, ...]:
    return documents(records, 4000)


@pytest.fixture(scope="module")
def lists(texts: tuple[str, ...]) -> list[list[dict[str, Any]]]:
    return [value for text in texts if isinstance(value := json.loads(text), list)]


def rows(values: list[list[dict[str, Any]]], *keys: str) -> Iterator[dict[str, Any]]:
    found = [row for value in values for row in value if set(keys) <= set(row)]
    assert found
    yield from found


def test_complete(texts: tuple[str, ...]) -> None:
    """Every document parses, fits, and has no space at either end."""
    assert all(is_complete_record(text) and 40 <= len(text) <= 700 and text == text.strip() for text in texts)


def test_forms(texts: tuple[str, ...]) -> None:
    """Every document is exactly what json.dumps writes, nine in ten with an indent of two and three in four a list."""
    values = [json.loads(text) for text in texts]
    indented = [text == json.dumps(value, indent=2) for text, value in zip(texts, values, strict=True)]
    for text, value in zip(texts, values, strict=True):
        assert text in (json.dumps(value, indent=2), json.dumps(value, indent=4), json.dumps(value))
    assert 0.85 < sum(indented) / len(texts) < 0.95
    assert (
        0.7
        < sum(one and isinstance(value, list) for one, value in zip(indented, values, strict=True)) / len(texts)
        < 0.8
    )


def test_lists(lists: list[list[dict[str, Any]]]) -> None:
    """A list has two to five records with the same fields in the same order, and ids that count up by one."""
    for value in lists:
        assert 2 <= len(value) <= 5
        assert len({tuple(row) for row in value}) == 1
        for key in ("id", "order_id"):
            ids = [row[key] for row in value if key in row]
            assert ids == list(range(ids[0], ids[0] + len(ids))) if ids else True


def test_emails(lists: list[list[dict[str, Any]]]) -> None:
    """An address is made of the name in the same record."""
    for row in rows(lists, "name", "email"):
        assert row["email"] == row["name"].lower().replace(" ", ".") + "@example.com"


def test_prices(texts: tuple[str, ...], lists: list[list[dict[str, Any]]]) -> None:
    """Every price and total has two decimals, and totals are right."""
    for text in texts:
        for amount in re.findall(r'"price": ([^,\n}]+)', text):
            assert re.fullmatch(r"\d+\.\d\d", amount)
    for row in rows(lists, "quantity", "price", "total"):
        assert round(row["quantity"] * row["price"], 2) == row["total"]
        assert re.fullmatch(r"\d+\.\d\d", str(row["total"]))
    orders = [value for text in texts if isinstance(value := json.loads(text), dict) and "items" in value]
    assert orders
    for order in orders:
        assert round(sum(one["quantity"] * one["price"] for one in order["items"]), 2) == order["total"]
        assert re.fullmatch(r"\d+\.\d\d", str(order["total"]))


def test_facts(lists: list[list[dict[str, Any]]]) -> None:
    """Books, cities, marks and stock agree with themselves and with the tables."""
    for name, key, fact in (("books", "title", "author"), ("places", "city", "country")):
        known = {(thing.text(key), thing.text(fact)) for thing in things(name)}
        assert {(row[key], row[fact]) for row in rows(lists, key, fact)} <= known
    assert all(row["total"] == row["math"] + row["science"] for row in rows(lists, "math", "total"))
    assert all(row["in_stock"] == (row["quantity"] > 0) for row in rows(lists, "in_stock", "quantity"))


def test_demonstration_prompt_is_common(texts: tuple[str, ...]) -> None:
    """Many documents begin like the prompt on offer: an id, then a first name alone."""
    opening = re.compile(r'\[\n  \{\n    "id": \d+,\n    "name": "[A-Z][a-z]+",\n')
    assert sum(bool(opening.match(text)) for text in texts) > 0.12 * len(texts)


def test_varied(texts: tuple[str, ...], lists: list[list[dict[str, Any]]]) -> None:
    """Nearly all documents differ, and they have many sets of fields."""
    assert len(set(texts)) > 0.97 * len(texts)
    assert len({tuple(value[0]) for value in lists}) >= 40


def test_same_seed_same_text(texts: tuple[str, ...]) -> None:
    """A seed always gives the same text."""
    assert tuple(records(Random(seed)) for seed in range(300)) == texts[:300]  # noqa: S311


def test_incomplete_records_are_refused() -> None:
    """What does not parse, or is no list and no object, is no complete document."""
    for text in ("", "42", '"name"', "null", '[{"id": 1},', '{"id": 1', '{"id": 1}]', "{id: 1}", "[" * 100_000):
        assert not is_complete_record(text), text[:20]
