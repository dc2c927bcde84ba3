"""Who a visitor is: the same in all tabs of one browser and after a reload. Makes no Streamlit call."""

from binascii import Error, unhexlify

COOKIE = "_streamlit_xsrf"
"""Streamlit (1.67) gives every browser a random token in this cookie."""
_MASKED = "2|"


def of(cookie: str) -> str:
    """The token of the cookie. Streamlit writes it with another random mask at every load of a page, so that the cookies of two tabs differ;
    what is not of that form is taken as it is."""
    value = cookie.strip("\"'")
    if not value.startswith(_MASKED):
        return value
    try:
        _, mask, masked, _ = value.split("|")
        return _unmasked(unhexlify(mask), unhexlify(masked))
    except (Error, ValueError):
        return value


def _unmasked(mask: bytes, masked: bytes) -> str:
    if len(mask) != 4:
        raise ValueError("a mask has four bytes")
    return bytes(byte ^ mask[index % 4] for index, byte in enumerate(masked)).hex()
