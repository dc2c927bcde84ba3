"""Pairs without a draft model: a target alone, an offered pair whose draft is not there, and a draft that is added later."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from specviz import known_pairs
from specviz.errors import PairError
from specviz.model_choice import chosen_models
from specviz.models import Pair, load_pair, with_draft
from specviz.models import loading as loading_module
from specviz.models.memory import footprint, peak_of


def alone(folder: Path) -> Pair:
    return load_pair(target=str(folder), device="cpu", dtype="float32")


def add_unused_weight(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    save_file(
        {**weights, "model.layers.0.lora": torch.zeros(3)}, folder / "model.safetensors", metadata={"format": "pt"}
    )


def test_a_target_loads_alone(saved: Path) -> None:
    """Only the target is loaded and checked; the card, the name and the line of text show one model."""
    steps: list[str] = []
    pair = load_pair(
        target=str(saved / "target"), device="cpu", dtype="float32", progress=lambda what, share: steps.append(what)
    )
    assert (pair.draft, pair.card.draft, pair.card.notes) == (None, None, ())
    assert (pair.name, pair.card.drafter.name) == ("saved/target", "ngram")
    assert len(steps) == len(set(steps)), "nothing is loaded twice"
    assert [*pair.loaded] == ["target"]
    assert repr(pair) == "Pair('saved/target', target='saved/target', float32 on cpu)"
    with pytest.raises(PairError, match="saved/target was loaded without a draft model"):
        pair.require_draft()


def test_the_memory_of_one_model_is_enough(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with room for the target alone loads it, and refuses the pair; the error of one without room names a model, not a pair."""
    size = footprint(saved / "target", "x", torch.float32, torch.device("cpu"))
    needed = peak_of([size])
    monkeypatch.setattr(loading_module, "memory_free", lambda device: needed)
    assert alone(saved / "target").draft is None
    with pytest.raises(PairError, match="The pair needs up to"):
        load_pair(target=str(saved / "target"), draft=str(saved / "target"), device="cpu", dtype="float32")
    monkeypatch.setattr(loading_module, "memory_free", lambda device: needed - 1)
    with pytest.raises(PairError, match="The model needs up to"):
        alone(saved / "target")


def test_an_offered_pair_whose_draft_is_not_there_loads_without_it(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until its draft is made, such a pair is its target alone, and the card says so; once it is there, it is loaded. A hub id is never
    taken for a missing folder, and the embedded pair never goes without its draft."""
    draft = tmp_path / "pairs" / "draft"
    monkeypatch.setattr(
        known_pairs,
        "OFFERS",
        (
            replace(known_pairs.OFFERS[0], name="chat", target=str(saved / "target"), draft=str(draft)),
            *known_pairs.OFFERS,
        ),
    )
    pair = load_pair("chat", device="cpu", dtype="float32")
    assert (pair.name, pair.draft) == ("chat", None)
    assert pair.card.notes == ("chat was loaded without a draft model: this copy of specviz has none for it.",)
    assert with_draft(pair, str(saved / "draft")).card.notes == ()
    draft.mkdir(parents=True)
    assert chosen_models("chat").missing == str(draft), "an empty folder has no model"
    shutil.copytree(saved / "draft", draft, dirs_exist_ok=True)
    pair = load_pair("chat", device="cpu", dtype="float32")
    assert (pair.name, pair.card.notes, len(pair.models)) == ("chat", (), 2)
    assert chosen_models("gpt2").draft == "openai-community/gpt2"
    monkeypatch.setattr(known_pairs, "embedded_folder", lambda: tmp_path / "gone")
    assert chosen_models().draft == str(tmp_path / "gone" / "draft")


def test_a_draft_is_added_to_a_target_alone(saved: Path) -> None:
    """The target with its checks stays, the draft joins it, and the new pair is the one that loading both gives."""
    first, both = alone(saved / "target"), load_pair(target=str(saved / "target"), draft=str(saved / "draft"))
    made = with_draft(first, str(saved / "draft"))
    assert made.target is first.target
    assert (made.name, made.card.draft, made.card.drafter) == (both.name, both.card.draft, both.card.drafter)
    for role in ("target", "draft"):
        names = [check.name for check in both.loaded[role].checks]
        assert [check.name for check in made.loaded[role].checks] == names
        assert all(role in name for name in names)


def test_notes_belong_to_one_model(saved: Path, tmp_path: Path) -> None:
    """Another draft drops the notes of the draft before it and keeps the target's, also where both models have one name, and where
    one sentence is about both."""
    folder = shutil.copytree(saved / "target", tmp_path / "same")
    add_unused_weight(folder)
    path = folder / "generation_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "repetition_penalty": 1.1}))
    pair = load_pair(target=str(folder), draft=str(folder), device="cpu", dtype="float32")
    unused, penalty = pair.card.notes
    assert "has 1 weight that" in unused
    assert "repetition_penalty" in penalty
    assert {role: model.notes for role, model in pair.loaded.items()} == {
        "target": (unused, penalty),
        "draft": (unused,),
    }
    assert with_draft(pair, str(saved / "draft")).card.notes == (unused, penalty)
    other = with_draft(load_pair(target=str(saved / "target"), draft=str(folder)), str(saved / "draft"))
    assert (other.card.notes, [model.notes for model in other.loaded.values()]) == ((), [(), ()])
