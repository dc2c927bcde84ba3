"""`python -m tools.slow_tests`: time the tests without browser and training, and write down in `tests/slow.txt` which take long.

`make check` leaves these out, and `make test` runs them. Two tests run at a time, as there. A test that is marked `slow` by hand, as for a set-up
that takes long, need not be in the file. Nothing else should run meanwhile.
"""

from pathlib import Path

import pytest

_SECONDS = 0.25
_FILE = Path(__file__).parents[1] / "tests" / "slow.txt"


class _Slow:
    """Collects the ids of the tests that took at least `_SECONDS`, without their fixtures."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One part of a test has ended, in whichever process."""
        if report.when == "call" and report.duration >= _SECONDS:
            self.found.add(report.nodeid)


def main() -> int:
    """Run the tests with an empty file, and write it. What is returned is pytest's code; after a failure the file is as it was."""
    before = _FILE.read_text(encoding="utf-8") if _FILE.exists() else ""
    _FILE.write_text("", encoding="utf-8")
    slow = _Slow()
    code = 1
    try:
        chosen = "not slow and not browser and not rare and not accessibility"
        code = pytest.main(["-n", "2", "--dist", "loadfile", "-m", chosen, "tests"], plugins=[slow])
    finally:
        after = "".join(f"{test}\n" for test in sorted(slow.found))
        _FILE.write_text(before if code else after, encoding="utf-8")
    return code


if __name__ == "__main__":
    raise SystemExit(main())
