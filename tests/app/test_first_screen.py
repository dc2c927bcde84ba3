"""The recorded run with which the page opens."""

from dataclasses import replace

import pytest

from app.stage import recordings
from specviz.known_pairs import CHAT, EMBEDDED
from specviz.trace.files import load
from specviz.trace.metrics import speedup

FAMILIES = (EMBEDDED, CHAT)


@pytest.mark.parametrize("family", FAMILIES)
def test_its_first_rounds_show_the_idea(family: str) -> None:
    """Two full drafts are accepted, then, before anybody looks away, a draft is rejected and corrected; it pays."""
    speculative, plain = load(recordings.read_first(family)["recording"])
    full = [len(round_.accepted) == len(round_.drafted) for round_ in speculative.rounds]
    assert full[:2] == [True, True]
    rejected = full.index(False)
    assert rejected <= 5
    assert speculative.rounds[rejected].closing is not None
    assert len(speculative.rounds[rejected].drafted) > len(speculative.rounds[rejected].accepted)
    assert speedup(plain, replace(speculative, rounds=speculative.rounds[:3])) > 1.2
