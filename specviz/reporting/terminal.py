"""Safe printing of untrusted text: markup is not interpreted, and control characters do not reach the terminal."""

import re
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from specviz.trace.records import TokenBytes

_SIGNS = {" ": "·", "\t": "⇥", "\n": "⏎", "\x7f": "␡"}
_CONTROL_PICTURES = 0x2400


class Screen(Console):
    """A console that prints Text unchanged: no markup, no highlighting, no wrapping or cutting at the width."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, markup=False, highlight=False, emoji=False, soft_wrap=True)
        self.width = max(1, self.width)  # Rich prints nothing on a terminal of 0 columns, which is what COLUMNS=0 says

    def on_broken_pipe(self) -> None:
        """Raise to the caller when the output is closed, instead of ending the program here."""
        raise BrokenPipeError

    def lines(self, lines: Iterable[Text]) -> None:
        """Print each text on its own line."""
        for line in lines:
            self.print(line)


def visible(text: str, *, spaces: bool = True) -> str:
    """Text with every control or invisible character shown as a visible sign, so that it cannot control the terminal.

    Args:
        text: undecodable bytes as `surrogateescape` leaves them; they are shown as ⟨F0 9F⟩.
        spaces: show a space as ·, for a single token; False leaves spaces unchanged, for running text.
    """
    return re.sub(r"[\udc80-\udcff]+|[^!-~]", lambda match: _sign(match[0], spaces), text)


def token_label(token: TokenBytes) -> str:
    """A token with all characters visible, and its bytes where they are no text; ∅ if it is empty."""
    return visible(token.data.decode("utf-8", errors="surrogateescape")) or "∅"


def _sign(text: str, spaces: bool) -> str:
    if "\udc80" <= text[0] <= "\udcff":
        return "⟨" + " ".join(f"{ord(escaped) - 0xDC00:02X}" for escaped in text) + "⟩"
    if text == " " and not spaces:
        return text
    if text in _SIGNS:
        return _SIGNS[text]
    if text < " ":
        return chr(_CONTROL_PICTURES + ord(text))
    return text if text.isprintable() else f"⟨U+{ord(text):04X}⟩"
