"""`make film`: the opening and the race of four kinds of text as animated pictures in both themes, as the README shows them, and the opening's last
frame, as others show a link to the site."""

import base64
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from tests.app.app_server import ROOT, serving
from tests.app.chromium import FLAGS, find

_SIZE: ViewportSize = {"width": 1120, "height": 580}
_LASTS_MS = 20_000  # longer than either plays
_WIDTH = 960  # pixels of the film
_APART_S = 0.08  # frames that come faster are left out
_FASTER = 1.25  # than the page: a film is seen more than once
_LAST_S = 2.5  # the end is shown for so long
_QUALITY = 55
_MOST_BYTES = 3_000_000
_PREVIEW = (1200, 621)  # pixels; what others show of a link is 1.91 times as wide as high
_THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def _opening(page: Page, address: str) -> None:
    """A first visit's opening, from its beginning."""
    page.goto(address)
    expect(page.locator(".duel .duel-lane").first).to_be_visible(timeout=30_000)
    page.locator("[data-testid=stMain]").evaluate("part => part.scrollTo(0, 0)")


def _race(page: Page, address: str) -> None:
    """Four kinds of text on one clock, from the beginning."""
    page.goto(f"{address}/race?hide=prompt,prompts,menu")
    expect(page.locator(".race .lane")).to_have_count(4, timeout=30_000)
    page.wait_for_timeout(2000)  # the page is at rest
    page.locator(".race").focus()
    page.keyboard.press("Home")
    page.keyboard.press(" ")


FILMS = {"opening": _opening, "race": _race}


def frames_of(
    browser: Browser, address: str, theme: Literal["light", "dark"], begin: Callable[[Page, str], None]
) -> list[tuple[float, bytes]]:
    """The frames of a film, each with its second; the browser sends one whenever the picture changes. `begin`: opens the page and plays it."""
    frames: list[tuple[float, bytes]] = []
    with browser.new_context(viewport=_SIZE, color_scheme=theme) as context:
        page = context.new_page()
        begin(page, address)
        session = context.new_cdp_session(page)

        def keep(frame: dict[str, Any]) -> None:
            frames.append((frame["metadata"]["timestamp"], base64.b64decode(frame["data"])))
            session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

        session.on("Page.screencastFrame", keep)
        session.send("Page.startScreencast", {"format": "png"})
        page.wait_for_timeout(_LASTS_MS)
        session.send("Page.stopScreencast")
    return frames


def save(frames: list[tuple[float, bytes]], path: Path) -> None:
    """Write frames as a picture that plays once and again; each stays until the next one comes."""
    kept = frames[:1]
    for frame in frames[1:]:
        if frame[0] - kept[-1][0] >= _APART_S:
            kept.append(frame)
    pictures = [Image.open(io.BytesIO(data)).convert("RGB") for _, data in kept]
    scaled = [
        picture.resize((_WIDTH, round(_WIDTH * picture.height / picture.width)), Image.Resampling.LANCZOS)
        for picture in pictures
    ]
    ends = [second for second, _ in kept[1:]]
    lasting = [round(1000 * (end - begin) / _FASTER) for (begin, _), end in zip(kept, ends, strict=False)]
    scaled[0].save(
        path,
        save_all=True,
        append_images=scaled[1:],
        duration=[*lasting, round(1000 * _LAST_S)],
        loop=0,
        quality=_QUALITY,
        method=6,
    )


def save_preview(frame: bytes, path: Path) -> None:
    """Write a frame as the picture that others show of a link."""
    picture = Image.open(io.BytesIO(frame)).convert("RGB").resize(_PREVIEW, Image.Resampling.LANCZOS)
    picture.quantize(256).save(path, optimize=True)


def main(folder: Path) -> None:
    """Write the films of both themes into a folder."""
    log = ROOT / "build" / "film.txt"
    log.parent.mkdir(exist_ok=True)
    with serving(log) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
        for theme in _THEMES:
            for name, begin in FILMS.items():
                path = folder / f"{name}-{theme}.webp"
                frames = frames_of(browser, address, theme, begin)
                save(frames, path)
                if (name, theme) == ("opening", "light"):
                    save_preview(frames[-1][1], folder / "preview.png")
                sys.stdout.write(f"{path}: {path.stat().st_size / 1e6:.1f} MB\n")
                assert path.stat().st_size <= _MOST_BYTES, "lower the quality or the size"
        browser.close()


if __name__ == "__main__":
    main(ROOT / "assets")
