"""Registers a component of Streamlit whose script and style the browser fetches once, by their own addresses (`app.routes.files`).

A component made of strings sends them along with each update. Here the string is a few lines that fetch the script.
"""

import json

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from app.routes import files
from app.routes.addresses import base

_LOADER = """
const style = STYLE, address = new URL(SCRIPT, location.href).href;
let loaded = null;
const script = import(address).then((module) => { loaded = module; });

function styled(root) {
  const link = root.querySelector("link");
  if (!style || link?.sheet) return null;
  return new Promise((done) => {
    link.addEventListener("load", done, { once: true });
    link.addEventListener("error", done, { once: true });
  });
}

export default function mount(component) {
  let gone = false;
  let leave;
  const begin = () => { if (!gone) leave = loaded.default(component); };
  const waits = styled(component.parentElement);
  if (loaded && !waits) begin();
  else Promise.all([script, waits]).then(begin);
  return () => { gone = true; leave?.(); };
}
"""


def component(name: str, *, script: str, style: str, html: str) -> ComponentRenderer:
    """A component of Streamlit that is mounted with `html`.

    Args:
        name: unique among the page's components.
        script: one ES module, whose default export is called at the mount and at every update.
        style: the style sheet of its shadow root; "" for none.
    """
    sheet = f"{base()}{files.publish(f'{name}.css', style)}" if style else ""
    loader = _LOADER.replace("SCRIPT", json.dumps(base() + files.publish(f"{name}.js", script))).replace(
        "STYLE", json.dumps(sheet)
    )
    link = f'<link rel="stylesheet" href="{sheet}">' if sheet else ""
    return st.components.v2.component(f"specviz.{name}", js=loader, html=f"{link}\n{html}")


def texts(sent: object) -> dict[str, str]:
    """What a browser sent, if it is texts by name."""
    if not isinstance(sent, dict):
        return {}
    return {name: text for name, text in sent.items() if isinstance(name, str) and isinstance(text, str)}
