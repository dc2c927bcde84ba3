"""The options of a kind of head, as `train head --option NAME=VALUE` changes them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from specviz.errors import TrainingError

_TYPES: Mapping[type, str] = {bool: "true or false", int: "a whole number", float: "a number"}


def parsed(given: Sequence[str]) -> dict[str, Any]:
    """What was given as NAME=VALUE, with values as in JSON: true, false, numbers.

    Raises:
        TrainingError: one of them is something else, or is given twice.
    """
    found: dict[str, Any] = {}
    for each in given:
        name, equals, text = each.partition("=")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        if not equals or not name or type(value) not in _TYPES:
            raise TrainingError(
                f"--option was {each!r:.60}: give NAME=VALUE with true, false or a number as the value."
            )
        if name in found:
            raise TrainingError(f"--option {name[:40]} was given twice: give it once.")
        found[name] = value
    return found


def applied(kind: str, options: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a kind with those that were given in their place.

    Raises:
        TrainingError: the kind has no option of this name, or one of another type.
    """
    for name, value in given.items():
        if name not in options:
            known = ", ".join(options) or "none"
            raise TrainingError(f"--option {name[:40]} is no option of the kind {kind}: its options are {known}.")
        wanted = type(options[name])
        if type(value) is not wanted:
            raise TrainingError(f"--option {name} was {json.dumps(value):.40}: give {_TYPES[wanted]}.")
    return {**options, **given}


def written(given: Mapping[str, Any]) -> str:
    """As on the command line, each with a space before it; "" for nothing."""
    return "".join(f" --option {name}={json.dumps(value)}" for name, value in given.items())
