"""A draft model of another tokenizer as the loop sees it: what it reads, what it scores, and that the text stays the target's."""

import random
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from specviz.decoding.drafters import registry
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.slem import RecutDrafter
from specviz.decoding.drafters.tli import SharedTokensDrafter
from specviz.decoding.protocols import Drafter
from specviz.decoding.testing import TableModel
from specviz.errors import PairError, TokenizerMismatchError
from specviz.models import CachedModel, load_pair
from specviz.models.loading import with_draft
from specviz.models.translated import TranslatedModel
from specviz.runs.prepare import drafter_for, extra_bytes, usual_settings
from specviz.runs.run import Run
from specviz.runs.warmup import warm_up
from specviz.settings import Settings
from tests.helpers.lossless import error_of
from tests.helpers.oracles import plain_text
from tests.helpers.planting import Plant, plant
from tests.helpers.rounds import rounds_of, text_of, timeless
from tests.helpers.tiny_models import perturbed, tiny
from tests.models.folders import byte_tokenizer, save_model

PIECES = {0: (1,), 1: (2, 0), 2: (0,), 3: (3,)}
"""The target's four ids in the model's: one is two of them, the last one ends a text in both."""
SHARED = ((0, 2, 3), (1, 0, 3))


@dataclass
class Words:
    """A translation by table."""

    begin: tuple[int, ...] = ()
    first: int = -1
    table: Mapping[int, tuple[int, ...]] = field(default_factory=lambda: PIECES)

    @property
    def shared(self) -> tuple[Tensor, Tensor]:
        both = [(index, piece[0]) for index, piece in self.table.items() if len(piece) == 1]
        ours, theirs = torch.tensor(both).T
        return ours, theirs

    def pieces(self, index: int) -> tuple[int, ...]:
        return self.table[index]

    def begins(self, ids: Sequence[int]) -> bool:
        return ids[0] == self.first

    def spelled(self, ids: Sequence[int]) -> tuple[bytes, ...]:
        return tuple(b"" if index == 3 else b"<%d>" % index for index in ids)

    def to_draft(self, ids: Sequence[int]) -> list[int]:
        return [*self.begin, *(piece for index in ids for piece in self.table[index])]

    def to_target(self, ids: Sequence[int], after: Sequence[int]) -> list[int]:
        whole, found = list(ids), []
        while whole:
            fits = next((i for i, p in self.table.items() if tuple(whole[: len(p)]) == p), None)
            if fits is None:
                break
            found.append(fits)
            whole = whole[len(self.table[fits]) :]
        return found


def translated(model: Any, **words: Any) -> TranslatedModel:
    return TranslatedModel(model, 4, frozenset((3,)), Words(**words))  # type: ignore[arg-type]


def table(seed: int, **options: Any) -> TableModel:
    return TableModel.random(4, seed, end_ids=(3,), **options)


@pytest.mark.parametrize("begin", [(), (2,)])
def test_it_scores_the_text_in_its_own_ids(begin: tuple[int, ...]) -> None:
    """After every piece of a text, with some of it rolled back, the shared ids have the model's own scores and the others none."""
    for seed in range(20):
        rng, own = random.Random(seed), table(5)  # noqa: S311
        text: list[int] = []
        model = translated(own, begin=begin)
        model.begin(40)
        while len(text) < 24:
            read = [rng.randrange(4) for _ in range(rng.randint(1, 4))]
            rows = rng.choice([None, 1])
            scores = model.forward(torch.tensor(read), rows=rows).logits
            for row, count in zip(scores.flip(0), range(len(read), 0, -1), strict=False):
                wanted = own.scores(Words(begin).to_draft([*text, *read[:count]]))
                assert torch.equal(row[list(SHARED[0])], wanted[list(SHARED[1])])
                assert float(row[1]) == torch.finfo(row.dtype).min
            kept = rng.randint(0, len(read))
            model.keep(range(kept))
            text += read[:kept]
            assert model.length == len(text)
            assert list(own.kept) == Words(begin).to_draft(text)


def test_a_text_too_long_for_the_model_loses_its_beginning() -> None:
    """The cache stays within the model's context, the latest text is in it, and scores go on."""
    own = table(7, context=16)
    model = translated(own, begin=(2,))
    model.begin(60)
    text: list[int] = []
    for step in range(50):
        read = [step % 3, 1]
        scores = model.forward(torch.tensor(read)).logits
        assert scores.shape == (2, 4)
        assert own.length <= 16
        model.keep(range(1 + step % 2))
        text += read[: 1 + step % 2]
        assert own.kept[0] == 2
        assert step < 8 or len(own.kept) > 4
        assert Words().to_draft(text)[-len(own.kept) + 1 :] == list(own.kept[1:])
    model.begin(60)
    model.forward(torch.tensor([0, 1, 2] * 15), rows=1)
    model.keep(range(45))
    assert Words().to_draft([0, 1, 2] * 15)[-len(own.kept) + 1 :] == list(own.kept[1:])


def test_a_tree_is_refused() -> None:
    """In a sentence; a chain in the form of a tree is none."""
    model = translated(table(1))
    model.begin(8)
    model.forward(torch.tensor([0, 1]), [-1, 0])
    with pytest.raises(PairError, match="through another tokenizer"):
        model.forward(torch.tensor([0, 1]), [-1, -1])
    with pytest.raises(PairError, match="beginning of a chain"):
        model.keep([1])


WARPS = ({"temperature": 1.0}, {"temperature": 0.7, "top_k": 2}, {"temperature": 1.5, "top_p": 0.8})


def drafters(own: TableModel, begin: tuple[int, ...] = ()) -> list[Drafter]:
    return [SharedTokensDrafter(translated(own, begin=begin), Words(begin)), RecutDrafter(own, Words(begin), 4)]


@pytest.mark.parametrize("which", [0, 1], ids=["tli", "slem"])
def test_every_branch(which: int) -> None:
    """Over all possible random draws the texts have the target's joint distribution."""
    for warped, prompt, k in zip(WARPS, ((2,), (0, 1), (2,)), (1, 2, 1), strict=True):
        own, settings = table(12), Settings(k=k, max_new_tokens=3, **warped)  # type: ignore[arg-type]
        assert error_of(table(11), lambda: drafters(own)[which], prompt, settings) < 1e-10  # noqa: B023


@pytest.mark.parametrize("which", [0, 1], ids=["tli", "slem"])
def test_the_record_has_the_draft_models_own_tokens(which: int) -> None:
    """What it read before the draft and what it wrote, in its own tokens: never those of the target."""
    words, written = Words(), 0
    for seed in range(6):
        text = [0, 1]
        for round_ in rounds_of(table(seed, spread=2.0), drafters(table(seed + 50))[which], (0, 1), Settings(k=4)):
            if round_.own is None:
                assert not round_.drafted
            else:
                drafted = words.spelled(words.to_draft([d.token for d in round_.drafted]))
                read = words.to_draft(text)[-8:] if which else words.to_draft(text[-6:])
                assert round_.own.read == words.spelled(read)
                assert round_.own.written[: len(drafted)] == drafted
                assert which or len(round_.own.written) == len(drafted)
                written += len(round_.own.written)
            text += round_.tokens
    assert written > 8


@pytest.mark.parametrize("which", [0, 1], ids=["tli", "slem"])
@pytest.mark.parametrize("begin", [(), (2,)])
def test_the_text_is_the_plain_one(which: int, begin: tuple[int, ...]) -> None:
    """Greedy and with shared noise, through full, partial and no acceptance, beyond the model's context, to the end of the text."""
    drafted = accepted = 0
    for seed in range(8):
        target, own = table(seed, spread=2.0), table(seed + (seed % 2) * 50, context=24)
        for settings in (Settings(k=4), Settings(k=4, temperature=1.0, shared_noise=True, seed=seed)):
            asked = replace(settings, max_new_tokens=40)
            plain = text_of(rounds_of(target, NoDrafter(4), (0, 1), asked))
            rounds = rounds_of(target, drafters(own, begin)[which], (0, 1), asked)
            assert text_of(rounds) == plain
            drafted += sum(len(r.drafted) for r in rounds)
            accepted += sum(len(r.accepted) for r in rounds)
    assert 0 < accepted < drafted


IDS = 12
ROLLED = {index: ((index + 1) % IDS,) for index in range(IDS)} | {8: (9, 1)}
"""The model's ids are the target's moved up by one, and one of the target's is two of them."""


def relative(target: CachedModel) -> CachedModel:
    """A draft model over the rolled ids: the target's weights, moved a little, so that it is often right."""
    model = deepcopy(perturbed(target, 0.01).model)
    tables = {id(layer.weight): layer.weight for layer in (model.get_input_embeddings(), model.get_output_embeddings())}
    with torch.no_grad():
        for weight in tables.values():  # GPT-2 has one for both
            weight.copy_(weight.roll(1, 0))
    return CachedModel(model, IDS)


def check_real_models(which: int, kind: str) -> None:
    """Greedy and with shared noise, with the caches of real architectures on both sides, the text of two prompts on one drafter is the plain one;
    some tokens are right and some wrong."""
    target, words = tiny(kind, 1, vocabulary=IDS), Words(table=ROLLED)
    own, drafted, accepted = relative(target), 0, 0
    drafter: Drafter = RecutDrafter(own, words, IDS)
    if which == 0:
        drafter = SharedTokensDrafter(TranslatedModel(own, IDS, frozenset(), words), words)  # type: ignore[arg-type]
    for prompt in ((3, 7, 5), (1,)):
        for settings in (Settings(k=4), Settings(k=4, temperature=1.0, shared_noise=True, seed=2)):
            asked = replace(settings, max_new_tokens=20)
            plain = text_of(rounds_of(target, NoDrafter(IDS), prompt, asked))
            assert not settings.greedy or plain == plain_text(target, prompt, 20)
            rounds = rounds_of(target, drafter, prompt, asked)
            assert text_of(rounds) == plain
            drafted += sum(r.judged for r in rounds)
            accepted += sum(len(r.accepted) for r in rounds)
    assert drafted // 3 < accepted < drafted


WRONG = [
    Plant("scores under the model's own ids", partial(check_real_models, 0, "GPT2LMHeadModel"), TranslatedModel, "_fit", "logits[:, self._theirs]", "logits[:, self._ours]"),
    Plant("what the model wrote stays in its cache", partial(check_real_models, 1, "Qwen3ForCausalLM"), RecutDrafter, "_continue", "self.model.keep(range(safe))", "self.model.keep(range(len(self._pending)))"),
]  # fmt: skip


@pytest.mark.parametrize("bug", WRONG, ids=str)
def test_what_real_models_would_show(bug: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the bug the texts are the plain ones; a wrong translation drafts wrong tokens, and a wrong cache writes another text or stops
    the run."""
    bug.check()
    plant(bug, monkeypatch)
    with pytest.raises((AssertionError, PairError, RuntimeError)):
        bug.check()


@pytest.mark.parametrize("which", [0, 1], ids=["tli", "slem"])
def test_a_warm_up_changes_no_draft(which: int) -> None:
    """It reads texts that are longer than what is read again in a round, throws its passes away, and the rounds after it are those of a new drafter."""
    settings = Settings(k=4, max_new_tokens=20)
    own = table(53)
    used = drafters(own)[which]
    warm_up(table(3, spread=2.0), used, settings, 60)
    assert own.length > 10
    rounds = [
        timeless(rounds_of(table(3, spread=2.0), each, (0, 1), settings)) for each in (used, drafters(table(53))[which])
    ]
    assert rounds[0] == rounds[1]


def test_the_targets_beginning_is_read_once() -> None:
    """A text with the target's own beginning is read with the model's in its place; one without it is read after the model's."""
    own, words = table(7), Words(begin=(2,), first=2)
    model = TranslatedModel(own, 4, frozenset(), words)  # type: ignore[arg-type]
    for text in ([2, 0, 0], [0, 0]):
        model.begin(8)
        model.forward(torch.tensor(text))
        model.keep(range(len(text)))
        assert own.kept == (*PIECES[2], 1, 1) if text[0] == 2 else (2, 1, 1)


# ---- on a pair


def test_a_pair_of_two_tokenizers(saved: Path, tmp_path: Path) -> None:
    """It loads, says how the tokenizers differ where a drafter needs one, and writes the plain text with the two that translate; the model's
    card is in the trace, and the text may be longer than the draft model's context."""
    begins = byte_tokenizer(words=9, begin=True)
    begins.add_tokens(["another", "ing", "ed"])
    folder = save_model(tmp_path / "odd", tokenizer=begins, context=40, seed=3)
    pair = load_pair(target=str(saved / "target"), draft=str(folder), device="cpu", dtype="float32")
    assert (pair.draft, bool(pair.mismatch), usual_settings(pair).drafter) == (None, True, "tli")
    settings = Settings(k=3, max_new_tokens=60)
    plain = Run(pair, "the dog", settings, plain=True).finish()
    for name in registry.translating():
        trace = Run(pair, "the dog", replace(settings, drafter=name)).finish()
        assert trace.token_ids == plain.token_ids
        assert trace.card.draft is not None
        assert trace.card.draft.name == pair.card.draft.name  # type: ignore[union-attr]
        assert extra_bytes(pair, drafter_for(pair, replace(settings, drafter=name)), 100) > 1000
        assert sum(len(r.drafted) for r in trace.rounds) > 20
    for name in ("model", "tree"):
        with pytest.raises(
            TokenizerMismatchError, match=r"another tokenizer.* or the drafter 'tli' or 'slem'\."
        ) as caught:
            Run(pair, "the dog", registry.fitted(replace(settings, drafter=name)))
        first = f"token {2 + 256 + 9} is 'another' in the draft and '\u0120red' in the target"
        assert all(part in str(caught.value) for part in ("saved/target", f"{tmp_path.name}/odd", first))
    again = with_draft(pair, str(folder))
    assert Run(again, "the dog", replace(settings, drafter="slem")).finish().token_ids == plain.token_ids
