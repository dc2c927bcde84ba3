"""What several forms of the Lab ask: a number, one of several, a file; and the models, the prompt and the settings of “Models and settings”."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from app import pairs, request_form, widget_state
from specviz.decoding.drafters import registry
from specviz.errors import InputError, SpecvizError
from specviz.lab.plan import Models
from specviz.model_choice import chosen_models
from specviz.reporting.prompts import ReadyPrompt, own_prompt
from specviz.settings import RANGES, Settings


def number(name: str, usual: Any, label: str, low: Any, high: Any, meaning: str = "", **more: Any) -> None:
    """A number, kept as `app.widget_state` keeps it."""
    widget_state.show(
        name,
        usual,
        lambda now, **bound: st.number_input(
            label, low, high, min(max(now, low), high), width=150, help=meaning or None, **more, **bound
        ),
    )


def tokens(name: str) -> None:
    """The number of new tokens."""
    low, high = RANGES["max_new_tokens"].offered
    number(name, 64, "New tokens", max(2, int(low)), int(high), "The largest number of new tokens of a run.")


def choice(name: str, label: str, options: Sequence[Any], usual: Any, **more: Any) -> Any:
    """One of several; what is not among them any more is the usual one, which may be none of them."""

    def box(now: Any, **bound: Any) -> Any:
        shown = now if now in options else usual
        return st.selectbox(label, options, index=options.index(shown) if shown in options else None, **more, **bound)

    return widget_state.show(name, usual, box)


def upload(
    name: str, label: str, take: Callable[[bytes, str], None], problem: Callable[[str], None], **more: Any
) -> None:
    """A file; the box is a new one after each, so that none is kept once it was read.

    Args:
        take: called with content and name; what is wrong with it is a `SpecvizError`.
        problem: gets what is wrong, or "" where nothing is.
    """
    st.file_uploader(label, key=_box(name), on_change=partial(_taken, name, take, problem), **more)


def _box(name: str) -> str:
    return f"{name}-{st.session_state.get(name, 0)}"


def _taken(name: str, take: Callable[[bytes, str], None], problem: Callable[[str], None]) -> None:
    file = st.session_state.get(_box(name))
    if file is None:
        return
    problem("")
    try:
        take(file.getvalue(), file.name)
    except SpecvizError as error:
        problem(str(error))
    st.session_state[name] = st.session_state.get(name, 0) + 1


# ------------------------------------------------------------------ of “Models and settings”


def models() -> Models:
    """The models that are chosen.

    Raises:
        InputError: one is missing.
    """
    pair = request_form.pair_asked()
    if pair.name is None and not pair.target:
        raise InputError("A model is missing: name a target under “Models and settings”, by hub id or folder.")
    return Models(pair.name or "", pair.target or "", pair.draft or "", pair.head or "", pair.device, pair.dtype)


def settings(new_tokens: str, *, drafter: bool = True) -> Settings:
    """The settings with another number of new tokens.

    Args:
        new_tokens: the name of the choice.
        drafter: whether their drafter is used.

    Raises:
        InputError: they cannot be used with these models.
    """
    pair = models()
    chosen = replace(request_form.explicit(), max_new_tokens=widget_state.value(new_tokens, 64))
    if drafter:
        draft = chosen_models(pair.pair or None, pair.target or None, pair.draft or None).draft is not None
        name = pair.pair or pair.target
        if refusal := registry.refusal(chosen.drafter, name, draft=draft, heads=request_form.heads()):
            raise InputError(refusal)
    registry.check(chosen)
    return chosen


def prompt() -> ReadyPrompt:
    """The prompt in the box, with its title where it is a ready-made one.

    Raises:
        PromptError: it cannot be run.
    """
    own = own_prompt(request_form.prompt())
    return next((ready for ready in pairs.ready() if ready.text == own.text), own)
