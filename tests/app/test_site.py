"""The built site in a real browser: every page of it, from disk and from a plain file server, and inside a page of another origin."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from specviz.decoding.drafters import registry
from specviz.reporting.player import wording
from specviz.reporting.player.html_page import frame_code
from specviz.site.build import build
from specviz.words import languages
from tests.app.conftest import PATIENCE_MS
from tests.app.lab import serious, until
from tests.helpers.lessons import lessons

BELOW = "below/a/path"
FIRST, CHAPTER = 300_000, 1_000_000
"""The most bytes of the first page, and of a chapter with all that it loads."""
_SETTLED = """async ([hash, name]) => {
    const frames = async (count) => { for (let i = 0; i < count; i += 1) await new Promise(requestAnimationFrame); };
    location.hash = hash;
    const until = performance.now() + 100_000;
    while (performance.now() < until) {
        await frames(1);
        const part = document.querySelector("main .part");
        const filled = part ? part.shadowRoot?.lastElementChild?.childElementCount : document.querySelector("main :is(h1, .learn-problem)");
        if (filled && document.querySelector(`main .${name}-page`)) break;
    }
    await frames(1);
    return [...document.querySelectorAll("main .learn-problem")].map((each) => each.textContent);
}"""
_WALK = """async ([address, title, lights]) => {
    const read = (number) => {
        const root = document.querySelector("main .learn")?.shadowRoot;
        const steps = root?.querySelector(".learn-steps");
        const lit = [...(root?.querySelectorAll(".stage [data-lit]") ?? [])].map((each) => each.className.split(" ")[0]);
        const there = root?.querySelector(".learn-title")?.textContent === title && Number(steps?.value) === number;
        return { there, pages: Number(steps?.max), words: root?.querySelector(".learn-words")?.textContent.trim().length, lit: lit.join(" ") };
    };
    const found = [];
    for (let number = 1; number <= lights.length; number += 1) {
        location.hash = `${address}/${number}`;
        const until = performance.now() + 20_000;
        const done = ({ there, words, lit }) => there && words && (lit || !lights[number - 1]);
        while (performance.now() < until && !done(read(number))) await new Promise(requestAnimationFrame);
        for (let frame = 0; frame < (lights[number - 1] ? 4 : 1); frame += 1) await new Promise(requestAnimationFrame);  // the stage lights what is new a frame later
        found.push(read(number));
    }
    return found;
}"""
"""Opens every page of a chapter by its own address: whether it is the chapter's in its language, and what is lit on the stage."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site in a folder below others, as a static host has it."""
    folder = tmp_path_factory.mktemp("site") / BELOW
    assert build(folder) == []
    return folder


@pytest.fixture(scope="module")
def served(built: Path) -> Iterator[str]:
    with serving(Path(str(built).removesuffix(BELOW))) as home:
        yield f"{home}{BELOW}/index.html"


class _Visit:
    """A page of the site, with what went wrong on it and what it loaded."""

    def __init__(self, browser: Browser, address: str, **context: Any) -> None:
        self.page: Page = browser.new_context(
            reduced_motion="reduce", locale="en-GB", viewport={"width": 900, "height": 600}, **context
        ).new_page()
        self.wrong: list[str] = []
        self.loaded: set[str] = set()
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on(
            "console", lambda said: self.wrong.append(said.text) if said.type in ("error", "warning") else None
        )
        self.page.on("requestfailed", lambda request: self.wrong.append(request.url))
        self.page.on("request", lambda request: self.loaded.add(request.url))
        self.address = address
        self.page.goto(address)

    def go(self, hash_: str) -> None:
        """Follow an address of the site; a sentence on the page that it is not there counts as wrong."""
        name = next((part for part in hash_.removeprefix("#").split("/") if len(part) > 2), "front")
        self.wrong += self.page.evaluate(_SETTLED, [hash_, name])

    def close(self) -> None:
        """Nothing went wrong, and every request stayed within the site's own folder."""
        home = self.address.partition("#")[0].rpartition("/")[0]
        outside = [url for url in self.loaded if not url.startswith((home, "data:"))]
        self.page.context.close()
        assert self.wrong == []
        assert outside == []


def _data(built: Path, name: str) -> Any:
    file = next(
        file for file in (built / "data").glob(f"{name}-*.js") if re.fullmatch(rf"{name}-[0-9a-f]{{10}}\.js", file.name)
    )
    return json.loads(file.read_text(encoding="utf-8").partition(",")[2].rstrip().removesuffix(");"))


def test_every_step_from_disk_lights_what_it_names(browser: Browser, built: Path) -> None:
    """From disk every page of chapters of every kind of picture opens by its own address, and one of them in every language: its title is in that language, and a step
    that lights something lights it; no error, no request elsewhere. A translation shows what the English step shows, each of its places and parts."""
    visit = _Visit(browser, (built / "index.html").as_uri())
    dark = []
    english = {lesson.name: lesson for lesson in lessons()}
    for lesson in (each for language in languages() for each in lessons(language)):
        same = english[lesson.name]
        shown = [[(step.picture, step.place) for step in each.steps] for each in (lesson, same)]
        assert shown[0] == shown[1], (lesson.name, lesson.language)
        if lesson.name != "editor" and (lesson is not same or lesson.name not in ("rule", "heads")):
            continue
        lights = [step.picture == "stage" and bool(step.place.lit) for step in lesson.steps]
        lights += [False] * (len(lesson.questions) + 1)
        visit.go(f"#/{lesson.language}/learn")
        found = visit.page.evaluate(_WALK, [f"#/{lesson.language}/learn/{lesson.name}", lesson.title, lights])
        for number, page in enumerate(found, start=1):
            sound = page["there"] and page["words"] and page["pages"] == len(lights)
            if not sound or (lights[number - 1] and not page["lit"]):
                dark.append((lesson.name, lesson.language, number, page))
    visit.close()
    assert dark == []
    assert {language: len(lessons(language)) for language in languages()} == dict.fromkeys(languages(), 10)


def test_every_page_of_a_static_host_opens(browser: Browser, built: Path, served: str) -> None:
    """Below a path of a plain file server every third run, race, pair of the zoo and every link of every page leads somewhere. The first page is below 300 kB and
    complete without the parts of other pages."""
    visit = _Visit(browser, served)
    visit.go("#/")
    assert sum(_bytes(built, url.partition(f"{BELOW}/")[2]) for url in visit.loaded) < FIRST
    entries, zoo = _data(built, "gallery"), _data(built, "zoo-en")
    raced = [each for each in entries if len(each["lanes"]) > 1]
    pages = [
        "#/",
        "#/learn",
        "#/learn/glossary",
        "#/learn/disagree/3",
        "#/runs",
        "#/race",
        "#/teach",
        "#/de/learn",
        "#/de/learn/editor/4",
    ]
    pages += [f"#/runs/{each['name']}/1/verified" for each in entries[::3]]
    pages += [f"#/race/{each['name']}" for each in {one["group"]: one for one in raced}.values()]
    pages += [f"#/zoo/{number}" for number in range(1, len(zoo) + 1, 18)]
    links: set[str] = set()
    for page in pages:
        visit.go(page)
        links |= set(
            visit.page.eval_on_selector_all("a[href^='#']", "links => links.map((link) => link.getAttribute('href'))")
        )
    for link in sorted(links - set(pages) - {"#/zoo"}):
        if not re.match(r"#/(?:runs|race)/", link):
            visit.go(link)
    visit.close()
    without = {
        "dflash",
        "suffix-model",
        "suffix-eagle",
    }  # no head of the first is here; the others are shown by one that copies and grows trees
    every = {wording.label(name) for name in registry.names() if name not in without}
    assert every == {each["drafter"] for each in entries} - {""}
    assert len({each["target"] for each in entries}) == 2


@pytest.mark.slow
def test_a_chapter_is_small(built: Path) -> None:
    """With all that it loads it is below a megabyte."""
    known = json.loads(re.findall(r'id="site">(.*?)</script>', (built / "index.html").read_text(encoding="utf-8"))[0])
    frame = [
        "index.html",
        *(f"files/{file.name}" for file in (built / "files").glob("site-*")),
        known["styles"]["learn"],
    ]
    for lesson in lessons():
        own = ["words-en", "learn-en", "given", "part-learn", f"lesson-{lesson.name}-en"]
        own += [view["recording"] for view in _data(built, f"lesson-{lesson.name}-en")["views"].values()]
        assert sum(_bytes(built, name) for name in [*frame, *(known["loads"][each] for each in own)]) < CHAPTER, (
            lesson.name
        )


def _bytes(built: Path, name: str) -> int:
    return (built / name).stat().st_size


def test_a_frame_in_another_page_resizes_and_stays_inside(browser: Browser, served: str, tmp_path: Path) -> None:
    """In a page of another origin the code of a frame shows a moment without menu, becomes as high as the page in it, cannot reach the page
    around it, and keeps its keys."""
    host = tmp_path / "host.html"
    address = f"{served}?embed=1#/runs/letter/3/judged"
    host.write_text(f"<!doctype html><title>A blog</title><p>Before</p>{frame_code(address, 'A run')}<p>After</p>")
    page = browser.new_context(reduced_motion="reduce", viewport={"width": 900, "height": 700}).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(host.as_uri())
    page.evaluate("window.heard = []; addEventListener('keydown', (event) => heard.push(event.key))")
    frame = page.frame_locator("iframe")
    frame.get_by_text("Round 3 of 10").wait_for()
    expect(frame.locator("header")).to_have_count(0)
    page.wait_for_function("document.querySelector('iframe').style.height.endsWith('px')")
    height = "document.querySelector('iframe').getBoundingClientRect().height"
    inner = next(each for each in page.frames if "embed=1" in each.url)
    assert until(
        page, lambda: page.evaluate(height) == inner.evaluate("Math.ceil(document.body.getBoundingClientRect().height)")
    )
    assert 400 < page.evaluate(height) < 900, "it does not follow its own height"
    reached = inner.evaluate("(() => { try { return parent.document.title; } catch { return null; } })()")
    assert reached is None
    frame.locator(".stage").focus()
    page.keyboard.press("Home")
    frame.get_by_text("Round 1 of 10").wait_for()
    assert page.evaluate("heard") == []
    page.context.close()


def test_runs_race_game_and_addresses_of_any_name(browser: Browser, served: str, built: Path) -> None:
    """An address that is the name of an object's own method is one that is not there, also as the first; so are an unknown page and run. The gallery finds
    by drafter and by word; a guess in the zoo is answered; runs that were recorded at different times compare no seconds. A title with signs of a
    replacement stays whole in the code of a frame; a late chapter does not take the page of a newer address. No page is wider than a small phone."""
    visit = _Visit(browser, f"{served}#/constructor")
    page = visit.page
    expect(page.locator(".learn-problem")).to_contain_text("constructor")
    visit.go("#/runs")
    page.get_by_label("Drafter").select_option("n-gram lookup")
    expect(page.locator(".cards .by").first).to_contain_text("n-gram lookup")
    page.get_by_label("Search").fill("letter")
    expect(page.locator(".cards > li")).to_have_count(1)
    page.get_by_label("Search").fill("<b>")
    expect(page.get_by_role("status")).to_have_text("No run has all of that: choose less.")
    visit.go("#/zoo/2")
    page.get_by_role("button", name="The left one").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("of 1 right so far")
    expect(page.get_by_role("link", name="Another pair")).to_be_focused()
    visit.go("#/learn/word/5")
    page.get_by_role("button", name="Share").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("textarea").last).to_have_value(re.compile(r"embed=1#/learn/word/5"))
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # as on http:// of a network
    dialog.get_by_role("button", name="Copy").first.click()
    expect(dialog.locator("button").filter(has_text=re.compile("Selected: copy it with|Copied"))).to_have_count(1)
    page.keyboard.press("Escape")
    visit.go("#/nowhere")
    assert visit.wrong.pop() == "There is no page “nowhere” here."
    visit.go("#/runs/none")
    assert visit.wrong.pop() == "There is no run “none” here."
    visit.go("#/learn/toString")
    expect(page.get_by_text("There is no page “toString” here.")).to_be_visible()
    visit.go("#/runs/letter/3/constructor")
    expect(page).to_have_title(re.compile("A letter"))
    page.evaluate('document.title = "US$$ $\' 5"')
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("dialog").locator("textarea").last).to_have_value(re.compile(r"US\$\$ \$' 5"))
    page.keyboard.press("Escape")
    visit.go("#/learn")
    page.evaluate("location.hash = '#/learn/editor'; setTimeout(() => { location.hash = '#/learn'; }, 0)")
    page.wait_for_timeout(1500)
    assert page.evaluate("document.querySelector('main .learn').shadowRoot.querySelector('.learn-lesson').hidden")
    pair = next(
        (one["name"], other["name"])
        for one in _data(built, "gallery")
        for other in _data(built, "gallery")
        if one is not other and one["group"] == other["group"] and all(len(each["lanes"]) > 1 for each in (one, other))
    )
    visit.go(f"#/race/{'/'.join(pair)}")
    expect(page.get_by_text("recorded in another sitting").first).to_be_visible()

    # Of 320 pixels, with letters and words as far apart as somebody may set them: nothing but a table of figures scrolls sideways.
    page.set_viewport_size({"width": 320, "height": 640})
    spaced = "* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important; }"
    adopt = (
        "css => { const sheet = new CSSStyleSheet(); sheet.replaceSync(css); document.adoptedStyleSheets = [sheet]; }"
    )
    page.evaluate(adopt, spaced)
    wide = "document.documentElement.scrollWidth - innerWidth"
    over = {}
    for route in ("#/", "#/runs", "#/zoo/2", "#/teach", "#/de/teach", "#/es/teach"):
        visit.go(route)
        over[route] = page.evaluate(wide)
    assert over == dict.fromkeys(over, 0)
    visit.close()


@pytest.mark.accessibility
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Browser, served: str, scheme: Literal["light", "dark"]) -> None:
    """Every kind of page, in every language."""
    visit = _Visit(browser, served)
    visit.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for language in languages():
        for kind in ("", "learn/editor/1", "learn/heads/1", "runs", "runs/letter", "race", "zoo/1", "teach"):
            visit.go(f"#/{language}/{kind}")
            assert serious(visit.page) == [], (language, kind)
    visit.page.context.close()  # axe-core's own styles are refused by the page's policy, and noted as wrong


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a folder, with a slash at its end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
