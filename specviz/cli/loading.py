"""Loading a pair, with the progress shown on stderr."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.text import Text

from specviz.reporting import pair_options
from specviz.reporting.progress import with_share
from specviz.reporting.terminal import Screen, visible

if TYPE_CHECKING:
    from specviz.models import Pair


def load(args: argparse.Namespace) -> "Pair":
    """The pair that the options name."""
    with status("loading torch") as show:
        return pair_options.load(args, show)


def fetched_head(source: str) -> str:
    """The folder of a published head, which is downloaded if it is not here: what it drafts is checked before any model is loaded."""
    with status("loading torch") as show:
        from specviz.models.sources import head_folder_of

        return str(head_folder_of(source, with_share(show)))


@contextmanager
def status(text: str) -> Iterator[Callable[[str], None]]:
    """A spinner on stderr, if that is a terminal; yields a function that changes its text."""

    def safe(text: str) -> Text:
        return Text(visible(text, spaces=False))

    with Screen(stderr=True).status(safe(text)) as spinner:
        yield lambda text: spinner.update(safe(text))
