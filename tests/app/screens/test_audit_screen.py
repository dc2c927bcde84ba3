"""Audit and bug zoo as a person meets them."""

import json
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from app.screens.audit import guess
from specviz.audit.records import SCHEMA
from specviz.audit.zoo.guess_game import CLUES, recorded_twins
from specviz.audit.zoo.texts import EXHIBITS
from tests.app.lab import tooltips
from tests.app.pressing import downloaded


def test_a_decoder_and_an_exhibit_are_audited_and_a_visitor_guesses(page: Page, server: str, tmp_path: Path) -> None:
    """One visit to the three parts of the screen."""
    verdict, bars = page.locator(".audit-verdict"), page.locator(".audit-bars tbody tr")
    waiting = page.locator(".audit-checks li.waiting")

    # The histogram grows while the runs are made; after Stop the page keeps it, saves it, and shows it again after a reload.
    page.goto(f"{server}/audit?samples=2000&dtype=float32&prompt=The%20little")
    expect(page.get_by_text("Audited: Built-in tiny model")).to_contain_text("temperature 1")
    expect(waiting).to_have_count(5)
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Audit this decoder").click()
    expect(page.locator(".audit-checks li.running")).to_contain_text("A bet against the decoder")
    expect(bars.first).to_contain_text("%")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(verdict).to_have_text("Stopped. Nothing was found so far.")
    downloaded(page, page.get_by_role("button", name="Save JSON")).save_as(tmp_path / "audit.json")
    saved = json.loads((tmp_path / "audit.json").read_text())
    assert (saved["schema"], saved["stopped"], saved["settings"]["temperature"]) == (SCHEMA, True, 1.0)
    rows = bars.count()
    page.reload()
    expect(verdict).to_have_text("Stopped. Nothing was found so far.")
    expect(bars).to_have_count(rows)
    assert "samples=2000" in page.url

    # An exhibit that there is not is one sentence over the list of all. One of the list is audited: every picture is marked BUG.
    page.goto(f"{server}/audit?exhibit=%3Cb%3Enone")
    expect(page.get_by_text("which the zoo does not have")).to_be_visible()
    for exhibit in EXHIBITS:
        expect(page.locator(f".st-key-exhibit-{exhibit.name}")).to_have_count(1)
    assert not tooltips(page)
    page.get_by_role("button", name="After a rejection the token comes from p").click()
    expect(page.get_by_role("link", name="vllm-project/vllm #46665")).to_have_attribute(
        "href", re.compile("pull/46665$")
    )
    page.get_by_role("button", name="Audit this exhibit").click()
    expect(verdict).to_have_text("Caught by distribution after 250 runs.")
    expect(page.locator(".audit-mark")).to_contain_text("BUG: after a rejection")
    page.get_by_role("button", name="Next").click()
    expect(waiting).to_have_count(5)

    # The parts are beside one another, and what was open before is closed.
    for name, shows in (
        ("Audit your decoder", page.get_by_role("button", name="Audit this decoder")),
        ("Bug zoo", page.get_by_text("In the rule that accepts")),
        ("Guess which one is broken", page.get_by_role("button", name="The left one is broken")),
    ):
        page.get_by_role("radio", name=name).click()
        expect(shows).to_be_visible()
    expect(page).not_to_have_url(re.compile("exhibit="))

    # Two runs stand side by side; an answer is counted once and explained; a reload keeps the count.
    expect(page.locator(".guess-run")).to_have_count(2)
    page.get_by_role("button", name="The left one is broken").click()
    expect(page.get_by_text(re.compile("^(Yes|No), the run on the (left|right) is broken"))).to_be_visible()
    expect(page.get_by_text(re.compile("[01] of 1 right so far"))).to_be_visible()
    expect(page.get_by_text(re.compile("^BUG: "))).to_be_visible()
    page.get_by_role("button", name="Another pair").click()
    expect(page).to_have_url(re.compile(r"guess=\d+"))
    page.reload()
    page.get_by_role("button", name="The left one is broken").click()
    expect(page.get_by_text(re.compile("[01] of 1 right so far"))).to_be_visible()
    page.get_by_role("button", name="To its page").click()
    expect(page.get_by_role("button", name="Audit this exhibit")).to_be_visible()


def test_a_link_to_a_pair_is_the_same_pair_for_everybody() -> None:
    """Its number gives the runs and the side; over all of them both sides come; what is no number of a pair is none."""
    count = len(recorded_twins())
    sides = [guess.broken_side(number) for number in range(1, count + 1)]
    assert sides == [guess.broken_side(number) for number in range(1, count + 1)]
    assert {*sides} == {"left", "right"}
    assert {twins["exhibit"] for twins in recorded_twins()} == set(CLUES)
    written = ("1", str(count), "0", str(count + 1), "-1", "x", "", "１", "9" * 5000)
    assert [guess.read_pair(each) for each in written] == [1, count, *[0] * 7]
