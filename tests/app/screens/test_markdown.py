"""Text that is not ours stays text."""

import re

from app.components.widgets import plain

LIVE = (
    "https://evil.example/login",
    "HTTP://evil.example",
    "www.evil.example",
    "a.b+c@evil.example",
    ":material/delete:",
    ":smile:",
    ":red[x]",
)
_FOUND_LATE = re.compile(r"https?://|www(?=\.)|[-.\w+]+@[-\w]+\.|:material/\w+:|:\w+:|:\w+\[", re.IGNORECASE)
"""What a browser looks for in a text when Markdown's escapes are read already."""


def test_no_sign_of_markdown_is_left() -> None:
    """Each is escaped, a line break begins no list, heading or block of code, and nothing turns the direction of what comes after it; letters
    that are read from the right stay."""
    for sign in "\\`*_{}[]()<>#+-.!|~$:&":
        assert plain(f"a{sign}b").replace("\u2060", "") == f"a\\{sign}b"
    assert plain("one\n    two\n# three") == "one two \\# three"
    assert plain("\u202efdp\u2066\u200f \u05d0") == "fdp \u05d0"


def test_nothing_is_found_in_it_when_the_escapes_are_read() -> None:
    """No address, no e-mail address, no icon; to the eye, and but for a sign that has no width, it is the same text."""
    for one in [shape.format(text) for text in LIVE for shape in ("{}", "see {} now", "({})", "{0}{0}")]:
        read = re.sub(r"\\(.)", r"\1", plain(one))
        assert _FOUND_LATE.search(one)
        assert not _FOUND_LATE.search(read)
        assert read.replace("\u2060", "") == one
