"""Exclusive use of the models of a pair by one thread; torch's errors become sentences."""

from collections.abc import Iterator
from contextlib import contextmanager

from specviz.errors import DeviceLostError, PairError, brief
from specviz.models.devices import device_lost, memory_free, out_of_memory
from specviz.models.pair import Pair
from specviz.models.threads import Threads


@contextmanager
def alone(pair: Pair, threads: Threads, tokens: int = 0) -> Iterator[Threads]:
    """Within it no other thread uses the models, and torch has as many threads as find a core. Raises DeviceLostError
    if the device failed; PairError if memory ran out; the caches are released then.

    Args:
        tokens: of the text, for the sentence where memory runs out; 0 where there is none yet.
    """
    with pair.turn.lock, threads.used() as active:
        try:
            yield active
        except (MemoryError, RuntimeError) as error:
            if failure := _failure(pair, error, tokens):
                raise failure from error
            raise


def _failure(pair: Pair, error: Exception, tokens: int) -> PairError | None:
    device = pair.target.device
    if device_lost(error):
        return DeviceLostError(
            f"The device {device} failed while decoding ({brief(error, 120)}): run again, and the pair is reloaded."
        )
    if not out_of_memory(error):
        return None
    models = [model for _, model in pair.models]
    needed = tokens * sum(model.bytes_per_token for model in models) / 1e6
    for model in models:
        model.release()
    text = f"the keys and values of {tokens} tokens alone need {needed:.0f} MB, and " if tokens else ""
    advice = "request fewer new tokens, or choose" if tokens else "choose another drafter or"
    return PairError(
        f"The memory of {device} ran out: {text}{memory_free(device) / 1e6:.0f} MB are free now: {advice} a smaller pair."
    )
