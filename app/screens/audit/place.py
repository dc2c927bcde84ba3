"""Which part of the screen Audit is shown, as its address says."""

from app.state import address
from app.state.address import AUDIT_PART, EXHIBIT, GUESS
from specviz.audit.messages import AUDIT

GAME, BUGS, DECODER = "game", "bugs", "decoder"


def part() -> str:
    """The part that the address names; the game where it names none."""
    query = address.parameters()
    named = query.get(AUDIT_PART, "")
    if named in (GAME, BUGS, DECODER):
        return named
    if query.get(EXHIBIT):
        return BUGS
    if query.get(GUESS):
        return GAME
    return DECODER if any(query.get(name) for name in (AUDIT, *address.CHOICES)) else GAME


def refused() -> str:
    """A sentence on a part of the address that the screen does not have; "" where all is well."""
    named = address.parameter(AUDIT_PART)
    if named in ("", GAME, BUGS, DECODER):
        return ""
    return f"The address names the part {named[:40]!r}, which Audit does not have: it has {GAME}, {BUGS} and {DECODER}."


def go(to: str, *, exhibit: str = "", pair: str = "") -> None:
    """Show a part: of the zoo its list or this exhibit, of the game this pair."""
    address.change({AUDIT_PART: to, EXHIBIT: exhibit, GUESS: pair})
