"""The handout on paper: two pages at most, of either size, and nothing cut off."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from specviz.lessons.handout import handout_page


def test_it_is_two_printed_pages(blank: Page, tmp_path: Path) -> None:
    """Two pages on A4 and on Letter, with room to spare for other letters; black on white; no line wider than the paper."""
    file = tmp_path / "handout.html"
    file.write_text(handout_page(), encoding="utf-8")
    blank.goto(file.as_uri())
    for paper in ("A4", "Letter"):
        for scale in (1, 1.05):
            printed = blank.pdf(format=paper, prefer_css_page_size=False, scale=scale)
            assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 2, (paper, scale)
    blank.emulate_media(media="print", color_scheme="dark")
    expect(blank.locator("body")).to_have_css("color", "rgb(0, 0, 0)")
    expect(blank.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    cut = blank.evaluate(
        "[...document.querySelectorAll('td b, p, li, dd')].filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth).map(e => e.textContent)"
    )
    assert cut == []
