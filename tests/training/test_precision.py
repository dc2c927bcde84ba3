"""The number format of a training is chosen by what the hardware is quick at."""

import pytest
import torch

from specviz.training.precision import fast_precision


def test_processors_without_avx_512_multiply_in_float32(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the CPU it is bfloat16 from AVX-512 on, and float32 below; on a GPU it is bfloat16 whatever the processor."""
    half, full = torch.bfloat16, torch.float32
    for capability, wanted in (("DEFAULT", full), ("AVX2", full), ("AVX512", half), ("AVX512_VNNI", half)):
        monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda found=capability: found)
        assert fast_precision(torch.device("cpu")) is wanted
        assert fast_precision(torch.device("cuda")) is half
