"""Compare as a person meets it: a real server, the real embedded pair, a real browser."""

import csv
import io
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.app.conftest import PROMPT, rests, stop_button, to_the_end
from tests.app.lab import until
from tests.app.pressing import downloaded

_CONTROLS = ".stMain :is(button, textarea, [role=combobox], canvas):not([data-testid=stBaseButton-elementToolbar])"
_WHERE = "all => all.map(each => { const box = each.getBoundingClientRect(); return [each.textContent, box.x, box.y] })"
_CELLS = "rows => rows.map(row => [...row.querySelectorAll('td')].map(cell => cell.textContent))"


def _begin(page: Page) -> None:
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(stop_button(page)).to_be_enabled()


def _rows(page: Page, measured: int) -> list[list[str]]:
    """The cells of the table, once so many rows have their figures: the canvas is drawn some frames after the page's script has ended."""
    rows: list[list[str]] = []

    def there() -> bool:
        rows[:] = page.locator(".st-key-compare-table tbody tr").evaluate_all(_CELLS)
        return sum(row[3] != "–" for row in rows) >= measured

    assert until(page, there)
    return rows


def test_a_comparison_is_asked_for_stopped_and_measured(page: Page, server: str, tmp_path: Path) -> None:
    """Of k 1 to 4 every run comes in by itself; what was measured before Stop stays, Compare measures the rest, nothing twice, and no control moves.
    The sentence, the table and the file have the same figures, and a row opens that very run on Watch."""
    asked = {"prompt": PROMPT, "dtype": "float32", "max_new_tokens": 16, "drafter": "model", "section": "best-k"}
    page.goto(f"{server}/compare?{urlencode(asked)}")
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    rests(page)
    expect(page.get_by_text("An example: AMD EPYC")).to_be_visible()
    expect(stop_button(page)).to_be_hidden()  # its place stays: no control moves
    for length in "5678":  # of which the marks are taken back
        page.locator(".st-key-compare-first").get_by_role("button", name=length, exact=True).click()
    expect(page.get_by_text("4 runs, each beside its own plain run.")).to_be_visible()
    heard = page.locator(".st-key-compare-heard[aria-live=polite]")
    expect(heard).to_have_text("An example")
    expect(page.get_by_role("img", name="Chart, ")).to_have_count(1)
    _begin(page)
    expect(heard).to_have_text("Comparing: 4 runs")
    expect(page.get_by_text("So far, 1 of 4 runs.")).to_be_visible(timeout=240_000)
    stop_button(page).click()
    expect(page.get_by_text("Stopped: Compare goes on with the rest.")).to_be_visible()
    rests(page)
    first = _rows(page, 1)[0]
    _begin(page)
    rests(page)
    before = page.locator(_CONTROLS).evaluate_all(_WHERE)
    expect(stop_button(page)).to_be_hidden(timeout=240_000)
    rests(page)
    if page.get_by_role("radio", name="Speedup").is_checked():  # not where the machine was too busy for any speedup
        assert page.locator(_CONTROLS).evaluate_all(_WHERE) == before
    assert _rows(page, 4)[0] == first
    expect(heard).to_contain_text("Done: ")
    page.get_by_role("radio", name="Tokens a pass").click()
    expect(page.locator("[class*=st-key-compare-says]")).to_contain_text("The most tokens a pass")
    rows = _rows(page, 4)
    assert [row[0] for row in rows] == ["k = 1", "k = 2", "k = 3", "k = 4"]
    said = page.locator("[class*=st-key-compare-says]").inner_text()
    best = max(rows, key=lambda row: float(row[3]))
    assert f"The most tokens a pass, {best[3]}, come from {best[0]}" in said
    downloaded(page, page.get_by_role("button", name="CSV", exact=True)).save_as(tmp_path / "table.csv")
    saved = [*csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text()))]
    assert [f"{float(line['tokens_per_pass']):.2f}" for line in saved] == [row[3] for row in rows]
    page.locator(".st-key-compare-table").get_by_test_id("stDataFrame").click(position={"x": 16, "y": 36 + 35 * 2 + 18})
    open_ = page.get_by_role("button", name="Open on Watch")
    expect(open_).to_be_enabled()
    open_.click()
    expect(page.locator(".stage")).to_be_visible()
    to_the_end(page)
    expect(page.locator(".stage")).to_contain_text(f"{saved[2]['passes']} passes instead of {saved[2]['tokens']}")
    expect(page.locator(".st-key-plays")).to_contain_text("draft length 3")
