"""Every shipped drafter with every rule on the embedded pair, whose heads have random weights here: exact ones pass, lossy ones are caught."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from specviz.audit.full_audit import report
from specviz.audit.pairs import prompts_of, subject_of
from specviz.audit.plain import ModelPass
from specviz.audit.records import AuditVerdict
from specviz.audit.subject import Budget
from specviz.decoding.drafters import registry
from specviz.models import Pair
from specviz.settings import Settings
from tests.helpers.heads import random_head

pytestmark = pytest.mark.slow

BUDGET = Budget(texts=1, tokens=6, samples=4, sampled_tokens=3, simulations=0)
COMPARED = {"model", "tree"}
"""Whose q a fresh pass of a model can give."""
PROMPT = "Once upon a time"
WARPS: Mapping[str, Mapping[str, Any]] = {
    "temperature 1": {},
    "temperature 0": {"temperature": 0.0},
    "top-k and top-p": {"temperature": 0.7, "top_k": 20, "top_p": 0.9},
    "shared noise": {"shared_noise": True},
}
FEW = ("model", "tree", "ngram", "eagle")
"""A chain, a tree, a copy and a head, which every test run audits; `make rare` audits all, with the other warps."""
CERTAIN = {"temperature 0", "shared noise"}


@pytest.fixture(scope="module")
def pair(embedded: Pair) -> Pair:
    """The embedded pair with a head of every kind."""
    kinds = {one.head for one in registry.descriptions().values() if one.head}
    return replace(embedded, heads={kind: random_head(embedded.target, kind) for kind in kinds})


class Remembered(ModelPass):
    """The target's plain passes, which do not depend on the drafter: every audit of the same texts needs the same ones."""

    def release(self) -> None:
        """They are needed again."""


@pytest.mark.parametrize(
    "warp", [pytest.param(warp, marks=() if warp == "temperature 1" else pytest.mark.rare) for warp in WARPS]
)
def test_every_drafter_passes(pair: Pair, warp: str) -> None:
    """With the exact rule nothing is caught, and where no fresh pass can give q, the finding says so."""
    prompts, plain = prompts_of(pair, [PROMPT]), Remembered(pair.target)
    for name in FEW if warp == "temperature 1" else registry.names():
        usual = Settings(drafter=name, k=3, nodes=5, temperature=1.0, max_new_tokens=6)
        settings = registry.fitted(replace(usual, **WARPS[warp]))
        subject = replace(subject_of(pair, settings), plain=plain)
        assert (subject.draft is not None) == (name in COMPARED), name
        found = report(subject, prompts, BUDGET)
        assert found.clean, (name, [one.sentence for one in found.caught])
        verdicts = {one.check: one.verdict for one in found.findings}
        assert verdicts["greedy text"] is verdicts["caches"] is AuditVerdict.PASSED, name
        tested = AuditVerdict.NOT_APPLICABLE if warp in CERTAIN else AuditVerdict.PASSED
        assert verdicts["distribution"] is tested, name
        drafts = next(one for one in found.findings if one.check == "drafts")
        if warp not in CERTAIN and drafts.verdict is AuditVerdict.PASSED and name not in COMPARED:
            assert "No q was compared" in drafts.sentence, name
