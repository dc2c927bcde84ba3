import contextlib
import io
import json
import math
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from recipes.embedded.templates import functions
from recipes.embedded.templates.functions import compiles, function
from recipes.embedded.tests.helpers import documents

pytestmark = [pytest.mark.slow]


@pytest.fixture(scope="module")
def texts() -> tuple[str, ...]:
    return documents(function, 3000)


def printed(text: str) -> list[str]:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(text, "<generated>", "exec"), {"__name__": "generated"})  # noqa: S102 - the text is our own
    return output.getvalue().splitlines()


def shown(text: str) -> list[str]:
    return [line.split(")  # ", 1)[1] for line in text.splitlines() if line.startswith("print(")]


def test_compiles(texts: tuple[str, ...]) -> None:
    """Every document compiles and holds a function."""
    assert all(compiles(text) for text in texts)


def test_examples_are_true(texts: tuple[str, ...]) -> None:
    """Every document runs, its assertions hold, and each print shows just what its comment says."""
    for text in texts:
        assert printed(text) == shown(text), text


def test_every_version_agrees() -> None:
    """Every way to write a function gives the value that the examples are made with, under every name for its parts."""
    random = Random(7)  # noqa: S311
    known = functions.functions()
    for family, entry in known.families.items():
        for version in entry.versions:
            renames = {old: random.choice(new) for old, new in known.renames.items()}
            code = functions._written(random, family, family, version, functions._Style(True, True, renames))
            namespace: dict[str, Any] = {**known.callables, "math": math}
            exec(code, namespace)  # noqa: S102 - the text is our own
            for _ in range(10 if entry.arguments else 0):
                arguments = entry.arguments(random) if entry.arguments else ()
                assert namespace[family](*arguments) == known.callables[family](*arguments), (code, arguments)


def test_file_functions_work(tmp_path: Path) -> None:
    """What the file functions write, they read back, under every name for their parts."""
    random = Random(7)  # noqa: S311
    path = tmp_path / "lines.txt"
    known = functions.functions()
    renames = {old: new[0] for old, new in known.renames.items()}
    for version in known.families["read_lines"].versions:
        namespace: dict[str, Any] = {"json": json}
        for family in ("read_lines", "write_lines", "count_lines", "load_json", "save_json"):
            chosen = version if family == "read_lines" else known.families[family].versions[0]
            code = functions._written(random, family, family, chosen, functions._Style(True, False, renames))
            exec(code, namespace)  # noqa: S102 - the text is our own
        namespace["write_lines"](path, ["one", "two"])
        assert (namespace["read_lines"](path), namespace["count_lines"](path)) == (["one", "two"], 2)
        namespace["save_json"](path, {"a": [1]})
        assert namespace["load_json"](path) == {"a": [1]}


def test_key_functions_work() -> None:
    """The functions on records find and order them by a key."""
    rows = [{"a": 2}, {"a": 1}]
    callables = functions.functions().callables
    assert callables["filter_by_key"](rows, "a", 1) == [{"a": 1}]
    assert callables["sort_by_key"](rows, "a") == [{"a": 1}, {"a": 2}]


def test_sizes(texts: tuple[str, ...]) -> None:
    """Every document is of a readable size, with no space at either end and no line too long."""
    assert all(40 <= len(text) <= 900 and text == text.strip() for text in texts)
    assert max(len(line) for text in texts for line in text.splitlines()) <= 100


def test_same_seed_same_text(texts: tuple[str, ...]) -> None:
    """A seed always gives the same text."""
    assert tuple(function(Random(seed)) for seed in range(300)) == texts[:300]  # noqa: S311


def test_variety(texts: tuple[str, ...]) -> None:
    """Most documents differ, and together they hold at least sixty functions."""
    assert len(set(texts)) > 0.6 * len(texts)
    assert len({name for text in texts for name in re.findall(r"^def (\w+)", text, re.MULTILINE)}) >= 100


def test_shares(texts: tuple[str, ...]) -> None:
    """About half the documents have docstrings, about a third have annotations, and the plain form is the commonest."""
    documented = [('"""' in text) for text in texts]
    annotated = [(") -> " in text) for text in texts]
    assert 0.4 < sum(documented) / len(texts) < 0.6
    assert 0.25 < sum(annotated) / len(texts) < 0.42
    plain = sum(not one and not other for one, other in zip(documented, annotated, strict=True))
    assert plain == max(plain, sum(documented) - sum(d and a for d, a in zip(documented, annotated, strict=True)))


def test_plain_prompts_are_common(texts: tuple[str, ...]) -> None:
    """The openings that a visitor is offered are among the commonest, and go on as expected."""
    assert sum(text.startswith("def add(a, b):\n    return a + b") for text in texts) >= 10
    assert sum(text.startswith("def is_even(n):\n    return n % 2 == 0") for text in texts) >= 10


def test_tables_name_real_functions() -> None:
    """No function names another one that is not written, and no alias is another function's name."""
    families = functions.functions().families
    assert {name for family in families.values() for name in family.related} <= set(families)
    aliases = [alias for family in families.values() for alias in family.aliases]
    assert not set(aliases) & set(families)
    assert len(aliases) == len(set(aliases))


def test_incomplete_code_is_refused() -> None:
    """What does not compile, or has no function that does something, is no complete document."""
    for text in (
        "",
        "x = 1",
        "def add(a, b):",
        "def add(a, b):\n    return a +",
        'def add(a, b):\n    """Add."""',
        "Hello there.",
        "\0",
    ):
        assert not compiles(text), text
