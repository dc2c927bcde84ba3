"""How well a draft follows the target, counted from real speculative runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from specviz.decoding.recorder import LIGHT
from specviz.models.pair import Pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.metrics import summarise
from specviz.trace.records import Verdict
from specviz.training.examination.marks import Share

TOKENS = 64


@dataclass(frozen=True, slots=True)
class Agreement:
    """Drafted tokens of some runs: those the target looked at, and those it kept."""

    accepted: int
    judged: int

    @property
    def alpha(self) -> float | None:
        """The acceptance rate α; None where nothing was judged."""
        return self.accepted / self.judged if self.judged else None


def acceptance(pair: Pair, prompts: Mapping[str, Sequence[str]], settings: Settings) -> dict[str, Agreement]:
    """Run every prompt of every category speculatively, and count."""
    found = {}
    for category, texts in prompts.items():
        figures = [summarise(Run(pair, text, settings, recorder=LIGHT).finish()) for text in texts]
        found[category] = Agreement(sum(f.accepted for f in figures), sum(f.judged for f in figures))
    return found


def first_rejection_on_answer(pair: Pair, missed: Sequence[tuple[str, str]], settings: Settings) -> Share:
    """Of the questions the draft alone gets wrong: how often its first rejected token stands within the answer."""
    hits = 0
    for prompt, answer in missed:
        place = _first_rejection(pair, prompt, settings)
        answer_tokens = len(pair.text.encode(prompt + " " + answer)) - len(pair.text.encode(prompt))
        hits += place is not None and place < answer_tokens
    return Share(hits, len(missed))


def _first_rejection(pair: Pair, prompt: str, settings: Settings) -> int | None:
    """Index among the new tokens of the first drafted token that was refused."""
    for round_ in Run(pair, prompt, settings, recorder=LIGHT):
        for place, drafted in enumerate(round_.drafted):
            if drafted.verdict is Verdict.REJECTED:
                return round_.start + place
    return None
