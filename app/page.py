"""Page configuration and navigation, nothing else."""

from functools import partial

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app import following, opening, pairs, resources, session
from app.screens import audit, lab, learn, race, room, runs, watch, zoo
from specviz import hosting


def _lead_to(there: StreamlitPage) -> None:
    """Open another page with the same parameters."""
    st.switch_page(there, query_params=st.query_params.to_dict())


@st.fragment(run_every=86_400)
def _comes_back() -> None:
    """A page with a part that is asked for every so often is rendered anew when its lost connection is there again (Streamlit 1.67): what
    happened meanwhile is not lost."""


st.set_page_config(
    page_title="specviz",
    page_icon=resources.asset("icon.svg"),
    layout="wide",
    initial_sidebar_state="collapsed",
)
st.logo(resources.asset("logo.svg"), size="large")
screens = [
    st.Page(watch.screen, title=session.WATCH, icon=":material/visibility:", default=True),
    st.Page(race.screen, title=session.RACE, icon=":material/sports_score:", url_path="race"),
]
lessons = st.Page(learn.screen, title=session.LEARN, icon=":material/school:", url_path="learn")
measuring = (
    [] if hosting.current().classroom else [st.Page(lab.screen, title="Lab", icon=":material/science:", url_path="lab")]
)
listed = st.Page(runs.screen, title="Runs", icon=":material/list:", url_path="runs")
audits = [
    st.Page(audit.screen, title="Audit", icon=":material/fact_check:", url_path="audit"),
    st.Page(zoo.screen, title="Bug zoo", icon=":material/bug_report:", url_path="zoo"),
]
shared_room = st.Page(room.screen, title="Room", icon=":material/co_present:", url_path="room")
# Watch is the page at the root, and the bug zoo is at zoo; who writes the name of the menu into the address comes there too.
named = [
    st.Page(
        partial(_lead_to, there),
        title=f"To {there.title}",
        url_path=there.title.lower().replace(" ", "-"),
        visibility="hidden",
    )
    for there in (screens[0], audits[1])
]
page = st.navigation([lessons, *screens, *measuring, listed, *audits, shared_room, *named], position="top")
session.set_screens([lessons, *screens], page)
pairs.arrive()  # after the navigation, so that a link stays on its page
opening.greet()
page.run()
following.whole_page()
_comes_back()
