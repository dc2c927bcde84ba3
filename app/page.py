"""Page configuration and navigation, nothing else."""

import streamlit as st

from app.components.widgets import rerun_after_reconnect
from app.screens import compare, learn, opening, race, watch
from app.screens.audit import screen as audit
from app.state import language, pairs, session, teaching
from app.state.page_state import page_state
from specviz.folders import ASSETS

st.set_page_config(
    page_icon=str(ASSETS / "icon.svg"),
    layout="wide",
    initial_sidebar_state="collapsed",
)
st.logo(str(ASSETS / "logo.svg"), size="large")
taught = [
    st.Page(learn.screen, title=session.LEARN, icon=":material/school:", url_path="learn"),
    st.Page(watch.screen, title=session.WATCH, icon=":material/visibility:", default=True),
    st.Page(race.screen, title=session.RACE, icon=":material/sports_score:", url_path="race"),
]
screens = [
    *taught,
    st.Page(compare.screen, title="Compare", icon=":material/compare_arrows:", url_path="compare"),
    st.Page(audit.screen, title="Audit", icon=":material/fact_check:", url_path="audit"),
]
page = st.navigation(screens, position="top")
st.set_page_config(page_title=f"{page.title} · specviz")
page_state().screens, page_state().screen = {screen.title: screen for screen in taught}, page.title
if not teaching.on():  # on a phone Streamlit folds its own menu away
    with st.container(key="screens", horizontal=True, gap="xsmall"):
        for screen in screens:
            st.page_link(screen, label=screen.title)
if page.title != session.LEARN:  # which has the title of its lesson
    with st.container(key="screen-name"):
        st.title(page.title, anchor=False)
language.arrive()
pairs.arrive()  # after the navigation, so that a link stays on its page
opening.greet()
page.run()
rerun_after_reconnect()
