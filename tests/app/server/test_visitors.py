"""Who a visitor is, and how many there may be; no browser, no server."""

from app.classroom import codes
from app.classroom.rooms import MOST_ROOMS
from app.server import visitors
from app.server.visitors import (
    MOST_KNOWN,
    MOST_OF_ADDRESS,
    MOST_OF_VISITOR,
    MOST_SOCKETS,
    TRIED_WITHIN_S,
    WRONG_CODES,
    WRONG_OF_ADDRESS,
    Visitors,
)


def _named(number: int) -> str:
    return f"{number:048x}"


def test_a_visitor_is_what_a_server_gave_out() -> None:
    """No two are the same; what somebody made up, of whatever length, is nobody."""
    given = {visitors.issued() for _ in range(100)}
    assert len(given) == 100
    assert {visitors.of(cookie) for cookie in given} == given
    assert visitors.of(min(given)[:24] + max(given)[24:]) == ""
    for odd in ("", "x", "0" * 48, "0" * 47, "0" * 49, "A" * 48, "é" * 48, "0" * 1_000_000, f"{'0' * 48}\n"):
        assert visitors.of(odd) == ""


def test_pages_are_limited_by_browser_by_address_and_in_all() -> None:
    """Who sends no cookie is one visitor of the address; whoever is refused leaves room for everybody else, and a closed page makes room."""
    known = Visitors()
    for visitor in ("", _named(1)):
        assert sum(known.enter(visitor, "a") for _ in range(50)) == MOST_OF_VISITOR
        assert not known.fits(visitor, "a")
    known.leave("", "a")
    assert known.enter("", "a")
    opened = sum(known.enter(_named(number), "a") for number in range(2, 2 * MOST_OF_ADDRESS))
    assert opened == MOST_OF_ADDRESS - 2 * MOST_OF_VISITOR
    assert known.fits("", "b")
    for number in range(2 * MOST_SOCKETS):
        known.enter(_named(number), f"b {number % 10}")
    assert not known.fits("", "c")


def test_who_has_left_takes_nobodys_room() -> None:
    """However many browsers of a hall have come, the next one is let in; of the last ones it is known from where they came."""
    known = Visitors()
    for number in range(MOST_KNOWN + 5):
        assert known.enter(_named(number), "a")
        known.leave(_named(number), "a")
    assert known.address_of(_named(4)) == ""
    assert known.address_of(_named(5)) == "a"
    assert vars(known)["_open"] == vars(known)["_here"] == {}


def test_codes_of_rooms_cannot_be_guessed() -> None:
    """Wrong codes are counted by visitor and by address; who has tried too many has to wait with the right one too, and nobody elsewhere has. A
    minute later he may try again, and nothing of it is kept."""
    now = 100.0
    known = Visitors(lambda: now)
    for visitor in ("", _named(1)):
        assert sum(known.may_try(visitor, "a", right=False) for _ in range(50)) == WRONG_CODES
        assert not known.may_try(visitor, "a", right=True)
    assert all(known.may_try(_named(2), "a", right=True) for _ in range(50))
    tried = sum(known.may_try(_named(number), "a", right=False) for number in range(3, 2 * WRONG_OF_ADDRESS))
    assert tried == WRONG_OF_ADDRESS - 2 * WRONG_CODES
    assert not known.may_try(_named(2), "a", right=True)
    assert known.may_try(_named(2), "b", right=True)
    now += TRIED_WITHIN_S
    assert known.may_try("", "a", right=True)
    assert known.fits("", "a")
    assert vars(known)["_wrong"] == {}
    in_twelve_hours = 100 * 12 * 60 * WRONG_OF_ADDRESS
    assert in_twelve_hours * 2 * MOST_ROOMS / len(codes.LETTERS) ** codes.LENGTH < 0.01, "of a hundred addresses"


def test_who_has_half_of_an_internet_has_one_address() -> None:
    """A customer has 2^64 addresses of IPv6; an IPv4 address is the same in both forms."""
    first, other = visitors.network("2001:db8:1:2::7"), visitors.network("2001:db8:1:2:ffff::1")
    assert first == other == "2001:db8:1:2::"
    assert visitors.network("2001:db8:1:3::7") != first
    assert visitors.network("::ffff:192.0.2.9") == visitors.network("192.0.2.9") == "192.0.2.9"
    assert visitors.network("testclient") == "testclient"
