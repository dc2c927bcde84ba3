"""What the page says of a loaded pair, drawn by Streamlit without a browser."""

import pytest

from tests.helpers.app_page import run

pytestmark = pytest.mark.slow

NOTES = (
    "The cache of this model could not be rolled back: it is read again.",
    "Trees are read path by path: ![x](http://198.51.100.1/p.png)",
)


def _script(notes: tuple[str, ...], why: str = "") -> None:
    from dataclasses import replace

    from app.screens import models
    from app.server.job import Job, Status
    from specviz.request import PairRequest
    from specviz.wire import Load
    from tests.helpers.views import MIXED, trace_of

    card = replace(trace_of(MIXED).card, notes=notes)
    load = Load("a", PairRequest())
    models.show_state(Job(load, Status.DONE, card=card, plain_rate=120.0, why_dtype=why))


def test_what_was_set_aside_and_why_a_format_was_chosen_stands_on_the_card() -> None:
    """Each note of the pair's card, and the engine's reason for the number format, is a line of its own after the figures, none where there is nothing to
    say; a link or markup in it is only text."""
    why = "The weights are stored in float32: ![x](http://198.51.100.1/p.png)"
    for notes, reason in (((), ""), (NOTES, ""), ((), why)):
        page = run(_script, notes, reason)
        assert "plain decoding measured at load: 120 tokens per second" in page.caption[0].value
        said = [caption.value for caption in page.caption[1:]]
        assert len(said) == len(notes) + bool(reason)
        begins = "**Number format** float32. The weights are" if reason else "**Note** "
        assert all(line.startswith(begins) for line in said)
        assert not any("![x](" in line for line in said)


def _sidebar() -> None:
    from app.screens import shared

    shared.sidebar()


def test_what_the_load_says_moves_no_control_of_the_menu() -> None:
    """It grows and shrinks while a list may be open, which closes where the menu scrolls: nothing that can be pressed stands below it."""
    shown = [element.type for element in run(_sidebar).sidebar]
    assert shown[-1] in ("progress", "caption")
    assert "selectbox" in shown
