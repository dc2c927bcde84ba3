"""The screens in one row at the top of a phone, where Streamlit folds its own menu away."""

from collections.abc import Sequence

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app import teaching

_LOOK = """<style>
@media (min-width: 768px) { [data-testid="stLayoutWrapper"]:has(> .st-key-screens) { display: none; } }
@media (max-width: 767px) {
  .st-key-screens { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
  .st-key-screens [data-testid="stPageLink"] :is([data-testid="stIconMaterial"], a > span:first-child:not(:only-child)) { display: none; }
  .st-key-screens [data-testid="stPageLink"] a { padding-inline: 0.6rem; }
  [data-testid="stSidebarNav"] { display: none; }
}
</style>"""


def on_a_phone(screens: Sequence[StreamlitPage]) -> None:
    """Show the row on a narrow screen, and leave the same menu out of the sidebar there."""
    if teaching.on():
        return
    st.html(_LOOK)
    with st.container(key="screens", horizontal=True, gap="xsmall"):
        for screen in screens:
            st.page_link(screen, label=screen.title)
