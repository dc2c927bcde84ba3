"""Text that is not ours, made safe for the parts of the page that read Markdown."""

import re

_MEANS_SOMETHING = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")


def plain(text: str) -> str:
    """The text as it is, whatever Markdown would make of it: no link, no image, no formula, no icon."""
    return _MEANS_SOMETHING.sub(r"\\\1", " ".join(text.split()))
