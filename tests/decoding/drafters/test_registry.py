"""Claims about the registry: every drafter describes itself once, and everything else can read that without torch."""

from dataclasses import replace

import pytest

from specviz.decoding.drafters import registry
from specviz.decoding.protocols import Drafter
from specviz.errors import SettingsError
from specviz.models import Pair
from specviz.runs.build import build_drafter
from specviz.settings import AUTO, CHILDREN, POLICIES, RULES, Settings
from tests.decoding.test_lossless_models import shared_pair


@pytest.mark.slow
def test_the_drafters_are_what_they_say(embedded: Pair) -> None:
    """Each drafter that is made has the name, the layers and the abilities of its description."""
    for name, described in registry.descriptions().items():
        pair = shared_pair("LlamaForCausalLM") if described.head else embedded
        drafter: Drafter = build_drafter(pair, name)
        assert (drafter.head is not None) == bool(drafter.taps) == (described.needs == "trained head"), name
        assert drafter.name == name
        assert drafter.remembers == described.remembers
        assert bool(drafter.layers) == (described.needs == "target layers"), name
        if drafter.layers:
            every = range(pair.target.network.depth)
            assert set(drafter.layers) < set(every)
            assert (drafter.layers == tuple(every[: len(drafter.layers)])) >= (described.picture == "first layers")


def test_descriptions_have_values_that_exist() -> None:
    """Policies and ways to choose siblings that there are, "fixed" for every drafter; siblings for trees alone, a head where one is needed."""
    for name, described in registry.descriptions().items():
        assert "fixed" in described.policies, name
        assert {*described.policies} <= {*POLICIES} - {AUTO}, name
        assert {*described.siblings} <= {*CHILDREN} - {AUTO}, name
        assert described.shape == "tree" or not described.siblings, name
        assert (described.needs == "trained head") == bool(described.head), name


def test_what_a_drafter_takes_is_taken_and_the_rest_is_refused() -> None:
    """Over every combination: refused exactly where the description leaves it out, and `fitted` settings never are."""
    for name, described in registry.descriptions().items():
        for policy in POLICIES:
            for rule in RULES:
                settings = Settings(drafter=name, policy=policy, rule=rule, temperature=1.0)
                taken = policy in (*described.policies, AUTO) and rule in described.able_rules
                if taken:
                    registry.check(settings)
                else:
                    with pytest.raises(SettingsError, match=f"which the drafter '{name}' does not support: choose"):
                        registry.check(settings)
                fitted = registry.fitted(settings)
                registry.check(fitted)
                assert not taken or fitted == replace(settings, children=fitted.children)
                assert fitted.children in (described.siblings or (Settings().children,))


def test_an_unknown_drafter_is_named() -> None:
    """One sentence says what was received and what there is."""
    for refuse in (registry.describe, registry.guesser):
        with pytest.raises(SettingsError, match=f"'early_exit': choose one of {', '.join(registry.names())}"):
            refuse("early_exit")
