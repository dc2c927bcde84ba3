"""A Chromium for the browser tests: found, or else installed; failing that, a clear refusal. Never a skip.

`python tests/app/chromium.py` installs one where there is none.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find() -> str | None:
    """The path of a Chromium on this machine: the system's, else Playwright's own."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).is_file() else None


def install() -> None:
    """Debian's package where this user may install one, else Playwright's download."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        command = ["apt-get", "install", "-y", "-qq", "chromium"]
        subprocess.run(command, check=False, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    if find() is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> int:
    """Exit code 1 and one sentence when there is no browser in the end."""
    if find() is None:
        install()
    found = find()
    print(f"Browser: {found}" if found else "No Chromium could be found or installed: install one, then run again.")  # noqa: T201
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
