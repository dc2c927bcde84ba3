"""The figures and words of Python that the tests of the front end compare theirs with."""

import json

import pytest

from tests.web.cases import FILE, cases

pytestmark = pytest.mark.slow


def test_the_front_end_is_compared_with_the_python_of_now() -> None:
    """The committed cases are what Python gives; after a change run `python -m tests.web.cases`, then vitest."""
    committed = json.loads(FILE.read_text(encoding="utf-8"))
    current = json.loads(json.dumps(cases()))
    assert list(committed) == list(current)
    for name, value in current.items():
        assert _near(committed[name], value), name


def _near(committed: object, current: object) -> bool:
    """Whether two JSON values are the same; the last digits of a number may be another machine's."""
    if isinstance(current, float) and isinstance(committed, float):
        return committed == pytest.approx(current, rel=1e-12)
    if isinstance(current, dict) and isinstance(committed, dict):
        return committed.keys() == current.keys() and all(_near(committed[key], current[key]) for key in current)
    if isinstance(current, list) and isinstance(committed, list):
        return len(committed) == len(current) and all(map(_near, committed, current))
    return committed == current
