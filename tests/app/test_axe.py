"""axe-core on the screens of a server, in both themes: `make rare PARTS=accessibility`. The pictures' own files examine the pictures, and the lanes of a race."""

from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.app.conftest import loaded, rests, unfold
from tests.app.lab import serious
from tests.helpers.lessons import lessons

pytestmark = pytest.mark.accessibility


def watch(page: Page, server: str, query: str = "") -> Iterator[object]:
    """The stage at its title and its end, with its drawer and its list of keys."""
    page.goto(f"{server}/?drafter=model&k=5&policy=fixed&dtype=float32{query}")
    stage = page.locator(".stage")
    expect(stage.locator(".role b:not(:empty)").first).to_be_visible()
    if not query:
        loaded(page)
    for keys in ((), ("End",), ("Home", "n", ".", "w"), ("Escape", "?")):
        for key in keys:
            stage.focus()
            page.keyboard.press(key)
        yield keys


def talk(page: Page, server: str) -> Iterator[object]:
    """The same where the page teaches."""
    yield from watch(page, server, "&teach=1")


def models(page: Page, server: str) -> Iterator[object]:
    """The list of models, and the sidebar beside it."""
    page.goto(server)
    unfold(page)
    page.get_by_role("button", name="More models").click()
    expect(page.get_by_role("dialog")).to_contain_text("HF_TOKEN")
    yield "models"


def learn(page: Page, server: str) -> Iterator[object]:
    """The list of chapters, the second step and the first question of every lesson, a term's note, and the list of all terms."""
    page.goto(f"{server}/learn")
    expect(page.locator(".chapter").first).to_be_visible()
    yield "chapters"
    for lesson in lessons():
        for step in (2, len(lesson.steps) + 1):
            page.goto(f"{server}/learn?lesson={lesson.name}&step={step}")
            expect(page.locator(".leaf-title")).to_be_visible()
            yield lesson.name, step
    page.goto(f"{server}/learn?lesson=editor&step=2")
    page.locator(".lesson-term").first.focus()
    expect(page.locator(".note-shown:visible")).to_have_count(1)
    yield "a note"
    page.goto(f"{server}/learn?lesson=glossary")
    expect(page.locator(".glossary dt").first).to_be_visible()
    yield "glossary"


def audit(page: Page, server: str) -> Iterator[object]:
    """The zoo, an exhibit that was audited, two runs that are compared, and the audit of a run."""
    page.goto(f"{server}/audit?part=bugs")
    expect(page.get_by_text("In the rule that accepts")).to_be_visible()
    yield "zoo"
    page.get_by_role("button", name="After a rejection the token comes from p").click()
    page.get_by_role("button", name="Audit this exhibit").click()
    expect(page.get_by_role("button", name="Save JSON")).to_be_visible()
    yield "audited"
    page.goto(f"{server}/audit?guess=7")
    expect(page.locator(".guess-run")).to_have_count(2)
    yield "compared"
    page.goto(f"{server}/audit?part=decoder")
    expect(page.locator(".audit-checks li.waiting")).to_have_count(5)
    yield "audit"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [watch, talk, models, learn, audit], ids=lambda screen: screen.__name__)
def test_axe_finds_nothing_serious(
    page: Page, server: str, screen: Callable[[Page, str], Iterator[object]], scheme: Literal["light", "dark"]
) -> None:
    """No serious or critical violation at any moment of any screen, in either theme."""
    page.emulate_media(reduced_motion="reduce", color_scheme=scheme)
    for moment in screen(page, server):
        rests(page)
        page.wait_for_timeout(500)  # what waits for the script is pale, and colours fade
        assert serious(page) == [], moment
