"""A new drafter is one new file and one description: docs/adding-a-drafter.md is followed, and everything finds the toy."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "adding-a-drafter.md"
PROMPT = "One, two, three, one, two, three, one,"


def toy_file() -> str:
    return block("def make(parts")


def description() -> str:
    return block("Description(")


def block(has: str) -> str:
    """The document's first block of code with this in it."""
    blocks = re.findall(r"```(?:python|text)\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    return str(next(one for one in blocks if has in one))


@pytest.fixture(scope="module")
def toy() -> dict[str, Any]:
    """Name and label of the toy, as its description has them."""
    source = description()
    return {key: re.search(rf'^ *{key}="(.*)",$', source, re.MULTILINE)[1] for key in ("name", "label")}  # type: ignore[index]


@pytest.fixture(scope="module")
def house(toy: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with one new file and one new description."""
    copy = tmp_path_factory.mktemp("house")
    for folder in ("specviz", "app"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("node_modules"))
    (copy / "assets").symlink_to(ROOT / "assets")
    drafters = copy / "specviz" / "decoding" / "drafters"
    file = toy["name"].replace("-", "_")
    (drafters / f"{file}.py").write_text(toy_file(), encoding="utf-8")
    catalogue = drafters / "catalogue.py"
    lines = catalogue.read_text(encoding="utf-8")
    assert lines.endswith(")\n")
    catalogue.write_text(lines.removesuffix(")\n") + description() + ")\n", encoding="utf-8")
    return copy


SEVERAL = """import contextlib, io, json, sys
from specviz.cli.main import main
found = []
for asked in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            code = main(asked)
        except SystemExit as end:
            code = end.code
    found.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(found))"""
"""A program that carries out several commands, since to import torch takes longer than any of them."""


@pytest.mark.rare
def test_the_command_line_knows_it(house: Path, toy: dict[str, Any], tmp_path: Path) -> None:
    """It is offered by --help, it runs and is lossless, and a policy that it does not take is refused in a sentence. It can be compared. What it wrote is read back by the project as it was, which has never heard of it."""
    from specviz.trace.files import read_file

    name, file = toy["name"], tmp_path / "toy.json"
    short = ("--repeats", "1", "--json")
    asked = [
        ("run", "--help"),
        ("run", PROMPT, "--drafter", name, "--policy", "cost"),
        ("compare", PROMPT, "--drafters", name, "--tokens", "8", "--dtype", "float32", *short),
        ("run", PROMPT, "--drafter", name, "--policy", "fixed", "--max-new-tokens", "8", "--trace", str(file)),
    ]
    environment = {**os.environ, "PYTHONPATH": str(house), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", SEVERAL, json.dumps(asked)]
    done = subprocess.run(command, cwd=house, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    offered, refused, compared, recorded = json.loads(done.stdout)
    assert name in offered[1]
    assert refused[0] == 2
    assert f"policy was 'cost', which the drafter '{name}' does not support" in refused[2]
    (measured,) = json.loads(compared[1])["rows"]
    assert (measured["drafter"], measured["text"]) == (name, "same")
    assert recorded[0] == 0, recorded[2]
    card = read_file(file)[0].card
    assert (card.drafter.name, card.drafter.label, card.draft) == (name, toy["label"], None)
    assert any(round_.drafted for round_ in read_file(file)[0].rounds)
