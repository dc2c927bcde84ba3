"""Teaching: the page is shown to a room, in large type, where its address says so: `?teach=1`, and `?notes=1` for the presenter's notes."""

from app.state import address
from app.state.address import NOTES, TEACH


def on() -> bool:
    """True if the page is shown to a room."""
    return address.parameter(TEACH) == "1"


def notes() -> bool:
    """True if it shows the presenter's notes too."""
    return on() and address.parameter(NOTES) == "1"


def switch(to: bool, *, notes: bool = False) -> None:
    """Begin or end to teach."""
    address.change({TEACH: "1" * to, NOTES: "1" * (to and notes)})


def parameters() -> dict[str, str]:
    """The parameters with which another screen goes on to teach."""
    return {TEACH: "1", **({NOTES: "1"} if notes() else {})} if on() else {}
