"""The wheel in a fresh environment, used from a folder that has nothing to do with the project."""

import os
import re
import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Page, expect

from tests.app.app_server import STARTS_S, started
from tests.app.conftest import loaded

pytestmark = pytest.mark.rare

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
ENVIRONMENT |= {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of a fresh environment with the wheel in it; what specviz needs comes from this environment's packages."""
    folder = tmp_path_factory.mktemp("wheel")
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", folder, ROOT], check=True
    )
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "fresh"], check=True)
    (own,) = folder.glob("fresh/lib/python*/site-packages")
    # A path in a .pth file is searched, but the .pth files in it are not read: the source tree is not on the path.
    (own / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    command = [*pip, "--python", folder / "fresh", "install", "--no-deps", "--no-index", wheel]
    subprocess.run(command, check=True, env=ENVIRONMENT)
    return folder / "fresh" / "bin"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder of somebody's own, with modules whose names must not be confused with ours."""
    for name in ("app", "specviz", "streamlit"):
        (tmp_path / f"{name}.py").write_text(f"raise RuntimeError('this is not our {name}')\n")
    return tmp_path


def _output(command: list[str | Path], folder: Path) -> str:
    return subprocess.run(command, cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, text=True).stdout


def test_the_command_line_works_from_any_folder(programs: Path, elsewhere: Path) -> None:
    """Help, a run of the embedded pair, the site, and the packages that are importable: specviz from the wheel, and no `app`."""
    assert "app" in _output([programs / "specviz", "--help"], elsewhere)
    run: list[str | Path] = [programs / "specviz", "run", "The capital of Peru is", "--max-new-tokens", "4"]
    assert "Lima" in _output([*run, "--dtype", "float32", "--trace", "peru.json"], elsewhere)
    assert "Lima" in _output([programs / "specviz", "replay", "peru.json"], elsewhere)
    assert "index.html" in _output([programs / "specviz", "site", "--out", "site"], elsewhere), (
        "all that is shipped is read"
    )
    script = "import importlib.util as u, specviz; print(specviz.__file__, u.find_spec('app'), u.find_spec('tests'))"
    where, app, tests = _output([programs / "python", "-P", "-c", script], elsewhere).split()
    assert Path(where).is_relative_to(programs.parent)
    assert (app, tests) == ("None", "None")


def test_what_is_installed(programs: Path) -> None:
    """Of the JavaScript what was built, without its sources; and the sign that the annotations may be used."""
    (package,) = programs.parent.glob("lib/python*/site-packages/specviz")
    assert [path.name for path in (package / "web").iterdir()] == ["built"]
    assert (package / "web" / "built" / "player.js").is_file()
    assert (package / "py.typed").is_file()


def test_the_page_starts_from_any_folder(programs: Path, elsewhere: Path, page: Page) -> None:
    """`specviz app` shows the stage, its Run button runs the real pair, and Ctrl-C ends server and engine."""
    command: list[str | Path] = [programs / "specviz", "app", "--port"]
    with started(command, elsewhere, elsewhere / "log.txt", ENVIRONMENT) as (address, server):
        page.emulate_media(color_scheme="light")
        page.goto(f"{address}/?pair=embedded&dtype=float32&max_new_tokens=8")
        expect(page.locator(".stage .role b:not(:empty)").first).to_be_visible()
        ground = page.locator(".stApp").evaluate("app => getComputedStyle(app).backgroundColor")
        assert ground == "rgb(251, 250, 247)", "the theme of the page's own configuration"
        loaded(page)
        page.get_by_role("button", name="Run", exact=True).click()
        expect(page.locator(".stage .note")).not_to_contain_text("recorded earlier")
        page.locator(".pace").select_option("real")
        expect(page.locator(".figure.speedup .small")).to_contain_text(
            re.compile("measured|slower|median|lower|once|busy|agree|possible")
        )
        engines = [child for child in server.children(recursive=True) if "specviz" in " ".join(child.cmdline())]
        assert [Path(engine.cwd()) for engine in engines] == [elsewhere], "a model folder is relative to the person's"
        page.close()
        server.send_signal(signal.SIGINT)
        assert not psutil.wait_procs([server, *engines], timeout=STARTS_S)[1], "Ctrl-C left a process running"
