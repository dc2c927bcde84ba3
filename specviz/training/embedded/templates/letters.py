"""Letters and e-mails: a greeting, a few short paragraphs about one occasion, a closing and a name.

A document draws each slot once and remembers it, so the weekday in a subject is the weekday in the body.
"""

import re
from random import Random

from specviz.training.embedded.templates.letter_occasions import (
    EMAIL_WEIGHTS,
    EMAILS,
    LETTER_WEIGHTS,
    LETTERS,
    Occasion,
    Sentences,
)
from specviz.training.embedded.templates.letter_words import (
    ADDRESSEES,
    CLOSINGS,
    CLOSINGS_OF,
    GREETINGS,
    LINKED_BY_FIELD,
    ROLES,
    SIGNATURES,
    WORDS,
)
from specviz.training.embedded.templates.words import NAMES, SURNAMES

_HEADER = re.compile(r"(Subject|To|From|Date|Cc): ")
_GREETING = re.compile(r"(Dear|My dear|Hello|Hi|Good morning|Good afternoon|Good evening)\b.{0,50},$")


class _Slots(dict[str, str]):
    """Fills a template's slots, each drawn when first met and the same ever after."""

    def __init__(self, random: Random) -> None:
        super().__init__()
        self._random = random
        self["reader"], self["partner"], self["sender"], self["friend"], self["other"] = random.sample(NAMES, 5)
        self["surname"], self["own_surname"], self["third_surname"] = random.sample(SURNAMES, 3)

    def __missing__(self, key: str) -> str:
        if key in LINKED_BY_FIELD:
            fields, rows = LINKED_BY_FIELD[key]
            for field, value in zip(fields, self._random.choice(rows), strict=True):
                self[field] = self.fill(value)
        else:
            self[key] = self.fill(self._random.choice(WORDS[key]))
        return self[key]

    def fill(self, template: str) -> str:
        return template.format_map(self)

    def choose(self, templates: tuple[str, ...]) -> str:
        return self.fill(self._random.choice(templates))


def letter(random: Random) -> str:
    """Write a letter, private or formal; thank-you letters are the most common."""
    slots = _Slots(random)
    occasion = random.choices(LETTERS, cum_weights=LETTER_WEIGHTS)[0]
    return "\n\n".join((_greeting(slots, occasion), *_body(slots, occasion), _ending(slots, occasion)))


def email(random: Random) -> str:
    """Write an e-mail whose body keeps to its subject: the same thing, the same day."""
    slots = _Slots(random)
    occasion = random.choices(EMAILS, cum_weights=EMAIL_WEIGHTS)[0]
    header = f"Subject: {slots.choose(occasion.subjects)}"
    greeting = _greeting(slots, occasion)
    body = _body(slots, occasion)
    ending = _ending(slots, occasion)
    if random.random() < 0.3:
        role = slots.choose(ROLES[occasion.readers])
        ending += f"\n{role}" if role else ""
    return "\n\n".join((_addresses(random, slots, occasion) + header, greeting, *body, ending))


def is_complete_letter(text: str) -> bool:
    """Tell whether a letter or e-mail has a greeting, a sentence, a known closing and a signature below it."""
    lines = [line.strip() for line in text.strip().split("\n")]
    start = next((at for at, line in enumerate(lines) if line and not _HEADER.match(line)), len(lines))
    if start == len(lines) or not _GREETING.match(lines[start]):
        return False
    end = next((at for at in range(start + 1, len(lines)) if lines[at] in CLOSINGS), None)
    if end is None or end + 1 >= len(lines) or not lines[end + 1][:1].isupper():
        return False
    return any(line.endswith((".", "!", "?")) for line in lines[start + 1 : end])


def _greeting(slots: _Slots, occasion: Occasion) -> str:
    return slots.choose(GREETINGS[occasion.readers])


def _body(slots: _Slots, occasion: Occasion) -> list[str]:
    return [text for paragraph in occasion.paragraphs if (text := _paragraph(slots, paragraph))]


def _paragraph(slots: _Slots, sentences: Sentences) -> str:
    return " ".join(text for variants in sentences if (text := slots.choose(variants)))


def _ending(slots: _Slots, occasion: Occasion) -> str:
    closing = slots.choose(CLOSINGS_OF[occasion.readers])
    return f"{closing}\n{slots.choose(SIGNATURES[occasion.readers])}"


def _addresses(random: Random, slots: _Slots, occasion: Occasion) -> str:
    to = f"To: {slots.choose(ADDRESSEES[occasion.readers])}\n"
    own = f"From: {slots.fill('{sender} {own_surname}')}\n"
    return random.choices(("", to, own, own + to), weights=(14, 3, 2, 1))[0]
