"""Claims about layers of multi-token prediction inside a target's checkpoint: each layout computes what its paper writes, and half a layer is refused."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from specviz import mtp_names
from specviz.errors import PairError
from specviz.model_choice import heads_here, kinds_to_expect
from specviz.models import Pair, load_pair
from specviz.models.checks.first_use import head_of
from specviz.models.heads import mtp_inside
from specviz.models.heads.mtp_inside import InsideMtp, InsideReader
from specviz.runs.run import Run
from specviz.settings import AUTO, Settings
from tests.helpers.mtp_checkpoints import CHECKPOINTS, Written, saved
from tests.helpers.oracles import plain_text
from tests.helpers.planting import Plant, plant

pytestmark = pytest.mark.slow

PROMPT, TOLERANCE = "the old dog saw", 1e-5
_FOLDERS = TemporaryDirectory()


@pytest.fixture(scope="module", autouse=True)
def _cleaned() -> Iterator[None]:
    yield
    _FOLDERS.cleanup()


@cache
def folder_of(name: str) -> Path:
    return saved(Path(_FOLDERS.name) / name, name)


@cache
def pair_of(name: str) -> Pair:
    return load_pair(target=folder_of(name), device="cpu", dtype="float32")


def check(name: str) -> None:
    """Read in pieces, with guesses in between that are dropped again, the scores are those of the written layer over the whole text."""
    folder, target = folder_of(name), pair_of(name).target
    config = json.loads((folder / "config.json").read_text())
    written = Written(name, load_file(folder / "model.safetensors"), config)
    head = mtp_inside.load(folder, target, name)
    ids = torch.randint(2, target.vocabulary, (10,), generator=torch.Generator().manual_seed(1))
    states: Tensor = target.model(ids[None, :-1], output_hidden_states=True).hidden_states[-1][0]

    def wanted(count: int, *guessed: int) -> Tensor:
        tokens, given = [*ids[1 : count + 1].tolist(), *guessed], states[:count]
        while True:
            found = written.states(head.frozen.embed(torch.tensor(tokens[: len(given)])), given)
            if len(given) == len(tokens):
                return head.frozen.score(found[-1])
            given = torch.cat([given, found[-1:]])

    reader: InsideReader = head.network.reader(head.frozen)  # type: ignore[operator]
    for _ in range(2):
        reader.begin(40)
        end = 0
        for piece in (1, 5, 3):
            found = reader.read(states[end : end + piece, None], ids[end + 1 : end + piece + 1])
            end += piece
            _close(found, wanted(end))
            for depth in (1, 2, 3):
                found = reader.guess(torch.tensor([4 + depth]), (-1,))[0]
                guessed = range(5, 5 + depth)
                _close(found, wanted(end, *guessed))


def _close(found: Tensor, wanted: Tensor) -> None:
    """To a share of the largest score: in float32 a state that is guessed from guessed states carries the rounding of all of them, and how much
    that is depends on the processor's products."""
    torch.testing.assert_close(found, wanted, rtol=TOLERANCE, atol=TOLERANCE * float(wanted.abs().max()))


@pytest.mark.parametrize("name", CHECKPOINTS)
@torch.no_grad()
def test_it_is_the_layer_of_the_paper(name: str) -> None:
    """To 1e-5 of the largest score, in every layout, for the text and for guesses after it."""
    check(name)


@torch.no_grad()
def test_long_texts_are_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A prompt that is longer than a piece gives the same scores."""
    monkeypatch.setattr(mtp_inside, "_PIECE", 2)
    check("DeepSeek")


ORDER = "[token, state] if self.token_first else [state, token]"
PLANTED = (
    Plant("state and token are swapped", lambda: check("GLM"), InsideMtp, "forward", ORDER, "[state, token]"),
    Plant("MiMo reads the state first", lambda: check("MiMo"), InsideMtp, "forward", ORDER, "[token, state]"),
    Plant("no last norm", lambda: check("DeepSeek"), InsideMtp, "forward", "self.norm((output[0] if isinstance(output, tuple) else output)[0, -1:])", "output[0, -1:]"),
    Plant("the first pair instead of the last", lambda: check("Qwen3.5"), InsideMtp, "forward", "[0, -1:]", "[0, :1]"),
    Plant("pieces overlap", lambda: check("Qwen3.5"), InsideReader, "read", "range(0, len(following), _PIECE)", "(0, 0)"),
    Plant("positions begin again", lambda: check("GLM"), InsideReader, "_pass", "torch.arange(length, length + len(tokens)", "torch.arange(0, len(tokens)"),
    Plant("guesses stay in the cache", lambda: check("DeepSeek"), InsideReader, "read", "self.drop()", "pass"),
    Plant("gate and up are swapped", lambda: check("Qwen3-Next"), mtp_inside, "_experts_joined", '("gate", "up")', '("up", "gate")'),
)  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED, ids=str)
@torch.no_grad()
def test_every_part_matters(planted: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """One planted bug, and the scores differ."""
    plant(planted, monkeypatch)
    with pytest.raises(AssertionError):
        planted.check()


@pytest.mark.parametrize("name", ["Qwen3-Next", "DeepSeek", "MiMo"])
def test_the_text_is_the_plain_one(name: str) -> None:
    """On a hybrid, on latent attention and on a plain one: the pair offers the drafter by itself, and writes the target's own text."""
    pair = pair_of(name)
    assert pair.head_kinds == ("mtp",)
    settings = Settings(drafter="mtp", k=3, max_new_tokens=14)
    trace = Run(pair, PROMPT, settings).finish()
    assert trace.token_ids == plain_text(pair.target, tuple(trace.prompt_ids), 14)
    assert any(round_.drafted for round_ in trace.rounds)
    assert trace.card.drafter.name == "mtp"


def test_it_is_found_before_anything_is_loaded(tmp_path: Path) -> None:
    """From names alone, also where the files are several; an unknown hub id may have one; a model without one has none."""
    for name in CHECKPOINTS:
        assert heads_here(None, None, str(folder_of(name))) == {"mtp": folder_of(name)}
        found = mtp_names.mtp_layer(folder_of(name))
        assert found.complete
        assert found.key == (CHECKPOINTS[name].promise or "mtp.fc.weight")
    assert kinds_to_expect(None, None, "somebody/not-here-yet") == ("mtp",)
    assert heads_here(None, None, "somebody/not-here-yet") == {}
    plain = saved(tmp_path / "plain", "MiMo", without="mtp_layers")
    (plain / "config.json").write_text(
        (plain / "config.json").read_text().replace('"num_nextn_predict_layers": 1', '"x": 1')
    )
    assert kinds_to_expect(None, None, str(plain)) == ()
    assert mtp_names.mtp_layer(plain) == mtp_names.MtpLayer()


def squeezed(tensors: dict[str, Tensor]) -> None:
    name = "model.layers.2.self_attn.o_proj.weight"
    tensors[name] = tensors[name][:, :-1].contiguous()


def coded(tensors: dict[str, Tensor]) -> None:
    name = "model.layers.2.eh_proj.weight"
    tensors[name] = tensors[name].to(torch.float8_e4m3fn)


@pytest.mark.parametrize(
    ("name", "how", "words"),
    [
        ("Qwen3.5", {"without": "mtp."}, "(mtp_num_hidden_layers promises one, and its files have no mtp.fc.weight)"),
        ("GLM", {"without": "layers.2."}, "(num_nextn_predict_layers promises one, and its files have no model.layers.2.eh_proj.weight)"),
        ("GLM", {"without": "hnorm"}, "(num_nextn_predict_layers promises one, and its files have no model.layers.2.hnorm.weight)"),
        ("DeepSeek", {"without": "layers.2.mlp.experts.3"}, "(its model.layers.2.mlp.experts.gate_up_proj has the shape (3, 24, 16) instead of (4, 24, 16))"),
        ("MiMo", {"without": "mtp_layers.0.mlp.up_proj"}, "(its files have no model.mtp_layers.0.mlp.up_proj.weight)"),
        ("GLM", {"change": squeezed}, "(its model.layers.2.self_attn.o_proj.weight has the shape (16, 15) instead of (16, 16))"),
        ("GLM", {"change": coded}, "(its model.layers.2.eh_proj.weight is quantised to float8_e4m3fn)"),
        ("MiMo", {"change": lambda each: each.update({"model.mtp_layers.0.extra.weight": torch.zeros(2)})}, "(its model.mtp_layers.0.extra.weight is no part of a layer of this target)"),
    ],
)  # fmt: skip
def test_half_a_layer_is_refused(tmp_path: Path, name: str, how: Any, words: str) -> None:
    """Dropped, incomplete, of another shape, quantised or with too much: one sentence names the key or the tensor, and other drafters work."""
    folder = saved(tmp_path / "half", name, **how)
    assert "mtp" in kinds_to_expect(None, None, str(folder))
    pair = load_pair(target=folder, device="cpu", dtype="float32")
    with pytest.raises(PairError) as caught:
        Run(pair, PROMPT, Settings(drafter="mtp"))
    assert words in str(caught.value)
    assert str(caught.value).endswith(": choose another drafter.")
    assert str(caught.value).count(". ") == 0
    if pair.head_faults:
        assert pair.head_kinds == ()
        assert Run(pair, PROMPT, Settings(drafter="ngram", max_new_tokens=4)).finish().token_ids
    else:
        with pytest.raises(PairError):
            head_of(pair, "mtp")


def test_a_layer_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before its numbers are read."""
    pair = load_pair(target=folder_of("MiMo"), device="cpu", dtype="float32")
    monkeypatch.setattr("specviz.models.memory.memory_free", lambda device: 1000)
    monkeypatch.setattr("specviz.models.heads.mtp_inside._renamed", None)
    with pytest.raises(
        PairError, match=r"The weights of the layer of multi-token prediction of .* need 0\.0 GB in float32"
    ):
        Run(pair, PROMPT, Settings(drafter="mtp"))


def test_auto_takes_it_where_it_can_be_read(tmp_path: Path) -> None:
    """Where specviz chooses, a target with such a layer drafts with it; one whose layer cannot be read drafts with something else."""
    chosen = Settings(drafter=AUTO, k=0, policy=AUTO, max_new_tokens=6)
    assert Run(pair_of("GLM"), PROMPT, chosen).finish().settings.drafter == "mtp"
    pair = load_pair(target=saved(tmp_path / "coded", "GLM", change=coded), device="cpu", dtype="float32")
    trace = Run(pair, PROMPT, chosen).finish()
    assert trace.settings.drafter != "mtp"
    assert any("quantised" in note for note in trace.card.notes)


def test_its_drafts_stop_by_their_cost_too() -> None:
    """The policy that needs what a guess costs times the layer by itself."""
    settings = Settings(drafter="mtp", k=3, policy="cost", max_new_tokens=8)
    other = Run(pair_of("GLM"), PROMPT, Settings(drafter="ngram", max_new_tokens=8)).finish()
    assert Run(pair_of("GLM"), PROMPT, settings).finish().token_ids == other.token_ids
