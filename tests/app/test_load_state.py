"""What the page says of a loaded pair, drawn by Streamlit without a browser."""

from streamlit.testing.v1 import AppTest

NOTES = (
    "The cache of this model could not be rolled back: it is read again.",
    "Trees are read path by path: ![x](http://198.51.100.1/p.png)",
)


def _script(notes: tuple[str, ...], why: str = "") -> None:
    from dataclasses import replace

    from app.job import LoadState, Status
    from app.screens import models
    from tests.helpers.views import MIXED, trace_of

    card = replace(trace_of(MIXED).card, notes=notes)
    models.show_state(LoadState(Status.DONE, "", "", None, 0, card, 120.0, why))


def test_what_was_set_aside_stands_on_the_card() -> None:
    """Each note of the pair's card is a line of its own, after the figures; a link or markup in it is only text."""
    for notes in ((), NOTES):
        page = AppTest.from_function(_script, args=(notes,)).run(timeout=300)
        assert not page.exception
        assert "plain decoding measured at load: 120 tokens per second" in page.caption[0].value
        said = [caption.value for caption in page.caption[1:]]
        assert len(said) == len(notes)
        assert all(line.startswith("**Note** ") for line in said)
        assert not any("![x](" in line for line in said)


def test_the_number_format_says_why_it_was_chosen() -> None:
    """One line after the figures, where the engine chose the format; none where the visitor did. A link in it is only text."""
    for why in ("", "The weights are stored in float32: ![x](http://198.51.100.1/p.png)"):
        page = AppTest.from_function(_script, args=((), why)).run(timeout=300)
        assert not page.exception
        said = [caption.value for caption in page.caption[1:]]
        assert len(said) == bool(why)
        assert all(line.startswith("**Number format** float32. The weights are") for line in said)
        assert not any("![x](" in line for line in said)
