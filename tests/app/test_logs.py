"""A server's log has no prompt and no written text in it, whether a run works or fails."""

from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, expect

from tests.app.conftest import PATIENCE_MS, fresh_page
from tests.app.server import serving

pytestmark = pytest.mark.browser
SECRET = "Zyzzyva"  # noqa: S105  # a word that nothing else writes


def test_no_prompt_is_in_the_log(browser: Browser, tmp_path: Path) -> None:
    """A run of a marked prompt, and one of a model that is not there."""
    log = tmp_path / "log.txt"
    with serving(log, environment={"SPECVIZ_DATA": str(tmp_path / "data")}) as address, fresh_page(browser) as page:
        page.set_default_timeout(PATIENCE_MS)
        for given, said in (
            ({"prompt": f"{SECRET} was here. {SECRET}", "max_new_tokens": "8", "pair": "embedded"}, None),
            (
                {
                    "prompt": SECRET,
                    "pair": "other",
                    "target": str(tmp_path / "nothing"),
                    "draft": str(tmp_path / "nothing"),
                },
                "nothing",
            ),
        ):
            page.goto(f"{address}/?{urlencode(given)}")
            page.get_by_role("button", name="Run", exact=True).click()
            if said is None:
                expect(page.locator(".stage .slot.typed").first).to_be_attached()
            else:
                expect(page.get_by_test_id("stAlert").filter(has_text=said).first).to_be_visible()
    assert log.read_text()
    assert SECRET not in log.read_text()
