"""One round of a recording as a table for paper: what was drafted, what the target would have written, and what joined the text.

Each state has its mark, its word and its own border, so that it can be told without colours.
"""

from html import escape

from specviz.lessons.labels import token_label
from specviz.lessons.lesson import Recorded
from specviz.reporting.player.looks import LOOKS
from specviz.trace.records import (
    Closing,
    Round,
    Trace,
    Verdict,
)
from specviz.words import ENGLISH, said

TEXTS = (
    "The draft writes ahead",
    "The target would write",
    "Joins the text",
    "Round {number} of {rounds}, as it was recorded. Each column is a position of the text.",
)
_DRAFT, _TARGET, _TEXT, _CAPTION = TEXTS


def drawn_round(recorded: Recorded, number: int, language: str = ENGLISH) -> str:
    """The table as HTML, with its caption.

    Args:
        number: of the round, from 1.
        language: of its words.

    Raises:
        ValueError: there is no such round, or nothing was drafted in it as one line; the message has no full stop.
    """
    run = recorded.run
    if not 1 <= number <= len(run.rounds):
        raise ValueError(f"there is no round {number}; the recording {recorded.name!r} has {len(run.rounds)}")
    round_ = run.rounds[number - 1]
    if not round_.drafted or any(each.parent != index - 1 for index, each in enumerate(round_.drafted)):
        raise ValueError(f"round {number} of {recorded.name!r} has no draft in one line")
    rows = (_drafted(run, round_, language), _wanted(run, round_), _joined(run, round_, language))
    body = "".join(f'<tr><th scope="row">{escape(said(name, language))}</th>{cells}</tr>\n' for name, cells in rows)
    caption = escape(said(_CAPTION, language).format(number=number, rounds=len(run.rounds)))
    return f'<table class="round"><caption>{caption}</caption>\n{body}</table>'


def _drafted(run: Trace, round_: Round, language: str) -> tuple[str, str]:
    cells = [_cell(run, each.token, each.verdict.value, language) for each in round_.drafted]
    return _DRAFT, "".join([*cells, _EMPTY])


def _wanted(run: Trace, round_: Round) -> tuple[str, str]:
    """The target's most likely token in every slot that was judged, and after the last one its bonus."""
    cells = []
    for each in round_.drafted:
        top = each.target_top
        if each.verdict is Verdict.DISCARDED or not top.tokens:
            cells.append(_EMPTY)
            continue
        best = max(range(len(top.tokens)), key=lambda index: (top.rule[index], top.logits[index]))
        cells.append(_cell(run, top.tokens[best], ""))
    closing = round_.closing
    bonus = closing is not None and closing.how is Closing.BONUS
    return _TARGET, "".join([*cells, _cell(run, closing.token, "") if closing and bonus else _EMPTY])


def _joined(run: Trace, round_: Round, language: str) -> tuple[str, str]:
    cells = [_cell(run, round_.drafted[index].token, "") for index in round_.accepted]
    if round_.closing is not None:
        cells.append(_cell(run, round_.closing.token, round_.closing.how.value, language))
    return _TEXT, "".join([*cells, *[_EMPTY] * (len(round_.drafted) + 1 - len(cells))])


_EMPTY = '<td class="empty"></td>'


def _cell(run: Trace, token: int, state: str, language: str = ENGLISH) -> str:
    """One token with the mark and the word of its state."""
    look = LOOKS.get(state)
    says = f'<span class="state">{look.mark} {escape(said(look.word, language))}</span>' if look else ""
    return f'<td class="{state or "plain"}"><b>{escape(token_label(run.tokens[token]))}</b>{says}</td>'
