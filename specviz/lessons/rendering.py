"""Markdown of a lesson as safe HTML: no raw HTML, no pictures, links to http(s) or relative addresses only, figures filled in.

A lesson's text is untrusted, and so is a model's output that fills a placeholder. Two readings of each text: the first allows
everything, only to find what is not allowed and the line it is on; the second knows no HTML at all, and is the one that renders.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from specviz.lessons.placeholders import Filling

Fill = Callable[[str], Filling]  # fills a placeholder, or raises ValueError with the reason
_INSIDE = re.compile(r"\{([^{}\n]{1,120})\}")
_LINK = re.compile(r"(?i)https?://[^/]|(?![a-z][a-z0-9+.-]*:)(?!//)")
_FIGURE = "figure"


def _figure(state: StateInline, silent: bool) -> bool:
    """The rule for `{...}`; a brace of the text itself is written with a backslash before it."""
    braces = _INSIDE.match(state.src, state.pos)
    if braces is None:
        return False
    if not silent:
        state.push(_FIGURE, "span", 0).content = braces[1]
    state.pos = braces.end()
    return True


def _allowed(url: str) -> bool:
    return _LINK.match(url) is not None


class _Html(RendererHTML):
    """Figures as spans that say how they are known, and links that lead out of the page safely."""

    def figure(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        filling: Filling = env["fill"](tokens[index].content)
        place = "".join(
            f' data-{name}="{value}"'
            for name, value in (("round", filling.round), ("slot", filling.slot))
            if value is not None
        )
        kind = "lesson-token" if filling.token else "lesson-figure"
        return f'<span class="{kind}" data-how="{escape(filling.how)}"{place}>{escape(filling.text)}</span>'

    def link_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        tokens[index].attrSet("rel", "noopener noreferrer")
        return self.renderToken(tokens, index, options, env)


def _parser(**options: Any) -> MarkdownIt:
    parser = MarkdownIt("commonmark", options, renderer_cls=_Html)
    parser.inline.ruler.before("escape", _FIGURE, _figure)
    return parser


_READER = _parser(html=True)
_READER.validateLink = lambda url: True  # type: ignore[method-assign]  # `problems_of` names the wrong ones
_WRITER = _parser(html=False).disable("image").enable("table")
_WRITER.validateLink = _allowed  # type: ignore[method-assign]


def html_of(text: str, fill: Fill) -> str:
    """Safe HTML of blocks. Raises ValueError if a placeholder cannot be filled."""
    return str(_WRITER.render(text, {"fill": fill})).strip()


def inline_html_of(text: str, fill: Fill) -> str:
    """Safe HTML of one line. Raises ValueError if a placeholder cannot be filled."""
    return str(_WRITER.renderInline(" ".join(text.split()), {"fill": fill}))


def blocks_of(text: str) -> list[Token]:
    """The blocks of a text, each with the lines that it has."""
    return _READER.parse(text)


def pieces_of(text: str) -> Iterator[tuple[int, Token]]:
    """Everything inside the blocks of a text, with its line (from 0)."""
    for block in blocks_of(text):
        line = block.map[0] if block.map else 0
        if block.type != "inline":
            yield line, block
            continue
        for piece in block.children or ():
            yield line, piece
            line += (piece.type in ("softbreak", "hardbreak")) + piece.content.count("\n")


def problems_of(text: str, fill: Fill) -> Iterator[tuple[int, str]]:
    """Everything in a text that a lesson may not have, each with its line (from 0); sentences without a full stop."""
    for line, piece in pieces_of(text):
        if piece.type in ("html_block", "html_inline"):
            html = " ".join(piece.content.split())
            yield line, f"HTML such as {html!r:.60} is not allowed in a lesson: write Markdown"
        elif piece.type == "image":
            yield line, "pictures are not shown in a lesson: the stage is the picture, so name a moment instead"
        elif piece.type == "link_open" and not _allowed(str(piece.attrGet("href") or "")):
            yield line, f"the link {str(piece.attrGet('href'))!r:.80} is not http, https or relative: take it out"
        elif piece.type in ("code_inline", "code_block", "fence"):
            for inside in _INSIDE.findall(piece.content):
                with suppress(ValueError):
                    fill(inside)
                    yield line, f"{{{inside}}} is written as code, where it is not filled in: take the backticks away"
        elif piece.type == _FIGURE:
            try:
                fill(piece.content)
            except ValueError as error:
                yield line, str(error)
