"""The picker of drafters, and what the page refuses, where the chosen pair has no draft model."""

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from specviz.decoding.drafters import registry
from specviz.model_choice import HEAD_FILE, heads_here
from tests.helpers.app_page import run

pytestmark = pytest.mark.slow


def _script() -> None:
    import streamlit as st

    from app.screens import settings, shared
    from app.state import request_form, session

    settings.drafter(lambda: None)
    request = shared.requested_run()
    st.text(session.problem() or (f"{request.pair.draft} {request.settings.drafter}" if request else ""))
    st.text(",".join(request_form.rivals()))


def _page(**state: Any) -> AppTest:
    return run(_script, **{"prompt": "the dog", **state})


def test_the_page_asks_for_a_draft_only_where_one_is_needed() -> None:
    """Of models of one's own only the target is required, and a drafter that needs more is refused in a sentence when Run is pressed; the third lane
    offers only what can run."""
    rivals = ",".join(name for name in registry.able(draft=False) if name != "ngram")
    embedded = _page(pair="embedded")
    embedded.button("more-drafters").click().run()
    assert len(embedded.selectbox[0].options) == 1 + len(registry.able(draft=True, heads=heads_here("embedded")))
    assert embedded.text[0].value == "None auto"
    alone = _page(pair="other", target="my/target", drafter="ngram")
    assert [text.value for text in alone.text] == ["None ngram", rivals]
    assert _page(pair="other", target="my/target").text[0].value == "None auto"
    refused = _page(pair="other", target="my/target", drafter="model")
    assert "The drafter 'model' needs a draft model, and my/target comes without one" in refused.text[0].value
    assert _page(pair="other", target="my/target", draft="my/draft", drafter="model").text[0].value == "my/draft model"
    assert "name a target" in _page(pair="other").text[0].value


def test_a_head_that_a_visitor_names_is_offered_or_refused(tmp_path: Path) -> None:
    """Its drafters are in the picker and in the third lane's; a folder without a head, and a drafter whose head is missing, are refused in
    one sentence when Run is pressed."""
    (tmp_path / HEAD_FILE).write_text('{"kind": "medusa"}')
    page = _page(pair="other", target="my/target", head=str(tmp_path), drafter="medusa")
    drafter, problem, rivals = page.selectbox[0], page.text[0].value, page.text[1].value
    assert (drafter.value, problem) == ("medusa", "None medusa")
    assert "Medusa heads · trained head" in drafter.options
    assert "medusa-tree" in rivals
    assert "jetspec" not in rivals
    (tmp_path / HEAD_FILE).write_text("{")
    page = _page(pair="other", target="my/target", head=str(tmp_path), drafter="ngram")
    assert page.text[0].value.startswith(f"The folder {tmp_path} has no trained head (a readable {HEAD_FILE}, or the ")
    assert "Medusa heads · trained head" not in page.selectbox[0].options
