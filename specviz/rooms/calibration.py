"""How often the room was right, against the draft's own probability."""

from collections.abc import Iterable
from dataclasses import dataclass

from specviz.rooms.polls import Poll, PollState


@dataclass(frozen=True, slots=True)
class Calibration:
    """Of the questions that are answered and have votes.

    Attributes:
        polls: how many.
        votes, right: how many votes there were, and how many of them were right.
        room: the mean Brier score (Brier, 1950) of the room, whose share of votes for a choice counts as its probability: the sum over the choices of the
            squared distance to what happened, 0 for certain and right, 2 for certain and wrong. None without polls.
        compared: how many of the polls have the draft's own probabilities.
        draft: the mean Brier score of these probabilities, and `room_there` that of the room on the same polls.
    """

    polls: int
    votes: int
    right: int
    room: float | None
    compared: int
    draft: float | None
    room_there: float | None


def calibration(polls: Iterable[Poll]) -> Calibration:
    """Of these polls; those without an answer or without votes are left out."""
    votes = right = 0
    room: list[float] = []
    there: list[float] = []
    draft: list[float] = []
    for poll in polls:
        if poll.state is not PollState.RESOLVED or poll.answer is None or not poll.votes:
            continue
        counts = poll.counts
        votes += sum(counts)
        right += counts[poll.answer]
        room.append(_brier([count / sum(counts) for count in counts], poll.answer))
        if poll.claimed:
            there.append(room[-1])
            draft.append(_brier(poll.claimed, poll.answer))
    return Calibration(len(room), votes, right, _mean(room), len(draft), _mean(draft), _mean(there))


def _brier(shares: Iterable[float], answer: int) -> float:
    return sum((share - (index == answer)) ** 2 for index, share in enumerate(shares))


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None
