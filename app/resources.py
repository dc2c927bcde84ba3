"""What the process has once, for all visitors: the queue of jobs, and what comes with the project."""

import gc
from functools import cache

import streamlit as st

from app import health, saved, visitors
from app.jobs import Jobs
from app.room.rooms import Rooms
from specviz import hosting
from specviz.folders import ASSETS
from specviz.reporting.prompts import ReadyPrompt, ready_prompts
from specviz.serving import engines


def asset(name: str) -> str:
    """The path of a file that comes with the project."""
    return str(ASSETS / name)


@st.cache_resource(max_entries=1, show_spinner=False, on_release=Jobs.close)
def jobs() -> Jobs:
    """The one queue of this server, with its engines.

    It is made when all modules have been imported, and what they hold is then excluded from garbage collection: Streamlit collects
    after every rerun of the page and every poll, which made each of them a tenth of a second slower.
    """
    gc.collect()
    gc.freeze()
    queue = Jobs(hosting.current(), engines.current(), address_of=visitors.HERE.address_of)
    health.watch(queue.answers)
    return queue


@st.cache_resource(max_entries=1, show_spinner=False)
def rooms() -> Rooms:
    """The rooms of this server."""
    known = Rooms()
    health.watch(known.answers)
    return known


@cache
def prompts_of(family: str) -> tuple[ReadyPrompt, ...]:
    """The ready-made prompts of a family of pairs."""
    return ready_prompts(family)


@cache
def shipped() -> dict[str, str]:
    """The recordings that come with the project: file -> title."""
    return saved.shipped()


@st.cache_resource(max_entries=2, show_spinner=False)
def first_recording(family: str) -> saved.View:
    """What is shown before the first run of a visit with a pair of this family."""
    return saved.read_first(family)
