"""The teacher's page of the site: the parts of docs/teaching.md that need no engine, with links to the site's own steps."""

import re

from specviz.folders import ASSETS
from specviz.lessons.placeholders import Filling
from specviz.lessons.rendering import html_of
from specviz.words import ENGLISH

_DOCS = ASSETS if (ASSETS / "teaching.md").is_file() else ASSETS.parent / "docs"
TEACHING = _DOCS / "teaching.md"
# The parts of the English page that need no engine. Pages in other languages, such as `teaching.de.md` beside it, have only these.
PARTS = ("A plan for 45 minutes", "Which chapter for whom", "Questions that rooms ask", "Exercises")
_STEP = re.compile(r"\(/learn\?lesson=([a-z0-9-]+)(?:&step=(\d+))?\)")
_ELSEWHERE = re.compile(r"\[([^\]]+)\]\((?!#)[^)]*\)")


def teaching_page(language: str) -> dict[str, str]:
    """Safe HTML in this language, and its language: English where there is none."""
    translation = TEACHING.with_name(f"teaching.{language}.md")
    file = translation if translation.is_file() else TEACHING
    sections = re.split(r"(?m)^## ", file.read_text(encoding="utf-8"))[1:]
    if file == TEACHING:
        sections = [section for section in sections if section.startswith(PARTS)]
    linked = _STEP.sub(lambda link: f"(#/learn/{link[1]}/{link[2] or 1})", "## " + "\n## ".join(sections))
    html = html_of(_ELSEWHERE.sub(r"\1", linked), _no_figure)
    return {"html": html, "language": ENGLISH if file == TEACHING else language}


def _no_figure(inside: str) -> Filling:
    raise ValueError(f"{inside!r} is no figure of this page")
