"""What was measured of a machine on request, for a lesson: the cost of passes, and what the machine can do. Standard library only.

Every time is a median over several passes with its quartiles: half of the passes lie between `low_s` and `high_s`.
"""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """What is measured.

    BANDWIDTH: passes over a few tokens, beside what the machine can read and compute. PASS_COST: passes over more and more tokens of one
    text. BATCH_COST: passes over some tokens of each of several texts.
    """

    BANDWIDTH = "bandwidth"
    PASS_COST = "pass cost"  # noqa: S105  # a pass of a model
    BATCH_COST = "batch cost"


@dataclass(frozen=True, slots=True)
class Point:
    """Passes of one shape: over `tokens` tokens of each of `guests` texts.

    Attributes:
        pass_s, low_s, high_s: seconds of a pass, the median and the quartiles.
        operations: additions and multiplications of one pass.
        bytes: what one pass reads: the weights once, and the keys and values of every text.
    """

    guests: int
    tokens: int
    pass_s: float
    low_s: float
    high_s: float
    operations: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Roofs:
    """What the machine can do at most.

    Attributes:
        reading_bytes_per_s: a plain stream through a buffer.
        stream_bytes: that buffer's size.
        cache_bytes: the last cache before the memory; None where the system does not report it.
        repeated_bytes_per_s: the same for a buffer as large as the weights, read again and again; a cache that holds it makes it faster.
        operations_per_s: a product of two large matrices in the number format of the passes.
    """

    reading_bytes_per_s: float
    stream_bytes: int
    cache_bytes: int | None
    repeated_bytes_per_s: float
    operations_per_s: float


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measurement.

    Attributes:
        target, draft: the models' names; the draft is None where there is none.
        device, processor, dtype, threads: where it was measured, and in which number format.
        decoder: what ran the passes, in a few words.
        context: tokens in the cache of each text.
        passes: how many passes each median is of, at least.
        weights_bytes: what a pass of the target reads of its weights.
        points: of the target, the cheapest shape first.
        draft_points: passes of the draft over one token of each text.
        left_out: how many larger shapes were not measured, for lack of time or memory.
        roofs: for the bandwidth only.
        disturbed: whether something disturbed the passes, so that no figure can be trusted.
        why: what it was, in a few words; "" where nothing was.
    """

    kind: Kind
    target: str
    draft: str | None
    device: str
    processor: str
    dtype: str
    threads: int
    decoder: str
    context: int
    passes: int
    weights_bytes: int
    points: tuple[Point, ...]
    draft_points: tuple[Point, ...]
    left_out: int
    roofs: Roofs | None
    disturbed: bool
    why: str

    @property
    def weights_in_cache(self) -> bool | None:
        """Whether the weights fit into the last cache; None where its size is not known."""
        known = None if self.roofs is None else self.roofs.cache_bytes
        return None if known is None else self.weights_bytes <= known

    def as_json(self) -> dict[str, Any]:
        """The measurement as the page draws it: plain JSON values, the figures of a single pass and of the machine beside the points."""
        form: dict[str, Any] = {**asdict(self), "kind": self.kind.value}
        roofs, draft = form.pop("roofs"), list(form.pop("draft_points"))
        form["points"] = list(form["points"])
        if self.roofs is not None:
            one = self.points[0]
            form |= {**roofs, "weights_in_cache": self.weights_in_cache, "operations": one.operations}
            form |= {"pass_s": one.pass_s, "pass_low_s": one.low_s, "pass_high_s": one.high_s}
        if draft:
            form["draft_pass_s"] = draft
        return form
