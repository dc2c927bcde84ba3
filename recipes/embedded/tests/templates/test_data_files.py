"""The data files of the templates: whatever is wrong in one, a sentence names the file and the key."""

import shutil
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest

from recipes.embedded.templates import (
    counting,
    data_files,
    facts,
    functions,
    json_records,
    letters,
    lists,
    orders,
    rhymes,
    stories,
    sums,
    tale_heroes,
    tales,
)
from recipes.embedded.tests.helpers import seeded
from specviz.errors import TrainingError

SHIPPED = Path(str(data_files.FOLDER))
CACHED = (
    data_files.table,
    facts.phrasings,
    functions.functions,
    letters.occasions,
    letters._words,
    letters._weights,
    orders.shops,
    rhymes.themes,
    stories.plots,
    sums.scenarios,
    tale_heroes.heroes,
    tales.common,
    tales.schemas,
)


def forget() -> None:
    for cached in CACHED:
        cached.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the data files, which the templates read from now on."""
    copy = Path(shutil.copytree(SHIPPED, tmp_path / "data"))
    monkeypatch.setattr(data_files, "FOLDER", copy)
    forget()
    yield copy
    forget()


def change(path: Path, old: str, new: str) -> None:
    """Replace the first occurrence of a text in a file."""
    text = path.read_text(encoding="utf-8")
    assert old in text, old
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def mend(folder: Path, name: str) -> None:
    """Put the shipped file back."""
    shutil.copy(SHIPPED / f"{name}.toml", folder)


def refused(write: Callable[[], object]) -> str:
    """The one sentence with which the templates are refused."""
    forget()
    with pytest.raises(TrainingError) as error:
        write()
    text = str(error.value)
    assert "\n" not in text
    assert text.endswith(".")
    assert error.value.__cause__ is None
    return text


def documents_of(write: Callable[[Random], str]) -> list[str]:
    return [write(seeded(seed)) for seed in range(2000)]


def test_every_data_file_begins_with_what_it_is() -> None:
    """Each file is UTF-8 that opens with a comment, and holds something."""
    files = sorted(SHIPPED.glob("*.toml"))
    assert len(files) >= 20
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert text.startswith("# "), file.name
        assert tomllib.loads(text), file.name


def test_a_missing_key_is_named(folder: Path) -> None:
    """Without a list, a text, a number or a table that a template needs, file and key are named, the entry's number too."""
    for name, old, key, write in (
        ("orders", "sure = [", "sure", lambda: [orders.order(seeded(seed)) for seed in range(50)]),
        ("sums", 'answer = "{name} has {sum} now."', "additions[1].answer", lambda: sums.sums(seeded(1))),
        ("letters", "weight = 10", "letters[1].weight", lambda: letters.letter(seeded(1))),
        ("lists", "[kinds]", "kinds", lambda: [lists.listing(seeded(seed)) for seed in range(50)]),
        ("rhymes", "titles = [", "themes.sea.titles", lambda: rhymes.rhyme(seeded(1))),
        ("story_plots", "beats = '''", "lost.beats", lambda: stories.story(seeded(1))),
        ("tale_wishes", "leads = '''", "own.leads", lambda: tales.tale(seeded(1))),
        ("functions", "versions = '''", "functions.add.versions", lambda: functions.function(seeded(1))),
    ):
        change(folder / f"{name}.toml", old, f"[other]\n{old}" if old == "[kinds]" else f"other_{old}")
        if old == "[kinds]":
            change(folder / "lists.toml", "[kinds]", "[some]")
        said = refused(write)
        assert f"{name}.toml" in said
        assert repr(key) in said, said
        assert "missing" in said
        mend(folder, name)


def test_a_value_of_another_kind_is_named(folder: Path) -> None:
    """A number where a text belongs, a text where a list belongs, an empty list, a row that is too short: file, key and value are named."""
    for name, old, new, key, write in (
        ("words", "names = [", "names = 7\nothers = [", "names", lambda: sums.sums(seeded(1))),
        ("counting", "ones = [", 'ones = "one"\nothers = [', "ones", lambda: counting.number_word(1)),
        ("sums", 'shared = ["foods", "things"]', "things = []", "additions[1].things", lambda: sums.sums(seeded(1))),
        ("letters", "weight = 10", 'weight = "often"', "letters[1].weight", lambda: letters.letter(seeded(1))),
        ("tale_heroes", 'job = "baking bread"', "job = true", "persons[1].job", lambda: tales.tale(seeded(1))),
        ("functions", "arguments = [[1, 12]", "arguments = [[12, 1]", "functions.add.arguments", functions.functions),
        ("functions", "[[1, 12], [1, 12]]", '"dice"', "functions.add.arguments", functions.functions),
    ):
        change(folder / f"{name}.toml", old, new)
        said = refused(write)
        assert f"{name}.toml" in said
        assert repr(key) in said, said
        mend(folder, name)


def test_a_function_that_is_not_python_is_named(folder: Path) -> None:
    """A version that does not parse, or that defines something else, is refused by its first line."""
    change(folder / "functions.toml", "def add(a: int, b: int) -> int:", "def add(a: int, b: int -> int:")
    assert "'functions.add.versions'" in refused(functions.functions)
    change(folder / "functions.toml", "def add(a: int, b: int -> int:", "def sub(a: int, b: int) -> int:")
    assert "'def sub(a: int, b: int) -> int:'" in refused(functions.functions)


def test_a_slot_that_nothing_fills_is_named(folder: Path) -> None:
    """A misspelt slot in a template is refused by its name, whichever kind of text it is in."""
    for name, old, slot, write in (
        ("letter_words", "{reader}", "{raeder}", letters.letter),
        ("story_frames", "{hero}", "{hreo}", stories.story),
        ("tale_frames", "{ahero}", "{haero}", tales.tale),
        ("sums", "{first}", "{fisrt}", sums.sums),
        ("orders", '"I have {}."', '"I have {what}."', orders.order),
        ("counting", "{run}", "{rnu}", counting.counting),
    ):
        text = (folder / f"{name}.toml").read_text(encoding="utf-8")
        start = text.index("= [") if "= [" in text else 0  # after the comment
        (folder / f"{name}.toml").write_text(text[:start] + text[start:].replace(old, slot, 1), encoding="utf-8")
        assert slot.strip('"') in refused(partial(documents_of, write))
        mend(folder, name)


def test_a_damaged_file_is_named(folder: Path) -> None:
    """A file that is cut off inside a text, is not UTF-8 or is not there is refused by its name."""
    path = folder / "records.toml"
    shipped = path.read_bytes()
    for damaged in (shipped[:3000], b"# \xe9\n" + shipped, None):
        if damaged is None:
            path.unlink()
        else:
            path.write_bytes(damaged)
        assert "records.toml" in refused(lambda: [json_records.records(seeded(seed)) for seed in range(50)])


def test_what_is_changed_is_what_is_written(folder: Path) -> None:
    """A teacher who changes a text finds it in the documents."""
    change(folder / "rhymes.toml", "The waves roll in at break of day", "The teacher rows across the bay")
    forget()
    assert any("The teacher rows across the bay" in rhymes.rhyme(seeded(seed)) for seed in range(500))
