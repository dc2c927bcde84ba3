"""The cost of a round after a long prompt."""

from collections.abc import Sequence
from itertools import cycle, islice
from statistics import median

from specviz.bench.decoders import PLAIN, SPECULATIVE, in_turn, our_decoders, traces_of
from specviz.bench.results import ContextResult
from specviz.models import Pair
from specviz.reporting.figures import figure
from specviz.settings import Settings
from specviz.trace.metrics import speedup, summarise
from specviz.trace.records import Trace

NEW_TOKENS = 32


def fitting(pair: Pair, lengths: Sequence[int]) -> tuple[int, ...]:
    """The context lengths that fit into all models together with the new tokens, sorted, each once."""
    room = min(model.context for _, model in pair.models) - NEW_TOKENS
    return tuple(sorted({length for length in lengths if length <= room}))


def measure_context(pair: Pair, words: Sequence[str], length: int, k: int, repeats: int) -> ContextResult:
    """Measure plain and speculative rounds in turn after a prompt of at most `length` tokens.

    Args:
        words: the prompt consists of these words, repeated; it may be one or two tokens shorter than `length`.
        k: draft length.
        repeats: turns of each decoder.
    """
    settings = Settings(k=k, max_new_tokens=NEW_TOKENS)
    prompt = prompt_of(pair, words, length)
    ours = our_decoders(pair, prompt, settings, template=False)
    runs = in_turn({name: ours[name] for name in (PLAIN, SPECULATIVE)}, repeats)
    plain, speculative = traces_of(runs[PLAIN]), traces_of(runs[SPECULATIVE])
    return ContextResult(
        context=len(plain[0].prompt_ids),
        plain_round_s=figure(map(_round_s, plain)),
        speculative_round_s=figure(map(_round_s, speculative)),
        tokens_per_round=summarise(speculative[0]).tokens_per_round,
        speedup=figure(speedup(p, s) for p, s in zip(plain, speculative, strict=True)),
    )


def prompt_of(pair: Pair, words: Sequence[str], length: int) -> str:
    """The longest text of these words, repeated, that has at most `length` tokens; at least one word."""

    def text(count: int) -> str:
        return " ".join(islice(cycle(words), count))

    fits, too_long = 1, length + 1
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if len(pair.text.encode(text(middle), template=False)) <= length:
            fits = middle
        else:
            too_long = middle
    return text(fits)


def _round_s(trace: Trace) -> float:
    return median(round_.seconds for round_ in trace.rounds)
