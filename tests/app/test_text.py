"""Text that is not ours stays text."""

import pytest

from app.text import plain


@pytest.mark.parametrize("sign", list("\\`*_{}[]()<>#+-.!|~$:&"))
def test_every_sign_of_markdown_is_escaped(sign: str) -> None:
    """No sign that Markdown reads is left to be read."""
    assert plain(f"a{sign}b") == f"a\\{sign}b"


def test_lines_are_joined() -> None:
    """A line break cannot begin a list, a heading or a block of code."""
    assert plain("one\n    two\n# three") == "one two \\# three"
