"""Expected results computed without the engine: warping, distributions over texts and greedy texts from their definitions."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

import torch

from specviz.decoding.sampling import gumbel
from specviz.models import CachedModel
from specviz.settings import Settings
from tests.helpers.tiny_models import fresh_logits


def oracle_warp(logits: Sequence[float], settings: Settings) -> list[float]:
    """Temperature, top-k and top-p in plain Python, from their definitions."""
    order = sorted(range(len(logits)), key=lambda token: -logits[token])
    if settings.temperature == 0:
        return [float(token == order[0]) for token in range(len(logits))]
    if settings.top_k:
        order = order[: settings.top_k]
    weights = {token: math.exp((logits[token] - logits[order[0]]) / settings.temperature) for token in order}
    total, reached, kept = sum(weights.values()), 0.0, {}
    for token in order:
        if reached / total < settings.top_p:
            kept[token] = weights[token]
        reached += weights[token]
    return [kept.get(token, 0.0) / sum(kept.values()) for token in range(len(logits))]


def oracle_texts(
    logits: Callable[[tuple[int, ...]], Sequence[float]],
    prompt: Sequence[int],
    settings: Settings,
    end_ids: frozenset[int] = frozenset(),
) -> dict[tuple[int, ...], float]:
    """The probability of every text that the target alone can write, by the chain rule of probability."""
    texts: dict[tuple[int, ...], float] = {(): 1.0}
    for _ in range(settings.max_new_tokens):
        longer: dict[tuple[int, ...], float] = {}
        for text, weight in texts.items():
            if text and text[-1] in end_ids:
                longer[text] = weight
                continue
            for token, share in enumerate(oracle_warp(logits((*prompt, *text)), settings)):
                if share > 0:
                    longer[*text, token] = weight * share
        texts = longer
    return texts


def largest_error(found: dict[tuple[int, ...], float], wanted: dict[tuple[int, ...], float]) -> float:
    """The largest difference between two distributions over texts."""
    return max(abs(found.get(text, 0.0) - wanted.get(text, 0.0)) for text in found.keys() | wanted.keys())


def chi_square(counts: Counter[tuple[int, ...]], wanted: dict[tuple[int, ...], float]) -> tuple[float, int]:
    """The statistic and its degrees of freedom; texts that are expected fewer than five times share one cell."""
    runs = sum(counts.values())
    cells = [(counts[text], share * runs) for text, share in wanted.items() if share * runs >= 5]
    rest = (runs - sum(seen for seen, _ in cells), runs - sum(expected for _, expected in cells))
    cells += [rest] if rest[1] >= 5 else []
    return sum((seen - expected) ** 2 / expected for seen, expected in cells), len(cells) - 1


@cache
def plain_text(
    model: CachedModel, prompt: tuple[int, ...], tokens: int, temperature: float = 0.0, seed: int = 0
) -> tuple[int, ...]:
    """What the model alone writes, from fresh passes without engine, cache or warp: greedy, or with shared noise at a temperature."""
    ids = list(prompt)
    for position in range(tokens):
        scores = fresh_logits(model, ids)[-1].double()
        if temperature:
            scores = scores / temperature + gumbel(seed, position, model.vocabulary, torch.device("cpu"))
        ids.append(int(scores.argmax()))
        if ids[-1] in model.end_ids:
            break
    return tuple(ids[len(prompt) :])


def tokens_per_pass(alpha: float, k: int) -> float:
    """Expected number of tokens that one pass of the target adds: (1 - alpha^(k+1)) / (1 - alpha)."""
    return float(sum(alpha**i for i in range(k + 1)))


def speedup(alpha: float, k: int, c: float, v: float = 1.0) -> float:
    """Expected speedup over plain decoding: tokens per pass / (kc + v); with v = 1 it is the paper's theorem 3.8."""
    return tokens_per_pass(alpha, k) / (k * c + v)
