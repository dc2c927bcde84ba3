"""The choice of models as a person meets it: two cards, a quiet line for prompts of one's own, more models."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from app.screens.models import facts
from app.state import pairs
from app.state.pairs import OPENING
from specviz.known_heads import PUBLIC_HEADS
from specviz.known_pairs import CHAT, EMBEDDED, OFFERS, PairStatus
from specviz.reporting.prompts import first_prompt, ready_prompts
from tests.app.conftest import KEYNOTE, choose_example, loaded, unfold

OWN = "Who wrote Hamlet?"


def _card(page: Page, words: str) -> Locator:
    return page.get_by_role("radiogroup", name="Models").get_by_role("radio", name=re.compile(words))


def _write(prompt: Locator, text: str) -> None:
    prompt.fill(text)
    prompt.press("Control+Enter")


_MOVED = """box => {
    const below = () => [...document.querySelectorAll("button")].find(each => /Run$/.test(each.innerText.trim())).getBoundingClientRect().y;
    const before = below();
    box.blur();
    return { grown: box.clientHeight > 200, by: below() - before };
}"""
_HALF_A_CHARACTER = """box => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(box, "half \\ud83d, full \\u{1f389}");
    box.setSelectionRange(6, 6);
    box.dispatchEvent(new Event("input", { bubbles: true }));
    return box.selectionEnd;
}"""
_ROOM = """box => [box.getBoundingClientRect().height, parseFloat(getComputedStyle(box).minHeight),
    [...box.children].reduce((sum, part) => sum + part.getBoundingClientRect().height, 0)]"""


def test_models_are_chosen_and_a_prompt_is_written(page: Page, server: str) -> None:
    """From the card that a visit opens with to other models and back, and to a pair that is not here."""
    page.goto(server)
    expect(page.locator(".stage .role b:not(:empty)").first).to_be_visible()
    unfold(page)
    prompt, line = page.get_by_role("textbox", name="Prompt"), page.locator(".st-key-own-prompt")
    ready = first_prompt(ready_prompts()).text

    # Two cards come first. The run on the stage has the prompt that is in the box, and nothing is said of it.
    expect(_card(page, "Chat model, 135 M")).not_to_be_checked()
    expect(_card(page, "Built-in tiny model, 12 M")).to_be_checked()
    expect(page.get_by_test_id("stSidebar").get_by_role("heading").first).to_have_text("Models")
    expect(prompt).to_have_value(ready)
    expect(page.locator(".manuscript .prompt")).to_have_text(ready)
    expect(line).to_have_count(0)

    # A prompt of one's own: a quiet line says what the tiny model knows, and its button changes to the chat model and keeps the prompt.
    _write(prompt, OWN)
    expect(line).to_contain_text("The built-in tiny model knows letters")
    line.get_by_role("button", name=re.compile("^(Get|Use) the chat model$")).click()
    expect(_card(page, "Chat model")).to_be_checked()
    expect(prompt).to_have_value(OWN)
    page.wait_for_url(re.compile(f"pair={CHAT}"))
    _write(prompt, "A prompt of nobody else")
    page.get_by_role("button", name="Paste a paragraph and say what to change").click()
    edit = next(ready.text for ready in ready_prompts(CHAT) if ready.category == "edits")
    expect(prompt).to_have_value(edit)
    choose_example(page, "Photosynthesis")
    expect(prompt).to_have_value("What is photosynthesis?")
    _card(page, "Built-in tiny model").check(force=True)
    expect(prompt, "the tiny model's own first one").to_have_value(ready)
    expect(line).to_have_count(0)
    page.wait_for_function("() => !new URLSearchParams(location.search).has('pair')")

    # On a phone Run is below the prompt, which grows with what is typed: it shrinks only a moment after it has lost the focus,
    # since a button that moves between press and release is not pressed.
    page.set_viewport_size({"width": 390, "height": 844})
    prompt.fill("\n".join(["a line"] * 9))
    assert prompt.evaluate(_MOVED) == {"grown": True, "by": 0}
    page.wait_for_function("() => document.querySelector('textarea[aria-label=Prompt]').clientHeight < 170")
    page.set_viewport_size(KEYNOTE)

    # Half of a surrogate pair, as a clipboard can have it, becomes the replacement character: the server could not decode the message,
    # and the page would be disconnected. A full emoji stays, and the caret is where it was.
    assert prompt.evaluate(_HALF_A_CHARACTER) == 6
    prompt.press("Control+Enter")
    page.wait_for_function(
        "() => new URLSearchParams(location.search).get('prompt') === 'half \\ufffd, full \\u{1f389}'"
    )

    # The longest of what a load says, the pair's figures, has its room from the beginning: a menu that is scrolled to its end would
    # scroll when it becomes shorter, and close its lists.
    loaded(page)
    height, least, content = page.locator(".st-key-load-status").evaluate(_ROOM)
    assert 100 < content <= least == height

    # Every other pair is listed, and heads with what is known of them; "Use the head" fills in both sources of one's own models.
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

    # The pair of a link that is not here is chosen and has a button; until it is pressed nothing is loaded.
    page.goto(f"{server}/?pair=gpt2")
    unfold(page)
    expect(_card(page, "gpt2")).to_be_checked()
    expect(page.get_by_role("button", name=re.compile("^(Download|Load)$"))).to_be_visible()
    expect(page.get_by_text("Not loaded yet")).to_be_visible()


def test_the_pair_that_the_page_opens_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chat model where it is on this machine, unless the environment names another pair."""
    for wanted, here, opens in (("", True, CHAT), ("", False, EMBEDDED), (EMBEDDED, True, EMBEDDED)):
        monkeypatch.setenv(OPENING, wanted)
        monkeypatch.setattr(pairs, "chat_is_here", lambda here=here: here)
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
