"""The code of a frame for a page of a site."""

import pytest

from specviz.errors import InputError
from specviz.reporting.player.frame import site_address


def test_the_address_of_a_site_is_checked() -> None:
    """The folder or its index.html will do; what is no address is refused."""
    for site in (
        "https://example.org/specviz/",
        "https://example.org/specviz",
        "https://example.org/specviz/index.html",
    ):
        assert site_address(site, "learn/editor/4") == "https://example.org/specviz/index.html?embed=1#/learn/editor/4"
    for site in ("javascript:alert(1)", 'https://a.org/"><script>', "a.org"):
        with pytest.raises(InputError, match="give one such as"):
            site_address(site, "race/mongolia")
