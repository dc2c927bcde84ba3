"""Page configuration and navigation, nothing else."""

import streamlit as st

from app import following, language, opening, pairs, resources, session
from app.screens import audit, learn, menu, race, watch


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
taught = [
    st.Page(learn.screen, title=session.LEARN, icon=":material/school:", url_path="learn"),
    st.Page(watch.screen, title=session.WATCH, icon=":material/visibility:", default=True),
    st.Page(race.screen, title=session.RACE, icon=":material/sports_score:", url_path="race"),
]
audits = st.Page(audit.screen, title="Audit", icon=":material/fact_check:", url_path="audit")
screens = [*taught, audits]
page = st.navigation(screens, position="top")
session.set_screens(taught, page)
menu.on_a_phone(screens)
language.arrive()
pairs.arrive()  # after the navigation, so that a link stays on its page
opening.greet()
page.run()
following.whole_page()
_comes_back()
