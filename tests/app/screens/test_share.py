"""Save, open and export in a real browser; and whatever a token says, it stays text."""

import random
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from specviz.reporting.gallery import read_entry
from specviz.reporting.player.html_page import page as exported
from specviz.trace.files import dumps, loads, read_file
from specviz.trace.records import TokenBytes, Trace
from tests.app.conftest import loaded, person, rests, shown_as, stop_button, to_the_end, visit
from tests.app.lab import written
from tests.app.pressing import downloaded
from tests.helpers.fuzz import HOSTILE, TRACES, mutants, reading
from tests.helpers.fuzz_drawing import drawing_problems, page_problems

CAPITAL = TRACES / "capital.json"
COFFEE = TRACES / "coffee.json"
FIRST, FIRST_NAME = TRACES / "mongolia.json", "question-what-is-the-capital-of"
"""The recording that the page begins with, and the name under which it is saved."""
MARKUP = "img, script, iframe, a, b:not(.role b, b.mark, .duel-lanes b, .recut-bars b), link, object"
BAD_FILES = (
    (b"\xff\xfe\x00", "not valid JSON"),
    (b'{"schema": "![x](http://198.51.100.1/p.png) <img src=x>"}', "'![x](http://198.51.100.1/p.png) <img..."),
)
"""Files that are no recordings, and what the page says of each; never the sentence of the file before it."""


def _menu(page: Page) -> Locator:
    menu, button = page.get_by_test_id("stPopoverBody"), page.get_by_role("button", name="Save and share")
    expect(menu).to_have_count(0)
    button.click()
    expect(menu.get_by_role("button", name="Upload", exact=True)).to_be_visible()
    return menu


def _close(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)


def _upload(page: Page, name: str, content: bytes) -> None:
    rests(page)
    _menu(page)
    rests(page)
    file = Path(tempfile.mkdtemp()) / name
    file.write_bytes(content)
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(file)


def _saved(page: Page, folder: Path) -> Path:
    """The recording on the stage, as a file."""
    rests(page)
    menu = _menu(page)
    rests(page)
    download = downloaded(page, menu.get_by_role("button", name="Save recording"))
    path = folder / download.suggested_filename
    download.save_as(path)
    _close(page)
    return path


def test_recordings_and_runs_are_saved_and_opened(
    page: Page, server: str, hostile: tuple[Trace, ...], tmp_path: Path
) -> None:
    """On one page, from the recording with which it opens to a run of one's own that is stopped."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    visit(page, server, max_new_tokens=900, temperature=2, k=16)
    loaded(page)
    note, alert = page.locator(".stage .note"), page.get_by_role("alert")

    # What is on the stage is saved under its prompt's words, and is the recording itself.
    file = _saved(page, tmp_path)
    assert file.name == f"{FIRST_NAME}.json"
    assert read_file(file) == read_file(FIRST)

    # A file that is no recording gets one sentence, a huge one is refused by the page itself; the stage stays as it was.
    to_the_end(page)
    before = written(page)
    for content, says in BAD_FILES:
        _upload(page, "bad.json", content)
        expect(alert.filter(has_text=shown_as(says))).to_have_count(1)
        expect(alert).to_have_count(1)
        expect(page.get_by_text("Traceback")).to_have_count(0)
        assert written(page) == before
        _close(page)
    _upload(page, "endless.json", b"x" * 20_100_000)
    expect(page.get_by_text("File must be 20.0MB or smaller")).to_be_visible()
    assert written(page) == before
    _close(page)

    # One full of markup, scripts, control characters and endless words opens as the text that it is.
    _upload(page, f"{HOSTILE[0]}.json", dumps(hostile).encode())
    expect(note).to_contain_text("Opened from <img src=x onerror=")
    expect(alert).to_have_count(0)
    to_the_end(page)
    expect(page.locator(".end-card")).to_be_visible()
    assert page.locator(".stage").locator(MARKUP).count() == 0
    assert page.evaluate("window.hacked") is None
    assert all(text in written(page) for text in HOSTILE[:3])
    assert not [url for url in asked if "198.51.100.1" in url]

    # A recording of the project plays at once. The menu gives the code of a frame, and a file for a site's gallery.
    menu = _menu(page)
    menu.get_by_role("combobox").click()
    offered = page.get_by_role("option")
    expect(offered).to_have_count(len(list(TRACES.iterdir())))
    offered.filter(has_text="An iced coffee").click()
    expect(page.locator(".manuscript .prompt")).to_contain_text("iced coffee")
    expect(note).to_contain_text("A real run, recorded earlier")
    expect(page.locator(".title")).to_be_hidden()
    expect(page.get_by_role("button", name="Pause (space)")).to_be_visible()
    expect(menu).to_have_count(0)
    _menu(page)
    menu.get_by_text("In another page").click()
    expect(menu.locator("code", has_text="/verified")).to_be_visible()
    menu.get_by_text("Add to a gallery file").click()
    menu.get_by_label("Title").fill("A city")
    menu.get_by_label("What to look for").fill("Its name is rejected.")
    menu.get_by_label("Kind of text").fill("facts")
    menu.get_by_label("Kind of text").press("Enter")
    page.wait_for_timeout(300)  # until the page's script has begun
    rests(page)
    button = menu.get_by_role("button", name="Save the gallery file")
    expect(button).to_be_enabled()
    downloaded(page, button).save_as(tmp_path / "a-city.json")
    entry = read_entry(tmp_path / "a-city.json")
    assert (entry.title, entry.kind, entry.shows) == ("A city", "facts", "Its name is rejected.")
    _close(page)

    # The opened recording brought its prompt. A run takes its place; it is saved when it is over or stopped, not before.
    prompt = page.get_by_role("textbox", name="Prompt")
    expect(prompt).to_have_value(read_file(COFFEE)[0].prompt)
    prompt.fill("Once upon a time")
    prompt.press("Control+Enter")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".guess.typed").first).to_be_visible()
    expect(page.locator(".manuscript .prompt")).to_have_text("Once upon a time")
    _menu(page)  # amid a run a busy machine's page may not rest once
    expect(menu.get_by_role("button", name="Save recording")).to_be_disabled()
    expect(menu.get_by_text("when the run is over, or stopped")).to_be_visible()
    _close(page)
    stop_button(page).click()
    expect(note).to_contain_text("Stopped")
    expect(stop_button(page)).to_have_count(0)
    to_the_end(page)
    before = written(page)
    file = _saved(page, tmp_path)
    (trace,) = read_file(file)
    assert trace.stop.value == "cancelled"
    assert 0 < len(trace.token_ids) < 900
    assert before == trace.prompt + trace.text
    _upload(page, file.name, file.read_bytes())
    expect(note).to_contain_text("Opened from once-upon-a-time.json. Stopped")
    to_the_end(page)
    assert written(page) == before


@pytest.fixture(scope="module")
def hostile() -> tuple[Trace, ...]:
    """A real recording whose every token, name and prompt says something it should not be able to do."""
    texts = [*(text.encode() for text in HOSTILE), b"\xf0\x9f", b"\x98\x80", b"\xff", b""]

    def odd(trace: Trace) -> Trace:
        drafted = [each.token for round_ in trace.rounds for each in round_.drafted]
        ids = dict.fromkeys([*trace.token_ids, *drafted, *trace.tokens])
        tokens = {token: TokenBytes(texts[index % len(texts)]) for index, token in enumerate(ids)}
        target = replace(trace.card.target, name=HOSTILE[1])
        card = replace(trace.card, dtype=HOSTILE[1], device=HOSTILE[0], target=target)
        return replace(trace, prompt=HOSTILE[0], card=card, tokens=tokens)

    found = tuple(odd(trace) for trace in read_file(COFFEE))
    assert loads(dumps(found)) == found
    return found


@pytest.fixture
def offline(browser: Browser) -> Iterator[Page]:
    """A page of a browser without a network, that fails the test for any error, message or request."""
    trouble: list[str] = []
    with person(browser, offline=True, reduced_motion="no-preference") as page:
        page.on("console", lambda message: trouble.append(message.text))
        page.on("request", lambda request: trouble.append(request.url) if not request.url.startswith("file:") else None)
        yield page
    assert not trouble, trouble


def _open_file(page: Page, folder: Path) -> None:
    """A page that was made of a recording."""
    file = folder / "page.html"
    file.write_text(exported(read_file(CAPITAL), "A real run, recorded earlier"), encoding="utf-8")
    page.goto(file.as_uri())
    expect(page.locator(".stage .note")).to_be_visible()


def test_an_exported_page_plays_from_disk(offline: Page, tmp_path: Path) -> None:
    """Opened from disk without a network it waits on its title, then plays, and says at its end how the run ended. Keys go round by round wherever the
    focus is, space plays and pauses, and it is light or dark as the reader's system is."""
    _open_file(offline, tmp_path)
    expect(offline.locator(".title-line")).to_have_text(
        ["The large model alone: 26 passes. ", "With a small draft model: 6. "]
    )
    offline.locator(".title").get_by_role("button", name="Play").click()
    expect(offline.locator(".guess.typed").first).to_be_visible()
    offline.locator(".pace").select_option("real")
    trace = read_file(CAPITAL)[0]
    expect(offline.locator(".caption")).to_contain_text("Plain decoding wrote the same, token for token.")
    assert written(offline) == trace.prompt + trace.text
    expect(offline.locator(".stage .note")).to_have_text("A real run, recorded earlier.")
    expect(offline.locator(".made")).to_contain_text("Target embedded/target (")
    offline.keyboard.press("Home")
    for number in (1, 2):
        offline.keyboard.press("ArrowRight")
        expect(offline.locator(".round-name")).to_contain_text(f"Round {number} of")
    offline.locator(".pace").select_option(label="Slow")  # at real time the run is over before anybody sees it play
    offline.locator(".stage").focus()
    for name in ("Pause (space)", "Play (space)"):
        offline.keyboard.press(" ")
        expect(offline.get_by_role("button", name=name)).to_be_visible()
    expect(offline.locator(".stage")).to_have_attribute("data-theme", "light")
    expect(offline.locator("body")).to_have_css("background-color", "rgb(251, 250, 247)")
    offline.emulate_media(color_scheme="dark")
    expect(offline.locator(".stage")).to_have_attribute("data-theme", "dark")
    expect(offline.locator("body")).to_have_css("background-color", "rgb(18, 21, 28)")


def test_the_policy_stops_what_is_not_its_own(blank: Page, tmp_path: Path) -> None:
    """Even code on the page could neither turn text into markup, nor run another script, nor ask a network for anything."""
    _open_file(blank, tmp_path)
    tried: dict[str, str] = blank.evaluate(
        """async () => {
            const said = {};
            try { document.body.innerHTML = "<b>x</b>"; said.markup = "let in"; } catch (error) { said.markup = error.name; }
            try { const s = document.createElement("script"); s.textContent = "window.hacked = 1"; document.body.append(s); } catch (error) { said.script = error.name; }
            try { await fetch("http://198.51.100.1/"); said.network = "let in"; } catch (error) { said.network = error.name; }
            const image = new Image();
            said.image = await new Promise((done) => { image.onload = () => done("let in"); image.onerror = () => done("refused");
                image.src = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="; });
            return { ...said, hacked: String(window.hacked) };
        }"""
    )
    assert tried["markup"] == "TypeError"
    assert tried["network"] == "TypeError"
    assert tried["image"] == "refused"
    assert tried["hacked"] == "undefined"


def test_whatever_loads_can_be_drawn(browser: Browser, hostile: tuple[Trace, ...], tmp_path: Path) -> None:
    """A hostile recording, and of the damaged ones those that still load: each is drawn at any moment and exported, without an error and without a
    word that becomes markup."""
    read = [traces for traces in map(reading, mutants(21, 24)) if traces]
    assert len(read) >= 4
    assert drawing_problems(browser, [hostile, *read[:4]]) == []
    assert page_problems(browser, [hostile, *read[:2]], tmp_path) == []


@pytest.mark.rare
def test_of_ten_thousand_damaged_recordings_whatever_loads_can_be_drawn(browser: Browser, tmp_path: Path) -> None:
    """From another seed each time, which a failure names; `reading` raises where the loader fails otherwise than in one sentence."""
    seed = random.SystemRandom().randrange(2**32)
    read = []
    for number, content in enumerate(mutants(seed, 10_000)):
        try:
            read.append(reading(content))
        except Exception as error:
            raise AssertionError(f"mutant {number} of seed {seed}") from error
    drawn = random.Random(seed).sample([traces for traces in read if traces], 200)  # noqa: S311  # nothing here is secret
    assert drawing_problems(browser, drawn) == [], seed
    assert page_problems(browser, drawn[::2], tmp_path) == [], seed
