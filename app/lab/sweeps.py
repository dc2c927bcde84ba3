"""Sweeps: a table of runs over one or two axes."""

import streamlit as st


def section() -> None:
    """The section."""
    st.subheader("Sweeps", anchor=False)
