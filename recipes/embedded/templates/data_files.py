"""Reads the data files of the templates (`data/*.toml`). Whatever is wrong in one is reported in one sentence that names file and key."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypeVar

from specviz.errors import TrainingError

FOLDER: Traversable = files(__package__) / "data"
"""Where the data files are."""

_T = TypeVar("_T")


class Table:
    """One table of a data file. A value is checked when it is first used, and then kept.

    Every method raises TrainingError where the value is missing or of another kind.

    Args:
        file: name of the data file.
        path: keys that lead to this table, each followed by a dot; empty for the file itself.
        values: as they were read.
    """

    def __init__(self, file: str, path: str, values: Mapping[str, object]) -> None:
        self._file, self._path, self._values = file, path, values
        self._checked: dict[tuple[str, str], object] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def is_text(self, key: str) -> bool:
        """Whether there is one text under this key."""
        return isinstance(self._values.get(key), str)

    def text(self, key: str, default: str | None = None) -> str:
        """One text; `default` where the file has none."""
        return self._get(key, "a text", _text, default)

    def number(self, key: str, default: int | None = None) -> int:
        """One whole number; `default` where the file has none."""
        return self._get(key, "a whole number", _number, default)

    def flag(self, key: str, default: bool | None = None) -> bool:
        """True or false; `default` where the file has neither."""
        return self._get(key, "true or false", _flag, default)

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """A list of texts with at least one in it; `default` where the file has none."""
        return self._get(key, "a list of texts with at least one in it", _texts, default)

    def lines(self, key: str) -> tuple[str, ...]:
        """A text of several lines, line by line."""
        return self._get(key, "a text with at least one line", _lines)

    def blocks(self, key: str) -> tuple[tuple[str, ...], ...]:
        """A text whose blocks of lines are separated by empty lines, block by block."""
        return self._get(key, "a text with at least one line", _blocks)

    def paragraphs(self, key: str) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """A list of such texts."""
        return self._get(key, "a list of texts with at least one line each", _paragraphs)

    def grid(self, key: str, width: int) -> tuple[tuple[str, ...], ...]:
        """A list of lists of `width` texts each."""
        return self._get(key, f"a list of lists of {width} texts each", lambda value: _grid(value, width))

    def ranges(self, key: str) -> tuple[tuple[int, int], ...]:
        """A list of pairs of whole numbers, the lower one first."""
        return self._get(key, "a list of pairs [lowest, highest]", _ranges)

    def table(self, key: str) -> "Table":
        """A table inside this one."""
        return self._get(key, "a table", lambda value: self._inner(f"{key}.", value))

    def optional_table(self, key: str) -> "Table":
        """A table inside this one, or an empty one where the file has none."""
        return self.table(key) if key in self else Table(self._file, f"{self._path}{key}.", {})

    def tables(self, key: str) -> tuple["Table", ...]:
        """A list of tables with at least one in it."""
        return self._get(key, "a list of tables with at least one in it", lambda value: self._entries(key, value))

    def each_text(self) -> dict[str, str]:
        """All that is in a table that holds nothing but texts."""
        return {key: self.text(key) for key in self}

    def each_texts(self) -> dict[str, tuple[str, ...]]:
        """All that is in a table that holds nothing but lists of texts."""
        return {key: self.texts(key) for key in self}

    def each_table(self) -> dict[str, "Table"]:
        """All that is in a table that holds nothing but tables."""
        return {key: self.table(key) for key in self}

    def wrong(self, key: str, problem: str) -> TrainingError:
        """The error for a value that cannot be used; `problem` completes the sentence."""
        return TrainingError(
            f"The template file {self._file}, key {self._path + key!r}: {problem}. Correct the file, or install specviz again."
        )

    def _get(self, key: str, expected: str, read: Callable[[object], _T | None], default: _T | None = None) -> _T:
        known = self._checked.get((key, expected))
        if known is not None:
            return known  # type: ignore[return-value]  # what `read` made of the same key before
        if key not in self._values:
            if default is not None:
                return default
            raise self.wrong(key, f"it is missing; expected {expected}")
        value = self._values[key]
        found = read(value)
        if found is None:
            raise self.wrong(key, f"expected {expected}, but found {_short(value)}")
        self._checked[key, expected] = found
        return found

    def _inner(self, path: str, value: object) -> "Table | None":
        return Table(self._file, self._path + path, value) if isinstance(value, dict) else None

    def _entries(self, key: str, value: object) -> "tuple[Table, ...] | None":
        if not isinstance(value, list) or not value:
            return None
        found = [self._inner(f"{key}[{number}].", entry) for number, entry in enumerate(value, 1)]
        return tuple(entry for entry in found if entry is not None) if all(found) else None


@cache
def table(name: str) -> Table:
    """The data file `name`.toml.

    Raises:
        TrainingError: it is missing, or is not TOML in UTF-8.
    """
    file = f"{name}.toml"
    try:
        values = tomllib.loads((FOLDER / file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:  # broken TOML and broken UTF-8 are both ValueErrors
        raise TrainingError(
            f"The template file {file} could not be read ({error}). Correct the file, or install specviz again."
        ) from None
    return Table(file, "", values)


def filled(template: str, *values: object, **slots: object) -> str:
    """The template with its slots filled, as `str.format` does it.

    Raises:
        TrainingError: it has a slot that nothing fills, or an open brace.
    """
    try:
        return template.format(*values, **slots)
    except (LookupError, ValueError) as error:
        raise TrainingError(f"The template {template!r} cannot be filled ({error}): correct its slots.") from None


def unknown_slot(slot: str, where: str) -> TrainingError:
    """The error for a template with a slot that nothing fills."""
    return TrainingError(
        f"A template of the {where} has the slot {{{slot}}}, which nothing fills: correct its spelling."
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _texts(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list) or not value or not all(isinstance(text, str) for text in value):
        return None
    return tuple(value)


def _lines(value: object) -> tuple[str, ...] | None:
    return tuple(value.strip().splitlines()) or None if isinstance(value, str) else None


def _blocks(value: object) -> tuple[tuple[str, ...], ...] | None:
    if not isinstance(value, str) or not value.strip():
        return None
    return tuple(tuple(block.splitlines()) for block in value.strip().split("\n\n"))


def _paragraphs(value: object) -> tuple[tuple[tuple[str, ...], ...], ...] | None:
    found = [_blocks(text) for text in value] if isinstance(value, list) else []
    return tuple(blocks for blocks in found if blocks) if found and all(found) else None


def _grid(value: object, width: int) -> tuple[tuple[str, ...], ...] | None:
    found = [_texts(row) for row in value] if isinstance(value, list) else []
    rows = tuple(row for row in found if row and len(row) == width)
    return rows if rows and len(rows) == len(found) else None


def _ranges(value: object) -> tuple[tuple[int, int], ...] | None:
    rows = value if isinstance(value, list) else []
    found = [tuple(row) for row in rows if isinstance(row, list) and len(row) == 2 and all(map(_is_number, row))]
    pairs = tuple((low, high) for low, high in found if low <= high)
    return pairs if pairs and len(pairs) == len(rows) else None


def _is_number(value: object) -> bool:
    return _number(value) is not None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
