"""A question to the room: one vote a voter, closed by the presenter, answered by the run itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from app.classroom.texts import RoomError, words

LEAST, MOST = 2, 17  # choices of a question: a draft of 16 tokens has 17 outcomes
LONGEST_QUESTION, LONGEST_CHOICE = 200, 80


class PollState(StrEnum):
    """OPEN: votes count. CLOSED: no more votes. RESOLVED: the answer is known."""

    OPEN = "open"
    CLOSED = "closed"
    RESOLVED = "resolved"


@dataclass(frozen=True, slots=True)
class Poll:
    """A question and its votes. Raises RoomError if the question cannot be asked.

    Attributes:
        claimed: for every choice the probability that the draft's own q gives it; empty where there is none.
        votes: voter -> index of his choice.
        answer: the index of what happened; None before it is resolved.
        run, round: the id of the run and the index of the round that it is about; "" and -1 for none.
        truth: the index of what this run did, which nobody is shown before the vote is over; None where only the presenter knows.
    """

    question: str
    choices: tuple[str, ...]
    claimed: tuple[float, ...] = ()
    state: PollState = PollState.OPEN
    votes: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    answer: int | None = None
    run: str = ""
    round: int = -1
    truth: int | None = None

    def __post_init__(self) -> None:
        if not LEAST <= len(self.choices) <= MOST:
            raise RoomError(f"The question has {len(self.choices)} choices: give {LEAST} to {MOST}.")

    @property
    def counts(self) -> tuple[int, ...]:
        """Votes of each choice."""
        counts = [0] * len(self.choices)
        for choice in self.votes.values():
            counts[choice] += 1
        return tuple(counts)

    @property
    def right(self) -> int:
        """Votes for what happened; none before it is resolved."""
        return 0 if self.answer is None else self.counts[self.answer]

    def as_object(self) -> dict[str, Any]:
        """For an export: nothing in it says who voted."""
        return {
            "question": self.question,
            "choices": list(self.choices),
            "votes": list(self.counts),
            "claimed": list(self.claimed),
            "answer": self.answer,
            "round": None if self.round < 0 else self.round,
        }


def asked(question: str, choices: Sequence[str], claimed: Sequence[float] = ()) -> Poll:
    """A new question. Raises RoomError if it is empty or too long, or has too few or too many choices."""
    return Poll(
        words(question, LONGEST_QUESTION, "question"),
        tuple(words(choice, LONGEST_CHOICE, "choice") for choice in choices),
        tuple(claimed),
    )


def how_many(k: int, q: Sequence[float] = ()) -> Poll:
    """How many of the k drafted tokens will be accepted? `q`: the draft's own probability of each drafted token. If it
    were right about itself, token i would be accepted with probability q_i."""
    claimed = [1.0]
    for q_i in q:
        claimed[-1:] = [claimed[-1] * (1 - q_i), claimed[-1] * q_i]
    return asked(
        f"How many of the {k} drafted tokens will be accepted?", [str(n) for n in range(k + 1)], claimed if q else ()
    )


def about(poll: Poll, run: str, index: int, truth: int) -> Poll:
    """A question about a round of a run, which answers it."""
    return replace(poll, run=run, round=index, truth=truth)


def vote(poll: Poll, voter: str, choice: int) -> Poll:
    """The vote of this voter, in place of his earlier one. Raises RoomError if the question is closed, or there is no
    such choice."""
    if poll.state is not PollState.OPEN:
        raise RoomError("Voting is closed: your vote did not count.")
    if not 0 <= choice < len(poll.choices):
        raise RoomError(
            "The vote was for choice {choice} of {count}: choose one that is shown.",
            choice=choice + 1,
            count=len(poll.choices),
        )
    if poll.votes.get(voter) == choice:
        return poll
    return replace(poll, votes=MappingProxyType({**poll.votes, voter: choice}))


def closed(poll: Poll) -> Poll:
    """No more votes."""
    return replace(poll, state=PollState.CLOSED) if poll.state is PollState.OPEN else poll


def resolved(poll: Poll, answer: int) -> Poll:
    """A question with its answer; an open one is closed by it. Raises RoomError if it was resolved before, or there is
    no such choice."""
    if poll.state is PollState.RESOLVED:
        raise RoomError("This question is answered already: ask the next one.")
    if not 0 <= answer < len(poll.choices):
        raise RoomError(f"The answer was choice {answer + 1} of {len(poll.choices)}: it must be one of them.")
    return replace(poll, state=PollState.RESOLVED, answer=answer)
