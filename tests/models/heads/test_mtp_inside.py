"""Claims about layers of multi-token prediction inside a target's checkpoint: each layout computes what its paper writes, and half a layer is refused."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn import functional

from specviz import mtp_names
from specviz.errors import PairError
from specviz.model_choice import heads_here, kinds_to_expect
from specviz.models import Pair, load_pair
from specviz.models.checks.first_use import head_of
from specviz.models.heads import mtp_inside
from specviz.models.heads.mtp_inside import InsideMtp, InsideReader
from specviz.runs.run import Run
from specviz.settings import AUTO, Settings
from tests.helpers.oracles import plain_text
from tests.helpers.planting import Plant, plant
from tests.models.folders import edit_config, save_model

pytestmark = pytest.mark.slow

# ---- tiny checkpoints in the layouts in which models publish such a layer, and the layer written from the papers

_ROUTED: dict[str, Any] = {
    "n_routed_experts": 4,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 12,
    "n_shared_experts": 1,
    "first_k_dense_replace": 1,
    "n_group": 2,
    "topk_group": 1,
    "routed_scaling_factor": 2.5,
    "norm_topk_prob": True,
}
_LATENT: dict[str, Any] = {
    "num_key_value_heads": 2,
    "q_lora_rank": 12,
    "kv_lora_rank": 10,
    "qk_nope_head_dim": 6,
    "qk_rope_head_dim": 4,
    "v_head_dim": 5,
}
_DELTA: dict[str, Any] = {
    "num_key_value_heads": 1,
    "head_dim": 8,
    "linear_num_key_heads": 1,
    "linear_num_value_heads": 2,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
    "layer_types": ["linear_attention", "full_attention"],
}
_SHARED: dict[str, Any] = {
    "num_experts": 3,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 12,
    "shared_expert_intermediate_size": 10,
}
GLM: dict[str, Any] = {"num_key_value_heads": 1, "head_dim": 8, "use_qk_norm": True, "attention_bias": True, **_ROUTED}
_QWEN = ("mtp.pre_fc_norm_embedding", "mtp.pre_fc_norm_hidden", "mtp.fc", "mtp.norm", "mtp.layers.0")
_MORE = tuple(f"model.layers.2{part}" for part in (".enorm", ".hnorm", ".eh_proj", ".shared_head.norm", ""))
_MIMO = tuple(
    f"model.mtp_layers.0{part}"
    for part in (".token_layernorm", ".hidden_layernorm", ".input_proj", ".final_layernorm", "")
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """One layout: the target's class and config, the config's promise, the names of the parts, and what its layer has."""

    kind: str
    options: Mapping[str, Any]
    promise: str
    names: tuple[str, ...]
    attention: str
    experts: bool
    token_first: bool = True


CHECKPOINTS = {
    "Qwen3-Next": Checkpoint("Qwen3NextForCausalLM", {**_DELTA, **_SHARED}, "", _QWEN, "gated", experts=True),
    "Qwen3.5": Checkpoint("Qwen3_5ForCausalLM", _DELTA, "mtp_num_hidden_layers", _QWEN, "gated", experts=False),
    "DeepSeek": Checkpoint(
        "DeepseekV3ForCausalLM", {**_LATENT, **_ROUTED}, "num_nextn_predict_layers", _MORE, "latent", experts=True
    ),
    "GLM": Checkpoint("Glm4MoeForCausalLM", GLM, "num_nextn_predict_layers", _MORE, "plain", experts=True),
    "MiMo": Checkpoint(
        "Qwen2ForCausalLM", {"num_key_value_heads": 1}, "num_nextn_predict_layers", _MIMO, "plain", experts=False, token_first=False
    ),
}  # fmt: skip


def saved(
    folder: Path, name: str, *, without: str = "", change: Callable[[dict[str, Tensor]], object] | None = None
) -> Path:
    """A checkpoint of this layout: a target of random weights, and in the same file a layer of multi-token prediction.

    Args:
        without: leave out the tensors whose names contain this.
        change: something done to the layer's tensors.
    """
    one = CHECKPOINTS[name]
    save_model(folder, one.kind, seed=3, end_ids=None, **one.options)
    tensors = layer_of(name, json.loads((folder / "config.json").read_text()))
    if change is not None:
        change(tensors)
    if without:
        tensors = {key: each for key, each in tensors.items() if without not in key}
    save_file({**load_file(folder / "model.safetensors"), **tensors}, folder / "model.safetensors", {"format": "pt"})
    if one.promise:
        edit_config(folder, **{one.promise: 1})
    return folder


def layer_of(name: str, config: Mapping[str, Any]) -> dict[str, Tensor]:
    """Random tensors under the published names."""
    one, generator = CHECKPOINTS[name], torch.Generator().manual_seed(8)
    width, heads = config["hidden_size"], config["num_attention_heads"]
    head, kv = config.get("head_dim") or width // heads, config["num_key_value_heads"]
    token, state, join, norm, layer = one.names
    shapes: dict[str, tuple[int, ...]] = {f"{part}.weight": (width,) for part in (token, state, norm)}
    shapes[f"{join}.weight"] = (width, 2 * width)

    def add(part: str, *shape: int) -> None:
        shapes[f"{layer}.{part}"] = shape

    def feed_forward(part: str, inner: int) -> None:
        add(f"{part}.gate_proj.weight", inner, width)
        add(f"{part}.up_proj.weight", inner, width)
        add(f"{part}.down_proj.weight", width, inner)

    add("input_layernorm.weight", width)
    add("post_attention_layernorm.weight", width)
    if one.attention == "latent":
        nope, rope, v = config["qk_nope_head_dim"], config["qk_rope_head_dim"], config["v_head_dim"]
        q, latent = config["q_lora_rank"], config["kv_lora_rank"]
        add("self_attn.q_a_proj.weight", q, width)
        add("self_attn.q_a_layernorm.weight", q)
        add("self_attn.q_b_proj.weight", heads * (nope + rope), q)
        add("self_attn.kv_a_proj_with_mqa.weight", latent + rope, width)
        add("self_attn.kv_a_layernorm.weight", latent)
        add("self_attn.kv_b_proj.weight", heads * (nope + v), latent)
        add("self_attn.o_proj.weight", width, heads * v)
    else:
        add("self_attn.q_proj.weight", heads * head * (2 if one.attention == "gated" else 1), width)
        add("self_attn.k_proj.weight", kv * head, width)
        add("self_attn.v_proj.weight", kv * head, width)
        add("self_attn.o_proj.weight", width, heads * head)
        if one.attention == "gated" or config.get("use_qk_norm"):
            add("self_attn.q_norm.weight", head)
            add("self_attn.k_norm.weight", head)
        if config.get("attention_bias") or one.kind.startswith("Qwen2"):
            add("self_attn.q_proj.bias", heads * head)
            add("self_attn.k_proj.bias", kv * head)
            add("self_attn.v_proj.bias", kv * head)
    if not one.experts:
        feed_forward("mlp", config["intermediate_size"])
    else:
        count, inner = config.get("n_routed_experts") or config["num_experts"], config["moe_intermediate_size"]
        add("mlp.gate.weight", count, width)
        for index in range(count):
            feed_forward(f"mlp.experts.{index}", inner)
        if "n_routed_experts" in config:
            add("mlp.gate.e_score_correction_bias", count)
            feed_forward("mlp.shared_experts", inner)
        else:
            feed_forward("mlp.shared_expert", config["shared_expert_intermediate_size"])
            add("mlp.shared_expert_gate.weight", 1, width)
    if one.names is _MORE:  # copies of the target's own, which nothing reads
        add("embed_tokens.weight", config["vocab_size"], width)
        add("shared_head.head.weight", config["vocab_size"], width)
    return {key: 0.5 * torch.randn(shape, generator=generator) for key, shape in shapes.items()}


class Written:
    """The layer as the papers write it: DeepSeek-V3 (arXiv 2412.19437, sections 2.1 and 2.2), and the Qwen3-Next, GLM-4.5 and MiMo reports.

    Args:
        tensors: under the published names.
        config: the target's `config.json`.
    """

    def __init__(self, name: str, tensors: Mapping[str, Tensor], config: Mapping[str, Any]) -> None:
        self.one, self.config, self.tensors = CHECKPOINTS[name], config, tensors
        self.around_one = 1.0 if self.one.names is _QWEN else 0.0
        self.eps = config["rms_norm_eps"]

    def states(self, embedded: Tensor, states: Tensor) -> Tensor:
        """[n, width] the states after n pairs, normalised, from embeddings and states [n, width]."""
        token, state, join, norm, _ = self.one.names
        both = [self.normed(embedded, token), self.normed(states, state)]
        x = torch.cat(both if self.one.token_first else both[::-1], -1) @ self.tensors[f"{join}.weight"].T
        x = x + self.attention(self.normed(x, self.named("input_layernorm")))
        x = x + self.feed_forward(self.normed(x, self.named("post_attention_layernorm")))
        return self.normed(x, norm)

    def named(self, part: str) -> str:
        return f"{self.one.names[-1]}.{part}"

    def normed(self, x: Tensor, name: str, eps: float | None = None) -> Tensor:
        scale = self.around_one + self.tensors[f"{name}.weight"]
        return x / (x.square().mean(-1, keepdim=True) + (self.eps if eps is None else eps)).sqrt() * scale

    def product(self, x: Tensor, part: str) -> Tensor:
        name = self.named(part)
        bias = self.tensors.get(f"{name}.bias")
        found = x @ self.tensors[f"{name}.weight"].T
        return found if bias is None else found + bias

    def attention(self, x: Tensor) -> Tensor:
        config, count, heads = self.config, len(x), self.config["num_attention_heads"]
        gate = None
        if self.one.attention == "latent":
            nope, rope = config["qk_nope_head_dim"], config["qk_rope_head_dim"]
            q = self.normed(self.product(x, "self_attn.q_a_proj"), self.named("self_attn.q_a_layernorm"), 1e-6)
            q = self.product(q, "self_attn.q_b_proj").view(count, heads, nope + rope)
            latent, turned = self.product(x, "self_attn.kv_a_proj_with_mqa").split_with_sizes(
                [config["kv_lora_rank"], rope], -1
            )
            latent = self.normed(latent, self.named("self_attn.kv_a_layernorm"), 1e-6)
            k, v = (
                self.product(latent, "self_attn.kv_b_proj")
                .view(count, heads, -1)
                .split_with_sizes([nope, config["v_head_dim"]], -1)
            )
            turned = self.turned(turned[:, None], rope, pairs=True).expand(-1, heads, -1)
            q = torch.cat([q[..., :nope], self.turned(q[..., nope:], rope, pairs=True)], -1)
            k = torch.cat([k, turned], -1)
        else:
            head, kv = config.get("head_dim") or x.shape[-1] // heads, config["num_key_value_heads"]
            q = self.product(x, "self_attn.q_proj").view(count, heads, -1)
            if self.one.attention == "gated":
                q, gate = q.chunk(2, -1)
            k, v = (self.product(x, f"self_attn.{part}_proj").view(count, kv, head) for part in "kv")
            if self.named("self_attn.q_norm.weight") in self.tensors:
                q, k = (self.normed(part, self.named(f"self_attn.{at}_norm")) for part, at in ((q, "q"), (k, "k")))
            rotary = int(head * (config["rope_parameters"].get("partial_rotary_factor") or 1.0))
            q, k = (torch.cat([self.turned(part[..., :rotary], rotary), part[..., rotary:]], -1) for part in (q, k))
            k, v = (part.repeat_interleave(heads // kv, 1) for part in (k, v))
        scores = torch.einsum("ihd,jhd->hij", q, k) / q.shape[-1] ** 0.5
        scores = scores.masked_fill(torch.ones(count, count, dtype=torch.bool).triu(1), -torch.inf)
        read = torch.einsum("hij,jhd->ihd", scores.softmax(-1), v)
        return self.product((read if gate is None else read * gate.sigmoid()).flatten(1), "self_attn.o_proj")

    def turned(self, x: Tensor, width: int, *, pairs: bool = False) -> Tensor:
        """The rotary embedding as a product of complex numbers: of neighbours (DeepSeek), or of numbers half a width apart."""
        theta = self.config["rope_parameters"]["rope_theta"]
        turns = theta ** -(torch.arange(0, width, 2).double() / width) * torch.arange(len(x))[:, None]
        real, imaginary = (x[..., ::2], x[..., 1::2]) if pairs else x.chunk(2, -1)
        found = torch.complex(real.double(), imaginary.double()) * torch.polar(torch.ones_like(turns), turns)[:, None]
        return torch.cat([found.real, found.imag], -1).to(x.dtype)

    def feed_forward(self, x: Tensor) -> Tensor:
        if not self.one.experts:
            return self.gated(x, "mlp")
        scores = x @ self.tensors[self.named("mlp.gate.weight")].T
        rows = []
        for row, score in zip(x, scores, strict=True):
            weights, shared = self.chosen(score), self.shared(row)
            rows.append(shared + sum(w * self.gated(row, f"mlp.experts.{index}") for index, w in weights.items()))
        return torch.stack(rows)

    def chosen(self, scores: Tensor) -> dict[int, Tensor]:
        """The experts of one token with their weights."""
        config = self.config
        if "n_routed_experts" not in config:
            best = scores.softmax(-1).topk(config["num_experts_per_tok"])
            return dict(zip(best.indices.tolist(), best.values / best.values.sum(), strict=True))
        scores = scores.sigmoid()
        biased = scores + self.tensors[self.named("mlp.gate.e_score_correction_bias")]
        groups = biased.view(config["n_group"], -1)
        best_groups = groups.topk(2).values.sum(-1).topk(config["topk_group"]).indices
        allowed = torch.full_like(groups, -torch.inf)
        allowed[best_groups] = groups[best_groups]
        chosen = allowed.flatten().topk(config["num_experts_per_tok"]).indices
        weights = scores[chosen] / scores[chosen].sum() * config["routed_scaling_factor"]
        return dict(zip(chosen.tolist(), weights, strict=True))

    def shared(self, row: Tensor) -> Tensor:
        if "n_routed_experts" in self.config:
            return self.gated(row, "mlp.shared_experts")
        return self.product(row, "mlp.shared_expert_gate").sigmoid() * self.gated(row, "mlp.shared_expert")

    def gated(self, x: Tensor, part: str) -> Tensor:
        return self.product(
            functional.silu(self.product(x, f"{part}.gate_proj")) * self.product(x, f"{part}.up_proj"),
            f"{part}.down_proj",
        )


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
        ("GLM", {"without": "hnorm"}, "(num_nextn_predict_layers promises one, and its files have no model.layers.2.hnorm.weight)"),
        ("DeepSeek", {"without": "layers.2.mlp.experts.3"}, "(its model.layers.2.mlp.experts.gate_up_proj has the shape (3, 24, 16) instead of (4, 24, 16))"),
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


def test_auto_takes_it_where_it_can_be_read(tmp_path: Path) -> None:
    """Where specviz chooses, a target with such a layer drafts with it; one whose layer cannot be read drafts with something else."""
    chosen = Settings(drafter=AUTO, k=0, policy=AUTO, max_new_tokens=6)
    assert Run(pair_of("GLM"), PROMPT, chosen).finish().settings.drafter == "mtp"
    pair = load_pair(target=saved(tmp_path / "coded", "GLM", change=coded), device="cpu", dtype="float32")
    trace = Run(pair, PROMPT, chosen).finish()
    assert trace.settings.drafter != "mtp"
    assert any("quantised" in note for note in trace.card.notes)
