"""Claims about pairs with trained heads: what is offered, loaded and checked when, and what is refused in which words."""

from dataclasses import replace
from pathlib import Path

import pytest

from specviz.compare.contestants import ALL, contestants
from specviz.decoding.drafters import registry
from specviz.errors import PairError
from specviz.models import Pair
from specviz.models.heads import folder as heads
from specviz.runs.prepare import drafter_for, extra_bytes, preparation
from specviz.runs.run import Run
from specviz.settings import Settings
from tests.helpers.heads import saved_head

MEDUSA = Settings(drafter="medusa", max_new_tokens=12)
NEEDS = "The drafter 'medusa' needs a head of the kind medusa that was trained for this target, and embedded comes without one: train it"


@pytest.fixture(scope="module")
def folder(embedded: Pair, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved_head(tmp_path_factory.mktemp("heads") / "medusa", embedded.target, noise=0.01)


def fresh(pair: Pair, folder: Path | None = None) -> Pair:
    """The same models, with what a load would know of a head."""
    return replace(pair, head_folders={"medusa": folder} if folder else {}, heads={}, checks=dict(pair.checks))


def test_without_a_head_its_drafters_are_not_offered(embedded: Pair) -> None:
    """Neither in lists nor by `compare all`; asked for by name there is one sentence, which says what to do."""
    assert not {"medusa", "medusa-tree"} & {*registry.able(draft=True), *registry.able(draft=False)}
    assert {"medusa", "medusa-tree"} < set(registry.able(draft=False, heads=["medusa"]))
    names = [one.name for one in contestants([ALL], "embedded", Settings())]
    with_head = [one.name for one in contestants([ALL], "embedded", Settings(), ["medusa"])]
    assert set(with_head) - set(names) == {"medusa", "medusa-tree"}
    with pytest.raises(PairError) as caught:
        Run(fresh(embedded), "My dog", MEDUSA)
    assert str(caught.value).startswith(NEEDS)


def test_a_head_is_loaded_and_checked_at_first_use(
    embedded: Pair, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once for a pair, whichever drafter of its kind uses it; the memory counted is that of its own weights."""
    pair = fresh(embedded, folder)
    assert (preparation(pair, MEDUSA) or "").startswith("loading the trained head")
    drafter = drafter_for(pair, MEDUSA)
    assert preparation(pair, MEDUSA) is None
    checked = {name for name in pair.checks if name.startswith(("states", "output"))}
    assert checked == {"states at layers 12", "output layer from outside"}
    assert extra_bytes(pair, drafter, 10) == pair.heads["medusa"].nbytes > 0
    monkeypatch.setattr(heads, "load", None)
    tree = registry.fitted(replace(MEDUSA, drafter="medusa-tree"))
    assert tree.children == "top"
    plain = Run(pair, "My dog", MEDUSA, plain=True).finish()
    for settings in (MEDUSA, tree, replace(tree, children="sampled")):
        assert Run(pair, "My dog", settings).finish().token_ids == plain.token_ids


def test_the_drafter_may_change_in_a_visit(embedded: Pair, folder: Path) -> None:
    """Drafters that read the target's states, its first layers or nothing, one after the other on one pair: always the plain text."""
    pair = fresh(embedded, folder)
    plain = Run(pair, "The old dog", MEDUSA, plain=True).finish()
    for name in ("medusa", "ngram", "early-exit", "medusa-tree", "model", "medusa"):
        settings = registry.fitted(replace(MEDUSA, drafter=name))
        assert Run(pair, "The old dog", settings).finish().token_ids == plain.token_ids, name
