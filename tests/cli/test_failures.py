"""An unforeseen failure is named for what it is: the output, the memory, a file, the command."""

import errno
import os
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from specviz.cli import replay
from specviz.cli.main import main
from specviz.errors import InputError
from specviz.folders import ASSETS, cache_folder
from specviz.known_pairs import chat_in_hub_cache
from specviz.reporting.files import write_atomically

Patch = pytest.MonkeyPatch
Capture = pytest.CaptureFixture[str]
RECORDING = str(ASSETS / "traces" / "capital.json")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_output_is_named(monkeypatch: Patch, capsys: Capture) -> None:
    """Without space for the output, one sentence says so, and nothing of an engine or a pair."""
    for options in ([], ["--json"]):
        with open("/dev/full", "w", encoding="utf-8") as full, monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", full)
            assert main(["replay", RECORDING, *options]) == 1
        assert capsys.readouterr().err.startswith("specviz: the output could not be written (No space left on device)")


def test_a_surprise_is_named(monkeypatch: Patch, capsys: Capture) -> None:
    """One sentence says what failed where."""
    denied = OSError(errno.EACCES, "Permission denied", "/some/file")
    for error, says in (
        (ValueError("odd"), "`specviz replay` failed (ValueError: odd). Please report it"),
        (MemoryError(), "the memory ran out in `specviz replay`"),
        (OSError(errno.ENOSPC, "No space left"), "the output could not be written (No space left): send it elsewhere"),
        (denied, "/some/file could not be used (Permission denied)"),
    ):
        monkeypatch.setattr(replay, "content_of", Mock(side_effect=error))
        assert main(["replay", RECORDING]) == 1
        assert capsys.readouterr().err.startswith(f"specviz: {says}")


def test_a_user_without_a_home_is_told(monkeypatch: Patch) -> None:
    """A user id that the system does not know, without HOME: the folders that can be set are named."""
    for name in ("HOME", "XDG_CACHE_HOME", "SPECVIZ_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 2**31 - 7)
    for folder in (cache_folder, chat_in_hub_cache):
        with pytest.raises(InputError, match="no home folder: set HOME, or SPECVIZ_CACHE"):
            folder()


def test_the_cache_may_be_named_from_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The settings of a service are read by no shell: `~` there is the home folder, and no folder of that name."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SPECVIZ_CACHE", "~/notes")
    assert cache_folder() == tmp_path / "notes"


@pytest.mark.slow
def test_links_and_devices_stay(tmp_path: Path, monkeypatch: Patch) -> None:
    """What is written to a link goes to the file that it names, also where there is none yet; a pipe is not replaced by a file."""
    link, page = tmp_path / "link", tmp_path / "far" / "page"
    page.parent.mkdir()
    link.symlink_to(Path("far") / "page")
    for content in ("new", "newer"):
        write_atomically(link, content)
        assert page.read_text() == content
        assert link.is_symlink()
    assert main(["replay", RECORDING, "--out", str(link)]) == 0
    assert page.read_text().startswith("<!doctype html>")
    assert link.is_symlink()
    assert [file.name for file in page.parent.iterdir()] == ["page"]
    write_atomically(Path(os.devnull), "nothing")
    assert not Path(os.devnull).is_file()


def test_one_name_for_new_tokens(capsys: Capture) -> None:
    """Every command takes `--tokens`, and the name that other programs have."""
    for command in (["run", "x"], ["race", "x"], ["compare", "x"], ["audit"]):
        for option in (["--tokens", "x1"], ["--max-new-tokens", "x1"], ["--max-new-tokens=x1"]):
            assert main([*command, *option]) == 2
            assert "x1" in capsys.readouterr().err, (command, option)
