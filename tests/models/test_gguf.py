"""GGUF files are models: dequantised once, exactly, into a cache that is never broken; what cannot be read gets one sentence."""

import os
import re
import shutil
import struct
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import torch
import transformers
from safetensors import SafetensorError
from safetensors.torch import load_file
from transformers import PreTrainedModel

from specviz.errors import ModelFolderError, PairError
from specviz.models import gguf as cache
from specviz.models import gguf_conversion as conversion
from specviz.models.gguf import convert, converted_folder, origin_of
from specviz.models.loading import load_pair
from specviz.models.memory import Placement
from specviz.models.reading import read_tokenizer
from specviz.models.sources import commit_of, folder_of
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.files import dumps, loads
from tests.helpers.refusals import refusal
from tests.helpers.tiny_gguf import PACKAGE, TEMPLATE, tiny_llama, write_gguf
from tests.models.folders import END

pytestmark = pytest.mark.slow

pytest.importorskip(PACKAGE, reason="writes GGUF files: pip install --no-deps gguf")


def quiet(what: str, share: float | None) -> None:
    """A callback that shows nothing."""


def refused(path: Path, kind: type[PairError] = ModelFolderError) -> str:
    """The sentence for a file that cannot be read; nothing is left in the cache."""
    sentence = refusal(kind, folder_of, str(path), quiet)
    assert folders_in_cache() == []
    return sentence


def data_begins(path: Path) -> int:
    """Bytes of the header."""
    import gguf

    return int(gguf.GGUFReader(path).data_offset)


def folders_in_cache() -> list[str]:
    return [path.name for path in (Path(os.environ["SPECVIZ_CACHE"]) / "gguf").glob("*") if path.is_dir()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the tiny model."""
    return write_gguf(tmp_path / "a.gguf")


def test_the_weights_are_those_of_the_file(tmp_path: Path) -> None:
    """Unquantised files give the model's own weights in the format that holds them exactly; quantised ones are near, in float16."""
    model = tiny_llama()
    for weight in model.parameters():
        weight.data = weight.data.bfloat16().float()
    own = {name: value for name, value in model.state_dict().items() if name != "lm_head.weight"}
    for kind, stored, error in (
        ("BF16", torch.bfloat16, 0.0),
        ("F16", torch.bfloat16, 2e-4),
        ("Q4_1", torch.float16, 0.25),
    ):
        folder = convert(write_gguf(tmp_path / f"{kind}.gguf", kind, model=model), quiet)
        found = load_file(folder / "model.safetensors")
        assert found.keys() == own.keys()
        for name, value in own.items():
            assert (found[name].float() - value).abs().max() <= error, (kind, name)
        matrix = "model.layers.1.mlp.up_proj.weight"
        assert found[matrix].dtype in (stored, torch.float16 if kind == "F16" else stored)
        origin = origin_of(folder)
        assert origin is not None
        assert origin.weights == ("4-bit weights, dequantised to float16" if kind == "Q4_1" else "")


def test_a_gguf_file_is_loaded_like_a_folder(tmp_path: Path) -> None:
    """Target and draft from GGUF files: scores of the original, tokenizer, template and end ids; the card and a recording say 8-bit."""
    model = tiny_llama()
    path = write_gguf(tmp_path / "tiny.Q8_0.gguf", "Q8_0", model=model, values={"tokenizer.ggml.eot_token_id": 1})
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')  # of another model
    pair = load_pair(target=str(path), draft=str(path), device="cpu", dtype="float32")
    ids = pair.text.encode("the dog ran", template=False)
    with torch.inference_mode():
        torch.testing.assert_close(
            pair.target.model(torch.tensor([ids])).logits, _rounded(model)(torch.tensor([ids])).logits
        )
    assert pair.target.end_ids == {0, 1}
    assert pair.text.bytes_of(0).special
    assert pair.text.tokenizer.eos_token == END
    assert pair.text.tokenizer.chat_template == TEMPLATE
    card = pair.card.target
    assert (card.name, card.weights) == (f"{tmp_path.name}/tiny.Q8_0.gguf", "8-bit weights, dequantised to float16")
    assert card.revision
    assert pair.card.draft is not None
    assert pair.card.draft.weights == card.weights
    trace = Run(pair, "the dog", Settings(max_new_tokens=4), template=False).finish()
    assert loads(dumps([trace]))[0].card.target == card


def _rounded(model: Any) -> Any:
    """The model with its matrices as Q8_0 represents them, rounded to the nearest float16."""
    import gguf

    kind = gguf.GGMLQuantizationType.Q8_0
    for weight in model.parameters():
        if weight.dim() > 1:
            dequantised = torch.from_numpy(gguf.dequantize(gguf.quantize(weight.detach().numpy(), kind), kind))
            assert not torch.equal(dequantised.half().float(), dequantised), "nothing to round"
            weight.data = dequantised.half().float()
    return model


def test_a_file_is_converted_once(tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second load, and that of a copy, find the folder; other contents under the same path, of the same size
    and with the same time of writing, do not."""
    done: list[Path] = []
    whole = conversion.dequantise

    def counted(path: Path, *rest: Any) -> str:
        done.append(path)
        return whole(path, *rest)

    monkeypatch.setattr(cache, "dequantise", counted)
    assert converted_folder(path) is None
    folder = convert(path, quiet)
    assert converted_folder(path) == convert(path, quiet) == folder
    assert commit_of(folder) == folder.name.partition("-")[0]
    (tmp_path / "elsewhere").mkdir()
    assert convert(Path(shutil.copy(path, tmp_path / "elsewhere" / "b.gguf")), quiet) == folder
    assert len(done) == 1
    size = path.stat().st_size
    other = write_gguf(tmp_path / "other.gguf", model=tiny_llama(seed=2))
    assert other.stat().st_size == size
    at = path.stat()
    shutil.copyfile(other, path)
    os.utime(path, ns=(at.st_atime_ns, at.st_mtime_ns))  # as an archive unpacks it
    assert converted_folder(path) is None
    assert convert(path, quiet) != folder
    assert len(done) == 2


def test_a_broken_folder_in_the_cache_is_made_again(path: Path) -> None:
    """A file of the converted folder that is cut off or gone, or a damaged note: the folder is made again, and loads."""
    folder = convert(path, quiet)
    weights = folder / "model.safetensors"
    before = weights.read_bytes()
    damages: tuple[Callable[[], object], ...] = (
        lambda: weights.write_bytes(before[:-1]),
        weights.unlink,
        lambda: (folder / "specviz-gguf.json").write_text("{"),
    )
    for damage in damages:
        damage()
        assert convert(path, quiet) == folder
        assert weights.read_bytes() == before


def test_a_conversion_that_was_killed_is_redone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an earlier process left half done is deleted, the folder of a process that still works is not. Nothing is written outside the
    cache, where nobody would delete it."""
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "gettempdir", lambda: pytest.fail("written outside the cache"))
        convert(path, quiet)
    shutil.rmtree(Path(os.environ["SPECVIZ_CACHE"]) / "gguf")
    store = Path(os.environ["SPECVIZ_CACHE"]) / "gguf"
    machine = os.uname().nodename
    dead, alive = store / f".half-{machine}-4194305-abc", store / f".half-{machine}-{os.getppid()}-abc"
    for half in (dead, alive):
        half.mkdir(parents=True)
        (half / "model.safetensors").write_bytes(b"0" * 8)
    folder = convert(path, quiet)
    assert not dead.exists()
    assert alive.exists()
    assert sorted(folders_in_cache()) == sorted([alive.name, folder.name])


def test_a_full_disk_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No space while the weights are stored, or known before: one sentence, an empty cache, and the next try works."""

    def full(model: object, header: object, folder: Path) -> None:
        (folder / "model.safetensors").write_bytes(b"half")
        raise OSError(28, "No space left on device")

    no_space = "No space left on device (os error 28)"
    with monkeypatch.context() as patch:
        patch.setattr(conversion, "_save", full)
        assert "(No space left on device): free some space" in refused(path)
    with monkeypatch.context() as patch:
        patch.setattr(PreTrainedModel, "save_pretrained", Mock(side_effect=SafetensorError(no_space)))
        assert "(No space left on device (os error 28)): free some space" in refused(path)
    with monkeypatch.context() as patch:
        patch.setattr(
            "specviz.models.gguf_conversion.shutil.disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 10_000)
        )
        sentence = refused(path, PairError)
        assert "need up to 0.0 GB" in sentence
        assert "which has 0.0 GB free" in sentence
    assert convert(path, quiet).is_dir()


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in the place of the cache's folder: the sentence says how to choose another, and no path of this machine, which a page would show."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SPECVIZ_CACHE", str(tmp_path / "file"))
    sentence = refused(path)
    assert re.search(
        r"could not be written to the cache \((File exists|Not a directory)\).* set SPECVIZ_CACHE", sentence
    )
    assert str(tmp_path / "file") not in sentence


def test_too_large_a_file_is_refused_before_anything_is_loaded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both numbers are in the sentence, whether the device or this machine's memory is too small, and transformers reads nothing."""
    monkeypatch.setattr(
        "specviz.models.gguf_conversion.AutoConfig.from_pretrained", lambda *_, **__: pytest.fail("something was read")
    )
    with monkeypatch.context() as patch:
        patch.setattr("specviz.models.memory.memory_free", lambda _: 1000)
        with pytest.raises(PairError, match=r"need 0\.0 GB in float32, and cpu has 0\.0 GB free"):
            folder_of(str(path), quiet, Placement(torch.float32, torch.device("cpu")))
    with monkeypatch.context() as patch:
        memory = type("Memory", (), {"available": 2_000_000_000})
        patch.setattr("psutil.virtual_memory", lambda: memory)
        patch.setattr("specviz.models.gguf_header.Header.parameters", 1_000_000_000)
        assert "needs 4.0 GB of memory while it is dequantised, and this machine has 2.0 GB free" in refused(
            path, PairError
        )


def test_damaged_files_are_named(tmp_path: Path) -> None:
    """Cut off anywhere, another format, another version, a damaged header: one sentence each, and nothing stays in the cache."""
    whole = write_gguf(tmp_path / "whole.gguf").read_bytes()
    header = data_begins(tmp_path / "whole.gguf")
    path = tmp_path / "damaged.gguf"
    for cut in (0, 3):
        path.write_bytes(whole[:cut])
        assert "is not a GGUF file" in refused(path)
    for cut in (6, header // 2, header - 100):
        path.write_bytes(whole[:cut])
        sentence = refused(path)
        assert "could not be read" in sentence
        assert "download" in sentence
    path.write_bytes(whole[:-64])
    assert f"it ends at {len(whole) - 64} bytes, inside its header or its weights): download it again" in refused(path)
    path.write_bytes(whole[:4] + struct.pack("<I", 1) + whole[8:])
    assert "version 1 which we cannot handle): download it again" in refused(path)
    for counts in ((2**62, 1), (1, 2**62), (0, 0)):
        path.write_bytes(whole[:8] + struct.pack("<QQ", *counts) + whole[24:])
        refused(path)
    assert "does not exist" in refused(tmp_path / "none.gguf")
    assert "such as" in refused(tmp_path)


def test_files_of_another_kind_are_named(tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown architecture or format, an adapter, a part of a model, one without a tokenizer or a weight, and no package to read it."""
    for options, says in (
        ({"architecture": "nobody"}, "(architecture 'nobody') is not one that transformers"),
        ({"leave_out": "tokenizer"}, "has no tokenizer"),
        ({"leave_out": "blk.1.ffn_up.weight"}, "lacks weights of its architecture 'llama', such as model.layers.1"),
        ({"values": {"split.count": 3}}, "is one of 3 parts of a model"),
        (
            {"values": {"llama.block_count": 2**32 - 1}},
            "its header says block_count 4294967295, and its weights are 20 tensors",
        ),
        ({"values": {"llama.feed_forward_length": 5_000_000}}, " numbers, and its weights have "),
    ):
        assert says in refused(write_gguf(tmp_path / "other.gguf", **options))
    whole = path.read_bytes()
    at = whole.index(b"blk.0.attn_q.weight") + len(b"blk.0.attn_q.weight") + 4 + 16
    assert struct.unpack_from("<I", whole, at) == (8,)
    path.write_bytes(whole[:at] + struct.pack("<I", 200) + whole[at + 4 :])
    assert "in a format that the package gguf does not know: choose another quantisation" in refused(path)
    path.write_bytes(whole)
    monkeypatch.setattr("specviz.models.gguf_header.importlib.util.find_spec", lambda _: None)
    assert "install it with `pip install --no-deps gguf==" in refused(path)


def test_random_damage_never_breaks_the_cache(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever byte of the header is changed, our own checks end in one sentence, or leave the file to transformers."""
    whole, end = path.read_bytes(), data_begins(path)
    generator = torch.Generator().manual_seed(0)
    monkeypatch.setattr(conversion, "_read", Mock(side_effect=ModelFolderError("read no further")))
    for _ in range(40):
        at = int(torch.randint(8, end, (), generator=generator))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :])
        with pytest.raises(PairError) as caught:
            convert(path, quiet)
        assert len(str(caught.value)) < 500
    assert folders_in_cache() == []


def test_two_conversions_of_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the process that is ready first stays, because it may be in use."""
    path, dequantise = write_gguf(tmp_path / "tiny.gguf"), conversion.dequantise
    inner: list[tuple[Path, int]] = []

    def overtaken(*given: Any) -> str:
        if not inner:
            monkeypatch.setattr(cache, "dequantise", dequantise)
            folder = convert(path, quiet)
            inner.append((folder, folder.stat().st_ino))
        return dequantise(*given)

    monkeypatch.setattr(cache, "dequantise", overtaken)
    folder = convert(path, quiet)
    assert inner == [(folder, folder.stat().st_ino)]
    assert folders_in_cache() == [folder.name]


def test_a_tokenizer_that_is_not_read_exactly_is_noted(tmp_path: Path) -> None:
    """SmolLM's digits are separated before its words; where it is not known how a tokenizer splits words, the pair's card says so."""
    for split, noted in (("smollm", False), ("llama-bpe", False), ("deepseek-llm", True)):
        folder = convert(write_gguf(tmp_path / "a.gguf", values={"tokenizer.ggml.pre": split}), quiet)
        origin = origin_of(folder)
        assert origin is not None
        assert ("deepseek-llm" in origin.note) is noted, split
        if split == "smollm":
            backend = transformers.AutoTokenizer.from_pretrained(folder).backend_tokenizer
            pieces = [piece for piece, _ in backend.pre_tokenizer.pre_tokenize_str("a\n\n12  3")]
            assert pieces == ["a", "\u010a\u010a", "1", "2", "\u0120\u0120", "3"]


def test_a_text_begins_with_a_space_only_where_the_file_says_so(tmp_path: Path) -> None:
    """`tokenizer.ggml.add_space_prefix` false: a SentencePiece tokenizer begins a prompt as it is written; else, or true, with a space."""
    for first, values in (
        ("\u2581the", {}),
        ("\u2581the", {"tokenizer.ggml.add_space_prefix": True}),
        ("t", {"tokenizer.ggml.add_space_prefix": False}),
    ):
        folder = convert(write_gguf(tmp_path / "a.gguf", sentencepiece=True, values=values), quiet)
        text = read_tokenizer(folder, "folder")
        ids = text.encode("the dog")
        assert [text.piece_of(ids[0]), text.piece_of(ids[1]), text.piece_of(ids[-1])] == ["<s>", first, "g"]
        assert text.tokenizer.decode(ids[1:]) == "the dog"


def test_texts_begin_as_llama_cpp_begins_them(tmp_path: Path) -> None:
    """A file that does not say whether its texts begin with BOS: its way to split words decides, which also decides whether a word that the vocabulary
    has is one token without a merge."""
    for split, says, begins in (("llama-bpe", None, True), ("llama-bpe", False, False), ("qwen2", None, False)):
        values: dict[str, Any] = {"tokenizer.ggml.pre": split}
        values |= {} if says is None else {"tokenizer.ggml.add_bos_token": says}
        text = read_tokenizer(convert(write_gguf(tmp_path / "a.gguf", values=values), quiet), "folder")
        pieces = [text.piece_of(i) for i in text.encode("a the", template=False)]
        assert (pieces[0] == "<|begin|>") is begins, (split, says)
        assert (pieces[-1] == "\u0120the") is (split == "llama-bpe")
