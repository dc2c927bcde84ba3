"""Text that is not ours, made safe for the parts of the page that render Markdown."""

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")


def plain(text: str) -> str:
    """The text literally: Markdown makes no link, image, formula or icon of it."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
