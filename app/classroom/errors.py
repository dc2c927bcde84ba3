"""The error of a room."""

from specviz.errors import InputError
from specviz.words import ENGLISH, translate


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
