"""Medians, spreads, and the choice of prompts."""

import pytest

from specviz.errors import InputError
from specviz.reporting.figures import Figure, figure, ratios
from specviz.reporting.prompts import ReadyPrompt, chosen_prompts, ready_prompts

READY = tuple(ReadyPrompt(f"{kind} {n}", kind, "text") for kind in ("letters", "word problems") for n in range(3))


def test_a_figure_is_the_median_with_its_ends() -> None:
    """A figure has the median, the lowest and the highest value; without values there is none."""
    assert figure([3.0, 1.0, 2.0, 10.0]) == Figure(2.5, 1.0, 10.0)
    with pytest.raises(ValueError, match="No values were given"):
        figure([])


def test_ratios_are_of_what_was_measured_side_by_side() -> None:
    """Each turn has its own ratio, and the figure is of these ratios, not of the two medians."""
    assert ratios([1.0, 9.0, 4.0], [1.0, 3.0, 1.0]) == Figure(3.0, 1.0, 4.0)
    with pytest.raises(ValueError, match="longer"):
        ratios([1.0], [1.0, 2.0])


@pytest.mark.parametrize(
    ("asked", "titles"),
    [
        ((), ["letters 0", "word problems 0"]),
        (("2",), ["letters 0", "letters 1", "word problems 0", "word problems 1"]),
        (("word problems",), ["word problems 0"]),
        (("letters", "2", "letters"), ["letters 0", "letters 1"]),
        (("9", "letters"), ["letters 0", "letters 1", "letters 2"]),
    ],
)
def test_prompts_by_number_and_category(asked: tuple[str, ...], titles: list[str]) -> None:
    """A number gives so many prompts of each category, a name gives this category only, and no prompt is repeated."""
    assert [prompt.title for prompt in chosen_prompts(asked, READY)] == titles


@pytest.mark.parametrize("asked", [("poems",), ("0",), ("1", "2"), ("-1",), ("1.5",)])
def test_other_words_are_refused(asked: tuple[str, ...]) -> None:
    """Words that select no prompts raise an error that lists the valid words."""
    with pytest.raises(InputError, match=r"^prompts was .* give .*\.$"):
        chosen_prompts(asked, READY)


def test_every_category_is_timed_by_default() -> None:
    """By default, one of the project's own prompts is chosen for each of the nine categories."""
    assert len(chosen_prompts(["1"], ready_prompts())) == 9
