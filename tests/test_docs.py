"""The README and the documents beside it name what is there."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name

import pytest

from specviz.cli.main import _parser

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
CREATED_BY_THE_READER = {"specviz/decoding/drafters/bigram.py", "bigram.py"}
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir()} - {".venv", "node_modules", "build", "site"}
SOURCES = {
    path.name for folder in ("specviz", "app", "tests", "tools", "deploy") for path in (ROOT / folder).rglob("*.*")
}
SOURCES |= {path.name for path in ROOT.iterdir()}
_FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def wrong_names(text: str, file: Path) -> list[str]:
    """The links and the names in code style that lead nowhere."""
    prose = _FENCE.sub("", text)
    links = re.findall(r"\]\((?!https?:|/learn\?)([^)\s]+)\)", prose)  # a lesson's address is tested with the lessons
    wrong = [link for link in links if not _leads_somewhere(link, file)]
    return wrong + [code for code in re.findall(r"`([^`\n]+)`", prose) if not _is_there(code)]


def _leads_somewhere(link: str, file: Path) -> bool:
    path, _, anchor = link.partition("#")
    target = file.parent / path if path else file
    return target.exists() and (not anchor or target.suffix != ".md" or anchor in _anchors(target))


def _anchors(file: Path) -> set[str]:
    """As GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.+)$", _FENCE.sub("", file.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _is_there(code: str) -> bool:
    """False for a path, file, module, dotted name, command or target that does not exist."""
    words = code.split()
    if words[0] == "specviz" and len(words) > 1:
        return _is_command(words[1:])
    if words[0] == "make" and len(words) > 1:
        return words[1] in TARGETS
    if "-m" in words and "python" in words[0]:
        return find_spec(words[words.index("-m") + 1]) is not None
    if code in CREATED_BY_THE_READER or len(words) > 1:
        return True
    if code.partition("/")[0] in FOLDERS and "/" in code:
        return any(ROOT.glob(code.rstrip("/")))
    if re.fullmatch(r"[\w-]+\.(py|js|mjs|css|toml)", code):
        return code in SOURCES
    if re.fullmatch(r"(specviz|app|tools|tests)(\.\w+)+", code):
        return _is_dotted_name(code)
    return True


def _is_command(words: list[str]) -> bool:
    """True if the command line has this command, and each option of it."""
    text = _help(words)
    return text is not None and all(word.partition("=")[0] in text for word in words if word.startswith("--"))


def _help(words: list[str]) -> str | None:
    parser = _parser()
    for word in words:
        choices = next((action.choices for action in parser._actions if isinstance(action.choices, dict)), None)
        if choices is None or word.startswith("-") or word.isupper():
            break
        if word not in choices:
            return None
        parser = choices[word]
    return parser.format_help()


def _is_dotted_name(name: str) -> bool:
    try:
        resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


def _lines(text: str, first: str) -> Iterator[str]:
    """The lines of its shell blocks that begin with this word."""
    blocks = "\n".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL))
    yield from re.findall(rf"^{first} .*", blocks, re.MULTILINE)


def test_what_the_documents_name_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every link with its anchor, path, module, dotted name, command and target of `make`; each command of a shell block is one that the
    command line takes."""
    wrong: dict[str, list[str]] = {}
    for file in DOCUMENTS:
        text = file.read_text(encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(Path, "is_dir", lambda path: True)  # a reader has these folders
            for line in _lines(text, "specviz"):
                _parser().parse_args(shlex.split(line, comments=True)[1:])
        wrong[file.name] = wrong_names(text, file) + [ln for ln in _lines(text, "make") if ln.split()[1] not in TARGETS]
    assert {name: names for name, names in wrong.items() if names} == {}


def test_what_is_not_there_is_found() -> None:
    """One wrong name of each kind."""
    names = [
        *("specviz/nowhere.py", "nowhere.py", "specviz.nowhere", "specviz.settings.Nothing", "python -m tools.nowhere"),
        *("specviz nowhere", "specviz run --nowhere", "specviz lessons nowhere", "make nowhere"),
    ]
    links = ["docs/nowhere.md", "docs/audit.md#nowhere", "#nowhere"]
    text = " ".join([*(f"`{name}`" for name in names), *(f"[x]({link})" for link in links)])
    assert sorted(wrong_names(text, ROOT / "README.md")) == sorted([*names, *links])


@pytest.mark.rare
def test_the_ten_lines_run() -> None:
    """The Python of the README runs unchanged and prints rounds and figures."""
    code = re.findall(r"```python\n(.*?)```", DOCUMENTS[0].read_text(encoding="utf-8"), re.DOTALL)
    assert len(code) == 1
    ran = subprocess.run([sys.executable, "-c", code[0]], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "accepted" in ran.stdout
    assert "tokens a second" in ran.stdout
    assert "Ouagadougou" in ran.stdout


def test_quoted_code_is_in_its_source() -> None:
    """Every block of the page that quotes the loop, the rule and the record stands so in the file that its section names."""
    sections = re.split(r"(?m)^## ", (ROOT / "docs/the-heart.md").read_text(encoding="utf-8"))[1:]
    assert len(sections) == 3
    for section in sections:
        source = re.findall(r"From `([^`]+)`", section)[0]
        lines = _stripped((ROOT / source).read_text(encoding="utf-8"))
        blocks = re.findall(r"(?s)```python\n(.*?)```", section)
        assert blocks
        assert all(_stripped(block) in lines for block in blocks), source


def _stripped(code: str) -> str:
    return "".join(f"{line.strip()}\n" for line in code.splitlines())
