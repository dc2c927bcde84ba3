"""What leaves the lab: files, charts and comparisons are functions of the records, and say what is measured and what is priced."""

import csv
import io
import json
import math
from dataclasses import replace
from pathlib import Path

from specviz.decoding.costs import Costs
from specviz.lab import charts, frontier
from specviz.lab.axes import Axis
from specviz.lab.export import as_csv, comparison, report_of
from specviz.lab.ledger import Ledger
from specviz.lab.plan import tasks
from specviz.lab.report import write
from specviz.lab.results import ALPHA, LEFT_OUT, NO_SPEEDUP, REPLANNED, SPEEDUP, TOKENS, Found, Sweep
from specviz.lab.strip import interval
from specviz.lab.tables import notes
from specviz.trace import theory
from tests.lab.making import busy_of, found_of, plan_of


def sweep_of(*found: Found, name: str = "<b>mine</b>") -> Sweep:
    plan = plan_of(Axis("k", ("1", "2")), Axis("category", ("code", "facts")))
    return Sweep(name, "2026-01-02", "=here()", plan, tasks(plan), found)


def full() -> Sweep:
    """One cell measured and predicted well, one predicted badly, one replanned, one left out."""
    steps = Ledger(2.0, 0.3, 0.1, 0.1, 1.5)
    left_out = Found(3, LEFT_OUT, None, None, None, "=no", 0.0, 0.1)
    return sweep_of(
        replace(found_of(0, 1.5), ledger=steps),
        found_of(1, 2.0, predicted=1.0),
        replace(found_of(2), how=REPLANNED),
        left_out,
    )


def test_a_sweep_is_saved_as_csv_json_and_a_page_that_needs_no_network(tmp_path: Path) -> None:
    """One line a cell; names of a person are text in the page, and no formula in a spreadsheet."""
    written = write(tmp_path, report_of(full()))
    assert [path.name for path in written] == ["sweep.md", "sweep.json", "sweep.csv", "sweep.html"]
    rows = list(csv.DictReader(io.StringIO(as_csv(full()))))
    assert [row["speedup"] for row in rows] == ["1.5", "1.5", "2.0", ""]
    assert rows[3]["why"] == "'=no"
    assert (rows[0]["speedup_low"], rows[1]["how"]) == ("1.4", "rounds exact, times priced")
    saved = json.loads((tmp_path / "sweep.json").read_text())
    assert saved["predicted_within_10_percent"] == 0.5
    page = (tmp_path / "sweep.html").read_text()
    assert "<b>mine" not in page
    assert "<script src" not in page
    assert "rounds exact, times priced" in page


def test_the_charts_show_what_the_records_say() -> None:
    """Heat map, lines with spread, the diagonal with the share within 10%, and the waterfall; what is not trusted is a gap."""
    sweep = full()
    heat = charts.heat_map(sweep).to_plotly_json()["data"][0]
    assert heat["z"] == [[math.log2(1.5)] * 2, [1.0, None]], "by doublings"
    assert heat["text"] == [["1.50", "≈ 1.50"], ["2.00", "left<br>out"]]
    assert "50% of 2 cells within 10%" in charts.predicted_against_measured(sweep).layout.title.text
    lines = charts.lines_with_spread(sweep).data
    assert [list(line.y) for line in lines] == [[1.5, 2.0], [1.5]]
    waterfall = charts.waterfall(*charts.middle_ledger(sweep) or ("", None)).data[0]
    assert list(waterfall.y) == [2.0, -0.3, -0.1, -0.1, 1.5]
    assert len(charts.charts(sweep)) == 4
    busy = sweep_of(busy_of(found_of(0)))
    heat = charts.heat_map(busy).to_plotly_json()["data"][0]
    assert (heat["z"][0][0], heat["text"][0][0]) == (None, "busy")
    assert busy.within is None


def test_where_no_speedup_is_trusted_exact_figures_are_drawn() -> None:
    """Table, lines, and the comparison with another sweep show counts, which no other program disturbs, and a sentence says so; one trusted cell
    is enough for speedups. A count has an ink that can be read, and where nothing was drafted there is no acceptance rate, not 0."""
    sweep = sweep_of(*(busy_of(found_of(task)) for task in range(4)))
    assert (sweep.usual, sweep.untrusted) == (TOKENS, (0, 1, 2, 3))
    assert NO_SPEEDUP in notes(sweep)
    heat, lines = charts.charts(sweep)
    assert heat.data[0].text == (["2.00"] * 2, ["2.00"] * 2)
    assert heat.layout.title.text.startswith("Tokens per pass: ")
    assert (list(lines.data[0].y), lines.data[0].error_y.array) == ([2.0, 2.0], None)
    assert charts.heat_map(sweep, ALPHA).data[0].text[0] == ["0.67", "0.67"]
    assert charts.heat_map(sweep, SPEEDUP).data[0].text[0] == ["busy", "busy"]
    exact = comparison(sweep, sweep, TOKENS)["cells"][0]
    assert (exact["first"], exact["second_over_first"], exact["trusted"]) == (2.0, 1.0, True)
    assert charts.compared(sweep, sweep, ALPHA).data[0].y[0] == 4 / 6
    calm = sweep_of(found_of(0), *sweep.found[1:])
    assert (calm.usual, calm.untrusted) == (SPEEDUP, (1, 2, 3))
    assert NO_SPEEDUP not in notes(calm)
    assert sweep_of().usual == SPEEDUP
    row = found_of(0).row
    assert row is not None
    alone = sweep_of(replace(found_of(0), row=replace(row, judged=0, accepted=0)))
    (bare,), heat = alone.cells, charts.heat_map(alone, ALPHA)
    assert (heat.data[0].z[0][0], heat.data[0].text[0][0]) == (None, "–")
    grounds = [charts.ground(bare, reach, figure) for figure in (TOKENS, ALPHA) for reach in (1.5, 2.0, 9.0)]
    assert all(charts.contrast(charts.ink(each), each) >= 4.5 for each in grounds)


def test_every_word_of_the_table_can_be_read(tmp_path: Path) -> None:
    """The ink of each cell has a contrast of 4.5 on its ground, from much slower to much faster; busy cells have a grey ground of their own; and a
    pointer meets every cell, also one that was not made yet."""
    speeds = [sweep_of(found_of(0, speed)).cells[0] for speed in (0.01, 0.3, 0.7, 0.9, 1.0, 1.1, 1.4, 2.0, 3.0, 30.0)]
    busy = sweep_of(busy_of(found_of(0)))
    grounds = {charts.ground(cell, reach) for cell in (*speeds, *full().cells, *busy.cells) for reach in (0.5, 2.0)}
    assert all(charts.contrast(charts.ink(each), each) >= 4.5 for each in grounds)
    assert "#b9bec8" in grounds
    figure = charts.heat_map(busy)
    assert {note.text for note in figure.layout.annotations} == {"busy", ""}
    assert [list(point)[1:] for point in figure.data[-1].customdata] == [
        [k, kind] for k in "12" for kind in ("code", "facts")
    ]
    assert figure.data[-1].customdata[3][0] == "not measured yet"


def test_one_axis_is_one_row_and_ledgers_add_up() -> None:
    """A sweep over one axis has a table too; the mean ledger of several runs still adds up, and those that are not trusted are left out."""
    plan = plan_of(Axis("k", ("1", "2", "3")))
    sweep = Sweep("k", "2026-01-02", "here", plan, tasks(plan), (found_of(0), found_of(2, 3.0)))
    assert charts.heat_map(sweep).data[0].z == ([math.log2(1.5), None, math.log2(3.0)],)
    runs = [
        replace(found_of(0), ledger=Ledger(2.0, 0.3, 0.1, 0.1, 1.5)),
        replace(found_of(1), ledger=Ledger(4.0, 1.0, 0.5, 0.5, 2.0)),
        replace(busy_of(found_of(2)), ledger=Ledger(9.0, 1.0, 1.0, 1.0, 6.0)),
    ]
    count, mean = charts.mean_ledger(runs) or (0, Ledger(0, 0, 0, 0, 0))
    assert count == 2
    assert mean.tokens_per_pass == 3.0
    assert math.isclose(mean.tokens_per_pass - mean.drafting - mean.verification - mean.overhead, mean.speedup)
    assert charts.mean_ledger(runs[2:]) is None


def test_two_sweeps_are_compared_cell_by_cell() -> None:
    """Only cells that both have; no ratio where one is not trusted."""
    one, other = full(), sweep_of(found_of(0, 3.0), name="other")
    (row,) = comparison(one, other)["cells"]
    assert (row["first"], row["second"], row["second_over_first"]) == (1.5, 3.0, 2.0)
    assert len(charts.compared(one, other).data) == 2


def test_lines_of_equal_speedup_are_where_the_formula_gives_it() -> None:
    """On each point of a line the best k gives that speedup; a draft on the wrong side of 1 is too weak or too strong."""
    v = Costs(0.1, (1.0, 1.05, 1.1, 1.2, 1.3))
    for wanted in (1.0, 2.0):
        for c, alpha in frontier.level(wanted, v, 0.3)[1:]:
            best = max(theory.speedup(alpha, k, c, v.verify(k)) for k in range(1, 17))
            assert abs(best - wanted) < 1e-6 or (wanted == 1.0 and best >= 1)
    assert frontier.placed("d", 0.9, 0.05, v, None).verdict == "pays"
    assert frontier.placed("d", 0.9, 1.5, v, None).verdict == "too strong"
    assert frontier.placed("d", 0.01, 0.3, v, None).verdict == "too weak"


def test_the_interval_of_a_share() -> None:
    """Wilson's, by hand for 8 of 10; always inside 0 to 1."""
    low, high = interval(0.8, 10)
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert interval(1.0, 5)[1] == 1.0
    assert interval(0.0, 5)[0] == 0.0
    assert interval(0.5, 0) == (0.0, 1.0)
