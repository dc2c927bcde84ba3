"""`python -m tools.slow_tests`: time the tests that need no browser and no training, and write down in `tests/slow.txt` which take long.

`make check` leaves these out, and `make test` runs them. Two tests run at a time, as in `make check`. Nothing else should run meanwhile.
"""

from pathlib import Path

import pytest

_SECONDS = 0.25
FILE = Path(__file__).parents[1] / "tests" / "slow.txt"


class _Slow:
    """Collects the ids of the tests that took at least `_SECONDS`, without their fixtures."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One part of a test has ended, in whichever process."""
        if report.when == "call" and report.duration >= _SECONDS:
            self.found.add(report.nodeid)


def main() -> int:
    """Run the tests and write the file; returns pytest's code. After a failure the file stays as it is."""
    slow = _Slow()
    chosen = "not slow and not browser and not rare and not accessibility"
    code = pytest.main(["-n", "2", "--dist", "loadfile", "-m", chosen, "tests"], plugins=[slow])
    if code == 0:
        FILE.write_text("".join(f"{test}\n" for test in sorted(slow.found)), encoding="utf-8")
    return code


if __name__ == "__main__":
    raise SystemExit(main())
