"""Device and number format: which one is chosen, measured and cached."""

import json
from copy import deepcopy
from types import SimpleNamespace

import pytest
import torch
from accelerate import dispatch_model  # type: ignore[import-untyped]  # ships no types

from specviz.errors import PairError
from specviz.models import CachedModel, devices, loading
from specviz.models.devices import check_separable, notes_file, pick_device, pick_dtype
from specviz.runs.prepare import PairKit
from tests.helpers.tiny_models import tiny_weights


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


@pytest.mark.parametrize(
    ("major", "wanted"), [(9, torch.bfloat16), (8, torch.bfloat16), (7, torch.float16), (6, torch.float32)]
)
def test_a_gpu_that_only_imitates_bfloat16_does_not_get_it(
    major: int, wanted: torch.dtype, monkeypatch: pytest.MonkeyPatch
) -> None:
    """auto is a format that the GPU has instructions for: Turing and Volta have none for bfloat16."""
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda device: SimpleNamespace(major=major))
    assert pick_dtype("auto", torch.device("cuda", 1)) == wanted
    assert pick_dtype("bfloat16", torch.device("cuda", 1)) == torch.bfloat16


def test_layers_of_a_spread_model_are_not_run_separately() -> None:
    """accelerate binds `forward` to the module itself, so a copy with fewer layers runs all of them: early exit and layer skip are
    refused in one sentence, before anything runs."""
    model = deepcopy(tiny_weights("LlamaForCausalLM", 1, 64, 2, 16, torch.float32))
    check_separable(model)
    dispatch_model(model, {"model": "cpu", "lm_head": "cpu"}, force_hooks=True)
    target = CachedModel(model, 64, lean=False)
    kit = PairKit(SimpleNamespace(target=target, draft=target, fewer=None))  # type: ignore[arg-type]
    for part in ("exit_depth", "fewer"):
        with pytest.raises(PairError, match="spread over several devices"):
            getattr(kit, part)


def test_a_pair_that_does_not_fit_on_the_named_gpu_is_not_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    """With cuda:1 the pair stays on cuda:1, or is refused: spread over all GPUs, its models would lie on different devices."""
    monkeypatch.setattr(loading, "pick_device", torch.device)
    monkeypatch.setattr(loading, "memory_free", lambda device: 0)
    monkeypatch.setattr(loading, "memory_of_all_gpus", lambda: 10**12)
    with pytest.raises(PairError, match="does not fit on cuda:1 alone"):
        loading.load_pair("embedded", device="cuda:1", dtype="float32")
