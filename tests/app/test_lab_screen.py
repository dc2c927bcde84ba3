"""The Lab as a person meets it: a real server, a small real sweep of the embedded pair, a real browser."""

import csv
import io
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from specviz.lab.results import MEASURED
from specviz.lab.store import FILE, Store
from specviz.trace.files import loads
from tests.app.conftest import rests
from tests.app.pressing import downloaded

PROMPT = "One, two, three,"


@pytest.fixture
def folder(server_folder: Path) -> Path:
    """The server's data folder, in which it finds a damaged database."""
    return server_folder / "data"


def _choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label, exact=True).click()
    page.get_by_role("option", name=option).click()


def _fill(page: Page, label: str, value: str) -> None:
    box = page.get_by_label(label, exact=True)
    box.fill(value)
    box.press("Enter")


def _click(page: Page, name: str) -> None:
    """While the page is rendered again, the button of before may still stand beside the new one."""
    button = page.get_by_role("button", name=name)
    expect(button).to_have_count(1)
    button.click()


def _shows(page: Page, label: str, value: str) -> None:
    """While the page is rendered again, the box of before may still stand beside the new one."""
    box = page.locator(f'input[role="combobox"][aria-label="{label}"][value^="{value}"]').first
    expect(box).to_be_visible()


def test_a_sweep_from_its_form_to_its_files(page: Page, server: str, folder: Path) -> None:
    """A damaged database is set aside, and the page says so. The form says how many runs a sweep has before it starts; too many are refused with
    their number. The sweep runs on, over a reload; a cell shows what was measured, opens that very run on Watch, and the files have its figures."""
    page.goto(f"{server}/lab?{urlencode({'dtype': 'float32', 'prompt': PROMPT})}")
    expect(page.get_by_text("was renamed to")).to_be_visible()
    _choose(page, "and", "nothing else")
    values = page.get_by_role("textbox", name="Values: 1,2,4 or 1..8")
    values.fill("1..99999")
    values.press("Enter")
    expect(page.get_by_text(re.compile("The range 1..99999 has 99,999 values")).first).to_be_visible()
    values.fill("1,3")
    values.press("Enter")
    _fill(page, "New tokens", "8")
    _fill(page, "Repeats", "1")
    expect(page.get_by_text("2 calculated exactly by replanning, from 1 plain run")).to_be_visible()
    page.get_by_text("Measure every cell for real").click()
    expect(page.get_by_text("calculated exactly")).to_have_count(0)
    expect(page.get_by_text(re.compile(r"^2 runs · about"))).to_be_visible()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("combobox", name="Sweep", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_text("Every cell in figures")).to_be_visible()
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    expect(page.get_by_role("button", name="Resume")).to_have_count(0)
    rests(page)
    expect(page.get_by_text("No sweep is called")).to_have_count(0)  # the list's labels were those of a sweep that runs
    sweep = Store(folder / FILE).sweep("k")
    assert [each.how for each in sweep.found] == [MEASURED, MEASURED]
    assert sweep.plan.prompts[0].text == PROMPT

    table = page.locator(".st-key-sweep-table .js-plotly-plot .nsewdrag").first
    size = table.bounding_box()
    assert size is not None
    table.click(position={"x": 0.8 * size["width"], "y": 0.5 * size["height"]})
    row = sweep.found[1].row
    assert row is not None
    speed = f"{row.speedup.median:.2f}×" if row.trusted else "Busy:"
    expect(page.locator(".st-key-lab").get_by_text(speed).first).to_be_visible()
    expect(page.get_by_role("button", name="Open this run on Watch")).to_be_visible()

    _click(page, "Save and rename")
    file = downloaded(page, page.get_by_role("button", name="CSV"))
    (first, second) = csv.DictReader(io.StringIO(Path(file.path()).read_text()))
    assert (first["k"], second["k"]) == ("1", "3")
    assert float(second["speedup"]) == row.speedup.median
    page.get_by_label("New name").fill("mine")
    page.get_by_label("New name").press("Enter")
    expect(page).to_have_url(re.compile("lab"))
    _shows(page, "Sweep", "mine")
    page.keyboard.press("Escape")

    _shows(page, "Cell", "k 3")
    _click(page, "Open this run on Watch")
    expect(page.locator(".stage .role b:not(:empty)").first).to_be_attached()
    expect(page.get_by_text("On the stage: a recorded run")).to_contain_text("draft length 3")
    recorded = loads(Store(folder / FILE).recording("mine", 1) or "")
    assert recorded[0].settings.k == 3
    page.get_by_role("link", name="Lab").click()
    _shows(page, "Cell", "k 3")
