"""What a page is given of a sentence, in English again."""

from typing import Any


def english(given: Any) -> str:
    """The sentence with its gaps filled, see `specviz.words.for_page`."""
    if not isinstance(given, dict):
        return str(given)
    if "digits" in given:
        return f"{given['number']:.{given['digits']}f}"
    return str(given["text"]).format(**{name: english(value) for name, value in given["values"].items()})
