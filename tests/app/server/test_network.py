"""The address by which other machines reach a server."""

import logging

import pytest

from app.components import timed
from app.server.addresses import for_others, own_address


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


def test_the_machines_own_address_is_one_of_the_network() -> None:
    """Or none."""
    assert not own_address().startswith(("127.", "0."))


def test_a_fragment_that_was_polled_too_late_is_not_in_the_log() -> None:
    """Every rerun of a page replaces its fragments; what else Streamlit reports there stays."""
    assert timed._is_fault in logging.getLogger("streamlit.runtime.app_session").filters

    def record(said: str) -> logging.LogRecord:
        return logging.LogRecord("streamlit", logging.INFO, "", 0, said, ("a",), None)

    assert not timed._is_fault(record("The fragment with id %s does not exist anymore - it might have been removed"))
    assert timed._is_fault(record("The session %s cannot be closed"))
