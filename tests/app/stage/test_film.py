"""A run as a film: an animated WebP that the browser makes of the player's own markup."""

from pathlib import Path

import pytest
from PIL import Image, ImageSequence
from playwright.sync_api import Download

from tests.app.lab import Lab, box_of
from tests.helpers.node import joined

_FILM = """seconds => {
    const stage = stages.get(document.querySelector(".stage"));
    stage.turn((head) => head.seek(head.plan.end - seconds, true));
    film.saveFilm(stage.frames, "specviz-run", seconds);
}"""
_MOST_BYTES = 3_000_000
_MARGIN, _EDGE = 24, 16  # pixels of the film: around it, and where nothing at all is drawn
_NOISE = 24  # of 255, by which a compressed ground differs


def test_a_run_is_saved_as_a_film(mixed: Lab, tmp_path: Path) -> None:
    """The film, here of the last 0.8 seconds, is as long as the run is shown, its end a little longer, and its pictures are what the stage shows; then the
    player goes on. Stop leaves no file, and a second press meanwhile begins no second film."""
    page, path, saved = mixed.page, tmp_path / "run.webp", list[str]()
    page.add_script_tag(content=f"{joined('film', 'shared/film')} window.film = film;")

    def note(download: Download) -> None:
        saved.append(download.suggested_filename)

    page.on("download", note)
    for _ in range(2):
        page.evaluate(_FILM, 10)
    assert page.locator(".film-progress").count() == 1
    page.locator(".film-progress").get_by_role("button", name="Stop").click()
    page.wait_for_function("!document.querySelector('.film-progress')")
    with page.expect_download() as download:
        page.evaluate(_FILM, 0.8)
    download.value.save_as(path)
    with Image.open(path) as film:
        shown = [(frame.convert("RGB"), frame.info["duration"]) for frame in ImageSequence.Iterator(film)]
    assert sum(lasts for _, lasts in shown) == pytest.approx(800 + 2500, abs=200)
    assert len(shown) > 3
    assert path.stat().st_size < _MOST_BYTES
    (width, height), box = shown[0][0].size, box_of(page.locator(".stage"))
    assert width == pytest.approx(min(960, box["width"] + 2 * _MARGIN), abs=1)
    filmed = box_of(page.locator(".transport"))["y"] - box["y"]  # the bar, which nobody can press there, is left out
    assert (height - 2 * _MARGIN) / (width - 2 * _MARGIN) == pytest.approx(filmed / box["width"], rel=0.01)
    edges = [(0, 0, width, _EDGE), (0, height - _EDGE, width, height), (width - _EDGE, 0, width, height)]
    spread = [high - low for edge in edges for low, high in shown[0][0].crop(edge).getextrema()]  # type: ignore[misc]
    assert max(spread) < _NOISE, "no margin"
    colours = [len(picture.getcolors(1 << 24) or ()) for picture, _ in shown]
    assert min(colours) > 50, "an empty picture"
    assert shown[0][0].tobytes() != shown[-1][0].tobytes()
    assert page.locator(".film-progress").count() == 0
    page.remove_listener("download", note)
    assert saved == ["specviz-run.webp"], "the one that was stopped is not saved"
    mixed.press("Home")
    assert mixed.text() != "", "the player goes on"
