"""Packed layers of heads."""

import pytest
import torch
from torch import nn

from specviz.models.heads.packed import pack_linears
from specviz.models.networks import layouts
from specviz.models.networks.packing import half_is_fast


@pytest.mark.parametrize("bias", [True, False])
def test_packed_layers_have_the_same_products(bias: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """For one row and several; a layer that half precision cannot hold stays as it is; the weights stay readable."""
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(24, 40, bias=bias), nn.SiLU(), nn.Linear(40, 8))
    with torch.no_grad():
        network[0].weight.copy_(network[0].weight.half().float())  # type: ignore[arg-type,operator]
    given = torch.randn(2, 3, 24)
    expected = [network(given), network(given[:1, :1])]
    monkeypatch.setattr(layouts, "half_holds", lambda weight: bool((weight.half().float() == weight).all()))
    if not half_is_fast():
        pytest.skip("this machine has no kernels for packed matrices")
    pack_linears(network)
    assert "forward" in network[0].__dict__
    for found, wanted in zip((network(given), network(given[:1, :1])), expected, strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-6)
    assert "forward" not in network[2].__dict__
    assert len(network.state_dict()) == 3 + bias
