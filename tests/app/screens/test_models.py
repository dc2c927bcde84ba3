"""The choice of models as a person meets it: two cards, a quiet line for prompts of one's own, more models."""

import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app.screens.models import facts
from app.state import pairs
from app.state.pairs import OPENING
from specviz.known_heads import PUBLIC_HEADS
from specviz.known_pairs import CHAT, EMBEDDED, OFFERS, PairStatus
from specviz.reporting.prompts import first_prompt, ready_prompts
from tests.app.conftest import KEYNOTE, fresh_page, loaded, unfold

OWN = "Who wrote Hamlet?"


@pytest.fixture(scope="module")
def opened(browser: Browser, server: str) -> Iterator[Page]:
    with fresh_page(browser) as page:
        page.goto(server)
        expect(page.locator(".stage .role b:not(:empty), .st-key-awaits-run").first).to_be_visible()
        unfold(page)
        yield page


def _card(page: Page, words: str) -> Locator:
    return page.get_by_role("radiogroup", name="Models").get_by_role("radio", name=re.compile(words))


def _prompt(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Prompt")


def _write(page: Page, text: str) -> None:
    _prompt(page).fill(text)
    _prompt(page).press("Control+Enter")


def test_two_cards_come_first_and_a_ready_made_prompt_is_in_the_box(opened: Page) -> None:
    """Before everything else in the sidebar: the chat model and the built-in tiny model, which is chosen here; the run on the stage has the
    prompt that is in the box, and nothing is said of it."""
    page = opened
    expect(_card(page, "Chat model, 135 M")).not_to_be_checked()
    expect(_card(page, "Built-in tiny model, 12 M")).to_be_checked()
    first = page.get_by_test_id("stSidebar").get_by_role("heading").first
    expect(first).to_have_text("Models")
    expect(_prompt(page)).to_have_value(first_prompt(ready_prompts()).text)
    expect(page.locator(".manuscript .prompt")).to_have_text(first_prompt(ready_prompts()).text)
    expect(page.locator(".st-key-own-prompt")).to_have_count(0)


def test_a_prompt_of_ones_own_gets_a_quiet_line_and_a_way_to_the_other_model(opened: Page) -> None:
    """For the built-in tiny model the line says what it knows; its button changes to the chat model and keeps the prompt. A ready-made prompt
    makes the line go, and changing back brings the built-in tiny model's own first prompt."""
    page = opened
    line = page.locator(".st-key-own-prompt")
    _write(page, OWN)
    expect(line).to_contain_text("The built-in tiny model knows letters")
    kinds = page.get_by_role("combobox", name=re.compile("Kinds of prompts"))
    expect(kinds, "it is in no category of the ready-made ones").to_have_value("Your own prompt")
    line.get_by_role("button", name=re.compile("^(Get|Use) the chat model$")).click()
    expect(_card(page, "Chat model")).to_be_checked()
    expect(_prompt(page)).to_have_value(OWN)
    page.wait_for_url(re.compile(f"pair={CHAT}"))
    expect(page.get_by_role("button", name="Photosynthesis")).to_be_visible()
    page.get_by_role("button", name="Photosynthesis").click()
    expect(_prompt(page)).to_have_value("What is photosynthesis?")
    _card(page, "Built-in tiny model").check(force=True)
    expect(_prompt(page)).to_have_value(first_prompt(ready_prompts()).text)
    expect(line).to_have_count(0)
    page.wait_for_function("() => !new URLSearchParams(location.search).has('pair')")


def test_nothing_moves_under_the_press_that_leaves_the_prompt(opened: Page) -> None:
    """On a phone Run is below the prompt, which grows with what is typed: it becomes six lines again only a moment after it has lost the
    focus, since a button that moves between press and release is not pressed."""
    page = opened
    page.set_viewport_size({"width": 390, "height": 844})
    _prompt(page).fill("\n".join(["a line"] * 9))
    moved = """box => {
        const below = () => [...document.querySelectorAll("button")].find(each => /Run$/.test(each.innerText.trim())).getBoundingClientRect().y;
        const before = below();
        box.blur();
        return { grown: box.clientHeight > 200, by: below() - before };
    }"""
    assert _prompt(page).evaluate(moved) == {"grown": True, "by": 0}
    page.wait_for_function("() => document.querySelector('textarea[aria-label=Prompt]').clientHeight < 170")
    page.set_viewport_size(KEYNOTE)
    _write(page, first_prompt(ready_prompts()).text)


def test_half_a_character_does_not_cut_the_page_off(opened: Page) -> None:
    """Half of a surrogate pair, as a clipboard can have it, becomes the replacement character: the server could not decode the message, and
    the page would be disconnected for as long as the box has it. A full emoji stays, and the caret is where it was."""
    page = opened
    pasted = """box => {
        Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(box, "half \\ud83d, full \\u{1f389}");
        box.setSelectionRange(6, 6);
        box.dispatchEvent(new Event("input", { bubbles: true }));
        return box.selectionEnd;
    }"""
    assert _prompt(page).evaluate(pasted) == 6
    _prompt(page).press("Control+Enter")
    page.wait_for_function(
        "() => new URLSearchParams(location.search).get('prompt') === 'half \\ufffd, full \\u{1f389}'"
    )
    _write(page, first_prompt(ready_prompts()).text)


def test_what_a_load_says_has_its_room_from_the_beginning(opened: Page) -> None:
    """The longest of it, the loaded pair's figures, fits: a menu that is scrolled to its end would scroll when it becomes shorter, and close its lists."""
    page = opened
    loaded(page)
    room = """box => [box.getBoundingClientRect().height, parseFloat(getComputedStyle(box).minHeight),
        [...box.children].reduce((sum, part) => sum + part.getBoundingClientRect().height, 0)]"""
    height, least, content = page.locator(".st-key-load-status").evaluate(room)
    assert 100 < content <= least == height


def test_more_models_lists_the_others_and_takes_ones_own(opened: Page) -> None:
    """Every other pair with its models, memory and whether it fits; one's own models get two boxes, of which the draft may stay empty. Published heads
    have their targets, size, licence and revision as far as they are known, and "Use the head" fills in both sources."""
    page = opened
    loaded(page)
    page.get_by_role("button", name="More models").click()
    dialog = page.get_by_role("dialog")
    for offer in OFFERS:
        if offer.name != CHAT:
            expect(dialog).to_contain_text(offer.target)
    for head in PUBLIC_HEADS:
        expect(dialog).to_contain_text(f"{head.head} · {head.kind} for {head.target}")
    expect(dialog.get_by_text(re.compile(r"GB of memory: (fits|does not fit) here"))).not_to_have_count(0)
    expect(dialog).to_contain_text("HF_TOKEN")
    expect(dialog).to_contain_text("licence not known offline")
    dialog.get_by_role("button", name="Use the head").first.click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("textbox", name="Target")).to_have_value(PUBLIC_HEADS[0].target)
    expect(page.get_by_role("textbox", name="Trained head")).to_have_value(PUBLIC_HEADS[0].head)
    expect(_card(page, "Your own models")).to_be_checked()
    expect(page).to_have_url(re.compile("[?&]pair=other(&|$)"))
    _card(page, "Built-in tiny model").check(force=True)
    expect(page.get_by_role("textbox", name="Target")).to_have_count(0)


def test_a_link_to_a_pair_that_is_not_here_downloads_nothing(page: Page, server: str) -> None:
    """The pair of the link is chosen and has a button; until it is pressed nothing is loaded."""
    page.goto(f"{server}/?{urlencode({'pair': 'gpt2'})}")
    unfold(page)
    expect(_card(page, "gpt2")).to_be_checked()
    expect(page.get_by_role("button", name=re.compile("^(Download|Load)$"))).to_be_visible()
    expect(page.get_by_text("Not loaded yet")).to_be_visible()


@pytest.mark.parametrize(
    ("wanted", "here", "opens"), [("", True, CHAT), ("", False, EMBEDDED), (EMBEDDED, True, EMBEDDED)]
)
def test_the_pair_that_the_page_opens_with(
    monkeypatch: pytest.MonkeyPatch, wanted: str, here: bool, opens: str
) -> None:
    """The chat model where it is on this machine, unless the environment names another pair."""
    monkeypatch.setenv(OPENING, wanted)
    monkeypatch.setattr(pairs, "chat_is_here", lambda: here)
    assert pairs._first() == opens


def test_the_facts_of_a_pair() -> None:
    """Memory and disk with whether they suffice, licence, token, revision: each in a few words, and only what is known."""
    there = PairStatus("x", "a/b", "", 24_000_000, True, True, "", licence="MIT", revision="0123456789")
    assert facts(there) == ["24 MB of memory: fits here", "licence MIT", "here, revision 0123456"]
    far = PairStatus("x", "a/b", "c/d", 3_400_000_000, False, False, "GPU", token=True, disk=2 * 10**9, disk_free=10**9)
    assert facts(far) == [
        "GPU",
        "3.4 GB of memory: does not fit here",
        "2.0 GB to download, and only 1.0 GB of disk are free",
        "needs a token",
    ]
    packed = PairStatus("x", "a/b", "", 24_000_000, True, True, "", disk=540_000_000, disk_free=10**9)
    assert facts(packed)[1:] == ["0.5 GB to convert", "here"]
