"""A Chromium for the browser tests: found, or else installed; failing that, a clear refusal. Never a skip.

`python tests/app/chromium.py` installs one where there is none.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--renderer-process-limit=1",  # with one process for each page, each would compile Streamlit's scripts again
)


def returning(context: "BrowserContext") -> None:
    """Let the visitor be one who has been here, and so meets no opening, and who wants to see runs round by round."""
    context.add_cookies([{"name": "specviz_visited", "value": "1", "domain": "localhost", "path": "/"}])
    context.add_init_script(
        "if (location.protocol.startsWith('http') && localStorage.getItem('specviz-stage') === null) "
        "localStorage.setItem('specviz-stage', 'rounds');"
    )


def find() -> str | None:
    """The path of a Chromium on this machine: the system's, else Playwright's own."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        found = shutil.which(name)
        if found and _works(found):
            return found
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).is_file() and _works(own) else None


def _works(path: str) -> bool:
    """Whether it says its version: a snap's stub, or a browser without its system libraries, does not."""
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def install() -> None:
    """Debian's package where this user may install one, else Playwright's download."""
    may_install = bool(shutil.which("apt-get")) and os.geteuid() == 0
    if may_install:
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        command = ["apt-get", "install", "-y", "-qq", "chromium"]
        subprocess.run(command, check=False, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    if find() is None:
        system = ["--with-deps"] if may_install else []
        subprocess.run([sys.executable, "-m", "playwright", "install", *system, "chromium"], check=False)


def main() -> int:
    """Exit code 1 and one sentence when there is no browser in the end."""
    if find() is None:
        install()
    found = find()
    missing = (
        "No Chromium that starts was found or could be installed: run 'apt-get install chromium' as root, then again."
    )
    sys.stdout.write(f"Browser: {found}\n" if found else f"{missing}\n")
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
