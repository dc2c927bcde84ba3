"""Claims about the registry: every drafter describes itself once, and everything else can read that without torch."""

import ast
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from importlib import import_module
from pathlib import Path
from time import sleep
from types import SimpleNamespace
from typing import Any

import pytest

from specviz.decoding.drafters import registry
from specviz.decoding.drafters.description import Description
from specviz.decoding.drafters.kit import DraftsWithHead
from specviz.decoding.protocols import Drafter, DraftsTokenByToken, ReadsTarget, UsesLayers
from specviz.errors import SettingsError
from specviz.models import Pair
from specviz.reporting.player import wording
from specviz.runs.prepare import drafter_for
from specviz.settings import AUTO, POLICIES, RULES, Settings
from specviz.words import GROUPS
from tests.helpers.heads import random_head


def test_what_is_read_is_what_the_file_says() -> None:
    """The description that is read from a drafter's source equals the one that its module holds."""
    for file in registry.FILES:
        module = import_module(f"specviz.decoding.drafters.{file}")
        assert registry.descriptions()[module.DESCRIPTION.name] == module.DESCRIPTION, file
    models = ["model", "tli", "slem"]
    headless = [*models, "ngram", "suffix", "recycling", "early-exit", "layer-skip", "quantized"]
    heads = ["medusa", "eagle", "eagle1", "dflash", "dspark"]
    trees = ["tree", "medusa-tree", "eagle-tree", "jetspec", "dspark-tree"]
    assert list(registry.names()) == [*headless, *heads, *trees]
    assert Settings().drafter in registry.names()


def test_drafters_are_listed_group_by_group() -> None:
    """Drafters of one group stand together, in the order in which the groups are explained, and a label in a list names its group once."""
    groups = [one.group for one in registry.descriptions().values()]
    assert groups == sorted(groups, key=list(GROUPS).index)
    assert set(groups) == set(GROUPS)
    listed = {name: wording.listed(name) for name in ("model", "recycling", "quantized", "medusa", "tree", "jetspec")}
    assert listed == {
        "model": "draft model",
        "recycling": "token recycling · no model",
        "quantized": "quantized copy · target itself",
        "medusa": "Medusa heads · trained head",
        "tree": "tree of drafts",
        "jetspec": "JetSpec · tree",
    }


def test_the_descriptions_are_read_without_torch() -> None:
    """The page's process reads the whole catalogue and imports no torch for it."""
    code = (
        "import sys\nfrom specviz.decoding.drafters import registry\n"
        "assert len(registry.catalogue()) == len(registry.FILES)\n"
        "registry.check(registry.fitted(registry.Settings(drafter='tree')))\n"
        "print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_drafters_are_what_they_say(embedded: Pair) -> None:
    """Each drafter that is made has the name, the layers and the abilities of its description."""
    heads = {one.head: random_head(embedded.target, one.head) for one in registry.descriptions().values() if one.head}
    pair = replace(embedded, heads=heads)
    for name, described in registry.descriptions().items():
        drafter: Drafter = drafter_for(pair, Settings(drafter=name))
        assert isinstance(drafter, DraftsWithHead) == (described.needs == "trained head"), name
        assert not isinstance(drafter, DraftsWithHead) or isinstance(drafter, ReadsTarget)
        assert drafter.name == name
        assert isinstance(drafter, DraftsTokenByToken) >= described.replannable, name
        assert isinstance(drafter, UsesLayers) == (described.needs == "target layers"), name
        if isinstance(drafter, UsesLayers):
            every = range(embedded.target.network.depth)
            assert set(drafter.layers) < set(every)
            assert (drafter.layers == tuple(every[: len(drafter.layers)])) >= (described.picture == "first layers")


def test_what_a_drafter_takes_is_taken_and_the_rest_is_refused() -> None:
    """Over every combination: refused exactly where the description leaves it out, and `fitted` settings never are."""
    for name, described in registry.descriptions().items():
        for policy in POLICIES:
            for rule in RULES:
                settings = Settings(drafter=name, policy=policy, rule=rule, temperature=1.0)
                taken = policy in (*described.policies, AUTO) and rule in described.rules
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
    ("line", "reason"),
    [
        ("NAME = 'x'", "has no line DESCRIPTION = Description"),
        ("DESCRIPTION = Description(name=NAME, label='x', explanation='x')", "name is computed: write it as a literal"),
        (
            "DESCRIPTION = Description(name='x', label='x', explanation='x', colour='red')",
            "sets 'colour', which no description has",
        ),
        (
            "DESCRIPTION = Description(name='x', label='x', explanation='x', policies=('fixed', 'luck'))",
            "policies 'luck'",
        ),
        (
            "DESCRIPTION = Description(name='x', label='x', explanation='x', policies=('cost',))",
            "leaves out the policy",
        ),
        (
            "DESCRIPTION = Description(name='x', label='x', explanation='x', needs='trained head')",
            "a drafter that needs a trained head names its kind",
        ),
        ("DESCRIPTION = Description(name='x', label='x', explanation='x', head='medusa')", "and no other does"),
        ("DESCRIPTION = Description(name='x', label='x', explanation='x', siblings=('top',))", "only a tree has"),
    ],
)
def test_a_bad_description_is_refused(line: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever writes the next drafter learns in one sentence what is missing."""
    (tmp_path / "odd.py").write_text(line + "\n", encoding="utf-8")
    monkeypatch.setattr(registry, "files", lambda package: tmp_path)
    with pytest.raises(ValueError, match=reason.replace("(", r"\(")):
        registry._parsed.__wrapped__("odd")


def test_every_field_of_a_description_reaches_the_player() -> None:
    """The catalogue is the descriptions, field by field, as plain JSON values."""
    names = {field.name for field in fields(Description)}
    for name, plain in registry.catalogue().items():
        assert plain.keys() == names
        plainly: Any = Description(**plain)
        assert plainly == registry.descriptions()[name]


def test_no_two_threads_parse_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of fifty visitors who came together one got "AST constructor recursion depth mismatch": Python's parser was called in two threads."""
    inside, most = [0], [0]
    parse = ast.parse

    def slow(source: str) -> ast.Module:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        sleep(0.002)
        found = parse(source)
        inside[0] -= 1
        return found

    monkeypatch.setattr(registry, "ast", SimpleNamespace(**{**vars(ast), "parse": slow}))
    registry._parsed.cache_clear()
    with ThreadPoolExecutor(8) as threads:
        found = [*threads.map(lambda _: registry.names(), range(8))]
    assert len({*found}) == most[0] == 1
