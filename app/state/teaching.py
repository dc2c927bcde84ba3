"""Teaching: the page is shown to a room, in large type, where its address says so: `?teach=1`, and `?notes=1` for the presenter's notes."""

from app.state import address
from app.state.address import NOTES, PRESENT, TALK, TEACH


def on() -> bool:
    """True if the page is shown to a room."""
    return any(address.parameter(name) == "1" for name in (TEACH, TALK, PRESENT))


def notes() -> bool:
    """True if it shows the presenter's notes too."""
    return on() and "1" in (address.parameter(NOTES), address.parameter(PRESENT))


def switch(to: bool, *, notes: bool = False) -> None:
    """Begin or end to teach."""
    address.change({TEACH: "1" * to, NOTES: "1" * (to and notes), TALK: "", PRESENT: ""})


def parameters() -> dict[str, str]:
    """The parameters with which another screen goes on to teach."""
    return {TEACH: "1", **({NOTES: "1"} if notes() else {})} if on() else {}
