"""The screens in one row at the top of a phone, where Streamlit folds its own menu away."""

from collections.abc import Sequence

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app.state import teaching


def on_a_phone(screens: Sequence[StreamlitPage]) -> None:
    """Show the row on a narrow screen, and leave the same menu out of the sidebar there."""
    if teaching.on():
        return
    with st.container(key="screens", horizontal=True, gap="xsmall"):
        for screen in screens:
            st.page_link(screen, label=screen.title)
