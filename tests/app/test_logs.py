"""A server's log has no prompt and no written text in it, whether a run works or fails."""

from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

SECRET = "Zyzzyva"  # noqa: S105  # a word that nothing else writes


def test_no_prompt_is_in_the_log(page: Page, server: str, server_folder: Path) -> None:
    """A run of a marked prompt, and one of a model that is not there."""
    nowhere = str(server_folder / "nothing")
    for given, said in (
        (
            {"prompt": f"{SECRET} was here. {SECRET}", "max_new_tokens": "8", "drafter": "model", "policy": "fixed"},
            None,
        ),
        ({"prompt": SECRET, "pair": "other", "target": nowhere, "draft": nowhere}, "nothing"),
    ):
        page.goto(f"{server}/?{urlencode(given)}")
        page.get_by_role("button", name="Run", exact=True).click()
        if said is None:
            expect(page.locator(".stage .guess.typed").first).to_be_attached()
        else:
            expect(page.get_by_test_id("stAlert").filter(has_text=said).first).to_be_visible()
    log = (server_folder / "log.txt").read_text()
    assert log
    assert SECRET not in log
