"""The exact shortcut: one plain run and one pass of the draft over its text give the rounds of every k. Rounds exact, times priced."""

from dataclasses import dataclass, replace

from specviz.decoding.costs import Costs
from specviz.decoding.loop import capacity_for
from specviz.decoding.recorder import LIGHT
from specviz.lab.contestants import Contestant
from specviz.lab.results import REPLANNED, Found, priced
from specviz.lab.rows import MeasuredRow
from specviz.lab.study import Watched
from specviz.models import Pair
from specviz.reporting.prompts import ReadyPrompt
from specviz.runs.prepare import drafter_for, extra_bytes, matches_of
from specviz.runs.replan import PlannedRound, replan
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace import theory


@dataclass(frozen=True, slots=True)
class PlainText:
    """What the rounds of every k follow from.

    Attributes:
        prompt_ids: what the models read.
        matches: for every token of the plain text, whether the draft would have proposed it.
        costs: of the passes, measured, with their conditions.
        pass_s: seconds of a plain round.
    """

    prompt_ids: tuple[int, ...]
    matches: tuple[bool, ...]
    costs: Watched
    pass_s: float


def plain_text(pair: Pair, prompt: str, settings: Settings, costs: Watched, *, template: bool) -> PlainText:
    """Run the target alone, and read its text with the draft.

    Raises:
        ValueError: the rounds of these settings do not follow from the text; see `can_replan`.
    """
    plain = Run(pair, prompt, settings, plain=True, template=template, recorder=LIGHT).finish()
    agreed = matches_of(pair, settings, plain.prompt_ids, plain.token_ids)
    pass_s = plain.rounds[-1].ended_s / len(plain.rounds)
    return PlainText(plain.prompt_ids, agreed, costs, pass_s)


def priced_speedup(rounds: tuple[PlannedRound, ...], costs: Costs) -> float:
    """Tokens over the cost of the rounds, in passes over one token."""
    tokens = sum(round_.tokens for round_ in rounds)
    drafted = [round_.drafted for round_ in rounds]
    return theory.speedup_of_rounds(tokens, drafted, costs.c, lambda n: costs.verify(n - 1))


def replanned(task: int, text: PlainText, pair: Pair, chosen: Contestant, ready: ReadyPrompt) -> Found:
    """The run of these settings, calculated: its rounds are exact, its speedup is priced."""
    settings = chosen.settings
    rounds = replan(text.matches, settings.k, settings.max_new_tokens)
    speedup = priced_speedup(rounds, text.costs.costs)
    row = MeasuredRow(
        drafter=chosen.name,
        title=ready.title,
        category=ready.category,
        tokens=len(text.matches),
        rounds=len(rounds),
        judged=sum(judged(round_) for round_ in rounds),
        accepted=sum(round_.accepted for round_ in rounds),
        c=text.costs.costs.c,
        speedup=priced(speedup),
        speedup_with_prompt=priced(speedup),
        extra_bytes=extra_bytes(
            pair, drafter_for(pair, replace(settings, policy="fixed")), capacity_for(text.prompt_ids, settings)
        ),
        same_text=None,
        conditions=text.costs.conditions,
    )
    return Found(task, REPLANNED, row, speedup, None, "", 0.0, 0.0)


def judged(round_: PlannedRound) -> int:
    """How many drafted tokens were accepted or rejected: up to the first rejection; after an end-of-text token none is judged."""
    return round_.accepted + (round_.closing is not None and round_.accepted < round_.drafted)
