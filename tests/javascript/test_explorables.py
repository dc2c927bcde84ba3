"""The explorables' pure parts: the rule in the reader's hands is the engine's own rule, and their figures are those of the papers."""

import random
from typing import Any

import pytest
import torch
from torch import Tensor

from specviz.decoding.constants import DELTA, EPSILON
from specviz.decoding.judge.chain import judge_chain
from specviz.decoding.judge.lossy import typical
from specviz.decoding.judge.tree import judge_tree
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import Drawn, softened, token_at
from specviz.trace import theory
from tests.helpers.node import Node

pytestmark = pytest.mark.slow

MODULES = (
    "lessons/audit/audit_run",
    "lessons/common/theory",
    "lessons/pays/pays_text",
    "lessons/rule/acceptance",
    "lessons/rule/distributions",
    "lessons/rule/rule_text",
    "lessons/rule/sampling",
    "lessons/rule/statistics",
)


class Scripted:
    """A random source that returns one given u, and remembers nothing else."""

    def __init__(self, u: float) -> None:
        self._u = u

    def uniform(self, count: int) -> Tensor:
        return torch.full((count,), self._u, dtype=torch.float64)

    def token(self, probabilities: Tensor) -> Drawn:
        return Drawn(probabilities.argmax(), None)


def _source(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311  # nothing here is secret


def _pairs(count: int, seed: int = 1) -> list[tuple[list[float], list[float]]]:
    """Random p and q over two to eight tokens; now and then equal, disjoint, one-hot, or with zeros."""
    source = _source(seed)

    def one(size: int) -> list[float]:
        weights = [source.random() ** source.choice((1, 4)) * (source.random() > 0.15) for _ in range(size)]
        weights = weights if sum(weights) > 0 else [1.0, *[0.0] * (size - 1)]
        return [weight / sum(weights) for weight in weights]

    found = []
    for _ in range(count):
        size = source.randint(2, 8)
        p, q = one(size), one(size)
        found.append((p, p) if source.random() < 0.02 else (p, q))
    return found


def _engine(p: list[float], q: list[float], token: int, u: float, *, lossy: bool = False) -> tuple[bool, Tensor]:
    """The engine's verdict on one drafted token, and what it draws from after a rejection."""
    draft = Draft(torch.tensor([token]), (-1,), torch.tensor([q], dtype=torch.float64))
    target = torch.tensor([p, p], dtype=torch.float64)
    source = Scripted(u)
    judgement = judge_tree(draft, target, source, typical()) if lossy else judge_chain(draft, target, source)
    return bool(judgement.accepted[0]), judgement.closing_from


def test_the_rule_in_the_readers_hands_is_the_engines(js: Node) -> None:
    """For 1,000 random p and q: just below the acceptance probability the engine accepts, just above it it rejects, and its residual
    is the same to 1e-9."""
    pairs = _pairs(1000)
    found = js.call("(pairs) => pairs.map(([p, q]) => procedureOf('exact', p, q))", pairs)
    for (p, q), procedure in zip(pairs, found, strict=True):
        token = max(range(len(q)), key=lambda i: q[i] * (0.5 + (p[i] < q[i])))
        bound = procedure["accept"][token]
        assert bound == pytest.approx(min(1.0, p[token] / q[token]), abs=1e-9)
        assert bound < 1e-9 or _engine(p, q, token, bound - 1e-9)[0]
        accepted, after = _engine(p, q, token, min(bound + 1e-9, 2.0) if bound < 1 else 1e9)
        assert not accepted
        assert procedure["after"] == pytest.approx(after.tolist(), abs=1e-9)
        assert procedure["drawn"] == q


def test_the_rule_that_accepts_what_is_likely_is_the_engines_typical_rule(js: Node) -> None:
    """The same verdict on every token of 200 random p and q, the same constants, and p after a rejection."""
    assert js.call("() => TYPICAL_BAR") == {"epsilon": EPSILON, "delta": DELTA}
    pairs = _pairs(200, seed=2)
    found = js.call("(pairs) => pairs.map(([p, q]) => procedureOf('likely', p, q))", pairs)
    for (p, q), procedure in zip(pairs, found, strict=True):
        for token in range(len(p)):
            accepted, after = _engine(p, q, token, 0.5, lossy=True)
            assert procedure["accept"][token] == accepted
            assert accepted or procedure["after"] == pytest.approx(after.tolist(), abs=1e-9)


def test_the_exact_rule_gives_p_and_the_wrong_ones_miss_it(js: Node) -> None:
    """What comes out in the long run is p to 1e-12 by the exact rule. By each wrong rule it is a distribution, and another one
    wherever p and q differ; with q at its own temperature the last of them is exact."""
    script = """(pairs) => pairs.map(([p, q]) => RULE_NAMES.map((name) => longRunOf(procedureOf(name, p, q, 0.5))))"""
    pairs = _pairs(300, seed=3)
    missed = [0, 0, 0, 0]
    for (p, _), rules in zip(pairs, js.call(script, pairs), strict=True):
        for index, emitted in enumerate(rules):
            assert sum(emitted) == pytest.approx(1, abs=1e-12)
            missed[index] += max(abs(a - b) for a, b in zip(emitted, p, strict=True)) > 1e-9
        assert rules[0] == pytest.approx(p, abs=1e-12)
    assert missed[0] == 0
    assert all(count > 200 for count in missed[1:]), missed
    p, q = pairs[0]
    assert js.call("(p, q) => longRunOf(procedureOf('other-q', p, q, 1))", p, q) == pytest.approx(p, abs=1e-12)
    marks = js.call("() => [0, 1e-12, 0.01].map((distance) => faithful(distance).mark)")
    assert marks == ["✓ gives p", "✓ gives p", "✕ misses p"]
    same = js.call("(p) => acceptsWords({ p, q: p })", [0.5, 0.3, 0.2])
    assert same == "Accepted: Σ min(p, q) = 1.00; only if the target draws the same: Σ p·q = 0.38."


def test_a_temperature_is_the_engines(js: Node) -> None:
    """q at another temperature is what the engine's warp gives for the logits log q."""
    for p, _ in _pairs(50, seed=4):
        for temperature in (0.3, 0.5, 2.0):
            warped = softened(torch.tensor(p, dtype=torch.float64).log(), temperature)
            found = js.call("(q, t) => atTemperature(q, t)", p, temperature)
            assert found == pytest.approx(warped.tolist(), abs=1e-9)


def test_a_number_chooses_the_engines_token(js: Node) -> None:
    """The same token for the same uniform number, at the ends and at every border of the cumulative sums."""
    for p, _ in _pairs(100, seed=5):
        numbers = [0.0, 1 - 2**-32, *(_source(6).random() for _ in range(5))]
        expected = [
            int(token_at(torch.tensor(p, dtype=torch.float64), torch.tensor([u], dtype=torch.float64))) for u in numbers
        ]
        assert js.call("(p, numbers) => numbers.map((u) => tokenAt(p, u))", p, numbers) == expected
    assert js.call("() => [0, 0.4999, 0.5, 0.75].map((u) => tokenAt([0, 0.5, 0, 0.25, 0.25, 0], u))") == [1, 1, 3, 4]


def test_a_dragged_bar_leaves_a_distribution(js: Node) -> None:
    """The bar has the value asked for, the sum stays 1, and the others keep their proportions, also from one-hot and back."""
    script = "(values, index, value) => withShare(values, index, value)"
    source = _source(7)
    for p, _ in _pairs(100, seed=8):
        index, value = source.randrange(len(p)), source.choice((0.0, 1.0, source.random()))
        found = js.call(script, p, index, value)
        assert found[index] == value
        assert sum(found) == pytest.approx(1, abs=1e-12)
        rest, others = 1 - p[index], [(i, share) for i, share in enumerate(p) if i != index]
        if rest > 1e-12:
            assert [found[i] for i, _ in others] == pytest.approx([s / rest * (1 - value) for _, s in others], abs=1e-9)
    assert js.call(script, [0, 1, 0], 1, 0.4) == pytest.approx([0.3, 0.4, 0.3])
    assert js.call(script, [0.2, 0.8], 0, -3) == [0, 1]


def test_an_audit_accuses_no_honest_rule(js: Node) -> None:
    """Over 100 seeds the exact rule is accused about as often as the limit promises, one time in a hundred; a wrong rule nearly always,
    once there are clearly more tokens than its bias needs."""
    script = """(pairing) => {
        const accused = RULE_NAMES.map(() => 0);
        for (let seed = 0; seed < 100; seed += 1) {
            const run = new AuditRun(pairing, 0.5, 100 * seed);
            run.advance(3000);
            RULE_NAMES.forEach((name, i) => { accused[i] += run.findingOf(name, 3000).noticed; });
        }
        const run = new AuditRun(pairing, 0.5, 0);
        return [accused, RULE_NAMES.map((name) => run.biasOf(name).needs)];
    }"""
    pairing = {
        "tokens": list("abcdef"),
        "p": [0.42, 0.22, 0.16, 0.1, 0.06, 0.04],
        "q": [0.2, 0.35, 0.1, 0.2, 0.1, 0.05],
    }
    accused, needs = js.call(script, pairing)
    assert accused[0] <= 5
    assert needs[0] is None
    assert min(accused[1:]) > 95
    assert max(needs[1:]) < 1500


def test_the_formula_is_the_engines(js: Node) -> None:
    """Tokens per pass and speedup equal those of specviz.trace.theory on 1,000 random letters, at the ends of alpha too."""
    source = _source(9)
    asked: list[dict[str, Any]] = [
        {
            "alpha": source.choice((0.0, 1.0, source.random(), source.random(), source.random())),
            "k": source.randint(1, 16),
            "c": source.random(),
            "v": 1 + 3 * source.random(),
        }
        for _ in range(1000)
    ]
    found = js.call("(asked) => asked.map((at) => [tokensPerPass(at.alpha, at.k), expectedSpeedup(at)])", asked)
    for at, (tokens, speedup) in zip(asked, found, strict=True):
        assert tokens == pytest.approx(theory.tokens_per_pass(at["alpha"], at["k"]), abs=1e-12)
        assert speedup == pytest.approx(theory.speedup(**at), abs=1e-12)
    assert js.call("() => expectedSpeedup({ alpha: 0.5, c: 0.1, v: 2, k: 0 })") == 1


def test_the_best_length_is_the_best(js: Node) -> None:
    """No other length is faster; where nothing pays it is 0, and with a free and perfect draft the longest."""
    source = _source(10)
    for _ in range(200):
        at = {"alpha": source.random(), "c": source.random(), "v": 1 + source.random()}
        best = js.call("(at) => bestLength(at)", at)
        speeds = [1.0, *(theory.speedup(k=k, **at) for k in range(1, 17))]
        assert speeds[best] == pytest.approx(max(speeds), abs=1e-9)
    assert js.call("() => bestLength({ alpha: 0.2, c: 0.5, v: 1 })") == 0
    assert js.call("() => bestLength({ alpha: 1, c: 0, v: 1 })") == 16
    words = js.call("() => [0.83, 1.001, 1.2].map((speed) => timesWords(speed).words)")
    assert words == ["slower than plain decoding", "as fast as plain decoding", "as fast as plain decoding"]
