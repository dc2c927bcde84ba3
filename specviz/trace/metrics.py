"""Figures of a trace, each a function of what was recorded. Standard library only."""

from dataclasses import dataclass

from specviz.trace.records import Round, Stop, Trace
from specviz.words import Sentence

_INSTANT_S = 1e-9  # below this no clock is precise enough for a rate
_CLOCK_NOISE = 1.02  # two equal runs that nothing disturbs differ by this factor


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of one run. `seconds` is the engine's clock over all rounds, without the prefill.

    `acceptance_rate` is accepted / judged; None where nothing was judged.
    """

    text: str
    token_ids: tuple[int, ...]
    rounds: int
    drafted: int
    judged: int
    accepted: int
    acceptance_rate: float | None
    tokens_per_round: float
    seconds: float
    tokens_per_second: float
    stop: Stop
    dtype: str


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first difference of two texts: its index, both tokens, and the gap between the plain run's two best logits there.

    A tiny gap is a numerical tie (half precision rounds a batch of tokens differently from a single one), a large one a bug.
    """

    index: int
    plain_token: int
    speculative_token: int
    gap: float | None


def summarise(trace: Trace) -> Summary:
    """All figures of one run."""
    drafted = sum(len(r.drafted) for r in trace.rounds)
    judged = sum(r.judged for r in trace.rounds)
    accepted = sum(len(r.accepted) for r in trace.rounds)
    ids, rounds = trace.token_ids, len(trace.rounds)
    seconds = trace.rounds[-1].ended_s if trace.rounds else 0.0
    return Summary(
        text=trace.text,
        token_ids=ids,
        rounds=rounds,
        drafted=drafted,
        judged=judged,
        accepted=accepted,
        acceptance_rate=accepted / judged if judged else None,
        tokens_per_round=len(ids) / rounds if rounds else 0.0,
        seconds=seconds,
        tokens_per_second=len(ids) / seconds if seconds > _INSTANT_S else 0.0,
        stop=trace.stop,
        dtype=trace.card.dtype,
    )


def acceptance(trace: Trace) -> dict[str, float | tuple[float, ...] | None]:
    """The acceptance of one run in the numbers of engines and papers; which of them means which is in docs/how-it-is-measured.md.

    The lengths are over rounds with a draft. `by_position` is conditional: how often a token was accepted whose predecessors were, from the first
    position on. None where nothing was drafted.
    """
    drafts = [round_ for round_ in trace.rounds if round_.drafted]
    lengths = [len(round_.accepted) for round_ in drafts]
    accepted, judged = sum(lengths), sum(round_.judged for round_ in drafts)
    rates: list[float] = []
    for position in range(max(map(_depth, drafts), default=0)):
        tried = [n for n, round_ in zip(lengths, drafts, strict=True) if n >= position and _depth(round_) > position]
        if not tried:
            break
        rates.append(sum(n > position for n in tried) / len(tried))
    return {
        "of_checked": accepted / judged if judged else None,
        "of_drafted": accepted / sum(len(round_.drafted) for round_ in drafts) if drafts else None,
        "by_position": tuple(rates),
        "mean_length": accepted / len(drafts) if drafts else None,
        "mean_length_with_own_token": accepted / len(drafts) + 1 if drafts else None,
    }


def _depth(round_: Round) -> int:
    """The number of tokens on the longest path of a round's drafts."""
    depths: list[int] = []
    for drafted in round_.drafted:
        depths.append(1 if drafted.parent < 0 else depths[drafted.parent] + 1)
    return max(depths, default=0)


def seconds_at(rounds: tuple[Round, ...], tokens: int) -> float:
    """Engine seconds when the text first had this many new tokens. Raises ValueError if the run has fewer."""
    for round_ in rounds:
        if round_.start + len(round_.tokens) >= tokens:
            return round_.ended_s
    raise ValueError(f"the run has fewer than {tokens} tokens")


def speedup(plain: Trace, speculative: Trace) -> float:
    """Plain seconds over speculative seconds for the same number of tokens; below 1 it is a slowdown. Raises ValueError
    if one of the runs has no token."""
    common = _common_tokens(plain, speculative)
    return seconds_at(plain.rounds, common) / seconds_at(speculative.rounds, common)


def most_possible(plain: Trace, speculative: Trace) -> float:
    """The speedup that no undisturbed pair of runs can exceed: tokens per pass of the target, for as many tokens as both have.

    Plain decoding writes one token per pass, and a pass over a draft takes no less time than a pass over one token. Raises
    ValueError if one of the runs has no token.
    """
    common = _common_tokens(plain, speculative)
    return common / sum(round_.start < common for round_ in speculative.rounds)


def _common_tokens(plain: Trace, speculative: Trace) -> int:
    common = min(len(plain.token_ids), len(speculative.token_ids))
    if common == 0:
        raise ValueError("a run without tokens has no speedup")
    return common


def is_possible(speedup: float, most: float) -> bool:
    """False for a speedup above `most` that the clock's noise does not explain: something disturbed one of the runs."""
    return speedup <= most * _CLOCK_NOISE


def middle_words(pairs: int) -> str:
    """The name of the pair that is shown of several timed ones: of an even number it is not the median but the lower middle one."""
    if pairs % 2:
        return Sentence("the median of {pairs} pairs", pairs=pairs)
    if pairs == 2:
        return Sentence("the lower of 2 pairs")
    return Sentence("the lower middle one of {pairs} pairs", pairs=pairs)


def speedup_with_prompt(plain: Trace, speculative: Trace) -> float:
    """The speedup with the time to read the prompt: on both sides the target's, and on the speculative one the draft's
    too. Raises ValueError if one of the runs has no token."""
    common = _common_tokens(plain, speculative)
    ours, theirs = (prompt_seconds(trace) + seconds_at(trace.rounds, common) for trace in (speculative, plain))
    return theirs / ours


def prompt_seconds(trace: Trace) -> float:
    """Seconds to read the prompt, by the target and by the drafter."""
    return trace.prefill.target_s + trace.prefill.draft_s


def divergence(plain: Trace, speculative: Trace) -> Divergence | None:
    """The first position where the texts differ, or None if they are equal. Raises ValueError if one text is a prefix
    of the other."""
    for index, (ours, theirs) in enumerate(zip(plain.token_ids, speculative.token_ids, strict=False)):
        if ours != theirs:
            closing = plain.rounds[index].closing
            logits = sorted(closing.residual_top.logits, reverse=True) if closing else []
            return Divergence(index, ours, theirs, logits[0] - logits[1] if len(logits) > 1 else None)
    if len(plain.token_ids) != len(speculative.token_ids):
        raise ValueError("one text is a prefix of the other: the runs ended at different lengths")
    return None
