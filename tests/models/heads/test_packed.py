"""Packed layers of heads."""

from types import SimpleNamespace

import pytest
import torch
from torch import nn

from specviz.models.heads.packed import pack_linears, packed_linears
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
    assert pack_linears(network) == 2 * 24 * 40
    for found, wanted in zip((network(given), network(given[:1, :1])), expected, strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-6)
    assert "forward" not in network[2].__dict__
    assert len(network.state_dict()) == 3 + bias


def test_layers_are_packed_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Meanwhile the products are the same; afterwards the layers are what they were, also after an error. Without room nothing is packed."""
    network = nn.Sequential(nn.Linear(24, 40))
    with torch.no_grad():
        network[0].weight.copy_(network[0].weight.half().float())  # type: ignore[arg-type,operator]
    given = torch.randn(3, 24)
    expected = network(given)
    monkeypatch.setattr(layouts, "half_holds", lambda weight: True)
    if not half_is_fast():
        pytest.skip("this machine has no kernels for packed matrices")

    def stopped() -> None:
        with packed_linears(network):
            assert "forward" in network[0].__dict__
            torch.testing.assert_close(network(given), expected, rtol=1e-2, atol=1e-2)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert "forward" not in network[0].__dict__
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(total=4 * 2 * 24 * 40 - 1))
    with packed_linears(network):
        assert "forward" not in network[0].__dict__
