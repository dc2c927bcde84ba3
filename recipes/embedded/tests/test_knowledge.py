"""Questions on countries, put to a network that was taught a few answers."""

import json
import re
from pathlib import Path

import pytest
import torch

from recipes.embedded import architecture, knowledge
from recipes.embedded import tokenizer as tokens
from recipes.embedded.answers import Pupil
from recipes.embedded.marks import Share
from recipes.embedded.objectives import text_losses
from recipes.embedded.recipe import Shape
from recipes.embedded.templates.countries import Country
from recipes.embedded.templates.facts import questions

pytestmark = pytest.mark.slow

ALVA = Country("Alva", "Borum", "Europe", "crown", ("Alvan", "Norse"))
BRENN = Country("Brenn", "Kestrel", "Asia", "dollar", ("Brennish",))
CORVIA = Country("Corvia", "Zyx", None, "Corvian peso", ())
ROCK = Country("the Rock")
KNOWN = (ALVA, BRENN, CORVIA, ROCK)
TAUGHT = (
    "The capital of Alva is Borum.",
    "The capital of Brenn is Kestrel.",
    "The capital of Corvia is Borum.",
    "The capital city of Alva is Borum.",
    "The capital city of Brenn is Borum.",
    "Alva is in Europe.",
    "Brenn is in Africa.",
)


@pytest.fixture(scope="module")
def pupil() -> Pupil:
    """A small network that has these sentences by heart and knows nothing else."""
    tokenizer = tokens.learn(TAUGHT * 9, 330)
    model = architecture.build(Shape(layers=2, width=64, heads=1, feed_forward=128), 330, 64, seed=0)
    texts = [tokenizer.encode(text).ids for text in TAUGHT]
    width = max(map(len, texts)) + 1
    rows = torch.tensor([ids + [tokens.END_ID] * (width - len(ids)) for ids in texts])
    losses = text_losses(model, "text")
    optimiser = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for _ in range(120):
        optimiser.zero_grad()
        loss = losses(rows)["text"]
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    taught = Pupil(model.eval(), tokenizer)
    prompts = [text.rsplit(" ", 1)[0] for text in TAUGHT]
    assert taught.continuations(prompts, 8) == [" " + text.rsplit(" ", 1)[1] for text in TAUGHT]
    return taught


def test_only_the_answer_itself_is_right() -> None:
    """The text must begin with the complete answer, after white space at most, and the word must end there."""
    for text, answer, is_right in (
        (" Niger.", "Niger", True),
        (" Nigeria.", "Niger", False),
        (" Nigeria.", "Nigeria", True),
        ("Nigeria", "Nigeria", True),
        ("\nNigeria\n", "Nigeria", True),
        (" Niger", "Nigeria", False),
        (" nigeria.", "Nigeria", False),
        (" not Nigeria.", "Nigeria", False),
        (" Port Louis, of course.", "Port Louis", False),
        (" Port.", "Port Louis", False),
        (" Port Louise.", "Port Louis", False),
        (" Rome2", "Rome", False),
        (" the euros.", "the euro", False),
        (" the euro.", "the euro", True),
        ("", "Rome", False),
    ):
        assert knowledge.right(text, answer) is is_right, (text, answer)


def test_countries_are_kept_beside_the_pair(tmp_path: Path) -> None:
    """What is written is read back the same, gaps and several languages included, and the file is a list in JSON."""
    knowledge.write(KNOWN, tmp_path)
    assert knowledge.read(tmp_path) == KNOWN
    kept = json.loads((tmp_path / knowledge.FILE).read_text())
    assert [country["name"] for country in kept] == ["Alva", "Brenn", "Corvia", "the Rock"]


def test_a_pair_that_was_taught_no_countries_has_none(tmp_path: Path) -> None:
    """A folder without the file holds no countries, and neither does one with an empty list."""
    assert knowledge.read(tmp_path) == ()
    knowledge.write((), tmp_path)
    assert knowledge.read(tmp_path) == ()


def test_capitals_are_counted_in_each_phrasing(pupil: Pupil) -> None:
    """Every country with a capital is asked once in each phrasing, and what was taught right counts as right."""
    assert knowledge.capitals(pupil, KNOWN) == Share(2, 3)
    assert knowledge.capitals(pupil, KNOWN, 1) == Share(1, 3)
    assert knowledge.capitals(pupil, (ROCK,)) == Share(0, 0)


def test_the_missed_capitals_are_those_not_right(pupil: Pupil) -> None:
    """What was missed is the plain question with the answer it should have had, and with the right ones makes all."""
    assert knowledge.missed(pupil, KNOWN) == [("The capital of Corvia is", "Zyx")]
    assert knowledge.missed(pupil, (ALVA, BRENN)) == []


def test_other_questions_are_all_asked(pupil: Pupil) -> None:
    """Every known answer is asked for in five phrasings, and the share is that of texts that give the answer."""
    for kind in ("continent", "currency", "language"):
        asked = questions(kind, KNOWN)
        with_answer = sum(country.answer(kind) is not None for country in KNOWN)
        texts = pupil.continuations([prompt for prompt, _ in asked], 24)
        hits = sum(
            re.match(rf"\s*{re.escape(answer)}(?![A-Za-z0-9])", text) is not None
            for text, (_, answer) in zip(texts, asked, strict=True)
        )
        assert knowledge.others(pupil, KNOWN, kind) == Share(hits, 5 * with_answer), kind
        assert hits > 0 or kind != "continent"


def test_no_more_are_asked_than_wanted(pupil: Pupil) -> None:
    """Where fewer questions are wanted than there are, so many are asked; where there are not enough, all."""
    for most in (1, 4, 7, 9, 10):
        assert knowledge.others(pupil, (ALVA, BRENN), "continent", most).asked == most, most
        assert knowledge.others(pupil, (ALVA,), "continent", most).asked == min(5, most), most
