"""A new drafter is one new file and one description: docs/adding-a-drafter.md is followed, and everything finds the toy."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "adding-a-drafter.md"
PROMPT = "One, two, three, one, two, three, one,"


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


def _block(has: str) -> str:
    """The document's first block of code with this in it."""
    blocks = re.findall(r"```(?:python|text)\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    return str(next(block for block in blocks if has in block))


@pytest.mark.rare
def test_the_command_line_knows_it(tmp_path: Path) -> None:
    """It is offered by --help, it runs and is lossless, and a policy that it does not take is refused in a sentence. It can be compared. What it wrote is read back by the project as it was, which has never heard of it."""
    from specviz.trace.files import read_file

    description = _block("Description(")
    name, label = (re.findall(rf'^ *{key}="(.*)",$', description, re.MULTILINE)[0] for key in ("name", "label"))
    house, file = tmp_path / "house", tmp_path / "toy.json"
    shutil.copytree(ROOT / "specviz", house / "specviz", ignore=shutil.ignore_patterns("node_modules"))
    (house / "assets").symlink_to(ROOT / "assets")
    drafters = house / "specviz" / "decoding" / "drafters"
    (drafters / f"{name.replace('-', '_')}.py").write_text(_block("def make(parts"), encoding="utf-8")
    catalogue = drafters / "catalogue.py"
    lines = catalogue.read_text(encoding="utf-8")
    assert lines.endswith(")\n")
    catalogue.write_text(lines.removesuffix(")\n") + description + ")\n", encoding="utf-8")

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
    assert (card.drafter.name, card.drafter.label, card.draft) == (name, label, None)
    assert any(round_.drafted for round_ in read_file(file)[0].rounds)
