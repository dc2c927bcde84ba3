"""Bug zoo: bugs that engines have shipped, each with its page and a real audit that catches it."""

import streamlit as st

from app.components.widgets import plain
from app.screens.audit import place
from app.screens.audit.board import board, stop_button
from app.state import address, audits
from specviz.audit.messages import ZOO, ZOO_SAMPLES, ExhibitRequest
from specviz.audit.zoo.texts import EXHIBITS, HOW, Exhibit

_PARTS = {
    "rule": "In the rule that accepts or rejects",
    "drafter": "In the draft",
    "target": "In the target's passes and caches",
    "loop": "In the loop around them",
}
_ABOUT = (
    "Often nothing crashes: the text reads well, and only its distribution, or its speed, is wrong. These bugs were shipped by real engines, or "
    "found while they were reviewed. Each one replaces one part of our loop. Choose one, and audit it."
)


def screen() -> None:
    """This part of the screen: one exhibit if the address names one, else the list."""
    name = address.parameter(address.EXHIBIT)
    exhibit = next((known for known in EXHIBITS if known.name == name), None)
    if exhibit is not None:
        _page(exhibit)
        return
    if name:
        st.error(
            f"The address names the exhibit {plain(name[:40])}, which the zoo does not have: choose one of the list.",
            icon=":material/error:",
        )
    _list()


def _list() -> None:
    st.subheader(f"{len(EXHIBITS)} bugs, one of each kind", anchor=False)
    st.caption(_ABOUT)
    with st.container(key="zoo-list"):
        for part, heading in _PARTS.items():
            with st.container(key=f"zoo-{part}", gap=None):
                st.markdown(f"**{heading}**")
                for exhibit in (exhibit for exhibit in EXHIBITS if exhibit.part == part):
                    st.button(
                        _titled(exhibit),
                        key=f"exhibit-{exhibit.name}",
                        type="tertiary",
                        icon=":material/bug_report:",
                        on_click=_choose,
                        args=(exhibit.name,),
                    )


def _titled(exhibit: Exhibit) -> str:
    """Its title; the letter q stays small, since it is the draft's probability."""
    return exhibit.title if exhibit.title.startswith("q ") else f"{exhibit.title[0].upper()}{exhibit.title[1:]}"


def _choose(name: str) -> None:
    """Show this exhibit; "" shows the list."""
    place.go(place.BUGS, exhibit=name)


def _page(exhibit: Exhibit) -> None:
    audits.arrive(ZOO)
    names = [known.name for known in EXHIBITS]
    at = names.index(exhibit.name)
    with st.container(horizontal=True, gap="small"):
        st.button(
            "All exhibits", key="zoo-all", type="tertiary", icon=":material/grid_view:", on_click=_choose, args=("",)
        )
        for word, index, icon in (("Previous", at - 1, "arrow_back"), ("Next", at + 1, "arrow_forward")):
            there = names[index % len(names)]
            st.button(
                word, key=f"zoo-{word}", type="tertiary", icon=f":material/{icon}:", on_click=_choose, args=(there,)
            )
    left, right = st.columns([5, 7], gap="large")
    with left:
        _texts(exhibit)
    with right:
        _audit(exhibit)


def _texts(exhibit: Exhibit) -> None:
    """The texts of an exhibit: what it is, how it looks, what catches it and where it happened."""
    st.html('<span class="zoo-mark">BUG</span>')
    st.subheader(_titled(exhibit), anchor=False)
    st.markdown(plain(exhibit.what))
    st.markdown(f"**On the stage.** {plain(exhibit.stage)}")
    if caught := [f"{check} after {after}" for check, after in exhibit.caught_by]:
        st.markdown(f"**Caught by** {', '.join(caught)}.", help=HOW)
    settings = [f"{name.replace('_', '-')} {value}" for name, value in exhibit.settings.items()]
    if settings:
        st.markdown(f"**Shows with** {plain(', '.join(settings))}.")
    lines = [
        f"- [{plain(source.label)}]({source.url})" + (f": {plain(source.note)}" if source.note else "")
        for source in exhibit.sources
    ]
    st.markdown("**Where it happened**\n\n" + "\n".join(lines))


def _audit(exhibit: Exhibit) -> None:
    """The buttons, and the audit of this exhibit or of its honest twin."""
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Audit this exhibit",
            key="zoo-audit",
            type="primary",
            icon=":material/bug_report:",
            on_click=_begin,
            args=(exhibit.name, False),
            help=f"The real audit, up to {ZOO_SAMPLES:,} runs, on two tiny models with four tokens whose p and q are known exactly.",
        )
        st.button(
            "The same without the bug",
            key="zoo-honest",
            on_click=_begin,
            args=(exhibit.name, True),
            help="The same tiny models and settings with honest parts: the audit must find nothing.",
        )
        stop_button(ZOO)
    if notice := audits.notice(ZOO):
        st.info(notice, icon=":material/info:")
    job = audits.current(ZOO)
    if job is not None and audits.request_of(job, ExhibitRequest).exhibit != exhibit.name:
        job = None
    board(ZOO, job, stacked=True)


def _begin(name: str, honest: bool) -> None:
    audits.begin(ZOO, None, ExhibitRequest(name, honest, ZOO_SAMPLES))
