"""The queue of jobs, of which the process has one for all visitors."""

import gc

import streamlit as st

from app.server import visitors
from app.server.jobs import Jobs
from specviz.serving import engines, hosting


@st.cache_resource(max_entries=1, show_spinner=False, on_release=Jobs.close)
def jobs() -> Jobs:
    """The one queue of this server, with its engines.

    It is made when all modules have been imported, and what they hold is then excluded from garbage collection: Streamlit collects
    after every rerun of the page and every poll, which made each of them a tenth of a second slower.
    """
    gc.collect()
    gc.freeze()
    return Jobs(hosting.current(), engines.current(), address_of=visitors.HERE.address_of)
