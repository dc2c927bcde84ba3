"""A choice that nobody has made follows its default; one that was made stays, whatever is rendered and whatever a browser missed."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.state.common import is_element_id
from streamlit.testing.v1 import AppTest

from app.state import address, choices
from specviz.known_pairs import EMBEDDED
from specviz.settings import EXACT_RULES, RULES
from tests.helpers.app_page import run

pytestmark = pytest.mark.slow


def _page() -> None:
    import streamlit as st

    from app.state import choices

    pair = st.selectbox("pair", ["a", "b"], key="pair")
    usual = {"a": "fixed", "b": "confidence"}[pair]
    shown = choices.show("policy", usual, lambda now, **bound: st.text_input("policy", now, **bound))
    st.text(f"{shown} {choices.value('policy', '')}")


def test_a_choice_follows_its_default_until_it_is_made() -> None:
    """Another pair can have another default: the widget shows it, and what reads the choice agrees. What the visitor has chosen stays."""
    page = run(_page)
    for pair, policy in (("a", "fixed"), ("b", "confidence"), ("a", "fixed"), ("b", "confidence")):
        page.selectbox[0].select(pair).run()
        assert page.text[0].value == f"{policy} {policy}"
        assert page.text_input[0].value == policy
    page.text_input[0].set_value("history").run()
    for pair in ("b", "a", "b"):
        page.selectbox[0].select(pair).run()
        assert page.text[0].value == "history history"
    assert not page.exception


def test_a_value_that_comes_back_as_it_was_rendered_is_no_choice() -> None:
    """On a busy server a run of the script can end after the next one has rendered a widget: Streamlit then forgets the widget's value, and
    takes the browser's report of it for a change. The choice follows its default all the same."""
    page = run(_page)
    page.text_input[0].set_value("fixed")
    state = vars(page._session_state)["_state"]
    for known in (state._old_state, state._new_widget_state.states):
        for name in [name for name in known if is_element_id(name) and "policy~" in name]:
            del known[name]
    page.selectbox[0].select("b").run()
    assert page.text[0].value == "confidence confidence"


def _forms(visits: list[tuple[str, dict[str, str], dict[str, object]]]) -> None:
    """What a run is asked for in visits: on a screen, after the stage has suggested something, with choices that were made before."""
    import streamlit as st

    from app.state import request_form
    from app.state.page_state import PageState, page_state

    for screen, sent, chosen in visits:
        state = page_state()
        state.screen, state.form = screen, PageState().form
        state.form.values |= chosen
        request_form.take(sent)
        now, same = request_form.settings(), request_form.explicit()
        asked = f"{now.drafter} {now.k} {now.policy} {now.max_new_tokens} {now.temperature:g}"
        st.text(f"{asked} | {same.drafter} {same.k} {same.policy} {same.open} | {now.shared_noise}")


def _asked(*visits: dict[str, object], screen: str = "Watch", sent: Sequence[dict[str, str]] = ()) -> list[list[str]]:
    """The forms of visits with these choices, each after its own suggestion."""
    suggested = sent or [{}] * len(visits)
    usual = {"pair": EMBEDDED, "max_new_tokens": 32}
    page = run(_forms, [(screen, new, {**usual, **chosen}) for new, chosen in zip(suggested, visits, strict=True)])
    return [text.value.split(" | ") for text in page.text]


def test_what_is_asked_for_is_what_the_pickers_show() -> None:
    """A policy that the drafter does not take is the page's own; where runs must have the same settings, nothing is left open."""
    forms = _asked({}, {"k": 3}, {"drafter": "tree", "policy": "cost", "k": 2}, {"drafter": "model", "policy": "cost"})
    assert [form[:2] for form in forms] == [
        ["auto 0 auto 32 0", "model 5 fixed ()"],
        ["auto 3 auto 32 0", "model 3 fixed ()"],
        ["tree 2 auto 32 0", "tree 2 fixed ()"],
        ["model 0 cost 32 0", "model 5 cost ()"],
    ]


def test_what_the_stage_suggests_is_in_the_form() -> None:
    """Drafter, k, policy and length as an address has them; what the page does not have, and any other setting, changes nothing."""
    before: dict[str, object] = {"drafter": "tree", "k": 7, "policy": "fixed"}
    suggested = {
        "ngram 2 fixed 32 0": {"drafter": "ngram", "k": "2", "policy": "fixed"},
        "auto 0 auto 32 0": {"drafter": "auto", "k": "auto", "policy": "auto"},
        "tree 7 fixed 64 0": {"max_new_tokens": "64"},
        "tree 7 fixed 32 0": {"k": "99", "drafter": "no such", "temperature": "1.5", "prompt": "x"},
    }
    forms = _asked(*[before] * len(suggested), sent=[*suggested.values()])
    assert [form[0] for form in forms] == [*suggested]


def test_the_lanes_of_a_race_share_their_noise() -> None:
    """So that they write one text above temperature 0 too, unless the visitor chose otherwise, or a rule that cannot share it."""
    lossy = {"rule": "lenient", "temperature": 1.0}
    assert [form[2] for form in _asked({}, screen="Watch")] == ["False"]
    assert [form[2] for form in _asked({}, {"shared_noise": False}, lossy, screen="Race")] == ["True", "False", "False"]


# ------------------------------------------------------------------ every choice of the page

_VISITS: dict[str, dict[str, Any]] = {
    "": {
        "Prompt": "My own words",
        "Drafter": "model",
        "Draft length k": 9,
        "Temperature": 0.7,
        "Top-k": 40,
        "Top-p": 0.9,
        "Length": 24,
        "Seed": 5,
        "When a draft stops": "confidence",
        "Confidence threshold": 0.9,
        "Shared noise": True,
        "Acceptance rule": "lenient",
        "Lenience": 0.3,
        "Device": "cpu",
        "Number format": "float32",
        "Use the chat template, if the model has one": False,
        "Third lane": "ngram",
    },
    "tree": {"Drafter": "tree", "Tokens in the tree": 33, "Siblings in the tree": "distinct"},
    "models": {"Target": "my/target", "Draft": "my/draft"},
}
"""The visits: what a visitor chooses, by the labels of the widgets; that of the models begins with models of one's own."""


def _screens() -> None:
    """A screen with every choice, and one with none."""
    from functools import partial

    import streamlit as st

    from app.screens import models, race, settings, shared
    from app.state import pairs

    pairs.arrive()
    if st.session_state.get("with_choices", True):
        shared.prompt_text()
        for part in (models.picker, partial(settings.settings, settings.draft_length), race._third_lane):
            with st.container():
                part()


def _widgets(page: AppTest) -> dict[str, Any]:
    kinds = (
        page.text_area,
        page.text_input,
        page.slider,
        page.select_slider,
        page.number_input,
        page.selectbox,
        page.toggle,
    )
    return {widget.label: widget for kind in kinds for widget in kind}


def _addressed() -> None:
    """The same with the address read before and written afterwards."""
    from app.state import session
    from tests.app.state.test_choices import _screens

    session.arrive()
    _screens()
    session.write_address()


def test_settings_of_another_drafter_come_back() -> None:
    """What only a tree takes is shown for a tree alone, is in the address for a tree alone, and is as it was when the tree is chosen again."""
    address_ = {"pair": EMBEDDED, "drafter": "tree", "nodes": "33", "children": "distinct"}
    page = run(_addressed, address=address_)
    for drafter in ("tree", "early-exit", "tree"):
        _widgets(page)["Drafter"].set_value(drafter)
        page.run()
        assert not page.exception
        shown = {label: widget.value for label, widget in _widgets(page).items()}
        of_tree = {"Tokens in the tree": 33, "Siblings in the tree": "distinct"} if drafter == "tree" else {}
        assert {label: shown[label] for label in shown if "in the tree" in label} == of_tree
        assert ("children" in page.query_params) == (drafter == "tree")


def test_only_a_rule_that_gives_up_the_distribution_is_called_lossy() -> None:
    """Block verification is exact, and has no warning; the lenient rule has one."""
    for rule in RULES:
        page = run(_screens, address={"pair": EMBEDDED, "drafter": "model", "temperature": "1", "rule": rule})
        assert _widgets(page)["Acceptance rule"].value == rule
        assert [warning.value.split(":")[0] for warning in page.warning] == ["LOSSY"] * (rule not in EXACT_RULES)


def _browsers(widget: Any) -> Any:
    """What a browser shows that lost every earlier message about this widget: the default that comes with it each time."""
    if widget.type == "selectbox":
        return widget.options[widget.proto.default]
    if widget.type == "select_slider":
        return int(widget.proto.default[0])  # its values are 0, 1, 2 ...
    return widget.proto.default[0] if widget.type == "slider" else widget.proto.default


def _kept(page: AppTest) -> dict[str, Any]:
    """What every widget shows; an error where a browser that missed a message would show something else."""
    assert not page.exception
    shown = {}
    for label, widget in _widgets(page).items():
        shown[label] = widget.value
        if widget.value is None:
            continue
        known = widget.options[widget.index] if widget.type == "selectbox" else widget.value
        assert _browsers(widget) == known, f"{label} would be {_browsers(widget)!r}"
        assert not widget.proto.set_value, f"{label} has its value from a message that can be lost"
    return shown


def test_every_choice_is_the_pages_and_no_widgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every choice outlives a screen without its widget and a change of screens, one that is made while the visitor leaves as well;
    and a browser that lost any message before this one shows the same."""
    screen = SimpleNamespace(is_history_navigation=False, page_script_hash="watch")
    monkeypatch.setattr(choices, "get_script_run_ctx", lambda: screen)
    seen: set[str] = set()
    for visit, chosen in _VISITS.items():
        page = run(_screens, address={"pair": "other" if visit == "models" else EMBEDDED})
        for label, new in chosen.items():
            _widgets(page)[label].set_value(new)
            page.run()
            assert _kept(page)[label] == new
        before = _kept(page)
        assert {label: before[label] for label in chosen} == chosen
        for with_choices in (False, False, True):
            page.session_state["with_choices"] = with_choices
            page.run()
        assert _kept(page) == before, "after a screen without them"
        keys = {label: widget.key for label, widget in _widgets(page).items()}
        seen |= {key.split("~")[0] for key in keys.values()}
        _widgets(page)["Prompt"].set_value("Written while leaving")
        screen.page_script_hash = f"race {visit}"
        page.run()
        assert _kept(page) == {**before, "Prompt": "Written while leaving"}
        assert not {widget.key for widget in _widgets(page).values()} & set(keys.values()), (
            "a widget of the screen before"
        )
    assert seen == set(address.CHOICES) - {"pair", "section", "sweep", "samples"}
