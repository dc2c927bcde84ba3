"""A whole small pair, made once by the real command, for every test that examines one."""

import contextlib
import io
import shutil
from pathlib import Path

import pytest
import transformers

from specviz.cli import main
from specviz.training import command
from specviz.training.examination import agreement, report, speed


def said(*asked: str) -> tuple[int, str, str]:
    """The exit code of a command, and what it wrote to stdout and stderr."""
    with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.redirect_stderr(io.StringIO()) as told:
        code = main(asked)
    return code, printed.getvalue(), told.getvalue()


@pytest.fixture(scope="session")
def miniature_made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, str, str]:
    """Where `train make` was told to put the miniature pair, its exit code, and what it wrote to stdout and stderr."""
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    out = tmp_path_factory.mktemp("made") / "pair"
    asked = ("train", "make", "--recipe", "miniature", "--device", "cpu", "--no-compile", "--out", str(out))
    return out, *said(*asked)


@pytest.fixture(scope="session")
def miniature(miniature_made: tuple[Path, int, str, str]) -> Path:
    """The folder of the miniature pair; not to be changed."""
    folder, code, _, told = miniature_made
    assert code == 0, told
    return folder


@pytest.fixture(scope="session")
def plain_evaluated(miniature: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, str, str]:
    """A pair of a target and one draft, and what `train evaluate --quick --json` says of it, with little in each part."""
    folder = tmp_path_factory.mktemp("plain") / "pair"
    for name in ("target", "draft"):
        shutil.copytree(miniature / name, folder / name)
    little = report.Size(samples=2, runs=1, repeats=1, prompts=1, creative_k=(1, 3), documents=1, thorough=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "QUICK", little)
        patch.setattr(agreement, "TOKENS", 20)
        patch.setattr(speed, "TOKENS", 20)
        patch.setattr(command, "_ready_made", lambda: {"letters": ("Dear Anna,\n\n", "Hello")})
        return folder, *said("train", "evaluate", "--pair", str(folder), "--quick", "--json")
