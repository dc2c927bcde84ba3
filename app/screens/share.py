"""Save and share: the recording on the stage as a file or as a page of its own, and opening one again."""

from functools import cache
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from app.components.widgets import plain, save_button
from app.screens import elsewhere
from app.server import addresses
from app.stage import recordings
from app.state import address, language, session
from app.state.page_state import RECORDING_PICKER, SHARE_MENU, UPLOAD_BOX, widget_value
from specviz.errors import TraceError
from specviz.reporting.gallery import gallery_file
from specviz.serving import hosting
from specviz.trace.files import load


def controls() -> None:
    """A small menu. The files in it are made when it is opened, so that nothing slows a run; they are the page's own from then on, since Streamlit
    (1.67) drops what a callable makes for a download when two reruns of anybody end before it is fetched."""
    with st.popover("Save and share", icon=":material/share:", key=SHARE_MENU, on_change="rerun") as menu:
        _save(made=bool(menu.open))
        _link()
        _open()
        _in_other_pages()


def _save(*, made: bool) -> None:
    """The recording as files. `made`: whether they are there already."""
    view = session.saveable()
    content = view if made else None
    name = recordings.file_name(view) if view else "recording"
    with st.container(horizontal=True):
        meaning = "The complete run as JSON: open it here again, or replay it on the command line."
        file = recordings.as_json(content) if content else b""
        save_button("Save recording", file, f"{name}.json", "data_object", help=meaning)
        elsewhere.page_button(name, recordings.as_page(content, language.now()) if content else b"")
        elsewhere.film_button(ready=view is not None)
    if view is None:
        st.caption("A run can be saved when the run is over, or stopped.")
    elif words := recordings.others_in(view):
        st.caption(words)


def _in_other_pages() -> None:
    """The saved page inside another page, and the run in the gallery of a site."""
    view = session.saveable()
    if view is None:
        return
    name = recordings.file_name(view)
    with st.expander("In another page"):
        _frame(view, name)
    with st.expander("Add to a gallery file"):
        _gallery(view, name)


def _frame(view: dict[str, Any], name: str) -> None:
    """The code of a frame that shows the saved page at a round."""
    rounds = len(view["recording"]["traces"][0]["rounds"])
    moment = f"{st.number_input('Begin at round', 1, max(1, rounds), 1, key='frame-round')}/verified"
    elsewhere.frame(name, moment, f"runs/{recordings.gallery_name(view)}/{moment}")


def _gallery(view: dict[str, Any], name: str) -> None:
    """A file for the gallery of a site that `specviz site --runs` builds."""
    title = st.text_input("Title", max_chars=80, key="gallery-title")
    shows = st.text_input("What to look for, in a sentence", max_chars=300, key="gallery-shows")
    kind = st.text_input("Kind of text", "other", max_chars=40, key="gallery-kind")
    try:
        text = gallery_file(load(view["recording"]), title, kind, shows) if title and shows else ""
    except TraceError as error:
        st.caption(plain(str(error)))
        text = ""
    save_button("Save the gallery file", text, f"{name}.json", "collections_bookmark")


def _link() -> None:
    """The page's address, with a button that copies it."""
    here = f"{(st.context.url or '').split('?')[0]}?{urlencode(address.parameters())}".removesuffix("?")
    link = addresses.for_others(here, str(st.get_option("server.address") or ""))
    st.caption("A link to this page with its settings, and its run as long as the server keeps it")
    st.code(link or here, language=None, wrap_lines=True)
    if link is None:
        st.caption(f":material/wifi_off: {addresses.HERE_ALONE}")


_titles = cache(recordings.shipped)


def _open() -> None:
    titles = _titles()
    st.selectbox(
        "Open a real run, recorded earlier",
        list(titles),
        index=None,
        format_func=titles.__getitem__,
        key=session.share_key(RECORDING_PICKER),
        placeholder="Choose one",
        on_change=_open_shipped,
    )
    if hosting.current().classroom:
        st.caption("Recordings of your own can be opened on a server of your own.")
        return
    st.file_uploader(
        "Or a recording of your own", type="json", key=session.share_key(UPLOAD_BOX), on_change=_open_upload
    )


def _open_shipped() -> None:
    file: str | None = widget_value(session.share_key(RECORDING_PICKER), None)
    if file is not None:
        session.open_recording(recordings.read_shipped(file))


def _open_upload() -> None:
    """A file that cannot be read leaves the stage as it was, and the page shows why."""
    file: object = widget_value(session.share_key(UPLOAD_BOX), None)
    if file is None:
        return
    if hosting.current().classroom:
        session.refuse_upload(hosting.current().uploads_refused)
    elif not isinstance(file, UploadedFile):
        session.refuse_upload(
            "The file is no longer on the server, which keeps few of them and not for long: choose it again."
        )
    else:
        try:
            session.open_recording(recordings.read_upload(file.getvalue(), file.name))
        except TraceError as error:
            session.refuse_upload(str(error))
