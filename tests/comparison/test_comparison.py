"""A comparison as a value: its runs, its table, its conclusions, its files. No model, no page."""

import csv
import io
import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from app.server.job import Job, Status
from app.stage import chart
from app.stage.comparison import VisitComparison
from specviz.comparison import planning, results
from specviz.comparison.planning import plan_of, values_of
from specviz.comparison.results import Comparison, ComparisonRow, conclusion, row_of
from specviz.decoding.drafters import registry
from specviz.errors import InputError
from specviz.known_pairs import FAMILY
from specviz.reporting.run_figures import Figures, Same, TextCheck
from specviz.request import PairRequest, Request
from specviz.settings import Settings
from specviz.trace.conditions import Conditions
from specviz.wire import RunPrompt

BASE = Request(PairRequest("embedded"), "Once upon a time", Settings(max_new_tokens=24, seed=3))
HEADS = ("medusa", "eagle3")


def _rows(draw: random.Random, varied: Mapping[str, tuple[str, ...]]) -> tuple[ComparisonRow, ...]:
    """Rows of random figures, some without a speedup."""
    points = [{"k": "5", "drafter": "model", "draft": "embedded", "temperature": "0", "kind": "own"}]
    for axis, values in varied.items():
        points = [{**point, axis: value} for point in points for value in values]
    rows = []
    for at in points:
        speed = draw.uniform(0.5, 2.5)
        row = ComparisonRow(at, speed, speed - 0.01, speed + 0.01, draw.uniform(1, 5), draw.random(), 24, 8, "same")
        rows.append(row if draw.random() < 0.8 else replace(row, speedup=None, why="this machine is busy"))
    return tuple(rows)


def test_every_cell_differs_from_the_base_in_its_own_values_only() -> None:
    """Each axis by itself and two together; what is not named is the base's, and a drafter of chains has no tree."""
    plan = plan_of(BASE, {"k": values_of("k", "1..4")}, draft=True)
    assert [cell.request for cell in plan.cells] == [
        replace(BASE, settings=replace(BASE.settings, k=k)) for k in (1, 2, 3, 4)
    ]
    both = plan_of(BASE, {"temperature": ["0", "0.7"], "draft": ["all"]}, draft=True)
    assert list(both.varied) == ["draft", "temperature"]
    assert [cell.request.pair.name for cell in both.cells] == [name for name in FAMILY for _ in range(2)], "loaded once"
    assert {cell.request.settings.temperature for cell in both.cells} == {0.0, 0.7}
    every = plan_of(BASE, {"drafter": ["all"]}, draft=True, heads=HEADS)
    assert every.varied["drafter"] == registry.able(draft=True, heads=HEADS)
    kinds = plan_of(BASE, {"kind": ["all"], "k": ["3"]}, draft=True)
    assert (len(kinds.cells), len({cell.request.prompt for cell in kinds.cells})) == (9, 9)
    assert {cell.request.settings.k for cell in kinds.cells} == {3}
    assert all(dict(cell.at)["k"] == "3" for cell in kinds.cells)


REFUSED: list[tuple[dict[str, str], str]] = [
    ({"k": "0"}, "k was '0': give numbers from 1 to 16."),
    ({"k": "8..1"}, "k was '8..1': give values such as"),
    ({"temperature": "hot"}, "temperature was 'hot': give numbers from 0 to 10."),
    ({"drafter": "nobody"}, "drafter was 'nobody': choose one of model"),
    ({"drafter": "medusa"}, "needs a head of the kind medusa"),
    ({"draft": "gpt2"}, "the draft models of this target are embedded, embedded-undistilled"),
    ({"kind": "poems"}, "kind was 'poems': choose from letters"),
    ({"k": "1..8", "kind": "all"}, "8 of draft length k × 9 of kind of text are 72 runs: a comparison has at most 24"),
    ({"k": "1,2", "temperature": "0,1", "kind": "all"}, "What varies was draft length k, temperature, kind of text: a comparison has one or two"),
]  # fmt: skip


def test_what_cannot_be_compared_is_one_sentence() -> None:
    """It says what was received and what to give, before anything is loaded."""
    for chosen, says in REFUSED:
        with pytest.raises(InputError, match=r"^[^\n]*\.$") as caught:
            plan_of(BASE, {axis: values_of(axis, text) for axis, text in chosen.items()}, draft=True)
        assert says in str(caught.value)


def test_a_row_has_the_figures_of_its_run() -> None:
    """The median with the range of the timed pairs; on a busy machine the counts stay, and there is a reason in place of the speedup."""
    cell = plan_of(BASE, {"k": ["4"]}, draft=True).cells[0]
    figures = Figures(24, 8, 0.75, 90.0, 45.0, 2.0, (1.9, 2.0, 2.2), 3, TextCheck(Same.SAME, 24), False, "float32", most=3.0)  # fmt: skip
    assert row_of(cell, figures) == ComparisonRow(dict(cell.at), 2.0, 1.9, 2.2, 3.0, 0.75, 24, 8, "same", "")
    conditions = Conditions(False, 3, 0, True, 0.5, 4.0, 0.6, 1.9, 2, 1, 2)
    row = row_of(cell, replace(figures, conditions=conditions))
    assert (row.speedup, row.tokens_per_pass, row.alpha, row.why) == (None, 3.0, 0.75, "this machine is busy")


@pytest.mark.parametrize("varied", [{"k": ("1", "2", "3", "4")}, {"k": ("1", "2", "4"), "kind": ("letters", "code")}])
def test_the_conclusion_is_that_of_the_table(varied: dict[str, tuple[str, ...]]) -> None:
    """The best and the worst cell by name and figure, the best of each series, and how many have none: compared with the rows themselves."""
    draw = random.Random(4)  # noqa: S311  # a test repeats itself
    for _ in range(100):
        rows = _rows(draw, varied)
        comparison = Comparison(varied, rows, len(rows))
        for figure in results.FIGURES:
            sentence = conclusion(comparison, figure)
            ranked = sorted((getattr(row, figure), *(row.at[axis] for axis in varied)) for row in rows if getattr(row, figure) is not None)  # fmt: skip
            if not ranked:
                assert sentence.startswith("There is no speedup yet.")
                continue
            (least, *worst), (most, *best) = ranked[0], ranked[-1]
            name = " with ".join([f"k = {best[0]}", *best[1:]])
            assert sentence.index(name) < len("Nothing is faster than plain decoding: the best is ") + 60
            assert results.figure_words(figure, most) in sentence
            assert sentence.startswith("Nothing is faster") == (figure == "speedup" and most <= 1)
            if len(ranked) > 1 and "may be as fast" not in sentence and " and k" not in sentence:
                assert sentence.index(" with ".join([f"k = {worst[0]}", *worst[1:]])) > sentence.index(name)
                assert results.figure_words(figure, least) in sentence
            for kind in varied.get("kind", ()):
                if of_kind := [row for row in ranked if row[-1] == kind]:
                    assert f"{kind}: k = {of_kind[-1][1]} ({results.figure_words(figure, of_kind[-1][0])})" in sentence
            without = len(rows) - len(ranked)
            assert (f"{without} of {len(rows)} without: this machine is busy." in sentence) == (without > 0)


@pytest.mark.parametrize(
    "varied",
    [{"k": ("1", "2", "3", "4")}, {"k": ("1", "2", "4"), "kind": ("letters", "code")}, {"drafter": ("ngram", "tree")}],
)
def test_the_chart_has_the_figures_of_the_table(varied: dict[str, tuple[str, ...]]) -> None:
    """Every mark at the value of its row, with the range of a speedup; a row without the figure has no mark."""
    rows = _rows(random.Random(6), varied)  # noqa: S311  # a test repeats itself
    for figure in results.FIGURES:
        drawn = chart.comparison_chart(Comparison(varied, rows, len(rows)), figure)["data"]
        along, *others = varied
        shown = {}
        for series in drawn:
            ends = series.get("error_y", {"array": [0] * len(series["y"]), "arrayminus": [0] * len(series["y"])})
            for x, y, above, below in zip(series["x"], series["y"], ends["array"], ends["arrayminus"], strict=True):
                shown[varied[along][x], *([series["name"]] if others else [])] = [y - below, y, y + above]
        expected = {tuple(row.at[axis] for axis in varied): getattr(row, figure) for row in rows if getattr(row, figure) is not None}  # fmt: skip
        apart = 0.01 if figure == "speedup" else 0
        assert shown == {at: pytest.approx([value - apart, value, value + apart]) for at, value in expected.items()}


def test_the_files_have_every_figure() -> None:
    """What is saved as JSON is read as it was; the lines of the CSV file have the unrounded figures in the order of the table."""
    varied: dict[str, tuple[str, ...]] = {"k": ("1", "2"), "kind": ("letters", "code")}
    comparison = Comparison(varied, _rows(random.Random(2), varied), 4, "here")  # noqa: S311  # a test repeats itself
    assert results.read(results.as_json(comparison)) == comparison
    lines = [*csv.DictReader(io.StringIO(results.as_csv(comparison)))]
    assert [(line["k"], line["kind"]) for line in lines] == [(row.at["k"], row.at["kind"]) for row in comparison.rows]
    assert [line["speedup"] for line in lines] == ["" if row.speedup is None else str(row.speedup) for row in comparison.rows]  # fmt: skip
    words = results.table_of(comparison)
    assert [line["Speedup"] for line in words] == [results.figure_words("speedup", row.speedup) for row in comparison.rows]  # fmt: skip


def test_the_example_is_a_comparison() -> None:
    """It has as many cells as a comparison may have, each with a trusted speedup and the plain text."""
    example = results.example()
    assert example.cells == len(example.rows) == planning.MOST_CELLS
    assert all(row.speedup and row.text == Same.SAME.value for row in example.rows)
    assert set(example.varied) == {"k", "kind"}


def test_a_run_that_still_ends_does_not_stop_what_goes_on() -> None:
    """Stop, then Compare before the cancelled run has ended: it is requested again, and its end stops nothing."""
    requested, cancelled = list[Job](), list[Job]()

    def run(request: Request) -> Job:
        requested.append(Job(RunPrompt(str(len(requested)), request)))
        return requested[-1]

    base = Request(PairRequest("embedded"), "Once", Settings(max_new_tokens=4))
    comparison = VisitComparison(plan_of(base, {"k": ["1", "2"]}, draft=True))
    comparison.advance(run)
    comparison.stop(cancelled.append)
    assert cancelled == requested
    comparison.resume()
    requested[0].status = Status.CANCELLED
    comparison.advance(run)
    assert comparison.live
    assert [job.request.settings.k for job in requested] == [1, 1]
