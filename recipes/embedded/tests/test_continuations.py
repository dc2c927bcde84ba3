"""What the target writes for the drafts: the beginning of every document, continued by the target."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pytest
import torch
from torch import Tensor
from transformers import LlamaForCausalLM

from recipes.embedded import continuations
from recipes.embedded.answers import Pupil
from recipes.embedded.continuations import written
from recipes.embedded.mixture import HeldOut, Library, documents
from recipes.embedded.tokenizer import END_ID
from recipes.embedded.writing import continued

pytestmark = pytest.mark.slow

SHARES = {"sums": 1, "counting": 2, "letters": 3}
AT_ONCE, LONGEST, BATCHES = 6, 24, 10


@dataclass(frozen=True)
class Batch:
    """What was asked of the writer at once, and what came of it."""

    beginnings: list[list[int]]
    texts: list[list[int]]
    precision: torch.dtype


@pytest.fixture(scope="module")
def target(miniature: Path) -> Pupil:
    return Pupil.of(miniature / "target")


def mixed() -> Iterator[tuple[str, str]]:
    return documents(Library(None, SHARES), SHARES, "beginnings", HeldOut())


def batches(target: Pupil, seed: str = "any", precision: torch.dtype = torch.float32) -> list[Batch]:
    """The first batches, smaller and shorter than they are in earnest."""
    found: list[Batch] = []

    def watched(
        model: LlamaForCausalLM,
        beginnings: Sequence[Sequence[int]],
        most: int,
        choose: Callable[[Tensor], Tensor],
    ) -> list[list[int]]:
        texts = continued(model, beginnings, most, choose)
        whole = [[*begun, *new] for begun, new in zip(beginnings, texts, strict=True)]
        found.append(Batch([list(begun) for begun in beginnings], whole, model.dtype))
        return texts

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(continuations, "AT_ONCE", AT_ONCE)
        patch.setattr(continuations, "LONGEST", LONGEST)
        patch.setattr(continuations, "continued", watched)
        texts = list(islice(written(target.model, target.tokenizer, mixed(), seed, precision), AT_ONCE * BATCHES))
    assert texts == [text for batch in found for text in batch.texts]
    return found


def all_of(target: Pupil, asked: Sequence[tuple[str, str]], as_text: Sequence[str] = ()) -> list[list[int]]:
    """The texts of a finite choice of documents, in batches as small."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(continuations, "AT_ONCE", AT_ONCE)
        patch.setattr(continuations, "LONGEST", LONGEST)
        return list(written(target.model, target.tokenizer, asked, "any", torch.float32, as_text))


@pytest.fixture(scope="module")
def found(target: Pupil) -> list[Batch]:
    return batches(target)


def greedy(target: Pupil, ids: list[int]) -> list[int]:
    """The target's own text after these tokens, from a whole pass for every token, without batch, cache or padding."""
    start = len(ids)
    with torch.inference_mode():
        while len(ids) - start < LONGEST and END_ID not in ids[start:]:
            ids = [*ids, int(target.model(input_ids=torch.tensor([ids])).logits[0, -1].argmax())]
    return ids


def test_texts_begin_as_documents_do(target: Pupil, found: list[Batch]) -> None:
    """The first 3 to 40 tokens of a text, or all where there are fewer, are those of its document; they come in the documents' order."""
    begun = [ids for batch in found for ids in batch.beginnings]
    for ids, (_, text) in zip(begun, mixed(), strict=False):
        document = target.tokenizer.encode(text).ids
        assert ids == document[: len(ids)]
        assert 3 <= len(ids) <= 40 or ids == document
    assert len(begun) == AT_ONCE * BATCHES
    assert len({len(ids) for ids in begun}) > 20


def test_the_rarest_class_is_written_too(target: Pupil) -> None:
    """Each of a finite choice of documents begins a text, those of a class that came but once and of a last batch that is not full too."""
    often = [text for _, text in islice(mixed(), 2 * AT_ONCE)]
    asked = (
        [("sums", text) for text in often[:-3]]
        + [("rare", "Zebras: 1 and 2.")]
        + [("sums", text) for text in often[-3:]]
    )
    texts = all_of(target, asked)
    firsts = [target.tokenizer.encode(text).ids[:3] for _, text in asked]
    assert [text[:3] for text in texts] == firsts


def test_texts_end_at_their_end_or_at_the_length(found: list[Batch]) -> None:
    """The end mark is only at the end; without it the text has the maximum length. Both happen."""
    ended = []
    for batch in found:
        for begun, text in zip(batch.beginnings, batch.texts, strict=True):
            new = text[len(begun) :]
            ended.append(new[-1] == END_ID)
            assert END_ID not in text[:-1]
            assert ended[-1] or len(new) == LONGEST
    assert set(ended) == {True, False}


def test_every_other_batch_is_the_targets_greedy_text(target: Pupil, found: list[Batch]) -> None:
    """Of the first, the third and so on every text is what the target alone would write greedily, of the others far from all are."""
    same = [
        sum(text == greedy(target, begun) for begun, text in zip(batch.beginnings, batch.texts, strict=True))
        for batch in found
    ]
    assert same[::2] == [AT_ONCE] * (BATCHES // 2)
    assert sum(same[1::2]) < AT_ONCE * BATCHES / 4


def test_the_seed_decides(target: Pupil, found: list[Batch]) -> None:
    """The same seed gives the same texts, whatever was drawn before; another seed gives others."""
    torch.rand(7)
    assert batches(target) == found
    assert batches(target, "other") != found


def test_some_classes_stay_as_they_were_written(target: Pupil) -> None:
    """Of a class that stays text every document comes complete, in order, followed by the end mark; of the others none does."""
    asked = list(islice(mixed(), 40))
    kept = [[*target.tokenizer.encode(text).ids, END_ID] for kind, text in asked if kind == "counting"]
    texts = all_of(target, asked, as_text=("counting",))
    assert [text for text in texts if text in kept] == kept
    gone_on = [text for text in texts if text not in kept]
    assert len(gone_on) == len(asked) - len(kept)
    assert all(len(text) <= 40 + LONGEST for text in gone_on)
    assert not {tuple(text[:3]) for text in gone_on} & {tuple(text[:3]) for text in kept}


def test_the_target_writes_in_the_precision_asked_for_and_stays_as_it_is(target: Pupil) -> None:
    """A copy of it writes in bfloat16; the network itself keeps its format, its mode and its weights."""
    before = {name: weight.clone() for name, weight in target.model.state_dict().items()}
    target.model.train()
    assert {batch.precision for batch in batches(target, precision=torch.bfloat16)} == {torch.bfloat16}
    assert target.model.training
    target.model.eval()
    after = target.model.state_dict()
    assert all(weight.dtype == torch.float32 and torch.equal(weight, before[name]) for name, weight in after.items())
