"""Facts about countries, on a few made records in the shape of the real ones."""

from itertools import product

import pytest

from recipes.embedded.templates.countries import KINDS, Country, countries
from recipes.embedded.templates.data_files import table
from recipes.embedded.templates.facts import (
    Phrasing,
    description,
    facts,
    phrasings,
    questions,
)
from recipes.embedded.tests.helpers import seeded

RECORDS: list[dict[str, object]] = [
    {
        "country": "Algeria",
        "region": "africa",
        "capital": "Algiers",
        "currency": "Algerian dinars (DZD) per US dollar -",
        "languages": "Arabic (official), French (lingua franca), Tamazight (official) (includes Kabyle (Taqbaylit))",
    },
    {
        "country": "C&ocirc;te d'Ivoire",
        "region": "africa",
        "capital": "Yamoussoukro (legislative capital), Abidjan (administrative capital)",
        "currency": "Communaute Financiere Africaine francs (XOF) per US dollar -",
        "languages": "French (official), 60 native dialects of which Dioula is the most widely spoken",
    },
    {
        "country": "Gabon",
        "region": "africa",
        "capital": "Libreville",
        "currency": "Coop&eacute;ration Financi&egrave;re en Afrique Centrale francs (XAF) per US dollar",
        "languages": "French (official), Fang, Myene",
    },
    {
        "country": "Equatorial Guinea",
        "region": "africa",
        "capital": "Malabo; note - Malabo is on the island of Bioko",
        "currency": None,
        "languages": "Spanish (official) 67.6%",
    },
    {
        "country": "Nauru",
        "region": "australia-oceania",
        "capital": "no official capital; offices in Yaren",
        "currency": None,
    },
    {"country": "The Gambia", "region": "africa", "capital": "Banjul", "currency": "dalasis (GMD) per US dollar -"},
    {"country": "DRC", "region": "africa", "capital": "Kinshasa", "currency": "Congolese francs (CDF) per US dollar -"},
    {
        "country": "Finland",
        "region": "europe",
        "capital": "Helsinki",
        "currency": "euros (EUR) per US dollar -",
        "languages": "Swedish (official) 5.2%, Russian 1.7%, Finnish (official) 85.9%, other 7.2% (2022 est.)",
    },
    {
        "country": "Faroe Islands",
        "region": "europe",
        "capital": "Torshavn",
        "currency": "Danish kroner (DKK) per US dollar -",
        "languages": "Faroese 93.8% (derived from Old Norse), Danish 3.2%",
    },
    {"country": "Antarctica", "region": "antarctica", "capital": None, "currency": None, "languages": None},
    {
        "country": "Jordan",
        "region": "middle-east",
        "capital": "Amman",
        "currency": "Jordanian dinars (JOD) per US dollar -",
    },
]
KNOWN = countries(RECORDS)
BY_NAME = {country.name: country for country in KNOWN}
SEEDS = range(3000)


def test_names_are_natural_and_plain() -> None:
    """Names are plain ASCII, as they stand in the middle of a sentence."""
    assert [country.name for country in KNOWN] == [
        "Algeria",
        "Cote d'Ivoire",
        "Gabon",
        "Equatorial Guinea",
        "Nauru",
        "the Gambia",
        "the Democratic Republic of the Congo",
        "Finland",
        "the Faroe Islands",
        "Antarctica",
        "Jordan",
    ]


def test_capitals_are_clean_or_absent() -> None:
    """A capital has no note after it, and an entry that says there is none becomes None."""
    capitals = {country.name: country.capital for country in KNOWN}
    assert capitals["Cote d'Ivoire"] == "Yamoussoukro"
    assert capitals["Equatorial Guinea"] == "Malabo"
    assert capitals["Nauru"] is None
    assert capitals["Antarctica"] is None


def test_currencies_are_singular() -> None:
    """A currency is named in the singular and without its code."""
    currencies = {country.name: country.currency for country in KNOWN}
    assert currencies["Algeria"] == "Algerian dinar"
    assert currencies["Cote d'Ivoire"] == "West African CFA franc"
    assert currencies["Gabon"] == "Central African CFA franc"
    assert currencies["Finland"] == "euro"
    assert currencies["the Faroe Islands"] == "Danish krone"
    assert currencies["Equatorial Guinea"] is None


def test_official_languages_come_first_and_small_ones_not_at_all() -> None:
    """Languages are names only, official ones first, at most three, without those of a few."""
    assert BY_NAME["Algeria"].languages == ("Arabic", "Tamazight")
    assert BY_NAME["Finland"].languages == ("Swedish", "Finnish")
    assert BY_NAME["Cote d'Ivoire"].languages == ("French",)
    assert all(len(country.languages) <= 3 for country in KNOWN)


def test_continents_are_everyday_words() -> None:
    """Regions become continents, and Antarctica lies in none."""
    assert BY_NAME["Jordan"].continent == "Asia"
    assert BY_NAME["Nauru"].continent == "Oceania"
    assert BY_NAME["Antarctica"].continent is None


def test_every_table_of_special_cases_gives_clean_values() -> None:
    """What the tables put in by hand is plain and not empty."""
    file = table("countries")
    for value in (
        value
        for name in ("names", "capitals", "currencies", "languages")
        for value in file.table(name).each_text().values()
    ):
        assert value.isascii()
        assert value.strip() == value != ""
    for languages in file.table("languages_of").each_texts().values():
        assert 1 <= len(set(languages)) == len(languages) <= 3


def test_the_examined_capital_phrasings() -> None:
    """The first phrasing and the four others of the examination read exactly as agreed."""
    country = Country("Burkina Faso", "Ouagadougou", "Africa", "West African CFA franc", ("French",))
    assert phrasings("capital")[0].text(country) == "The capital of Burkina Faso is Ouagadougou."
    assert questions("capital", [country]) == [
        ("The capital of Burkina Faso is", "Ouagadougou"),
        ("The capital city of Burkina Faso is", "Ouagadougou"),
        ("Burkina Faso's capital is", "Ouagadougou"),
        ("Question: What is the capital of Burkina Faso?\nAnswer:", "Ouagadougou"),
        ("Q: What is the capital city of Burkina Faso?\nA:", "Ouagadougou"),
    ]


def test_a_prompt_and_its_answer_begin_the_text() -> None:
    """Each question continued by a blank and its answer is how the fact's text begins, to the letter."""
    for kind in KINDS:
        assert len({phrasing.template for phrasing in phrasings(kind)}) >= 8
        for country, phrasing in product(KNOWN, phrasings(kind)):
            answer = country.answer(kind)
            if answer and phrasing.asks:
                assert phrasing.text(country).removesuffix(".") == f"{phrasing.prompt(country)} {answer}"


def test_questions_leave_out_countries_without_an_answer() -> None:
    """There are five questions for each country that has an answer, and none for the others."""
    asked = questions("capital", KNOWN)
    assert len(asked) == 5 * sum(country.capital is not None for country in KNOWN)
    assert not any("Nauru" in prompt for prompt, _ in asked)


def test_a_phrasing_refuses_what_it_cannot_say() -> None:
    """A fact that is not known cannot be stated, and an answer at the front leaves no question."""
    with pytest.raises(ValueError, match="has no capital"):
        phrasings("capital")[0].text(BY_NAME["Nauru"])
    with pytest.raises(ValueError, match="gives the answer first"):
        Phrasing("capital", "{answer} is the capital of {country}.").prompt(BY_NAME["Finland"])


def test_possessives_and_verbs_agree() -> None:
    """Names that end in s take the apostrophe alone, and islands take plural verbs."""
    islands = BY_NAME["the Faroe Islands"]
    assert phrasings("capital")[2].text(islands) == "The Faroe Islands' capital is Torshavn."
    assert phrasings("continent")[0].text(islands) == "The Faroe Islands are in Europe."
    assert description(seeded(0), islands).startswith("The Faroe Islands are a territory in Europe.")


def test_documents_are_complete_and_varied() -> None:
    """Documents have no gap, no outer white space, one form per seed, and are mostly different."""
    documents = [facts(seeded(seed), KNOWN) for seed in SEEDS]
    assert documents[:50] == [facts(seeded(seed), KNOWN) for seed in range(50)]
    assert len(set(documents)) > len(documents) // 2
    for document in documents:
        assert document == document.strip()
        assert document.isascii()
        assert "None" not in document
        assert "{" not in document
        assert 15 <= len(document) <= 900


def test_a_stated_capital_is_the_countrys_own() -> None:
    """Wherever a document states a capital in the plainest form, it is the right one."""
    rights = {phrasings("capital")[0].text(country) for country in KNOWN if country.capital}
    lines = [line for seed in SEEDS for line in facts(seeded(seed), KNOWN).split("\n")]
    stated = {line for line in lines if line.startswith("The capital of ")}
    assert stated == rights
