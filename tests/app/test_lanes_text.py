"""The lanes as they are drawn, without a server: text of models goes in as text."""

import base64
from typing import Any

import pytest
from playwright.sync_api import Page

from specviz.reporting.player.scripts import given, script
from specviz.trace.files import to_json
from tests.app.lab import as_script
from tests.helpers.views import round_of

_HOSTILE = '<img src=x onerror="window.hacked=1"><b>bold</b></script>'


@pytest.fixture
def page(blank: Page) -> Page:
    """No test here needs more than an empty page."""
    return blank


def test_hostile_tokens_stay_text(page: Page) -> None:
    """A token that is markup is shown as it is written; so are names, words, the note and the badge."""
    hostile = {"data": base64.b64encode(_HOSTILE.encode()).decode(), "special": False}
    lane: dict[str, Any] = {
        "name": _HOSTILE,
        "words": _HOSTILE,
        "kind": "speculative",
        "prompt": _HOSTILE,
        "source": {
            "prompt_ids": [1],
            "tokens": {str(i): hostile for i in (1, 2, 9)},
            "rounds": [to_json(round_of(0, "ar", 0))],
        },
        "state": "done",
        "asked": 2,
        "say": _HOSTILE,
        "how": _HOSTILE,
        "busy": "",
        "badge": {"kind": "parts", "text": _HOSTILE, "how": _HOSTILE},
    }
    view = {
        "id": "x",
        "race": False,
        "live": False,
        "note": _HOSTILE,
        "hint": _HOSTILE,
        "plain_rate": None,
        "lanes": [lane],
    }
    page.set_content("<div id='box'><div class='stage race'></div></div>")
    page.add_script_tag(content=as_script(script("race")))
    page.evaluate("(data) => mount({ data, parentElement: box })", {"view": view, **given()})
    page.locator(".race").focus()
    page.keyboard.press("End")
    page.locator(".race .finished .badge").hover()
    assert page.locator(".race .lane .token").all_inner_texts() == [_HOSTILE, _HOSTILE]
    assert page.locator(".race .caption").inner_text() == _HOSTILE
    assert page.locator(".race img, .race script, .race b:not(.name)").count() == 0
    assert page.evaluate("window.hacked") is None
