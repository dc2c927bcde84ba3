"""The code that puts a page of ours into another page: a frame that may run its script and nothing else, as high as the page in it asks."""

import re
from html import escape

from specviz.errors import InputError

FRAME = (
    '<iframe src="{address}" title="{title}" width="100%" height="600" style="border:0" sandbox="allow-scripts"></iframe>\n'
    '<script>addEventListener("message", (e) => { for (const f of document.querySelectorAll("iframe")) '
    'if (f.contentWindow === e.source && e.data?.specviz === "height") f.style.height = e.data.height + "px"; });</script>'
)
"""With `{address}` and `{title}`, both as HTML. The script is needed once on a page."""


def frame_code(address: str, title: str) -> str:
    """The code for an address such as `run.html?embed=1#3/verified`."""
    return FRAME.replace("{address}", escape(address)).replace("{title}", escape(title))


def site_address(site: str, route: str) -> str:
    """The address of a page of a site for a frame, such as `https://example.org/specviz/index.html?embed=1#/learn/editor/4`.

    Args:
        site: the address of the folder that `specviz site` wrote, or of its index.html.
        route: the page, such as `learn/editor/4`.

    Raises:
        InputError: the site's address is none.
    """
    if re.fullmatch(r"https?://[^\s\"'<>?#]+", site) is None:
        raise InputError(f"The site's address was {site!r:.80}: give one such as https://example.org/specviz/.")
    return f"{site.removesuffix('index.html').rstrip('/')}/index.html?embed=1#/{route}"
