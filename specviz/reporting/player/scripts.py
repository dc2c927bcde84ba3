"""The player and the race as joined scripts and styles, from the files of the page."""

from typing import Any

from specviz.decoding.constants import DELTA, EPSILON
from specviz.decoding.drafters import registry
from specviz.folders import PAGE
from specviz.reporting.player import looks
from specviz.reporting.player.bundle import bundle

PLAYER, RACE, LESSONS = (PAGE / "app" / name for name in ("player", "race", "lessons"))


def script() -> str:
    """The player as one module, which exports how it is mounted."""
    return bundle(PLAYER / "component.js")


def alone_script() -> str:
    """The player as one module that mounts itself, for a page of its own."""
    return bundle(PLAYER / "alone.js")


def race_script() -> str:
    """The race as one module, which exports how it is mounted."""
    return bundle(RACE / "component.js")


def style() -> str:
    """The player's style sheets after the colours of the looks."""
    return looks.css_variables() + "".join(
        (PLAYER / name).read_text(encoding="utf-8") for name in ("player.css", "origins.css")
    )


def race_style() -> str:
    """race.css after the colours of the looks."""
    return looks.css_variables() + (RACE / "race.css").read_text(encoding="utf-8")


def explorables_script() -> str:
    """The explorables of the lessons as one script, which defines `EXPLORABLES`: how each is put into an element."""
    return bundle(LESSONS / "explorables.js")


def explorables_style() -> str:
    """lessons.css after the colours of the looks."""
    return looks.css_variables() + (LESSONS / "lessons.css").read_text(encoding="utf-8")


def learn_script() -> str:
    """The Learn screen as one module, with the player and the explorables."""
    return bundle(LESSONS / "learncomponent.js")


def learn_style() -> str:
    """The player's style, what a lesson lights on it, and the words beside it."""
    return style() + "".join(
        (LESSONS / name).read_text(encoding="utf-8")
        for name in ("lit.css", "glossary.css", "learn.css", "measuring.css")
    )


def moment_script() -> str:
    """What tells a stage of the presenter's moment, as one module."""
    return bundle(PAGE / "app" / "room" / "momentcomponent.js")


def measured_script() -> str:
    """What tells the Learn screen of measurements, as one module."""
    return bundle(LESSONS / "measuredcomponent.js")


def welcome_script() -> str:
    """The card of a first visit as one module."""
    return bundle(LESSONS / "welcome.js")


def welcome_style() -> str:
    """The style of that card."""
    return (LESSONS / "welcome.css").read_text(encoding="utf-8")


def given() -> dict[str, Any]:
    """What the player needs beside a view, the same for all views: looks, drafters, constants of the rules."""
    return {
        "looks": looks.looks(),
        "drafters": registry.catalogue(),
        "rules": {"typical": {"epsilon": EPSILON, "delta": DELTA}},
    }
