"""Loading a pair: a valid pair works, and an invalid one raises an error of the right class with one clear sentence."""

import json
import socket
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from huggingface_hub import constants
from tokenizers import Tokenizer, pre_tokenizers

from specviz import errors
from specviz.models import Pair, loading, sources
from specviz.models.loading import load_pair, with_draft
from specviz.models.memory import footprint, peak_of
from specviz.models.reading import read_tokenizer
from specviz.models.tokens import TokenText
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.files import dumps, loads
from tests.helpers.refusals import Damage, cut, edit_json, edited, endless, large, refusal, reweighted
from tests.models.conftest import Copies
from tests.models.folders import BEGIN, END, byte_tokenizer, save_model

GREEDY = Settings(max_new_tokens=12, k=3)
SAMPLED = Settings(max_new_tokens=12, k=3, temperature=1.0, seed=3)


def load(target: Path, draft: Path, **options: Any) -> Pair:
    return load_pair(target=str(target), draft=str(draft), **{"device": "cpu", "dtype": "float32", **options})


def error_of(kind: type[errors.PairError], target: Path, draft: Path, **options: Any) -> str:
    """The sentence of the error."""
    return refusal(kind, load, target, draft, **options)


def ids_of(pair: Pair, settings: Settings, *, plain: bool, prompt: str = "the dog ran") -> tuple[int, ...]:
    return Run(pair, prompt, settings, plain=plain).finish().token_ids


def test_a_draft_with_another_tokenizer_is_refused(saved: Path, tmp_path: Path, loaded: Pair) -> None:
    """In one sentence with both names and the first difference, before its weights are read; also for a pair that is loaded."""
    other = byte_tokenizer(words=9)
    other.add_tokens(["another", "ing", "ed"])
    save_model(tmp_path / "other", seed=3, tokenizer=other)
    said = error_of(errors.TokenizerMismatchError, saved / "target", tmp_path / "other")
    assert said.startswith(
        f"The draft {tmp_path.name}/other has another tokenizer than the target {saved.name}/target: token 267 is "
    )
    assert said.endswith("Choose a draft with the target's tokenizer, such as a smaller model of its family.")
    assert refusal(errors.TokenizerMismatchError, with_draft, loaded, tmp_path / "other") == said


def without(*names: str) -> Damage:
    def remove(folder: Path) -> None:
        for name in names:
            (folder / name).unlink()

    return remove


def written(name: str, text: str) -> Damage:
    return lambda folder: (folder / name).write_text(text)


def renamed(name: str, other: str) -> Damage:
    return lambda folder: (folder / name).rename(folder / other)


def in_parts(index: str) -> Damage:
    def change(folder: Path) -> None:
        renamed("model.safetensors", "../x")(folder)
        written("model.safetensors.index.json", index)(folder)

    return change


def sentencepiece(folder: Path) -> None:
    renamed("tokenizer.json", "tokenizer.model")(folder)
    written("tokenizer_config.json", '{"tokenizer_class": "LlamaTokenizer"}')(folder)


def far_id(index: int, folder: Path) -> None:
    content = json.loads((folder / "tokenizer.json").read_text())
    content["model"]["vocab"]["far"] = index
    (folder / "tokenizer.json").write_text(json.dumps(content))


def quantised(method: str) -> Damage:
    return edited(quantization_config={"quant_method": method, "bits": 4, "group_size": 128, "load_in_4bit": True})


REFUSED: dict[str, tuple[Damage, tuple[str, ...]]] = {
    "no config": (without("config.json"), ("has no config.json",)),
    **{f"config {text[:9]!r}": (written("config.json", text), ("config.json",)) for text in ('{"model_type": "llama"', "[]", "[" * 100_000)},
    "a word for a width": (edited(hidden_size="wide"), ()),
    "no attention heads": (edited(num_attention_heads=0), ()),
    "shapes that do not fit": (edited(intermediate_size=24), ("model.layers.0.mlp.down_proj.weight", "[16, 32]", "[16, 24]")),
    "an unknown kind": (edited(model_type="perpetuum"), ("'perpetuum'",)),
    "no weights": (without("model.safetensors"), ("model.safetensors",)),
    **{f"weights cut at {kept}": (cut("model.safetensors", kept), ("model.safetensors",)) for kept in (0, 1000, -7)},
    "a weight is missing": (reweighted(lambda each: each.pop("model.layers.1.mlp.up_proj.weight")), ("model.layers.1.mlp.up_proj.weight",)),
    "a part is missing": (in_parts('{"weight_map": {"a": "model-00001-of-00002.safetensors"}}'), ("has no model-00001-of-00002.safetensors",)),
    "a part outside": (in_parts('{"weight_map": {"a": "../x"}}'), ("has no ../x",)),
    "half an index": (in_parts("{"), ("index.json",)),
    "the old format": (renamed("model.safetensors", "pytorch_model.bin"), ("save_pretrained, which writes safetensors",)),
    "no tokenizer": (without("tokenizer.json", "tokenizer_config.json"), ("tokenizer",)),
    "a tokenizer without an end": (endless("tokenizer.json"), ("tokenizer.json", "it is no regular file")),
    "a large generation config": (large("generation_config.json"), ("it has more than 100 MB",)),
    "an id without an embedding": (partial(far_id, 5_000_000), ("has ids up to 5000000, and its model has",)),
    "an id beyond all others": (partial(far_id, 4_000_000_000), ("has ids up to 4000000000, and no model has so many",)),
    "a SentencePiece model alone": (sentencepiece, ("sentencepiece",)),
    **{f"quantised with {method}": (quantised(method), (f"quantised with {method}, which needs the package",)) for method in ("gptq", "bitsandbytes")},
}  # fmt: skip
"""How a folder is damaged, and what the sentence says of it: it names the file or the weight, and points to no report."""


@pytest.mark.parametrize("damage", REFUSED)
def test_what_is_no_model_is_refused(saved: Path, copy_of: Copies, damage: str) -> None:
    """Before anything is made up: no weight is initialised at random, and no other package or download is asked for than the one that is
    missing."""
    folder = copy_of("target")
    break_it, says = REFUSED[damage]
    break_it(folder)
    sentence = error_of(errors.ModelFolderError, folder, saved / "draft")
    assert all(each in sentence for each in says), sentence
    if damage.startswith(("quantised", "a SentencePiece")):
        assert "download it again" not in sentence
        assert "tiktoken" not in sentence


@pytest.mark.parametrize(
    ("change", "built", "says"),
    [
        ({"num_hidden_layers": 10**9}, transformers.AutoConfig, " 1000000000, and its weights are "),
        ({"text_config": {"num_hidden_layers": 1e9}}, transformers.AutoConfig, " 1000000000, and its weights are "),
        ({"num_experts": 10**9}, transformers.AutoConfig, " 1000000000, and its weights are "),
        ({"intermediate_size": 5 * 10**6}, transformers.LlamaForCausalLM, " numbers, and its weights have "),
    ],
    ids=str,
)
def test_larger_models_than_weights_are_refused(
    saved: Path, copy_of: Copies, change: dict[str, Any], built: Any, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number of layers or experts, or a width, that the weights cannot have is refused before transformers makes anything of it."""
    folder = copy_of("target")
    edit_json(folder / "config.json", **change)
    monkeypatch.setattr(built, "from_pretrained", lambda *_, **__: pytest.fail("something was built"))
    assert says in error_of(errors.ModelFolderError, folder, saved / "draft")


@pytest.mark.parametrize(("kind", "tokenizer"), [("perpetuum", False), ("llama", False), ("llama", True)])
def test_code_in_a_folder_never_runs(saved: Path, copy_of: Copies, tmp_path: Path, kind: str, tokenizer: bool) -> None:
    """Python that a model's or a tokenizer's configuration names is not executed: an unknown type raises an error, a known one loads with
    transformers' code."""
    folder, ran = copy_of("target"), tmp_path / "ran"
    (folder / "own.py").write_text(f"open({str(ran)!r}, 'w').close()\nclass Config: pass\nclass Model: pass\n")
    own = {"AutoConfig": "own.Config", "AutoModelForCausalLM": "own.Model"}
    edit_json(folder / "config.json", model_type=kind, auto_map=own)
    if tokenizer:
        named = {"AutoTokenizer": ["own.Model"] * 2}
        edit_json(folder / "tokenizer_config.json", tokenizer_class="Model", auto_map=named)
        with suppress(errors.ModelFolderError):  # whether it loads without that code depends on transformers
            load(folder, saved / "draft")
    elif kind == "llama":
        assert load(folder, saved / "draft").card.target.architecture == "LlamaForCausalLM"
    else:
        assert "its own code" in error_of(errors.ModelFolderError, folder, saved / "draft")
    assert not ran.exists()


def test_weights_in_parts_load(saved: Path, tmp_path: Path, loaded: Pair) -> None:
    """Weights that are saved in several files load as one model."""

    model = transformers.LlamaForCausalLM.from_pretrained(saved / "target")
    model.save_pretrained(tmp_path / "parts", max_shard_size="10KB")
    byte_tokenizer().save_pretrained(tmp_path / "parts")
    assert len(list((tmp_path / "parts").glob("model-*.safetensors"))) > 1
    pair = load(tmp_path / "parts", saved / "draft")
    assert ids_of(pair, GREEDY, plain=True) == ids_of(loaded, GREEDY, plain=True)


def test_weights_that_are_no_numbers_are_refused(saved: Path, copy_of: Copies) -> None:
    """A model whose scores are not finite raises an error when it is loaded, not in the middle of a run."""
    folder = copy_of("target")
    reweighted(lambda tensors: tensors["model.norm.weight"].fill_(torch.nan))(folder)
    assert "not finite: its weights are damaged" in error_of(errors.PairError, folder, saved / "draft")


def test_models_of_another_nature_are_refused(saved: Path, tmp_path: Path) -> None:
    """Models that do not write from left to right, or cannot continue from their states, raise an error that names the reason."""
    encoder: dict[str, Any] = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2}
    refused: list[tuple[str, dict[str, Any], type[errors.PairError], str]] = [
        ("BertLMHeadModel", {}, errors.CacheError, "the tokens after it"),
        ("T5ForConditionalGeneration", encoder, errors.ModelFolderError, "token by token"),
        (
            "xLSTMForCausalLM",
            {"num_blocks": 1, "num_heads": 2},
            errors.CacheError,
            "cannot keep its state in transformers' cache layers",
        ),
    ]
    for kind, options, error, says in refused:
        folder = save_model(tmp_path / kind, kind, **options)
        assert says in error_of(error, folder, saved / "draft")
        assert says in error_of(error, saved / "target", folder)


def test_what_cannot_be_asked_for_is_refused() -> None:
    """Before anything is loaded, and without a request."""
    asked: list[tuple[type[errors.PairError], str, dict[str, Any]]] = [
        (errors.UnknownPairError, r"somewhere.*: name the target too\.", {"target": "", "draft": "somewhere"}),
        (errors.UnknownPairError, r"'nothing': choose one of embedded, ", {"name": "nothing"}),
        (errors.PairError, "was 3: give a hub id, or the path of a folder", {"target": 3}),
        (errors.HubError, "No hub model is called a b", {"target": "a b"}),
        *((errors.DeviceError, f"'{device}'", {"device": device}) for device in ("tpu", "cuda:99")),
        (errors.DeviceError, "'int8'", {"dtype": "int8"}),
    ]
    for error, says, options in asked:
        with pytest.raises(error, match=says):
            load_pair(**{"device": "cpu", "dtype": "float32", **options})


def _favour(folder: Path, first: int) -> None:
    """Make the rows from `first` on, which no tokenizer has, by far the most probable half of the time."""
    reweighted(lambda tensors: tensors["lm_head.weight"][first:].mul_(50))(folder)


@pytest.mark.parametrize("heads", [(280, 300), (300, 280)])
def test_heads_are_cut_to_the_real_ids(tmp_path: Path, heads: tuple[int, int]) -> None:
    """One tokenizer with heads of different sizes works, and no id outside the vocabulary is ever written."""
    tokenizer = byte_tokenizer()
    for name, seed, head in zip("td", (5, 6), heads, strict=True):
        _favour(save_model(tmp_path / name, head=head, seed=seed, tokenizer=tokenizer), len(tokenizer))
    pair = load(tmp_path / "t", tmp_path / "d")
    assert pair.target.vocabulary == pair.require_draft().vocabulary == len(tokenizer)
    for settings, plain in ((GREEDY, False), (SAMPLED, True), (SAMPLED, False)):
        trace = Run(pair, "the dog", settings, plain=plain).finish()
        assert max(*trace.token_ids, *trace.tokens) < len(tokenizer)


@pytest.mark.parametrize(("settings", "head"), [(GREEDY, 270), (SAMPLED, 290)], ids=["small head", "padded head"])
def test_a_draft_that_lacks_ids_works(tmp_path: Path, settings: Settings, head: int) -> None:
    """For ids that the draft's tokenizer lacks, q is 0: the draft never proposes them but reads them, and the text stays the target's."""
    target = save_model(tmp_path / "t", seed=7, tokenizer=byte_tokenizer(extra=20))
    _favour(target, 270)
    draft = save_model(tmp_path / "d", seed=8, tokenizer=byte_tokenizer(), head=head)
    _favour(draft, 270)
    pair = load(target, draft)
    trace = Run(pair, "the dog", settings).finish()
    assert max(trace.token_ids) >= 270
    assert all(d.token < 270 for r in trace.rounds for d in r.drafted)
    tops = [token.draft_top for round_ in trace.rounds for token in round_.drafted]
    rows = [row for top in tops for row in zip(top.tokens, top.probabilities, top.rule, strict=True)]
    assert {row[1:] for row in rows if row[0] >= 270} == {(0.0, 0.0)}
    assert loads(dumps([trace])) == (trace,)
    if settings.greedy:
        assert trace.token_ids == ids_of(pair, settings, plain=True, prompt="the dog")


def test_an_id_that_the_target_cannot_read_is_refused(tmp_path: Path) -> None:
    """A prompt with a token that the target has no embedding for raises an error that names it, instead of crashing in the model."""
    tokenizer = byte_tokenizer()
    target = save_model(tmp_path / "t", tokenizer=tokenizer)
    tokenizer.add_tokens(["<new>"])
    tokenizer.save_pretrained(target)
    pair = load(target, save_model(tmp_path / "d", tokenizer=tokenizer))
    assert Run(pair, "the dog", GREEDY).finish().token_ids
    with pytest.raises(errors.PromptError, match="'<new>'"):
        Run(pair, "the <new> dog", GREEDY)


def test_every_end_of_text_id_counts(saved: Path, tmp_path: Path, loaded: Pair) -> None:
    """Each id of the generation config's list ends a text, in plain and in speculative decoding."""
    free = Run(loaded, "the dog ran", GREEDY, plain=True).finish().token_ids
    first = next(i for i in range(2, len(free)) if free[i] not in free[:i])
    folder = save_model(tmp_path / "t", seed=1, end_ids=[0, 1, free[first]])
    pair = load(folder, saved / "draft")
    assert pair.target.end_ids == {0, 1, free[first]} == pair.require_draft().end_ids
    for plain in (True, False):
        assert ids_of(pair, GREEDY, plain=plain) == free[: first + 1]


def test_whoever_names_an_end_of_text_is_heard(saved: Path, copy_of: Copies) -> None:
    """Generation config, config and tokenizer: each id that one of them names ends a text, and the card shows which; a value that only a
    class of transformers has ends nothing."""
    folder = copy_of("target")
    edit_json(folder / "config.json", eos_token_id=[3, 4])
    pair = load(folder, saved / "draft")
    assert pair.target.end_ids == pair.require_draft().end_ids == {0, 3, 4}
    (note,) = pair.card.notes
    assert "name several tokens that end a text" in note
    assert f"{END} (generation config, tokenizer); " in note
    assert f"{pair.text.piece_of(3)} (config)" in note
    (folder / "generation_config.json").unlink()
    config = json.loads((folder / "config.json").read_text())
    del config["eos_token_id"]  # a Llama's class has 2
    (folder / "config.json").write_text(json.dumps(config))
    pair = load(folder, saved / "draft")
    assert pair.target.end_ids == {0}
    assert pair.card.notes == ()


@pytest.mark.parametrize("named", ["LlamaTokenizer", "Qwen2Tokenizer"])
def test_a_tokenizer_gives_the_ids_of_its_file(tmp_path: Path, named: str) -> None:
    """Whichever class a folder names, ids and text are those of its tokenizer.json, with its begin, its marks and its template."""
    tokenizer = byte_tokenizer(begin=True, template=CHAT)
    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    merges = [("\u0120", "2"), ("\u0120", "\u0120"), ("\u010a", "\u010a")]
    described = json.loads(tokenizer.backend_tokenizer.to_str())
    described["model"]["merges"] = merges
    described["model"]["vocab"] |= {"".join(pair): len(tokenizer) + i for i, pair in enumerate(merges)}
    tokenizer.save_pretrained(tmp_path)
    (tmp_path / "tokenizer.json").write_text(json.dumps(described))
    config = tmp_path / "tokenizer_config.json"
    found = {key: value for key, value in json.loads(config.read_text()).items() if key != "backend"}
    config.write_text(json.dumps({**found, "tokenizer_class": named}))
    text = read_tokenizer(tmp_path, "folder")
    written = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    for prompt in ("a  2\n\n3", " caf\u00e9 22", "def f(x):\n    return x  # 1"):
        assert text.encode(prompt, template=False) == written.encode(prompt).ids
        assert b"".join(text.bytes_of(i).data for i in text.encode(prompt, template=False)[1:]).decode() == prompt
    assert text.special == {0, 1}
    assert text.has_template


CHAT = "{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{% if add_generation_prompt %}>{% endif %}"


def test_the_chat_template_is_used_and_can_be_left_out() -> None:
    """The chat template wraps the prompt unless it is left out, and either way the text begins with one BOS, not two. A template that raises an error
    gives a PromptError, which says how to run without the template."""
    text = TokenText(byte_tokenizer(begin=True, template=CHAT))
    assert text.has_template
    assert text.tokenizer.decode(text.encode("hi")) == f"{BEGIN}<user>hi>"
    assert text.tokenizer.decode(text.encode("hi", template=False)) == f"{BEGIN}hi"
    text = TokenText(byte_tokenizer(template="{{ raise_exception('no users here') }}"))
    with pytest.raises(errors.PromptError, match=r"no users here.*without the template"):
        text.encode("hi")
    assert text.encode("hi", template=False)


def test_too_little_memory_is_seen_before_loading(saved: Path, monkeypatch: pytest.MonkeyPatch, loaded: Pair) -> None:
    """For a pair that does not fit, the error says how much memory it needs in the chosen format and how much is free."""
    parameters = sum(p.numel() for _, m in loaded.models for p in m.model.parameters())
    monkeypatch.setattr(loading, "memory_free", lambda device: parameters * 4 - 1)
    assert "cpu has 0.0 GB free: choose a smaller pair, or bfloat16." in error_of(
        errors.PairError, saved / "target", saved / "draft"
    )
    models = [footprint(saved / role, role, torch.bfloat16, torch.device("cpu")) for role in ("target", "draft")]
    enough = peak_of(models)  # it depends on the processor, which packs matrices or not
    monkeypatch.setattr(loading, "memory_free", lambda device: enough)
    assert load(saved / "target", saved / "draft", dtype="bfloat16").card.dtype == "bfloat16"
    monkeypatch.setattr(loading, "memory_free", lambda device: 0)
    assert error_of(errors.PairError, saved / "target", saved / "draft", dtype="bfloat16").endswith(
        "choose a smaller pair."
    )


@pytest.mark.slow
def test_a_hub_that_never_answers_is_reported_soon(
    tmp_path: Path, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hub id fails soon and with one sentence; `test_what_folders_say.py` has hubs that answer."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{server.getsockname()[1]}")
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
        monkeypatch.setattr(sources, "_HUB_TIMEOUT_S", 0.5)
        sentence = error_of(errors.HubError, Path("some/model"), saved / "draft")
    assert sentence.startswith("The hub model some/model is not on this machine and could not be downloaded")


def test_offline_mode_is_reported_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With HF_HUB_OFFLINE=1, as the library has read it, no request is made, and the sentence says so."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(socket, "socket", lambda *_, **__: pytest.fail("a request was made"))
    with pytest.raises(
        errors.HubError,
        match=r"^The hub model Qwen/Qwen2\.5-1\.5B-Instruct is not on this machine.*HF_HUB_OFFLINE is set",
    ):
        load_pair("qwen2.5-1.5b", device="cpu", dtype="float32")
