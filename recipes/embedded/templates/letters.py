"""Letters and e-mails: a greeting, a few short paragraphs about one occasion, a closing and a name.

In a document each slot is drawn once, so the weekday in a subject is the weekday in the body.
"""

import re
from functools import cache
from itertools import accumulate
from random import Random
from typing import NamedTuple

from recipes.embedded.templates.data_files import Table, filled, table, unknown_slot
from recipes.embedded.templates.words import words

_HEADER = re.compile(r"(Subject|To|From|Date|Cc): ")
_GREETING = re.compile(r"(Dear|My dear|Hello|Hi|Good morning|Good afternoon|Good evening)\b.{0,50},$")


Sentences = tuple[tuple[str, ...], ...]
"""A paragraph: for each of its sentences the ways to write it; an empty one leaves the sentence out."""


class Occasion(NamedTuple):
    """What a letter is about, and to whom; `weight` says how often it comes. Only e-mails have subjects."""

    weight: int
    readers: str
    paragraphs: tuple[Sentences, ...]
    subjects: tuple[str, ...]


class Words(NamedTuple):
    """The texts that fill the slots.

    Args:
        alone: slot -> the texts that it may become.
        linked: slot -> rows of slots that are drawn together, of which it is one.
    """

    alone: dict[str, tuple[str, ...]]
    linked: dict[str, tuple[dict[str, str], ...]]


class _Slots(dict[str, str]):
    """The slots of one document: each is drawn when it is first used, and then stays the same."""

    def __init__(self, random: Random) -> None:
        super().__init__()
        self._random = random
        self["reader"], self["partner"], self["sender"], self["friend"], self["other"] = random.sample(
            words("names"), 5
        )
        self["surname"], self["own_surname"], self["third_surname"] = random.sample(words("surnames"), 3)

    def __missing__(self, key: str) -> str:
        known = _words()
        if key in known.linked:
            for field, value in self._random.choice(known.linked[key]).items():
                self[field] = self.fill(value)
        elif key in known.alone:
            self[key] = self.fill(self._random.choice(known.alone[key]))
        else:
            raise unknown_slot(key, "letters")
        return self[key]

    def fill(self, template: str) -> str:
        return template.format_map(self)

    def choose(self, templates: tuple[str, ...]) -> str:
        return self.fill(self._random.choice(templates))


def letter(random: Random) -> str:
    """Write a letter, private or formal; thank-you letters are the most common."""
    slots = _Slots(random)
    occasion = _occasion(random, "letters")
    return "\n\n".join((_greeting(slots, occasion), *_body(slots, occasion), _ending(slots, occasion)))


def email(random: Random) -> str:
    """Write an e-mail whose body keeps to its subject: the same thing, the same day."""
    slots = _Slots(random)
    occasion = _occasion(random, "emails")
    header = f"Subject: {slots.choose(occasion.subjects)}"
    greeting = _greeting(slots, occasion)
    body = _body(slots, occasion)
    ending = _ending(slots, occasion)
    if random.random() < 0.3:
        role = slots.choose(_for_readers("roles", occasion))
        ending += f"\n{role}" if role else ""
    return "\n\n".join((_addresses(random, slots, occasion) + header, greeting, *body, ending))


def is_complete_letter(text: str) -> bool:
    """Whether a letter or e-mail has a greeting, a sentence, a known closing and a signature below it."""
    lines = [line.strip() for line in text.strip().split("\n")]
    start = next((at for at, line in enumerate(lines) if line and not _HEADER.match(line)), len(lines))
    if start == len(lines) or not _GREETING.match(lines[start]):
        return False
    end = next((at for at in range(start + 1, len(lines)) if lines[at] in closings()), None)
    if end is None or end + 1 >= len(lines) or not lines[end + 1][:1].isupper():
        return False
    return any(line.endswith((".", "!", "?")) for line in lines[start + 1 : end])


def closings() -> tuple[str, ...]:
    """Every line that counts as the closing of a letter."""
    return table("letter_words").texts("all_closings")


@cache
def occasions(kind: str) -> tuple[Occasion, ...]:
    """What `letters` or `emails` are about."""
    return tuple(_read_occasion(entry, kind) for entry in table("letters").tables(kind))


def _read_occasion(entry: Table, kind: str) -> Occasion:
    paragraphs = tuple(
        tuple(tuple(map(_variant, lines)) for lines in blocks) for blocks in entry.paragraphs("paragraphs")
    )
    subjects = entry.texts("subjects") if kind == "emails" else ()
    return Occasion(entry.number("weight"), entry.text("readers"), paragraphs, subjects)


def _variant(line: str) -> str:
    return "" if line == "-" else line.replace("\\n", "\n")


@cache
def _words() -> Words:
    file = table("letter_words")
    alone = {slot: words(name) for slot, name in (("city", "cities"), ("weekday", "weekdays"), ("month", "months"))}
    alone |= file.table("words").each_texts()
    alone |= {slot: _numbers(numbers) for slot, numbers in file.table("numbers").each_table().items()}
    groups = [tuple(row.each_text() for row in group.tables("rows")) for group in file.tables("linked")]
    return Words(alone, {slot: rows for rows in groups for slot in rows[0]})


def _numbers(numbers: Table) -> tuple[str, ...]:
    counted = range(numbers.number("first"), numbers.number("last") + 1, numbers.number("step"))
    return tuple(filled(numbers.text("written"), number) for number in counted)


@cache
def _weights(kind: str) -> tuple[int, ...]:
    return tuple(accumulate(occasion.weight for occasion in occasions(kind)))


def _occasion(random: Random, kind: str) -> Occasion:
    return random.choices(occasions(kind), cum_weights=_weights(kind))[0]


def _for_readers(part: str, occasion: Occasion) -> tuple[str, ...]:
    return table("letter_words").table(part).texts(occasion.readers)


def _greeting(slots: _Slots, occasion: Occasion) -> str:
    return slots.choose(_for_readers("greetings", occasion))


def _body(slots: _Slots, occasion: Occasion) -> list[str]:
    return [text for paragraph in occasion.paragraphs if (text := _paragraph(slots, paragraph))]


def _paragraph(slots: _Slots, sentences: Sentences) -> str:
    return " ".join(text for variants in sentences if (text := slots.choose(variants)))


def _ending(slots: _Slots, occasion: Occasion) -> str:
    closing = slots.choose(_for_readers("closings", occasion))
    return f"{closing}\n{slots.choose(_for_readers('signatures', occasion))}"


def _addresses(random: Random, slots: _Slots, occasion: Occasion) -> str:
    to = f"To: {slots.choose(_for_readers('addressees', occasion))}\n"
    own = f"From: {slots.fill('{sender} {own_surname}')}\n"
    return random.choices(("", to, own, own + to), weights=(14, 3, 2, 1))[0]
