"""What the Lab says of a cell, a table and a sweep that is carried out: pure words, no browser."""

from dataclasses import replace

from app import address
from app.lab.driver import Standing
from app.lab.sections import TABS, tab_of
from app.lab.studies.figures import best_k
from app.lab.words import conclusion, estimate, figures, label, legend, progress
from specviz.lab.best_k import BestK
from specviz.lab.expected import Expected
from specviz.lab.results import MEASURED, REPLANNED, TOKENS, standing
from specviz.lab.store import Listed
from tests.lab.making import BUSY, busy_of, found_of
from tests.lab.test_export import full, sweep_of


def test_every_question_of_the_address_has_its_tab() -> None:
    """Links of before to six sections lead to the four tabs that have them now; a name that is none leads to the first."""
    assert [*TABS] == ["Sweeps", "Kinds of text", "Drafts", "Rush hour"]
    assert tuple(section for known in TABS.values() for section in known) == address.SECTIONS
    assert [tab_of(section) for section in ("best-k", "other-machines", "x")] == ["Sweeps", "Rush hour", "Sweeps"]


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


def test_a_cell_that_keeps_its_figure_says_why() -> None:
    """Measured again without a figure: the earlier one with the reason, calculated or measured."""
    for how in (REPLANNED, MEASURED):
        sweep = sweep_of(standing(replace(found_of(0), how=how), busy_of(found_of(0))))
        words = figures(sweep.cells[0], list(sweep.found))
        assert "1.50×" in words[0]
        assert "this machine is busy" in words[-1]


def test_no_answer_is_not_drawn_as_zero() -> None:
    """The best k on a busy machine: a length without a figure has no point, and its name says busy."""
    measured = {k: row for k in (1, 2) if (row := (found_of(0) if k == 1 else busy_of(found_of(0))).row)}
    chart = best_k(BestK("", {}, measured, None))
    assert [y for trace in chart.data for y in trace.y] == [1.5]
    assert list(chart.layout.xaxis.ticktext) == ["1", "2<br>busy"]


def test_a_sweep_says_what_pays_most() -> None:
    """The cell with the highest speedup that is trusted, with how it is known; a slowdown is called one, and a busy one is no answer."""
    assert conclusion(full()) == "What pays most: k = 2, code, 2.00× measured."
    assert (
        conclusion(sweep_of(replace(found_of(0), how=REPLANNED))) == "What pays most: k = 1, code, ≈ 1.50× calculated."
    )
    slow = conclusion(sweep_of(found_of(0, 0.5)))
    assert slow == "Nothing pays here: the best, k = 1, code, is 0.50× measured (slower than plain decoding)."
    assert conclusion(sweep_of(busy_of(found_of(0)))).startswith("No cell has a speedup that can be trusted")
    assert conclusion(sweep_of()) == ""


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

    busy = sweep_of(busy_of(found_of(0)), found_of(1))
    assert "1 busy" in legend(busy.cells, 4)
    assert legend(busy.cells, 4, TOKENS).startswith("2 exact")


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
    assert "2 runs of visitors first, about 20 s by" in progress(replace(now, ahead=2, wait_s=20.0))
    assert progress(replace(now, title="")).startswith("Part 3 of 8 · measuring what passes cost")
    assert progress(replace(now, before=1)) == "Waits for 1 other sweep"


def test_an_estimate_says_what_it_comes_from() -> None:
    """Runs, those that are calculated, those that cannot run; and the time with its source, or that nothing says how long."""
    words = estimate(Expected(32, 24, 4, 2, 90.0, "the median of earlier runs, 2 s each"))
    assert words.startswith("**32 runs** · 24 calculated exactly by replanning, from 4 plain runs · 2 left out")
    assert words.endswith("about **2 min** (the median of earlier runs, 2 s each)")
    assert "no run on this machine says yet how long" in estimate(Expected(1, 0, 0, 0, None, ""))
