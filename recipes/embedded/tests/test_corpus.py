"""Reading the corpus: what is complete comes unchanged, and whatever is broken is named in one sentence."""

import gzip
import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st

from recipes.embedded import corpus
from recipes.embedded.mixture import ABOUT_COUNTRIES, Library
from recipes.embedded.templates.countries import countries
from recipes.embedded.tests.helpers import WriteCorpus
from specviz.errors import CorpusError, TrainingError

GOOD = b'{"text": "one"}\n{"text": "two"}\n'
TWO_BYTES_IN_LATIN = "é".encode("latin-1")


def sentence_of(error: pytest.ExceptionInfo[CorpusError]) -> str:
    """What a person is shown, after checking that it can be shown: one line, ended like a sentence, no stack of causes."""
    text = str(error.value)
    assert "\n" not in text
    assert text.endswith(".")
    assert error.value.__cause__ is None
    assert error.value.__suppress_context__ or error.value.__context__ is None
    return text


def test_a_whole_corpus_is_let_in(corpus_of: WriteCorpus) -> None:
    """A folder with every file passes the check, and every class in it can be read."""
    folder = corpus_of()
    corpus.check(folder)
    for kind in corpus.FILES:
        assert len(corpus.documents(folder, kind)) == 60
    assert {"Finland", "Jordan"} < {country.name for country in countries(corpus.country_records(folder))}


def test_documents_come_in_order_and_keep_their_characters(corpus_of: WriteCorpus) -> None:
    """Documents keep the file's order and every character but the white space around them and Windows line ends."""
    folder = corpus_of({"verse": ["  Zwölf Boxkämpfer\r\njagen\n\n Eva \n", "a\u2028b \u4f60\u597d", "Ω"]})
    assert corpus.documents(folder, "verse") == ["Zwölf Boxkämpfer\njagen\n\n Eva", "a\u2028b \u4f60\u597d", "Ω"]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """A folder that does not exist, or is a file, is refused by its name, also when the library asks."""
    file = tmp_path / "file"
    file.write_text("no folder")
    for folder in (tmp_path / "nowhere", file):
        for ask in (corpus.check, lambda folder: Library(folder, ["prose"])):
            with pytest.raises(CorpusError) as error:
                ask(folder)
            assert repr(str(folder)) in sentence_of(error)


def test_a_missing_file_is_named(corpus_of: WriteCorpus) -> None:
    """Without any one of its files the folder is refused, and only that file is named, whatever class is asked for."""
    for name in (*corpus.FILES.values(), corpus.COUNTRIES):
        folder = corpus_of()
        (folder / name).unlink()
        for ask in (corpus.check, lambda folder: Library(folder, ["verse"])):
            with pytest.raises(CorpusError) as error:
                ask(folder)
            assert str(folder) in sentence_of(error)
            assert [file for file in (*corpus.FILES.values(), corpus.COUNTRIES) if file in str(error.value)] == [name]
        with pytest.raises(CorpusError) as error:
            [*(corpus.documents(folder, kind) for kind in corpus.FILES), corpus.country_records(folder)]
        assert str(folder / name) in sentence_of(error)


def test_all_missing_files_are_named_at_once(corpus_of: WriteCorpus) -> None:
    """Where several files are missing, one sentence names them all."""
    folder = corpus_of()
    missing = [corpus.FILES["verse"], corpus.FILES["orders"], corpus.COUNTRIES]
    for name in missing:
        (folder / name).unlink()
    with pytest.raises(CorpusError) as error:
        corpus.check(folder)
    assert all(name in sentence_of(error) for name in missing)


def test_a_folder_in_a_files_place_is_no_file(corpus_of: WriteCorpus) -> None:
    """A folder that bears a file's name counts as a missing file, and reading it is refused too."""
    path = corpus_of() / corpus.FILES["fables"]
    path.unlink()
    path.mkdir()
    for ask in (lambda: corpus.check(path.parent), lambda: corpus.documents(path.parent, "fables")):
        with pytest.raises(CorpusError, match=path.name) as error:
            ask()
        sentence_of(error)


@pytest.mark.parametrize("content", [b"", gzip.compress(b"")], ids=["no bytes", "nothing packed"])
def test_an_empty_file_is_named(corpus_of: WriteCorpus, content: bytes) -> None:
    """A file without a line is refused by name, whether it is empty itself or holds nothing."""
    folder = corpus_of()
    for name in (corpus.FILES["prose"], corpus.COUNTRIES):
        (folder / name).write_bytes(content)
    for name, ask in (
        (corpus.FILES["prose"], lambda: corpus.documents(folder, "prose")),
        (corpus.FILES["prose"], lambda: Library(folder, ["prose"])),
        (corpus.COUNTRIES, lambda: corpus.country_records(folder)),
        (corpus.COUNTRIES, lambda: Library(folder, ABOUT_COUNTRIES)),
    ):
        with pytest.raises(CorpusError, match="empty") as error:
            ask()
        assert str(folder / name) in sentence_of(error)


NO_RECORD = [b"no JSON", b'{"text": "half', b"", b'["text"]', b'"text"', b"7", b"null", b"{'text': 'one'}"]


def test_a_line_that_is_no_record_is_named(corpus_of: WriteCorpus) -> None:
    """A line that is not one JSON object is refused with its file and its number, in collected text and facts alike."""
    folder = corpus_of()
    for line, place in product(NO_RECORD, (1, 3)):
        for name in (corpus.FILES["word problems"], corpus.COUNTRIES):
            (folder / name).write_bytes(gzip.compress((GOOD if place == 3 else b"") + line + b"\n" + GOOD))
        for name, ask in (
            (corpus.FILES["word problems"], lambda: corpus.documents(folder, "word problems")),
            (corpus.FILES["word problems"], lambda: Library(folder, ["word problems"])),
            (corpus.COUNTRIES, lambda: corpus.country_records(folder)),
        ):
            with pytest.raises(CorpusError) as error:
                ask()
            assert f"{folder / name}, line {place}:" in sentence_of(error), line


def test_a_line_without_text_is_named(corpus_of: WriteCorpus) -> None:
    """A record without some text in it is refused with its file and its number."""
    for line in ("{}", '{"txt": "a"}', '{"text": 5}', '{"text": null}', '{"text": " \\n"}', '{"text": ["a"]}'):
        path = corpus_of() / corpus.FILES["orders"]
        path.write_bytes(gzip.compress(GOOD + line.encode() + b"\n" + GOOD))
        with pytest.raises(CorpusError) as error:
            corpus.documents(path.parent, "orders")
        assert f"{path}, line 3:" in sentence_of(error), line


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        gzip.compress(GOOD)[:-9],
        gzip.compress(GOOD) + b"more that is not gzip",
        gzip.compress(GOOD + b'{"text": "' + TWO_BYTES_IN_LATIN + b'"}\n'),
        gzip.compress(GOOD.decode().encode("utf-16")),
    ],
    ids=["not gzip", "truncated", "something behind it", "Latin letters", "UTF-16"],
)
def test_a_file_that_cannot_be_read_is_named(corpus_of: WriteCorpus, content: bytes) -> None:
    """What is not gzip, is cut off, continues with something else or is not UTF-8 is refused with its file, in text and facts."""
    folder = corpus_of()
    for name in (corpus.FILES["verse"], corpus.COUNTRIES):
        (folder / name).write_bytes(content)
    for name, ask in (
        (corpus.FILES["verse"], lambda: corpus.documents(folder, "verse")),
        (corpus.FILES["verse"], lambda: Library(folder, ["verse"])),
        (corpus.COUNTRIES, lambda: corpus.country_records(folder)),
    ):
        with pytest.raises(CorpusError) as error:
            ask()
        assert str(folder / name) in sentence_of(error)


def test_cut_off_anywhere_a_file_is_refused(tmp_path: Path) -> None:
    """A file that lacks its last bytes, however many, is refused by name: never is half of it taken for the whole."""
    path = tmp_path / corpus.FILES["fables"]
    whole = gzip.compress(GOOD + b'{"text": "three"}\n')
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(CorpusError) as error:
            corpus.documents(tmp_path, "fables")
        assert str(path) in sentence_of(error)
    path.write_bytes(whole)
    assert corpus.documents(tmp_path, "fables") == ["one", "two", "three"]


def test_with_a_wrong_bit_a_file_is_refused_or_the_same(tmp_path: Path) -> None:
    """One wrong bit anywhere is noticed and the file named, unless the text is untouched by it."""
    path = tmp_path / corpus.FILES["fables"]
    whole = gzip.compress(GOOD)
    refused = 0
    for bit in range(0, 8 * len(whole), 3):  # three is no divisor of eight: every place of a byte comes
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        try:
            assert corpus.documents(tmp_path, "fables") == ["one", "two"]
        except CorpusError as error:
            assert str(path) in str(error)  # noqa: PT017  # most bits are noticed, some do not matter
            refused += 1
    assert refused > 2 * len(whole)


@tries(max_examples=100, deadline=None)
@given(content=st.binary(max_size=60), packed=st.booleans())
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes, packed: bool) -> None:
    """Whatever bytes a file holds, reading it gives documents or a sentence that names the file, and nothing else."""
    path = tmp_path_factory.getbasetemp() / corpus.FILES["verse"]
    path.write_bytes(gzip.compress(content) if packed else content)
    with pytest.raises(CorpusError) as error:
        corpus.documents(path.parent, "verse")
    assert str(path) in str(error.value)


@tries(max_examples=40, deadline=None)
@given(texts=st.lists(st.text(min_size=1).filter(lambda text: bool(text.strip())), min_size=1, max_size=5))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    """Any texts written as lines of JSON come back, but for the white space around them and Windows line ends."""
    path = tmp_path_factory.getbasetemp() / corpus.FILES["verse"]
    for plain in (False, True):
        lines = "".join(json.dumps({"text": text, "more": 1}, ensure_ascii=plain) + "\n" for text in texts)
        path.write_bytes(gzip.compress(lines.encode()))
        assert corpus.documents(path.parent, "verse") == [text.strip().replace("\r\n", "\n") for text in texts]


def test_a_broken_corpus_is_a_training_error() -> None:
    """Whoever catches what training can raise catches a broken corpus too."""
    assert issubclass(CorpusError, TrainingError)
