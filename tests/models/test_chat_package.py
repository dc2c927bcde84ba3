"""The chat model's GGUF file is dequantised once, into a cache that is never broken; what goes wrong gets one sentence."""

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from transformers import AutoTokenizer, PreTrainedModel

from specviz.errors import ModelFolderError
from specviz.known_pairs import CHAT_REPAIR
from specviz.models import chat_package
from specviz.models.chat_package import convert, converted_folder, origin_of
from specviz.models.sources import commit_of
from tests.helpers.tiny_gguf import PACKAGE, tiny_llama, write_gguf

pytestmark = pytest.mark.slow

pytest.importorskip(PACKAGE, reason="writes GGUF files: pip install --no-deps gguf")


def quiet(what: str, share: float | None) -> None:
    """A callback that shows nothing."""


def refusal(path: Path) -> str:
    """The sentence for a file that is not converted; nothing is left in the cache."""
    with pytest.raises(ModelFolderError) as caught:
        convert(path, quiet)
    assert folders_in_cache() == []
    return str(caught.value)


def folders_in_cache() -> list[str]:
    return [path.name for path in (Path(os.environ["SPECVIZ_CACHE"]) / "gguf").glob("*") if path.is_dir()]


def test_the_weights_are_those_of_the_file(tmp_path: Path) -> None:
    """Matrices are the dequantised ones rounded to float16, vectors the file's own; digits are separated before the merges."""
    import gguf

    model, kind = tiny_llama(), gguf.GGMLQuantizationType.Q4_1
    folder = convert(write_gguf(tmp_path / "tiny.gguf", model=model), quiet)
    stored = load_file(folder / "model.safetensors")
    own = {name: value for name, value in model.state_dict().items() if name != "lm_head.weight"}
    assert stored.keys() == own.keys()
    for name, value in own.items():
        if "q_proj" in name or "k_proj" in name:  # stored in another order
            continue
        dequantised = (
            torch.from_numpy(gguf.dequantize(gguf.quantize(value.numpy(), kind), kind)) if value.ndim > 1 else value
        )
        assert torch.equal(stored[name], dequantised.half() if value.ndim > 1 else value), name
    backend = AutoTokenizer.from_pretrained(folder).backend_tokenizer
    pieces = [piece for piece, _ in backend.pre_tokenizer.pre_tokenize_str("a\n\n12  3")]
    assert pieces == ["a", "\u010a\u010a", "1", "2", "\u0120\u0120", "3"]


def test_a_file_is_converted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second load finds the folder; other contents under the same path, of the same size and with the same time of writing, do not. A broken
    folder is made again. The folder of the process that is ready first stays, because it may be in use."""
    path, done, whole = write_gguf(tmp_path / "a.gguf"), list[Path](), chat_package._dequantise

    def counted(path: Path, folder: Path, report: Any) -> None:
        done.append(path)
        if len(done) == 1:
            assert convert(path, quiet).is_dir(), "another process is ready first"
        whole(path, folder, report)

    monkeypatch.setattr(chat_package, "_dequantise", counted)
    assert converted_folder(path) is None
    folder = convert(path, quiet)
    assert converted_folder(path) == convert(path, quiet) == folder
    assert folders_in_cache() == [folder.name]
    origin = origin_of(folder)
    assert origin is not None
    assert commit_of(folder) == origin.revision
    assert len(done) == 2
    weights = folder / "model.safetensors"
    before = weights.read_bytes()
    for damage in (
        lambda: weights.write_bytes(before[:-1]),
        weights.unlink,
        lambda: (folder / chat_package._NOTE).write_text("{"),
    ):
        damage()
        assert convert(path, quiet) == folder
        assert weights.read_bytes() == before
    at = path.stat()
    shutil.copyfile(write_gguf(tmp_path / "other.gguf", model=tiny_llama(seed=2)), path)
    os.utime(path, ns=(at.st_atime_ns, at.st_mtime_ns))  # as an archive unpacks it
    assert path.stat().st_size == at.st_size
    assert convert(path, quiet) != folder


def test_a_conversion_that_was_killed_is_redone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an earlier process left half done is deleted, the folder of a process that still works is not. Nothing is written outside the
    cache, where nobody would delete it."""
    path = write_gguf(tmp_path / "a.gguf")
    store, machine = Path(os.environ["SPECVIZ_CACHE"]) / "gguf", os.uname().nodename
    dead, alive = store / f".half-{machine}-4194305-abc", store / f".half-{machine}-{os.getppid()}-abc"
    for half in (dead, alive):
        half.mkdir(parents=True)
        (half / "model.safetensors").write_bytes(b"0" * 8)
    monkeypatch.setattr(tempfile, "gettempdir", lambda: pytest.fail("written outside the cache"))
    folder = convert(path, quiet)
    assert sorted(folders_in_cache()) == sorted([alive.name, folder.name])


def test_what_goes_wrong_is_one_sentence_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk, a cache that cannot be written (without a path of this machine, which a page would show), and a file that is cut off anywhere."""
    path = write_gguf(tmp_path / "a.gguf")

    def full(*_: object, **__: object) -> None:
        """What stores weights where no space is left: its error is no OSError."""
        raise SafetensorError("No space left on device (os error 28)")

    with monkeypatch.context() as patch:
        patch.setattr(PreTrainedModel, "save_pretrained", full)
        assert "(No space left on device (os error 28)): free some space" in refusal(path)
    whole = path.read_bytes()
    for cut in (0, 6, len(whole) // 4, len(whole) - 64):
        path.write_bytes(whole[:cut])
        assert refusal(path).endswith(f"bring it again with `{CHAT_REPAIR}`.")
    path.write_bytes(whole)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SPECVIZ_CACHE", str(tmp_path / "file"))
    sentence = refusal(path)
    assert re.search(r"written to the cache \((File exists|Not a directory)\).* set SPECVIZ_CACHE", sentence)
    assert str(tmp_path) not in sentence
