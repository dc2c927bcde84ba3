"""The teacher's page of the site: the parts of docs/teaching.md that need no engine, with links to the site's own steps."""

import re

from specviz.lessons.placeholders import Filled
from specviz.lessons.places import TAUGHT, TEACHING
from specviz.lessons.rendering import printed_html_of

_STEP = re.compile(r"\(/learn\?lesson=([a-z0-9-]+)(?:&step=(\d+))?\)")
_ELSEWHERE = re.compile(r"\[([^\]]+)\]\((?!#)[^)]*\)")


def teaching_page(language: str) -> dict[str, str]:
    """Safe HTML in this language, and its language: English where there is none."""
    own = TEACHING.with_name(f"teaching.{language}.md")
    found = own if own.is_file() else TEACHING
    text = found.read_text(encoding="utf-8")
    sections = re.split(r"(?m)^## ", text)[1:]
    chosen = [each for each in sections if each.startswith(TAUGHT)] if found == TEACHING else sections
    linked = _STEP.sub(lambda found: f"(#/learn/{found[1]}/{found[2] or 1})", "## " + "\n## ".join(chosen))
    html = printed_html_of(_ELSEWHERE.sub(r"\1", linked), _none)
    return {"html": html, "language": language if found == own else "en"}


def _none(inside: str) -> Filled:
    raise ValueError(f"{inside!r} is no figure of this page")
