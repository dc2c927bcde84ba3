"""The number format: what `auto` chooses for which model, why, and that it is measured once on a machine."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
import transformers

from specviz.models import load_pair, number_format, with_draft
from specviz.models.machine_notes import noted, notes_file
from specviz.models.number_format import bfloat16_gain, format_on_cpu, pick_dtype, pick_format
from tests.models.folders import save_model

CPU = torch.device("cpu")


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The formats that a test measures; bfloat16 always seems twice as fast."""
    seen: list[str] = []

    def measure(dtype: torch.dtype) -> float:
        seen.append(str(dtype))
        return 1.0 if dtype == torch.bfloat16 else 2.0

    monkeypatch.setattr(number_format, "_pass_seconds", measure)
    return seen


def stored_as(folder: Path, dtype: torch.dtype) -> Path:
    """A tiny model whose file has this format."""
    save_model(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=dtype)
    model.save_pretrained(folder)
    return folder


def needs(float32: int, bfloat16: int) -> Callable[[torch.dtype], int]:
    return {torch.float32: float32, torch.bfloat16: bfloat16}.__getitem__


def test_the_format_follows_the_weights_the_speed_and_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the CPU, weights with more digits than bfloat16 stay in float32 however fast bfloat16 is; others are in bfloat16 where that was
    clearly faster; where only bfloat16 fits, it is bfloat16. Each time one sentence has the reason."""
    for stored, gain, float32, bfloat16, wanted, why in (
        ({"BF16"}, 2.04, 8, 4, "bfloat16", "measured to be 2.0 times as fast"),
        ({"BF16"}, 1.05, 8, 4, "float32", "not measured to be clearly faster"),
        ({"F8_E4M3", "U8"}, 2.0, 8, 4, "bfloat16", "no wider than bfloat16"),
        ({"F32"}, 2.0, 8, 4, "float32", "stored in float32"),
        ({"F16"}, 2.0, 8, 4, "float32", "stored in float16"),
        ({"BF16", "F16", "F32"}, 2.0, 8, 4, "float32", "stored in float32"),
        ({"F32"}, 0.5, 12e9, 6e9, "bfloat16", "would need up to 12.0 GB while they are loaded, and 10.0 GB are free"),
        ({"F32"}, 2.0, 14e9, 12e9, "float32", "stored in float32"),  # neither fits: refused with its own figures
    ):
        monkeypatch.setattr(number_format, "bfloat16_gain", lambda gain=gain: gain)
        found = format_on_cpu(stored, needs(int(float32), int(bfloat16)), 10 * 10**9)
        assert found.dtype == getattr(torch, wanted), (stored, gain)
        assert why in found.why, (stored, gain)
        assert found.why.endswith(".")


@pytest.mark.slow
def test_a_model_is_loaded_in_the_format_of_its_own_weights(tmp_path: Path, measured: list[str]) -> None:
    """The files' headers decide: a float32 and a float16 checkpoint keep their digits, though bfloat16 is twice as fast here, and nothing
    is measured for them. The pair says why, also with another draft; a format that was asked for needs no reason."""
    for dtype in (torch.float32, torch.float16):
        folder = str(stored_as(tmp_path / str(dtype), dtype))
        pair = load_pair(target=folder, device="cpu")
        assert pair.card.dtype == "float32"
        assert f"stored in {str(dtype).removeprefix('torch.')}" in pair.why_dtype
    assert measured == []
    assert with_draft(pair, folder).why_dtype == pair.why_dtype
    narrow = str(stored_as(tmp_path / "narrow", torch.bfloat16))
    pair = load_pair(target=narrow, draft=folder, device="cpu")
    assert (pair.card.dtype, measured) == ("bfloat16", ["torch.float32", "torch.bfloat16"])
    assert "2.0 times as fast" in pair.why_dtype
    pair = load_pair(target=narrow, device="cpu", dtype="float32")
    assert (pair.card.dtype, pair.why_dtype) == ("float32", "")


def test_broken_notes_only_mean_measuring_again(measured: list[str]) -> None:
    """A damaged cache file, a quotient that is no positive number, or one that another machine measured: it is measured again and saved."""
    bfloat16_gain()
    (here,) = json.loads(notes_file().read_text())
    broken = (b"", b"\xff\xfe\x00", b'{"machine": 1}', b"[" * 100_000)
    wrong: list[object] = [{here: {"bfloat16 gain": value}} for value in (float("nan"), -1.0, "3")]
    wrong += [{here: [], "elsewhere": {"bfloat16 gain": 3.0}}]
    for number, notes in enumerate((*broken, *(json.dumps(each).encode() for each in wrong)), start=2):
        notes_file().write_bytes(notes)
        assert bfloat16_gain() == 2.0, notes[:80]
        assert len(measured) == 2 * number, notes[:80]
        assert noted("bfloat16 gain", float) == 2.0
    notes_file().write_text(json.dumps({here: {"bfloat16 gain": 3.0}}))
    assert bfloat16_gain() == 3.0


def test_a_gpu_that_only_imitates_bfloat16_does_not_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """auto is a format that the GPU has instructions for: Turing and Volta have none for bfloat16."""
    gpu = torch.device("cuda", 1)
    for major, wanted in ((8, torch.bfloat16), (7, torch.float16), (6, torch.float32)):
        monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _, major=major: SimpleNamespace(major=major))
        assert pick_dtype("auto", gpu) == wanted
        assert pick_dtype("bfloat16", gpu) == torch.bfloat16
        found = pick_format("auto", gpu, tmp_path / "nowhere", "it", needs(1, 1))
        assert (found.dtype, found.why[:8]) == (wanted, "This GPU")
