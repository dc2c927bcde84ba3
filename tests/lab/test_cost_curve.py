"""The cost curve shows the time of the passes, on a fake clock that each pass advances by a known price."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from specviz.decoding.protocols import Scores
from specviz.models import Pair, timing
from specviz.reporting.cost_curve import LENGTHS, cost_curve


@contextmanager
def priced(pair: Pair, patch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, int, int]]]:
    """Sets a clock on which a target pass over n tokens takes 8 + n seconds and a draft pass 3; yields every timed pass."""
    now = [0.0]
    read: list[tuple[str, int, int]] = []

    def pricing(name: str, model: Any, price: Any) -> None:
        forward = model.forward

        def paid(tokens: Any, parents: Any = None, rows: Any = None) -> Scores:
            scores: Scores = forward(tokens, parents, rows)
            now[0] += price(len(tokens))
            if rows is None:
                read.append((name, len(tokens), model.length))
            return scores

        patch.setattr(model, "forward", paid)

    pricing("target", pair.target, lambda n: 8.0 + n)
    pricing("draft", pair.draft, lambda n: 3.0)
    patch.setattr(timing, "perf_counter", lambda: now[0])
    yield read


def test_the_curve_is_that_of_the_passes(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """v(n) is a pass over n tokens / a pass over one, c is a draft pass / a target pass, and equal times have no spread."""
    with priced(pair, monkeypatch) as read:
        found = cost_curve(pair.target, pair.require_draft(), cached=40, in_a_row=3, sweeps=2)
    assert list(found.v) == list(LENGTHS)
    for n, cost in found.v.items():
        assert cost.median == cost.low == cost.high == pytest.approx((8 + n) / 9)
    assert found.c.median == pytest.approx(3 / 9)
    assert found.pass_s.median == pytest.approx(9)
    assert found.cache_length == 40
    assert {length - n for name, n, length in read if name == "target"} == {40}
    assert {length for name, _, length in read if name == "draft"} == {41, 42, 43}


def test_passes_never_leave_the_context(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a long cache fewer tokens are in it, so that the longest pass fits; without a draft there is no c."""
    with priced(pair, monkeypatch) as read:
        found = cost_curve(pair.target, pair.draft, cached=10_000, sweeps=1)
        assert found.cache_length == 256 - LENGTHS[-1]
        alone = cost_curve(pair.target, lengths=(2, 6, 999), sweeps=1)
    assert (list(alone.v), alone.drafting) == ([2, 6], None)
    assert alone.pass_s.median == pytest.approx(9)
    assert max(length for _, _, length in read) <= 256
