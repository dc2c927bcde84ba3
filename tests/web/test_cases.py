"""The figures and words of Python that the tests of the front end compare theirs with."""

import json
from typing import Any

import pytest

from tests.web.cases import FILE, cases

pytestmark = pytest.mark.slow


def test_the_front_end_is_compared_with_the_python_of_now() -> None:
    """The committed cases are what Python gives; after a change run `python -m tests.web.cases`, then vitest."""
    committed, current = (_read(text) for text in (FILE.read_text(encoding="utf-8"), json.dumps(cases())))
    assert list(committed) == list(current)
    for name, value in current.items():
        assert committed[name] == value, name


def _read(text: str) -> Any:
    """JSON with twelve decimals and digits of each number: the last ones may be another machine's."""
    return json.loads(text, parse_float=lambda number: f"{round(float(number), 12) + 0.0:.11e}")
