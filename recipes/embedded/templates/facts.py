"""Facts about countries, stated and asked in many phrasings, each with its prompt."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from recipes.embedded.templates.countries import KINDS, Country, in_a_row
from recipes.embedded.templates.data_files import filled, table

EXAMINED = 5


@dataclass(frozen=True)
class Phrasing:
    """One way to state a fact; its slots are for the country, its possessive and verbs, and the answer."""

    kind: str
    template: str

    @property
    def asks(self) -> bool:
        """Whether the answer comes after the country, so that the text before it is a question."""
        return self.template.rstrip(".").endswith("{answer}")

    @property
    def dialogue(self) -> bool:
        """Whether it has a line for the question and a line for the answer."""
        return "\n" in self.template

    def text(self, country: Country) -> str:
        """The complete fact.

        Raises:
            ValueError: the country has no answer of this kind.
        """
        answer = country.answer(self.kind)
        if answer is None:
            raise ValueError(f"{country.name} has no {self.kind}")
        return _opened(filled(self.template, answer=answer, **_forms(country)))

    def prompt(self, country: Country) -> str:
        """The text up to the answer, without the space before it.

        Raises:
            ValueError: this phrasing gives the answer first.
        """
        if not self.asks:
            raise ValueError(f"this phrasing gives the answer first: {self.template}")
        before, _, _ = self.template.partition("{answer}")
        return _opened(filled(before.rstrip(), **_forms(country)))


@cache
def phrasings(kind: str) -> tuple[Phrasing, ...]:
    """Every way to state facts of one kind, in the order of facts.toml."""
    return tuple(Phrasing(kind, template) for template in table("facts").texts(kind))


def questions(kind: str, known: Iterable[Country], count: int = EXAMINED) -> list[tuple[str, str]]:
    """The prompts and answers of the first phrasings of a kind, for each country that has an answer."""
    asked = [phrasing for phrasing in phrasings(kind) if phrasing.asks][:count]
    answers = [(country, country.answer(kind)) for country in known]
    return [(phrasing.prompt(country), answer) for country, answer in answers if answer for phrasing in asked]


def facts(random: Random, known: Sequence[Country]) -> str:
    """A document of one to six facts: about one country, of one kind about several, a quiz, or a table.

    For every kind there must be a country that has an answer.
    """
    form = random.choices((_about_one, _of_one_kind, _quiz, _table), weights=(30, 45, 15, 10))[0]
    return form(random, known)


def description(random: Random, country: Country) -> str:
    """A short paragraph about one country, with the facts that are known."""
    forms = _forms(country)
    its = "Their" if _plural(country) else "Its"
    place = f"{country.name} {forms['is']} {forms['noun']}" + (
        f" in {country.continent}." if country.continent else "."
    )
    sentences = [_opened(place)]
    if country.capital:
        sentences.append(random.choice((f"{its} capital is {country.capital}.", f"The capital is {country.capital}.")))
    rest = []
    if country.languages:
        rest.append(
            random.choice(("People there speak {}.", "The people speak {}.")).format(in_a_row(country.languages))
        )
    if country.currency:
        rest.append(random.choice(("They pay with the {}.", f"{its} currency is the {{}}.")).format(country.currency))
    return " ".join(sentences + rest)


def _about_one(random: Random, known: Sequence[Country]) -> str:
    country = random.choice(known)
    kinds = [kind for kind in KINDS if country.answer(kind)]
    if not kinds:
        return _about_one(random, known)
    if len(kinds) > 1 and random.random() < 0.5:
        return description(random, country)
    chosen = random.sample(kinds, k=random.randint(1, len(kinds)))
    dialogue = random.random() < 0.3
    texts = [_phrasing(random, kind, dialogue=dialogue).text(country) for kind in chosen]
    return ("\n\n" if dialogue else "\n").join(texts)


def _of_one_kind(random: Random, known: Sequence[Country]) -> str:
    kind, chosen = _some(random, known, 1)
    phrasing = random.choice(phrasings(kind))
    return ("\n\n" if phrasing.dialogue else "\n").join(phrasing.text(country) for country in chosen)


def _quiz(random: Random, known: Sequence[Country]) -> str:
    start = random.choice(("Question:", "Q:"))
    texts = []
    for _ in range(random.randint(2, 6)):
        kind, (country, *_) = _some(random, known, 1)
        asked = [phrasing for phrasing in phrasings(kind) if phrasing.template.startswith(start)]
        texts.append(random.choice(asked).text(country))
    return "\n\n".join(texts)


def _table(random: Random, known: Sequence[Country]) -> str:
    kind, chosen = _some(random, known, 3)
    answers = [country.currency if kind == "currency" else country.answer(kind) for country in chosen]
    lines = [f"{_opened(country.name)}: {answer}" for country, answer in zip(chosen, answers, strict=True)]
    return "\n".join((random.choice(table("facts").table("headings").texts(kind)), *lines))


def _some(random: Random, known: Sequence[Country], least: int) -> tuple[str, list[Country]]:
    """A kind, capitals most often, and countries that have an answer of that kind."""
    kind = random.choices(KINDS, weights=(5, 2, 2, 2))[0]
    answering = [country for country in known if country.answer(kind)]
    return kind, random.sample(answering, k=min(random.randint(least, 6), len(answering)))


def _phrasing(random: Random, kind: str, *, dialogue: bool) -> Phrasing:
    return random.choice([phrasing for phrasing in phrasings(kind) if phrasing.dialogue == dialogue])


def _forms(country: Country) -> dict[str, str]:
    plural = _plural(country)
    noun = "territory" if country.territory else "country"
    return {
        "country": country.name,
        "countrys": country.name + ("'" if country.name.endswith("s") else "'s"),
        "is": "are" if plural else "is",
        "lies": "lie" if plural else "lies",
        "belongs": "belong" if plural else "belongs",
        "noun": f"a {noun}",
    }


def _plural(country: Country) -> bool:
    return country.name.endswith((" Islands", " Lands"))


def _opened(text: str) -> str:
    return text[:1].upper() + text[1:]
