"""`specviz site`: the files that it writes, replaces or leaves out, and the files of a gallery."""

import errno
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from specviz.errors import InputError, TraceError
from specviz.folders import ASSETS
from specviz.lessons.folder import LessonLibrary
from specviz.reporting import gallery
from specviz.reporting.gallery import GalleryEntry, entry_of, gallery_file, read_entry
from specviz.reporting.player.html_page import frame_code, site_address
from specviz.site import build as building
from specviz.site.build import MARK
from specviz.trace.files import read_file
from tests.helpers.commands import specviz
from tests.helpers.lessons import SMALL

pytestmark = pytest.mark.slow

LETTER = ASSETS / "traces" / "letter.json"
TEXTS = {"title": "My run", "kind": "letters", "shows": "Set phrases are accepted whole."}


@pytest.fixture(autouse=True)
def _little(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A site of one recorded run and one lesson is built in a moment."""
    folder = tmp_path_factory.mktemp("lessons")
    (folder / "01-small.md").write_text(SMALL, encoding="utf-8")
    monkeypatch.setattr(building, "LessonLibrary", partial(LessonLibrary, built_in=folder))

    def built_in() -> list[GalleryEntry]:
        return [entry_of("letter", "A letter", "letters", "", read_file(LETTER))]

    monkeypatch.setattr(building, "built_in", built_in)


def _add(to: Path, **texts: str) -> None:
    """A gallery file, as the page saves it."""
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(gallery_file(read_file(LETTER), **{**TEXTS, **texts}))


def test_a_folder_of_others_is_left_alone_and_an_earlier_site_replaced(tmp_path: Path) -> None:
    """A folder with files of somebody else is refused and stays; of an earlier site what is no longer made goes, and other files beside it stay."""
    (tmp_path / "thesis.txt").write_text("mine")
    refused = specviz("site", "--out", tmp_path)
    assert refused.refused
    assert "has files that no earlier build made" in refused.err
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]
    out = tmp_path / "site"
    assert specviz("site", "--out", out, "--base", "https://example.org/specviz/").err == ""
    page = (out / "index.html").read_text(encoding="utf-8")
    assert 'og:image" content="https://example.org/specviz/preview.png"' in page
    old = out / "data" / "old-0123456789.js"
    old.write_text("")
    made = json.loads((out / MARK).read_text())
    (out / MARK).write_text(json.dumps([*made, "data/old-0123456789.js", "../thesis.txt"]))
    (out / "CNAME").write_text("example.org")
    assert specviz("site", "--out", out).err == ""
    assert (old.exists(), (out / "CNAME").exists(), (tmp_path / "thesis.txt").exists()) == (False, True, True)


def test_what_is_broken_is_named_and_the_rest_built(tmp_path: Path) -> None:
    """A broken lesson and broken recordings are named, each in a sentence, and everything else is there; the exit code says that something is missing."""
    lessons, runs = tmp_path / "lessons", tmp_path / "runs"
    lessons.mkdir()
    (lessons / "20-mine.md").write_text(
        "---\ntitle: Mine\nrecordings: [nowhere]\n---\n## A step\nmoment: round 1, drafted\n"
    )
    _add(runs / "good.json")
    (runs / "bad.json").write_text("{")
    (runs / "Un named.json").write_text((runs / "good.json").read_text())
    (runs / "deep.json").write_text("[" * 100_000)
    (runs / "plain.json").write_text(LETTER.read_text())
    outcome = specviz("site", "--out", tmp_path / "site", "--lessons", lessons, "--runs", runs)
    lines = outcome.err.splitlines()
    assert outcome.code == 2
    for name in ("20-mine.md", "bad.json", "Un named.json", "deep.json", "plain.json"):
        assert any(line.startswith(f"left out: {name}") for line in lines), name
    assert f"left out ({len(lines) - 1})" in lines[-1]
    gallery_of = next((tmp_path / "site" / "data").glob("gallery-*.js")).read_text()
    assert '"name":"good"' in gallery_of


def test_a_full_disk_and_a_name_that_is_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each ends in one sentence that names the option or the file."""
    to = ("--out", tmp_path / "a")
    for options, says in (
        ((*to, "--base", "javascript:alert(1)//"), "--base was 'javascript:alert(1)//'"),
        ((*to, "--lessons", tmp_path / "none"), "there is no folder"),
        ((*to, "--runs", tmp_path / "none"), "there is no folder"),
        ((), "--out is missing"),
    ):
        outcome = specviz("site", *options)
        assert outcome.refused, outcome
        assert says in outcome.err

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(building, "write_atomically", full)
    outcome = specviz("site", *to)
    assert outcome.refused, outcome
    assert "could not be written (No space left on device)" in outcome.err


def test_a_gallery_file_is_checked_and_made_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps every token and verdict and drops alternatives where the file is too long; an empty title is refused in a sentence, and so is a
    file whose name is no address."""
    to = tmp_path / "runs" / "my-run.json"
    _add(to)
    assert read_entry(to).title == "My run"
    monkeypatch.setattr(gallery, "MOST_BYTES", to.stat().st_size - 100)
    small = gallery_file(read_file(LETTER), **TEXTS)
    assert len(small) < to.stat().st_size
    to.write_text(small)
    before, after = read_file(LETTER)[0], read_entry(to).run
    assert after.token_ids == before.token_ids
    verdicts = [[[drafted.verdict for drafted in r.drafted] for r in run.rounds] for run in (before, after)]
    assert verdicts[0] == verdicts[1]
    with pytest.raises(TraceError, match="title was"):
        gallery_file(read_file(LETTER), **{**TEXTS, "title": " \n "})
    with pytest.raises(TraceError, match="its name is part of an address"):
        read_entry(to.rename(to.with_name("B C.json")))


def test_markup_in_texts_stays_text(tmp_path: Path) -> None:
    """A title with markup is data in the files of the site, and text in the code of a frame; the bar that ends an English text ends no title."""
    title = "</script><img src=x onerror=alert(1)> a ¦ b"
    _add(tmp_path / "runs" / "x.json", title=title)
    assert read_entry(tmp_path / "runs" / "x.json").title == title.replace("¦", "|")
    assert specviz("site", "--out", tmp_path / "site", "--runs", tmp_path / "runs").err == ""
    assert "<img" not in (tmp_path / "site" / "index.html").read_text()
    listed = next((tmp_path / "site" / "data").glob("gallery-*.js")).read_text()
    assert json.dumps(title.replace("¦", "|")) in listed
    assert "<img" not in frame_code('a"><img src=x>', "<img>")


def test_the_address_of_a_site_is_checked() -> None:
    """The folder or its index.html will do; what is no address is refused."""
    home = "https://example.org/specviz"
    for site in (home, f"{home}/", f"{home}/index.html"):
        assert site_address(site, "learn/editor/4") == f"{home}/index.html?embed=1#/learn/editor/4"
    for site in ("javascript:alert(1)", 'https://a.org/"><script>', "a.org"):
        with pytest.raises(InputError, match="give one such as"):
            site_address(site, "race/mongolia")
