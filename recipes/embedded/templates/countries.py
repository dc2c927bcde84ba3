"""Facts about countries, cleaned from the records of a factbook."""

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from recipes.embedded.templates.data_files import table

KINDS = ("capital", "continent", "currency", "language")

WITH_ARTICLE = re.compile(
    r"(United |Federated |Central African |British |Isle of ).*|.*(Islands|Lands)"
    r"|Comoros|Maldives|Netherlands|Philippines|West Bank"
)
NO_CAPITAL = re.compile(r"no\b|none\b|administered|n/?a\b", re.IGNORECASE)
NOT_A_LANGUAGE = re.compile(
    r"\b(other|others|languages?|dialects?|unspecified|includ\w+|official|national|less|more|than|and|minority"
    r"|various|indigenous|note|only|Pacific|patois)\b",
    re.IGNORECASE,
)
SPOKEN_WIDELY = 10.0


@dataclass(frozen=True)
class Country:
    """A country or territory, named as in the middle of a sentence, and the facts that are known; None where one is not."""

    name: str
    capital: str | None = None
    continent: str | None = None
    currency: str | None = None
    languages: tuple[str, ...] = ()

    def answer(self, kind: str) -> str | None:
        """What completes a sentence of this kind, or None if it is not known."""
        if kind == "currency":
            return f"the {self.currency}" if self.currency else None
        if kind == "language":
            return in_a_row(self.languages) or None
        return self.capital if kind == "capital" else self.continent

    @property
    def territory(self) -> bool:
        """Whether it is better called a territory than a country."""
        return self.name in table("countries").texts("territories") or (self.capital is None and self.name != "Nauru")


def countries(records: Iterable[Mapping[str, object]]) -> tuple[Country, ...]:
    """The countries of the records, in their order, each value in plain ASCII and without its notes."""
    return tuple(_country(record) for record in records)


def in_a_row(words: Sequence[str]) -> str:
    """The words with commas, and "and" before the last."""
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)


def _country(record: Mapping[str, object]) -> Country:
    name = _name(_plain(record.get("country")))
    continent = _known("other_continents", name, _known("continents", _plain(record.get("region"))))
    return Country(
        name=name,
        capital=_capital(name, _plain(record.get("capital"))),
        continent=continent,
        currency=_currency(name, _plain(record.get("currency"))),
        languages=_languages(name, _plain(record.get("languages"))),
    )


def _known(correction: str, name: str, otherwise: str | None = None) -> str | None:
    """What a table of countries.toml says of this name, None for an empty text; `otherwise` where it says nothing."""
    corrections = table("countries").table(correction)
    return corrections.text(name) or None if name in corrections else otherwise


def _plain(value: object) -> str:
    """The value as ASCII text: entities decoded, accents dropped, each white space a blank."""
    text = html.unescape(value) if isinstance(value, str) else ""
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return " ".join(unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().split())


def _without_notes(text: str) -> str:
    return re.split(r"[;(,]", text, maxsplit=1)[0].strip()


def _name(text: str) -> str:
    names = table("countries").table("names")
    if text in names:
        return names.text(text)
    name = _without_notes(text)
    if name.startswith("The "):
        return "the " + name.removeprefix("The ")
    return f"the {name}" if WITH_ARTICLE.fullmatch(name) else name


def _capital(name: str, text: str) -> str | None:
    capital = _without_notes(text)
    return _known("capitals", name, None if not capital or NO_CAPITAL.match(capital) else capital)


def _currency(name: str, text: str) -> str | None:
    currency = _without_notes(text.replace(" per US dollar", "")).rstrip(" -")
    return _known("currencies_of", name, _known("currencies", currency, currency.removesuffix("s") or None))


def _languages(name: str, text: str) -> tuple[str, ...]:
    spoken = table("countries").table("languages_of")
    if name in spoken:
        return spoken.texts(name)
    official: list[str] = []
    others: list[str] = []
    for part in re.split(r"[,;](?![^(]*\))", text):
        language = _language(part)
        if language and language not in official + others:
            (official if "official" in part else others).extend([language] if _counts(part) else [])
    return tuple((official + (others if len(official) < 2 else []))[:3])


def _language(part: str) -> str | None:
    found = re.match(r"\s*([A-Za-z][A-Za-z'/ -]*[A-Za-z])", part)
    if not found:
        return None
    language = _known("languages", found[1], found[1])
    return None if language is None or NOT_A_LANGUAGE.search(language) or not language[0].isupper() else language


def _counts(part: str) -> bool:
    """Whether the language is official, or spoken by many, or by a share that is not given."""
    share = re.search(r"([\d.]+)%", part)
    return "official" in part or share is None or float(share[1]) >= SPOKEN_WIDELY
