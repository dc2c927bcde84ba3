"""Where the files that come with the project are: in an installed package, or in the source tree. Standard library only.

The wheel carries the assets as `specviz/assets` and the page as `specviz/page/app`. So an environment gets no top-level package called
`app`; only the process that serves the page has `specviz/page` on its path.
"""

from pathlib import Path

_PACKAGE = Path(__file__).parent
_INSTALLED = (_PACKAGE / "assets").is_dir()

ASSETS = _PACKAGE / "assets" if _INSTALLED else _PACKAGE.parent / "assets"
"""The pairs, ready-made prompts, recordings, schema and logos."""
PAGE = _PACKAGE / "page" if _INSTALLED else _PACKAGE.parent
"""The folder that contains the package `app`."""
