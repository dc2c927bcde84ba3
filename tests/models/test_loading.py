"""Loading a pair: what can be loaded works, what cannot is refused in one sentence of one class."""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
import torch
from huggingface_hub import constants

from specviz.errors import (
    CacheError,
    DeviceError,
    HubError,
    ModelFolderError,
    PairError,
    PromptError,
    TokenizerMismatchError,
    UnknownPairError,
)
from specviz.models import Pair, loading, sources
from specviz.models.loading import load_pair
from specviz.models.networks.lean import LeanDecoder
from specviz.models.networks.stock import StockNetwork
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.files import dumps, loads
from tests.models.conftest import Copies
from tests.models.folders import BEGIN, END, byte_tokenizer, edit_config, save_model

GREEDY = Settings(max_new_tokens=12, k=3)
CHANCE = Settings(max_new_tokens=12, k=3, temperature=1.0, seed=3)


def load(target: Path, draft: Path, **options: Any) -> Pair:
    return load_pair(target=str(target), draft=str(draft), **{"device": "cpu", "dtype": "float32", **options})


def refusal(kind: type[PairError], target: Path, draft: Path, **options: Any) -> str:
    """The sentence of the error, which must be of this very class and fit to show a person."""
    with pytest.raises(kind) as caught:
        load(target, draft, **options)
    assert type(caught.value) is kind
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    assert len(sentence) < 500
    return sentence


def ids_of(pair: Pair, settings: Settings, *, plain: bool, prompt: str = "the dog ran") -> tuple[int, ...]:
    return Run(pair, prompt, settings, plain=plain).finish().token_ids


def test_two_folders_make_a_pair(saved: Path) -> None:
    """Two folders saved by transformers load and decode, and greedy text is the target's own."""
    pair = load(saved / "target", saved / "draft")
    assert pair.name == "saved/target + saved/draft"
    assert pair.card.target.architecture == "LlamaForCausalLM"
    assert pair.card.draft is not None
    assert (pair.card.target.layers, pair.card.draft.layers, pair.card.target.width) == (2, 1, 16)
    assert ids_of(pair, GREEDY, plain=True) == ids_of(pair, GREEDY, plain=False)


def test_the_embedded_pair_is_the_default(embedded: Pair) -> None:
    """Without a name the pair that comes with the project is loaded."""
    pair = load_pair(device="cpu", dtype="float32")
    assert pair.name == "embedded"
    assert pair.card.target == embedded.card.target


def test_progress_is_told(saved: Path) -> None:
    """Whoever loads is told of both models by name."""
    told: list[str] = []
    load(saved / "target", saved / "draft", progress=lambda what, share: told.append(what))
    assert "loading saved/target" in told
    assert "loading saved/draft" in told


def test_a_missing_folder_is_named(saved: Path, tmp_path: Path) -> None:
    """A folder that does not exist is named in the refusal."""
    assert f"{tmp_path}/none does not exist" in refusal(ModelFolderError, saved / "target", tmp_path / "none")


def test_a_folder_without_config_is_refused(saved: Path, copy_of: Copies) -> None:
    """A folder without config.json is no model folder."""
    folder = copy_of("draft")
    (folder / "config.json").unlink()
    assert "has no config.json" in refusal(ModelFolderError, saved / "target", folder)


@pytest.mark.parametrize("text", ['{"model_type": "llama"', "", "[]", "\x00", "[" * 100_000, '"llama"'])
def test_a_broken_config_is_refused(saved: Path, copy_of: Copies, text: str) -> None:
    """A config.json that holds no JSON object is refused by name."""
    folder = copy_of("target")
    (folder / "config.json").write_text(text)
    assert "config.json" in refusal(ModelFolderError, folder, saved / "draft")


@pytest.mark.parametrize("change", [{"hidden_size": "wide"}, {"num_attention_heads": 0}, {"hidden_size": 24}])
def test_an_impossible_config_is_refused(saved: Path, copy_of: Copies, change: dict[str, Any]) -> None:
    """Values that no model can have, or that do not fit the weights, are refused."""
    folder = copy_of("target")
    edit_config(folder, **change)
    refusal(ModelFolderError, folder, saved / "draft")


def test_an_unknown_kind_is_named(saved: Path, copy_of: Copies) -> None:
    """A model type that transformers does not know is named."""
    folder = copy_of("target")
    edit_config(folder, model_type="perpetuum")
    assert "'perpetuum'" in refusal(ModelFolderError, folder, saved / "draft")


@pytest.mark.parametrize("kind", ["perpetuum", "llama"])
def test_code_in_a_folder_never_runs(saved: Path, copy_of: Copies, tmp_path: Path, kind: str) -> None:
    """Python in a model folder is not executed: a kind of its own is refused, a known kind loads by the library's code."""
    folder = copy_of("target")
    ran = tmp_path / "ran"
    (folder / "own.py").write_text(f"open({str(ran)!r}, 'w').close()\nclass Config: pass\nclass Model: pass\n")
    edit_config(folder, model_type=kind, auto_map={"AutoConfig": "own.Config", "AutoModelForCausalLM": "own.Model"})
    if kind == "llama":
        assert load(folder, saved / "draft").card.target.architecture == "LlamaForCausalLM"
    else:
        assert "code of its own" in refusal(ModelFolderError, folder, saved / "draft")
    assert not ran.exists()


def test_a_tokenizer_with_code_never_runs(saved: Path, copy_of: Copies, tmp_path: Path) -> None:
    """Python that a tokenizer asks for is not executed either."""
    folder = copy_of("target")
    ran = tmp_path / "ran"
    (folder / "own.py").write_text(f"open({str(ran)!r}, 'w').close()\nclass Tokenizer: pass\n")
    path = folder / "tokenizer_config.json"
    changed = {
        **json.loads(path.read_text()),
        "tokenizer_class": "Own",
        "auto_map": {"AutoTokenizer": ["own.Tokenizer"] * 2},
    }
    path.write_text(json.dumps(changed))
    with suppress(ModelFolderError):  # whether it can be read without that code is the library's business
        load(folder, saved / "draft")
    assert not ran.exists()


def test_missing_weights_are_refused(saved: Path, copy_of: Copies) -> None:
    """A folder without safetensors is refused, not filled with random numbers."""
    folder = copy_of("draft")
    (folder / "model.safetensors").unlink()
    assert "model.safetensors" in refusal(ModelFolderError, saved / "target", folder)


@pytest.mark.parametrize("kept", [0, 5, 1000, -7])
def test_truncated_weights_are_refused(saved: Path, copy_of: Copies, kept: int) -> None:
    """A download that was cut short, anywhere, is refused."""
    path = copy_of("draft") / "model.safetensors"
    path.write_bytes(path.read_bytes()[:kept])
    assert "model.safetensors" in refusal(ModelFolderError, saved / "target", path.parent)


def test_a_weight_that_is_not_there_is_refused(saved: Path, copy_of: Copies) -> None:
    """Weights that the architecture needs and the file lacks are never made up: the first of them is named."""
    from safetensors.torch import load_file, save_file

    path = copy_of("target") / "model.safetensors"
    weights = load_file(path)
    del weights["model.layers.1.mlp.up_proj.weight"]
    save_file(weights, path, metadata={"format": "pt"})
    assert "model.layers.1.mlp.up_proj.weight" in refusal(ModelFolderError, path.parent, saved / "draft")


@pytest.mark.parametrize(
    ("index", "says"),
    [
        ('{"weight_map": {"a": "model-00001-of-00002.safetensors"}}', "has no model-00001-of-00002.safetensors"),
        ('{"weight_map": {"a": "../x"}}', "has no ../x"),
        ("{}", "index.json"),
        ("{", "index.json"),
    ],
)
def test_parts_of_the_weights_that_are_not_there_are_refused(
    saved: Path, copy_of: Copies, index: str, says: str
) -> None:
    """An index that names missing parts, parts outside the folder or nothing at all is refused."""
    folder = copy_of("target")
    (folder / "model.safetensors").rename(folder.parent / "x")
    (folder / "model.safetensors.index.json").write_text(index)
    assert says in refusal(ModelFolderError, folder, saved / "draft")


def test_weights_in_parts_load(saved: Path, tmp_path: Path) -> None:
    """Weights that are saved in several files load as one model."""
    import transformers

    whole = transformers.LlamaForCausalLM.from_pretrained(saved / "target")
    whole.save_pretrained(tmp_path / "parts", max_shard_size="10KB")
    byte_tokenizer().save_pretrained(tmp_path / "parts")
    assert len(list((tmp_path / "parts").glob("model-*.safetensors"))) > 1
    pair = load(tmp_path / "parts", saved / "draft")
    assert ids_of(pair, GREEDY, plain=True) == ids_of(load(saved / "target", saved / "draft"), GREEDY, plain=True)


def test_a_missing_tokenizer_is_refused(saved: Path, copy_of: Copies) -> None:
    """A folder without a tokenizer cannot be used."""
    folder = copy_of("target")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).unlink()
    assert "tokenizer" in refusal(ModelFolderError, folder, saved / "draft")


def test_weights_that_are_no_numbers_are_refused(saved: Path, copy_of: Copies) -> None:
    """A model whose scores are not finite is refused at load, not in the middle of a run."""
    from safetensors.torch import load_file, save_file

    path = copy_of("target") / "model.safetensors"
    weights = load_file(path)
    weights["model.norm.weight"][0] = torch.nan
    save_file(weights, path, metadata={"format": "pt"})
    assert "no numbers" in refusal(PairError, path.parent, saved / "draft")


@pytest.mark.parametrize(
    ("kind", "options", "error", "says"),
    [
        ("BertLMHeadModel", {}, CacheError, "what follows it"),
        ("T5ForConditionalGeneration", {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2}, ModelFolderError, "token by token"),
        ("ViTModel", {}, ModelFolderError, "token by token"),
        ("MambaForCausalLM", {"state_size": 4}, CacheError, "cannot take back"),
    ],
)  # fmt: skip
def test_models_of_another_nature_are_refused(
    saved: Path, tmp_path: Path, kind: str, options: dict[str, Any], error: type[PairError], says: str
) -> None:
    """Models that do not write from left to right, or cannot forget, are refused in words that say so."""
    folder = save_model(tmp_path / "odd", kind, **options)
    assert says in refusal(error, folder, saved / "draft")
    assert says in refusal(error, saved / "target", folder)


@pytest.mark.parametrize("given", [{"target": "somewhere"}, {"draft": "somewhere"}])
def test_one_model_alone_is_no_pair(given: dict[str, str]) -> None:
    """Naming only one of the two models is refused, and the other is asked for."""
    with pytest.raises(UnknownPairError, match="somewhere.*: name the " + ("draft" if "target" in given else "target")):
        load_pair(target=given.get("target"), draft=given.get("draft"))


def test_an_unknown_name_lists_the_known_ones() -> None:
    """An unknown pair is answered with the names that exist."""
    with pytest.raises(UnknownPairError, match=r"'nothing': choose one of embedded, "):
        load_pair("nothing")


def test_different_tokenizers_are_refused(saved: Path, tmp_path: Path) -> None:
    """A draft that cuts text otherwise is refused with both names and the first id that differs."""
    other = byte_tokenizer(words=9)
    other.add_tokens(["another", "ing", "ed"])
    folder = save_model(tmp_path / "odd", tokenizer=other)
    sentence = refusal(TokenizerMismatchError, saved / "target", folder)
    assert "saved/target" in sentence
    assert f"{tmp_path.name}/odd" in sentence
    assert f"token {2 + 256 + 9} is 'another' there and '\u0120red' here" in sentence


@pytest.mark.parametrize("settings", [GREEDY, CHANCE], ids=["greedy", "chance"])
@pytest.mark.parametrize("plain", [True, False], ids=["plain", "speculative"])
@pytest.mark.parametrize("heads", [(280, 300), (300, 280)])
def test_heads_are_cut_to_the_real_ids(tmp_path: Path, settings: Settings, plain: bool, heads: tuple[int, int]) -> None:
    """One tokenizer and heads of different sizes work, and no id that stands for nothing is ever written."""
    tokenizer = byte_tokenizer()
    target = save_model(tmp_path / "t", head=heads[0], seed=5, tokenizer=tokenizer)
    _favour(target, len(tokenizer))
    draft = save_model(tmp_path / "d", head=heads[1], seed=6, tokenizer=tokenizer)
    _favour(draft, len(tokenizer))
    pair = load(target, draft)
    assert pair.target.vocabulary == pair.draft.vocabulary == len(tokenizer)
    trace = Run(pair, "the dog", settings, plain=plain).finish()
    assert max(trace.token_ids) < len(tokenizer)
    assert max(trace.tokens) < len(tokenizer)


def _favour(folder: Path, first: int) -> None:
    """Make the rows from `first` on, which no tokenizer knows, by far the likeliest half of the time."""
    from safetensors.torch import load_file, save_file

    path = folder / "model.safetensors"
    weights = load_file(path)
    weights["lm_head.weight"][first:] *= 50
    save_file(weights, path, metadata={"format": "pt"})


@pytest.mark.parametrize("settings", [GREEDY, CHANCE], ids=["greedy", "chance"])
@pytest.mark.parametrize("head", [270, 290], ids=["small head", "padded head"])
def test_a_draft_that_lacks_ids_works(tmp_path: Path, settings: Settings, head: int) -> None:
    """Where the draft's tokenizer ends earlier q is 0: it never proposes those ids, reads them all the same, and the text stays the target's."""
    target = save_model(tmp_path / "t", seed=7, tokenizer=byte_tokenizer(extra=20))
    _favour(target, 270)
    draft = save_model(tmp_path / "d", seed=8, tokenizer=byte_tokenizer(), head=head)
    _favour(draft, 270)
    pair = load(target, draft)
    trace = Run(pair, "the dog", settings).finish()
    assert max(trace.token_ids) >= 270
    assert all(d.token < 270 for r in trace.rounds for d in r.drafted)
    tops = [d.draft_top for r in trace.rounds for d in r.drafted]
    lacking = [
        (p, rule)
        for top in tops
        for t, p, rule in zip(top.tokens, top.probabilities, top.rule, strict=True)
        if t >= 270
    ]
    assert lacking
    assert set(lacking) == {(0.0, 0.0)}
    assert loads(dumps([trace])) == (trace,)
    if settings.greedy:
        assert trace.token_ids == ids_of(pair, settings, plain=True, prompt="the dog")


def test_an_id_that_the_target_cannot_read_is_refused(tmp_path: Path) -> None:
    """A prompt with a token that the target has no embedding for is refused by name, instead of crashing inside the model."""
    tokenizer = byte_tokenizer()
    target = save_model(tmp_path / "t", tokenizer=tokenizer)
    tokenizer.add_tokens(["<new>"])
    tokenizer.save_pretrained(target)
    pair = load(target, save_model(tmp_path / "d", tokenizer=tokenizer))
    assert Run(pair, "the dog", GREEDY).finish().token_ids
    with pytest.raises(PromptError, match="'<new>'"):
        Run(pair, "the <new> dog", GREEDY)


def test_every_end_of_text_id_counts(saved: Path, tmp_path: Path) -> None:
    """All ids of the generation config's list end a text, whichever of them comes, in plain and in speculative decoding."""
    free = Run(load(saved / "target", saved / "draft"), "the dog ran", GREEDY, plain=True).finish().token_ids
    first = next(i for i in range(2, len(free)) if free[i] not in free[:i])
    folder = save_model(tmp_path / "t", seed=1, end_ids=[0, 1, free[first]])
    pair = load(folder, saved / "draft")
    assert pair.target.end_ids == {0, 1, free[first]} == pair.draft.end_ids
    for plain in (True, False):
        assert ids_of(pair, GREEDY, plain=plain) == free[: first + 1]


def test_end_of_text_without_a_generation_config(saved: Path, copy_of: Copies) -> None:
    """Where no generation config names one, the config's end-of-text ids count, and else the tokenizer's."""
    folder = copy_of("target")
    (folder / "generation_config.json").unlink()
    edit_config(folder, eos_token_id=[3, 4])
    assert load(folder, saved / "draft").target.end_ids == {3, 4}
    edit_config(folder, eos_token_id=None)
    assert load(folder, saved / "draft").target.end_ids == {0}


CHAT = "{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{% if add_generation_prompt %}>{% endif %}"


def test_the_chat_template_is_used_and_can_be_left_out(tmp_path: Path) -> None:
    """A chat template wraps the prompt unless it is left out, and either way the text begins with one BOS, not two."""
    tokenizer = byte_tokenizer(begin=True, template=CHAT)
    pair = load(save_model(tmp_path / "t", tokenizer=tokenizer), save_model(tmp_path / "d", tokenizer=tokenizer))
    assert pair.text.has_template
    wrapped = Run(pair, "hi", GREEDY).prompt_ids
    assert tokenizer.decode(wrapped) == f"{BEGIN}<user>hi>"
    bare = Run(pair, "hi", GREEDY, template=False).prompt_ids
    assert tokenizer.decode(bare) == f"{BEGIN}hi"
    assert wrapped.count(1) == bare.count(1) == 1


def test_no_begin_token_is_made_up(saved: Path) -> None:
    """A tokenizer that adds nothing gets nothing added."""
    pair = load(saved / "target", saved / "draft")
    assert pair.text.tokenizer.decode(list(Run(pair, "hi", GREEDY).prompt_ids)) == "hi"


def test_a_template_that_refuses_is_told(tmp_path: Path) -> None:
    """A template that raises an error is reported as the prompt's trouble, with the way out."""
    tokenizer = byte_tokenizer(template="{{ raise_exception('no users here') }}")
    pair = load(save_model(tmp_path / "t", tokenizer=tokenizer), save_model(tmp_path / "d", tokenizer=tokenizer))
    with pytest.raises(PromptError, match=r"no users here.*without the template"):
        Run(pair, "hi", GREEDY)
    assert Run(pair, "hi", GREEDY, template=False).prompt_ids


@pytest.mark.parametrize(("options", "says"), [
    ({"dtype": "int8"}, "'int8'"), ({"device": "tpu"}, "'tpu'"), ({"device": "mps"}, "'mps'"), ({"device": ""}, "''"),
    ({"device": "cuda:99"}, "'cuda:99'"), ({"dtype": "Float32"}, "'Float32'"),
])  # fmt: skip
def test_devices_and_formats_are_refused(saved: Path, options: dict[str, str], says: str) -> None:
    """A device or number format that is unknown or not here is refused by name."""
    assert says in refusal(DeviceError, saved / "target", saved / "draft", **options)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float64"])
def test_every_format_decodes(saved: Path, dtype: str) -> None:
    """The other number formats load and decode too."""
    pair = load(saved / "target", saved / "draft", dtype=dtype)
    assert pair.card.dtype == dtype
    assert len(ids_of(pair, CHANCE, plain=False)) == 12


def test_too_little_memory_is_seen_before_loading(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pair that does not fit is refused with what it needs, counted in the chosen format, and what there is."""
    parameters = sum(p.numel() for m in (load(saved / "target", saved / "draft").target, load(saved / "target", saved / "draft").draft) for p in m.model.parameters())  # fmt: skip
    monkeypatch.setattr(loading, "memory_free", lambda device: parameters * 4 - 1)
    assert "cpu has 0.0 GB free: choose a smaller pair, or bfloat16." in refusal(
        PairError, saved / "target", saved / "draft"
    )
    assert load(saved / "target", saved / "draft", dtype="bfloat16").card.dtype == "bfloat16"
    monkeypatch.setattr(loading, "memory_free", lambda device: 0)
    assert refusal(PairError, saved / "target", saved / "draft", dtype="bfloat16").endswith("choose a smaller pair.")


ANSWERS = {
    "garbage": b"hello\r\n\r\n",
    "a login page": b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>",
    "trouble": b"HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n",
}


@pytest.fixture
def endpoint(request: pytest.FixtureRequest) -> Iterator[str]:
    """A hub on this machine that is dead, stays silent, or answers everything with the same bytes."""
    state: str = request.param
    callers: list[socket.socket] = []

    def serve() -> None:
        while True:
            try:
                caller, _ = server.accept()
            except OSError:
                return
            callers.append(caller)
            if state in ANSWERS:
                caller.recv(10_000)
                caller.sendall(ANSWERS[state])
                caller.close()

    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if state != "dead":
            server.listen()
        thread = threading.Thread(target=serve)
        if state != "dead":
            thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        if state != "dead":
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
    for caller in callers:
        caller.close()


@pytest.mark.parametrize("endpoint", ["dead", "silent", *ANSWERS], indirect=True)
def test_a_hub_that_cannot_be_reached_is_told_soon(
    endpoint: str, request: pytest.FixtureRequest, tmp_path: Path, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a dead hub, one that never answers or something else in its place, a hub id fails soon and in one sentence."""
    monkeypatch.setattr(constants, "ENDPOINT", endpoint)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(sources, "_PATIENCE_S", 1.0)
    began = perf_counter()
    sentence = refusal(HubError, Path("some/model"), saved / "draft")
    assert perf_counter() - began < 5
    assert sentence.startswith("The hub model some/model is not on this machine and could not be fetched")
    assert ("the hub answered 500" in sentence) == ("trouble" in request.node.name)


def test_what_was_fetched_before_is_used_without_a_hub(
    tmp_path: Path, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that lies in the hub's folder on this machine loads when the hub is out of reach."""
    held = tmp_path / "hub" / "models--some--model"
    shutil.copytree(saved / "target", held / "snapshots" / "0123")
    (held / "refs").mkdir()
    (held / "refs" / "main").write_text("0123")
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    pair = load_pair(target="some/model", draft=str(saved / "draft"), device="cpu", dtype="float32")
    assert pair.card.target.name == "some/model"


def test_offline_mode_is_told_at_once(tmp_path: Path) -> None:
    """With HF_HUB_OFFLINE=1 nothing is asked, and the sentence is the same."""
    script = (
        "from specviz.models import load_pair\n"
        "try:\n    load_pair('qwen2.5-1.5b', device='cpu', dtype='float32')\n"
        "except Exception as error:\n    print(type(error).__name__, error)\n"
    )
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=60, check=True)  # fmt: skip
    assert done.stdout.startswith("HubError The hub model Qwen/Qwen2.5-1.5B-Instruct is not on this machine")


def test_a_name_that_is_no_hub_id_is_told(saved: Path) -> None:
    """What is neither a folder nor a possible hub id is refused without asking anybody."""
    with pytest.raises(HubError, match="No hub model is called a b"):
        load_pair(target="a b", draft=str(saved / "draft"), device="cpu", dtype="float32")


def test_the_special_end_is_no_text(saved: Path) -> None:
    """The end-of-text token is flagged in the trace's table."""
    pair = load(saved / "target", saved / "draft")
    assert pair.text.bytes_of(0).special
    assert pair.text.bytes_of(0).data == END.encode()


def test_a_decoder_that_does_not_agree_with_the_library_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Should our decoder score otherwise than a model's own modules, these are used instead."""
    assert isinstance(load_pair("embedded", device="cpu", dtype="float32").target.network, LeanDecoder)
    monkeypatch.setattr(LeanDecoder, "_normalise", lambda _self, states, _weight: states)
    pair = load_pair("embedded", device="cpu", dtype="float32")
    assert isinstance(pair.target.network, StockNetwork)
    assert isinstance(pair.draft.network, StockNetwork)
