"""The README says what is so."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_ten_lines_run() -> None:
    """The Python of the README runs as it stands and prints rounds and figures."""
    code = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(code) == 1
    ran = subprocess.run([sys.executable, "-c", code[0]], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "accepted" in ran.stdout
    assert "tokens a second" in ran.stdout
    assert "Ouagadougou" in ran.stdout


def test_what_it_shows_and_names_is_there() -> None:
    """Pictures exist, and so does every Python or JavaScript file that is named."""
    for picture in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README):
        assert (ROOT / picture).is_file(), picture
    known = {path.name for path in ROOT.glob("specviz/**/*.py")} | {path.name for path in ROOT.glob("app/**/*.*")}
    for name in re.findall(r"\b(\w+\.(?:py|js|css))\b", README):
        assert name in known, name
