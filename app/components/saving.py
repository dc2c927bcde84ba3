"""Buttons that save a file."""

from mimetypes import guess_type
from typing import Any

import streamlit as st


def save_button(label: str, content: str | bytes, file: str, icon: str, **more: Any) -> None:
    """Save this content under this name, while there is any; the page is not rendered again. `more`: as `st.download_button` takes it."""
    kind, icon = guess_type(file)[0], f":material/{icon}:"
    st.download_button(label, content, file, kind, icon=icon, on_click="ignore", disabled=not content, **more)
