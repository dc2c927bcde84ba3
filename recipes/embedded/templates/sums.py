"""Small sums in everyday words. Every answer writes the sum first: this helps a small model to work it out."""

import re
from functools import cache
from random import Random
from typing import NamedTuple

from recipes.embedded.templates.data_files import Table, filled, table
from recipes.embedded.templates.words import words

LARGEST = 50
NUMBER_AFTER_EQUALS = re.compile(r"[^=\n]*=[ \t]*(\d+)(?![\d.,]*\d)")


class Scenario(NamedTuple):
    """A story with a first number of things and a second number, its question, and how the answer is finished."""

    story: str
    question: str
    answer: str
    things: tuple[str, ...]
    least: int


def held_out(a: int, b: int) -> bool:
    """Whether adding these two numbers, in either order, is reserved for the examination: about 10% of the pairs."""
    low, high = min(a, b), max(a, b)
    return (low * 7919 + high * 104729 + low * high * 31) % 101 < 10


def sums(random: Random) -> str:
    """A document of one to four word problems with their answers, or of bare sums, asked or only stated."""
    form = random.random()
    if form < 0.7:
        count = random.choice((1, 2, 2, 3, 3, 4))
        framed = random.random() < 0.25
        return "\n\n".join(_problem(random, framed=framed) for _ in range(count))
    if form < 0.85:
        return "\n\n".join(_asked(random) for _ in range(random.randint(2, 6)))
    return "\n".join(_bare(random) for _ in range(random.randint(5, 12)))


def sums_examination(random: Random) -> tuple[str, str]:
    """A word problem on a reserved pair of addends, up to its question's end of line, and the expected number."""
    scenario = random.choice(scenarios("additions"))
    while True:
        a, b = _number(random, scenario.least), _number(random, scenario.least)
        if held_out(a, b):
            break
    prompt, _ = _told(random, scenario, a, b, sign="+")
    return prompt + "\n", str(a + b)


def right(text_after_prompt: str, expected: str) -> bool:
    """Whether the number after the first equals sign in the continuation's first line is the expected one."""
    found = NUMBER_AFTER_EQUALS.match(text_after_prompt)
    return found is not None and found[1] == expected


@cache
def scenarios(kind: str) -> tuple[Scenario, ...]:
    """The stories of `additions` or `subtractions`."""
    return tuple(map(_scenario, table("sums").tables(kind)))


def _scenario(entry: Table) -> Scenario:
    shared = tuple(thing for name in entry.texts("shared", ()) for thing in words(name))
    things = shared + entry.texts("things", () if shared else None)
    return Scenario(entry.text("story"), entry.text("question"), entry.text("answer"), things, entry.number("least", 1))


def amount(number: int, things: str) -> str:
    """The number with its things, in the singular for one."""
    return f"{number} {_singular(things) if number == 1 else things}"


def _singular(things: str) -> str:
    irregular = table("sums").table("singular")
    if things in irregular:
        return irregular.text(things)
    return (
        things.removesuffix("ies") + "y"
        if things.endswith("ies") and things not in {"cookies", "pies"}
        else things.removesuffix("s")
    )


def _number(random: Random, least: int) -> int:
    return random.randint(least, random.choice((12, 20, LARGEST, LARGEST)))


def _addends(random: Random, least: int) -> tuple[int, int]:
    while True:
        a, b = _number(random, least), _number(random, least)
        if not held_out(a, b):
            return a, b


def _taking(random: Random, least: int) -> tuple[int, int]:
    a = random.randint(least + 2, random.choice((12, 20, LARGEST, LARGEST)))
    return a, random.randint(least, a - 1)


def _told(random: Random, scenario: Scenario, a: int, b: int, sign: str) -> tuple[str, str]:
    """The problem and its answer, the answer either with the sum inside its sentence or with the sum before it."""
    name, other = random.sample(words("names"), k=2)
    things = random.choice(scenario.things)
    total = a + b if sign == "+" else a - b
    parts = {
        "name": name,
        "other": other,
        "things": things,
        "b": str(b),
        "first": amount(a, things),
        "second": amount(b, things),
    }
    problem = filled(f"{scenario.story} {scenario.question}", **parts)
    worked = f"{a} {sign} {b} = "
    if random.random() < 0.5:
        return problem, filled(scenario.answer, sum=worked + amount(total, things), **parts)
    sentence = filled(scenario.answer, sum=amount(total, things), **parts)
    return problem, f"{worked}{total}. {_agreeing(sentence, total)}"


def _agreeing(sentence: str, total: int) -> str:
    return sentence.replace("there are", "there is").replace("There are", "There is") if total == 1 else sentence


def _problem(random: Random, *, framed: bool) -> str:
    if random.random() < 0.7:
        scenario = random.choice(scenarios("additions"))
        problem, answer = _told(random, scenario, *_addends(random, scenario.least), sign="+")
    else:
        scenario = random.choice(scenarios("subtractions"))
        problem, answer = _told(random, scenario, *_taking(random, scenario.least), sign="-")
    return f"Question: {problem}\nAnswer: {answer}" if framed else f"{problem}\n{answer}"


def _any(random: Random) -> tuple[int, str, int, int]:
    if random.random() < 0.75:
        a, b = _addends(random, 0)
        return a, "+", b, a + b
    a = _number(random, 0)
    b = random.randint(0, a)
    return a, "-", b, a - b


def _asked(random: Random) -> str:
    a, sign, b, total = _any(random)
    question = random.choice(table("sums").texts("asked_additions" if sign == "+" else "asked_subtractions"))
    return f"{filled(question, a=a, b=b)}\n{a} {sign} {b} = {total}"


def _bare(random: Random) -> str:
    a, sign, b, total = _any(random)
    return f"{a} {sign} {b} = {total}"
