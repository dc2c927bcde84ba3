"""Facts about countries, stated and asked in many phrasings, each with its prompt."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from specviz.training.embedded.templates.countries import KINDS, Country, in_a_row

EXAMINED = 5


@dataclass(frozen=True)
class Phrasing:
    """One way to state a fact; the braces stand for the country, its possessive and verbs, and the answer."""

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
        """The whole fact. The country must have an answer of this kind."""
        answer = country.answer(self.kind)
        if answer is None:
            raise ValueError(f"{country.name} has no {self.kind}")
        return _opened(self.template.format(answer=answer, **_forms(country)))

    def prompt(self, country: Country) -> str:
        """The text up to just before the answer, without the space between them."""
        if not self.asks:
            raise ValueError(f"this phrasing gives the answer first: {self.template}")
        before, _, _ = self.template.partition("{answer}")
        return _opened(before.rstrip().format(**_forms(country)))


def _phrasings(kind: str, *templates: str) -> tuple[Phrasing, ...]:
    return tuple(Phrasing(kind, template) for template in templates)


PHRASINGS: Mapping[str, tuple[Phrasing, ...]] = {
    "capital": _phrasings(
        "capital",
        "The capital of {country} is {answer}.",
        "The capital city of {country} is {answer}.",
        "{countrys} capital is {answer}.",
        "Question: What is the capital of {country}?\nAnswer: {answer}",
        "Q: What is the capital city of {country}?\nA: {answer}",
        "{answer} is the capital of {country}.",
        "{answer} is the capital city of {country}.",
        "What is the capital of {country}? {answer}.",
        "The name of the capital of {country} is {answer}.",
        "Q: What is the capital of {country}?\nA: {answer}",
        "Question: Which city is the capital of {country}?\nAnswer: {answer}",
    ),
    "continent": _phrasings(
        "continent",
        "{country} {is} in {answer}.",
        "The continent of {country} is {answer}.",
        "{country} {lies} in {answer}.",
        "Question: On which continent {is} {country}?\nAnswer: {answer}",
        "Q: Which continent {is} {country} in?\nA: {answer}",
        "{country} {is} {noun} in {answer}.",
        "On the map, {country} {is} in {answer}.",
        "On which continent {is} {country}? {answer}.",
        "{country} {belongs} to {answer}.",
        "Question: Where {is} {country}?\nAnswer: In {answer}",
    ),
    "currency": _phrasings(
        "currency",
        "The currency of {country} is {answer}.",
        "The money used in {country} is {answer}.",
        "{countrys} currency is {answer}.",
        "Question: What is the currency of {country}?\nAnswer: {answer}",
        "Q: What currency is used in {country}?\nA: {answer}",
        "{answer} is the currency of {country}.",
        "In {country} people pay with {answer}.",
        "People in {country} pay with {answer}.",
        "What is the currency of {country}? It is {answer}.",
        "The currency used in {country} is {answer}.",
    ),
    "language": _phrasings(
        "language",
        "People in {country} speak {answer}.",
        "In {country} people speak {answer}.",
        "What do people speak in {country}? They speak {answer}.",
        "Question: What language do people speak in {country}?\nAnswer: {answer}",
        "Q: What is spoken in {country}?\nA: {answer}",
        "The people of {country} speak {answer}.",
        "If you go to {country}, you will hear {answer}.",
        "Many people in {country} speak {answer}.",
        "What is spoken in {country}? {answer}.",
        "Question: What do people in {country} speak?\nAnswer: {answer}",
    ),
}

HEADINGS = {
    "capital": ("Countries and their capitals:", "Capital cities:"),
    "continent": ("Countries and their continents:",),
    "currency": ("Countries and their currencies:", "Currencies:"),
    "language": ("Countries and their languages:",),
}


def questions(kind: str, known: Iterable[Country], phrasings: int = EXAMINED) -> list[tuple[str, str]]:
    """The prompts and answers of the first phrasings of a kind, for each country that has an answer."""
    asked = [phrasing for phrasing in PHRASINGS[kind] if phrasing.asks][:phrasings]
    answers = [(country, country.answer(kind)) for country in known]
    return [(phrasing.prompt(country), answer) for country, answer in answers if answer for phrasing in asked]


def facts(random: Random, known: Sequence[Country]) -> str:
    """A document of one to six facts: about one country, of one kind about several, a quiz, or a table.

    For every kind there must be a country that has an answer.
    """
    form = random.choices((_about_one, _of_one_kind, _quiz, _table), weights=(30, 45, 15, 10))[0]
    return form(random, known)


def description(random: Random, country: Country) -> str:
    """A short paragraph on one country, of what is known of it."""
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
    phrasing = random.choice(PHRASINGS[kind])
    return ("\n\n" if phrasing.dialogue else "\n").join(phrasing.text(country) for country in chosen)


def _quiz(random: Random, known: Sequence[Country]) -> str:
    start = random.choice(("Question:", "Q:"))
    texts = []
    for _ in range(random.randint(2, 6)):
        kind, (country, *_) = _some(random, known, 1)
        asked = [phrasing for phrasing in PHRASINGS[kind] if phrasing.template.startswith(start)]
        texts.append(random.choice(asked).text(country))
    return "\n\n".join(texts)


def _table(random: Random, known: Sequence[Country]) -> str:
    kind, chosen = _some(random, known, 3)
    answers = [country.currency if kind == "currency" else country.answer(kind) for country in chosen]
    lines = [f"{_opened(country.name)}: {answer}" for country, answer in zip(chosen, answers, strict=True)]
    return "\n".join((random.choice(HEADINGS[kind]), *lines))


def _some(random: Random, known: Sequence[Country], least: int) -> tuple[str, list[Country]]:
    """A kind, capitals most often, and countries that have an answer of that kind."""
    kind = random.choices(KINDS, weights=(5, 2, 2, 2))[0]
    answering = [country for country in known if country.answer(kind)]
    return kind, random.sample(answering, k=min(random.randint(least, 6), len(answering)))


def _phrasing(random: Random, kind: str, *, dialogue: bool) -> Phrasing:
    return random.choice([phrasing for phrasing in PHRASINGS[kind] if phrasing.dialogue == dialogue])


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
