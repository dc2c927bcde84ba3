"""Audits of the zoo's honest parts: none reports anything, each has seeds of its own, and a bug in these parts would be reported."""

from dataclasses import replace

import pytest

from specviz.audit.records import FALSE_ALARM
from specviz.audit.zoo import honest
from specviz.audit.zoo.honest import honest_audits
from specviz.audit.zoo.measure import BUDGET, Row, measure
from specviz.audit.zoo.texts import EXHIBITS

SMALL = replace(BUDGET, texts=1, samples=40)


def test_honest_parts_are_never_reported() -> None:
    """Twenty audits, with the settings of as many exhibits."""
    found = list(honest_audits(EXHIBITS, 20, SMALL))
    assert [one.number for one in found] == list(range(20))
    assert [one.row.caught for one in found] == [()] * 20
    assert len({one.row.name for one in found}) == 20


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


def test_a_bug_in_these_parts_would_be_an_alarm() -> None:
    """The same measurement with the bug in it reports it."""
    (exhibit,) = [one for one in EXHIBITS if one.name == "always-accepted"]
    assert measure(exhibit, SMALL).caught


@pytest.mark.rare
def test_false_alarms_of_two_thousand_honest_audits() -> None:
    """With a false alarm in at most 1 of 1,000 audits, 2,000 have two at most; eight or more would have a probability of 1 in 1,000."""
    found = [one for one in honest_audits(EXHIBITS, 2000, replace(SMALL, tokens=6)) if one.row.caught]
    assert len(found) < 8, found
    assert FALSE_ALARM == 1e-3
