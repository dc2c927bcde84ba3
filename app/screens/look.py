"""The look of what is around the stage: the prompt is one line that grows, the folded sidebar has a name, a phone keeps the page's menu."""

from typing import Final

import streamlit as st

_WIDE: Final = """<style>
@media (min-width: 640px) { [data-testid="stMainBlockContainer"] { padding-inline: clamp(1rem, 2.5vw, 3rem); } }
@media (max-width: 639px) { [data-testid="stToolbar"] div:has(> [data-testid="stToolbarActions"]) { min-width: 0; margin-inline-start: auto; } }
@media (max-width: 767px) { :root:not(:has([data-testid="stSidebarUserContent"] .stElementContainer)) [data-testid="stExpandSidebarButton"] { display: none; } }
[data-testid="stCaptionContainer"] { color: inherit; opacity: 1; }
[data-testid="stCaptionContainer"] p { color: color-mix(in srgb, currentColor 82%, transparent); }
button[role="radio"][data-selected="true"] p { color: var(--st-text-color, CanvasText); font-weight: 600; }
</style>"""
_LOOK: Final = """<style>
.st-key-prompt-box textarea {
  min-height: 0 !important; height: auto !important; max-height: 2.5rem; field-sizing: content; padding-block: 0.5rem;
  line-height: 1.5rem; overflow: hidden; resize: none; transition: max-height 0s 0.5s;
}
.st-key-prompt-box textarea:not(:focus) { mask-image: linear-gradient(#000 2rem, transparent 2rem); }
.st-key-prompt-box textarea:focus { max-height: 40vh; overflow: auto; transition-delay: 0s; }
.st-key-prompt-box [data-testid="stTextAreaRootElement"] { min-height: 0 !important; height: auto !important; }
[data-testid="stSidebar"][data-collapsed="true"] * { visibility: hidden !important; transition: visibility 0s 0.3s; }
[data-testid="stSidebarCollapseButton"] { visibility: visible !important; }
[data-testid="stExpandSidebarButton"] { width: auto !important; padding-inline: 0.5rem !important; gap: 0.25rem; white-space: nowrap; }
[data-testid="stExpandSidebarButton"]::after { content: "Models and settings"; font-size: 0.875rem; }
@media (min-width: 640px) and (max-width: 1100px) {
  .st-key-prompt-box [data-testid="stHorizontalBlock"]:has(> [data-testid="stColumn"]) { flex-wrap: nowrap; }
  .st-key-prompt-box [data-testid="stColumn"] { min-width: 0; }
  .st-key-prompt-box [data-testid="stColumn"]:last-child { min-width: 13rem; }
}
@media (max-width: 640px) {
  .st-key-ready-prompts .stHorizontalBlock { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
  .st-key-ready-prompts .stHorizontalBlock > * { flex-shrink: 0; }
  .st-key-ready-prompts .stHorizontalBlock > :has(.stSelectbox) { flex-basis: 11rem; width: 11rem; min-width: 0; max-width: 11rem; }
  .st-key-ready-prompts .stHorizontalBlock > :is(.st-key-changed, :has(> .st-key-changed)) { order: -1; }
  .st-key-own-prompt.stHorizontalBlock, .st-key-own-prompt .stHorizontalBlock { flex-wrap: wrap; }
}
:root:has(.st-key-own-prompt) { --above: 3.5rem; }
.st-key-plays { gap: 0.1rem; padding-top: 0.25rem; }
.st-key-changed p { font-weight: 600; }
[data-testid="stBaseButton-tertiary"]:enabled:is(:hover, :active) { color: inherit; }
[data-testid="stBaseButton-tertiary"]:enabled:hover p { text-decoration: underline; text-underline-offset: 0.25em; }
[data-testid="stBaseButton-tertiary"]:enabled:active p { text-decoration-thickness: 2px; }
</style>"""
"""The prompt becomes one line again a moment after it has lost the focus: what is below it must not move away under the very press that took
the focus, or that press does nothing. On a phone the ready-made prompts and what follows them are one row that is moved with a finger: five
rows would push the stage out of sight. `--above` is what a line between prompt and stage takes from the stage. A button without a border keeps the ink of the text under the pointer: Streamlit gives it the primary
colour, darker when it is pressed, which cannot be read on a dark page. What is in the folded sidebar is hidden once it has slid away, labels too,
which Streamlit makes visible: only then does the Tab key pass it by. Its own button, which Streamlit shows to a pointer only, is always there."""


def wear() -> None:
    """Put it on the page."""
    st.html(_LOOK + _WIDE)


def widen() -> None:
    """Only its width, for a page without models and settings."""
    st.html(_WIDE)
