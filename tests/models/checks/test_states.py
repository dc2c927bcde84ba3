"""Claims about what a trained head reads: states and output layer are compared with the plain pass, and no fault passes."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch

from specviz.models.checks.first_use import head_checks, tree_check
from specviz.models.checks.measure import Check
from specviz.models.heads import frozen
from specviz.models.networks import network
from specviz.models.networks.lean import LeanDecoder
from tests.architectures.examination import pair_of
from tests.helpers.architectures import build
from tests.helpers.heads import random_head
from tests.helpers.planting import Plant, plant

pytestmark = pytest.mark.slow

SOME = torch.tensor([2, 7, 31])


def check(name: str, dtype: torch.dtype = torch.float32, tokens: torch.Tensor | None = None) -> tuple[Check, ...]:
    """The checks of a head that reads the states at four layers of this architecture, in chains and trees."""
    pair = pair_of(name, build(name).to(dtype))
    tree_check(pair, "target")
    head = random_head(pair.target, tokens=tokens)
    taps = (0, 1, pair.target.network.depth // 2 + 1, pair.target.network.depth)
    head = replace(head, spec=replace(head.spec, taps=taps))
    checks = head_checks(pair, head)
    assert all(later is check for later, check in zip(head_checks(pair, head), checks, strict=True)), "each once"
    pair.target.begin(4)
    assert pair.target.forward(torch.tensor([1])).states is None, "nothing is tapped afterwards"
    return checks


@pytest.mark.parametrize(
    ("name", "dtype"),
    [("llama", torch.bfloat16), ("gemma2", torch.bfloat16), ("gpt2", torch.float32), ("lfm2", torch.float32)],
)
def test_right_states_pass(name: str, dtype: torch.dtype) -> None:
    """Our decoder, transformers' modules, windows, and a recurrent state with trees path by path."""
    states, output, *_ = check(name, dtype)
    assert states.passed
    assert output.passed
    assert (states.name[:6], output.name[:6]) == ("states", "output")


PLANTED: list[tuple[str, Plant]] = [
    ("gpt2", Plant("a tap earlier", lambda: None, network, "at_taps", "entering[tap] for", "entering[max(0, tap - 1)] for")),
    ("gpt2", Plant("a tap later", lambda: None, network, "at_taps", "entering[tap] for", "entering[max(1, tap)] for")),
    ("llama", Plant("our tap earlier", lambda: None, LeanDecoder, "_through", "states = entering[tap] = self._run(states,", "entering[tap], states = states, self._run(states,")),
    ("llama", Plant("before the norm", lambda: None, LeanDecoder, "_score", "last[-rows:]), last", "last[-rows:]), states")),
    ("llama", Plant("rows in another order", lambda: None, network, "at_taps", "for tap in taps], dim=1)", "for tap in taps], dim=1).flip(0)")),
    ("granite", Plant("no factor", lambda: None, frozen, "_finished", "rows(states) * factor", "rows(states)")),
    ("gemma2", Plant("no cap", lambda: None, frozen, "_finished", "logits if cap is None else capped(logits, cap)", "logits")),
    ("gptj", Plant("no bias", lambda: None, frozen, "_every_row", "head.bias.detach()", "0 * head.bias.detach()")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "bug"), PLANTED, ids=str)
def test_a_fault_does_not_pass(name: str, bug: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence names the model and the path that differs."""
    if bug.bug == "no bias":
        _bias(monkeypatch)
    if bug.bug in ("no factor", "no cap"):  # so that the output layer is put together from the model's own parts
        monkeypatch.setattr(frozen, "LeanDecoder", ())
    plant(bug, monkeypatch)
    assert re.match(
        r"A trained head cannot be used on \w+ \((states at|output layer).*\): choose another", check(name)[-1].note
    )


def _bias(monkeypatch: pytest.MonkeyPatch) -> None:
    """GPT-J's output layer with a bias that matters."""
    original: Callable[..., Any] = build

    def with_bias(name: str) -> Any:
        model = original(name)
        with torch.no_grad():
            model.lm_head.bias.normal_()
        return model

    monkeypatch.setitem(globals(), "build", with_bias)


def test_other_rows_than_the_heads_ids_do_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a head scores some ids, their rows are compared too."""
    output = check("llama", tokens=SOME)[1]
    assert (output.passed, output.name) == (True, "output layer from outside, its rows for the head medusa")
    rows = "head.weight.detach()[tokens"
    plant(Plant("other rows", lambda: None, frozen, "_some_rows", f"{rows}]", f"{rows} + 1]"), monkeypatch)
    assert "its rows for the head medusa" in check("llama", tokens=SOME)[-1].note
