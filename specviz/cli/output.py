"""Figures and choices of a run in the JSON that the commands print with --json."""

from dataclasses import asdict
from typing import Any

from specviz.setting_labels import planned
from specviz.settings import Settings
from specviz.trace.metrics import Summary
from specviz.trace.plan import Plan


def figures(summary: Summary, settings: Settings) -> dict[str, Any]:
    """A summary as in the JSON of every command, with the acceptance rule: every rule but "exact" is lossy."""
    return {**asdict(summary), "rule": settings.rule, "lossy": settings.lossy}


def choices(settings: Settings, plan: Plan | None) -> dict[str, Any]:
    """The settings of a run with nothing left open, and how what was left open was chosen; None where nothing was."""
    said = plan and {**asdict(plan), "predicted": plan.predicted, "why": planned(plan, settings)}
    return {"settings": asdict(settings), "plan": said}
