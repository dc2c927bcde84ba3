"""Facts about countries: cleaned from records, stated and asked in many phrasings, each with its prompt."""

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

KINDS = ("capital", "continent", "currency", "language")
EXAMINED = 5

CONTINENTS = {
    "africa": "Africa", "australia-oceania": "Oceania", "central-america-n-caribbean": "North America",
    "central-asia": "Asia", "east-n-southeast-asia": "Asia", "europe": "Europe", "middle-east": "Asia",
    "north-america": "North America", "south-america": "South America", "south-asia": "Asia",
    "antarctica": "Antarctica",
}  # fmt: skip
OTHER_CONTINENTS = {"Antarctica": None, "Russia": "Europe", "Papua New Guinea": "Oceania"}

NAMES = {
    "Burma": "Myanmar", "Congo (Brazzaville)": "the Republic of the Congo",
    "DRC": "the Democratic Republic of the Congo", "The Dominican": "the Dominican Republic",
    "Dominican Republic": "the Dominican Republic", "Virgin Islands": "the United States Virgin Islands",
    "Holy See (Vatican City)": "Vatican City", "Gaza, Gaza Strip": "the Gaza Strip",
    "Cocos (Keeling) Islands": "the Cocos Islands", "Saint Helena, Ascension, and Tristan da Cunha": "Saint Helena",
    "South Georgia and South Sandwich Islands": "South Georgia", "Heard Island and McDonald Islands": "Heard Island",
}  # fmt: skip
WITH_ARTICLE = re.compile(
    r"(United |Federated |Central African |British |Isle of ).*|.*(Islands|Lands)"
    r"|Comoros|Maldives|Netherlands|Philippines|West Bank"
)

CAPITALS = {
    "Bolivia": "Sucre", "Christmas Island": "Flying Fish Cove", "Kiribati": "South Tarawa", "Moldova": "Chisinau",
    "Myanmar": "Naypyidaw", "Sri Lanka": "Sri Jayawardenepura Kotte", "the Turks and Caicos Islands": "Cockburn Town",
}  # fmt: skip
NO_CAPITAL = re.compile(r"no\b|none\b|administered|n/?a\b", re.IGNORECASE)

TERRITORIES = frozenset((
    "Akrotiri", "American Samoa", "Anguilla", "Bermuda", "Christmas Island", "Dhekelia", "French Polynesia",
    "Gibraltar", "Greenland", "Guam", "Guernsey", "Jersey", "Montserrat", "New Caledonia", "Norfolk Island",
    "Puerto Rico", "Saint Barthelemy", "Saint Helena", "Saint Martin", "Saint Pierre and Miquelon", "Svalbard",
    "Wallis and Futuna", "the British Virgin Islands", "the Cayman Islands", "the Cocos Islands",
    "the Falkland Islands", "the Faroe Islands", "the Isle of Man", "the Northern Mariana Islands",
    "the Pitcairn Islands", "the Turks and Caicos Islands", "the United States Virgin Islands",
))  # fmt: skip

US_DOLLAR = "US dollar"
CURRENCIES_OF = {
    "Akrotiri": "euro", "American Samoa": US_DOLLAR, "Aruba": "Aruban florin", "Bulgaria": "euro",
    "Curacao": "Caribbean guilder", "Dhekelia": "euro", "Ecuador": US_DOLLAR, "El Salvador": US_DOLLAR,
    "Guam": US_DOLLAR, "Puerto Rico": US_DOLLAR, "Romania": "Romanian leu", "Sint Maarten": "Caribbean guilder",
    "Timor-Leste": US_DOLLAR, "Palau": US_DOLLAR, "Tuvalu": "Australian dollar", "Zimbabwe": None,
    "the British Virgin Islands": US_DOLLAR, "the Federated States of Micronesia": US_DOLLAR,
    "the Marshall Islands": US_DOLLAR, "the Northern Mariana Islands": US_DOLLAR,
    "the Turks and Caicos Islands": US_DOLLAR, "the United States": US_DOLLAR,
    "the United States Virgin Islands": US_DOLLAR,
}  # fmt: skip
CURRENCIES = {
    "Belizean dollars": "Belize dollar", "Burundi francs": "Burundian franc", "Bruneian dollars": "Brunei dollar",
    "Caymanian dollars": "Cayman Islands dollar", "Communaute Financiere Africaine francs": "West African CFA franc",
    "Comoran francs": "Comorian franc", "Comptoirs Francais du Pacifique francs": "CFP franc",
    "Cooperation Financiere en Afrique Centrale francs": "Central African CFA franc", "Danish kroner": "Danish krone",
    "Icelandic kronur": "Icelandic krona", "Moldovan lei": "Moldovan leu", "Norwegian kroner": "Norwegian krone",
    "Omani rials": "Omani rial", "Qatari rials": "Qatari riyal", "Renminbi yuan": "yuan",
    "Seychelles rupees": "Seychellois rupee", "Swedish kronor": "Swedish krona", "Turkmenistani manat": "Turkmen manat",
    "Uzbekistani soum": "Uzbek som", "colones": "colon", "Costa Rican colones": "Costa Rican colon",
    "emalangeni": "lilangeni", "konvertibilna markas": "convertible mark", "koruny": "Czech koruna", "leke": "lek",
    "leva": "lev", "maloti": "loti", "meticais": "metical", "new Israeli shekels": "Israeli new shekel",
    "nuevo sol": "sol", "quetzales": "quetzal", "togrog/tugriks": "tugrik", "zlotych": "zloty",
}  # fmt: skip

LANGUAGES_OF = {
    "American Samoa": ("Samoan", "English"), "Andorra": ("Catalan", "Spanish"), "Argentina": ("Spanish",),
    "Australia": ("English",), "Austria": ("German",), "Azerbaijan": ("Azerbaijani",), "the Bahamas": ("English",),
    "Bahrain": ("Arabic", "English"), "Belize": ("English", "Spanish"), "Benin": ("French", "Fon", "Yoruba"),
    "Brazil": ("Portuguese",), "Brunei": ("Malay", "English"), "Burkina Faso": ("French", "Moore"),
    "Cambodia": ("Khmer",), "Cameroon": ("English", "French"), "Canada": ("English", "French"), "Chile": ("Spanish",),
    "China": ("Mandarin", "Cantonese"), "Costa Rica": ("Spanish",),
    "the Democratic Republic of the Congo": ("French", "Lingala", "Swahili"), "Denmark": ("Danish",),
    "El Salvador": ("Spanish",), "Equatorial Guinea": ("Spanish", "French", "Portuguese"),
    "the Faroe Islands": ("Faroese", "Danish"), "Gabon": ("French", "Fang"), "the Gaza Strip": ("Arabic",),
    "Germany": ("German",), "Ghana": ("English", "Twi", "Ewe"), "Gibraltar": ("English", "Spanish"),
    "Guam": ("English", "Chamorro"), "Guernsey": ("English",), "Guinea-Bissau": ("Portuguese", "Crioulo"),
    "Guyana": ("English",), "Haiti": ("French", "Haitian Creole"), "Hong Kong": ("Cantonese", "English", "Mandarin"),
    "Hungary": ("Hungarian",), "Iceland": ("Icelandic",), "India": ("Hindi", "English", "Bengali"),
    "Indonesia": ("Indonesian", "Javanese"), "Iran": ("Persian",), "Iraq": ("Arabic", "Kurdish"),
    "Ireland": ("English", "Irish"), "the Isle of Man": ("English",), "Israel": ("Hebrew", "Arabic"),
    "Italy": ("Italian",), "Jamaica": ("English", "Jamaican Patois"), "Japan": ("Japanese",), "Jersey": ("English",),
    "Kenya": ("Swahili", "English"), "Kuwait": ("Arabic", "English"), "Kyrgyzstan": ("Kyrgyz", "Russian"),
    "Laos": ("Lao",), "Lebanon": ("Arabic", "French"), "Libya": ("Arabic",), "Macau": ("Cantonese", "Portuguese"),
    "Malawi": ("English", "Chewa"), "Malaysia": ("Malay", "English"),
    "Mauritius": ("Mauritian Creole", "English", "French"), "Mexico": ("Spanish",), "Monaco": ("French",),
    "Mongolia": ("Mongolian",), "Morocco": ("Arabic", "Tamazight"), "Namibia": ("English", "Afrikaans", "Oshiwambo"),
    "Nauru": ("Nauruan", "English"), "the Netherlands": ("Dutch",), "New Zealand": ("English", "Maori"),
    "Niger": ("Hausa", "French"), "Nigeria": ("English", "Hausa", "Yoruba"), "Norfolk Island": ("English", "Norfuk"),
    "Norway": ("Norwegian",), "Oman": ("Arabic",), "Pakistan": ("Urdu", "English", "Punjabi"), "Panama": ("Spanish",),
    "Paraguay": ("Spanish", "Guarani"), "the Philippines": ("Filipino", "English"),
    "Puerto Rico": ("Spanish", "English"), "the Republic of the Congo": ("French", "Lingala"),
    "Rwanda": ("Kinyarwanda", "French", "English"), "Saint Barthelemy": ("French",),
    "Saint Martin": ("French", "English"), "Saint Vincent and the Grenadines": ("English",),
    "Sierra Leone": ("English", "Krio", "Mende"), "Slovenia": ("Slovene",), "the Solomon Islands": ("English",),
    "Somalia": ("Somali", "Arabic"), "South Africa": ("Zulu", "Xhosa", "English"), "South Korea": ("Korean",),
    "South Sudan": ("English", "Arabic"), "Spain": ("Spanish", "Catalan"), "Suriname": ("Dutch", "Sranang Tongo"),
    "Svalbard": ("Norwegian",), "Switzerland": ("German", "French", "Italian"), "Syria": ("Arabic", "Kurdish"),
    "Taiwan": ("Mandarin", "Hokkien"), "Timor-Leste": ("Tetum", "Portuguese"), "Tokelau": ("Tokelauan", "English"),
    "Tonga": ("Tongan", "English"), "Trinidad and Tobago": ("English",), "Tuvalu": ("Tuvaluan", "English"),
    "the United Arab Emirates": ("Arabic", "English"), "the United Kingdom": ("English",),
    "the United States": ("English", "Spanish"), "the United States Virgin Islands": ("English",),
    "Vanuatu": ("Bislama", "English", "French"), "Vatican City": ("Italian", "Latin"), "Vietnam": ("Vietnamese",),
    "the West Bank": ("Arabic",), "Western Sahara": ("Arabic",), "Zambia": ("English", "Bemba", "Nyanja"),
}  # fmt: skip
LANGUAGES = {
    "Afghan Persian or Dari": "Dari", "Azeri": "Azerbaijani", "Bahasa Indonesia": "Indonesian",
    "Bahasa Malaysia": "Malay", "Bangla": "Bengali", "Bokmal Norwegian": "Norwegian", "Castilian": "Spanish",
    "Castilian Spanish": "Spanish", "Farsi": "Persian", "Ganda or Luganda": "Luganda",
    "German or Swiss German": "German", "Kiswahili": "Swahili", "Kiswahili or Swahili": "Swahili",
    "Moldovan/Romanian": "Romanian", "Nynorsk Norwegian": "Norwegian", "Persian Farsi": "Persian",
    "Putonghua": "Mandarin", "Sangho": "Sango", "Setswana": "Tswana", "Standard Chinese or Mandarin": "Mandarin",
    "Standard Arabic": "Arabic", "iTaukei": "Fijian", "siSwati": "Swazi", "isiXhosa or Xhosa": "Xhosa",
    "isiZulu or Zulu": "Zulu", "Tongan only": "Tongan", "Uzbeki": "Uzbek", "Maithali": "Maithili",
    "Tigrigna": "Tigrinya", "Bisaya/Binisaya": "Cebuano",
}  # fmt: skip
NOT_A_LANGUAGE = re.compile(
    r"\b(other|others|languages?|dialects?|unspecified|includ\w+|official|national|less|more|than|and|minority"
    r"|various|indigenous|note|only|Pacific|patois)\b",
    re.IGNORECASE,
)
SPOKEN_WIDELY = 10.0


@dataclass(frozen=True)
class Country:
    """A country or territory, named as in the middle of a sentence, and what is known of it."""

    name: str
    capital: str | None = None
    continent: str | None = None
    currency: str | None = None
    languages: tuple[str, ...] = ()

    def answer(self, kind: str) -> str | None:
        """What completes a sentence of this kind, or nothing where it is not known."""
        if kind == "currency":
            return f"the {self.currency}" if self.currency else None
        if kind == "language":
            return in_a_row(self.languages) or None
        return self.capital if kind == "capital" else self.continent

    @property
    def territory(self) -> bool:
        """Whether it is better called a territory than a country."""
        return self.name in TERRITORIES or (self.capital is None and self.name != "Nauru")


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


def countries(records: Iterable[Mapping[str, object]]) -> tuple[Country, ...]:
    """The countries of the records, in their order, each value in plain ASCII and without its notes."""
    return tuple(_country(record) for record in records)


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


def in_a_row(words: Sequence[str]) -> str:
    """The words with commas, and "and" before the last."""
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)


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


def _country(record: Mapping[str, object]) -> Country:
    name = _name(_plain(record.get("country")))
    continent = OTHER_CONTINENTS.get(name, CONTINENTS.get(_plain(record.get("region"))))
    return Country(
        name=name,
        capital=_capital(name, _plain(record.get("capital"))),
        continent=continent,
        currency=_currency(name, _plain(record.get("currency"))),
        languages=_languages(name, _plain(record.get("languages"))),
    )


def _plain(value: object) -> str:
    """The value as ASCII text: entities decoded, accents dropped, each white space a blank."""
    text = html.unescape(value) if isinstance(value, str) else ""
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return " ".join(unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().split())


def _without_notes(text: str) -> str:
    return re.split(r"[;(,]", text, maxsplit=1)[0].strip()


def _name(text: str) -> str:
    if text in NAMES:
        return NAMES[text]
    name = _without_notes(text)
    if name.startswith("The "):
        return "the " + name.removeprefix("The ")
    return f"the {name}" if WITH_ARTICLE.fullmatch(name) else name


def _capital(name: str, text: str) -> str | None:
    if name in CAPITALS:
        return CAPITALS[name]
    capital = _without_notes(text)
    return None if not capital or NO_CAPITAL.match(capital) else capital


def _currency(name: str, text: str) -> str | None:
    if name in CURRENCIES_OF:
        return CURRENCIES_OF[name]
    currency = _without_notes(text.replace(" per US dollar", "")).rstrip(" -")
    return CURRENCIES.get(currency, currency.removesuffix("s")) or None


def _languages(name: str, text: str) -> tuple[str, ...]:
    if name in LANGUAGES_OF:
        return LANGUAGES_OF[name]
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
    language = LANGUAGES.get(found[1], found[1])
    return None if NOT_A_LANGUAGE.search(language) or not language[0].isupper() else language


def _counts(part: str) -> bool:
    """Whether the language is official, or spoken by many, or by a share that is not told."""
    share = re.search(r"([\d.]+)%", part)
    return "official" in part or share is None or float(share[1]) >= SPOKEN_WIDELY
