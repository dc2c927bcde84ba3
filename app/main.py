"""Page configuration and navigation, nothing else."""

import streamlit as st

from app import pairs, session
from app.screens import race, runs, watch

st.set_page_config(
    page_title="specviz",
    page_icon=session.asset("icon.svg"),
    layout="wide",
    initial_sidebar_state="collapsed",
)
st.logo(session.asset(f"logo-{st.context.theme.type or 'light'}.svg"), size="large")
screens = [
    st.Page(watch.screen, title="Watch", icon=":material/visibility:", url_path="watch", default=True),
    st.Page(race.screen, title="Race", icon=":material/sports_score:", url_path="race"),
]
page = st.navigation(
    [*screens, st.Page(runs.screen, title="Runs", icon=":material/list:", url_path="runs")], position="top"
)
session.set_screens(screens, page)
pairs.arrive()  # after the navigation, so that an old link stays on its page
page.run()
