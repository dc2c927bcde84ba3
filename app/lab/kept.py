"""What the Lab has once for all visitors: its database, who carries out sweeps, and the sweeps that were read."""

import streamlit as st

from app import resources
from app.lab.driver import Driver
from specviz.errors import StoreError
from specviz.lab.results import Sweep
from specviz.lab.store import Listed, Store


@st.cache_resource(max_entries=1, show_spinner=False)
def store() -> Store:
    """The lab's database, checked once; see `forget`."""
    return Store()


def forget() -> None:
    """Open the database anew next time: one that was damaged meanwhile is then set aside."""
    store.clear()


@st.cache_resource(max_entries=1, show_spinner=False)
def driver() -> Driver:
    """Who carries out the sweeps of this server."""
    return Driver(resources.jobs())


def sweep(name: str) -> Sweep:
    """A sweep with everything that was measured of it; read again when the database has changed.

    Raises:
        InputError: there is none of this name.
        StoreError: it cannot be read.
    """
    return _sweep(name, *_changed())


def listing() -> tuple[Listed, ...]:
    """Every sweep, the latest first; read again when the database has changed.

    Raises:
        StoreError: they cannot be read.
    """
    return _listing(*_changed())


def _changed() -> tuple[int, int]:
    """What differs after every change of the database.

    Raises:
        StoreError: it is gone.
    """
    try:
        found = store().path.stat()
    except OSError as error:
        raise StoreError(
            f"The lab's database {str(store().path)!r} is gone ({error.strerror}): reload the page."
        ) from None
    return found.st_mtime_ns, found.st_size


@st.cache_resource(max_entries=4, show_spinner=False)
def _sweep(name: str, changed: int, size: int) -> Sweep:
    return store().sweep(name)


@st.cache_resource(max_entries=1, show_spinner=False)
def _listing(changed: int, size: int) -> tuple[Listed, ...]:
    return store().listing()
