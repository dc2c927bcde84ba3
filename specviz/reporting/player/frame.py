"""The code that puts a page of ours into another page: a frame that may run its script and nothing else, as high as the page in it asks."""

from html import escape

FRAME = (
    '<iframe src="{address}" title="{title}" width="100%" height="600" style="border:0" sandbox="allow-scripts"></iframe>\n'
    '<script>addEventListener("message", (e) => { for (const f of document.querySelectorAll("iframe")) '
    'if (f.contentWindow === e.source && e.data?.specviz === "height") f.style.height = e.data.height + "px"; });</script>'
)
"""With `{address}` and `{title}`, both as HTML. The script is needed once on a page."""


def frame_code(address: str, title: str) -> str:
    """The code for an address such as `run.html?embed=1#3/verified`."""
    return FRAME.replace("{address}", escape(address)).replace("{title}", escape(title))
