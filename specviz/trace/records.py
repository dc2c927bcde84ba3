"""The records of a run, round by round. Every number that is shown anywhere can be derived from them.

Letters of the papers (Leviathan et al., arXiv 2211.17192): p is the target's distribution, q the draft's,
k (their gamma) the draft length, u the number drawn to accept or reject. Here they are spelled out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from specviz.settings import Settings
from specviz.trace.cards import PairCard
from specviz.trace.plan import Plan

SCHEMA = "specviz.trace/2"
FROM_COMMITTED = -1  # the `parent` of a drafted token that follows the last committed token
MAX_SECONDS = 1e6  # eleven days: no run lasts this long, and larger times could not be animated
_SHARES = {"draft_prob": "probability", "target_prob": "probability"}
_PROMPT_LETTERS = 32  # of a `repr`
# The page of a run or a race in a notebook, as HTML. The package sets it, since pages are made by modules that import this one.
notebook_page: Callable[[Any], str] | None = None


class Verdict(StrEnum):
    """The verdict on a drafted token. DISCARDED was never judged, because an earlier token was rejected or ended the text."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    DISCARDED = "discarded"


class Closing(StrEnum):
    """How the target's own token ends a round: in place of a rejected token, or after a fully accepted draft."""

    CORRECTED = "corrected"
    BONUS = "bonus"


class Stop(StrEnum):
    """Why a run ended."""

    LENGTH = "length"
    END_OF_TEXT = "end_of_text"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Top:
    """The top n tokens of one distribution, most likely first; four columns of equal length.

    Attributes:
        logits: the model's raw scores.
        probabilities: softmax of the logits at temperature 1.
        rule: the probability that the rule used, after temperature, top-k and top-p.
    """

    tokens: tuple[int, ...] = ()
    logits: tuple[float, ...] = ()
    probabilities: tuple[float, ...] = ()
    rule: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not len(self.tokens) == len(self.logits) == len(self.probabilities) == len(self.rule):
            raise ValueError("the columns of a Top have different lengths")
        if not all(0 <= share <= 1 for share in (*self.probabilities, *self.rule)):
            raise ValueError("a probability is outside 0 to 1")

    @property
    def most_likely(self) -> int:
        """The token that the rule gave the highest probability, by its logit among equal ones. Raises ValueError if no
        alternatives were recorded."""
        if not self.tokens:
            raise ValueError("the recording has no alternatives there")
        best = max(range(len(self.tokens)), key=lambda index: (self.rule[index], self.logits[index]))
        return self.tokens[best]


NO_TOP = Top()


@dataclass(frozen=True, slots=True)
class Match:
    """The end of the text that had occurred before, so that what followed it was copied. Raises ValueError if the
    numbers are impossible.

    Attributes:
        length: how many tokens at the end of the text were found again.
        occurrences: how often they had occurred before; None if only the latest occurrence was looked up.
        followed: how many of these occurrences went on with the first copied token; None like `occurrences`.
    """

    length: int
    occurrences: int | None = None
    followed: int | None = None

    def __post_init__(self) -> None:
        if self.length < 1:
            raise ValueError(f"a match of {self.length} tokens")
        if (self.occurrences is None) != (self.followed is None):
            raise ValueError("a match counts its occurrences and those that were followed, or neither")
        if self.occurrences is not None and not 1 <= (self.followed or 0) <= self.occurrences:
            raise ValueError(f"{self.followed} of {self.occurrences} occurrences were followed by what was copied")


@dataclass(frozen=True, slots=True)
class Drafted:
    """One proposed token and its verdict.

    Attributes:
        parent: index of the drafted token it follows, -1 for the last committed one; a chain is -1, 0, 1, ...
        draft_prob: q of this token, as the rule used it; None in a recording made from a server's report, as is p.
        target_prob: p of this token, as the rule used it.
        draw: u, or None where no number was drawn (temperature 0, or never judged).
        draft_top: the draft's most likely tokens at this position.
        target_top: the target's most likely tokens at this position.
        confidence: the head's estimate, made before this token was drawn, that it is accepted where those before it are; None where no head
            estimated that.
        bound: what u was compared with, where that is not p/q and every token is judged, as by block verification; else None.
    """

    token: int
    parent: int
    draft_prob: float | None
    target_prob: float | None
    draw: float | None
    verdict: Verdict
    draft_top: Top = NO_TOP
    target_top: Top = NO_TOP
    confidence: float | None = None
    bound: float | None = None

    @property
    def qp(self) -> tuple[float, float]:
        """q and p of this token, as the rule used them. Raises ValueError if they were not reported."""
        if self.draft_prob is None or self.target_prob is None:
            raise ValueError("the probabilities of this token were not reported")
        return self.draft_prob, self.target_prob


@dataclass(frozen=True, slots=True)
class ClosingToken:
    """The target's own token that ends a round.

    Attributes:
        draw: the uniform number that chose it, or None at temperature 0.
        residual_top: the most likely tokens of the distribution it was drawn from: norm(max(0, p - q)) after a
            rejection, p itself after a fully accepted draft. `logits` and `probabilities` are the target's.
    """

    token: int
    how: Closing
    draw: float | None
    residual_top: Top = NO_TOP


@dataclass(frozen=True, slots=True)
class Round:
    """One round: draft, verify, judge, commit. Raises ValueError if the round is impossible.

    Attributes:
        start: how many new tokens the text had when the round began.
        drafted: every proposed token.
        accepted: indices into `drafted`, along the accepted path from the root.
        closing: the target's token; None only when an accepted end-of-text token ended the text.
        began_s, ended_s: on the engine's clock, which starts after prefill and stops between rounds.
        draft_s: all passes of the drafter together.
        verify_s: the one pass of the target.
        source: where in prompt and text the first drafted token was copied from; None if the draft was not copied.
        source_text: which of the run's earlier texts `source` counts in, where it was copied from one of them; else None.
        match: the end of the text for which this was found; None if that is not known.
        allowed: how many tokens (of a tree: levels) the policy "auto" let this round draft, 0 where drafting did not pay; None for the other
            policies, and where nothing could have been drafted because the text was to end.
    """

    start: int
    drafted: tuple[Drafted, ...]
    accepted: tuple[int, ...]
    closing: ClosingToken | None
    began_s: float
    draft_s: float
    verify_s: float
    ended_s: float
    source: int | None = None
    source_text: int | None = None
    match: Match | None = None
    allowed: int | None = None

    def __post_init__(self) -> None:
        problem = self._path_problem() or self._closing_problem() or self._clock_problem()
        if problem:
            raise ValueError(f"impossible round: {problem}")

    def _path_problem(self) -> str:
        for index, drafted in enumerate(self.drafted):
            if not FROM_COMMITTED <= drafted.parent < index:
                return f"drafted token {index} has parent {drafted.parent}"
            for what in ("draft_prob", "target_prob", "confidence", "bound"):
                share: float | None = getattr(drafted, what)
                if share is not None and not 0 <= share <= 1:
                    return f"drafted token {index} has a {_SHARES.get(what, what)} outside 0 to 1"
            if drafted.draw is not None and not 0 <= drafted.draw < 1:
                return f"drafted token {index} has a draw outside 0 to 1"
        at = FROM_COMMITTED
        for index in self.accepted:
            if not 0 <= index < len(self.drafted) or self.drafted[index].parent != at:
                return "the accepted path does not follow the parents"
            at = index
        marked = {i for i, drafted in enumerate(self.drafted) if drafted.verdict is Verdict.ACCEPTED}
        if marked != set(self.accepted):
            return "the accepted path and the verdicts differ"
        path = {FROM_COMMITTED, *self.accepted}
        if any(d.verdict is Verdict.REJECTED and d.parent not in path for d in self.drafted):
            return "a rejected token does not follow the accepted path"
        return ""

    def _closing_problem(self) -> str:
        if self.start < 0:
            return f"it starts at {self.start}"
        if self.allowed is not None and (self.allowed < 0 or (self.allowed == 0 and self.drafted)):
            return f"{self.allowed} tokens were allowed, and {len(self.drafted)} drafted"
        if self.source is not None and (self.source < 0 or not self.drafted):
            return f"its draft was copied from {self.source}"
        if self.source_text is not None and (self.source_text < 0 or self.source is None):
            return f"its draft was copied from the earlier text {self.source_text}"
        if self.match is not None and not self.drafted:
            return "the end of the text was found again, but nothing was copied"
        end = self.accepted[-1] if self.accepted else FROM_COMMITTED
        rejected = any(d.verdict is Verdict.REJECTED and d.parent == end for d in self.drafted)
        if self.closing is None:
            return "" if self.accepted and not rejected else "it has no closing token"
        if self.closing.how is Closing.CORRECTED and not rejected:
            return "it is corrected although nothing was rejected"
        if self.closing.how is Closing.BONUS and any(d.parent == end for d in self.drafted):
            return "it has a bonus token although the draft continued"
        if self.closing.draw is not None and not 0 <= self.closing.draw < 1:
            return "the closing draw is outside 0 to 1"
        return ""

    def _clock_problem(self) -> str:
        times = (self.began_s, self.draft_s, self.verify_s, self.ended_s)
        if not all(0 <= t < MAX_SECONDS for t in times):
            return f"a time is negative or above {MAX_SECONDS:g} s"
        if self.ended_s + 1e-6 < self.began_s + self.draft_s + self.verify_s:
            return "drafting and verifying take longer than the round"
        return ""

    @property
    def judged(self) -> int:
        """How many drafted tokens were accepted or rejected."""
        return sum(d.verdict is not Verdict.DISCARDED for d in self.drafted)

    @property
    def tokens(self) -> tuple[int, ...]:
        """The ids that this round added to the text."""
        path = tuple(self.drafted[i].token for i in self.accepted)
        return path if self.closing is None else (*path, self.closing.token)

    @property
    def seconds(self) -> float:
        """The round's duration on the engine's clock."""
        return self.ended_s - self.began_s


@dataclass(frozen=True, slots=True)
class Prefill:
    """Seconds to read the prompt, before the first round; kept apart from the rounds.

    Raises:
        ValueError: a time is negative or too large.
    """

    target_s: float = 0.0
    draft_s: float = 0.0

    def __post_init__(self) -> None:
        if not all(0 <= t < MAX_SECONDS for t in (self.target_s, self.draft_s)):
            raise ValueError(f"a time is negative or above {MAX_SECONDS:g} s")


@dataclass(frozen=True, slots=True)
class TokenBytes:
    """The bytes of one id. A special token's bytes are its name, and it is not part of the text."""

    data: bytes
    special: bool = False


@dataclass(frozen=True, slots=True)
class Trace:
    """A complete run: enough to replay it and to derive every figure without a model. Raises ValueError if the rounds
    do not follow one another, a copy has no source, or bytes are missing.

    Attributes:
        card: the models, the drafter, the device and the versions.
        prompt_ids: the ids that the models read, template and special tokens included.
        prefill: seconds before the first round.
        rounds: in order.
        tokens: the bytes of every id that appears in prompt, rounds and earlier texts.
        earlier: the ids of earlier texts of the same visit that the drafter could copy from, oldest first.
        plan: the choice of drafter, k and nodes in `settings`, where a person left them to specviz.
    """

    card: PairCard
    prompt: str
    prompt_ids: tuple[int, ...]
    settings: Settings
    prefill: Prefill
    rounds: tuple[Round, ...]
    stop: Stop
    tokens: dict[int, TokenBytes]
    earlier: tuple[tuple[int, ...], ...] = ()
    plan: Plan | None = None

    def __post_init__(self) -> None:
        if self.settings.open:
            raise ValueError(f"the settings leave {self.settings.open[0]} open, which a run has chosen")
        start, clock = 0, 0.0
        for index, round_ in enumerate(self.rounds):
            if round_.start != start:
                raise ValueError(f"round {index} starts at token {round_.start}, not at {start}")
            if round_.began_s + 1e-6 < clock:
                raise ValueError(f"round {index} begins before the previous one ended")
            self._check_source(index, round_, len(self.prompt_ids) + start)
            start, clock = start + len(round_.tokens), round_.ended_s
        missing = ids_in(self.prompt_ids, self.rounds, self.earlier) - self.tokens.keys()
        if missing:
            raise ValueError(f"token {min(missing)} appears, but its bytes are not in the table")

    def _check_source(self, index: int, round_: Round, written: int) -> None:
        """A copy is from the text so far, `written` tokens with the prompt, or from an earlier text that is recorded."""
        if round_.source is None:
            return
        if round_.source_text is None:
            if round_.source >= written:
                raise ValueError(f"round {index} copies from {round_.source}, which is beyond the text so far")
        elif round_.source_text >= len(self.earlier):
            raise ValueError(f"round {index} copies from the earlier text {round_.source_text}, which is not there")
        elif round_.source >= len(self.earlier[round_.source_text]):
            raise ValueError(f"round {index} copies from {round_.source}, which is beyond that earlier text")

    def _repr_html_(self) -> str | None:
        """The player with this run inside, as a notebook shows it; None (the notebook then prints the `repr`) without a round to play."""
        return notebook_page(self) if self.rounds and notebook_page else None

    def __repr__(self) -> str:
        """One line; the fields themselves fill pages."""
        return f"Trace({outline(self.prompt, self.card, self.rounds)}, stop={self.stop})"

    def with_rounds(self, rounds: tuple[Round, ...], earlier: tuple[tuple[int, ...], ...]) -> "Trace":
        """The run with other rounds and earlier texts, and with the bytes of their ids only."""
        ids = ids_in(self.prompt_ids, rounds, earlier)
        return replace(self, rounds=rounds, earlier=earlier, tokens={i: self.tokens[i] for i in sorted(ids)})

    @property
    def drafts(self) -> bool:
        """True for a speculative run: at least one round has a draft."""
        return any(round_.drafted for round_ in self.rounds)

    @property
    def token_ids(self) -> tuple[int, ...]:
        """The ids of the new text."""
        return tuple(token for round_ in self.rounds for token in round_.tokens)

    @property
    def text(self) -> str:
        """The new text. Incomplete UTF-8 (a run that ended inside a character) becomes the replacement character."""
        return text_of(self.token_ids, self.tokens)


def outline(prompt: str, card: PairCard, rounds: Sequence[Round]) -> str:
    """A run in half a line: the beginning of its prompt, its drafter, its tokens and rounds, and its acceptance rate α."""
    start = prompt if len(prompt) <= _PROMPT_LETTERS else prompt[: _PROMPT_LETTERS - 1] + "…"
    written = sum(len(round_.tokens) for round_ in rounds)
    judged, accepted = sum(r.judged for r in rounds), sum(len(r.accepted) for r in rounds)
    alpha = f", α {accepted / judged:.2f}" if judged else ""
    return f"{start!r}, {card.drafter.name}, {written} tokens in {len(rounds)} rounds{alpha}"


def text_of(ids: Sequence[int], tokens: dict[int, TokenBytes]) -> str:
    """The text of ids: bytes are joined first and decoded once, so that characters split across tokens are intact."""
    return b"".join(tokens[i].data for i in ids if not tokens[i].special).decode("utf-8", errors="replace")


def ids_in(prompt_ids: Sequence[int], rounds: Sequence[Round], earlier: Sequence[Sequence[int]] = ()) -> set[int]:
    """Every id in a run: prompt, drafted and closing tokens, their recorded alternatives, and earlier texts."""
    ids = set(prompt_ids).union(*earlier)
    for round_ in rounds:
        for drafted in round_.drafted:
            ids.add(drafted.token)
            ids.update(drafted.draft_top.tokens, drafted.target_top.tokens)
        if round_.closing is not None:
            ids.add(round_.closing.token)
            ids.update(round_.closing.residual_top.tokens)
    return ids
