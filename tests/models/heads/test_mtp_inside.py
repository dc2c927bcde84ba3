"""Claims about layers of multi-token prediction inside a target's checkpoint: each layout computes what its paper writes, and half a layer is refused."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import AutoModelForCausalLM

from specviz import mtp_names
from specviz.errors import PairError
from specviz.model_choice import heads_here, kinds_to_expect
from specviz.models import Pair, load_pair
from specviz.models.checks.first_use import head_of
from specviz.models.heads import mtp_inside
from specviz.models.heads.mtp_inside import InsideMtp, InsideReader
from specviz.runs.run import Run
from specviz.settings import AUTO, Settings
from tests.helpers.architectures import build
from tests.helpers.oracles import plain_text
from tests.helpers.planting import Plant, caught
from tests.helpers.refusals import edit_json, refusal
from tests.models.folders import byte_tokenizer

pytestmark = pytest.mark.slow

# ---- tiny checkpoints in the layouts in which models publish such a layer, and the layer written from the papers

_QWEN = ("mtp.pre_fc_norm_embedding", "mtp.pre_fc_norm_hidden", "mtp.fc", "mtp.norm", "mtp.layers.0")
_LAST = "model.layers.3"
_MORE = tuple(f"{_LAST}{part}" for part in (".enorm", ".hnorm", ".eh_proj", ".shared_head.norm", ""))
_MIMO = tuple(
    f"model.mtp_layers.0{part}"
    for part in (".token_layernorm", ".hidden_layernorm", ".input_proj", ".final_layernorm", "")
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One layout: the architecture, its config's promise, and the names of the parts, of which the last is the layer."""

    architecture: str
    promise: str
    names: tuple[str, ...]
    token_first: bool = True


CHECKPOINTS = {
    "Qwen3-Next": Checkpoint("qwen3_next", "", _QWEN),
    "Qwen3.5": Checkpoint("qwen3_5", "mtp_num_hidden_layers", _QWEN),
    "DeepSeek": Checkpoint("deepseek_v3", "num_nextn_predict_layers", _MORE),
    "GLM": Checkpoint("glm4_moe", "num_nextn_predict_layers", _MORE),
    "MiMo": Checkpoint("qwen2", "num_nextn_predict_layers", _MIMO, token_first=False),
}


def deeper(folder: Path, name: str) -> dict[str, Tensor]:
    """Save the architecture with random numbers in its fourth layer; the parts that surround that layer where it predicts several tokens."""
    build(CHECKPOINTS[name].architecture, seed=3).save_pretrained(folder)
    byte_tokenizer().save_pretrained(folder)
    tensors, generator = load_file(folder / "model.safetensors"), torch.Generator().manual_seed(8)
    for key in sorted(tensors):
        if key.startswith(_LAST):
            tensors[key] = 0.5 * torch.randn(tensors[key].shape, generator=generator)
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    token, state, join, norm, _ = CHECKPOINTS[name].names
    width = len(tensors["model.norm.weight"])
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys((token, state, norm), (width,)) | {join: (width, 2 * width)}
    return {f"{part}.weight": 0.5 * torch.randn(shape, generator=generator) for part, shape in shapes.items()}


def saved(
    folder: Path, name: str, *, without: str = "", change: Callable[[dict[str, Tensor]], object] | None = None
) -> Path:
    """A checkpoint of this layout: a target of three layers, and in the same file a layer of multi-token prediction.

    Args:
        without: leave out the tensors whose names contain this.
        change: something done to the layer's tensors.
    """
    layout = CHECKPOINTS[name]
    mtp, target = deeper(folder, name), dict[str, Tensor]()
    for key, tensor in load_file(folder / "model.safetensors").items():
        own = key.startswith(_LAST)
        (mtp if own else target)[key.replace(_LAST, layout.names[-1]) if own else key] = tensor
    if layout.names is _MORE:  # copies of the target's own, which nothing reads
        mtp |= {f"{_LAST}.{copy}.weight": torch.zeros(270, 32) for copy in ("embed_tokens", "shared_head.head")}
    if change is not None:
        change(mtp)
    mtp = {key: tensor for key, tensor in mtp.items() if not without or without not in key}
    save_file({**target, **mtp}, folder / "model.safetensors", {"format": "pt"})
    config = json.loads((folder / "config.json").read_text())
    kinds = {"layer_types": config["layer_types"][:3]} if config.get("layer_types") else {}
    promise = {layout.promise: 1} if layout.promise else {}
    edit_json(folder / "config.json", num_hidden_layers=3, **kinds, **promise)
    return folder


class Written:
    """What surrounds the layer, as the papers write it: DeepSeek-V3 (arXiv 2412.19437, section 2.2), and the Qwen3-Next, GLM-4.5 and MiMo reports. The
    layer itself is transformers' own, loaded as the last one of a deeper target, and reads everything in one pass without a cache."""

    def __init__(self, name: str) -> None:
        self.layout = CHECKPOINTS[name]
        folder = Path(_FOLDERS.name) / f"deeper {name}"
        self.tensors = deeper(folder, name)
        self.model = AutoModelForCausalLM.from_pretrained(folder).eval().model

    def states(self, embedded: Tensor, states: Tensor) -> Tensor:
        """[n, width] the states after n pairs, normalised, from embeddings and states [n, width]."""
        token, state, join, norm, _ = self.layout.names
        both = [self.normed(embedded, token), self.normed(states, state)]
        x = (torch.cat(both if self.layout.token_first else both[::-1], -1) @ self.tensors[f"{join}.weight"].T)[None]
        at = torch.arange(len(embedded))[None]
        hidden = torch.full((1, 1, len(embedded), len(embedded)), -torch.inf).triu(1)
        turns = self.model.rotary_emb(x, at)
        found = self.model.layers[3](x, attention_mask=hidden, position_ids=at, position_embeddings=turns)
        return self.normed((found[0] if isinstance(found, tuple) else found)[0], norm)

    def normed(self, x: Tensor, name: str) -> Tensor:
        scale = self.tensors[f"{name}.weight"] + (self.layout.names is _QWEN)
        found: Tensor = x / (x.square().mean(-1, keepdim=True) + self.model.config.rms_norm_eps).sqrt() * scale
        return found


# ---- the claims

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


@cache
def written_of(name: str) -> Written:
    return Written(name)


@torch.no_grad()
def check(name: str) -> None:
    """Read in pieces, with guesses in between that are dropped again, the scores are those of the written layer over the whole text."""
    folder, target = folder_of(name), pair_of(name).target
    written = written_of(name)
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
def test_it_is_the_layer_of_the_paper(name: str) -> None:
    """To 1e-5 of the largest score, in every layout, for the text and for guesses after it."""
    check(name)


ORDER = "[token, state] if self.token_first else [state, token]"
PLANTED = (
    Plant("state and token are swapped", lambda: check("GLM"), InsideMtp, "forward", ORDER, "[state, token]"),
    Plant("MiMo reads the state first", lambda: check("MiMo"), InsideMtp, "forward", ORDER, "[token, state]"),
    Plant("no last norm", lambda: check("DeepSeek"), InsideMtp, "forward", "self.norm((output[0] if isinstance(output, tuple) else output)[0, -1:])", "output[0, -1:]"),
    Plant("the first pair instead of the last", lambda: check("Qwen3.5"), InsideMtp, "forward", "[0, -1:]", "[0, :1]"),
    Plant("positions begin again", lambda: check("GLM"), InsideReader, "_pass", "torch.arange(length, length + len(tokens)", "torch.arange(0, len(tokens)"),
    Plant("guesses stay in the cache", lambda: check("DeepSeek"), InsideReader, "read", "self.drop()", "pass"),
    Plant("gate and up are swapped", lambda: check("Qwen3-Next"), mtp_inside, "_experts_joined", '("gate", "up")', '("up", "gate")'),
)  # fmt: skip


test_every_part_matters = caught(PLANTED, "With one planted bug the scores differ.")


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
    for name, checkpoint in CHECKPOINTS.items():
        assert heads_here(None, None, str(folder_of(name))) == {"mtp": folder_of(name)}
        found = mtp_names.mtp_layer(folder_of(name))
        assert found.complete
        assert found.key == (checkpoint.promise or "mtp.fc.weight")
    assert kinds_to_expect(None, None, "somebody/not-here-yet") == ("mtp",)
    assert heads_here(None, None, "somebody/not-here-yet") == {}
    plain = saved(tmp_path / "plain", "MiMo", without="mtp_layers")
    (plain / "config.json").write_text(
        (plain / "config.json").read_text().replace('"num_nextn_predict_layers": 1', '"x": 1')
    )
    assert kinds_to_expect(None, None, str(plain)) == ()
    assert mtp_names.mtp_layer(plain) == mtp_names.MtpLayer()


def changed(part: str, change: Callable[[Tensor], Tensor]) -> dict[str, Any]:
    """The layer with another tensor of this name."""
    name = f"{_LAST}.{part}.weight"
    return {"change": lambda tensors: tensors.update({name: change(tensors[name])})}


CODED = changed("eh_proj", lambda weight: weight.to(torch.float8_e4m3fn))


@pytest.mark.parametrize(
    ("name", "how", "words"),
    [
        ("Qwen3.5", {"without": "mtp."}, "(mtp_num_hidden_layers promises one, and its files have no mtp.fc.weight)"),
        ("GLM", {"without": "hnorm"}, "(num_nextn_predict_layers promises one, and its files have no model.layers.3.hnorm.weight)"),
        ("DeepSeek", {"without": "layers.3.mlp.experts.3"}, "(its model.layers.3.mlp.experts.gate_up_proj has the shape (3, 64, 32) instead of (4, 64, 32))"),
        ("GLM", changed("self_attn.o_proj", lambda weight: weight[:, :-1].contiguous()), "(its model.layers.3.self_attn.o_proj.weight has the shape (32, 31) instead of (32, 32))"),
        ("GLM", CODED, "(its model.layers.3.eh_proj.weight is quantised to float8_e4m3fn)"),
        ("MiMo", {"change": lambda each: each.update({"model.mtp_layers.0.extra.weight": torch.zeros(2)})}, "(its model.mtp_layers.0.extra.weight is no part of a layer of this target)"),
    ],
)  # fmt: skip
def test_half_a_layer_is_refused(tmp_path: Path, name: str, how: Any, words: str) -> None:
    """Dropped, incomplete, of another shape, quantised or with too much: one sentence names the key or the tensor, and other drafters work."""
    folder = saved(tmp_path / "half", name, **how)
    assert "mtp" in kinds_to_expect(None, None, str(folder))
    pair = load_pair(target=folder, device="cpu", dtype="float32")
    sentence = refusal(PairError, Run, pair, PROMPT, Settings(drafter="mtp"))
    assert words in sentence
    assert sentence.endswith(": choose another drafter.")
    if pair.head_faults:
        assert pair.head_kinds == ()
        assert Run(pair, PROMPT, Settings(drafter="ngram", max_new_tokens=4)).finish().token_ids
    else:
        with pytest.raises(PairError):
            head_of(pair, "mtp")


def test_auto_takes_it_where_it_can_be_read(tmp_path: Path) -> None:
    """Where specviz chooses, a target with such a layer drafts with it; one whose layer cannot be read drafts with something else."""
    chosen = Settings(drafter=AUTO, k=0, policy=AUTO, max_new_tokens=6)
    assert Run(pair_of("GLM"), PROMPT, chosen).finish().settings.drafter == "mtp"
    pair = load_pair(target=saved(tmp_path / "coded", "GLM", **CODED), device="cpu", dtype="float32")
    trace = Run(pair, PROMPT, chosen).finish()
    assert trace.settings.drafter != "mtp"
    assert any("quantised" in note for note in trace.card.notes)
