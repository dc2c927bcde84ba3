"""The README and the documents beside it say what is so."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from specviz.cli.main import _parser

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
CREATED_BY_THE_READER = {"specviz/decoding/drafters/bigram.py"}


@pytest.mark.rare
def test_the_ten_lines_run() -> None:
    """The Python of the README runs unchanged and prints rounds and figures."""
    code = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(code) == 1
    ran = subprocess.run([sys.executable, "-c", code[0]], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "accepted" in ran.stdout
    assert "tokens a second" in ran.stdout
    assert "Ouagadougou" in ran.stdout


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_what_it_shows_and_names_is_there(document: Path) -> None:
    """Links and pictures lead to files; every path of the project that is named in code style exists."""
    text = document.read_text(encoding="utf-8")
    for link in re.findall(
        r"\]\((?!/learn\?)([^)#:]+)(?:#[^)]*)?\)", text
    ):  # a lesson's address is tested with the lessons
        assert (document.parent / link).is_file(), link
    code = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    named = {name for name in code if re.fullmatch(r"(?:specviz|app|tests|assets|docs)/[\w./-]*", name)}
    for name in named - CREATED_BY_THE_READER:
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_every_command_that_is_shown_is_understood(document: Path) -> None:
    """Each `specviz ...` line of a shell block is one that the command line takes."""
    blocks = "\n".join(re.findall(r"```sh\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL))
    for line in re.findall(r"^specviz .*", blocks, re.MULTILINE):
        _parser().parse_args(shlex.split(line, comments=True)[1:])


def test_every_make_target_that_is_named_is_there() -> None:
    """`make demo` and the others are in the Makefile."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    text = "\n".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    for target in set(re.findall(r"(?:`|^)make ([a-z]+)", text, re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
