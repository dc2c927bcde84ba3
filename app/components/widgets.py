"""Small parts of screens: text that is not ours made safe for Markdown, buttons that save a file, and parts that are rendered again every so often."""

import logging
import re
from mimetypes import guess_type
from typing import Any

import streamlit as st

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")


_TURNING = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # turns what comes after it, the page's own words too
_JOINED = "\u2060"  # a word joiner: nobody sees it, and no line breaks there
_LIVE = re.compile(r"(?i)(?<=https)(?=:)|(?<=http)(?=:)|(?<=www)(?=\.)|(?=@)|(?<=:)(?=\w)")
"""Where addresses, e-mail addresses, icons and emoji are found in a text: a browser looks for them when escapes are read already."""


def plain(text: str) -> str:
    """The text literally: Markdown makes no link, image, formula or icon of it."""
    return _SPECIAL.sub(r"\\\1", _LIVE.sub(_JOINED, " ".join(_TURNING.sub("", text).split())))


def save_button(label: str, content: str | bytes, file: str, icon: str, **more: Any) -> None:
    """Save this content under this name, while there is any; the page is not rendered again. `more`: as `st.download_button` takes it."""
    kind, icon = guess_type(file)[0], f":material/{icon}:"
    st.download_button(label, content, file, kind, icon=icon, on_click="ignore", disabled=not content, **more)


LIVE_S = 0.5  # seconds between two reruns of a part that shows the progress of a job
ROOM_S = 1.0  # seconds between two reruns of what a presenter sees of the audience
_AFTER_RERUN = "The fragment with id %s does not exist anymore"


def _is_fault(record: logging.LogRecord) -> bool:
    """False for a fragment that a rerun of its page has just replaced: that can happen with every rerun, and is no fault."""
    return not str(record.msg).startswith(_AFTER_RERUN)


logging.getLogger("streamlit.runtime.app_session").addFilter(_is_fault)


@st.fragment(run_every=86_400)
def rerun_after_reconnect() -> None:
    """Streamlit (1.67) reruns a page after a lost connection only if it has a timed fragment; called once by every page."""
