"""The JSON that the commands print with --json."""

import json
import sys
from dataclasses import asdict
from typing import Any

from specviz.settings import Settings
from specviz.trace.metrics import Summary


def figures(summary: Summary, settings: Settings) -> dict[str, Any]:
    """A summary as in the JSON of every command, with the acceptance rule: every rule but "exact" is lossy."""
    return {**asdict(summary), "rule": settings.rule, "lossy": settings.lossy}


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object on stdout; ASCII only, so that the encoding cannot matter."""
    sys.stdout.write(json.dumps(value, allow_nan=False) + "\n")
