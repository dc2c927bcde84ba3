"""Texts of the audience: visible text, and only so much of it."""

import unicodedata

from app.classroom.errors import RoomError

LONGEST_PROMPT = 500
_HIDDEN = {"Cc", "Cf", "Co", "Cs", "Cn"}
"""Control, format (such as those that turn the direction of text), private, surrogate and unassigned characters."""
_JOINERS = {"\u200c", "\u200d"}  # format characters that Persian, Hindi and emoji need


def words(text: str, most: int, what: str) -> str:
    """One line of visible text; white space of every kind becomes a space. Raises RoomError if nothing is left, it is
    longer than `most` characters, or it has characters that nobody can see."""
    line = " ".join(text.split())
    if len(line) > most:
        raise RoomError("The {what} has {count} characters: at most {most} fit.", what=what, count=len(line), most=most)
    hidden = next(
        (character for character in line if unicodedata.category(character) in _HIDDEN and character not in _JOINERS),
        None,
    )
    if hidden is not None:
        raise RoomError(
            "The {what} has the control character {sign}: send visible text only.",
            what=what,
            sign=f"U+{ord(hidden):04X}",
        )
    if not line:
        raise RoomError("The {what} is empty: write something first.", what=what)
    return line
