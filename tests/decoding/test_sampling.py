"""Claims about the one warp, about drawing a token, and about the random source."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st

from specviz.decoding.sampling import SeededDraws, gumbel, token_at, warp
from specviz.settings import Settings
from tests.helpers.oracles import oracle_warp

LOGITS = st.lists(st.integers(-64, 64).map(lambda eighths: eighths / 8), min_size=2, max_size=8, unique=True)


@pytest.mark.slow
@tries(max_examples=100, deadline=None)
@given(LOGITS, st.sampled_from([0.0, 0.3, 0.7, 1.0, 1.5]), st.integers(0, 9), st.sampled_from([0.05, 0.5, 0.9, 1.0]))
def test_warp_is_temperature_then_top_k_then_top_p(
    logits: list[float], temperature: float, top_k: int, top_p: float
) -> None:
    """The warp agrees with a second implementation, written from the definitions in plain Python."""
    settings = Settings(temperature=temperature, top_k=top_k, top_p=top_p)
    found = warp(torch.tensor(logits, dtype=torch.float64), settings)
    assert found.tolist() == pytest.approx(oracle_warp(logits, settings), abs=1e-12)


def _sorted_nucleus(probabilities: torch.Tensor, top_p: float) -> torch.Tensor:
    """Top-p by sorting everything, tokens of equal probability by id."""
    ordered, order = probabilities.sort(dim=-1, descending=True, stable=True)
    dropped = ordered.cumsum(dim=-1) - ordered >= top_p
    dropped[..., 0] = False
    kept = ordered.masked_fill(dropped, 0.0)
    return torch.zeros_like(probabilities).scatter_(-1, order, kept / kept.sum(dim=-1, keepdim=True))


@pytest.mark.slow
def test_top_p_of_a_large_vocabulary_equals_a_full_sort() -> None:
    """Bit by bit, on peaked, flat, tied and extreme rows, in one batch and alone, and where scores are not numbers."""
    generator = torch.Generator().manual_seed(1)
    normal = torch.randn(6, 3000, generator=generator, dtype=torch.float64)
    flat, tied, alike = normal[0] * 1e-3, (normal[1] * 2).round(), torch.zeros(3000, dtype=torch.float64)
    certain = torch.full((3000,), -1e4, dtype=torch.float64)
    certain[2000] = 1e4
    pairs = (normal[2] * 3).sort().values.reshape(-1, 2).mean(dim=1).repeat(2)
    lacking = torch.where(normal[3] > 2, normal[3], torch.finfo(torch.float32).min)
    rows = torch.stack([flat, tied, alike, certain, pairs, lacking, normal[4] * 8, normal[5] * 4, normal[5] * 2])
    for dtype in (torch.float32, torch.bfloat16):
        for top_p in (1e-9, 0.5, 0.99, 1 - 1e-7):
            for top_k in (0, 20):
                settings = Settings(temperature=0.8, top_p=top_p, top_k=top_k)
                given_rows = rows.to(dtype)
                expected = _sorted_nucleus(warp(given_rows, Settings(temperature=0.8, top_k=top_k)), top_p)
                assert torch.equal(warp(given_rows, settings), expected)
                for row, alone in zip(given_rows, expected, strict=True):
                    assert torch.equal(warp(row, settings), alone)
    broken = torch.full((1, 3000), torch.nan)
    assert bool(warp(broken, Settings(temperature=0.8, top_p=0.9)).isnan().all())


def test_temperature_zero_is_one_hot() -> None:
    """At temperature 0 the best token has probability 1, the first of equals, and top-k and top-p change nothing."""
    rows = torch.tensor([[0.0, 9.0, 1.0], [4.0, 4.0, -torch.inf], [-900.0, -901.0, -902.0]])
    for settings in (Settings(), Settings(top_k=1, top_p=0.1)):
        assert warp(rows, settings).tolist() == [[0, 1, 0], [1, 0, 0], [1, 0, 0]]


@tries(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from([0.0, 1e-12, 0.1, 0.5, 1.0]), min_size=1, max_size=6).filter(any),
    st.floats(0, 1, exclude_max=True),
)
def test_token_at_inverts_the_running_sum(weights: list[float], uniform: float) -> None:
    """The token drawn is the first whose cumulative sum exceeds the number, and never one of probability 0."""
    total = sum(weights)
    probabilities = torch.tensor(weights, dtype=torch.float64)
    token = int(token_at(probabilities, torch.tensor([uniform], dtype=torch.float64)))
    assert weights[token] > 0
    assert sum(weights[:token]) <= uniform * total + 1e-12
    assert uniform * total <= sum(weights[: token + 1]) + 1e-12


def test_the_ends_of_the_unit_interval() -> None:
    """0 draws the first possible token, the largest number below 1 the last possible one."""
    probabilities = torch.tensor([0.0, 0.5, 0.0, 0.5, 0.0])
    assert token_at(probabilities, torch.tensor([0.0])) == 1
    assert token_at(probabilities, torch.tensor([1 - 2**-53], dtype=torch.float64)) == 3
    assert token_at(probabilities, torch.tensor([1.0])) == 3


def test_seeded_draws_repeat_and_differ() -> None:
    """One seed gives one sequence of fresh numbers in [0, 1); another seed gives another. The number beside a token chose it."""
    first, again, other = SeededDraws(3), SeededDraws(3), SeededDraws(4)
    numbers = torch.cat([first.uniform(3), first.uniform(5)])
    assert torch.equal(numbers, again.uniform(8))
    assert not torch.equal(numbers, other.uniform(8))
    assert len(set(numbers.tolist())) == 8
    assert ((numbers >= 0) & (numbers < 1)).all()
    probabilities = torch.tensor([0.1, 0.0, 0.6, 0.3])
    for drawn in (first.token(probabilities) for _ in range(50)):
        assert drawn.uniform is not None
        assert token_at(probabilities, drawn.uniform.reshape(1)) == drawn.token


NOISY = Settings(temperature=0.7, top_k=4, top_p=0.9, seed=5, shared_noise=True)


@pytest.mark.slow
def test_shared_noise_draws_from_the_warped_distribution() -> None:
    """Over many positions, and over many seeds at one position, the first choice after the noise follows p itself: chi-square."""
    logits = torch.tensor([0.3, -0.2, 1.1, 0.0, 0.9, -3.0], dtype=torch.float64)
    p = warp(logits, Settings(temperature=0.7, top_k=4, top_p=0.9))
    runs = 3000
    over_positions = warp(logits.expand(runs, 6), NOISY, range(runs)).sum(dim=0)
    over_seeds = sum(warp(logits, replace(NOISY, seed=seed), (3,)) for seed in range(400))
    possible = p > 0
    assert 2 <= int(possible.sum()) <= 4
    for counts in (over_positions, over_seeds):
        assert isinstance(counts, torch.Tensor)
        assert counts[~possible].sum() == 0
        expected = p[possible] * counts.sum()
        assert float(((counts[possible] - expected) ** 2 / expected).sum()) < 20


@pytest.mark.slow
def test_shared_noise_of_two_positions_is_independent() -> None:
    """The choice at one position is independent of the choice at the next, and of the choice with the next seed: chi-square."""
    logits, runs = torch.zeros(3, dtype=torch.float64), 3000
    settings = [Settings(temperature=1.0, seed=seed, shared_noise=True) for seed in (1, 2)]
    chosen = [warp(logits.expand(runs, 3), s, range(runs)).argmax(dim=-1) for s in settings]
    for one, other in ((chosen[0][:-1], chosen[0][1:]), (chosen[0], chosen[1])):
        counts = torch.bincount(one * 3 + other, minlength=9).double()
        expected = len(one) / 9
        assert float(((counts - expected) ** 2 / expected).sum()) < 8 + 5 * 4


def test_shared_noise_depends_on_nothing_else() -> None:
    """Seed, position and vocabulary decide: not the order of the calls, the other rows, or earlier draws."""
    cpu = torch.device("cpu")
    first = gumbel(1, 2, 50, cpu).clone()
    gumbel.cache_clear()
    gumbel(1, 3, 50, cpu)
    assert torch.equal(gumbel(1, 2, 50, cpu), first)
    for other in (gumbel(1, 3, 50, cpu), gumbel(2, 2, 50, cpu), gumbel(2**63 - 1, 2, 50, cpu)):
        assert not torch.isclose(other, first).any()
        assert other.isfinite().all()
    rows = torch.randn(3, 6, generator=torch.Generator().manual_seed(0))
    together = warp(rows, NOISY, (4, 9, 4))
    alone = [warp(row, NOISY, (position,)) for row, position in zip(rows, (4, 9, 4), strict=True)]
    assert torch.equal(together, torch.stack(alone).to(together.dtype))
