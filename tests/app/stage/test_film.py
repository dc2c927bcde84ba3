"""A run as a film: an animated WebP that the browser makes of the player's own markup."""

from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from tests.app.lab import Lab
from tests.helpers.node import joined

_FILM = """() => {
    const stage = stages.get(document.querySelector(".stage"));
    stage.turn((head) => head.seek(0, true));
    film.saveFilm(stage.frames, "specviz-run", stage.head.plan.end);
}"""
_MOST_BYTES = 3_000_000


@pytest.fixture
def camera(mixed: Lab) -> Lab:
    """A run of four rounds, and what films it."""
    mixed.page.add_script_tag(content=f"{joined('film', 'shared/film')} window.film = film;")
    return mixed


def test_a_run_is_saved_as_a_film(camera: Lab, tmp_path: Path) -> None:
    """The film is as long as the run is shown, its end a little longer, and its pictures are what the stage shows; then the player goes on."""
    page, path = camera.page, tmp_path / "run.webp"
    with page.expect_download() as download:
        page.evaluate(_FILM)
    assert download.value.suggested_filename == "specviz-run.webp"
    download.value.save_as(path)
    with Image.open(path) as film:
        pictures = [(frame.info["duration"], frame.convert("RGB")) for frame in ImageSequence.Iterator(film)]
    end = page.evaluate("stages.get(document.querySelector('.stage')).head.plan.end")
    assert sum(lasts for lasts, _ in pictures) == pytest.approx(1000 * end + 2500, abs=200)
    assert len(pictures) > 20
    assert path.stat().st_size < _MOST_BYTES
    (width, height), box = pictures[0][1].size, page.locator(".stage").bounding_box()
    assert box
    assert width == pytest.approx(min(960, box["width"]), abs=1)
    assert height / width == pytest.approx(box["height"] / box["width"], rel=0.01)
    colours = [len(picture.getcolors(1 << 24) or ()) for _, picture in pictures]
    assert min(colours) > 50, "an empty picture"
    assert pictures[0][1].tobytes() != pictures[-1][1].tobytes()
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
