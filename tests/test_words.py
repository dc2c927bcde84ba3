"""The words of the page by language, the choice of a language, and what a translation lacks."""

import shutil
from pathlib import Path

import pytest

from specviz import words
from specviz.lessons.files import BUILT_IN
from tests.helpers.node import evaluated
from tools.words import outdated, problems


def test_english_is_first_and_every_folder_is_a_language() -> None:
    """English has no table, every other language has one, and each calls itself by its own name."""
    codes = words.languages()
    assert codes[0] == "en"
    assert set(codes[1:]) == {folder.name for folder in words.FOLDER.iterdir() if folder.is_dir()}
    assert words.table("en") == {}
    assert all(words.table(code) for code in codes[1:])
    assert {"code": "de", "name": "Deutsch"} in words.language_choices()
    assert words.language_choices(["xx"])[-1] == {"code": "xx", "name": "xx"}


def test_a_browser_gets_the_language_that_it_likes_best() -> None:
    """By weight, then by order; a language that the page lacks, or that cannot be read, counts for nothing."""
    for accepted in ("de-AT,de;q=0.9,en;q=0.5", "fr-FR,fr;q=0.9,de;q=0.3"):
        assert words.preferred(accepted) == "de"
    for accepted in ("", "en-GB,de;q=0.9", "de;q=0.2, en;q=0.8", "de;q=0", "../de,*;q=x", "x" * 100_000):
        assert words.preferred(accepted) == "en", accepted[:40]


@pytest.mark.slow
@pytest.mark.parametrize("language", words.languages()[1:])
def test_no_language_lacks_a_text_or_has_an_old_one(language: str) -> None:
    """Every text of the page is in its table with the same gaps, every lesson, term and the handout translate the English ones of now."""
    assert problems(language, words.table(language)) == []
    assert outdated(language) == []


@pytest.mark.slow
def test_what_is_missing_older_or_has_another_gap_is_named() -> None:
    """A text or a run's title without a translation, one that no page says, and a lost gap are one sentence each."""
    table = dict(words.table("de"))
    del table["Play"], table["An iced coffee"]
    table |= {"Nobody says this.": "Das sagt niemand.", "Round {round}": "Runde"}
    assert problems("de", table) == [
        "'An iced coffee' is missing.",
        "'Play' is missing.",
        "'Nobody says this.' is older than its source: no page says it.",
        "'Round {round}' has other gaps in 'de': 'Runde'.",
    ]


def test_a_changed_english_lesson_makes_its_translation_older(tmp_path: Path) -> None:
    """The section is named."""
    for file in BUILT_IN.iterdir():
        if file.suffix == ".md" or file.name.startswith(("glossary", "translated")):
            shutil.copy(file, tmp_path)
    text = (tmp_path / "05-faster.md").read_text(encoding="utf-8")
    changed = text.replace("It will make mistakes.", "Will it make mistakes?")
    (tmp_path / "05-faster.md").write_text(changed, encoding="utf-8")
    (found,) = outdated("es", tmp_path)
    assert found.endswith("is older than 05-faster.md in the section 'A question with a sum'.")


def test_a_page_says_the_words_of_its_language() -> None:
    """A sentence with gaps, one that depends on a number, a decimal comma, and English again; what the table lacks stays English."""
    script = """table => { useWords(table); return [word('Round {round}', { round: 3 }), several(1, '{n} [pass|passes]'),
        several(2, '{n} [pass|passes]'), number(2.5, 2), percent(0.61), word('Never translated.'), word('draft¦verb')]; }"""
    for table, texts in (
        (words.spoken("de"), ["Runde 3", "1 Durchlauf", "2 Durchläufe", "2,50", "61\u00a0%"]),
        (None, ["Round 3", "1 pass", "2 passes", "2.50", "61%"]),
    ):
        said = evaluated(["shared/words", "shared/labels"], script, table)
        assert said == [*texts, "Never translated.", "draft"]


def test_a_sentence_with_gaps_reaches_the_page_in_its_language() -> None:
    """Its gaps are filled in the language: another sentence, a decimal comma; a text of a run stays as it is. In English it is a text."""
    inner = words.Sentence("another engine ran at the same time")
    speed = words.Sentence("about {speedup}×", speedup=words.Decimal(1.5, 2))
    both = words.in_row((inner, "", speed, "Play"), ": ")
    assert both == "another engine ran at the same time: about 1.50×: Play"
    script = "([spoken, text]) => { useWords(spoken); return textOnPage(text); }"
    text = evaluated(["shared/words"], script, [words.spoken("de"), words.for_page(both)])
    assert text == "eine andere Engine lief gleichzeitig: etwa 1,50×: Play"
