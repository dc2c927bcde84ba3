"""Every shipped drafter passes the audit on the embedded pair, whose heads have random weights here."""

from dataclasses import replace

from specviz.audit.pairs import prompts_of, subject_of
from specviz.audit.records import Verdict
from specviz.audit.subject import Budget
from specviz.audit.whole import report
from specviz.decoding.drafters import registry
from specviz.models import Pair
from specviz.settings import Settings
from tests.helpers.heads import random_head

BUDGET = Budget(texts=1, tokens=6, samples=4, sampled_tokens=3, simulations=0)
COMPARED = {"model", "tree"}
"""Whose q a fresh pass of a model can give."""


def test_every_drafter_passes(embedded: Pair) -> None:
    """Nothing is caught at temperature 1, and where no fresh pass can give q, the finding says so."""
    heads = {one.head: random_head(embedded.target, one.head) for one in registry.descriptions().values() if one.head}
    pair = replace(embedded, heads=heads)
    prompts = prompts_of(pair, ["Once upon a time"])
    for name in registry.names():
        settings = registry.fitted(Settings(drafter=name, k=3, nodes=5, temperature=1.0, max_new_tokens=6))
        subject = subject_of(pair, settings)
        assert (subject.draft is not None) == (name in COMPARED), name
        found = report(subject, prompts, BUDGET)
        assert found.clean, (name, [one.sentence for one in found.caught])
        drafts = next(one for one in found.findings if one.check == "drafts")
        if drafts.verdict is Verdict.PASSED and name not in COMPARED:
            assert "No q was compared" in drafts.sentence, name
