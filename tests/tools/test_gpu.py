"""The GPU benchmark, run completely on the CPU with graphs off."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from specviz.errors import SpecvizError
from specviz.models.networks.capture import CaptureJob
from tools.gpu import checks, figures
from tools.gpu.__main__ import main
from tools.gpu.checks import check_passes, check_texts
from tools.gpu.timed import GraphsOff

pytestmark = pytest.mark.rare

CPU = torch.device("cpu")


def test_the_command_checks_and_measures_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report has every check and every figure, and none failed; everything in it says that it is synthetic."""
    monkeypatch.setattr(figures, "REPEATS", 1)
    path = tmp_path / "gpu.json"
    assert main(["--device", "cpu", "--json", str(path), "--tokens", "8"]) == 0
    report = json.loads(path.read_text())
    assert len(report["checks"]) == 8
    assert all(check["passed"] for check in report["checks"].values())
    assert '"failed"' not in json.dumps(report)
    ((name, found),) = report["figures"].items()
    assert set(found["speculative"]) == {"agreement 0.6", "agreement 0.8", "agreement 0.9"}
    assert all(words.startswith("synthetic") for words in (report["weights"], name))


def test_the_checks_find_a_graph_that_ignores_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks find a graph that ignores its length."""

    def fixed_length(self: GraphsOff, job: CaptureJob) -> Any:
        return job.work(torch.tensor(20), *job.inputs)

    monkeypatch.setattr(GraphsOff, "_replay", fixed_length)
    with pytest.raises(SpecvizError, match="logits differ"):
        check_passes("tiny", CPU)
    with pytest.raises(SpecvizError, match="states differ"):
        checks.check_read_states(CPU)
    with pytest.raises(SpecvizError, match="differs"):
        check_texts(CPU)
