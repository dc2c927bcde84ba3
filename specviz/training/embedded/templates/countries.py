"""Countries and what is known of them, cleaned from the records of a factbook."""

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

KINDS = ("capital", "continent", "currency", "language")

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


def countries(records: Iterable[Mapping[str, object]]) -> tuple[Country, ...]:
    """The countries of the records, in their order, each value in plain ASCII and without its notes."""
    return tuple(_country(record) for record in records)


def in_a_row(words: Sequence[str]) -> str:
    """The words with commas, and "and" before the last."""
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)


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
