"""A text with every token coloured by how likely the draft's proposal there is accepted. The text is untrusted: it is escaped here."""

import unicodedata
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from specviz.lab.strip import StripToken
from specviz.reporting.terminal import visible

_COLOURS: Final = ("#ef8a3c", "#f7c391", "#f4efe6", "#b9d3f2", "#7fb2ec")
"""From rejected to accepted: orange to blue, which eyes without red or green can tell apart; dark ink can be read on all of them."""
_WORDS: Final = ("rejected", "", "half of the time", "", "accepted")
_JOINERS: Final = "\u200c\u200d"
_LOOK: Final = (
    """<style>
.heat-legend { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.5rem; font-size: 0.875rem; margin-bottom: 0.5rem; }
.heat-legend i { display: inline-block; width: 2rem; height: 1rem; border-radius: 3px; border: 1px solid #7d8592; }
.heat { background: #fbfaf7; color: #14171f; border: 1px solid #7d8592; border-radius: 8px; padding: 0.75rem 1rem; max-height: 30rem; overflow: auto;
  white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.9; font-size: 1.05rem; }
.heat span { border-radius: 3px; padding: 0.1rem 0; box-decoration-break: clone; -webkit-box-decoration-break: clone; box-shadow: inset -1px 0 0 rgb(20 23 31 / 25%); }
.heat-numbers { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; padding: 0; white-space: pre-wrap; }
.heat .h0 { text-decoration: underline dotted 2px; text-underline-offset: 0.25em; }
"""
    + "".join(f".h{i} {{ background: {colour}; }}\n" for i, colour in enumerate(_COLOURS))
    + "</style>"
)


def html(begins: str, strip: Sequence[StripToken]) -> str:
    """The strip with its legend, as HTML.

    Args:
        begins: what stands before the strip and has no colour.
    """
    boxes = "".join(
        f"<i class='h{i}'></i>" + (f"<b style='font-weight:400'>{word}</b>" if word else "")
        for i, word in enumerate(_WORDS)
    )
    legend = f"<div class='heat-legend'>The draft's proposal is {boxes}</div>"
    found = list(pieces(strip))
    parts = "".join(f"<span class='h{_step(alpha)}'>{_shown(text)}</span>" for text, alpha in found)
    numbers = "".join(f"<li>{_shown(text)} <b>{alpha:.2f}</b></li>" for text, alpha in found)
    return (
        f"{_LOOK}{legend}<div class='heat' tabindex='0' role='region' aria-label='The text, coloured'>{_shown(begins)}{parts}</div>"
        f"<details><summary>The probability that each proposal is accepted</summary><ol class='heat-numbers'>{numbers}</ol></details>"
    )


def pieces(strip: Sequence[StripToken]) -> Iterator[tuple[str, float]]:
    """Texts with the mean acceptance of their tokens: tokens that share a character are one."""
    alphas: list[float] = []
    for position in strip:
        alphas.append(position.alpha)
        if position.text:
            yield position.text, sum(alphas) / len(alphas)
            alphas = []


def _step(alpha: float) -> int:
    return min(len(_COLOURS) - 1, int(alpha * len(_COLOURS)))


def _shown(text: str) -> str:
    """Escaped, with a sign for what nobody could see or what would turn the line around."""
    return escape("".join(map(_sign, text)).replace("\n", "↵\n"))


def _sign(letter: str) -> str:
    if letter in "\n\t" or letter in _JOINERS or letter.isprintable() or unicodedata.category(letter) == "Zs":
        return letter
    return visible(letter)
