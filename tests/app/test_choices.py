"""A choice that nobody has made follows its default; one that was made stays."""

from streamlit.testing.v1 import AppTest

from specviz.chosen import page_settings
from specviz.offers import CHAT, EMBEDDED


def _page() -> None:
    import streamlit as st

    from app import choices

    pair = st.selectbox("pair", ["a", "b"], key="pair")
    usual = {"a": "fixed", "b": "confidence"}[pair]
    shown = choices.show("policy", usual, lambda now, **bound: st.text_input("policy", now, **bound))
    st.text(f"{shown} {choices.value('policy', '')}")


def test_a_choice_follows_its_default_until_it_is_made() -> None:
    """Another pair can have another default: the widget shows it, and what reads the choice agrees. What the visitor has chosen stays."""
    page = AppTest.from_function(_page).run()
    for pair, policy in (("a", "fixed"), ("b", "confidence"), ("a", "fixed"), ("b", "confidence")):
        page.selectbox[0].select(pair).run()
        assert page.text[0].value == f"{policy} {policy}"
        assert page.text_input[0].value == policy
    page.text_input[0].set_value("history").run()
    for pair in ("b", "a", "b"):
        page.selectbox[0].select(pair).run()
        assert page.text[0].value == "history history"
    assert not page.exception


def test_the_chat_model_has_settings_of_its_own() -> None:
    """Its drafts stop where the draft is unsure; other pairs begin with the defaults."""
    assert page_settings(CHAT).policy == "confidence"
    assert page_settings(EMBEDDED) == page_settings(None)
    assert page_settings(None).policy == "fixed"
