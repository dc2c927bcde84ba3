"""Claims about pairs with trained heads: what is offered, loaded and checked when, and what is refused in which words."""

from dataclasses import replace
from pathlib import Path

import pytest

from specviz.decoding.drafters import registry
from specviz.errors import PairError
from specviz.models import Pair, load_pair
from specviz.models.checks.first_use import head_checks, head_of
from specviz.models.heads import folder as heads
from specviz.runs.build import first_step
from specviz.runs.prepare import prepare
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.files import dumps, loads
from tests.helpers.heads import saved_head

pytestmark = pytest.mark.slow

MEDUSA = Settings(drafter="medusa", max_new_tokens=12)
NEEDS = "The drafter 'medusa' needs a head of the kind medusa that was trained for this target, and embedded comes without one: give one"


@pytest.fixture(scope="module")
def folder(embedded: Pair, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved_head(tmp_path_factory.mktemp("heads") / "medusa", embedded.target, noise=0.01)


def fresh(pair: Pair, folder: Path | None = None) -> Pair:
    """The same models, with what a load would know of a head."""
    return replace(pair, head_folders={"medusa": folder} if folder else {}, heads={})


def test_without_a_head_its_drafters_are_not_offered(embedded: Pair) -> None:
    """They are in no list; asked for by name there is one sentence, which says what to do."""
    assert not {"medusa", "medusa-tree"} & {*registry.able(draft=True), *registry.able(draft=False)}
    assert {"medusa", "medusa-tree"} < set(registry.able(draft=False, heads=["medusa"]))
    with pytest.raises(PairError) as caught:
        Run(fresh(embedded), "My dog", MEDUSA)
    assert str(caught.value).startswith(NEEDS)


def test_a_head_is_loaded_and_checked_at_first_use(
    embedded: Pair, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once for a pair, whichever drafter of its kind uses it."""
    pair, steps = fresh(embedded, folder), list[str]()
    prepare(pair, MEDUSA, announce=steps.append)
    assert [step[:24] for step in steps] == ["loading the trained head"]
    assert first_step(pair, "medusa") == ""
    checks = head_checks(pair, head_of(pair, "medusa"))
    assert [check.name for check in checks[:2]] == ["states at layers 12", "output layer from outside"]
    monkeypatch.setattr(heads, "load", None)
    tree = registry.fitted(replace(MEDUSA, drafter="medusa-tree"))
    assert tree.children == "top"
    plain = Run(pair, "My dog", MEDUSA, plain=True).finish()
    for settings in (MEDUSA, tree, replace(tree, children="sampled")):
        assert Run(pair, "My dog", settings).finish().token_ids == plain.token_ids


def test_the_card_says_what_the_head_reads(embedded: Pair, folder: Path) -> None:
    """The layers are saved with a run; other runs on the pair have none."""
    pair = fresh(embedded, folder)
    trace = Run(pair, "My dog", replace(MEDUSA, max_new_tokens=1)).finish()
    assert trace.card.drafter.taps == (12,)
    assert loads(dumps([trace]))[0] == trace
    with pytest.raises(ValueError, match="reads after layer 13"):
        replace(trace.card, drafter=replace(trace.card.drafter, taps=(12, 13)))
    others = [Run(pair, "My dog", MEDUSA, plain=True).card, Run(pair, "My dog", replace(MEDUSA, drafter="ngram")).card]
    assert [card.drafter.taps for card in others] == [None, None]
    assert trace.card.notes == pair.card.notes, "no device has graphs here"


def test_a_head_that_was_given_is_refused_while_the_pair_is_loaded(tmp_path: Path, embedded: Pair) -> None:
    """Whichever drafter is used later, in a sentence with both names."""
    other = saved_head(tmp_path / "other", embedded.require_draft())
    says = r"was made for the target 'a tiny target', and the target here is 'embedded/target' \(that one has"
    with pytest.raises(PairError, match=says):
        load_pair("embedded", head=str(other), device="cpu")


def test_a_tree_of_a_head_has_the_likeliest_guesses(embedded: Pair) -> None:
    """Whatever way of choosing siblings the settings name: the default is another one, and these drafters have a single way."""
    asked = Settings(k=4, nodes=9, temperature=0.9, seed=2, max_new_tokens=6, drafter="medusa-tree")
    first, second = (
        Run(embedded, "Once upon a time", replace(asked, children=way)).finish() for way in ("sampled", "top")
    )
    assert asked.children == "sampled"
    drafted = [[[one.token for one in round_.drafted] for round_ in trace.rounds] for trace in (first, second)]
    assert drafted[0] == drafted[1]
    assert any(len(each) > 4 for each in drafted[0])
