"""Device: which one is chosen, which models may be spread over several, and what a process may use of its machine, within the limits of a
container."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from specviz.errors import PairError
from specviz.models import limits, loading
from specviz.models.devices import memory_free


def test_a_pair_that_does_not_fit_on_the_named_gpu_is_not_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    """With cuda:1 the pair stays on cuda:1, or is refused: spread over all GPUs, its models would lie on different devices."""
    monkeypatch.setattr(loading, "pick_device", torch.device)
    monkeypatch.setattr(loading, "memory_free", lambda device: 0)
    monkeypatch.setattr(loading, "memory_of_all_gpus", lambda: 10**12)
    with pytest.raises(PairError, match="does not fit on cuda:1 alone"):
        loading.load_pair("embedded", device="cuda:1", dtype="float32")


GB = 10**9


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with 8 cores and 64 GB, of which 32 GB are free, without limits; the folder of its control groups."""
    monkeypatch.setattr(limits, "_ROOT", tmp_path)
    monkeypatch.setattr(limits, "_OWN", tmp_path / "own")
    monkeypatch.setattr(limits, "cores", lambda: set(range(8)))
    memory = SimpleNamespace(total=64 * GB, available=32 * GB)
    monkeypatch.setattr("psutil.virtual_memory", lambda: memory)
    return tmp_path


def write(folder: Path, **files: str) -> None:
    """Files of a control group; a double underscore is a dot."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text + "\n")


def test_without_limits_it_is_the_machine(groups: Path) -> None:
    """Without control groups, and with groups that set no limit."""
    for _ in range(2):
        assert (limits.core_count(), limits.memory_available()) == (8.0, 32 * GB)
        assert limits.quota_used_s() is None
        (groups / "own").write_text("0::/user\n")
        write(groups / "user", cpu__max="max 100000", memory__max="max")


def test_the_limits_of_version_2(groups: Path) -> None:
    """Of the group and of those around it the smallest counts; what only caches files is free."""
    (groups / "own").write_text("0::/outer/inner\n")
    write(groups / "outer", cpu__max="150000 100000", cpu__stat="usage_usec 2500000\nuser_usec 1")
    write(groups / "outer" / "inner", cpu__max="max 100000", memory__max=str(4 * GB), memory__current=str(3 * GB))
    write(groups / "outer" / "inner", memory__stat=f"anon 5\ninactive_file {GB}")
    assert (limits.core_count(), limits.quota_used_s()) == (1.5, 2.5)
    assert limits.memory_available() == 2 * GB
    assert memory_free(torch.device("cpu")) == 2 * GB
