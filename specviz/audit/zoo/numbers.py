"""Broken random sources: streams that are shared, or that always begin at the same number."""

from dataclasses import replace

from torch import Tensor

from specviz.audit.subject import DecoderParts
from specviz.audit.zoo.rules import closed, rejected_row
from specviz.decoding.judge import Judgement, Rule, judge
from specviz.decoding.protocols import Draft
from specviz.decoding.sampling import CertainDraws, Drawn, Draws, SeededDraws, draws_for
from specviz.settings import Settings


def one_stream(parts: DecoderParts) -> DecoderParts:
    """Every request begins at the start of the same stream, whatever its seed."""

    def draws(settings: Settings) -> Draws:
        return CertainDraws() if settings.certain else SeededDraws(0, parts.target.device)

    return replace(parts, draws=draws)


def number_reused(parts: DecoderParts) -> DecoderParts:
    """The number that drew the rejected token also draws the token in its place: draft and judge share one stream."""
    drawn: list[Tensor] = []
    honest_draws = parts.draws or (lambda settings: draws_for(settings, parts.target.device))
    honest_rule: Rule = parts.rule or judge

    def rule(draft: Draft, target: Tensor, draws: Draws) -> Judgement:
        count, numbers = len(draft.parents), drawn[:]
        judged = honest_rule(draft, target, draws)
        drawn.clear()
        row = rejected_row(draft, judged)
        if row is None or judged.closing_draw is None or len(numbers) < count:
            return judged
        return closed(judged, judged.closing_from, numbers[len(numbers) - count + row])

    return replace(parts, rule=rule, draws=lambda settings: _Remembering(honest_draws(settings), drawn))


class _Remembering:
    """A random source that notes every single number that it gives."""

    def __init__(self, honest: Draws, drawn: list[Tensor]) -> None:
        self._honest, self._drawn = honest, drawn
        drawn.clear()

    def uniform(self, count: int) -> Tensor | None:
        numbers = self._honest.uniform(count)
        if numbers is not None and count == 1:
            self._drawn.append(numbers[0])
        return numbers

    def token(self, probabilities: Tensor) -> Drawn:
        drawn = self._honest.token(probabilities)
        if drawn.uniform is not None:
            self._drawn.append(drawn.uniform)
        return drawn
