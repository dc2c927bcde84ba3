"""Texts that follow a rule: counting in steps, days, months, letters."""

from collections.abc import Callable
from random import Random

from recipes.embedded.templates.data_files import filled, table
from recipes.embedded.templates.words import words

STEPS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 25, 50, 100)
LAST_START = 60
ASKED = 5
ALPHABET = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def held_out(start: int, step: int) -> bool:
    """Whether counting from start in these steps is reserved for the examination: about 12% of the pairs.

    Counting from zero, from one, and multiplication tables are what people know first, so these are never reserved;
    nor is counting down.
    """
    if step < 1 or start < 1 or start == step or (start, step) == (1, 1):
        return False
    return (start * 7919 + step * 104729 + start * step * 31) % 101 < 13


def counting(random: Random) -> str:
    """A document that follows a rule: mostly one to three runs of numbers, else days, months or letters."""
    if random.random() < 0.7:
        forms = [_form(random) for _ in range(random.choice((1, 1, 2, 3)))]
        parts = [form(random) for form in forms]
    else:
        parts = random.sample([write(random) for write in OTHERS], k=random.choice((1, 2, 2)))
    while len("\n".join(parts)) < 40:
        parts.append(_upward(random))
    return "\n".join(parts)


def counting_examination(random: Random) -> tuple[str, str]:
    """A prompt that shows the first terms of a reserved run and ends after a comma, and the five terms that follow."""
    start, step = _pair(random, reserved=True)
    shown = random.choice((3, 4))
    terms = [str(start + number * step) for number in range(shown + ASKED)]
    given = ", ".join(terms[:shown])
    whole = filled(random.choice(_texts("upward")), start=start, step=step, group=_group(step), run=given)
    return whole.removesuffix(".") + ",", ", ".join(terms[shown:])


def number_word(number: int) -> str:
    """The number in words, from zero to ninety-nine."""
    if number < 20:
        return _texts("ones")[number]
    tens, ones = divmod(number, 10)
    return _texts("tens")[tens] + (f"-{_texts('ones')[ones]}" if ones else "")


def _texts(name: str) -> tuple[str, ...]:
    return table("counting").texts(name)


def _group(step: int) -> str:
    return table("counting").table("groups").text(str(step))


def _form(random: Random) -> Callable[[Random], str]:
    return random.choices((_upward, _upward_to, _downward, _in_words), weights=(14, 3, 3, 2))[0]


def _pair(random: Random, *, reserved: bool) -> tuple[int, int]:
    while True:
        start, step = random.randint(0, LAST_START), random.choice(STEPS)
        if random.random() < 0.15:
            start = random.choice((0, step)) if step <= LAST_START else 0
        if held_out(start, step) == reserved:
            return start, step


def _run(start: int, step: int, length: int) -> str:
    return ", ".join(str(start + number * step) for number in range(length))


def _upward(random: Random) -> str:
    start, step = _pair(random, reserved=False)
    run = _run(start, step, random.randint(10, 14))
    return filled(random.choice(_texts("upward")), start=start, step=step, group=_group(step), run=run)


def _upward_to(random: Random) -> str:
    start, step = _pair(random, reserved=False)
    length = random.randint(8, 14)
    end = start + (length - 1) * step
    run = _run(start, step, length)
    return filled(random.choice(_texts("upward_to")), start=start, step=step, end=end, group=_group(step), run=run)


def _downward(random: Random) -> str:
    step = random.choice(STEPS)
    length = random.randint(6, 11)
    end = random.choice((0, 0, random.randint(0, 20)))
    start = end + (length - 1) * step
    run = _run(start, -step, length)
    return filled(random.choice(_texts("downward")), start=start, step=step, end=end, group=_group(step), run=run)


def _in_words(random: Random) -> str:
    while True:
        start, step = random.choice((0, 1, 1, random.randint(0, 30))), random.choice((1, 1, 1, 2, 5, 10))
        numbers = range(start, min(start + 12 * step, 100), step)
        if not held_out(start, step) and len(numbers) >= 8:
            break
    spelled = ", ".join(map(number_word, numbers))
    return random.choice(
        (f"Counting in words: {spelled}.", spelled[0].upper() + spelled[1:] + ".", f"Say the numbers: {spelled}.")
    )


def _days(random: Random) -> str:
    first = random.randrange(7)
    days = [words("weekdays")[(first + number) % 7] for number in range(7)]
    if random.random() < 0.5:
        days = list(words("weekdays"))
        return f"The days of the week are {', '.join(days[:-1])} and {days[-1]}."
    return f"The days of the week from {days[0]} on: {', '.join(days)}."


def _months(random: Random) -> str:
    months = words("months")
    if random.random() < 0.5:
        return f"The months of the year are {', '.join(months[:-1])} and {months[-1]}."
    first = random.randrange(12)
    return f"Twelve months from {months[first]} on: {', '.join(months[first:] + months[:first])}."


def _alphabet(random: Random) -> str:
    letters = ALPHABET if random.random() < 0.5 else tuple(letter.lower() for letter in ALPHABET)
    forms = (
        f"The letters of the alphabet are {', '.join(letters)}.",
        ", ".join(letters),
        f"The alphabet backwards: {', '.join(reversed(letters))}.",
        f"The alphabet: {' '.join(letters)}",
    )
    return random.choice(forms)


def _ordinals(random: Random) -> str:
    ordinals = _texts("ordinals")
    if random.random() < 0.3:
        return f"In order: {', '.join(ordinals[: random.randint(6, 12)])}."
    count = random.randint(3, 8)
    named = zip(words("months"), ordinals, strict=True)
    lines = [f"{month} is the {ordinal} month of the year." for month, ordinal in named]
    first = random.randint(0, 12 - count)
    return "\n".join(lines[first : first + count])


def _neighbors(random: Random) -> str:
    asked = random.sample(range(1, 100), k=random.randint(2, 4))
    return "\n".join(f"The number after {number} is {number + 1}." for number in asked)


def _next_day(random: Random) -> str:
    days = random.sample(range(7), k=random.randint(2, 4))
    form = random.choice(_texts("next_day"))
    names = words("weekdays")
    return "\n".join(filled(form, day=names[day], next=names[(day + 1) % 7]) for day in days)


def _next_month(random: Random) -> str:
    months = random.sample(range(12), k=random.randint(2, 4))
    form = random.choice(_texts("next_month"))
    names = words("months")
    return "\n".join(filled(form, month=names[month], next=names[(month + 1) % 12]) for month in months)


def _numbered_words(random: Random) -> str:
    return "\n".join(f"{number}. {number_word(number)}" for number in range(1, random.randint(6, 16)))


OTHERS = (_days, _months, _alphabet, _ordinals, _neighbors, _next_day, _next_month, _numbered_words)
