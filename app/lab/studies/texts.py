"""Kinds of text: where does the draft's proposal stand a chance? By ready-made kind, and over a text of one's own."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from app import pairs, request_form, widget_state
from app.lab import answer, inputs, pictures, running
from app.lab.studies import figures, heat
from specviz.errors import InputError
from specviz.lab.strip import KindOfText, text_in
from specviz.lab.study import TextsAsked, TextsFound, texts_of
from specviz.reporting.prompts import chosen_prompts
from specviz.settings import RANGES, Settings

_EACH, _TOKENS, _WARM, _TEXT = "_study_t_each", "_study_t_tokens", "_study_t_temperature", "_study_t_text"
_UPLOAD = "_study_t_upload"
_MOST_LETTERS = 20_000
_MOST_TOKENS = 2000
_ROW_PX, _AROUND_PX = 34, 70
_EXAMPLE = 12
_USUAL_WARM = 1.0


def section() -> None:
    """The section."""
    _temperature()
    kinds, own = st.tabs(["Ready-made kinds", "Your own text"])
    with kinds:
        _kinds()
    with own:
        _own()


# ------------------------------------------------------------------ ready-made kinds


def _kinds() -> None:
    st.markdown("**How often is a proposed token accepted, by kind of text?**")
    begin_kinds(controls=True)
    result = running.result(running.TEXTS)
    if result is None:
        return
    found = [each for each in result.found if isinstance(each, TextsFound)]
    asked = [each for each in result.asked if isinstance(each, TextsAsked)]
    rows = sorted((each.kind for each in found), key=lambda each: each.alpha)
    count = max(len(each.prompts) for each in asked)
    notes = (
        f"The target wrote up to {asked[0].settings.max_new_tokens} tokens after {count} prompt{'s' * (count > 1)} of each kind; "
        "draft and target then read them, and α is the mean over all positions",
        "Whiskers: Wilson's 95% interval, rather too narrow, because neighbouring positions depend on each other",
        f"temperature {asked[0].settings.temperature:g}",
        running.models_said(result),
        found[0].machine,
        "No times are measured, so a busy machine does no harm",
    )
    answer.show(running.TEXTS, headline(rows), [_row(each) for each in rows], notes, partial(figures.acceptance, rows))
    alt = "; ".join(f"{each.name}: α {each.alpha:.2f}, {each.low:.2f} to {each.high:.2f}" for each in rows)
    pictures.draw(figures.acceptance(rows), "texts-chart", alt, height=_AROUND_PX + _ROW_PX * len(rows))
    running.caption(*notes)


def headline(rows: Sequence[KindOfText]) -> str:
    """What was found of the kinds of text, the hardest first, in one sentence."""
    low, high = rows[0], rows[-1]
    if len(rows) == 1:
        return f"{low.name}: α = {low.alpha:.2f}."
    return f"Easiest here: {high.name}, α = {high.alpha:.2f}. Hardest: {low.name}, α = {low.alpha:.2f}."


def _row(kind: KindOfText) -> dict[str, object]:
    return {
        "text": kind.name,
        "α": round(kind.alpha, 3),
        "lowest (95%)": round(kind.low, 3),
        "highest (95%)": round(kind.high, 3),
        "tokens": len(kind.strip),
    }


def begin_kinds(*, controls: bool, label: str = "Measure every kind") -> None:
    """The buttons of the study of kinds.

    Args:
        controls: whether its numbers can be chosen.
    """

    def numbers() -> None:
        inputs.number(_EACH, 2, "Prompts of each kind", 1, _most_each())
        inputs.tokens(_TOKENS)

    running.bar(running.TEXTS, label, asked_kinds, numbers=numbers if controls else None)


def _most_each() -> int:
    return max(Counter(ready.category for ready in pairs.ready()).values())


def asked_kinds() -> list[TextsAsked]:
    """What the tab of ready-made kinds asks for.

    Raises:
        InputError: it cannot be.
    """
    each = min(widget_state.value(_EACH, 2), _most_each())
    settings = replace(_settings(), max_new_tokens=widget_state.value(_TOKENS, 64))
    return texts_of(chosen_prompts([str(each)], pairs.ready()), settings, template=request_form.template())


# ------------------------------------------------------------------ a text of one's own


def _own() -> None:
    st.markdown(
        "**Where would your document fly?** Draft and target read your text as if the target had written it: nothing is "
        "stored, and nothing leaves this server."
    )
    widget_state.show(
        _TEXT,
        "",
        partial(
            st.text_area,
            "Your text",
            height=140,
            max_chars=_MOST_LETTERS,
            placeholder="Paste a paragraph, a poem, a program …",
        ),
    )
    label = f"or a file of plain text, of at most {_MOST_LETTERS:,} characters"
    inputs.upload(_UPLOAD, label, _take, partial(running.problem, running.OWN), max_upload_size=1)
    running.bar(running.OWN, "Colour my text", asked_own)
    result = running.result(running.OWN)
    if result is None:
        return
    (asked,), (found,) = result.asked, result.found
    assert isinstance(asked, TextsAsked), "nothing else is asked for here"
    assert isinstance(found, TextsFound), "the answer to it"
    kind = found.kind
    notes = (
        f"{len(kind.strip):,} tokens, each read once by draft and target; the colour is the sum of min(p, q), the probability that a "
        "proposed token is accepted there",
        f"only the first {asked.most:,} tokens were read" if found.cut else "",
        "the first token has nothing before it and no colour" if found.begins else "",
        f"temperature {asked.settings.temperature:g}",
        running.models_said(result),
        found.machine,
    )
    rejected = [(each.text, each.times) for each in kind.rejected[:_EXAMPLE]]
    chart = partial(figures.rejected, rejected) if rejected else None
    answer.show(running.OWN, words(kind), [_row(kind)], notes, chart)
    st.html(heat.html(found.begins, kind.strip))
    running.caption(*notes)
    if rejected:
        st.markdown("**Proposed in vain most often**")
        alt = "Tokens that the draft proposes and the target rejects, the most frequent first."
        pictures.draw(figures.rejected(rejected), "rejected-chart", alt, height=_AROUND_PX + 26 * len(rejected))
        running.caption(
            "How often each token is expected to be proposed and rejected over this text: the sum of max(0, q − p)"
        )


def words(kind: KindOfText) -> str:
    """What was found of an own text, in one sentence."""
    return f"Of the draft's proposals {kind.alpha:.0%} would be accepted in this text (95% interval {kind.low:.0%} to {kind.high:.0%})."


def asked_own() -> list[TextsAsked]:
    """What the tab of the own text asks for.

    Raises:
        InputError: there is no text, or it is too long.
    """
    text = widget_state.value(_TEXT, "")
    if not text.strip():
        raise InputError("There is no text: paste one, or choose a file of plain text.")
    own = _checked(text, "of the box")
    return [TextsAsked("own text", _settings(), request_form.template(), own=own, most=_MOST_TOKENS)]


def _take(data: bytes, name: str) -> None:
    """Put the file that was just chosen into the box."""
    widget_state.put(_TEXT, _checked(text_in(data[: 8 * _MOST_LETTERS], name), name))


def _checked(text: str, name: str) -> str:
    """The text.

    Raises:
        InputError: it is too long.
    """
    if len(text) > _MOST_LETTERS:
        raise InputError(f"The text {name!r:.80} has more than {_MOST_LETTERS:,} characters: give a part of it.")
    return text


# ------------------------------------------------------------------ both


def _settings() -> Settings:
    return replace(request_form.explicit(), temperature=float(widget_state.value(_WARM, _USUAL_WARM)))


def _temperature() -> None:
    low, high = RANGES["temperature"].offered
    meaning = "At 0 a proposed token is accepted or not; above 0 it is accepted with a probability."
    inputs.number(_WARM, _USUAL_WARM, "Temperature", float(low), float(high), meaning, step=0.1)
