"""Printing on a terminal what may not be trusted: no markup is read, and nothing acts on the terminal."""

import re
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

_SIGNS = {" ": "·", "\t": "⇥", "\n": "⏎", "\x7f": "␡"}
_CONTROL_PICTURES = 0x2400


class Screen(Console):
    """A console that prints Text as it is: no markup, no highlighting, no line broken or cut to a width."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, markup=False, highlight=False, emoji=False, soft_wrap=True)

    def on_broken_pipe(self) -> None:
        """Tell the caller that nobody reads any more, instead of ending the program here."""
        raise BrokenPipeError

    def lines(self, lines: Iterable[Text]) -> None:
        """Print each on a line of its own, at once."""
        for line in lines:
            self.print(line)


def visible(text: str, *, spaces: bool = True) -> str:
    """Text in which nothing is hidden and nothing acts on a terminal.

    Args:
        text: undecodable bytes are expected as `surrogateescape` leaves them, and shown as ⟨F0 9F⟩.
        spaces: show a space as ·, as in a single token; False leaves it, as in running text.
    """
    return re.sub(r"[\udc80-\udcff]+|[^!-~]", lambda found: _sign(found[0], spaces), text)


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
