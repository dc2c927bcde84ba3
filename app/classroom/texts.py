"""Texts of the audience: visible text, and only so much of it; and the error of a room, which its phones show in their language."""

import unicodedata

from specviz.errors import InputError
from specviz.words import ENGLISH, translate

LONGEST_PROMPT = 500
_HIDDEN = {"Cc", "Cf", "Co", "Cs", "Cn"}
"""Control, format (such as those that turn the direction of text), private, surrogate and unassigned characters."""
_JOINERS = {"\u200c", "\u200d"}  # format characters that Persian, Hindi and emoji need


class RoomError(InputError):
    """Something that cannot be done in a room, or not by this person, or not now.

    Args:
        sentence: in English; a sentence for phones is a plain string, with a gap such as `{code}` for each of the values, and has a
            translation in every language of the page.
        values: what fills its gaps; without any the sentence stays as it is.
    """

    def __init__(self, sentence: str, **values: str | int) -> None:
        self._sentence, self._values = sentence, values
        super().__init__(self.said(ENGLISH))

    def said(self, language: str) -> str:
        """The sentence in a language; large numbers in groups of three digits."""
        between = "," if language == ENGLISH else "\u202f"
        values = {
            name: value if isinstance(value, str) else f"{value:,}".replace(",", between)
            for name, value in self._values.items()
        }
        sentence = translate(self._sentence, language)
        return sentence.format(**values) if values else sentence


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
