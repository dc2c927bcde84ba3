"""What heads learn from: rows of text, and what the target computes for them."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
import transformers

from specviz.errors import TrainingError
from specviz.training.drafts.store import OwnText
from specviz.training.heads import making
from specviz.training.heads.rows import rows
from specviz.training.heads.teacher import Teacher, kept_states, states_of
from tests.models.folders import save_model
from tests.training.drafts.helpers import stored, written


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> transformers.PreTrainedModel:
    folder = save_model(tmp_path_factory.mktemp("tiny") / "target", seed=3, initializer_range=0.3)
    return transformers.AutoModelForCausalLM.from_pretrained(folder).eval()


@pytest.fixture
def own(model: transformers.PreTrainedModel, tmp_path: Path) -> OwnText:
    """Nine texts of 5 to 13 tokens, whose first three tokens are a prompt."""
    texts = [[(7 * n + i) % 250 for i in range(5 + n)] for n in range(9)]
    return stored(tmp_path, written(model, texts, start=3, top=4))


def test_rows_read_every_text_from_its_beginning(own: OwnText) -> None:
    """As often as there are epochs, cut at the longest length; the same seed gives the same rows, and each row has a number of its own."""
    found = rows(own, 10, 2, "a", 2.0)
    assert torch.equal(found, rows(own, 10, 2, "a", 2.0))
    assert not torch.equal(found, rows(own, 10, 2, "b", 2.0))
    assert found[:, 0].tolist() == list(range(18))
    firsts = found[:, 1].tolist()
    assert sorted(firsts) == sorted(own.starts.tolist() * 2)
    for row in found[:, 1:].tolist():
        text = [index for index in row if index >= 0]
        length = int(own.lengths[own.starts.tolist().index(row[0])])
        assert text == list(range(row[0], row[0] + min(10, length)))
        assert row[len(text) :] == [-1] * (len(row) - len(text))
    assert len(rows(own, 10, 2, "a", 0.5)) == 4


def test_the_teacher_reads_each_text_as_if_it_were_alone(model: transformers.PreTrainedModel, own: OwnText) -> None:
    """Its states are those of a plain pass over this text, padding changes nothing, and only what the target wrote is a label."""
    teacher = Teacher(model, own, (1, model.config.num_hidden_layers), seed=4)
    batch = rows(own, 64, 4, "a")[:4]
    read = teacher.read(batch)
    assert read.seed != Teacher(model, own, (1,), seed=4).read(rows(own, 64, 4, "a")[4:]).seed
    for row, index in enumerate(batch[:, 1:].tolist()):
        ids = torch.tensor([[int(own.ids[i]) for i in index if i >= 0]])
        with torch.no_grad():
            plain = model(ids, output_hidden_states=True)
        n = ids.shape[1]
        assert torch.equal(read.ids[row, :n], ids[0])
        assert read.real[row].tolist() == [i < n for i in range(read.ids.shape[1])]
        assert read.written[row].tolist() == [3 <= i < n for i in range(read.ids.shape[1])]
        torch.testing.assert_close(read.states[row, :n, 0], plain.hidden_states[1][0])
        torch.testing.assert_close(read.states[row, :n, 1], read.final[row, :n])
        torch.testing.assert_close(model.get_output_embeddings()(read.final[row, :n]), plain.logits[0])


def test_kept_states_are_those_of_every_batch(model: transformers.PreTrainedModel, own: OwnText) -> None:
    """Whichever texts share a batch; what is too much for the memory is not kept."""
    teacher = Teacher(model, own, (1, model.config.num_hidden_layers), seed=4)
    once = rows(own, 10, 3, "kept")
    kept = kept_states(teacher, once, 3, 2**30)
    assert kept is not None
    assert kept_states(teacher, once, 3, kept.states.nbytes + kept.final.nbytes - 1) is None
    batch = rows(own, 10, 4, "a")[:4]
    fresh, again = teacher.read(batch), replace(teacher, kept=kept).read(batch)
    assert torch.equal(fresh.ids, again.ids)
    assert torch.equal(fresh.written, again.written)
    for one, other in ((fresh.states, again.states), (fresh.final, again.final)):
        torch.testing.assert_close(one[fresh.real], other[fresh.real])


def test_a_target_that_does_not_show_its_states_is_refused(
    model: transformers.PreTrainedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence, whether there are none or others than its output layer reads."""
    shown = model.forward

    def without(*args: object, **named: object) -> object:
        found = shown(*args, **named)
        found.hidden_states = None
        return found

    def before_the_norm(*args: object, **named: object) -> object:
        found = shown(*args, **named)
        if found.hidden_states is not None:
            found.hidden_states = (*found.hidden_states[:-1], found.hidden_states[-2])
        return found

    target: Any = SimpleNamespace(model=model, text=SimpleNamespace(vocabulary=258))
    making.check_states(target, (1,))
    for forward, said in ((without, "does not show the states"), (before_the_norm, "not those that its output layer")):
        with monkeypatch.context() as patch:
            patch.setattr(model, "forward", forward)
            with pytest.raises(TrainingError, match=said):
                making.check_states(target, (1,))
    assert states_of(model, torch.tensor([[1, 2, 3]]), ())[0].shape == (1, 3, 0, model.config.hidden_size)
