"""The language of the page's stage and of Learn: the address's, else the one chosen earlier in this visit, else the browser's."""

from typing import Any

import streamlit as st

from app.server import files
from app.server.addresses import base
from app.state import address
from app.state.address import LANGUAGE
from app.state.page_state import LANGUAGE_PICKER, page_state, set_widget_value, widget_value
from specviz import words


def now() -> str:
    """The code of the language that the page speaks: one of `words.languages()`."""
    named, state = address.parameter(LANGUAGE), page_state()
    if named in words.languages():
        state.language = named
    if state.language:
        return state.language
    # What the browser says of itself comes first: before version 151, Chromium opens the socket with its own language, not with the page's.
    preferred = (st.context.locale, st.context.headers.get("Accept-Language"))
    return words.preferred(",".join(language for language in preferred if language))


def refused() -> str:
    """A sentence on a language of the address that the page does not speak; "" where all is well."""
    if (named := address.parameter(LANGUAGE)) in ("", *words.languages()):
        return ""
    return f"The address names the language {named[:40]!r}, which the page does not have: it has {', '.join(words.languages())}."


def of_lessons() -> str:
    """The language for lessons, which may exist in further languages: what the address names, whether the page speaks it or not."""
    return address.parameter(LANGUAGE) or now()


def parameters() -> dict[str, str]:
    """The language of the address, as a link inside Learn keeps it."""
    return {LANGUAGE: named} if (named := address.parameter(LANGUAGE)) else {}


def arrive() -> None:
    """The address keeps a language that was chosen, also on another screen."""
    now()
    chosen = page_state().language
    if chosen and not address.parameter(LANGUAGE):
        address.change({LANGUAGE: chosen})


def choose(code: str) -> None:
    """Speak another language from now on."""
    page_state().language = code
    address.change({LANGUAGE: code})


def for_component() -> dict[str, Any]:
    """The language as a component gets it, with the address of its table; English has none."""
    language = now()
    if language == words.ENGLISH:
        return {"language": language}
    return {"language": language, "at": base() + files.publish(f"words-{language}.json", words.table_text(language))}


def picker() -> None:
    """The choice of a language, each by its own name."""
    names = {offered["code"]: offered["name"] for offered in words.language_choices()}
    set_widget_value(LANGUAGE_PICKER, now())
    st.selectbox(
        "Language of the stage and of Learn",
        list(names),
        format_func=names.__getitem__,
        key=LANGUAGE_PICKER,
        on_change=lambda: choose(widget_value(LANGUAGE_PICKER, words.ENGLISH)),
    )
