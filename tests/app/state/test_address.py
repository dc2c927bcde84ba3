"""What an address says; no browser, no Streamlit."""

from dataclasses import fields
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl

import pytest

from app.state import language
from app.state.address import CHOICES, LANGUAGE, PICKERS, read, written
from specviz.setting_labels import POLICIES as POLICY_WORDS
from specviz.setting_labels import RULES as RULE_WORDS
from specviz.setting_labels import SIBLINGS as SIBLING_WORDS
from specviz.settings import CHILDREN, POLICIES, RANGES, RULES, Settings
from tests.helpers.app_page import run


def test_a_choice_goes_by_its_name_everywhere() -> None:
    """The parameters of settings are the settings' own names, and every choice of a setting has a label and an explanation."""
    settings = {field.name for field in fields(Settings)}
    assert set(PICKERS) - {"pair", "rival", "section"} <= settings
    for names, words in ((POLICIES, POLICY_WORDS), (CHILDREN, SIBLING_WORDS), (RULES, RULE_WORDS)):
        assert tuple(words) == names
        assert all(choice.label and choice.explanation.endswith(".") for choice in words.values())


def test_defaults_and_ranges_come_from_the_settings() -> None:
    """What a page offers lies within what the settings accept, and so does every default; each number has its range."""
    numbers = {f.name for f in fields(Settings) if not isinstance(f.default, str | bool)}
    assert numbers == set(RANGES)
    for name, range_ in RANGES.items():
        low, high = range_.page_range
        assert range_.low <= low <= getattr(Settings(), name) <= high <= range_.high
        for end in (low, high):
            chosen: dict[str, Any] = {"temperature": 1.0, name: end}
            assert getattr(Settings(**chosen), name) == end


def test_a_value_that_the_page_does_not_have_is_one_sentence() -> None:
    """It is named with what the page takes instead, is left out, and the other values of the link count."""
    for link, says in (
        ("k=999", "k to '999', which the page does not have: it takes auto or a whole number from 1 to 16."),
        ("k=five", "k to 'five'"),
        ("temperature=nan", "temperature to 'nan', which the page does not have: it takes a number from 0 to 2."),
        ("max_new_tokens=1e9", "max_new_tokens to '1e9'"),
        ("drafter=nonsense", "it takes one of auto, model, suffix-model, ngram,"),
        ("pair=embedded-huge", "pair to 'embedded-huge'"),
        ("shared_noise=perhaps", "it takes true or false."),
        (f"rule={'x' * 500}", f"rule to '{'x' * 40}…'"),
    ):
        linked = read(dict(parse_qsl(f"{link}&seed=7")))
        assert linked.values == {"seed": 7}
        (sentence,) = linked.refused
        assert says in sentence
        assert sentence.startswith("The address sets ")
        assert sentence.endswith(".")


def test_what_the_address_has_is_read_as_it_was() -> None:
    """Every choice that can be written is read again as it was; an empty parameter is none."""
    values: dict[str, Any] = {
        "prompt": "a & b = c", "target": "a/b", "draft": "c", "head": "d", "pair": "other", "drafter": "tree", "children": "top",
        "policy": "cost", "rule": "lenient", "rival": "embedded-tiny", "device": "cpu", "dtype": "float32",
        "shared_noise": True, "template": False, "k": 3, "temperature": 0.7, "top_k": 40, "top_p": 0.95, "max_new_tokens": 48,
        "seed": 2**31, "nodes": 24, "threshold": 0.9, "lenience": 0.25, "samples": 200,
    }  # fmt: skip
    assert set(values) == set(CHOICES)
    linked = read({name: written(name, value) for name, value in values.items()})
    assert linked.values == values
    assert not linked.refused
    assert not read({"k": "", "prompt": "", "unknown": "x"}).values


def test_what_is_left_to_specviz_is_auto_in_the_address() -> None:
    """Drafter, k, nodes and policy are written and read as auto; 0 and other words are rejected for k, and a seed of 0 stays 0."""
    left = {"drafter": "auto", "k": 0, "nodes": 0, "policy": "auto"}
    address = {name: written(name, value) for name, value in left.items()}
    assert set(address.values()) == {"auto"}
    assert read(address).values == left
    assert written("seed", 0) == "0"
    assert read({"k": "3"}).values == {"k": 3}
    for wrong in ("0", "automatic", "-1"):
        (sentence,) = read({"k": wrong}).refused
        assert sentence.endswith("it takes auto or a whole number from 1 to 16.")
    assert read({"temperature": "auto", "top_k": "auto"}).values == {}


def _script() -> None:
    import streamlit as st

    from app.state import address

    address.change({address.RUNS: "a.b", address.HIDE: "prompt"})
    address.change({address.RUNS: ""})
    st.text(",".join(address.parameters()))


def test_a_parameter_that_was_removed_is_gone_in_the_same_rerun() -> None:
    """Else a drawer that was closed would open again in the rerun that closes it."""
    assert [text.value for text in run(_script).text] == ["hide"]


def test_the_browsers_language_is_spoken_until_another_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The address comes first, then what the browser says of itself, then its header. A link in Learn keeps the language of the address, and
    writes none where none is named."""
    monkeypatch.setattr(language, "page_state", lambda: SimpleNamespace(language=""))
    for named, locale, header, spoken in (
        ("", None, "es-ES,es;q=0.9", "es"),
        ("", "es-ES", "en-US,en;q=0.9", "es"),
        ("de", "es-ES", "es-ES", "de"),
        ("", None, None, "en"),
    ):
        parameters = {LANGUAGE: named} if named else {}
        here = SimpleNamespace(
            query_params=parameters, context=SimpleNamespace(locale=locale, headers={"Accept-Language": header})
        )
        monkeypatch.setattr(language, "st", here)
        monkeypatch.setattr("app.state.address.st", here)
        assert (language.now(), language.parameters()) == (spoken, parameters)
