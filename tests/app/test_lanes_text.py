"""The lanes as they are drawn, without a server: text of models goes in as text."""

import base64
from typing import Any

import pytest
from playwright.sync_api import Page

from app import theme
from app.race.mount import script

pytestmark = pytest.mark.xdist_group("lab")

_HOSTILE = '<img src=x onerror="window.hacked=1"><b>bold</b></script>'


def test_hostile_tokens_stay_text(page: Page) -> None:
    """A token that is markup is shown as it is written; so are names, words, the note and the badge."""
    lane: dict[str, Any] = {
        "name": _HOSTILE,
        "words": _HOSTILE,
        "kind": "speculative",
        "prompt": _HOSTILE,
        "prompt_ids": [1],
        "tokens": {"1": {"data": base64.b64encode(_HOSTILE.encode()).decode(), "special": False}},
        "rounds": [[0.01, [1, 1], ["accepted", "corrected"]]],
        "state": "done",
        "asked": 2,
        "say": _HOSTILE,
        "how": _HOSTILE,
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
    page.set_content("<div id='place'><div class='stage race'></div></div>")
    page.add_script_tag(content=script().replace("export default function", "window.mount = function"))
    page.evaluate("(data) => mount({ data, parentElement: place })", {"view": view, "looks": theme.looks()})
    page.locator(".race").focus()
    page.keyboard.press("End")
    page.locator(".race .finished .badge").hover()
    assert page.locator(".race .token").all_inner_texts() == [_HOSTILE, _HOSTILE]
    assert page.locator(".race .caption").inner_text() == _HOSTILE
    assert page.locator(".race img, .race script, .race b:not(.name)").count() == 0
    assert page.evaluate("window.hacked") is None
