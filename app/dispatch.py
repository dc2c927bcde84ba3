"""Which job goes to which engine next. Pure: it reads the line and the slots, and changes nothing.

- Jobs begin in the order of the line. One is passed over while it could not begin anyway: its visitor has another that runs (two runs of one
  race do not disturb each other), the pair that it only wants to have loaded is being loaded.
- It goes to a free engine that has its pair; else it waits for one that loads the pair for nobody in particular; else a free engine loads it:
  one that has none, then one whose pair another engine has too, then the one that was used longest ago.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from app.job import Job
from app.slot import Slot
from specviz.request import PairAsked
from specviz.wire import Load


@dataclass(frozen=True, slots=True)
class Assignment:
    """A job, and the free engine that does it."""

    job: Job
    slot: Slot


def next_turn(line: Iterable[Job], slots: Sequence[Slot]) -> Assignment | None:
    """The next job that can begin, and where; None where none can."""
    promised: list[Slot] = []
    for job in line:
        if _waits_for_its_visitor(job, slots) or _is_being_loaded(job, slots):
            continue
        free = [slot for slot in slots if slot.free]
        having = next((slot for slot in free if job.pair is not None and slot.has(job.pair)), None)
        if having is not None:
            return Assignment(job, having)
        coming = [slot for slot in slots if job.pair is not None and slot.only_loads(job.pair) and slot not in promised]
        if coming:
            promised.append(coming[0])
        elif free:
            return Assignment(job, least_missed(free, slots))
    return None


def least_missed(candidates: Sequence[Slot], slots: Sequence[Slot]) -> Slot:
    """The one of these whose pair is missed least when it loads another."""

    def missed(slot: Slot) -> tuple[bool, bool, float]:
        pair = None if slot.loaded is None else slot.loaded.pair
        twice = pair is not None and any(other is not slot and other.has(pair) for other in slots)
        return pair is not None, not twice, slot.used

    return min(candidates, key=missed)


def keeper(pair: PairAsked | None, slots: Sequence[Slot]) -> Slot | None:
    """An engine that has this pair, and will have it after its job."""
    return next((slot for slot in slots if pair is not None and slot.keeps(pair)), None)


def disturbed(slots: Sequence[Slot]) -> Iterator[Job]:
    """The jobs whose pair is there, so that they may be timed, while another engine of the machine does a job or starts."""
    for slot in slots:
        if slot.job is not None and slot.job.counts is not None and any(_neighbours(slot, slots)):
            yield slot.job


def _neighbours(slot: Slot, slots: Sequence[Slot]) -> Iterator[Slot]:
    """The other engines that use the machine of this one."""
    return (each for each in slots if each is not slot and each.active and each.machine == slot.machine)


def _waits_for_its_visitor(job: Job, slots: Sequence[Slot]) -> bool:
    """Whether another job of the same visitor runs."""
    running = (slot.job for slot in slots if slot.job is not None)
    return bool(job.visitor) and any(each.visitor == job.visitor for each in running)


def _is_being_loaded(job: Job, slots: Sequence[Slot]) -> bool:
    """Whether all that a job wants is under way."""
    command = job.command
    return isinstance(command, Load) and any(slot.is_loading(command.pair) for slot in slots)
