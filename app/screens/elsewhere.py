"""What shows a run, a step of a chapter or a race elsewhere: the code of a frame, a page of its own, a film."""

import streamlit as st

from app.components.widgets import plain, save_button
from specviz.errors import InputError
from specviz.reporting.player.html_page import frame_code, site_address


def frame(name: str, at: str, route: str) -> None:
    """The code, for the saved page beside the other one, or for a site whose address is typed.

    Args:
        name: of the saved page, without ending.
        at: what the page opens at, after # in its address, such as "3/verified"; "" where it opens at its beginning.
        route: the same on a site, such as "runs/letter/3/verified"; "" where no site has it.
    """
    site = route and st.text_input(
        "Address of a site that has it, or empty",
        max_chars=300,
        key=f"frame-site-{route.partition('/')[0]}",
        placeholder="https://example.org/specviz/",
    )
    try:
        address = site_address(site, route) if site else f"{name}.html?embed=1{at and f'#{at}'}"
    except InputError as error:
        st.caption(plain(str(error)))
        return
    st.code(frame_code(address, f"specviz: {name}"), language="html", wrap_lines=True)
    st.caption(
        "The code of a frame on that site."
        if site
        else "The code of a frame that shows the saved page: put both beside each other."
    )


def page_button(name: str, page: bytes) -> None:
    """The page itself; nothing can be saved while it is empty."""
    meaning = "One HTML file with everything inside, for slides and course pages. It needs no network."
    save_button("Save as a page", page, f"{name}.html", "slideshow", help=meaning)


def film_button(*, ready: bool) -> None:
    """A film of what plays; the player's own script makes it (`shared/film.ts`)."""
    st.button(
        "Save as film",
        key="save-film",
        icon=":material/movie:",
        help="An animated picture (WebP) of what plays, from its beginning, for slides and messages. Your browser makes it.",
        disabled=not ready,
    )
