"""The check of the hints finds a false claim."""

from typing import Any

import pytest

from specviz.trace.files import read_file
from tests.helpers.fuzz import TRACES
from tests.helpers.hints import OF_THE_ROUNDS, OF_THE_TEXT, Text, contradicted

# kind of claim -> recording, a claim that is true of it, one that is not
CASES: dict[str, tuple[str, Any, Any]] = {
    "first_guess": ("mongolia", "accepted", "rejected"),
    "rejections": ("capital", 2, [3, 9]),
    "checked": ("capital", 23, 24),
    "share": ("capital", [0.9, 0.92], [0.95, 1]),
    "whole": ("capital", [2, 4, 5], [1]),
    "at_once": ("capital", 1, 2),
    "tokens_in_passes": ("capital", [26, 6], [26, 7]),
    "rejected": ("capital", [["K", "O"], ["N", "the"]], [["N", "the"], ["K", "O"]]),
    "rejected_first": ("threes", [["0", "3"], ["2", "6"]], [["2", "6"]]),
    "guesses_like": ("threes", {"[0-9]": 4}, {"[0-9]": 5}),
    "own_like": ("threes", {"[0-9]": 4, "[.]": 1}, {"[0-9]": [5, 9]}),
    "thrown_away": ("capital", [["K", "os"]], [["N", "os"]]),
    "uncorrected": ("capital", ["uagadougou"], ["Ouagadougou"]),
    "accepted_beside": ("products-tree", {"7": ["1", "6", "2", "3"]}, {"7": ["9"]}),
    "temperature": ("lighthouse", 0.8, 0),
    "text_has": ("coffee", {"large iced coffee": 2}, {"large iced coffee": 3}),
    "text_lacks": ("vowels", ["for vowel", "while"], ["for char"]),
    "text_begins": ("capital", "Ouagadougou.", "The"),
    "copied": ("coffee", ["large iced coffee"], ["please"]),
    "ended": ("people", False, True),
}


def test_each_kind_of_claim_can_fail() -> None:
    """Of two claims of every kind on a shipped recording, the true one passes and the false one is named."""
    assert set(CASES) == {*OF_THE_TEXT, *OF_THE_ROUNDS}
    for kind, (name, right, wrong) in CASES.items():
        run = read_file(TRACES / f"{name}.json")[0]
        assert contradicted({kind: right}, run) == []
        assert contradicted({kind: wrong}, run) == [f"{kind}: {wrong}"]


def test_a_text_alone_has_no_rounds() -> None:
    """A claim on guesses cannot be made where only the text is known, whatever drafts."""
    text = Text("One, two,", " three.", True)
    assert contradicted({"text_has": {"three": 1}, "ended": False}, text) == ["ended: False"]
    with pytest.raises(KeyError):
        contradicted({"rejections": 0}, text)
