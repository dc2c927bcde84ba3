"""The beginnings that figures are taken on: always the same, real, and never given away by the training text."""

import json
import re
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from recipes.embedded import openings
from recipes.embedded.mixture import ABOUT_COUNTRIES, GENERATED, HeldOut, Library, documents
from recipes.embedded.openings import EXAMINED, EXAMINED_KINDS, STORIES, VERSE, by_category
from recipes.embedded.tests.helpers import WriteCorpus

pytestmark = pytest.mark.slow

PROMPTS = json.loads((Path(__file__).parents[3] / "assets" / "prompts" / "embedded.json").read_text(encoding="utf-8"))
READY_MADE = [prompt["prompt"] for prompt in PROMPTS if prompt["category"] != "facts"]
"""Facts are meant to be learnt: the same sentence is asked for and taught."""

SEEN = 1500


@cache
def examined() -> tuple[str, ...]:
    """Every prompt that something is counted on, but for facts."""
    by_kind = [prompt for kind in EXAMINED_KINDS for prompt in openings.generated(kind)]
    counted = [prompt for prompts in by_category((), 100).values() for prompt in prompts]
    return tuple(dict.fromkeys([*by_kind, *counted]))


@cache
def guard() -> HeldOut:
    return openings.held_out(READY_MADE, Library(None, GENERATED))


def test_openings_are_always_the_same() -> None:
    """The openings of a class are as many as asked for, all different, and the first ones of a longer list."""
    for kind in EXAMINED_KINDS:
        found = openings.generated(kind)
        assert len(set(found)) == len(found) == EXAMINED
        assert openings.generated(kind) == found
        assert openings.generated(kind, 10) == found[:10]


def test_openings_are_how_documents_begin() -> None:
    """Unguarded, the class does write documents that begin with an examined opening and continue after it."""
    for kind in sorted({*EXAMINED_KINDS} - {"generated orders"}):
        begun = tuple(openings.generated(kind))
        texts = islice(Library(None, [kind]).stream(kind, "unguarded"), SEEN)
        assert any(text.startswith(begun) and text not in begun for text in texts), kind


def test_openings_of_orders_end_where_the_assistant_speaks() -> None:
    """An order's opening is one customer's line and the assistant's name, as in the ready-made prompts."""
    ready_made = [prompt for prompt in READY_MADE if prompt.startswith("Customer:")]
    assert ready_made
    for opening in (*openings.generated("generated orders"), *ready_made):
        assert re.fullmatch(r"Customer: [^\n]+\nAssistant:", opening)


@pytest.mark.parametrize("kind", GENERATED)
def test_generated_text_gives_no_prompt_away(kind: str) -> None:
    """No guarded document begins with an examined prompt or contains a ready-made one, white space at its ends aside."""
    stream = documents(Library(None, [kind]), {kind: 1}, "given away", guard())
    wanted = [prompt.strip() for prompt in READY_MADE]
    for _, text in islice(stream, SEEN):
        assert not text.startswith(examined()), text
        assert not any(prompt in text for prompt in wanted), text


@pytest.mark.parametrize("kind", ABOUT_COUNTRIES)
def test_facts_give_no_other_prompt_away(corpus_of: WriteCorpus, kind: str) -> None:
    """Facts are taught as they are asked, but they hold no prompt of any other category."""
    stream = documents(Library(corpus_of(), [kind]), {kind: 1}, "facts", guard())
    for _, text in islice(stream, 500):
        assert not text.startswith(examined())
        assert not any(prompt.strip() in text for prompt in READY_MADE)


def test_unguarded_text_does_give_prompts_away() -> None:
    """Without the guard, prompts would be given away: both ready-made ones and openings."""
    library = Library(None, GENERATED)
    texts = [text for kind in ("letters", "code", "JSON") for text in islice(library.stream(kind, "given away"), SEEN)]
    assert any(text.startswith(examined()) for text in texts)
    assert any(prompt.strip() in text for prompt in READY_MADE for text in texts)


def test_ready_made_prompts_are_refused_anywhere() -> None:
    """A text that contains a ready-made prompt, at its beginning or inside, with or without the line end after it, is refused."""
    for prompt in READY_MADE:
        assert guard().touches(prompt + " and so on"), prompt
        assert guard().touches(f"Before it.\n\n{prompt.strip()} and so on"), prompt


def test_examined_openings_are_refused() -> None:
    """A text that begins as an examined one, in whichever generated class, story or verse, is refused."""
    counted = by_category((), 100)
    for category in ("letters", "JSON", "code", "orders", "story", "verse"):
        for prompt in counted[category]:
            assert guard().touches(prompt + " and so on"), prompt
    for prompt in (*STORIES, *VERSE, *(prompt for kind in EXAMINED_KINDS for prompt in openings.generated(kind))):
        assert guard().touches(prompt + "x")


def test_plenty_is_left_to_learn_from() -> None:
    """The guard drops less than a quarter of what any class writes."""
    for kind in GENERATED:
        texts = list(islice(Library(None, [kind]).stream(kind, "left"), 600))
        assert sum(map(guard().touches, texts)) < 0.25 * len(texts), kind


def test_collected_text_is_guarded_too(corpus_of: WriteCorpus) -> None:
    """Collected documents that begin as an examined story or hold a ready-made prompt never come; their neighbours do."""
    bad = [story + " and then." for story in STORIES] + ["Before.\n\n" + prompt for prompt in READY_MADE]
    good = [f"Document {number} is harmless." for number in range(3 * len(bad))]
    texts = [text for number, harmless in enumerate(good) for text in (harmless, *bad[number : number + 1])]
    library = Library(corpus_of({"verse": texts}), ["verse"])
    stream = {text for _, text in islice(documents(library, {"verse": 1}, "seed", guard()), 3 * len(good))}
    assert stream == set(good) - set(library.held_out("verse"))


def test_held_out_dialogues_are_not_given_away(corpus_of: WriteCorpus) -> None:
    """A collected dialogue that begins with the customer's line of a held-out one never comes, however it goes on."""
    lines = [
        f"Customer: I would like {count} cups of tea\nAssistant: {answer}" for count in range(40) for answer in "xy"
    ]
    library = Library(corpus_of({"orders": lines}), ["orders"])
    asked = {text.split("\nAssistant:")[0] for text in library.held_out("orders")}
    assert asked
    held_out = openings.held_out((), library)
    found = {text for _, text in islice(documents(library, {"orders": 1}, "seed", held_out), 300)}
    assert found == {text for text in lines if text.split("\nAssistant:")[0] not in asked}


def test_every_category_is_counted(corpus_of: WriteCorpus) -> None:
    """There are prompts of every category of the ready-made ones, none empty, at most so many of each, always the same ones."""
    known = Library(corpus_of(), ABOUT_COUNTRIES).countries
    for count in (1, 40):
        found = by_category(known, count)
        assert set(found) == {prompt["category"] for prompt in PROMPTS}
        assert all(0 < len(prompts) <= count and all(prompts) for prompts in found.values())
    assert found == by_category(known, 40)


def test_facts_are_asked_of_known_countries_only(corpus_of: WriteCorpus) -> None:
    """Facts are asked of countries of the corpus, each at most once; without a corpus there are none, and the rest is the same."""
    known = Library(corpus_of(), ABOUT_COUNTRIES).countries
    with_facts, without = by_category(known, 40), by_category((), 40)
    asked = with_facts.pop("facts")
    assert sorted(name for prompt in asked for name in (c.name for c in known) if name in prompt) == sorted(
        country.name for country in known
    )
    assert with_facts == without


def test_letters_and_e_mails_share_a_category() -> None:
    """The category of letters holds as many letters as e-mails."""
    letters = by_category((), 40)["letters"]
    mails = set(openings.generated("e-mails"))
    assert sum(prompt in mails for prompt in letters) == 20
