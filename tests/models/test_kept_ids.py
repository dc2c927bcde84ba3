"""A draft's folder with `kept_ids.json`: it is loaded with a trimmed head, and a file that cannot be used is refused in one sentence."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM

from specviz.errors import ModelFolderError, PairError
from specviz.models import Pair, load_pair
from specviz.models.kept_ids import FILE
from specviz.models.memory import footprint
from specviz.models.networks.kept_head import KeptHead
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.originals import restore_originals
from specviz.models.networks.packing import half_is_fast
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.files import dumps, loads
from tests.helpers.refusals import refusal, reweighted
from tests.models.conftest import Copies
from tests.models.folders import save_model

IDS = (0, 34, 70, 71, 102, 200, 255)
VOCABULARY = 270


def keep(folder: Path, ids: Any = IDS, vocabulary: Any = VOCABULARY) -> Path:
    """Write the file into this folder."""
    (folder / FILE).write_text(json.dumps({"vocabulary": vocabulary, "kept": ids}))
    return folder


def load(target: Path, draft: Path) -> Pair:
    return load_pair(target=str(target), draft=str(draft), device="cpu", dtype="float32")


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    """A draft with tied bfloat16 weights and kept ids, as it is trained."""
    folder = save_model(tmp_path / "draft", seed=2, num_hidden_layers=1, tie_word_embeddings=True)
    reweighted(lambda tensors: tensors.update({name: tensor.bfloat16() for name, tensor in tensors.items()}))(folder)
    return keep(folder)


@pytest.mark.slow
def test_a_trimmed_draft_drafts_kept_ids_only(saved: Path, draft: Path) -> None:
    """Its own decoder runs it and its card says how many ids it writes; chains and trees give the target's text, greedy and stored in a
    file; transformers' modules, whose weights were freed and are read again, give the same scores."""
    pair = load(saved / "target", draft)
    assert isinstance(pair.require_draft().network, LeanDecoder)
    assert len([note for note in pair.card.notes if "writes 7 of 270 ids" in note]) == 1
    assert pair.card.draft is not None
    assert pair.card.draft.parameters == AutoModelForCausalLM.from_pretrained(draft).num_parameters()
    for drafter in ("model", "tree"):
        settings = Settings(drafter=drafter, max_new_tokens=12, k=3)
        plain, trace = (Run(pair, "the dog ran", settings, plain=plain).finish() for plain in (True, False))
        assert trace.token_ids == plain.token_ids
        drafted = {each.token for round_ in trace.rounds for each in round_.drafted}
        assert drafted
        assert drafted <= set(IDS)
        assert loads(dumps([trace]))[0] == trace
    head = pair.require_draft().model.lm_head
    assert isinstance(head, KeptHead)
    assert bool(head.rows.weight.isnan().all()) is half_is_fast()
    pair.require_draft().begin(3)
    own = pair.require_draft().forward(torch.tensor([5, 6, 7])).logits
    with torch.inference_mode():
        stock = pair.require_draft().model(torch.tensor([[5, 6, 7]])).logits[0]
        full = AutoModelForCausalLM.from_pretrained(draft, dtype=torch.float32)(torch.tensor([[5, 6, 7]])).logits[0]
    assert torch.allclose(own, stock, rtol=1e-4, atol=1e-4)
    assert torch.allclose(own[:, IDS], full[:, IDS], rtol=1e-4, atol=1e-4)


def test_the_estimate_counts_the_rows_that_are_used(draft: Path) -> None:
    """A trimmed head needs its copied rows at the peak; afterwards a packed one needs less than the full one."""
    cpu = torch.device("cpu")
    for dtype in (torch.float32, torch.float16):
        trimmed = footprint(keep(draft), "it", dtype, cpu)
        (draft / FILE).unlink()
        full = footprint(draft, "it", dtype, cpu)
        copied = 7 * 16 * dtype.itemsize
        if dtype == torch.float16:
            assert (trimmed.peak, trimmed.after) == (full.peak + copied, full.after + copied)
        elif half_is_fast():
            assert trimmed.after < full.after - 2 * 512 * 200
            assert trimmed.peak < full.peak


def test_a_trimmed_model_is_no_target(saved: Path, draft: Path) -> None:
    """Its other rows were never trained, so as a target it is refused."""
    with pytest.raises(ModelFolderError, match="makes it a draft: give it as the draft, and choose another target"):
        load(draft, saved / "draft")


def test_a_file_that_cannot_be_used_is_refused(saved: Path, copy_of: Copies) -> None:
    """In one sentence, which says what was found and what to do, before any weights are read."""
    folder = copy_of("draft")
    (folder / "model.safetensors").unlink()
    for written, said in (
        ("{", "could not be read"),
        ("[" * 100_000, "could not be read"),
        ("\xff", ""),
        ('{"vocabulary": 270, "kept": {"0": 1}}', "is not an object"),
        ('{"vocabulary": 271, "kept": [1]}', "is for a vocabulary of 271 ids, and the model has 270"),
        ('{"vocabulary": 270, "kept": []}', "keeps no id"),
        ('{"vocabulary": 270, "kept": [1, 270]}', "keeps the id 270, and ids are whole numbers from 0 to 269"),
        ('{"vocabulary": 270, "kept": [1, 2.0]}', "keeps the id 2.0"),
        ('{"vocabulary": 270, "kept": [3, 3]}', "lists 3 after 3"),
    ):
        (folder / FILE).write_text(written, encoding="latin-1")
        sentence = refusal(ModelFolderError, load, saved / "target", folder)
        assert said in sentence
        assert sentence.endswith("delete the file to use the full head.")


def test_kept_ids_that_change_while_the_pair_is_loaded(saved: Path, draft: Path) -> None:
    """Weights that are read again must belong to the same ids: a file that is gone or lists other ids is refused in one sentence."""
    changes: tuple[tuple[int, ...] | None, ...] = (None, (*IDS[:-1], 254), IDS[:-1])
    for changed in changes:
        pair = load(saved / "target", keep(draft))
        keep(draft, changed) if changed else (draft / FILE).unlink()
        with pytest.raises(PairError, match="has changed since it was loaded: load the pair again"):
            restore_originals(pair.require_draft().model)
