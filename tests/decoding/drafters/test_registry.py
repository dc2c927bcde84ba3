"""Claims about the registry: every drafter describes itself once, and everything else can read that without torch."""

from dataclasses import fields, replace
from typing import Any

import pytest

from specviz.decoding.drafters import registry
from specviz.decoding.drafters.catalogue import CATALOGUE
from specviz.decoding.drafters.description import Description
from specviz.decoding.protocols import Drafter
from specviz.errors import SettingsError
from specviz.models import Pair
from specviz.reporting.player import wording
from specviz.runs.build import build_drafter
from specviz.setting_labels import GROUPS
from specviz.settings import AUTO, POLICIES, RULES, Settings
from tests.decoding.test_lossless_models import shared_pair


def test_every_drafter_is_listed_once() -> None:
    """In display order; no two have one name."""
    assert len(registry.names()) == len(CATALOGUE)
    headless = ["model", "suffix-model", "ngram", "suffix", "early-exit", "quantized"]
    heads = ["medusa", "eagle", "suffix-eagle", "mtp", "dflash", "dspark"]
    trees = ["tree", "medusa-tree", "eagle-tree", "suffix-eagle-tree", "jetspec", "dspark-tree"]
    assert list(registry.names()) == [*headless, *heads, *trees]
    assert Settings().drafter in registry.names()


def test_drafters_are_listed_group_by_group() -> None:
    """Drafters of one group stand together, in the order in which the groups are explained, and a label in a list names its group once."""
    groups = [one.group for one in registry.descriptions().values()]
    assert groups == sorted(groups, key=list(GROUPS).index)
    assert set(groups) == set(GROUPS)
    listed = {name: wording.listed(name) for name in ("model", "ngram", "quantized", "medusa", "tree", "jetspec")}
    assert listed == {
        "model": "draft model",
        "ngram": "n-gram lookup · no model",
        "quantized": "quantized copy · target itself",
        "medusa": "Medusa heads · trained head",
        "tree": "tree of drafts",
        "jetspec": "JetSpec · tree",
    }


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


def test_fitted_settings_keep_everything_else() -> None:
    """Only what the drafter does not take goes back to its default."""
    given = Settings(
        k=7, temperature=0.5, drafter="ngram", nodes=9, children="top", policy="cost", rule="lenient", seed=3
    )
    assert registry.fitted(given) == replace(given, nodes=12, children="sampled", policy="fixed")
    tree = replace(given, drafter="tree")
    assert registry.fitted(tree) == replace(tree, policy="fixed")


@pytest.mark.parametrize("asked", ["crystal-ball", "Model", "early_exit"])
def test_an_unknown_drafter_is_named(asked: str) -> None:
    """One sentence says what was received and what there is."""
    for refuse in (registry.describe, registry.module_of):
        with pytest.raises(SettingsError) as caught:
            refuse(asked)
        assert str(caught.value) == f"drafter was {asked!r}: choose one of {', '.join(registry.names())}."


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"policies": ("fixed", "luck")}, "policies 'luck'"),
        ({"policies": ("cost",)}, "leaves out the policy"),
        ({"needs": "trained head"}, "a drafter that needs a trained head names its kind"),
        ({"head": "medusa"}, "and no other does"),
        ({"siblings": ("top",)}, "only a tree has"),
    ],
)
def test_a_bad_description_is_refused(given: dict[str, Any], reason: str) -> None:
    """Whoever writes the next drafter learns in one sentence what is missing."""
    with pytest.raises(ValueError, match=reason):
        Description(name="x", label="x", explanation="x", **given)


def test_every_field_of_a_description_reaches_the_player() -> None:
    """The catalogue is the descriptions, field by field, as plain JSON values."""
    names = {field.name for field in fields(Description)}
    for name, plain in registry.catalogue().items():
        assert plain.keys() == names
        plainly: Any = Description(**plain)
        assert plainly == registry.descriptions()[name]
