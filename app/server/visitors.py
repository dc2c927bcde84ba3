"""Visitors, each the same in all tabs of one browser and after a reload, and the limits of their pages and of their tries of a room's code. The limits of rooms are in `app.classroom.rooms`, those of files in `app.server.gate`. Makes no Streamlit call.

A browser gets a cookie of its own with the first page (`app.server.gate`), which no script can read; a presenter's room hangs on it. It is signed with
a key of this process: what somebody makes up is no visitor. Visitors who have left count for nothing: limited is what is open now (pages, rooms, jobs
that wait), and each of these by address too, behind which a whole hall can be.
"""

import hmac
import re
import threading
from collections import Counter
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from secrets import token_bytes, token_hex
from time import monotonic

COOKIE = "specviz_visitor"
SOCKET = "x-specviz-socket"  # the header by which a page learns the name of its socket, given by this server alone
_TOKEN, _HALF = re.compile(r"[0-9a-f]{48}"), 24
_KEY = token_bytes(32)
MOST_SOCKETS, MOST_OF_ADDRESS, MOST_OF_VISITOR = 3000, 2500, 20
"""Open pages at a time: of all, of one address, behind which a whole lecture hall can be, and of one browser. Browsers of one address that send no
cookie count as one."""
MOST_KNOWN = 20_000  # visitors whose last address is known
_SWEPT_APART_S = 10.0
FULL = "This server has as many open pages as it takes: close one, or try again in a few minutes."
NOBODY = "This server cannot tell your browser from others, since it sends no cookie of this page: allow cookies here, then load the page again."
"""The sentence for who has no identity, in a classroom: he would get as many positions in the queue as he opens pages."""
WRONG_CODES, WRONG_OF_ADDRESS, TRIED_WITHIN_S = 10, 200, 60.0
"""Wrong codes of rooms in so many seconds: of one visitor, and of one address, behind which a whole lecture hall can be. A code is one of 282 billion:
a hundred addresses that try all the time would find one of 40 rooms within twelve hours with a probability below 1 in 100. There is no limit of all
addresses together, since one of them could use it up."""


def issued() -> str:
    """The cookie of a browser that has none."""
    name = token_hex(_HALF // 2)
    return name + _signature(name)


def _signature(name: str) -> str:
    return hmac.digest(_KEY, name.encode("ascii"), "sha256").hex()[:_HALF]


def of(cookie: str) -> str:
    """The visitor of a cookie; "" where this server did not give it out."""
    own = _TOKEN.fullmatch(cookie) and hmac.compare_digest(cookie[_HALF:], _signature(cookie[:_HALF]))
    return cookie if own else ""


def network(address: str) -> str:
    """The part of an address that counts as one: of IPv6 the half that an internet provider gives out, since a customer has all the others."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        parsed = parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64)
    return str(parsed)


class Visitors:
    """The visitors with open pages, and from where they come. Every method may be called from any thread. `clock`: in
    seconds, which only goes forward."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._lock = clock, threading.RLock()
        self._open: Counter[tuple[str, str]] = Counter()
        self._here: Counter[str] = Counter()
        self._address: dict[str, str] = {}  # whoever came last stands last
        self._sockets: set[str] = set()
        self._wrong: dict[str, list[tuple[float, str]]] = {}
        self._swept = clock()

    def enter(self, visitor: str, address: str) -> bool:
        """Another page of this visitor opens; False where there is no room for it, and then it must not."""
        with self._lock:
            if not self.fits(visitor, address):
                return False
            self._open[address, visitor] += 1
            self._here[address] += 1
            if visitor:
                self._address.pop(visitor, None)
                self._address[visitor] = address
                if len(self._address) > MOST_KNOWN:
                    del self._address[next(iter(self._address))]
            return True

    def leave(self, visitor: str, address: str) -> None:
        """One of them is closed."""
        with self._lock:
            self._open[address, visitor] -= 1
            self._here[address] -= 1
            if not self._open[address, visitor]:
                del self._open[address, visitor]
            if not self._here[address]:
                del self._here[address]

    def opened(self) -> str:
        """The name of a new socket of a page."""
        with self._lock:
            self._sockets.add(name := token_hex(16))
            return name

    def closed(self, socket: str) -> None:
        """It is closed."""
        with self._lock:
            self._sockets.discard(socket)

    def is_open(self, socket: str) -> bool:
        """Check whether a page's socket is still open; one without a name, which no gate has let in, always is."""
        with self._lock:
            return not socket or socket in self._sockets

    def fits(self, visitor: str, address: str) -> bool:
        """Check whether there is room for another page of this visitor."""
        with self._lock:
            return (
                self._here.total() < MOST_SOCKETS
                and self._here[address] < MOST_OF_ADDRESS
                and self._open[address, visitor] < MOST_OF_VISITOR
            )

    def address_of(self, visitor: str) -> str:
        """From where this visitor came last; "" where that is not known."""
        with self._lock:
            return self._address.get(visitor, "")

    def may_try(self, visitor: str, address: str, *, right: bool) -> bool:
        """Check whether this visitor may try the code of a room, the right one or a wrong one, which counts; all without a cookie are one visitor of
        the address."""
        with self._lock:
            now = self._clock()
            if now - self._swept >= _SWEPT_APART_S:  # not at every try, since there can be many
                self._swept = now
                self._wrong = {who: tries for who, tries in self._wrong.items() if now - tries[-1][0] < TRIED_WITHIN_S}
            wrong = [attempt for attempt in self._wrong.get(address, ()) if now - attempt[0] < TRIED_WITHIN_S]
            if len(wrong) >= WRONG_OF_ADDRESS or sum(who == visitor for _, who in wrong) >= WRONG_CODES:
                return False
            if not right:
                self._wrong[address] = [*wrong, (now, visitor)]
            return True


HERE = Visitors()  # of the server of this process
