"""Whatever a text holds, what comes out is safe: even where nobody asked what is wrong in it."""

import random
import re
from pathlib import Path

import pytest

from specviz.lessons.files import BUILT_IN
from specviz.lessons.placeholders import Filling
from specviz.lessons.reading import read_lesson
from specviz.lessons.rendering import html_of, inline_html_of

_SAFE = re.compile(
    r'<(?:/?(?:p|em|strong|code|pre|ul|ol|li|blockquote|a)|br /|hr /|code class="language-[\w-]+"|ol start="\d+"'
    r'|a href="(?:https?://|[^":]*")[^"<>]*"? ?(?:title="[^"<>]*" )?rel="noopener noreferrer"'
    r'|/?span|span class="lesson-(?:token|figure)" data-how="[^"<>]*"(?: data-(?:round|slot)="\d+")*)>'
)


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "<div>\n\n*x*\n\n</div>",
        "[a](javascript:alert(1))",
        "[a](JaVaScRiPt:alert(1))",
        "[a](&#106;avascript:alert(1))",
        "[a](data:text/html;base64,x)",
        "[a](vbscript:x)",
        "[a](file:///etc/passwd)",
        "[a](//evil.example)",
        "<javascript:alert(1)>",
        '[a](http://x "t&quot;onclick=alert(1)")',
        "![a](http://x/y.png)",
        "[a]: javascript:x\n\n[a]",
    ],
)
def test_no_text_becomes_a_script(hostile: str) -> None:
    """Raw HTML is shown as text, a picture is none, and only http, https and relative links are links."""
    for made in (html_of, inline_html_of):
        html = made(hostile, lambda inside: Filling(inside, ""))
        tags = re.findall(r"<[^>]*>", html)
        assert all(_SAFE.fullmatch(tag) for tag in tags), tags
        assert not re.search(r'href="(?!https?://)[^"]*:', html)
        assert 'href="//' not in html


@pytest.mark.slow
def test_damaged_lessons_are_read_without_an_exception(tmp_path: Path) -> None:
    """Whatever a file holds, there is a lesson or a list of sentences."""
    chance = random.Random(7)  # noqa: S311  # no secret: the same damage each time
    texts = [file.read_text(encoding="utf-8") for file in sorted(BUILT_IN.glob("*.md"))]
    pieces = ["## ", "### ? ", "- [x] ", "moment: ", "---\n", "\n\n", "{", "}", "[x](", "<b>", "\x00", "\u202e", "|"]
    pieces += ["`", "&a *a", ": "]
    for turn in range(60):
        text = texts[turn % len(texts)]
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(text))
            rest = text[at + chance.randint(0, 40) :] if chance.random() < 0.5 else text[at:]
            text = text[:at] + chance.choice(pieces) + rest
        file = tmp_path / "01-damaged.md"
        file.write_text(text, encoding="utf-8")
        result = read_lesson(file)
        assert (result.lesson is None) == bool(result.problems)
        assert all(1 <= problem.line <= text.count("\n") + 2 for problem in result.problems)
