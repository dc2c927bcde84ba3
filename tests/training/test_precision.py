"""The number format of a training is chosen by what the hardware is quick at."""

import pytest
import torch

from specviz.training.precision import fast_precision


@pytest.mark.parametrize(
    ("capability", "wanted"),
    [
        ("DEFAULT", torch.float32),
        ("AVX2", torch.float32),
        ("AVX512", torch.bfloat16),
        ("AVX512_VNNI", torch.bfloat16),
    ],
)
def test_processors_without_avx_512_multiply_in_float32(
    monkeypatch: pytest.MonkeyPatch, capability: str, wanted: torch.dtype
) -> None:
    """On the CPU it is bfloat16 from AVX-512 on, and float32 below; on a GPU it is bfloat16 whatever the processor."""
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: capability)
    assert fast_precision(torch.device("cpu")) is wanted
    assert fast_precision(torch.device("cuda")) is torch.bfloat16
