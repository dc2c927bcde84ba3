"""Real visitors: Chromium, the size of a phone, each with cookies and a cache of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import time

from playwright.async_api import Page, async_playwright, expect

from tests.app.chromium import FLAGS, find

_PATIENCE_MS = 180_000
_NEWS = "specviz-moment"
"""The event by which a page hears of a new moment, see `NEWS` in specviz/web/classroom/presenter_moment.js."""


class Phone:
    """One of them."""

    def __init__(self, page: Page, server: str) -> None:
        self._page, self._server = page, server

    async def open_watch(self) -> None:
        """Open Watch as somebody who was never here, until the stage and Run are there."""
        await self._page.goto(self._server)
        await expect(self._page.locator(".stage .role b:not(:empty), .st-key-awaits-run").first).to_be_visible(
            timeout=_PATIENCE_MS
        )
        await expect(self._page.get_by_role("button", name="Run", exact=True)).to_be_visible(timeout=_PATIENCE_MS)

    async def join(self, code: str) -> None:
        """Follow a room; from now on it notes when it hears of a moment."""
        await self._page.goto(f"{self._server}/join/{code}")
        await expect(self._page.locator(".stage .role b:not(:empty), .st-key-awaits-run").first).to_be_visible(
            timeout=_PATIENCE_MS
        )
        await self._page.evaluate(
            f"window.heard = []; window.addEventListener('{_NEWS}', () => window.heard.push(Date.now()))"
        )

    async def heard_after(self, when: float) -> float | None:
        """How many seconds after this time of day it first heard of a moment; None where it did not."""
        times: list[float] = await self._page.evaluate("window.heard")
        return next((at / 1000 - when for at in times if at / 1000 >= when), None)


@asynccontextmanager
async def phones(count: int, server: str) -> AsyncIterator[list[Phone]]:
    """So many phones, which are gone when the block is left."""
    if not count:
        yield []
        return
    path = find()
    assert path, "no Chromium on this machine: run 'make browser', or measure with --browsers 0"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        found = []
        for _ in range(count):
            context = await browser.new_context(viewport={"width": 390, "height": 844})
            found.append(Phone(await context.new_page(), server))
        yield found
        await browser.close()


def now() -> float:
    """The time of day, by the clock that a page sees too."""
    return time()
