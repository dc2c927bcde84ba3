"""A run as a film: an animated WebP that the browser makes of the player's own markup."""

from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from tests.app.lab import Lab
from tests.helpers.node import joined

_FILM = """() => {
    const stage = stages.get(document.querySelector(".stage"));
    stage.turn((head) => head.seek(head.plan.end - 2, true));
    film.saveFilm(stage.frames, "specviz-run", 2);
}"""
_MOST_BYTES = 3_000_000


@pytest.fixture
def camera(mixed: Lab) -> Lab:
    """A run of four rounds, and what films it."""
    mixed.page.add_script_tag(content=f"{joined('film', 'shared/film')} window.film = film;")
    return mixed


def test_a_run_is_saved_as_a_film(camera: Lab, tmp_path: Path) -> None:
    """The film, here of the last two seconds, is as long as the run is shown, its end a little longer, and its pictures are what the stage shows; then the
    player goes on."""
    page, path = camera.page, tmp_path / "run.webp"
    with page.expect_download() as download:
        page.evaluate(_FILM)
    assert download.value.suggested_filename == "specviz-run.webp"
    download.value.save_as(path)
    with Image.open(path) as film:
        shown = [(frame.convert("RGB"), frame.info["duration"]) for frame in ImageSequence.Iterator(film)]
    assert sum(lasts for _, lasts in shown) == pytest.approx(2000 + 2500, abs=200)
    assert len(shown) > 5
    assert path.stat().st_size < _MOST_BYTES
    (width, height), box = shown[0][0].size, page.locator(".stage").bounding_box()
    assert box
    assert width == pytest.approx(min(960, box["width"]), abs=1)
    assert height / width == pytest.approx(box["height"] / box["width"], rel=0.01)
    colours = [len(picture.getcolors(1 << 24) or ()) for picture, _ in shown]
    assert min(colours) > 50, "an empty picture"
    assert shown[0][0].tobytes() != shown[-1][0].tobytes()
    assert page.locator(".film-progress").count() == 0
    camera.press("Home")
    assert camera.text() != "", "the player goes on"


def test_a_film_can_be_stopped(camera: Lab) -> None:
    """Stop leaves no file, and a second press meanwhile begins no second film."""
    page = camera.page
    page.on("download", lambda _: pytest.fail("a film was saved"))
    page.evaluate(_FILM)
    page.evaluate(_FILM)
    assert page.locator(".film-progress").count() == 1
    page.locator(".film-progress").get_by_role("button", name="Stop").click()
    page.wait_for_function("!document.querySelector('.film-progress')")
