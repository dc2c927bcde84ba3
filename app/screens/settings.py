"""The settings of a run, as the sidebar shows them, and the draft length beside Run."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal

import streamlit as st

from app.state import choices, request_form
from app.state.page_state import page_state, set_later
from specviz.decoding.drafters import registry
from specviz.reporting.player import wording
from specviz.serving import hosting
from specviz.setting_labels import (
    AUTO_DRAFTER,
    GROUPS,
    LOSSY,
    POLICIES,
    RULES,
    SIBLINGS,
    SettingLabel,
    explained,
)
from specviz.settings import AUTO, EXACT_RULES, RANGES


def draft_length() -> None:
    """The slider for the draft length."""
    _open_slider("k", "Draft length k", "Tokens drafted per round.")


def picker(
    label: str,
    options: Sequence[str],
    name: str,
    default: str | None,
    label_of: Callable[[str], str] = str,
    **more: Any,
) -> str | None:
    """One of several names, shown by their labels; the address has the name (`session.write_address`). Without a default nothing need be chosen.
    `more`: as `st.selectbox` takes it."""

    def widget(now: str | None, **bound: Any) -> str | None:
        shown = now if now in options else default
        index = None if shown is None else options.index(shown)
        return st.selectbox(label, options, index, format_func=label_of, **more, **bound)

    return choices.show(name, default, widget)


def _default(name: str) -> Any:
    return getattr(request_form.default_settings(), name)


def length_beside_run(width: Literal["stretch", "content"]) -> None:
    """The draft length as a button that shows it, and opens its slider."""
    now = choices.value("k", _default("k"))
    meaning = "Draft length: tokens drafted per round."
    with st.popover(f"k = {wording.number(now)}", help=meaning, width=width, key="k-beside"):
        draft_length()


def settings(length: Callable[[], None]) -> None:
    """All of them; `length` renders the draft length, or nothing where the screen has it elsewhere."""
    st.subheader("Settings", anchor=False)
    with st.container():
        drafter(length)
    _number("temperature", "Temperature", "0 always takes the most likely token.")
    left, right = st.columns(2)
    with left:
        _number("max_new_tokens", "Length", "The largest number of new tokens.", st.number_input)
    with right:
        _number("seed", "Seed", "The same seed gives the same text.", st.number_input)
    with st.expander("Expert"):
        _number("top_k", "Top-k", "Keep only the k most likely tokens; 0 keeps all.", st.number_input)
        _number("top_p", "Top-p", "Keep the most likely tokens up to this sum of probabilities.", st.number_input)
        _rule()


def _number(name: str, label: str, meaning: str, widget: Callable[..., Any] = st.slider) -> None:
    """A slider or a box with a number for a setting, within its range, and what the host of the server allows."""
    low, high = RANGES[name].page_range
    most = hosting.current().most_tokens
    if name == "max_new_tokens" and most is not None:
        high = most
    step = RANGES[name].step
    choices.show(name, _default(name), lambda now, **bound: widget(label, low, high, now, step, help=meaning, **bound))


def _open_slider(name: str, label: str, meaning: str) -> None:
    """A slider for a number that may be left to specviz."""
    low, high = (int(end) for end in RANGES[name].page_range)
    choices.show(
        name,
        _default(name),
        lambda now, **bound: st.select_slider(
            label,
            [0, *range(low, high + 1)],
            now,
            format_func=lambda number: str(number or AUTO),
            help=f"{meaning} “{AUTO}”: what is fastest by what passes cost here and how often guesses are right.",
            **bound,
        ),
    )


def _left(name: str) -> bool:
    """True if this number is left to specviz together with the drafter."""
    return request_form.drafter() == AUTO and not choices.value(name, _default(name))


def drafter(length: Callable[[], None]) -> None:
    """The drafter, and the settings that it takes; the numbers that are left to specviz only where the drafter is not left to it too."""
    descriptions, offered = registry.descriptions(), request_form.drafters()
    all_ = page_state().all_drafters
    listed = offered if all_ else request_form.usual_drafters()
    groups = {
        group: meaning
        for group, meaning in GROUPS.items()
        if any(descriptions[name].group == group for name in listed[1:])
    }
    picker("Drafter", listed, request_form.DRAFTER, AUTO, wording.listed, help=f"What drafts. {explained(groups)}")
    if len(offered) > len(request_form.usual_drafters()):
        words = "Fewer drafters" if all_ else f"More drafters: all {len(offered) - 1}"
        st.button(words, key="more-drafters", type="tertiary", on_click=set_later("all_drafters", not all_))
    chosen = descriptions.get(request_form.drafter())
    st.caption(chosen.explanation if chosen else AUTO_DRAFTER.explanation)
    if not _left("k"):
        length()
    if (chosen is None or chosen.shape == "tree") and not _left("nodes"):
        meaning = "The largest number of drafted tokens per round. The tree is at most k deep."
        _open_slider("nodes", "Tokens in the tree", meaning)
    meaning = (
        f"How the tokens that follow the same token are chosen above temperature 0. {explained(SIBLINGS)} All three keep the "
        "target's distribution. At temperature 0 and with shared noise they are always the top n."
    )
    siblings = chosen.siblings if chosen else ()
    _choice(
        "Siblings in the tree",
        SIBLINGS,
        siblings,
        request_form.CHILDREN,
        _default("children"),
        meaning,
    )
    _choice("When a draft stops", POLICIES, request_form.policies(), request_form.POLICY, AUTO, explained(POLICIES))
    if request_form.policy() == "confidence":
        _number("threshold", "Confidence threshold", "The draft's own probability of a token, at temperature 1.")


def _rule() -> None:
    """Randomness and the rule: exact rules keep the target's distribution, the others are labelled as lossy."""
    meaning = (
        "Above temperature 0, draft and target choose with the same random noise at the same position: both lanes write the "
        "same text with every drafter, and still follow the target's distribution. At temperature 0 there is no noise to share."
    )
    choices.show("shared_noise", _default("shared_noise"), partial(st.toggle, "Shared noise", help=meaning))
    rules = request_form.rules()
    meaning = f"{explained(RULES)} The lossy rules need a temperature above 0."
    _choice("Acceptance rule", RULES, rules, request_form.RULE, _default("rule"), meaning)
    if len(rules) > 1 and request_form.rule() == "lenient":
        _number("lenience", "Lenience", "1 is as strict as the exact rule, near 0 accepts nearly everything.")
    if len(rules) > 1 and request_form.rule() not in EXACT_RULES:
        st.warning(f"{LOSSY}: the text is no longer what the target alone would write.", icon=":material/warning:")


def _choice(
    label: str, labels: dict[str, SettingLabel], offered: Sequence[str], name: str, default: str, meaning: str
) -> None:
    """A picker for the choices that the drafter takes; nothing where it leaves none."""
    if len(offered) > 1:
        picker(label, offered, name, default, lambda name_: labels[name_].label, help=meaning)
