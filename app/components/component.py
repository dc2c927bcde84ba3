"""Registers a component of Streamlit whose script and style the browser fetches once, by their own addresses (`app.server.files`).

A component made of strings sends them along with each update. Here the string is a few lines that fetch the script.
"""

import json
from collections.abc import Callable
from typing import Any

import streamlit as st

from app.server import files
from app.server.addresses import base
from app.state import language

_LOADER = """
const style = STYLE, address = new URL(SCRIPT, location.href).href;
let loaded = null;
const script = import(address).then((module) => { loaded = module; });
const tables = {}, mounted = new WeakMap();

function worded({ language, at }) {
  if (!at || tables[language]) return null;
  return fetch(new URL(at, location.href)).then((answer) => answer.json()).then((table) => { tables[language] = table; }).catch(() => {});
}

// In another language a component is mounted anew, in an element as empty as the first one was.
function speak(root, { language }) {
  loaded.useWords?.(tables[language] ? { language, table: tables[language] } : null);
  const part = root.querySelector("[data-mount]"), spoken = tables[language] ? language : "en";
  const before = mounted.get(root) ?? { spoken, empty: part.cloneNode(false) };
  const now = before.spoken === spoken ? part : before.empty.cloneNode(false);
  if (now !== part) part.replaceWith(now);
  now.lang = spoken;
  mounted.set(root, { ...before, spoken });
}

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
  const root = component.parentElement, spoken = component.data?.spoken ?? { language: "en" };
  const begin = () => {
    if (gone) return;
    speak(root, spoken);
    leave = loaded.default(component);
  };
  const waits = styled(root), words = worded(spoken);
  if (loaded && !waits && !words) begin();
  else Promise.all([script, waits, words]).then(begin);
  return () => { gone = true; leave?.(); };
}
"""


def component(name: str, *, script: str, style: str, html: str) -> Callable[..., Any]:
    """A component of Streamlit that is mounted with `html`, in the page's language.

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
    mount = st.components.v2.component(
        f"specviz.{name}", js=loader, html=f"{link}\n{html.replace('>', ' data-mount>', 1)}"
    )

    def mounted(*, data: dict[str, Any], **others: Any) -> Any:
        return mount(data={**data, "spoken": language.for_component()}, **others)

    return mounted


def texts(sent: object) -> dict[str, str]:
    """The texts by name that a browser sent; nothing where it sent something else."""
    if not isinstance(sent, dict):
        return {}
    return {name: text for name, text in sent.items() if isinstance(name, str) and isinstance(text, str)}
