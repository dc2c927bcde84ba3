"""The draft's training: its loss, its rows, which tokens see each other, and that it learns what it should."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import Tensor
from transformers import LlamaForCausalLM

from specviz.errors import TrainingError
from specviz.training.drafts.distil import AGREEMENT, ALPHA, LOSS, apart, distillation, kept_ids, rows
from specviz.training.drafts.store import OwnText
from specviz.training.drafts.student import Size, network, student
from specviz.training.drafts.writer import Written
from specviz.training.plan import Phase, TrainingPlan
from specviz.training.training_loop import follow
from tests.helpers.architectures import build
from tests.training.drafts.helpers import stored, written

V = 24


def models() -> tuple[LlamaForCausalLM, LlamaForCausalLM]:
    """A target, and a draft whose distributions are far from uniform."""
    torch.manual_seed(4)
    pair = [network(Size(32, layers), V, 64, ()).eval() for layers in (2, 1)]
    with torch.no_grad():
        for model in pair:
            for weight in model.parameters():
                weight.add_(torch.randn_like(weight), alpha=0.3)
    return pair[0], pair[1]


def texts_of(target: LlamaForCausalLM, folder: Path, top: int, lengths: tuple[int, ...] = (9, 12, 7)) -> OwnText:
    generator = torch.Generator().manual_seed(6)
    ids = [torch.randint(0, V, (length,), generator=generator).tolist() for length in lengths]
    return stored(folder, written(target, ids, 3, top))


@pytest.mark.parametrize("kept_count", [V, 15])
def test_the_loss_is_that_of_the_full_distributions(tmp_path: Path, kept_count: int) -> None:
    """With all top tokens kept, the loss of a row of three texts is w KL + (1 - w) TV of the complete distributions, text by text, where
    ids that the draft cannot write are one bucket."""
    target, draft = models()
    own = texts_of(target, tmp_path, V)
    kept = torch.arange(V)[torch.randperm(V, generator=torch.Generator().manual_seed(2))[:kept_count]].sort().values
    batch = torch.arange(len(own.ids))[None]
    with torch.inference_mode():
        found = distillation(draft, own, kept)(batch)
    divergences, distances, agreed = [], [], []
    for start, length in zip(own.starts.tolist(), own.lengths.tolist(), strict=True):
        ids = own.ids[start : start + length].long()[None]
        with torch.inference_mode():
            p = target(ids).logits[0, 2:-1].softmax(-1)
            q = draft(ids).logits[0, 2:-1][:, kept].softmax(-1)
        p = torch.cat([p[:, kept], 1 - p[:, kept].sum(-1, keepdim=True)], 1).clamp(min=1e-6)
        q = torch.cat([q, torch.full((len(q), 1), 1e-6)], 1)
        divergences.append((p * (p / q).log()).sum(-1))
        distances.append(1 - torch.minimum(p, q).sum(-1))
        agreed.append(p[:, :-1].argmax(-1) == q[:, :-1].argmax(-1))
    distance = torch.cat(distances).mean()
    weight = torch.exp(-3 * found[ALPHA])
    wanted = weight * torch.cat(divergences).mean() + (1 - weight) * distance
    assert float(found[LOSS]) == pytest.approx(float(wanted), rel=0.01)
    assert float(found[ALPHA]) == pytest.approx(1 - float(distance), abs=0.005)
    if kept_count == V:
        assert float(found[AGREEMENT]) == pytest.approx(float(torch.cat(agreed).float().mean()), abs=1e-6)


def test_texts_in_a_row_do_not_see_each_other(tmp_path: Path) -> None:
    """Changing one text of a row changes nothing for the others, and a text that comes twice does not see its first copy."""
    target, draft = models()
    own = texts_of(target, tmp_path, 8)
    text_of = torch.tensor([0] * 9 + [1] * 12 + [2] * 7)
    index = torch.tensor([[*range(9), *range(21, 28), *range(21, 28), *range(9, 15)]])
    positions, visible = apart(index, text_of, own.starts)
    assert positions[0].tolist() == [*range(9), *range(7), *range(7), *range(6)]
    pieces = [0] * 9 + [1] * 7 + [2] * 7 + [3] * 6
    for i, j in ((i, j) for i in range(29) for j in range(29)):
        assert bool(visible[0, 0, i, j]) == (pieces[i] == pieces[j] and j <= i)
    together = distillation(draft, own, torch.arange(V))
    whole = torch.arange(len(own.ids))[None]
    alone = [
        (together(whole[:, start : start + length])[ALPHA], length - 3)
        for start, length in zip(own.starts.tolist(), own.lengths.tolist(), strict=True)
    ]
    mean = sum(float(alpha) * count for alpha, count in alone) / sum(count for _, count in alone)
    assert float(together(whole)[ALPHA]) == pytest.approx(mean, abs=1e-5)


def test_rows_read_every_text_and_fill_up(tmp_path: Path) -> None:
    """Few texts fill rows too, about as many as asked for; pieces of a text are in order; the same seed gives the same rows."""
    own = texts_of(models()[0], tmp_path, 4, (9, 12, 7, 30))
    found = rows(own, 15, "a", 20)
    assert found.shape == (round(20 * len(own.ids) / 16), 16)
    assert set(found.flatten().tolist()) == set(range(len(own.ids)))
    assert torch.equal(found, rows(own, 15, "a", 20))
    assert not torch.equal(found, rows(own, 15, "b", 20))
    assert len(rows(own, 1000, "a", 0.1)) == 1


def test_all_of_a_few_texts_is_read_alike() -> None:
    """Six times each, or nearly: short texts and the ends of long ones are not left out. What fills the ends of rows is read more often."""
    lengths = torch.tensor([121, 95, 47, 47, 41, 167, 89, 88, 137, 73, 174, 163, 44])
    count, none = int(lengths.sum()), torch.empty(0, 1)
    ids, given = torch.zeros(count, dtype=torch.int32), torch.full((13,), -1)
    own = OwnText(ids, lengths.cumsum(0) - lengths, torch.zeros(count), none, none, given)
    read = torch.bincount(rows(own, 96, "seed", 6.0).flatten(), minlength=count)
    assert int(read.min()) >= 4
    assert int(read.max()) <= 12


def test_kept_ids_are_the_most_probable_ones(tmp_path: Path) -> None:
    """Prompts do not count; ids are kept by the sum of their probabilities, in ascending order, even before one that was written more
    often; their share of what was written is the cap."""
    top_ids = torch.tensor([[5, 2], [5, 7], [2, 7], [3, 7]], dtype=torch.int32)
    top_logs = torch.tensor([[0.9, 0.1], [0.6, 0.4], [0.5, 0.5], [0.9, 0.1]]).log().half()
    own = stored(tmp_path, [Written([9, 9, 9, 5, 5, 2, 3], 3, top_ids, top_logs, ended=False)])
    kept, share = kept_ids(own, 2)
    assert kept.tolist() == [5, 7]
    assert share == pytest.approx(2 / 4)
    everything, share = kept_ids(own, None)
    assert everything.tolist() == [2, 3, 5, 7]
    assert share == 1


PERIOD = (3, 17, 5, 11, 8, 20, 1)


def periodic(folder: Path, shift: int = 0) -> OwnText:
    """Texts of one period, in which the target is almost sure of the next token; `shift` moves the probabilities, as a mistake would."""
    target = models()[0]
    ids = [[PERIOD[(start + i) % len(PERIOD)] for i in range(24)] for start in range(len(PERIOD))] * 4
    texts = written(target, ids, 3, 4)
    for text in texts:
        text.top_logs[:] = -9.0
        text.top_logs[:, 0] = -0.01
        for column in range(4):
            text.top_ids[:, column] = 12 + column
        right = torch.tensor(text.ids[3:], dtype=torch.int32)
        text.top_ids[:, 0] = right.roll(shift)
    return stored(folder, texts)


def learnt(own: OwnText, folder: Path, part: Tensor) -> tuple[LlamaForCausalLM, dict[str, float]]:
    """A draft after a short training, and its latest losses."""
    torch.manual_seed(1)
    draft = network(Size(32, 1), V, 64, ())
    plan = TrainingPlan((Phase(23),), 230, matrix_rate=0.02, other_rate=0.02, warm_up=500)
    latest: dict[str, float] = {}
    follow(
        plan,
        {"draft": draft},
        distillation(draft, own, torch.arange(V)),
        [part],
        weights={ALPHA: 0.0, AGREEMENT: 0.0},
        device=torch.device("cpu"),
        precision=torch.float32,
        checkpoint=folder / "checkpoint",
        fingerprint="this",
        compiled=False,
        report=lambda now: latest.update(now.losses),
    )
    return draft, latest


def continues(draft: LlamaForCausalLM) -> float:
    """The share of the tokens of a periodic text that the draft predicts."""
    ids = torch.tensor([[PERIOD[i % len(PERIOD)] for i in range(20)]])
    with torch.inference_mode():
        return float((draft(ids).logits[0, 3:-1].argmax(-1) == ids[0, 4:]).float().mean())


@pytest.mark.slow
def test_a_draft_learns_the_next_token_and_not_its_neighbour(tmp_path: Path) -> None:
    """On a periodic text the draft agrees with the target nearly always, and predicts the text; it does not agree with targets that are off by one in
    either direction, so with these it would learn another text."""
    own = periodic(tmp_path)
    draft, latest = learnt(own, tmp_path, rows(own, 23, "x", 12))
    assert latest[AGREEMENT] > 0.97
    assert continues(draft) == 1.0
    for shift in (1, -1):
        shifted = periodic(tmp_path / str(shift), shift)
        found = distillation(draft, shifted, torch.arange(V))(rows(shifted, 23, "x", 1))
        assert float(found[AGREEMENT].detach()) < 0.2


def test_the_embedding_begins_as_the_targets(tmp_path: Path) -> None:
    """In as many dimensions as the target has, inner products of the draft's embedding are the target's, up to one factor; the layers
    depend on the seed alone; an embedding for padding, absent ids, and a wide draft are no problem."""
    target = build("llama", seed=1)
    table = target.get_input_embeddings().weight.detach()
    counts = torch.ones(len(table) - 2)
    size = Size(table.shape[1], 1)
    draft = student(target, size, counts, 0, ends={1}, positions=99)
    ours = draft.model.embed_tokens.weight.detach()
    inner, theirs = ours @ ours.T, table @ table.T
    assert torch.allclose(inner / inner.norm(), theirs / theirs.norm(), atol=1e-4)
    assert draft.config.max_position_embeddings == 99
    assert draft.config.eos_token_id == [1]
    again, other = (student(target, size, counts, seed).state_dict() for seed in (0, 1))
    assert all(torch.equal(weight, again[name]) for name, weight in draft.state_dict().items())
    assert not all(torch.equal(weight, other[name]) for name, weight in draft.state_dict().items())
    assert student(target, Size(2 * table.shape[1], 1), counts, 0).config.hidden_size == 2 * table.shape[1]


def test_sizes_are_read_and_refused() -> None:
    """WIDTHxLAYERS is a size; heads divide the width evenly; anything else is refused in one sentence."""
    assert Size.of("192x2") == Size(192, 2)
    assert (Size(192, 2).heads, Size(288, 1).heads, Size(288, 1).groups) == (4, 6, 2)
    for width in range(16, 1025, 16):
        heads = Size(width, 1).heads
        assert width % (2 * heads) == 0
        assert heads % Size(width, 1).groups == 0
    for wrong in ("192", "x", "10x2", "192x0", "192x99", "-16x1", "0x1", "\u00b2x1"):
        with pytest.raises(TrainingError, match=r"size of the draft"):
            Size.of(wrong)


@pytest.fixture(autouse=True)
def _numbers() -> Iterator[None]:
    """Each test has its own random numbers."""
    with torch.random.fork_rng(devices=[]):
        yield


def test_a_batch_of_prompts_alone_has_no_loss(tmp_path: Path) -> None:
    """Where the target wrote nothing in a batch, the loss is 0, not NaN."""
    target, draft = models()
    own = texts_of(target, tmp_path, 4)
    found = distillation(draft, own, torch.arange(V))(torch.tensor([[0, 1, 2]]))
    assert float(found[LOSS].detach()) == 0.0
