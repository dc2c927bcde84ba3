"""The language of the page's stage and of Learn: the address's, else the one chosen earlier in this visit, else the browser's."""

from typing import Any

import streamlit as st

from app.server import files
from app.server.addresses import base
from specviz import words

PARAMETER = "lang"
"""`?lang=es`."""
_EARLIER = "language"
"""What links to lessons of before call it."""
_CHOSEN, _PICKER = "_language", "language-picker"


def now() -> str:
    """The code of the language that the page speaks: one of `words.languages()`."""
    named = _named()
    if named in words.languages():
        st.session_state[_CHOSEN] = named
    kept: str | None = st.session_state.get(_CHOSEN)
    if kept:
        return kept
    # What the browser says of itself comes first: before version 151, Chromium opens the socket with its own language, not with the page's.
    asked = (st.context.locale, st.context.headers.get("Accept-Language"))
    return words.preferred(",".join(language for language in asked if language))


def asked() -> str:
    """The same for lessons, which may exist in further languages: what the address names, whether the page speaks it or not."""
    return _named() or now()


def parameters() -> dict[str, str]:
    """The language of the address, as a link inside Learn keeps it: under the name of now, also where an older link names it."""
    return {PARAMETER: named} if (named := _named()) else {}


def _named() -> str:
    return st.query_params.get(PARAMETER, "") or st.query_params.get(_EARLIER, "")


def arrive() -> None:
    """The address keeps a language that was chosen, also on another screen."""
    now()
    kept = st.session_state.get(_CHOSEN)
    if kept is not None and not _named():
        st.query_params[PARAMETER] = kept


def choose(code: str) -> None:
    """Speak another language from now on."""
    st.session_state[_CHOSEN] = code
    st.query_params[PARAMETER] = code


def spoken() -> dict[str, Any]:
    """What a component is given of it: the language, and where its table is fetched; English has none."""
    language = now()
    return {"language": language} if language == words.ENGLISH else {"language": language, "at": table_at(language)}


def table_at(language: str) -> str:
    """The address of a language's table."""
    return base() + files.publish(f"words-{language}.json", words.table_text(language))


def picker() -> None:
    """The choice of a language, as each calls itself."""
    names = {each["code"]: each["name"] for each in words.offered()}
    codes = list(names)

    def take() -> None:
        choose(st.session_state[_PICKER])

    st.session_state[_PICKER] = now()
    st.selectbox(
        "Language of the stage and of Learn", codes, format_func=names.__getitem__, key=_PICKER, on_change=take
    )
