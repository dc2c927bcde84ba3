"""The form of a new sweep: what varies, on which prompt, how many runs that is and about how long they take."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from app import pairs, request_form, resources, run_description, visitor, widget_state
from app.address import OTHER
from app.following import followed
from app.lab import inputs, kept, words
from app.screens import shared
from app.text import plain
from specviz.errors import InputError, SpecvizError, StoreError
from specviz.known_pairs import FAMILY
from specviz.lab.axes import CATEGORY, DRAFT, DRAFTER, DTYPE, LENGTH, POLICY, RULE, TEMPERATURE, Axis, K, axis_of
from specviz.lab.expected import expected
from specviz.lab.plan import MOST_REPEATS, SweepPlan
from specviz.reporting.player import wording
from specviz.reporting.prompts import ReadyPrompt, chosen_prompts
from specviz.setting_labels import POLICIES as POLICY_WORDS
from specviz.setting_labels import RULES as RULE_WORDS
from specviz.settings import LOSSY_RULES, POLICIES, RULES

OPEN = "_sweep_form"
"""Whether the form is shown."""
_FIRST, _SECOND, _TOKENS, _REPEATS, _NAME, _EACH, _REAL = (
    f"_sweep_{name}" for name in ("first", "second", "tokens", "repeats", "name", "each", "real")
)
_PROBLEM = "_sweep_problem"
_NOTHING = ""
_LABELS = {
    K: "Draft length k",
    TEMPERATURE: "Temperature",
    DRAFTER: "Drafter",
    DRAFT: "Draft model",
    POLICY: "When a draft stops",
    RULE: "Acceptance rule",
    CATEGORY: "Kind of text",
    LENGTH: "Prompt length",
    DTYPE: "Number format",
}
_WRITTEN = {
    K: ("1..8", "1,2,4 or 1..8"),
    TEMPERATURE: ("0, 0.5, 1", "numbers from 0 to 2"),
    LENGTH: ("16, 64, 256", "tokens, as in 64,256"),
}
"""The axes whose values are written: the usual ones, and what may be written."""
_SOME = 4


def form() -> None:
    """The form, with its estimate and Start."""
    with st.container(border=True, key="sweep-form"):
        st.markdown("**New sweep**: a table of real runs, each alone, warm, and in turn with plain decoding.")
        offered = _offered()
        first = _axis("Vary", _FIRST, K, offered)
        second = _axis("and", _SECOND, CATEGORY, [_NOTHING, *(name for name in offered if name != first)])
        by_kind = CATEGORY in (first, second)
        if not by_kind:
            with st.container(key="prompt-box"):
                shared.prompt_text()
        _numbers(by_kind=by_kind)
        _begin()
        if _is_loading():
            followed(_await, pairs.bell(), "speed")


def start() -> None:
    """Store the sweep that the form shows, and begin it; what is wrong with it is shown instead."""
    st.session_state[_PROBLEM] = ""
    try:
        plan = _plan()
        name = widget_state.value(_NAME, "").strip() or kept.store().free_name(plan)
        kept.store().begin(name, plan, "")
        kept.driver().begin(name, visitor=visitor.name())
    except SpecvizError as error:
        if isinstance(error, StoreError):
            kept.forget()
        st.session_state[_PROBLEM] = str(error)
        return
    widget_state.put(_NAME, "")
    widget_state.put(request_form.SWEEP, name)
    st.session_state[OPEN] = False


# ------------------------------------------------------------------ what is asked for


def _axis(label: str, name: str, usual: str, offered: Sequence[str]) -> str:
    """An axis and its values, side by side; returns its name."""
    usual = usual if usual in offered else offered[0]
    left, right = st.columns([1, 3], vertical_alignment="bottom", gap="small")
    with left:
        chosen: str = inputs.choice(
            name, label, offered, usual, format_func=lambda axis: _LABELS.get(axis, "nothing else")
        )
    if chosen:
        with right:
            _values(chosen)
    return chosen


def _values(axis: str) -> None:
    """The values of an axis: written, or chosen from those that there are."""
    if axis in _WRITTEN:
        usual, meaning = _WRITTEN[axis]
        widget_state.show(f"_sweep_{axis}", usual, partial(st.text_input, f"Values: {meaning}"))
        return
    known, some = _known(axis)
    widget_state.show(
        f"_sweep_{axis}",
        some,
        lambda now, **bound: st.multiselect(
            "Values", known, default=[each for each in now if each in known], format_func=partial(_said, axis), **bound
        ),
    )


def _numbers(*, by_kind: bool) -> None:
    """How many prompts, tokens and repeats; the name; and whether every cell is run."""
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        if by_kind:
            most = max(len(_of(kind)) for kind in _kinds())
            inputs.number(_EACH, 1, "Prompts of each kind", 1, most, "Ready-made prompts of each kind of text.")
        inputs.tokens(_TOKENS)
        inputs.number(_REPEATS, 3, "Repeats", 1, MOST_REPEATS, "Pairs of timed runs of each cell on each prompt.")
        widget_state.show(_NAME, "", partial(st.text_input, "Name", placeholder="from what varies", width=220))
        meaning = (
            "At temperature 0 one plain run gives the rounds of every k. Such cells are calculated: their rounds are exact, and their times "
            "are priced with measured costs of passes. Switch this on to run every cell."
        )
        widget_state.show(_REAL, False, partial(st.toggle, "Measure every cell for real", help=meaning))


def _begin() -> None:
    """How many runs, how many of them calculated, about how long; and Start."""
    problem = str(st.session_state.get(_PROBLEM, ""))
    try:
        said_of, able = _estimate(_plan()), True
    except StoreError as error:
        kept.forget()
        said_of, able = str(error), False
    except SpecvizError as error:
        said_of, able = str(error), False
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button(
            "Start", type="primary", icon=":material/play_arrow:", key="sweep-start", on_click=start, disabled=not able
        )
        if able:
            st.markdown(said_of, width="stretch")
    if problem or not able:
        st.error(plain(problem or said_of), icon=":material/error:")
    st.caption(f"Not varied, from “Models and settings”: {plain(_unvaried())}.")


def _await() -> None:
    """Render the page again when the models are loaded, and their speed is known."""
    if not _is_loading():
        st.rerun()


def _estimate(plan: SweepPlan) -> str:
    found = expected(plan, request_form.heads(), plain_rate=_plain_rate(), earlier_s=kept.store().run_seconds())
    return words.estimate(found)


# ------------------------------------------------------------------ what it means


def _plan() -> SweepPlan:
    """The sweep that the form shows.

    Raises:
        InputError: it cannot be carried out.
    """
    offered = _offered()
    first = widget_state.value(_FIRST, K)
    first = first if first in offered else offered[0]
    second = widget_state.value(_SECOND, CATEGORY)
    names = [first, *([second] if second in offered and second != first else [])]
    axes = tuple(_axis_of(name) for name in names)
    kinds = next((axis.values for axis in axes if axis.name == CATEGORY), None)
    models, settings = inputs.models(), inputs.settings(_TOKENS, drafter=DRAFTER not in names)
    repeats, real = widget_state.value(_REPEATS, 3), widget_state.value(_REAL, False)
    return SweepPlan(models, settings, axes, _prompts(kinds), repeats, request_form.template(), not real)


def _prompts(kinds: Sequence[str] | None) -> tuple[ReadyPrompt, ...]:
    if kinds is not None:
        return chosen_prompts([*kinds, str(widget_state.value(_EACH, 1))], pairs.ready())
    return (inputs.prompt(),)


def _axis_of(name: str) -> Axis:
    """The axis with the values that the form shows.

    Raises:
        InputError: there are none, or one cannot be.
    """
    usual: Any = _WRITTEN[name][0] if name in _WRITTEN else _known(name)[1]
    given = widget_state.value(f"_sweep_{name}", usual)
    values = given.split(",") if isinstance(given, str) else [*given]
    values = [each.strip() for each in values if each.strip()]
    if not values:
        raise InputError(f"{_LABELS[name]} has no values: give some.")
    return axis_of(
        f"{name}={','.join(values)}",
        pair=request_form.pair_asked().name,
        categories=_kinds(),
        heads=request_form.heads(),
    )


def _offered() -> list[str]:
    """The axes that the chosen models have."""
    return [name for name in _LABELS if name != DRAFT or pairs.chosen() in FAMILY]


def _known(axis: str) -> tuple[list[str], list[str]]:
    """The values of an axis that is chosen from a list, and those that are chosen at first."""
    if axis == CATEGORY:
        return [*_kinds()], [*_kinds()][:_SOME]
    if axis == DRAFT:
        return [*FAMILY], [*FAMILY]
    if axis == DRAFTER:
        able = [*request_form.drafters()[1:]]
        return able, able[:1] + [name for name in ("ngram", "suffix", "early-exit") if name in able[1:]]
    if axis == POLICY:
        return [*POLICIES], [*POLICIES]
    if axis == RULE:
        return [*RULES], [name for name in RULES if name not in LOSSY_RULES]
    return ["float32", "bfloat16", "float16", "float64"], ["float32", "bfloat16"]


def _said(axis: str, value: str) -> str:
    """A value as the page calls it."""
    say: Callable[[str], str] = {
        DRAFTER: wording.listed,
        POLICY: lambda name: POLICY_WORDS[name].label,
        RULE: lambda name: RULE_WORDS[name].label,
        CATEGORY: lambda name: name[0].upper() + name[1:],
    }.get(axis, str)
    return say(value)


def _kinds() -> tuple[str, ...]:
    return tuple(dict.fromkeys(ready.category for ready in pairs.ready()))


def _of(kind: str) -> list[ReadyPrompt]:
    return [ready for ready in pairs.ready() if ready.category == kind]


def _is_loading() -> bool:
    """Whether the chosen models are being loaded: then their speed will be known soon."""
    job = pairs.loading()
    return job is not None and not job.over


def _plain_rate() -> float | None:
    """Tokens per second of plain decoding, where the chosen models are loaded."""
    loaded = resources.jobs().loaded_with(request_form.pair_asked())
    return None if loaded is None else loaded.plain_rate


def _unvaried() -> str:
    """The models and settings of every run, in words."""
    try:
        settings = request_form.explicit()
    except InputError as error:
        return str(error)
    varied = {widget_state.value(_FIRST, K), widget_state.value(_SECOND, CATEGORY)}
    known = [each for each in run_description.settings(settings) if not each.startswith("at most")]
    left_out = {K: "draft length", TEMPERATURE: "temperature", DRAFTER: wording.label(settings.drafter)}
    known = [
        each for each in known if not any(axis in varied and each.startswith(begin) for axis, begin in left_out.items())
    ]
    pair = pairs.chosen()
    models = "your own models" if pair == OTHER else run_description.models_asked(request_form.pair_asked())
    return ", ".join([models, *known])
