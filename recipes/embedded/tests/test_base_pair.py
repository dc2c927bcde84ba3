"""A pair that one may go on from, and what is refused."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from recipes.embedded.base_pair import CURVES, read
from recipes.embedded.recipe import Recipe, Shape
from recipes.embedded.recipes import EMBEDDED, MINIATURE
from specviz.errors import TrainingError

pytestmark = pytest.mark.slow

NAMES = [step.name for step in MINIATURE.steps]
Spoil = Callable[[Path], object]


@pytest.fixture
def pair(miniature: Path, tmp_path: Path) -> Path:
    """A copy of the miniature pair."""
    shutil.copytree(miniature, tmp_path / "pair")
    return tmp_path / "pair"


def keep_curves(pair: Path, *names: str) -> None:
    """Leave only these trainings in the curves."""
    curves = json.loads((pair / CURVES).read_text())
    (pair / CURVES).write_text(json.dumps({name: curves[name] for name in names}))


def refused(pair: Path, recipe: Recipe = MINIATURE) -> str:
    with pytest.raises(TrainingError) as error:
        read(recipe, pair)
    text = str(error.value)
    assert "\n" not in text
    assert text.endswith(".")
    assert str(pair) in text
    return text


def test_a_pair_shows_which_trainings_it_finished(pair: Path) -> None:
    """Of its curves those are taken that the recipe begins with, with their points and seconds, and of its networks those they trained."""
    told = json.loads((pair / CURVES).read_text())
    found = read(MINIATURE, pair)
    assert list(found.curves) == NAMES
    for name, curve in found.curves.items():
        assert [(point.tokens, point.losses) for point in curve.points] == [
            (point["tokens"], point["losses"]) for point in told[name]["points"]
        ]
        assert curve.seconds == told[name]["seconds"]
    assert found.networks == {name: pair / name for name in ("target", *MINIATURE.drafts)}
    assert found.tokenizer.get_vocab_size() == MINIATURE.vocabulary
    keep_curves(pair, *NAMES[:2], NAMES[3])
    shutil.rmtree(pair / "draft-large")
    assert list(read(MINIATURE, pair).curves) == NAMES[:2]
    assert set(read(MINIATURE, pair).networks) == {"target", "draft", "draft-undistilled"}
    keep_curves(pair, NAMES[0])
    assert set(read(MINIATURE, pair).networks) == {"target"}


@pytest.mark.parametrize("kept", [(), ("drafts",), tuple(NAMES[1:])])
def test_a_pair_without_the_first_training_is_refused(pair: Path, kept: tuple[str, ...]) -> None:
    """Where the curves know no training, or a later one without the first, the sentence names those of the recipe."""
    keep_curves(pair, *kept)
    assert all(name in refused(pair) for name in NAMES)


def _no_folder(pair: Path) -> None:
    shutil.rmtree(pair)


def _no_curves(pair: Path) -> None:
    (pair / CURVES).unlink()


def _half_curves(pair: Path) -> None:
    path = pair / CURVES
    path.write_text(path.read_text()[:200])


def _other_json(pair: Path) -> None:
    (pair / CURVES).write_text("[1, 2]")


def _no_points(pair: Path) -> None:
    (pair / CURVES).write_text('{"target": {"seconds": 3}}')


@pytest.mark.parametrize("spoil", [_no_folder, _no_curves, _half_curves, _other_json, _no_points])
def test_curves_that_cannot_be_read_are_refused(pair: Path, spoil: Spoil) -> None:
    """Missing, cut off or something else: the sentence names the file."""
    spoil(pair)
    assert str(pair / CURVES) in refused(pair)


def _no_target(pair: Path) -> None:
    shutil.rmtree(pair / "target")


def _no_tokenizer(pair: Path) -> None:
    (pair / "target" / "tokenizer.json").unlink()


def _half_weights(pair: Path) -> None:
    path = pair / "target" / "model.safetensors"
    path.write_bytes(path.read_bytes()[:5000])


def test_a_broken_draft_is_refused_where_it_was_trained(pair: Path) -> None:
    """A draft that was trained must be complete; one that is trained later need not be there."""
    (pair / "draft" / "config.json").unlink()
    assert "has no config.json" in refused(pair)
    keep_curves(pair, NAMES[0])
    read(MINIATURE, pair)


@pytest.mark.parametrize("spoil", [_no_target, _no_tokenizer, _half_weights])
def test_a_broken_target_is_refused(pair: Path, spoil: Spoil) -> None:
    """Without a whole network and its tokenizer the sentence names the target's folder."""
    spoil(pair)
    assert str(pair / "target") in refused(pair)


@pytest.mark.parametrize(
    "recipe",
    [
        EMBEDDED,
        replace(MINIATURE, positions=256),
        replace(MINIATURE, target=replace(MINIATURE.target, exit_layer=2)),
        replace(MINIATURE, target=Shape(layers=3, width=64, heads=2, feed_forward=128, exit_layer=1)),
    ],
)
def test_a_target_of_another_shape_is_refused(pair: Path, recipe: Recipe) -> None:
    """Whatever differs in the shape, the pair is refused."""
    assert "another shape" in refused(pair, recipe)


def test_a_vocabulary_that_is_not_the_targets_is_refused(pair: Path) -> None:
    """A tokenizer of another size beside the target is refused like another shape."""
    path = pair / "target" / "tokenizer.json"
    told = json.loads(path.read_text())
    first, second = told["model"]["merges"].pop()
    del told["model"]["vocab"][first + second]
    path.write_text(json.dumps(told))
    assert "another shape" in refused(pair)
