"""Commands of `specviz` in this process, and what they print."""

import contextlib
import io
import json
from dataclasses import dataclass
from typing import Any

from specviz.cli.main import main


@dataclass(frozen=True)
class Output:
    """The exit code of a command, and what it wrote to stdout and stderr."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one object that it printed."""
        return json.loads(self.out)

    @property
    def refused(self) -> bool:
        """Whether it printed nothing but one sentence on stderr, with exit code 2."""
        one_sentence = self.err.startswith("specviz: ") and self.err.endswith(".\n") and self.err.count("\n") == 1
        return self.code == 2 and not self.out and one_sentence and "Traceback" not in self.err


def specviz(*args: object) -> Output:
    """What `specviz` prints with these arguments."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = main([*map(str, args)])
    return Output(code, out.getvalue(), err.getvalue())
