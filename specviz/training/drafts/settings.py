"""Every number that decides how a draft is made, in one place. Standard library only."""

from dataclasses import dataclass

TOKENS = 1_000_000
"""Tokens that the target writes."""

KEPT = 12_288
"""Ids that the draft may write, at most: its head is most of a pass, and the others are rare."""

CONTEXT = 384
"""Tokens of a row: a question and an answer."""

BATCH = 3072
"""Tokens of an optimiser step."""

EPOCHS = 6.0
"""How often the text is read."""

MATRIX_RATE, OTHER_RATE = 0.02, 2e-3
"""Peak learning rates, of Muon for the hidden matrices and of AdamW for embedding and norms."""

WARM_UP = 100_000
"""Tokens over which the rates rise."""

COOL_DOWN = 0.6
"""Share of the steps at the end in which they fall."""

SIZES = ((96, 1), (144, 1), (192, 1), (192, 2), (240, 2), (288, 2), (384, 2), (384, 3), (480, 4))
"""Width and layers of the candidates among which `--size auto` chooses."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much of everything.

    Attributes:
        tokens: that the target writes.
        at_once: texts in a batch, at most.
        longest: new tokens of a text.
        kept: ids that the draft may write.
        context, batch: tokens of a row, and of a step.
        epochs: how often the text is read.
        seconds: of training, instead of epochs; None where epochs decide.
        warm_up: tokens over which the learning rates rise.
        prompts: of the examination.
        examined_tokens: new tokens of a run of the examination.
    """

    tokens: int = TOKENS
    at_once: int = 128
    longest: int = 128
    kept: int = KEPT
    context: int = CONTEXT
    batch: int = BATCH
    epochs: float = EPOCHS
    seconds: float | None = None
    warm_up: int = WARM_UP
    prompts: int = 40
    examined_tokens: int = 64


QUICK = Effort(
    tokens=1500,
    at_once=24,
    longest=32,
    context=96,
    batch=384,
    epochs=4.0,
    warm_up=500,
    prompts=2,
    examined_tokens=16,
)
"""The complete path with little of everything."""

QUICK_SIZE = (48, 1)
"""Width and layers of the draft with little of everything."""
