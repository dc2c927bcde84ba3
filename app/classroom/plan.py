"""The plan of a lesson of 45 minutes: what happens when, and where on the page it is. Makes no Streamlit call."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """Some minutes of the lesson.

    Attributes:
        begins, ends: in minutes from the beginning.
        what: in a sentence.
        lesson, step: where it is in Learn; "" for Race.
    """

    begins: int
    ends: int
    what: str
    lesson: str = ""
    step: int = 1


PLAN = (
    Part(0, 10, "One round, slowly. Stop at the question and let the room vote.", "editor"),
    Part(10, 14, "Why a large model types slowly. The room finishes the first sentence of a letter.", "word"),
    Part(14, 19, "One pass over several tokens, and what it costs: v(n).", "checking", 2),
    Part(19, 27, "The rule. Somebody from the room drags the bars.", "rule", 2),
    Part(27, 30, "The same mistake in both lanes.", "faster", 3),
    Part(30, 33, "A letter, JSON, code and verse on one clock: it depends on the text.", "pays"),
    Part(33, 36, "The formula: tokens for a round, over their price.", "pays", 5),
    Part(36, 41, "Many guests at once.", "rush"),
    Part(41, 45, "Questions, or a race with a prompt from the room."),
)


def index_of(lesson: str) -> int:
    """Which part a chapter of Learn belongs to, the first of several; that of Race for "". -1 for a chapter that the plan leaves out."""
    return next((index for index, part in enumerate(PLAN) if part.lesson == lesson), -1)
