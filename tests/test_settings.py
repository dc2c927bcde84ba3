"""Claims about the settings: the defaults change nothing, and impossible values are rejected in one sentence."""

from dataclasses import replace
from typing import Any

import pytest

from specviz.decoding.drafters import registry
from specviz.errors import SettingsError
from specviz.setting_labels import planned
from specviz.settings import CHILDREN, POLICIES, RULES, Settings, check_closed
from specviz.trace.plan import Plan
from tests.helpers.refusals import refusal

WARM: dict[str, Any] = {"temperature": 1.0}

REJECTED: dict[str, dict[str, Any]] = {
    "temperature was -1: give a number from 0 to 10.": {"temperature": -1},
    "top-p was 0, which keeps no token at all": {"top_p": 0},
    "seed was -5: give a whole number from 0": {"seed": -5},
    "drafter was 'crystal ball': give the name of a drafter, such as model or tree.": {"drafter": "crystal ball"},
    "drafter was ['tree']": {"drafter": ["tree"]},
    "rule was 'Exact': choose one of exact, block, lenient.": {"rule": "Exact"},
    "nodes (size of the tree) was -1: give auto or a whole number from 1 to 64.": {"nodes": -1},
    "was True": {"nodes": True},
    "threshold was nan": {"threshold": float("nan")},
    "lenience was 0, which accepts everything": {"lenience": 0.0},
    "shared noise was 1: give true or false.": {"shared_noise": 1},
    "rule was 'lenient' with temperature 0": {"rule": "lenient"},
    "with shared noise": WARM | {"rule": "lenient", "shared_noise": True},
}


def test_impossible_values_are_rejected() -> None:
    """The error is one sentence with the received value and what to do; of a long value it has the beginning."""
    for sentence, choices in REJECTED.items():
        assert sentence in refusal(SettingsError, Settings, **choices)
    long: Any = "W" * 5000
    for name in ("k", "temperature", "drafter", "rule", "policy", "children", "shared_noise", "seed"):
        assert len(refusal(SettingsError, Settings, **{name: long})) < 300, name


def test_every_choice_can_be_chosen() -> None:
    """Every name is valid, and the first one is the default."""
    names = {"drafter": registry.names(), "children": CHILDREN, "policy": POLICIES, "rule": RULES}
    for field, choices in names.items():
        assert all(Settings(**{**WARM, field: choice}) for choice in choices)
        assert getattr(Settings(), field) == choices[0]


def test_what_is_left_to_specviz_is_open() -> None:
    """Only a drafter of auto, and a k or nodes of 0, are open; where runs are compared, they are rejected by name."""
    assert Settings().open == ()
    assert Settings(drafter="auto").open == ("drafter",)
    assert Settings(drafter="auto", k=0, nodes=0, policy="auto").open == ("drafter", "k", "nodes")
    check_closed(Settings(policy="auto"))
    opened: dict[str, Any] = {"drafter": "auto", "k": 0, "nodes": 0}
    for name, value in opened.items():
        with pytest.raises(SettingsError, match=f"{name} was auto"):
            check_closed(Settings(**{name: value}))


def test_what_settings_imply() -> None:
    """Greedy and shared noise are certain, only rules other than exact are lossy, and a draft may have up to k tokens, or as many as a tree's nodes."""
    assert (Settings().greedy, Settings().certain, Settings().lossy) == (True, True, False)
    assert Settings(k=5, nodes=3).widest == 5
    assert not Settings(temperature=0.5).certain
    noisy = Settings(temperature=0.5, shared_noise=True)
    assert (noisy.greedy, noisy.certain) == (False, True)
    assert Settings(temperature=0.5, rule="lenient").lossy
    assert Settings(drafter="tree", nodes=12).widest == 12


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
