"""Where the chat model comes from, and what is refused before it is downloaded."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from huggingface_hub import constants

from specviz import known_pairs
from specviz.cli.show import pair_lines
from specviz.errors import HubError, ModelFolderError, PairError
from specviz.known_pairs import CHAT, CHAT_INSTALL, CHAT_REPAIR, CHAT_TARGET, OFFERS, chat_is_here
from specviz.models import sources
from specviz.models.catalogue import listings
from specviz.models.gguf import origin_of
from specviz.models.loading import load_pair
from specviz.models.memory import Placement
from specviz.models.sources import folder_of, head_folder_of, local_path
from tests.helpers.refusals import refusal
from tests.helpers.tiny_gguf import PACKAGE, write_gguf
from tests.models.folders import put_in_hub

CPU = torch.device("cpu")


def quiet(what: str, share: float | None) -> None:
    """A callback that shows nothing."""


@pytest.fixture(autouse=True)
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the hub, no hub, and no installed chat model; the folder of the chat model in that cache."""
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(known_pairs, "_CHAT_PACKAGE", "specviz_test_chat")
    monkeypatch.setattr("specviz.models.number_format.bfloat16_gain", lambda: 2.0)  # nothing is measured
    monkeypatch.setattr("specviz.models.catalogue.memory_free", lambda _: 10**12)
    return tmp_path / "hub" / f"models--{CHAT_TARGET.replace('/', '--')}"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The GGUF file of an installed package that fails when it is imported."""
    pytest.importorskip(PACKAGE, reason="writes a GGUF file")
    folder = tmp_path / "site" / "specviz_test_chat"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise ImportError('imported')")
    monkeypatch.syspath_prepend(str(folder.parent))
    return write_gguf(folder / "Tiny.Q4_1.gguf", "Q4_1")


@pytest.mark.slow
def test_the_chat_model_is_found_in_its_package(package: Path) -> None:
    """Without the hub the installed package's file is dequantised; its module is never imported, and the card keeps the hub's name."""
    assert chat_is_here()
    assert local_path(CHAT_TARGET) == package
    folder = folder_of(CHAT_TARGET, quiet)
    origin = origin_of(folder)
    assert origin is not None
    assert origin.file == "Tiny.Q4_1.gguf"
    assert "specviz_test_chat" not in sys.modules
    pair = load_pair(target=CHAT_TARGET, draft=CHAT_TARGET, device="cpu", dtype="float32")
    card = pair.card.target
    assert (card.name, card.weights) == (CHAT_TARGET, "4-bit weights, dequantised to float16")
    assert card.revision == origin.revision


def test_the_hub_cache_comes_before_the_package(package: Path, hub: Path, saved: Path) -> None:
    """A complete download is used instead of the package; one that broke off is not; a revision that is named is the hub's business."""
    folder = put_in_hub(hub, saved / "target")
    assert chat_is_here()
    assert folder_of(CHAT_TARGET, quiet) == local_path(CHAT_TARGET) == folder
    (folder / "model.safetensors").unlink()
    assert local_path(CHAT_TARGET) == package
    with pytest.raises(HubError):
        folder_of(f"{CHAT_TARGET}@main", quiet)


def test_a_damaged_package_is_brought_again(package: Path) -> None:
    """A file of the package that is cut off gets the command that brings the whole one; of any other file that is not said."""
    part, other = package.read_bytes()[:-64], package.with_name("other.gguf")
    for file, source, says in (
        (package, CHAT_TARGET, f"bring it again with `{CHAT_REPAIR}`."),
        (other, str(other), "download it again."),
    ):
        file.write_bytes(part)
        assert refusal(ModelFolderError, folder_of, source, quiet).endswith(f"): {says}")
    assert CHAT_REPAIR.split() == [*CHAT_INSTALL.split()[:2], "--force-reinstall", *CHAT_INSTALL.split()[2:]]


def test_a_head_that_arrived_in_part_is_not_used(hub: Path) -> None:
    """Without the hub a downloaded head is taken where all its files are here; else the sentence says that its download is not complete."""
    folder = hub.with_name("models--lab--head") / "snapshots" / ("b" * 40)
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")

    def refused() -> bool:
        try:
            return head_folder_of("lab/head", quiet) != folder
        except HubError as error:
            return str(error).startswith("The download of the hub model lab/head is not complete")

    assert refused()
    (folder / "model.safetensors.index.json").write_text(
        '{"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}'
    )
    (folder / "model-1.safetensors").touch()
    assert refused()
    (folder / "model-2.safetensors").touch()
    assert not refused()


def test_nowhere_is_one_sentence(hub: Path) -> None:
    """No hub and no package: the sentence has the command that brings the model, and names the pair that works meanwhile."""
    assert not chat_is_here()
    for begun in (False, True):
        if begun:
            (hub / "blobs").mkdir(parents=True)
            (hub / "blobs" / "part.incomplete").write_bytes(b"0")
        sentence = refusal(HubError, folder_of, CHAT_TARGET, quiet)
        assert f"`{CHAT_INSTALL}`" in sentence
        assert "the embedded pair works meanwhile" in sentence


@pytest.mark.slow
def test_the_page_asks_without_torch(tmp_path: Path, saved: Path) -> None:
    """`chat_is_here` imports nothing heavy, and reads the hub's cache where huggingface_hub has it, however that folder is named."""
    code = (
        "import sys; from specviz.known_pairs import chat_is_here, chat_in_hub_cache\n"
        "found = chat_in_hub_cache(); chat_is_here(); assert not {'torch', 'gguf', 'huggingface_hub'} & set(sys.modules)\n"
        "from huggingface_hub import constants; print(str(found).startswith(constants.HF_HUB_CACHE))"
    )
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "XDG_", "HUGGINGFACE"))}
    for name, below in (("HF_HOME", "hub"), ("HOME", ".cache/huggingface/hub")):
        folder = tmp_path / name
        put_in_hub(folder / below / f"models--{CHAT_TARGET.replace('/', '--')}", saved / "target")
        ran = subprocess.run(
            [sys.executable, "-c", code], env={**usual, name: str(folder)}, capture_output=True, text=True, check=False
        )
        assert ran.stdout == "True\n", (name, ran.stderr)


def _info(size: int, parameters: int) -> Any:
    """What the hub says about a model with one weight file."""
    file = SimpleNamespace(rfilename="model.safetensors", size=size, lfs=SimpleNamespace(sha256="ab"), blob_id="cd")
    other = SimpleNamespace(rfilename="pytorch_model.bin", size=10**15, lfs=None, blob_id="ef")
    return SimpleNamespace(siblings=[file, other], safetensors=SimpleNamespace(total=parameters))


def test_too_large_a_model_is_not_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that fits neither into memory nor on the disk is refused with both numbers; what has arrived does not count."""

    def only_local(*_: object, local_files_only: bool = False, **options: object) -> str:
        raise OSError("nothing here") if local_files_only else LookupError("downloading")

    monkeypatch.setattr(sources, "snapshot_download", only_local)
    room = Placement(torch.float32, CPU)
    for info, free, says in (
        (_info(10, 10**15), 10**9, "need 4000000.0 GB in float32, and cpu has 1.0 GB free"),
        (_info(3 * 10**9, 10), 2 * 10**9, "is a download of 3.0 GB, and the disk of"),
    ):
        monkeypatch.setattr("specviz.models.sources.HfApi.model_info", lambda *_, info=info, **__: info)
        monkeypatch.setattr("specviz.models.memory.memory_free", lambda _, free=free: free)
        monkeypatch.setattr(sources, "disk_free", lambda _, free=free: free)
        with pytest.raises(PairError, match=re.escape(says)):
            folder_of("some/model", quiet, room)
    blob = tmp_path / "hub" / "models--some--model" / "blobs" / "ab"
    blob.parent.mkdir(parents=True)
    blob.write_bytes(b"0")
    with pytest.raises(HubError) as stopped:
        folder_of("some/model", quiet, room)
    assert str(stopped.value.__cause__) == "downloading"


def test_the_list_shows_licence_token_disk_and_revision(
    hub: Path, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each offer has a licence; what is missing is counted in bytes; a pair on this machine shows its revision."""
    monkeypatch.setattr("specviz.models.catalogue.disk_free", lambda _: 5 * 10**9)
    found = {row.name: row for row in listings(CPU)}
    assert list(found)[4] == CHAT
    assert all(row.licence for row in found.values())
    assert {name for name, row in found.items() if row.token} == {"llama-3.1-8b"}
    chat, large = found[CHAT], found["gpt2"]
    assert (chat.here, chat.disk, chat.fits_disk, chat.revision) == (False, 270_000_000, True, "")
    assert (large.disk, large.fits_disk) == (6_728_000_000, False)
    assert (chat.bytes, large.bytes) == (2 * 152_000_000, 4 * 1_682_000_000), "in the format that auto chooses for each"
    assert found["embedded"].disk == 0
    folder = put_in_hub(hub, saved / "target")
    chat = next(row for row in listings(CPU) if row.name == CHAT)
    assert (chat.here, chat.disk, chat.revision) == (True, 0, folder.name)
    text = "\n".join(line.plain for line in pair_lines(list(found.values()), 27e9))
    assert re.search(r"^smollm2-135m .* 0.30 GB .* ≤ 100/s +0.13 ", text, re.MULTILINE), "what this memory can read"
    assert "Both are computed" in text
    assert "llama-3.1-8b: accept the licence on the model's page on the hub, then log in with `hf auth login`" in text
    assert "no disk" in text
    assert "no: 0.3 GB" in text


def test_the_install_command_is_the_same_everywhere() -> None:
    """README, the pinned requirements and the sentence name the same packages; offers name nothing twice."""
    root = Path(__file__).parents[2]
    pins = [
        line for line in (root / "requirements-chat.txt").read_text().splitlines() if line and not line.startswith("#")
    ]
    assert f"pip install --no-deps {' '.join(pins)}" == CHAT_INSTALL
    assert CHAT_INSTALL in (root / "README.md").read_text()
    assert pins[1] in (root / "requirements-dev.txt").read_text().splitlines()
    assert len({offer.name for offer in OFFERS}) == len(OFFERS)
