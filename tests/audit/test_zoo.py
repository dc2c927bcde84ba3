"""The bug zoo: every exhibit is caught by its checks and by no others, no run can reach one, and honest parts are not reported."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import specviz
from specviz.audit.full_audit import report
from specviz.audit.records import FALSE_ALARM
from specviz.audit.zoo.exhibits import BROKEN, BUDGET, PROMPTS, subject
from specviz.audit.zoo.texts import EXHIBITS
from specviz.decoding.drafters import registry

ROOT = Path(specviz.__file__).parent
SMALL = replace(BUDGET, texts=1, samples=40)
CHECKS = ("greedy text", "caches", "drafts", "acceptance", "distribution")


@pytest.mark.slow
def test_every_exhibit_is_caught_by_its_check_and_by_no_other() -> None:
    """With as many runs as the table names, the table's check catches every exhibit, and no check does that should not."""
    for one in EXHIBITS:
        first = next(check for check in one.checks if check in one.after)
        row = report(subject(one), PROMPTS, replace(BUDGET, samples=max(10, one.after[first])))
        found = {caught.check: caught.evidence.done if caught.evidence else 1 for caught in row.caught}
        assert found.get(first) == one.after[first], f"{one.name}: {row}"
        assert found.keys() <= set(one.checks), f"{one.name}: {row}"


@pytest.mark.slow
def test_honest_twins_pass() -> None:
    """The same pair with the same settings and without the bug passes the whole audit."""
    for settings in {tuple(one.settings.items()): one for one in EXHIBITS}.values():
        row = report(subject(settings, honest=True), PROMPTS, replace(BUDGET, samples=20))
        assert not row.caught, row


def test_texts_and_twins_have_the_same_names() -> None:
    """There is a text for every broken twin, and every one has a source, a check and a figure."""
    names = [one.name for one in EXHIBITS]
    assert len(set(names)) == len(names)
    assert set(names) == BROKEN.keys()
    for one in EXHIBITS:
        assert one.sources
        assert one.checks
        assert set(one.checks) <= set(CHECKS)
        assert {*one.after} <= set(one.checks)
        for source in one.sources:
            assert re.fullmatch(r"\d+(\.\d+)?", source.number), source


def test_the_mark_is_on_the_drafter() -> None:
    """A run with an exhibit has a drafter whose name says BUG, so that the card of its trace and the stage say so."""
    for one in EXHIBITS:
        parts = subject(one).parts
        assert parts is not None
        assert parts.drafter.name == one.mark
        assert one.mark.startswith("BUG: ")


def test_no_run_can_reach_an_exhibit() -> None:
    """No drafter of the registry has an exhibit's name, and nothing outside the audit imports the zoo but the site, for its game."""
    assert not set(BROKEN) & set(registry.descriptions())
    outside = [path for path in ROOT.rglob("*.py") if path.parent != ROOT / "audit/zoo"]
    importing = [path for path in outside if "audit.zoo" in path.read_text()]
    rooms = {path.relative_to(ROOT).parts[0] for path in importing}
    assert rooms <= {"audit", "site"}, rooms


@pytest.mark.rare
def test_false_alarms_of_two_thousand_honest_audits() -> None:
    """With a false alarm in at most 1 of 1,000 audits, 2,000 have two at most; eight or more would have a probability of 1 in 1,000. No two audits
    share a seed."""
    apart, alarms = SMALL.samples + SMALL.texts + 1, 0
    for number in range(2000):
        seeded = replace(SMALL, tokens=6, first_seed=SMALL.first_seed + number * apart)
        alarms += bool(report(subject(EXHIBITS[number % len(EXHIBITS)], honest=True), PROMPTS, seeded).caught)
    assert alarms < 8
    assert FALSE_ALARM == 1e-3
