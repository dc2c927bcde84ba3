"""What a page leaves out: where it teaches, and for a lesson whose address lists what is not needed."""

from typing import Final

import streamlit as st

from app import session
from app.player.player import PARTS

_SIDEBAR = '[data-testid="stSidebar"], [data-testid="stSidebarCollapsedControl"], [data-testid="stExpandSidebarButton"] { display: none; }'
_PAGE: Final = {
    "sidebar": _SIDEBAR,
    "prompt": ".st-key-prompt-box { display: none; }",
    "prompts": ".st-key-ready-prompts { display: none; }",
    "menu": 'header[data-testid="stHeader"] { display: none; }',
}
"""Parts of the page around the stage, and the rule that hides each. Hidden settings still apply: they are in the address."""

_TEACH = (
    "html:root { font-size: max(16px, min(1.25vw, 2.22223vh)); } "  # 16 px at 1280x720, and larger with the window
    + _PAGE["sidebar"]
    + _PAGE["menu"]
    + '[data-testid="stMainBlockContainer"] { padding: 0.5rem 1.25rem; max-width: none; } '
    + '[data-testid="stVerticalBlock"] { gap: 0.5rem; } '
    # The mark of changed settings takes no room of its own, so that it moves nothing.
    + ".st-key-teach-bar .st-key-prompt-box { position: relative; } "
    + ".st-key-teach-bar :has(> .st-key-changed) { width: 0 !important; min-width: 0; margin-inline-start: -0.5rem; } "
    + ".st-key-teach-bar .st-key-changed { position: absolute; inset-inline-end: -0.9rem; top: -0.3rem; z-index: 1; width: max-content !important; } "
    + '.st-key-teach-bar [data-testid="stPageLink"] a > span:first-child:not(:only-child) { display: none; } '
    + "@media (max-width: 790px) { .st-key-teach-bar > :has(> .st-key-prompt-box) { flex: 1 0 100%; } } "
)


def apply(*, teach: bool) -> None:
    """Hide what the address asks to be hidden, and where the page teaches all that is not shown to the room."""
    rules = [_TEACH] if teach else []
    rules += [_PAGE[name] for name in session.hidden() if name in _PAGE]
    if rules:
        st.html(f"<style>{' '.join(rules)}</style>")


def problem() -> str:
    """A sentence about what cannot be hidden; empty when all is well."""
    unknown = [name for name in session.hidden() if name not in _PAGE and name not in PARTS]
    if not unknown:
        return ""
    return f"The address hides {unknown[0]!r}, which is not a part of the page: it can hide {', '.join(sorted([*_PAGE, *PARTS]))}."
