"""The plan of a run in one sentence."""

from dataclasses import replace

from specviz.setting_labels import planned
from specviz.settings import Settings
from specviz.trace.plan import Plan

CHAIN = Settings(drafter="eagle", k=4, policy="auto")
PLAN = Plan(("drafter", "k", "nodes"), 1.82, 3, 1.1, 0.2)


def test_the_plan_of_a_run_is_one_sentence() -> None:
    """It names what drafts, how much, the predicted speedup, where it was measured and why; what is assumed, slower or another machine's is said."""
    sentence = planned(PLAN, CHAIN)
    assert sentence.startswith("EAGLE head, 2 tokens a round: predicted 1.4× on this machine, because one pass")
    assert sentence.count(".") == 4, "of the figures, and the end"
    assert "on the machine of the run," in planned(PLAN, CHAIN, here=False)
    assert "drafting costs" not in planned(replace(PLAN, draft_cost=0.0), replace(CHAIN, drafter="ngram"))
    tree = replace(CHAIN, drafter="eagle-tree", nodes=5)
    assert planned(replace(PLAN, checked=6), tree).startswith("EAGLE tree of 5: predicted 1.4×")
    assert "0.7× on this machine (slower than plain)," in planned(replace(PLAN, pass_cost=2.4), CHAIN)
    assert "assumed" in planned(replace(PLAN, known=False), CHAIN)
    elsewhere = replace(PLAN, measured=False, machine="Some processor")
    assert "by the costs of another machine (Some processor)" in planned(elsewhere, CHAIN)


def test_the_plan_says_that_nothing_pays() -> None:
    """Where nothing is drafted at first; a drafter that a person chose is named."""
    nothing = Plan(("drafter", "k", "nodes"), 1.0, 1, 1.0, 0.0)
    assert planned(nothing, CHAIN).startswith("No drafter is expected to pay on this machine:")
    assert planned(replace(nothing, left=("k",)), CHAIN).startswith("EAGLE head is not expected to pay")
