"""How well a draft predicts the target, counted in real speculative runs."""

from collections.abc import Mapping, Sequence

from recipes.embedded.marks import Share
from specviz.decoding.recorder import LIGHT
from specviz.models.pair import Pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.metrics import summarise
from specviz.trace.records import Verdict
from specviz.training.examination.positions import Acceptance

TOKENS = 64


def by_category(pair: Pair, prompts: Mapping[str, Sequence[str]], settings: Settings) -> dict[str, Acceptance]:
    """Run every prompt of every category speculatively, and count; returns category -> counts."""
    found = {}
    for category, texts in prompts.items():
        figures = [summarise(Run(pair, text, settings, recorder=LIGHT).finish()) for text in texts]
        found[category] = Acceptance(sum(f.accepted for f in figures), sum(f.judged for f in figures))
    return found


def first_rejection_on_answer(pair: Pair, missed: Sequence[tuple[str, str]], settings: Settings) -> Share:
    """Of the questions that the draft alone answers wrongly: how often its first rejected token is part of the answer.

    Args:
        missed: (prompt, right answer) of each question.
    """
    hits = 0
    for prompt, answer in missed:
        index = _first_rejection(pair, prompt, settings)
        answer_tokens = len(pair.text.encode(prompt + " " + answer)) - len(pair.text.encode(prompt))
        hits += index is not None and index < answer_tokens
    return Share(hits, len(missed))


def _first_rejection(pair: Pair, prompt: str, settings: Settings) -> int | None:
    """Index, among the new tokens, of the first drafted token that was rejected; None if none was."""
    for round_ in Run(pair, prompt, settings, recorder=LIGHT):
        for offset, drafted in enumerate(round_.drafted):
            if drafted.verdict is Verdict.REJECTED:
                return round_.start + offset
    return None
