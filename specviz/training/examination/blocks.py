"""What the options of block heads are worth, in figures: the order of a block's slots, DSpark's scheduler and its Markov bias.

All texts are greedy. "Tokens a pass" are the tokens that join the text by one pass of the target. What is called priced is not timed: the
rounds are real, and each is paid for by measured costs of its passes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from torch import nn

from specviz.decoding.costs import Costs
from specviz.decoding.drafters.dflash import DFlashDrafter
from specviz.decoding.drafters.dspark import DSparkDrafter
from specviz.decoding.drafters.dspark_tree import DSparkTreeDrafter
from specviz.decoding.protocols import Draft, Drafter, Reading
from specviz.decoding.recorder import LIGHT
from specviz.decoding.sampling import Draws
from specviz.errors import TrainingError
from specviz.models.heads import folder
from specviz.models.heads.block import BlockHead, BlockOptions
from specviz.models.heads.folder import BoundHead
from specviz.models.pair import Pair
from specviz.runs.first_guesses import use_anyway
from specviz.runs.measuring import measure
from specviz.runs.prepare import costs_of
from specviz.runs.run import Run
from specviz.settings import MAX_DRAFT_LENGTH, Settings
from specviz.trace.measured import Kind, Point
from specviz.trace.records import Trace
from specviz.training.examination.positions import by_position, tokens_per_round

NODES = (8, 12, 16)
GUESTS = (1, 4, 16, 64)
"""How many texts share a pass of the target, where prices for so many could be measured."""
NATS = 5.0
_MEASURED_S = 40.0


@dataclass(frozen=True, slots=True)
class Heads:
    """The folders of the heads; None for those that are not compared.

    Attributes:
        causal, bidirectional: two heads trained alike but for the option `causal`.
        dspark: a head with Markov bias and confidence.
        unlinked: one trained like it without the bias (`markov_rank` 0).
    """

    causal: Path | None = None
    bidirectional: Path | None = None
    dspark: Path | None = None
    unlinked: Path | None = None


@dataclass(frozen=True, slots=True)
class Texts:
    """Writes texts with a drafter.

    Attributes:
        prompts: what is continued.
        template: whether prompts go into the chat template.
        tokens: new tokens of a text.
        report: callback with what is next.
    """

    pair: Pair
    prompts: Sequence[str]
    template: bool
    tokens: int
    report: Callable[[str], object] = lambda what: None

    def write(self, what: str, drafter: Drafter, **settings: Any) -> list[Trace]:
        """One text for every prompt."""
        asked = Settings(drafter=drafter.name, temperature=0.0, max_new_tokens=self.tokens, **settings)
        found = []
        for prompt in self.prompts:
            self.report(what)
            run = Run(self.pair, prompt, asked, template=self.template, recorder=LIGHT, drafter=drafter)
            found.append(run.finish())
        return found


def figures(texts: Texts, heads: Heads) -> dict[str, Any]:
    """Everything that these heads allow to be compared; plain values that can be written as JSON.

    Raises:
        PairError: a head does not belong to the target.
        TrainingError: a head is of another kind.
    """
    found: dict[str, Any] = {
        "target": texts.pair.card.target.name,
        "device": texts.pair.card.device,
        "dtype": texts.pair.card.dtype,
        "prompts": len(texts.prompts),
        "tokens": texts.tokens,
    }
    order = {"causal": heads.causal, "bidirectional": heads.bidirectional}
    blocks = {name: faithful(texts, _head(texts.pair, path, name)) for name, path in order.items() if path is not None}
    if blocks:
        found["order"] = blocks
    if heads.dspark is not None:
        head = _head(texts.pair, heads.dspark, "dspark")
        off = _head(texts.pair, heads.dspark, "dspark")
        unlink(off.network)
        calibration = _options(head).calibration
        found["calibration"] = None if calibration is None else calibration["error"]
        linked = texts.write("with the Markov bias", DSparkDrafter(head), k=_slots(head))
        found["markov"] = {"on": _chain(linked), "off": _chain(_fixed(texts, off, "without the Markov bias"))}
        if heads.unlinked is not None:
            without = _head(texts.pair, heads.unlinked, "unlinked")
            found["markov"]["trained without"] = _chain(_fixed(texts, without, "trained without the Markov bias"))
        found["tree"] = {
            str(nodes): {
                name: tokens_a_pass(
                    texts.write(f"trees of {nodes}", DSparkTreeDrafter(each), k=_slots(each), nodes=nodes)
                )
                for name, each in (("conditioned on the parent", head), ("marginals", off))
            }
            for nodes in NODES
        }
        found["scheduler"] = _scheduler(texts, head, linked)
    return found


def unlink(network: nn.Module) -> None:
    """Set the Markov bias of a head to zero: its slots' distributions no longer depend on the token before them."""
    assert isinstance(network, BlockHead), "checked when it was loaded"
    if network.markov_lm_head is None:
        raise TrainingError(
            "The head that was given as --dspark has no Markov bias: give one that was trained with it."
        )
    network.markov_lm_head.weight.data = torch.zeros_like(network.markov_lm_head.weight)


class WatchedChain(DFlashDrafter):
    """Drafts the head's own likeliest chain, and notes how well the target likes it.

    Attributes:
        gaps: for every chain those of `gaps_of`, after the chain's own tokens, whether they were accepted or not.
    """

    def __init__(self, head: BoundHead) -> None:
        super().__init__(head)
        self.gaps: list[list[float]] = []
        self._drafts = False

    def begin(self, prompt: Sequence[int], capacity: int) -> None:
        super().begin(prompt, capacity)
        self._drafts = False

    def propose(self, committed: Sequence[int], settings: Settings, draws: Draws, limit: int) -> Draft:
        draft = super().propose(committed, settings, draws, limit)
        self._drafts = True
        return draft

    def saw(self, reading: Reading) -> None:
        super().saw(reading)
        if self._drafts and len(reading.tokens) > 1:
            self.gaps.append(gaps_of(reading))


def gaps_of(reading: Reading) -> list[float]:
    """By how many nats the target finds each drafted token of a chain less likely than the likeliest one after the same tokens."""
    logits = reading.scores.logits[:-1].float()
    own = logits.gather(-1, reading.tokens[1:, None])[:, 0]
    found: list[float] = (logits.amax(dim=-1) - own).tolist()
    return found


def faithful(texts: Texts, head: BoundHead) -> dict[str, Any]:
    """How far a head's likeliest chain stays likely for the target, and what it yields."""
    slots = _slots(head)
    chain = WatchedChain(head)
    traces = texts.write("chains", chain, k=slots)
    full = [gaps for gaps in chain.gaps if len(gaps) == slots]
    return {
        **_chain(traces),
        "within_5_nats": fmean(sum(gaps) <= NATS for gaps in full) if full else None,
        "agreement_after_own": [fmean(gaps[slot] == 0 for gaps in full) for slot in range(slots)] if full else [],
        "chains": len(full),
    }


def tokens_a_pass(traces: Sequence[Trace]) -> float:
    """Tokens that join the text by one pass of the target."""
    return sum(len(trace.token_ids) for trace in traces) / max(1, sum(len(trace.rounds) for trace in traces))


def guest_costs(points: Sequence[Point], guests: int, own: Costs, rows: int, longest: int) -> Costs | None:
    """What passes cost when so many texts share each of them, in passes over one token of each; None where it was not measured.

    v is interpolated between the measured lengths. The draft pass is priced: it grows with the texts as the target's pass over as many rows
    as its block has does.

    Args:
        points: measured passes.
        own: the costs for a single text.
        rows: of a block.
        longest: the longest draft.
    """
    alone, shared = ({point.tokens: point.pass_s for point in points if point.guests == count} for count in (1, guests))
    if any(1 not in each or max(each) < max(rows, longest + 1) for each in (alone, shared)):
        return None
    growth = _between(shared, rows) / _between(alone, rows)
    c = own.c * alone[1] * growth / shared[1]
    return Costs(c, tuple(_between(shared, n + 1) / shared[1] for n in range(longest + 1)))


def priced(traces: Sequence[Trace], costs: Costs) -> float:
    """The speedup by price: tokens by cost, where plain decoding has one token for one pass. Every round pays for a draft pass and for a
    pass over what was verified."""
    spent = sum(costs.c + costs.verify(len(round_.drafted)) for trace in traces for round_ in trace.rounds)
    return sum(len(trace.token_ids) for trace in traces) / max(spent, 1e-9)


def _scheduler(texts: Texts, head: BoundHead, full: Sequence[Trace]) -> dict[str, Any]:
    """The scheduler on and off, for one text and for many that share the target's passes."""
    pair, slots = texts.pair, _slots(head)
    pair.heads["dspark"] = head
    own = costs_of(pair, "dspark")
    texts.report("what passes over several texts cost")
    found = measure(pair, Kind.BATCH_COST, limit_s=_MEASURED_S)
    points = () if found is None else found.points
    rates = [position.alpha for position in by_position(full, slots)]
    rows = []
    for guests in GUESTS:
        costs = own if guests == 1 else guest_costs(points, guests, own, _options(head).inputs, slots)
        if costs is None:
            continue
        chosen = texts.write(f"scheduled for {guests}", DSparkDrafter(head, costs), k=slots, policy="cost")
        fixed = {k: tokens_per_round(rates, k) / (costs.c + costs.verify(k)) for k in range(1, slots + 1)}
        best = max(fixed, key=lambda k: fixed[k])
        drafted = [len(round_.drafted) for trace in chosen for round_ in trace.rounds]
        rows.append(
            {
                "guests": guests,
                "c": costs.c,
                "v": [costs.verify(n) for n in range(slots + 1)],
                "on": {
                    "priced_speedup": priced(chosen, costs),
                    "tokens_a_pass": tokens_a_pass(chosen),
                    "drafted": fmean(drafted),
                },
                "off": {"k": slots, "priced_speedup": priced(full, costs), "tokens_a_pass": tokens_a_pass(full)},
                "best_fixed": {"k": best, "predicted_speedup": fixed[best]},
            }
        )
    return {"disturbed": bool(found is None or found.disturbed), "guests": rows}


def _between(seconds: Mapping[int, float], tokens: int) -> float:
    """The seconds of a pass over so many tokens, on the line between the measured neighbours."""
    if tokens in seconds:
        return seconds[tokens]
    below, above = max(n for n in seconds if n < tokens), min(n for n in seconds if n > tokens)
    share = (tokens - below) / (above - below)
    return (1 - share) * seconds[below] + share * seconds[above]


def _fixed(texts: Texts, head: BoundHead, what: str) -> list[Trace]:
    return texts.write(what, DSparkDrafter(head), k=_slots(head))


def _chain(traces: Sequence[Trace]) -> dict[str, Any]:
    k = max((len(round_.drafted) for trace in traces for round_ in trace.rounds), default=0)
    alphas = [position.alpha for position in by_position(traces, k)]
    return {"k": k, "tokens_a_pass": tokens_a_pass(traces), "alpha_by_position": alphas}


def _options(head: BoundHead) -> BlockOptions:
    assert isinstance(head.network, BlockHead), "checked when it was loaded"
    return head.network.options


def _slots(head: BoundHead) -> int:
    return min(MAX_DRAFT_LENGTH, _options(head).slots)


def _head(pair: Pair, path: Path, option: str) -> BoundHead:
    """The block head in a folder.

    Raises:
        PairError: it does not belong to the target.
        TrainingError: it is no block head.
    """
    head = folder.load(path, pair.target, pair.card.target.name, pair.text.digest)
    if not isinstance(head.network, BlockHead):
        raise TrainingError(f"--{option} was a head of the kind {head.spec.kind}: give a block head.")
    use_anyway(pair, head.spec.kind)
    return head
