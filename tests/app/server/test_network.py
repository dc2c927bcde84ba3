"""The address by which other machines reach a server."""

import pytest

from app.server.addresses import for_others


@pytest.mark.parametrize(
    ("address", "listens", "own", "reached"),
    [
        ("http://localhost:8501/room?code=ABC", "0.0.0.0", "10.1.2.3", "http://10.1.2.3:8501/room?code=ABC"),  # noqa: S104  # never served
        ("http://127.0.0.1/?k=3", "", "10.1.2.3", "http://10.1.2.3/?k=3"),
        ("http://[::1]:9/", "::", "10.1.2.3", "http://10.1.2.3:9/"),
        ("http://localhost:8501/", "localhost", "10.1.2.3", None),
        ("http://localhost:8501/", "0.0.0.0", "", None),  # noqa: S104  # likewise
        ("https://example.org/specviz/room", "localhost", "10.1.2.3", "https://example.org/specviz/room"),
        ("", "", "10.1.2.3", ""),
    ],
)
def test_who_came_by_localhost_shares_the_machines_own_address(
    address: str, listens: str, own: str, reached: str | None
) -> None:
    """Where the server listens to others; where it does not, none; any other address stays as it is."""
    assert for_others(address, listens, lambda: own) == reached
