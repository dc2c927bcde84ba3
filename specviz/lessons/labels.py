"""A token as a reader sees it in a sentence: white space and what cannot be seen is shown by a sign."""

from specviz.reporting.terminal import visible
from specviz.trace.records import TokenBytes


def token_label(token: TokenBytes) -> str:
    """The token's text, with signs for what cannot be seen; its bytes where they are not text."""
    text = token.data.decode("utf-8", errors="surrogateescape")
    return visible(text) if text else "∅"
