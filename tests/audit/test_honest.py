"""Audits of the zoo's honest parts: none reports anything, and each has seeds of its own. The quick relative: `test_zoo.test_honest_twins_pass`."""

from dataclasses import replace

import pytest

from specviz.audit.records import FALSE_ALARM
from specviz.audit.zoo import honest
from specviz.audit.zoo.honest import honest_audits
from specviz.audit.zoo.measure import BUDGET, Row
from specviz.audit.zoo.texts import EXHIBITS

SMALL = replace(BUDGET, texts=1, samples=40)


def test_every_audit_has_seeds_of_its_own_and_no_rule_is_lossy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seeds of two audits do not overlap; what is left out of the list is lossy."""
    seeds: list[tuple[str, range]] = []

    def counted(exhibit: object, budget: object, **_: bool) -> Row:
        name, first, samples = exhibit.name, budget.first_seed, budget.samples  # type: ignore[attr-defined]
        seeds.append((name, range(first, first + samples)))
        return Row(name, (), 0.0)

    monkeypatch.setattr(honest, "measure", counted)
    list(honest_audits(EXHIBITS, 60, SMALL))
    assert len({seed for _, each in seeds for seed in each}) == 60 * SMALL.samples
    assert {name for name, _ in seeds} == {one.name for one in EXHIBITS if not one.lossy}


@pytest.mark.rare
def test_false_alarms_of_two_thousand_honest_audits() -> None:
    """With a false alarm in at most 1 of 1,000 audits, 2,000 have two at most; eight or more would have a probability of 1 in 1,000."""
    found = [one for one in honest_audits(EXHIBITS, 2000, replace(SMALL, tokens=6)) if one.row.caught]
    assert len(found) < 8, found
    assert FALSE_ALARM == 1e-3
