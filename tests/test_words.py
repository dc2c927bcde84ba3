"""The words of the page by language: how a language is found, and how a browser's wish is read."""

import pytest

from specviz import words


def test_english_is_first_and_every_folder_is_a_language() -> None:
    """English has no table, every other language has one, and each calls itself by its own name."""
    codes = words.languages()
    assert codes[0] == "en"
    assert set(codes[1:]) == {folder.name for folder in words.FOLDER.iterdir() if folder.is_dir()}
    assert words.table("en") == {}
    assert all(words.table(code) for code in codes[1:])
    assert {"code": "de", "name": "Deutsch"} in words.offered()
    assert words.offered(["xx"])[-1] == {"code": "xx", "name": "xx"}


@pytest.mark.parametrize(
    ("accepted", "spoken"),
    [
        ("", "en"),
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("fr-FR,fr;q=0.9,de;q=0.3", "de"),
        ("en-GB,de;q=0.9", "en"),
        ("de;q=0.2, en;q=0.8", "en"),
        ("de;q=0", "en"),
        ("../de,*;q=x", "en"),
        ("x" * 100_000, "en"),
    ],
)
def test_a_browser_gets_the_language_that_it_likes_best(accepted: str, spoken: str) -> None:
    """By weight, then by order; what is not spoken here, or cannot be read, counts for nothing."""
    assert words.preferred(accepted) == spoken
