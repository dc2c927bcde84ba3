"""What the Lab says of a cell, a table and a sweep that is carried out: pure words, no browser."""

from dataclasses import replace

from app.lab.driver import Standing
from app.lab.words import estimate, figures, label, legend, progress
from specviz.lab.expected import Expected
from specviz.lab.results import REPLANNED
from specviz.lab.store import Listed
from tests.lab.making import found_of
from tests.lab.test_export import BUSY, full, sweep_of


def test_a_cell_says_how_its_figure_came_about() -> None:
    """Measured, calculated, busy without a speedup, left out with its reason, or not made."""
    row = found_of(0).row
    assert row is not None
    busy = sweep_of(replace(found_of(0), row=replace(row, conditions=BUSY)))
    exact = sweep_of(replace(found_of(0), how=REPLANNED))
    measured = figures(full().cells[0], list(full().found))
    assert measured[0].startswith("**1.50×** over plain decoding, measured (lowest 1.40, highest 1.60)")
    assert "same text as plain decoding" in measured[2]
    assert "rounds exact, times priced" in figures(exact.cells[0], list(exact.found))[0]
    assert "no figure" in figures(busy.cells[0], list(busy.found))[0]
    assert figures(full().cells[3], [])[0] == "**Left out**"
    assert figures(None, []) == ["**Not made yet.**"]


def test_the_table_says_what_its_marks_mean() -> None:
    """Each kind with its number of cells; a kind that is not there is not explained."""
    words = legend(full().cells, 6)
    assert [words.count(each) for each in ("2 measured", "1 ≈ calculated", "1 left out", "2 empty", "busy")] == [
        1,
        1,
        1,
        1,
        0,
    ]


def test_the_label_of_a_sweep_stays_while_it_goes_on() -> None:
    """The browser reports the label that it shows; another one by then would be the name of a sweep that is not there."""
    begun = Listed("k", "2026-01-02T03:04:05", "", ("k",), 8, 0, 0.0)
    assert (
        label(begun) == label(replace(begun, done=3, seconds=9.0, machine="a desk")) == "k · 8 runs · 2026-01-02 03:04"
    )


def test_a_sweep_says_where_it_stands() -> None:
    """The run in hand and the time left; who is waited for; and that it stops."""
    now = Standing(8, 2, 0, "k 3: one", "measuring what passes cost", 0, 30.0, False, "ada")
    assert progress(now) == "Run 3 of 8 · k 3: one · measuring what passes cost · about 30 s left"
    assert "2 runs of visitors first" in progress(replace(now, ahead=2))
    assert "stopping after the run in hand" in progress(replace(now, stopping=True))
    assert progress(replace(now, before=1)) == "Waits for 1 other sweep"


def test_an_estimate_says_what_it_comes_from() -> None:
    """Runs, those that are calculated, those that cannot run; and the time with its source, or that nothing says how long."""
    words = estimate(Expected(32, 24, 4, 2, 90.0, "the median of earlier runs, 2 s each"))
    assert words.startswith("**32 runs** · 24 calculated exactly by replanning, from 4 plain runs · 2 left out")
    assert words.endswith("about **2 min** (the median of earlier runs, 2 s each)")
    assert "no run on this machine says yet how long" in estimate(Expected(1, 0, 0, 0, None, ""))
