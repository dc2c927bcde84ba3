"""The plan of a run in one sentence."""

from dataclasses import replace

from specviz.setting_labels import planned
from specviz.settings import Settings
from specviz.trace.plan import Plan

CHAIN = Settings(drafter="eagle", k=4, policy="auto")
PLAN = Plan(("drafter", "k", "nodes"), 1.82, 3, 1.1, 0.2)


def test_the_plan_of_a_run_is_one_sentence() -> None:
    """It names what drafts, how much, the predicted speedup, where it was measured and why; what is assumed or slower is said."""
    why = "because one pass checks 3 tokens for the cost of 1.1, and drafting costs 0.2"
    assert planned(PLAN, CHAIN) == f"EAGLE head, 2 tokens a round: predicted 1.4× on this machine, {why}."
    assert "on the machine of the run," in planned(PLAN, CHAIN, here=False)
    assert "EAGLE head, 1 token a round" in planned(replace(PLAN, checked=2), CHAIN)
    free = planned(replace(PLAN, draft_cost=0.0), replace(CHAIN, drafter="ngram"))
    assert free == (
        "N-gram lookup, 2 tokens a round: predicted 1.7× on this machine, because one pass checks 3 tokens for the cost of 1.1."
    )
    tree = replace(CHAIN, drafter="eagle-tree", nodes=5)
    assert planned(replace(PLAN, checked=6), tree).startswith("EAGLE tree of 5: predicted 1.4×")
    assert planned(replace(PLAN, checked=6), replace(tree, drafter="jetspec")).startswith("JetSpec, trees of 5:")
    assert "predicted 0.7× on this machine (slower than plain)," in planned(replace(PLAN, pass_cost=2.4), CHAIN)
    assumed = "; its acceptance on this pair is not known yet and assumed."
    assert planned(replace(PLAN, known=False), CHAIN).endswith(assumed)
    assert planned(PLAN, replace(CHAIN, drafter="my-own")).startswith("My-own, 2 tokens")


def test_the_plan_says_whose_costs_it_has() -> None:
    """Those of another machine are named as such, with the reason."""
    elsewhere = replace(PLAN, measured=False, machine="Some processor")
    costs = "by the costs of another machine (Some processor), because"
    assert f"predicted 1.4× {costs} this one is too busy to measure: there, one pass" in planned(elsewhere, CHAIN)
    assert f"{costs} that of the run was too busy to measure" in planned(elsewhere, CHAIN, here=False)


def test_the_plan_says_that_nothing_pays() -> None:
    """Where nothing is drafted at first; a drafter that a person chose is named."""
    nothing = Plan(("drafter", "k", "nodes"), 1.0, 1, 1.0, 0.0)
    plain = "plain decoding, with a guess tried now and then."
    assert planned(nothing, CHAIN) == f"No drafter is expected to pay on this machine: {plain}"
    assert (
        planned(replace(nothing, left=("k",)), CHAIN) == f"EAGLE head is not expected to pay on this machine: {plain}"
    )
