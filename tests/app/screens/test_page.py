"""The page as a person meets it: a real server, the real embedded pair, a real browser."""

import re
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Locator, Page, expect

from tests.app.conftest import PROMPT, choose_example, loaded, person, rests, shown_as, stop_button, to_the_end, visit
from tests.app.lab import tooltips, until, written
from tests.app.pressing import downloaded
from tests.app.screens.test_markdown import LIVE

_CONTROLS = """() => { // what a reader can press, choose or type in without opening anything
    const within = (root) => [...root.querySelectorAll("*")].flatMap((part) =>
        [part, ...(part.shadowRoot ? within(part.shadowRoot) : [])]);
    return within(document)
        .filter((part) => part.matches("button, select, input, textarea, a[href], summary") &&
            part.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && part.getBoundingClientRect().width > 1)
        .map((part) => part.getAttribute("aria-label") || part.textContent.trim());
}"""


def test_the_first_screen_before_any_model(page: Page, server: str) -> None:
    """A title over a recording, which plays; few controls; all of it in view on a keynote's screen and on a phone."""
    fetched: list[str] = []
    sent: list[bytes] = []
    errors: list[str] = []
    page.on("response", lambda answer: fetched.append(urlsplit(answer.url).path))
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sent.append(_as_bytes(frame))))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    visit(page, server)
    expect(page.locator(".stage .note")).to_contain_text("A real run, recorded earlier")
    expect(page.get_by_role("dialog")).to_have_count(0)
    title = page.locator(".title")
    expect(title.locator(".title-line")).to_have_text(
        ["The large model alone: 32 passes. ", "With a small draft model: 7. "]
    )
    expect(page.locator(".guess.typed")).to_have_count(0)
    title.get_by_role("button", name="Play").click()
    expect(title).to_be_hidden()
    expect(page.locator(".guess.rejected, .guess.accepted").first).to_be_visible()
    controls = page.evaluate(_CONTROLS)
    assert 15 < len(controls) <= 32, controls
    assert not tooltips(page)
    assert errors == [], "such as for a server that is looked for below `/lab`"

    # The player's script has an address with its hash, and travels with no message of the page.
    scripts = [path for path in fetched if "/files/" in path and path.endswith(".js")]
    assert {re.sub(r".*/files/([a-z]+)-[0-9a-f]{16}\.js$", r"\1", each) for each in scripts} == {"player"}
    assert b"MONGOLIA" in b"".join(sent).upper(), "what the player shows has been sent"
    assert not any(b"manuscript" in frame for frame in sent), "and the script has not"

    # The whole stage is in view, also below the line on a prompt of one's own.
    transport = page.locator(".transport")
    assert until(page, lambda: transport.evaluate("e => e.getBoundingClientRect().bottom") <= 760)
    page.get_by_role("textbox", name="Prompt").fill("Who wrote Hamlet?")
    page.get_by_role("textbox", name="Prompt").press("Control+Enter")
    expect(page.locator(".st-key-own-prompt")).to_be_visible()
    assert until(page, lambda: transport.evaluate("e => e.getBoundingClientRect().bottom") <= 760)

    # On a phone nothing sticks out, and the stage is no taller than what is left of the screen.
    page.set_viewport_size({"width": 390, "height": 844})
    assert until(page, lambda: page.evaluate("document.documentElement.scrollWidth") <= 390)
    row = page.locator(".st-key-ready-prompts .stHorizontalBlock").first
    assert until(page, lambda: row.evaluate("e => e.getBoundingClientRect().height") < 60)
    for name in ("Learn", "Watch", "Race", "Compare", "Audit"):
        expect(page.locator(".st-key-screens").get_by_role("link", name=name, exact=True)).to_be_in_viewport()
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
    tall = """stage => stage.querySelector(".transport").getBoundingClientRect().bottom - stage.querySelector(".head").getBoundingClientRect().top"""
    assert until(page, lambda: page.locator(".stage").evaluate(tall) <= 844 - 60)
    assert until(page, lambda: page.locator(".stage").evaluate("e => e.scrollWidth <= e.clientWidth"))


def _as_bytes(frame: str | bytes) -> bytes:
    return frame if isinstance(frame, bytes) else frame.encode()


def _to_the_end_of_the_recording(page: Page) -> None:
    """Wait for the full recording; there is no Stop before a run begins, either."""
    compared = page.locator(".caption").filter(has_text="Plain decoding wrote")
    for _ in range(60):
        expect(stop_button(page)).to_have_count(0)
        page.wait_for_timeout(1_000)  # the page settles once more when the last of the repeated runs is in
        to_the_end(page)
        if compared.count():
            break


def test_a_run_writes_what_the_target_alone_would(
    page: Page, browser: Browser, server: str, own_text: str, tmp_path: Path
) -> None:
    """Type a prompt, press Run: the text on the page is the library's plain text, every token with its origin, and the page says so. No other host
    is asked for anything."""
    hosts: set[str | None] = set()
    page.on("request", lambda request: hosts.add(urlsplit(request.url).hostname if "://" in request.url else None))
    visit(page, server, prompt=PROMPT)
    loaded(page)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".guess.typed").first).to_be_visible()
    _to_the_end_of_the_recording(page)
    assert written(page) == own_text
    kinds = page.locator(".manuscript .token").evaluate_all("spans => spans.map(s => s.className.split(' ')[1])")
    assert {"accepted", "corrected"} <= set(kinds) <= {"accepted", "corrected", "bonus"}
    expect(page.locator(".figure.speedup")).to_have_attribute("data-note", re.compile("measured on this prompt"))
    expect(page.locator(".figure.speedup .small")).to_contain_text(
        re.compile("measured|slower than plain|median|lower|once|busy|agree|possible")
    )
    expect(page.locator(".caption")).to_contain_text("Plain decoding wrote the same, token for token.")

    # Saved as a page it has the same text and the same figures, without a network.
    page.get_by_role("button", name="Save and share").click()
    download = downloaded(page, page.get_by_test_id("stPopoverBody").get_by_role("button", name="Save as a page"))
    download.save_as(tmp_path / "run.html")
    page.keyboard.press("Escape")
    to_the_end(page)
    with person(browser, offline=True) as offline:
        offline.goto((tmp_path / "run.html").as_uri())
        expect(offline.locator(".stage .note")).to_have_text("A real run, recorded with specviz.")
        to_the_end(offline)
        assert written(offline) == own_text
        for figure in ("speedup", "rate", "perPass", "accepted"):
            line = f".figure.{figure} .line"
            assert offline.locator(line).inner_text() == page.locator(line).inner_text()

    # A rerun of the page leaves the player where it stands.
    page.locator(".pace").select_option("lesson")
    page.locator(".stage").focus()
    page.keyboard.press("Home")
    expect(page.locator(".scrubber")).to_have_js_property("value", "0")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".round-name")).to_contain_text("Round 1 of")
    expect(page.locator(".transport .play")).to_have_attribute("aria-label", "Play (space)")  # the round is drawn
    before = written(page)
    choose_example(page, "A question")
    expect(page.get_by_role("textbox", name="Prompt")).to_have_value(re.compile("Mongolia"))
    assert written(page) == before
    assert hosts - {None} == {"localhost"}

    # After k the keys are those of the draft length's slider, and the stage's again at once after Escape closes it.
    length = page.get_by_role("slider", name="Draft length k")
    page.locator(".stage").focus()
    page.keyboard.press("k")
    expect(length).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".round-name")).to_contain_text("Round 1 of")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".round-name")).to_contain_text("Round 2 of")
    expect(length).to_be_hidden()


def test_the_address_has_the_names_and_the_page_the_labels(page: Page, server: str) -> None:
    """A choice is in the address, which opens again as it was: after a reload, and back and forward in the browser's history."""

    def shown(k: int) -> None:
        expect(page.get_by_role("button", name=f"k = {k}", exact=True)).to_be_visible()
        expect(page).to_have_url(re.compile(rf"[?&]k={k}\b"))
        for label, words in (("Drafter", "early exit"), ("When a draft stops", "adapts to cost")):
            picker = page.get_by_test_id("stSidebar").get_by_role(
                "combobox", name=re.compile(label), include_hidden=True
            )
            expect(picker).to_have_value(re.compile(f"^{words}"))
        expect(page).to_have_url(re.compile(r"drafter=early-exit&.*policy=cost|policy=cost&.*drafter=early-exit"))
        rests(page)

    visit(page, server, drafter="early-exit", policy="cost", k=5)
    loaded(page)
    shown(5)
    page.get_by_role("button", name="k = 5", exact=True).click()
    page.get_by_role("slider", name="Draft length k").press("ArrowLeft")
    page.keyboard.press("Escape")
    shown(4)
    page.reload()
    shown(4)
    page.go_back()
    shown(5)
    page.wait_for_timeout(500)
    page.go_forward()
    shown(4)


def test_a_link_cannot_bring_markdown_in(page: Page, server: str) -> None:
    """What a link or a model says is shown as it is: no link, no icon, no image, no outside request. What only the engine finds wrong, such as this name,
    gets one sentence, no traceback, and the page goes on working."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    hostile = "![x](http://198.51.100.1/p.png)"
    odd = dict(zip(("drafter", "policy", "rule", "dtype", "rival", "section", "children"), LIVE, strict=True))
    visit(page, server, prompt=PROMPT, pair="other", target=hostile, draft="a", **odd)
    said = page.get_by_test_id("stAlertContainer").filter(has_text="evil.example")
    expect(said).to_contain_text("material/delete")
    expect(said.locator("a")).to_have_count(0)
    expect(said.get_by_text("delete", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text=shown_as(hostile)).first).to_be_visible()
    expect(page.get_by_text("Traceback")).to_have_count(0)
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled()
    assert not [url for url in asked if "198.51.100.1" in url.split("?")[0]]


def test_the_keyboard_is_never_lost(page: Page, server: str) -> None:
    """The focus goes into what a key opens and comes back with Escape; where the page takes away what had it, it goes to what came in its place. Each
    screen has a title and a heading with its name."""
    visit(page, server)
    loaded(page)
    menu, stage = page.get_by_test_id("stPopoverBody"), page.locator(".stage:focus")

    def enter(name: str) -> Locator:
        button = page.get_by_role("button", name=name)
        button.press("Enter")
        return button

    expect(page).to_have_title("Watch · specviz")
    expect(page.get_by_role("heading", name="Watch", level=1)).to_be_attached()
    for name in ("Save and share", "Example prompts"):
        opener = enter(name)
        expect(menu.locator(":focus")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(opener).to_be_focused()
    enter("Models and settings")
    expect(page.get_by_test_id("stSidebar").locator(":focus")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Models and settings")).to_be_focused()
    enter("Teach")
    expect(stage).to_have_count(1)
    enter("Room")
    expect(menu.locator(":focus")).to_have_text(re.compile("Open a room"))
    page.keyboard.press("Enter")
    expect(menu.locator(":focus")).to_have_text(re.compile("Large code"))
    page.keyboard.press("Escape")
    enter("Leave")
    expect(stage).to_have_count(1)
    page.goto(f"{server}/audit")
    enter("The left one is broken")
    expect(page.get_by_role("button", name="Another pair")).to_be_focused()
