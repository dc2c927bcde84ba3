"""Registers a component whose script and style the browser fetches once, instead of with every message to it.

A component made of strings sends them along with each update: at ten updates a second that is megabytes. Files of a component's own
folder have an address, which contains their hash, so the browser keeps them.
"""

import atexit
import hashlib
import shutil
import tempfile
from pathlib import Path

import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.components.v2.types import ComponentRenderer

_PACKAGE = "specviz"


def component(name: str, *, script: str, style: str, html: str) -> ComponentRenderer:
    """A component of Streamlit that is mounted with `html`.

    Args:
        name: unique among the page's components.
        script: one ES module, whose default export is called at the mount and at every update.
        style: the style sheet of its shadow root.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"specviz-{name}-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    files = [_written(folder, name, kind, text) for kind, text in (("js", script), ("css", style))]
    manifest = ComponentManifest(_PACKAGE, "1", [ComponentConfig(name, ".")])
    get_bidi_component_manager().register_from_manifest(manifest, folder)
    return st.components.v2.component(f"{_PACKAGE}.{name}", js=files[0], css=files[1], html=html)


def _written(folder: Path, name: str, kind: str, text: str) -> str:
    content = text.encode()
    file = f"{name}-{hashlib.sha256(content).hexdigest()[:16]}.{kind}"
    (folder / file).write_bytes(content)
    return file
