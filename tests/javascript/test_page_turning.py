"""The pages of a lesson and their addresses, without a browser."""

from typing import Any

import pytest

from tests.helpers.node import Node

MODULES = ("lessons/page_turning", "shared/words")


@pytest.mark.parametrize(
    ("search", "page"),
    [("", 0), ("?step=", 0), ("?step=1", 0), ("?step=4", 3), ("?step=11", 10), ("?step=12", None), ("?step=0", None),
     ("?step=-1", None), ("?step=1e1", None), ("?step=x", None), ("?step=99999999999", None)],
)  # fmt: skip
def test_an_address_names_a_page(js: Node, search: str, page: int | None) -> None:
    """Pages are numbered from 1 in the address; a page that is not there is none."""
    assert js.call("search => pageOf(search, 11)", search) == page


def test_an_address_is_written_as_it_is_read(js: Node) -> None:
    """Lesson and step are set, other parameters stay, the language among them."""
    write = "(search, lesson, page) => searchOf(search, lesson, page)"
    english = {"name": "editor"}
    assert js.call(write, "", english, 3) == "?lesson=editor&step=4"
    assert js.call(write, "?talk=1&lesson=x&lang=de", english, 0) == "?talk=1&lesson=editor&lang=de&step=1"


def test_steps_then_questions_then_the_way_on(js: Node) -> None:
    """A page for each, in this order; a sentence's gaps are filled, and an unknown gap stays. A page without a moment holds the one before,
    a question has a picture of its own before it is answered, and the way on shows the end of a run."""
    place = {"recording": "letter", "moment": {"round": 2}, "lit": [{"part": "text"}]}
    nowhere: dict[str, Any] = {"recording": None, "moment": None, "lit": []}
    lesson = {
        "steps": [{"title": "one", "place": place}, {"title": "two", "place": nowhere}],
        "questions": [
            {"html": "why?", "before": {**place, "moment": {"round": 5}}, "answer": {**place, "moment": {"round": 6}}}
        ],
    }
    lesson["ending"] = {"html": "so", "place": {**nowhere, "recording": "letter", "moment": {"round": 9}}}  # type: ignore[assignment]
    kinds = js.call("lesson => pagesOf(lesson).map(({ kind, title }) => [kind, title])", lesson)
    assert kinds == [["step", "one"], ["step", "two"], ["question", "why?"], ["end", ""]]
    places = js.call("lesson => pagesOf(lesson).map(({ place }) => place)", lesson)
    unlit = {**place, "lit": []}
    asked = {**place, "moment": {"round": 5}}
    assert places == [place, unlit, asked, {**unlit, "moment": {"round": 9}}]
    assert js.call("() => filledIn('{a} of {b}', { a: 1 })") == "1 of {b}"
