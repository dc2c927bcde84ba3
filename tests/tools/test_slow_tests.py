"""The list of slow tests names tests that are there."""

from pathlib import Path

from tools.slow_tests import FILE


def test_every_line_names_a_test() -> None:
    """A test that was renamed or moved would be quick again for `make check` without notice: `make slow` writes the list again."""
    gone = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        test = line.partition("[")[0].removesuffix("::runTest")  # which the tests of a state machine are called
        file, *names = test.split("::")
        path = Path(__file__).parents[2] / file
        if not path.is_file() or names[-1] not in path.read_text(encoding="utf-8"):
            gone.append(line)
    assert not gone
