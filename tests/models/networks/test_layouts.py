"""Claims about layouts of matrices: what may be chosen, that it is compared before use, and what a machine without fast kernels does."""

from collections.abc import Callable
from itertools import chain, repeat

import pytest
import torch

from specviz.models import Pair, load_pair
from specviz.models.machine_notes import noted
from specviz.models.networks import layouts, packing
from specviz.models.networks.packing import HalfMatrix, Matrix, ReorderedMatrix

needs_fbgemm = pytest.mark.skipif(not packing.half_is_fast(), reason="this machine lacks FBGEMM")
SHAPE = (1024, 512)


def halves(seed: int = 0) -> torch.Tensor:
    """A matrix that half precision holds, large enough to be timed."""
    return torch.randn(*SHAPE, generator=torch.Generator().manual_seed(seed)).half().float()


def digits(seed: int = 0) -> torch.Tensor:
    """One that it does not hold."""
    return torch.randn(*SHAPE, generator=torch.Generator().manual_seed(seed))


@needs_fbgemm
@pytest.mark.parametrize("rows", [1, 2, 6, 7, 40])
def test_every_layout_multiplies_as_the_plain_one(rows: int) -> None:
    """Half precision and oneDNN's blocks, with and without a bias, on one row and many."""
    given = torch.randn(rows, SHAPE[1], generator=torch.Generator().manual_seed(rows))
    bias = torch.randn(SHAPE[0])
    for weight, kinds in ((halves(), ("half", "reordered")), (digits(), ("reordered",))):
        for kind in kinds:
            for added in (None, bias):
                found = layouts._matrix_in(kind, [weight[:600], weight[600:]], added)(given)
                torch.testing.assert_close(found, Matrix(weight, added)(given), rtol=1e-4, atol=1e-4)


@needs_fbgemm
def test_only_exact_layouts_may_be_chosen() -> None:
    """Half precision only where it represents every weight; a stack of matrices only if it represents all of them."""
    assert layouts._exact_layouts([halves()]) == ("half", "reordered", "plain")
    assert layouts._exact_layouts([digits()]) == ("plain", "reordered")
    assert layouts._exact_layouts([halves(), digits()]) == ("plain", "reordered")
    assert layouts._exact_layouts([digits().bfloat16()])[0] in ("half", "plain")
    assert layouts._exact_layouts([digits().double()]) == ("plain",)


def test_the_choice_is_measured_once_and_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second matrix of a shape is not timed again; another process finds the note; a small matrix is never timed."""
    timed: list[int] = []

    def fastest(weights: object) -> str:
        timed.append(1)
        return "plain"

    monkeypatch.setattr(layouts, "_fastest", fastest)
    monkeypatch.setattr("specviz.models.machine_notes._WAITED", 1.1)
    for seed in range(3):
        assert layouts.layout_for([digits(seed)]) == "plain"
    assert len(timed) == 1
    assert noted("layout of 1024x512 in plain/reordered", str) == "plain"
    layouts.layout_for([digits()[:64]])
    assert len(timed) == 1


@pytest.mark.parametrize(
    ("usual", "chosen"),
    [((1.0, 1.0), "plain"), ((3.0, 1.0), "plain"), ((3.0, 3.0), "reordered"), ((1.6, 1.6), "plain")],
    ids=["slower", "faster once", "faster", "hardly faster"],
)
def test_another_layout_than_the_usual_one_must_be_clearly_faster(
    monkeypatch: pytest.MonkeyPatch, usual: tuple[float, float], chosen: str
) -> None:
    """A pause of the machine in the first products chooses nothing, because the choice stays for good.

    Args:
        usual: seconds of a product in the usual layout, at first and later; in the other one it takes 1.5.
    """
    clock = [0.0]
    monkeypatch.setattr(layouts, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(layouts, "_exact_layouts", lambda weights: ("plain", "reordered"))

    def made(name: str, weights: object, bias: object) -> Callable[[object], None]:
        first, later = usual if name == "plain" else (1.5, 1.5)
        turns = chain([first] * layouts._TIMES * len(layouts._ROWS), repeat(later))

        def product(rows: object) -> None:
            clock[0] += next(turns)

        return product

    monkeypatch.setattr(layouts, "_matrix_in", made)
    assert layouts._fastest([digits()]) == chosen


def test_a_disturbed_choice_is_not_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where other programs have the cores, the next process measures again."""
    monkeypatch.setattr("specviz.models.machine_notes._WAITED", 0.0)
    layouts.layout_for([digits()])
    assert noted("layout of 1024x512 in plain/reordered", str) is None


@needs_fbgemm
@pytest.mark.parametrize("kind", [HalfMatrix, ReorderedMatrix])
def test_a_layout_that_multiplies_otherwise_is_not_used(kind: type[Matrix], monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that drops its last input, or gives numbers that are none, is seen before a pass uses it, and the plain product is taken."""
    monkeypatch.setattr(layouts, "layout_for", lambda weights: "half" if kind is HalfMatrix else "reordered")
    right = kind.__call__
    assert type(layouts.pack(halves())) is kind
    for wrong in (
        lambda self, rows: right(self, torch.cat([rows[:, :-1], 0 * rows[:, -1:]], dim=-1)),
        lambda self, rows: right(self, rows) * torch.nan,
    ):
        monkeypatch.setattr(kind, "__call__", wrong)
        assert type(layouts.pack(halves())) is Matrix


@pytest.mark.slow
def test_a_machine_without_the_kernels(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The layout falls back, the card says so, and the text is the same."""
    from specviz.runs.run import Run
    from specviz.settings import Settings

    def text(pair: Pair) -> tuple[int, ...]:
        return Run(pair, "The capital of France is", Settings(max_new_tokens=8)).finish().token_ids

    with_kernels = embedded
    assert not any("FBGEMM" in note for note in with_kernels.card.notes) or not packing.half_is_fast()
    monkeypatch.setattr(packing, "half_is_fast", lambda: False)
    monkeypatch.setattr(packing, "reorders", lambda weight: False)
    monkeypatch.setattr(layouts, "reorders", lambda weight: False)
    without = load_pair("embedded", device="cpu", dtype="float32")
    assert any("FBGEMM" in note for note in without.card.notes)
    assert text(without) == text(with_kernels)
