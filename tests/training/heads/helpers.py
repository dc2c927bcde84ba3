"""A target whose states say which letter of a periodic text it has read, and nothing else: enough to test which state is paired with which label."""

from dataclasses import dataclass

import torch
from torch import Tensor

from specviz.models.heads.spec import Shape, Spec
from specviz.training.heads.objective import TargetRows

PERIOD = 7
SHAPE = Shape(width=16, vocabulary=PERIOD + 1, depth=3, head_width=8, rope_theta=10_000.0, norm_eps=1e-5, ffn=32)
NOISE = PERIOD
"""An id that is no letter of the period: it stands wherever a token is no label."""


@dataclass(frozen=True)
class Borrowed:
    """An embedding of the letters, which is the output layer too."""

    table: Tensor
    tokens: Tensor | None = None

    def embed(self, ids: Tensor) -> Tensor:
        return self.table[ids]

    def score(self, states: Tensor) -> Tensor:
        return 4 * states @ (self.table if self.tokens is None else self.table[self.tokens]).T


def borrowed(tokens: Tensor | None = None) -> Borrowed:
    made = torch.Generator().manual_seed(5)
    return Borrowed(
        torch.linalg.qr(torch.randn(SHAPE.width, SHAPE.width, generator=made))[0][: SHAPE.vocabulary], tokens
    )


def spec(kind: str, taps: tuple[int, ...], **options: object) -> Spec:
    return Spec(kind, "periodic", "digest", SHAPE, taps, options)


def periodic(taps: int, count: int = 6, length: int = 40, prompt: int = 9, seed: int = 0) -> TargetRows:
    """Rows of the periodic text from any letter on. The first tokens and the last ones are no labels, and noise stands in their place: a head
    that learns from one of them cannot be right everywhere."""
    begins = torch.randint(PERIOD, (count, 1), generator=torch.Generator().manual_seed(seed))
    letters = (begins + torch.arange(length)) % PERIOD
    states = borrowed().embed(letters)
    written = torch.ones_like(letters, dtype=torch.bool)
    written[:, :prompt] = False
    written[:, -3:] = False
    real = torch.ones_like(written)
    real[:, -3:] = False
    ids = torch.where(written, letters, NOISE)
    return TargetRows(ids, states[:, :, None].expand(-1, -1, taps, -1), states, real, written, seed)
