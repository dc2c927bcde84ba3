"""Which parts of which pages show what, and that they are rendered again as soon as it changes: nobody has to poll for it.

Makes no Streamlit call: `app.streamlit_internals` does. Parts may be registered and pushed from any thread.
"""

import threading
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Generic, Protocol, TypeVar

AT_ONCE = 3
"""So many pages are rendered at a time. All at once, each would be ready only when all are: they share one interpreter."""
_SOON_S, _BUSY_S = 0.004, 0.02
"""How soon it is checked again whether a page has been rendered; whether one that does something else is ready."""
_SWEPT_APART_S = 60.0


class Part(Protocol):
    """A part of one visitor's page."""

    @property
    def session(self) -> str:
        """Whose page it is on."""

    @property
    def name(self) -> str:
        """Its name within the page."""


P = TypeVar("P", bound=Part)
P_contra = TypeVar("P_contra", bound=Part, contravariant=True)


class Pages(Protocol[P_contra]):
    """The open pages. All but `later` are called in the thread in which `later` calls."""

    def later(self, seconds: float, do: Callable[[], None]) -> None:
        """Call it in that thread after so long. May be called from any thread."""

    def is_there(self, part: P_contra) -> bool:
        """Whether a visitor's page has this part."""

    def is_busy(self, session: str) -> bool:
        """Whether this page is being rendered, or has not been sent yet."""

    def render(self, part: P_contra) -> None:
        """Begin to render the part again."""


class Pushes(Generic[P]):
    """What is shown where, by topic.

    A page that is busy comes later, so that a push is never mixed with what its visitor does. Pushes that come while a part waits are one.

    Args:
        clock: in seconds.
    """

    def __init__(self, pages: Pages[P], *, at_once: int = AT_ONCE, clock: Callable[[], float] = monotonic) -> None:
        self._pages, self._at_once, self._clock = pages, at_once, clock
        self._lock = threading.Lock()
        self._shown: dict[str, dict[tuple[str, str], P]] = {}
        self._due: dict[tuple[str, str], P] = {}
        self._rendering: set[str] = set()
        self._serving = False
        self._pushed: dict[str, float] = {}
        self._delayed: set[str] = set()
        self._swept = clock()

    def shows(self, topic: str, part: P) -> None:
        """From now on this part is rendered again with every push of the topic, as long as it is there."""
        with self._lock:
            self._shown.setdefault(topic, {})[part.session, part.name] = part

    def push(self, topic: str, *, apart_s: float = 0.0) -> None:
        """Render what shows this topic again.

        Args:
            apart_s: not sooner than so long after the push before; until then pushes are one. One that need not be apart goes at once, whatever
                else was put off.
        """
        with self._lock:
            now = self._clock()
            wait = max(0.0, self._pushed.get(topic, float("-inf")) + apart_s - now)
            if topic not in self._shown or (wait and topic in self._delayed):
                return
            if wait:
                self._delayed.add(topic)
            else:
                self._pushed[topic] = now
        self._pages.later(wait, lambda: self._begin(topic, put_off=wait > 0))

    def _begin(self, topic: str, *, put_off: bool) -> None:
        with self._lock:
            if put_off:
                self._delayed.discard(topic)
                self._pushed[topic] = self._clock()
            self._due.update(self._shown.get(topic, {}))
        if not self._serving:
            self._serving = True
            self._serve()

    def _serve(self) -> None:
        """Render some of what is due, and come back for the rest."""
        self._rendering = {session for session in self._rendering if self._pages.is_busy(session)}
        for key, part in list(self._due.items()):
            if len(self._rendering) >= self._at_once:
                break
            if not self._pages.is_there(part):
                del self._due[key]
                self._forget([key])
            elif not self._pages.is_busy(part.session):
                del self._due[key]
                self._pages.render(part)
                self._rendering.add(part.session)
        if self._due:
            self._pages.later(_SOON_S if self._rendering else _BUSY_S, self._serve)
            return
        self._serving = False
        if self._clock() - self._swept > _SWEPT_APART_S:
            self._swept = self._clock()
            self._sweep()

    def _sweep(self) -> None:
        """Forget the parts that are gone."""
        with self._lock:
            known = {key: part for parts in self._shown.values() for key, part in parts.items()}
        self._forget([key for key, part in known.items() if not self._pages.is_there(part)])

    def _forget(self, keys: Iterable[tuple[str, str]]) -> None:
        with self._lock:
            for topic in list(self._shown):
                for key in keys:
                    self._shown[topic].pop(key, None)
                if not self._shown[topic]:
                    del self._shown[topic]
                    self._pushed.pop(topic, None)
