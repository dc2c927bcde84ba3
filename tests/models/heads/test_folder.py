"""Claims about heads in folders: what is saved comes back, for the very target that it was made for, and nothing else is loaded."""

import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from specviz.errors import PairError
from specviz.head_formats import CONFIG
from specviz.known_pairs import embedded_folder
from specviz.model_choice import heads_here
from specviz.models import CachedModel, Pair
from specviz.models.heads.folder import WEIGHTS, digest_of, load, network_of, read_spec
from specviz.models.heads.spec import Shape
from specviz.models.networks.originals import _ATTRIBUTE
from specviz.models.tokens import TokenText
from tests.helpers.heads import random_head, save, saved_head
from tests.helpers.refusals import Damage, cut, edit_json, edited, endless, large, refusal, reweighted
from tests.helpers.tiny_models import perturbed, tiny

HEAD_FILE = "head.json"


@pytest.fixture(scope="module")
def target() -> CachedModel:
    return tiny("LlamaForCausalLM", 1, vocabulary=40)


def test_what_is_saved_comes_back(target: CachedModel, tmp_path: Path) -> None:
    """The description, the weights to half precision, and the ids that are scored."""
    for tokens in (None, torch.tensor([1, 5, 39])):
        folder = saved_head(tmp_path / "a" / "head", target, tokens=tokens, heads=2, accuracies=[[0.5], [0.25]])
        head, made = load(folder, target), random_head(target, heads=2, tokens=tokens)
        assert head.spec == read_spec(folder)
        assert head.spec.options == {"heads": 2, "accuracies": [[0.5], [0.25]]}
        assert head.spec.shape == Shape(16, 40, 2, 8, 10_000.0, 1e-6, 32)
        assert head.taps == (2,)
        for name, weight in made.network.state_dict().items():
            torch.testing.assert_close(head.network.state_dict()[name], weight, rtol=1e-3, atol=1e-7)
        assert not any(weight.requires_grad for weight in head.network.parameters())
        found = head.frozen.tokens
        assert (None if found is None else found.tolist()) == (None if tokens is None else tokens.tolist())


def test_the_digest_is_of_the_weights_alone(target: CachedModel) -> None:
    """The same in every format in which the weights may be loaded; other weights, however near, have another one."""
    formats = (torch.float32, torch.bfloat16, torch.float16, torch.float64)
    found = {digest_of(tiny("LlamaForCausalLM", 1, vocabulary=40).model.to(dtype)) for dtype in formats}
    target.model.float()
    assert len(found) == 1
    assert found != {digest_of(perturbed(target, 0.01).model)}


def test_weights_that_were_freed_are_read_for_the_digest_and_freed_again(embedded: Pair, tmp_path: Path) -> None:
    """The embedded target has the digest of its checkpoint, takes a head made for that, and keeps the memory that it saved."""
    freed = getattr(embedded.target.model, _ATTRIBUTE)
    plain = AutoModelForCausalLM.from_pretrained(embedded_folder() / "target", dtype=torch.float32)
    made = random_head(embedded.target, heads=2, digest=digest_of(plain))
    save(tmp_path / "head", made)
    assert load(tmp_path / "head", embedded.target).spec == made.spec
    assert freed._hooks, "the weights were left in memory"


def test_a_head_of_another_target_is_refused(target: CachedModel, tmp_path: Path) -> None:
    """In one sentence with both names and what differs."""
    folder, kind = saved_head(tmp_path / "head", target), "LlamaForCausalLM"
    for other, reason in (
        (perturbed(tiny(kind, 1, vocabulary=40), 0.01), "the weights are not the same"),
        (tiny(kind, 1, vocabulary=40, width=32), "that one has states of 16 numbers, this one 32"),
        (tiny(kind, 1, vocabulary=41), "that one has 40 token ids, this one 41"),
    ):
        assert refusal(PairError, load, folder, other, "another one") == (
            f"The trained head in {folder} was made for the target 'a tiny target', and the target here is 'another one' "
            f"({reason}): get a head for this target, or choose another drafter."
        )


def test_a_head_for_another_tokenizer_is_refused(target: CachedModel, embedded: Pair, tmp_path: Path) -> None:
    """The same weights with ids that stand for other text; a file that does not name its tokenizer is compared by its weights alone."""
    folder = saved_head(tmp_path / "head", target, tokenizer=embedded.text.digest)
    assert load(folder, target, "one", embedded.text.digest).spec.tokenizer == embedded.text.digest
    swapped = TokenText(embedded.text.tokenizer)
    swapped._pieces = {**swapped._pieces, 300: swapped._pieces[301], 301: swapped._pieces[300]}
    with pytest.raises(
        PairError, match=r"the target here is 'one' \(their tokenizers are not the same\): get a head for"
    ):
        load(folder, target, "one", swapped.digest)
    edit_json(folder / HEAD_FILE, tokenizer="")
    assert load(folder, target, "one", swapped.digest).spec.tokenizer == ""


def pipe(name: str) -> Damage:
    def replace_it(folder: Path) -> None:
        (folder / name).unlink()
        os.mkfifo(folder / name)

    return replace_it


damaged = partial(reweighted, name=WEIGHTS)
DAMAGES: dict[str, Damage] = {
    "head.json could not be read": lambda folder: (folder / HEAD_FILE).unlink(),
    "head.safetensors could not be read (it is no regular file)": pipe(WEIGHTS),
    "head.json could not be read (it is no regular file)": endless(HEAD_FILE),
    "head.json could not be read (it has more than 100 MB)": large(HEAD_FILE),
    "head.json": lambda folder: (folder / HEAD_FILE).write_bytes(b"\xff\xfe"),
    "is not an object of format 1": edited(HEAD_FILE, format=2),
    "describes a head of the kind 'hydra', and the kinds are": edited(HEAD_FILE, kind="hydra"),
    "reads layer 9 of a target with 2 layers": edited(HEAD_FILE, taps=[9]),
    "width is -1, not a number above 0": edited(HEAD_FILE, shape=dict.fromkeys(Shape.__slots__, -1)),
    "heads is 1000000000000, not 1 to 64": edited(HEAD_FILE, options={"heads": 10**12}),
    "head.safetensors does not fit its head.json": edited(HEAD_FILE, options={"heads": 2}),
    "could not be read": cut(WEIGHTS, 200),
    "head.safetensors does not fit": damaged(lambda each: each.pop("blocks.bias")),
    "has values that are not numbers in the weight 'blocks.bias'": damaged(
        lambda each: each["blocks.bias"].fill_(torch.nan)
    ),
    "has a list of ids that are not ascending": damaged(lambda each: each.update(tokens=torch.tensor([5, 40]))),
}
"""What the sentence says, and how the folder is damaged."""


@pytest.mark.parametrize("reason", DAMAGES)
def test_a_damaged_folder_is_refused(reason: str, target: CachedModel, tmp_path: Path) -> None:
    """In one sentence that names the folder and what is wrong, and allocates nothing that a description asks for."""
    folder = saved_head(tmp_path / "head", target)
    DAMAGES[reason](folder)
    said = refusal(PairError, load, folder, target)
    assert said.startswith(f"The trained head in {folder} cannot be used (its head.")
    assert reason in said
    assert said.endswith("): get it again, or choose another drafter.")
    if "head.json could not be read (it" in reason:  # the page's process looks there too
        for name in (HEAD_FILE, CONFIG):
            (folder / HEAD_FILE).rename(folder / name)
            with pytest.raises(PairError, match="has no trained head"):
                heads_here(None, str(folder))
            (folder / name).rename(folder / HEAD_FILE)


def test_impossible_options_are_refused(target: CachedModel) -> None:
    """Before any memory is allocated, as the loader's sentence says."""
    good = random_head(target, "dspark").spec
    for wrong, reason in (
        ({"slots": 10**9}, "slots is 1000000000"),
        ({"calibration": {"greedy": [1.0] * 4, "sampled": [1.0]}}, "the slots of sampled decoding"),
        ({"causal": 1}, "causal is neither true nor false"),
        ({"markov_rank": -1}, "markov_rank is -1"),
        ({"colour": "red"}, "colour"),
    ):
        with pytest.raises(ValueError, match=rf"has options that no head of the kind dspark has.*{reason}"):
            network_of(replace(good, options={**good.options, **wrong}))
    with pytest.raises(ValueError, match="MTP reads one state of each token, not 2"):
        random_head(target, "mtp", taps=(1, 2))
