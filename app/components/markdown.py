"""Text that is not ours, made safe for the parts of the page that render Markdown."""

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")


_TURNING = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # turns what comes after it, the page's own words too
_JOINED = "\u2060"  # a word joiner: nobody sees it, and no line breaks there
_LIVE = re.compile(r"(?i)(?<=https)(?=:)|(?<=http)(?=:)|(?<=www)(?=\.)|(?=@)|(?<=:)(?=\w)")
"""Where addresses, e-mail addresses, icons and emoji are found in a text: a browser looks for them when escapes are read already."""


def plain(text: str) -> str:
    """The text literally: Markdown makes no link, image, formula or icon of it."""
    return _SPECIAL.sub(r"\\\1", _LIVE.sub(_JOINED, " ".join(_TURNING.sub("", text).split())))
