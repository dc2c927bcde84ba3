"""Claims about the policy "auto": how many tokens a round may draft follows from costs and from rounds that are over, and from nothing else."""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from statistics import mean
from typing import Any

import pytest

from specviz.decoding import loop as engine
from specviz.decoding.costs import Costs
from specviz.decoding.drafters.hybrid import HybridDrafter
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.pace import AdaptivePace, CostEstimate, Pace, RoundCost, pace_for
from specviz.decoding.testing import ScriptedDrafter, TableModel
from specviz.settings import Settings
from tests.helpers.lossless import TinyModels, error_of
from tests.helpers.planting import Plant, caught
from tests.helpers.rounds import rounds_of

DEAR, WIDE = Costs(0.05, (1.0, 1.25, 1.6, 2.1)), Costs(0.05, (1.0, 1.1, 1.2, 1.3))
STEEP = Costs(0.05, (1.0, 1.8, 2.9))  # with these a chain has no guess that the draft is not sure of
FREE = Costs(0.001, (1.0,) * 17)


def fixed_pace(costs: Costs, known: tuple[float, ...], k: int, nodes: int = 0) -> AdaptivePace:
    """A pace that does not look at the clock."""
    return AdaptivePace(CostEstimate(costs, k, nodes, learns=False), known, nodes)


def tables() -> TinyModels:
    return TinyModels(TableModel.random(3, 11, end_ids=(2,)), TableModel.random(3, 12))


CASES: dict[str, tuple[Callable[[], TinyModels], dict[str, Any]]] = {
    "chain": (tables, {}),
    "refused guesses": (tables, {}),
    "tree": (tables, {"nodes": 3, "drafter": "tree"}),
    "a copy, or a draft model": (tables, {"drafter": "suffix-model"}),
    "real models": (lambda: TinyModels.tiny("LlamaForCausalLM"), {}),
}


def check_distribution(case: str) -> None:
    """Over all random draws, a text whose rounds draft none, some or all tokens has the target's own distribution."""
    parts, chosen, seen, copies, refused = CASES[case][0](), CASES[case][1], set[int](), list[bool](), list[bool]()
    dear = {"costs": STEEP} if "refused" in case else {}

    class Noted(AdaptivePace):
        def allow(self, limit: int, copied: Sequence[float] = ()) -> int:
            seen.add(allowed := super().allow(limit, copied))
            copies.append(bool(copied))
            return allowed

        def note(self, round_cost: RoundCost) -> None:
            refused.append(self._allowed > 0 and not round_cost.drafted)
            super().note(round_cost)

    for warp, known in (
        ({"temperature": 0.7, "top_k": 2}, (0.6, 0.95)),
        ({"temperature": 1.5, "top_p": 0.55}, (0.4, 0.9)),
    ):
        settings = Settings(k=2, policy="auto", max_new_tokens=3 if "tree" in case else 4, **chosen, **warp)  # type: ignore[arg-type]
        nodes, costs = (3, WIDE) if "tree" in case else (0, DEAR)
        found = error_of(
            parts.target,
            lambda: parts.drafter(settings, **dear),  # noqa: B023
            (1, 0) if "copy" in case else (1,),
            settings,
            pace=lambda: Noted(CostEstimate(costs, 2, nodes, learns=False), known, nodes),  # noqa: B023
        )
        assert found < 1e-10
    assert {0, 2} <= seen, "the pace switched in some branch"
    assert {*refused} == ({True, False} if "refused" in case else {False})
    assert set(copies) == ({True, False} if "copy" in case else {False})


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_the_distribution_is_kept(case: str) -> None:
    """Enumerated to 1e-10 for chain and trees, with temperature, top-k and top-p. In rounds without a draft a real draft model reads nothing, and
    its cache catches up in the next one."""
    check_distribution(case)


def test_where_a_draft_never_pays_nothing_is_drafted() -> None:
    """Where a draft can never pay, rounds without a draft are most rounds, and each says so. Costs alone decide at first; now and then a short
    draft is tried again, less and less often."""
    model = TableModel(3, lambda history: [2.0, 1.0, 0.0])
    settings = Settings(k=3, policy="auto", max_new_tokens=30)
    rounds = rounds_of(
        model, ScriptedDrafter(3, lambda committed: [1, 1, 1]), (0,), settings, pace=fixed_pace(Costs(2.0), (0.9,), 3)
    )
    assert [round_.allowed for round_ in rounds[:4]] == [0, 0, 0, 0]
    assert not any(round_.drafted for round_ in rounds if round_.allowed == 0)
    assert sum(round_.allowed == 0 for round_ in rounds) > 24


def test_tries_lose_little_where_guesses_are_dear() -> None:
    """As on a GPU, where a guess of a small model takes as long as a pass, or longer than was measured: tries lose about 2% of a run."""
    for c, real in ((0.3, 1), (1.0, 2), (4.0, 1)):
        costs, lost, tries = Costs(c), 0.0, 0
        pace = AdaptivePace(CostEstimate(costs, 4), (0.3, 0.3))
        for number in range(1, 1500):
            allowed = pace.allow(4)
            spent, verify = real * c * allowed, costs.verify(allowed)
            pace.note(RoundCost(allowed, 0, spent, verify))
            tries += allowed > 0
            lost += spent + verify - 1
            assert lost <= 0.02 * number + real * c + 1, "the last one may have been dearer than it promised"
        assert tries


@pytest.mark.parametrize("learns", [True, False])
def test_a_dear_drafter_whose_guesses_are_refused_is_soon_asked_no_more(learns: bool) -> None:
    """Of a copy of the target that is never sure, the policy admits no guess, and yet each is paid for; a copy from the text costs nothing and is
    asked in every round, however seldom there is something to copy."""
    lost = {}
    for c in (0.7, 0.001):
        pace = AdaptivePace(CostEstimate(Costs(c, (1.0, 1.05, 1.2, 1.4)), 3, learns=learns), (0.93,) * 3)
        asked = 0
        for _ in range(200):
            allowed = pace.allow(3)
            pace.note(RoundCost(0, 0, 0.02 + (c if allowed else 0.0), 1.0))
            asked += allowed > 0
        lost[c] = asked
    assert lost[0.7] < 20
    assert lost[0.001] > 190


def gained(rate: float, c: float, paused: int, pause: float) -> float:
    """The speedup of simulated texts in which other programs take the processor in one round without a draft, for so many passes."""
    found = []
    for seed in range(12):
        draw, costs, tokens, spent, plain = Random(seed), Costs(c), 0, 0.0, 0  # noqa: S311  # a simulated text
        pace = AdaptivePace(CostEstimate(costs, 5), (rate,) * 5)
        while tokens < 200:
            allowed = pace.allow(5)
            right = next((n for n in range(allowed) if draw.random() > rate), allowed)
            besides, verify = c * allowed + 0.02, costs.verify(allowed)
            spent, tokens = spent + besides + verify, tokens + right + 1
            besides += pause if allowed == 0 and plain == paused else 0.0
            plain += allowed == 0
            pace.note(RoundCost(allowed, right, besides, verify))
        found.append(1.02 * tokens / spent)
    return mean(found)


def test_a_pause_in_a_round_without_a_draft_makes_no_guess_look_free() -> None:
    """Other programs may take the processor in any round, the first one without a draft too. What a run gains stays about the same."""
    for case in ((0.3, 0.4, 0), (0.55, 0.35, 1), (0.9, 0.1, 5)):
        assert gained(*case, 2.0) > 0.93 * gained(*case, 0.0), case


def test_a_draft_that_is_wrong_is_switched_off() -> None:
    """A draft that is always wrong is switched off, tried again after 4, 8, 16 rounds, and one that is right again is switched on."""
    pace = fixed_pace(DEAR, (0.6, 0.6, 0.6), 3)
    allowed = []
    for _ in range(60):
        allowed.append(pace.allow(3))
        pace.note(RoundCost(allowed[-1], 0, 0.0, 1.0))
    assert allowed[0] > 0
    off = allowed.index(0)
    assert off < 12
    assert 0 < sum(count > 0 for count in allowed[off:]) <= 4
    for _ in range(200):
        allowed.append(pace.allow(3))
        pace.note(RoundCost(allowed[-1], allowed[-1], 0.0, 1.0))
    assert allowed[-1] >= 2


def test_a_step_in_the_cost_bounds_the_draft() -> None:
    """Where the seventh row of a pass begins another block of a kernel, six rows are used, unless guesses are nearly always right."""
    step = Costs(0.01, (1.0, 1.02, 1.04, 1.06, 1.08, 1.1, 1.3, 1.32, 1.34))
    assert fixed_pace(step, (0.8,), 8).allow(8) == 5
    assert fixed_pace(step, (0.99,), 8).allow(8) == 8
    assert fixed_pace(step, (0.0,), 8).allow(8) == 0
    assert fixed_pace(FREE, (0.5,), 8).allow(8) == 8
    assert fixed_pace(FREE, (0.5,), 8).allow(0) == 0


def test_a_copy_is_as_long_as_it_pays_and_teaches_nothing_about_guesses() -> None:
    """Its own probabilities decide, whatever guesses were worth in the rounds before, and the other way round."""
    pace = fixed_pace(DEAR, (0.3, 0.3, 0.3), 3)
    assert pace.allow(3) == 0
    assert pace.allow(3, (0.99, 0.98, 0.97)) == 3
    pace.note(RoundCost(3, 3, 0.0, 2.1))
    assert pace.allow(3, (0.6, 0.2, 0.1)) == 1
    pace.note(RoundCost(1, 1, 0.0, 1.25))
    assert pace.allow(3, (0.1,)) == 0
    assert pace.rates(3) == fixed_pace(DEAR, (0.3, 0.3, 0.3), 3).rates(3)


def test_costs_are_learned_from_the_rounds() -> None:
    """A pass that turns out to cost twice as much ends drafting, whatever was measured before; a single pause of the machine does not."""
    pace = AdaptivePace(CostEstimate(Costs(0.05, (1.0, 1.1, 1.2)), 2), (0.5,))
    for _ in range(3):
        pace.allow(0)
        pace.note(RoundCost(0, 0, 0.0, 0.010))
    assert pace.allow(2) > 0
    pace.note(RoundCost(2, 1, 0.001, 3.0))
    assert pace.allow(2) > 0
    for _ in range(40):
        count = pace.allow(2)
        pace.note(RoundCost(count, min(count, 1), 0.001 * count, 0.010 if count == 0 else 0.025))
    assert pace.allow(2) == 0


def test_only_auto_has_a_pace_of_its_own() -> None:
    """For all other policies the limit is passed on, and rounds say nothing of it; plain rounds neither."""
    assert type(pace_for(Settings())) is Pace
    assert isinstance(pace_for(Settings(policy="auto")), AdaptivePace)
    model = TableModel.random(4, 1)
    for policy in ("fixed", "confidence", "cost"):
        rounds = rounds_of(
            model, ModelDrafter(TableModel.random(4, 2)), (0,), Settings(policy=policy, max_new_tokens=8)
        )
        assert {round_.allowed for round_ in rounds} == {None}


CHAIN, COPY = (partial(check_distribution, case) for case in ("chain", "a copy, or a draft model"))


PLANTED = [
    Plant(
        "the pace looks at the token that it is about to admit", CHAIN, engine.Decoding, "_round",
        "draft = drafter.propose(self.committed, settings, self.draws, limit)",
        "draft = drafter.propose(self.committed, settings, self.draws, limit); "
        "n = len(draft.parents); n -= n > 0 and float(draft.probabilities[n - 1, draft.tokens[n - 1]]) < 0.5; "
        "draft = type(draft)(draft.tokens[:n], draft.parents[:n], draft.probabilities[:n])",
    ),
    Plant("an unlikely guess is replaced by a copy", COPY, HybridDrafter, "propose", "if reached:", "if reached or (draft.parents and float(draft.probabilities[0, draft.tokens[0]]) < 0.5):"),
    Plant("a round that may draft nothing drafts all the same", test_where_a_draft_never_pays_nothing_is_drafted, engine.Decoding, "_round", "limit = self.pace.allow(", "limit = remaining or self.pace.allow("),
    Plant("rounds are never reported", test_a_draft_that_is_wrong_is_switched_off, AdaptivePace, "note", "if not round_cost.drafted:", "if True:"),
]  # fmt: skip


test_planted_bugs_are_seen = caught(
    PLANTED,
    "The check that a test makes without the bug fails once it is planted.",
    errors=(AssertionError, ValueError),
)
