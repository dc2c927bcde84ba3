"""More connections than a program usually has."""

import logging
import subprocess
import sys

import pytest

from app.server.overload import OnceAMinute

pytest.importorskip("resource")
_RAISED = """
import resource
from app.server.overload import open_more_files
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
open_more_files()
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 200, resource.getrlimit(resource.RLIMIT_NOFILE)[1] == hard)
"""


def test_a_server_opens_as_many_files_as_it_may() -> None:
    """The limit of a shell would leave a hall without a page; that of the system stays."""
    done = subprocess.run([sys.executable, "-c", _RAISED], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"


def test_an_error_that_repeats_itself_is_written_once_a_minute() -> None:
    """Another one is written at once."""
    now = 0.0
    may = OnceAMinute(lambda: now)
    accept, other = (logging.LogRecord("asyncio", 40, "", 0, text, None, None) for text in ("no more files", "another"))
    assert [may(record) for record in (accept, accept, other, accept)] == [True, False, True, False]
    now = 60.0
    assert may(accept)
