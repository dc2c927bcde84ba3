"""A drafter of somebody's own, tried on a pair before it is used."""

from dataclasses import replace

from specviz.decoding.checking import check_methods
from specviz.decoding.protocols import Drafter
from specviz.errors import DrafterError
from specviz.models.pair import Pair
from specviz.runs.run import Run
from specviz.settings import Settings

_PROMPTS = ("One, two, three, one, two, three, one,", "Once upon a time")
_SETTINGS = Settings(k=4, max_new_tokens=16)


def check_drafter(drafter: Drafter, pair: Pair) -> None:
    """Write a few short texts with a drafter of your own, greedy and drawn, and check every draft and, where texts are
    certain, the text. Raises DrafterError if it is no drafter, proposes what is no draft, or changes the text at
    temperature 0; the message says what to do; PairError, see `Run`."""
    check_methods(drafter)
    exact = pair.card.dtype in ("float32", "float64")  # in half precision two scores can tie
    for prompt in _PROMPTS:
        plain = Run(pair, prompt, _SETTINGS, plain=True).finish()
        for temperature in (0.0, 1.0):
            trace = Run(pair, prompt, replace(_SETTINGS, temperature=temperature), drafter=drafter).finish()
            if exact and temperature == 0 and trace.token_ids != plain.token_ids:
                raise DrafterError(
                    f"With the drafter {drafter.name} the text after {prompt!r} is {trace.text!r:.60}, and plain decoding writes "
                    f"{plain.text!r:.60}: give the distribution that each token was really drawn from."
                )
