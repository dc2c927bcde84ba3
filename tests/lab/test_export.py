"""What leaves the lab: files, charts and comparisons are functions of the records, and say what is measured and what is priced."""

import csv
import io
import json
import math
from dataclasses import replace
from pathlib import Path

from specviz.bench.ledger import Ledger
from specviz.decoding.costs import Costs
from specviz.lab import charts, frontier
from specviz.lab.axes import Axis
from specviz.lab.export import as_csv, comparison, write_sweep
from specviz.lab.plan import tasks
from specviz.lab.results import LEFT_OUT, REPLANNED, Found, Sweep
from specviz.lab.strip import interval
from specviz.trace import theory
from specviz.trace.conditions import Conditions
from tests.lab.making import found_of, plan_of

BUSY = Conditions(False, 3, 0, True, 0.5, 4.0, 0.6, 1.9, 2, 1, 2)


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
    written = write_sweep(tmp_path, full())
    assert [path.name for path in written] == ["sweep.csv", "sweep.json", "sweep.html"]
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
    row = found_of(0).row
    assert row is not None
    busy = sweep_of(replace(found_of(0), row=replace(row, conditions=BUSY)))
    heat = charts.heat_map(busy).to_plotly_json()["data"][0]
    assert (heat["z"][0][0], heat["text"][0][0]) == (None, "busy")
    assert busy.within is None


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
