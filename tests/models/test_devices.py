"""Device and number format: which one is chosen, measured and cached."""

import json

import pytest
import torch

from specviz.models import devices
from specviz.models.devices import notes_file, pick_device, pick_dtype


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The formats that a test measures; bfloat16 always seems faster."""
    seen: list[str] = []

    def measure(dtype: torch.dtype) -> float:
        seen.append(str(dtype))
        return 1.0 if dtype == torch.bfloat16 else 2.0

    monkeypatch.setattr(devices, "_pass_seconds", measure)
    return seen


def test_the_faster_format_is_measured_once(measured: list[str]) -> None:
    """On a CPU, auto measures both formats at the first call and caches the faster one."""
    assert pick_dtype("auto", torch.device("cpu")) == torch.bfloat16
    assert pick_dtype("auto", torch.device("cpu")) == torch.bfloat16
    assert measured == ["torch.float32", "torch.bfloat16"]
    assert json.loads(notes_file().read_text())["cpu_dtype"] == "bfloat16"


@pytest.mark.parametrize("notes", [b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b'{"machine": 1}', b'{"cpu_dtype": "int8"}', b"[" * 100_000])  # fmt: skip
def test_broken_notes_only_mean_measuring_again(measured: list[str], notes: bytes) -> None:
    """With any damaged cache file, the formats are measured again and saved."""
    notes_file().parent.mkdir(parents=True)
    notes_file().write_bytes(notes)
    assert pick_dtype("auto", torch.device("cpu")) == torch.bfloat16
    assert len(measured) == 2
    assert json.loads(notes_file().read_text())["cpu_dtype"] == "bfloat16"


def test_notes_of_another_machine_do_not_count(measured: list[str]) -> None:
    """With the cache file of another machine, the formats are measured again."""
    notes_file().parent.mkdir(parents=True)
    notes_file().write_text(json.dumps({"machine": "elsewhere", "cpu_dtype": "float32"}))
    assert pick_dtype("auto", torch.device("cpu")) == torch.bfloat16
    assert len(measured) == 2


def test_an_unwritable_cache_folder_is_no_error(measured: list[str]) -> None:
    """If the cache file cannot be written, the measurement is used all the same."""
    notes_file().parent.write_text("a file where the folder should be")
    assert pick_dtype("auto", torch.device("cpu")) == torch.bfloat16


def test_the_real_measurement_is_a_time() -> None:
    """The measurement itself runs in both formats and returns a time."""
    assert 0 < devices._pass_seconds(torch.float32, width=16, layers=1, repeats=3) < 1
    assert 0 < devices._pass_seconds(torch.bfloat16, width=16, layers=1, repeats=3) < 1


def test_what_is_asked_for_is_taken() -> None:
    """A named format is not measured, and a named device is that device."""
    assert pick_dtype("float64", torch.device("cpu")) == torch.float64
    assert pick_device("cpu") == torch.device("cpu")
    assert not notes_file().exists()
