"""The open sweep on the page: by which figure it is shown, and its busy cells measured again; Streamlit's own test page, no browser."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from app import visitor
from app.lab import kept, opened
from specviz.lab.results import ALPHA, MEASURED, NO_SPEEDUP, SPEEDUP, TOKENS, Sweep
from tests.helpers.app_page import run
from tests.lab.making import busy_of, found_of
from tests.lab.test_export import sweep_of


def _figure(sweep: "Sweep") -> None:
    import streamlit as st

    from app.lab import opened

    st.text(opened._figure(sweep))


def test_a_busy_sweep_is_shown_by_its_exact_figures_and_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no cell has a trusted speedup the page says so and shows tokens per pass, until the visitor chooses; a sweep with one shows speedups.
    One button measures the runs of all cells that are not trusted, and no other; where all are trusted there is none."""
    began: list[tuple[str, tuple[int, ...]]] = []
    driver = SimpleNamespace(
        standing=lambda name: None, begin=lambda name, runs, *, visitor: began.append((name, runs))
    )
    monkeypatch.setattr(kept, "driver", lambda: driver)
    monkeypatch.setattr(visitor, "name", lambda: "ada")
    busy = [busy_of(found_of(task)) for task in range(2)]
    for sweep, usual, said in (
        (sweep_of(*busy), TOKENS, [NO_SPEEDUP]),
        (sweep_of(*busy, found_of(2)), SPEEDUP, []),
        (sweep_of(found_of(2)), SPEEDUP, []),
    ):
        page = run(_figure, sweep)
        assert ([each.value for each in page.info], page.text[0].value) == (said, usual)
        assert len(page.button) == bool(sweep.untrusted)
        for button in page.button:
            button.click().run()
    assert began == [("<b>mine</b>", (0, 1))] * 2
    page = run(_figure, sweep_of(*busy))
    assert page.button_group[0].set_value(ALPHA).run().text[0].value == ALPHA
    (row, _) = (opened._row(each, sweep_of(*busy)) for each in sweep_of(*busy).cells)
    assert (row["speedup"], row["tokens_per_pass"], row["trusted"]) == (None, 2.0, False)


def _section() -> None:
    from app.lab import sweeps

    sweeps.section()


def test_an_example_is_offered_where_nothing_was_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One press stores and opens the sweep that comes with specviz; it says where it was measured, every cell of it was, and all are trusted."""
    monkeypatch.setenv("SPECVIZ_DATA", str(tmp_path))
    idle = SimpleNamespace(standing=lambda name: None, running=tuple, problem=lambda name: "")
    monkeypatch.setattr(kept, "driver", lambda: idle)
    monkeypatch.setattr(visitor, "name", lambda: "")
    kept.store.clear()
    try:
        page = run(_section)
        page.button(key="sweep-example").click().run()
        assert not page.exception
        (listed,) = kept.listing()
        sweep = kept.sweep(listed.name)
    finally:
        kept.store.clear()
    assert (listed.done, listed.runs, sweep.untrusted) == (72, 72, ())
    assert {each.how for each in sweep.found} == {MEASURED}
    assert any(sweep.machine.split(",")[0] in each.value for each in page.caption)
    assert not [each for each in page.button if each.key == "sweep-example"]
