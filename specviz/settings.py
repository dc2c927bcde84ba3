"""What a person may choose for one run. Standard library only, so that every part can read it."""

import math
from dataclasses import dataclass

from specviz.errors import PromptError, SettingsError

MAX_DRAFT_LENGTH = 16
MAX_NEW_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of one run; refuses impossible ones.

    Args:
        k: draft length, tokens proposed a round (1 to 16).
        temperature: 0 is greedy decoding; above 0 divides the logits before the softmax.
        top_k: keep only this many likeliest tokens; 0 keeps all.
        top_p: keep the fewest likeliest tokens whose probabilities reach this sum; 1 keeps all.
        max_new_tokens: stop after this many tokens.
        seed: the one source of randomness; the same seed, pair and dtype give the same text.

    Raises:
        SettingsError: says which value was received and what the range is.
    """

    k: int = 5
    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    max_new_tokens: int = 64
    seed: int = 0

    def __post_init__(self) -> None:
        _whole("k (draft length)", self.k, 1, MAX_DRAFT_LENGTH)
        _real("temperature", self.temperature, 0.0, 10.0)
        _whole("top-k", self.top_k, 0, 1_000_000)
        _real("top-p", self.top_p, 0.0, 1.0)
        if self.top_p == 0:
            raise SettingsError("top-p was 0, which keeps no token at all: give a value above 0, up to 1.")
        _whole("max new tokens", self.max_new_tokens, 1, MAX_NEW_TOKENS)
        _whole("seed", self.seed, 0, 2**63 - 1)

    @property
    def greedy(self) -> bool:
        """Whether every distribution is one-hot, so that no random number is ever needed."""
        return self.temperature == 0


def check_prompt(prompt: str) -> None:
    """Refuse a prompt of nothing but white space.

    Raises:
        PromptError: it is one.
    """
    if not prompt.strip():
        raise PromptError("The prompt was empty: write a few words for the models to continue.")


def _whole(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise SettingsError(f"{name} was {value!r}: give a whole number from {low} to {high}.")


def _real(name: str, value: object, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise SettingsError(f"{name} was {value!r}: give a number from {low:g} to {high:g}.")
    if not low <= value <= high:
        raise SettingsError(f"{name} was {value!r}: give a number from {low:g} to {high:g}.")
