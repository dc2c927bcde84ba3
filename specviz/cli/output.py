"""The exit codes of the command line, and the JSON of a run's figures and settings."""

from dataclasses import asdict
from typing import Any

from specviz.setting_labels import planned
from specviz.settings import Settings
from specviz.trace.metrics import Summary
from specviz.trace.plan import Plan

FAILED = 1  # something failed that no check foresaw; one sentence on stderr names it
BAD_INPUT = 2  # the request cannot be carried out; one sentence on stderr explains why
STOPPED = 130  # by Ctrl-C
READER_GONE = 141  # the reader of the output closed the pipe


def figures_json(summary: Summary, settings: Settings) -> dict[str, Any]:
    """A summary as in the JSON of every command, with the acceptance rule: every rule but "exact" is lossy."""
    return {**asdict(summary), "rule": settings.rule, "lossy": settings.lossy}


def choices_json(settings: Settings, plan: Plan | None) -> dict[str, Any]:
    """The settings of a run with nothing left open, and the plan that chose what was left open; None where nothing was."""
    reasons = plan and {**asdict(plan), "predicted": plan.predicted, "why": planned(plan, settings)}
    return {"settings": asdict(settings), "plan": reasons}
