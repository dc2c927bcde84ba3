"""Letters and e-mails are whole, and what calls a letter complete can also say no."""

import re
from collections.abc import Callable
from random import Random

import pytest

from recipes.embedded.templates.letters import closings, email, is_complete_letter, letter
from recipes.embedded.templates.words import words
from recipes.embedded.tests.helpers import documents, seeded

pytestmark = [pytest.mark.slow]

COUNT = 3000
Generator = Callable[[Random], str]
both = pytest.mark.parametrize("generator", [letter, email])


def cut_before_closing(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(lines[: next(at for at, line in enumerate(lines) if line in closings())])


def header_of(text: str) -> str:
    return text.split("\n\n", 1)[0]


@both
def test_every_document_is_complete(generator: Generator) -> None:
    """Each generated document has a greeting, a body, a closing and a signature."""
    assert [text for text in documents(generator, COUNT) if not is_complete_letter(text)] == []


@both
def test_a_document_cut_before_its_closing_is_not_complete(generator: Generator) -> None:
    """Without the closing and the name no document passes."""
    assert not any(is_complete_letter(cut_before_closing(text)) for text in documents(generator, COUNT))


@both
def test_a_document_cut_before_its_signature_is_not_complete(generator: Generator) -> None:
    """A closing alone does not end a letter."""
    for text in documents(generator, COUNT):
        before = cut_before_closing(text)
        closing = text[len(before) :].strip().split("\n")[0]
        assert not is_complete_letter(f"{before}\n{closing}\n")


@both
def test_a_document_without_its_greeting_is_not_complete(generator: Generator) -> None:
    """The greeting is needed, with or without header lines above it."""
    for text in documents(generator, COUNT):
        blocks = text.split("\n\n")
        greeting = 1 if "Subject: " in blocks[0] else 0
        assert not is_complete_letter("\n\n".join(blocks[:greeting] + blocks[greeting + 1 :]))


@both
def test_a_document_without_its_body_is_not_complete(generator: Generator) -> None:
    """A greeting straight above the closing is no letter."""
    for text in documents(generator, COUNT):
        blocks = text.split("\n\n")
        greeting = 1 if "Subject: " in blocks[0] else 0
        assert not is_complete_letter("\n\n".join([*blocks[: greeting + 1], blocks[-1]]))


def test_what_is_no_letter_is_not_complete() -> None:
    """Each of these lacks one of the parts."""
    for text in (
        "",
        "Dear Anna,",
        "Subject: Lunch",
        "Dear Anna,\n\nThank you for\n\nLove,\nTom",
        "Dear Anna\n\nThank you.\n\nLove,\nTom",
        "Dear Anna,\n\nThank you.\n\nLove,\n\nTom",
    ):
        assert not is_complete_letter(text), text


@both
def test_the_same_seed_gives_the_same_document(generator: Generator) -> None:
    """All randomness comes from the argument."""
    assert documents(generator, COUNT)[:300] == tuple(generator(seeded(seed)) for seed in range(300))


@both
def test_documents_are_short_plain_and_varied(generator: Generator) -> None:
    """All are clean ASCII of 40 to 900 characters with every slot filled, and hardly two are the same."""
    texts = documents(generator, COUNT)
    for text in texts:
        assert text.isascii()
        assert text == text.strip()
        assert 40 <= len(text) <= 900
        assert not re.search(r"[{}]|  |\n\n\n| \n|[.!?,]{2}|\ba [aeio]|\ban [^aeiouh]", text), text
    assert len(set(texts)) > 0.97 * len(texts)


def test_thank_you_letters_are_common() -> None:
    """The demonstration's beginning is one that the letters often have."""
    thanks = [text for text in documents(letter, COUNT) if re.match(r"Dear [^\n]*,\n\nThank you for your ", text)]
    assert len(thanks) > 0.15 * COUNT
    assert len({text.split("\n\n")[1] for text in thanks}) > 200


def test_an_email_keeps_the_day_of_its_subject() -> None:
    """A weekday or number named in the subject is in the body too."""
    seen = 0
    for text in documents(email, COUNT):
        subject = next(line for line in header_of(text).split("\n") if line.startswith("Subject: "))
        body = text.split("\n\n", 1)[1]
        for word in re.findall(r"\d+|" + "|".join(words("weekdays")), subject):
            seen += 1
            assert re.search(rf"\b{word}\b", body), text
    assert seen > 1000


def test_a_sender_signs_the_email() -> None:
    """The name in a From line is the name below the closing."""
    senders = [text for text in documents(email, COUNT) if "From: " in header_of(text)]
    assert len(senders) > 100
    for text in senders:
        first_name = text.split("From: ")[1].split(" ")[0]
        assert re.search(rf",\n{first_name}\b", text.split("\n\n")[-1])
