"""What the engines of one machine share: no core twice, one GPU each where there are several."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from specviz.models import limits
from specviz.models.threads import share_cores
from specviz.serving import sharing
from specviz.serving.engines import Engines
from specviz.serving.sharing import ENGINES_HERE, GPUS, engines_here, gpus_here, threads_of, variables_of

LISTED = """GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-6a3c1f7e-0000-1111-2222-333344445555)
  MIG 1g.10gb     Device  0: (UUID: MIG-1b2c3d4e-0000-1111-2222-333344445555)
GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-7b4d2e8f-0000-1111-2222-333344445555)
"""


def test_all_threads_together_leave_the_page_its_core() -> None:
    """Each engine has its share, and at least one thread; one engine has everything but the page's core, as before."""
    for usual in range(1, 65):
        assert threads_of(usual, 1, 1) == max(1, usual - 1)
        for engines in range(1, 65):
            each = threads_of(usual, 1, engines)
            assert each >= 1
            assert each * engines <= max(engines, usual - 1)


def test_each_engine_sees_one_gpu_where_there_are_several() -> None:
    """Every GPU is used before one is used twice; one GPU, or one engine, is left as it is."""
    gpus = ("GPU-a", "GPU-b", "GPU-c")
    seen = [variables_of(index, 5, gpus)[GPUS] for index in range(5)]
    assert seen == ["GPU-a", "GPU-b", "GPU-c", "GPU-a", "GPU-b"]
    assert variables_of(1, 2, ("GPU-a",)) == {ENGINES_HERE: "2"} == variables_of(1, 2, ())
    assert variables_of(0, 1, gpus) == {}


def test_the_hosts_own_choice_of_gpus_is_kept() -> None:
    """Numbers and names, up to the first that is none, as CUDA reads them."""
    assert gpus_here({GPUS: "2, 0,GPU-x"}) == ("2", "0", "GPU-x")
    assert sharing.visible("1,-1,2") == ("1",)
    assert gpus_here({GPUS: ""}) == gpus_here({GPUS: "-1"}) == ()


def test_the_gpus_are_those_that_nvidia_smi_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By names that mean the same GPU to CUDA in whatever order; a program that fails, or none, is no GPU."""
    program = tmp_path / "nvidia-smi"
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{LISTED}END\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", str(tmp_path) + os.pathsep + os.environ["PATH"])
    monkeypatch.delenv(GPUS, raising=False)
    names = ("GPU-6a3c1f7e-0000-1111-2222-333344445555", "GPU-7b4d2e8f-0000-1111-2222-333344445555")
    assert gpus_here({}) == names
    assert [launch.variables.get(GPUS) for launch in Engines(3).launches()] == [*names, names[0]]
    program.write_text("#!/bin/sh\nexit 9\n")
    assert gpus_here({}) == ()
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert gpus_here({}) == ()


def test_an_engine_takes_its_share_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the threads that it would have alone, where its environment says that others share the cores."""
    usual = torch.get_num_threads()
    monkeypatch.setattr(limits, "core_count", lambda: 8.0)
    try:
        for engines, threads in ((1, 7), (2, 3), (3, 2), (9, 1)):
            torch.set_num_threads(8)
            monkeypatch.setenv(ENGINES_HERE, str(engines))
            share_cores(1)
            assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(usual)


def test_what_nobody_said_is_one_engine() -> None:
    """Also where the variable is damaged."""
    assert [engines_here({ENGINES_HERE: value}) for value in ("3", "0", "-2", "x", "", "²")] == [3, 1, 1, 1, 1, 1]
    assert engines_here({}) == 1


def test_a_machine_has_one_name() -> None:
    """The same in another process."""
    script = "from specviz.serving.sharing import machine; print(machine())"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == sharing.machine() != ""
