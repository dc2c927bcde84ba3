"""Converts traces of schema specviz.trace/1 to specviz.trace/2. Standard library only.

In the first schema the card described the drafter in words, including the number of its layers: "early exit, 4 of 12 layers".
"""

import re
from typing import Any

FIRST_SCHEMA = "specviz.trace/1"
_LAYERS = re.compile(r"(.{1,40}), (\d{1,4}) of \d{1,4} layers")


def upgraded(trace: Any) -> Any:
    """Convert a trace of plain JSON values that has not been checked yet; errors in it are left for the check to find.

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
