"""Audit and bug zoo as a person meets them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from app.screens.audit import guess
from app.state import address
from specviz.audit.messages import ZOO
from specviz.audit.records import SCHEMA
from specviz.audit.zoo.exhibits import BROKEN
from specviz.audit.zoo.guess_game import CLUES
from specviz.audit.zoo.run_table import recorded_twins
from specviz.audit.zoo.texts import EXHIBITS
from specviz.decoding.drafters import registry
from specviz.settings import CHILDREN, POLICIES, RULES
from tests.app.conftest import fresh_page
from tests.app.pressing import downloaded


@pytest.fixture(scope="module")
def opened(browser: Browser, server: str) -> Iterator[Page]:
    with fresh_page(browser) as page:
        page.goto(f"{server}/audit?samples=2000&prompt=The%20little")
        yield page


def _bars(page: Page) -> int:
    return page.locator(".audit-bars tbody tr").count()


def test_an_audit_grows_is_stopped_and_outlives_a_reload(opened: Page, tmp_path: Path) -> None:
    """The histogram grows while the runs are made; after Stop the page keeps it, saves it, and shows it again after a reload."""
    page = opened
    expect(page.get_by_text("Audited: Built-in tiny model")).to_contain_text("temperature 1")
    expect(page.locator(".audit-checks li.waiting")).to_have_count(5)
    page.get_by_role("button", name="Audit this decoder").click()
    expect(page.locator(".audit-checks li.running")).to_contain_text("A bet against the decoder")
    expect(page.locator(".audit-bars tbody tr").first).to_contain_text("%")
    page.get_by_role("button", name="Stop", exact=True).click()
    verdict = page.locator(".audit-verdict")
    expect(verdict).to_have_text("Stopped. Nothing was found so far.")
    downloaded(page, page.get_by_role("button", name="Save JSON")).save_as(tmp_path / "audit.json")
    saved = json.loads((tmp_path / "audit.json").read_text())
    assert (saved["schema"], saved["stopped"], saved["settings"]["temperature"]) == (SCHEMA, True, 1.0)
    rows = _bars(page)
    page.reload()
    expect(verdict).to_have_text("Stopped. Nothing was found so far.")
    assert _bars(page) == rows
    assert "samples=2000" in page.url


def test_an_exhibit_is_found_and_caught(opened: Page, server: str) -> None:
    """From the list to its page; the audit marks every picture BUG and catches it; the next exhibit is one press away."""
    page = opened
    page.goto(f"{server}/audit?part=bugs")
    expect(page.get_by_text("In the rule that accepts")).to_be_visible()
    for one in EXHIBITS:
        expect(page.locator(f".st-key-exhibit-{one.name}")).to_have_count(1)
    page.get_by_role("button", name="After a rejection the token comes from p").click()
    expect(page.get_by_role("link", name="vllm-project/vllm #46665")).to_have_attribute(
        "href", re.compile("pull/46665$")
    )
    page.get_by_role("button", name="Audit this exhibit").click()
    verdict = page.locator(".audit-verdict")
    expect(verdict).to_have_text("Caught by distribution after 250 runs.")
    expect(page.get_by_role("button", name="Save JSON")).to_be_visible()
    expect(page.locator(".audit-mark")).to_contain_text("BUG: after a rejection")
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".audit-checks li.waiting")).to_have_count(5)


def test_the_parts_of_the_audit_are_beside_one_another(opened: Page, server: str) -> None:
    """The game is first; a press shows another part, and what was open before is closed. An exhibit that there is not is one sentence."""
    page = opened
    page.goto(f"{server}/audit?exhibit=%3Cb%3Enone")
    expect(page.get_by_text("which the zoo does not have")).to_be_visible()
    expect(page.get_by_role("button", name="After a rejection the token comes from p")).to_be_visible()
    for name, shows in (
        ("Guess which one is broken", page.get_by_role("button", name="The left one is broken")),
        ("Audit your decoder", page.get_by_role("button", name="Audit this decoder")),
        ("Bug zoo", page.get_by_text("In the rule that accepts")),
    ):
        page.get_by_role("radio", name=name).click()
        expect(shows).to_be_visible()
    expect(page).not_to_have_url(re.compile("exhibit="))


def test_a_link_to_a_pair_is_the_same_pair_for_everybody() -> None:
    """Its number gives the runs and the side; over all of them both sides come; what is no number of a pair is none."""
    count = len(recorded_twins())
    sides = [guess.broken_side(number) for number in range(1, count + 1)]
    assert sides == [guess.broken_side(number) for number in range(1, count + 1)]
    assert {*sides} == {"left", "right"}
    assert {twins["exhibit"] for twins in recorded_twins()} == set(CLUES)
    written = ("1", str(count), "0", str(count + 1), "-1", "x", "", "１", "9" * 5000)
    assert [guess.read_pair(each) for each in written] == [1, count, *[0] * 7]


def test_no_choice_of_a_run_names_an_exhibit() -> None:
    """No drafter, rule, policy or kind of siblings has an exhibit's name; and a
    link can set none."""
    offered = {*registry.names(), *RULES, *POLICIES, *CHILDREN}
    assert not {name for name in BROKEN if name in offered}
    bugs = [one.name for one in EXHIBITS]
    for parameter in address.PICKERS:
        for name in bugs:
            linked = address.read({parameter: name})
            assert not linked.values, (parameter, name)
            assert linked.refused
    assert not {"exhibit", ZOO} & set(address.CHOICES)


def test_a_visitor_guesses_which_one_is_broken(opened: Page, server: str) -> None:
    """Two runs stand side by side; an answer is counted once and explained; a reload keeps the count."""
    page = opened
    page.goto(f"{server}/audit")
    expect(page.locator(".guess")).to_have_count(2)
    page.get_by_role("button", name="The left one is broken").click()
    expect(page.get_by_text(re.compile("^(Right|No): the (left|right) one is broken"))).to_be_visible()
    expect(page.get_by_text(re.compile("[01] of 1 right so far"))).to_be_visible()
    expect(page.get_by_text(re.compile("^BUG: "))).to_be_visible()
    page.get_by_role("button", name="Another pair").click()
    expect(page).to_have_url(re.compile(r"guess=\d+"))
    page.reload()
    page.get_by_role("button", name="The left one is broken").click()
    expect(page.get_by_text(re.compile("[01] of 1 right so far"))).to_be_visible()
    page.get_by_role("button", name="To its page").click()
    expect(page.get_by_role("button", name="Audit this exhibit")).to_be_visible()
