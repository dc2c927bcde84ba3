"""Traces of schema specviz.trace/1 in the form of specviz.trace/2. Standard library only.

In the first schema the card named the drafter in words, with the number of its layers among them: "early exit, 4 of 12 layers".
"""

import re
from typing import Any

FIRST_SCHEMA = "specviz.trace/1"
_LAYERS = re.compile(r"(.{1,40}), (\d{1,4}) of \d{1,4} layers")


def upgraded(trace: Any) -> Any:
    """A trace of plain JSON values, not yet checked, in the new form; whatever is wrong with it is left for the check.

    Which layers a layer skip used was not recorded, so its card has none.
    """
    match trace:
        case {"card": {"drafter": str(words)} as card}:
            settings = trace.get("settings")
            name = settings.get("drafter", "model") if isinstance(settings, dict) else "model"
            found = _LAYERS.fullmatch(words)
            drafter: dict[str, Any] = {
                "name": "none" if words == "none" else name,
                "label": found[1] if found else words,
            }
            if found and name == "early-exit":
                drafter["layers"] = list(range(int(found[2])))
            return {**trace, "card": {**card, "drafter": drafter}}
    return trace
