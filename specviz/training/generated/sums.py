"""Small sums in everyday words. Every answer states its sum first: a small model works it out by writing it down."""

import re
from dataclasses import dataclass
from random import Random

from specviz.training.generated.words import FOODS, NAMES, THINGS

LARGEST = 50
NUMBER_AFTER_EQUALS = re.compile(r"[^=\n]*=[ \t]*(\d+)(?![\d.,]*\d)")

IRREGULAR = {
    "boxes": "box", "cherries": "cherry", "children": "child", "lunch boxes": "lunch box", "mangoes": "mango",
    "passengers": "passenger",
    "peaches": "peach", "people": "person", "potatoes": "potato", "puppies": "puppy", "sandwiches": "sandwich",
    "sheep": "sheep",
    "tomatoes": "tomato", "benches": "bench", "fish": "fish",
}  # fmt: skip


@dataclass(frozen=True)
class Scenario:
    """A story with a first number of things and a second number, its question, and how the answer is finished."""

    story: str
    question: str
    answer: str
    things: tuple[str, ...]
    least: int = 1


HOLDINGS = FOODS + THINGS

ADDITIONS = (
    Scenario(
        "{name} has {first} and buys {b} more.",
        "How many {things} does {name} have now?",
        "{name} has {sum} now.",
        HOLDINGS,
    ),
    Scenario(
        "{name} has {first} and gets {b} more.",
        "How many {things} does {name} have now?",
        "{name} has {sum} now.",
        HOLDINGS,
    ),
    Scenario(
        "{name} has {first} and finds {b} more.", "How many {things} does {name} have?", "{name} has {sum}.", HOLDINGS
    ),
    Scenario(
        "{name} has {first}. {other} gives {name} {b} more.",
        "How many {things} does {name} have now?",
        "{name} has {sum} now.",
        HOLDINGS,
    ),
    Scenario(
        "{name} has {first} and {other} has {second}.",
        "How many {things} do they have together?",
        "Together they have {sum}.",
        HOLDINGS,
    ),
    Scenario(
        "{name} buys {first} and {other} buys {second}.",
        "How many {things} do they buy in all?",
        "In all they buy {sum}.",
        HOLDINGS,
    ),
    Scenario(
        "{name} puts {first} in a bag and then {b} more.",
        "How many {things} are in the bag?",
        "In the bag there are {sum}.",
        HOLDINGS,
    ),
    Scenario(
        "There are {first} in a box. {name} puts in {b} more.",
        "How many {things} are in the box now?",
        "In the box there are {sum} now.",
        HOLDINGS,
        2,
    ),
    Scenario(
        "There are {first} on the table and {second} on the shelf.",
        "How many {things} are there in all?",
        "In all there are {sum}.",
        HOLDINGS,
        2,
    ),
    Scenario(
        "{name} counts {first} in the morning and {second} in the evening.",
        "How many {things} does {name} count?",
        "{name} counts {sum}.",
        ("birds", "boats", "cars", "ducks", "stars", "trains"),
    ),
    Scenario(
        "There are {first} on the bus. At the next stop {b} more get on.",
        "How many {things} are on the bus now?",
        "On the bus there are {sum} now.",
        ("people", "passengers", "children"),
        2,
    ),
    Scenario(
        "{first} are playing in the park. Then {b} more come.",
        "How many {things} are in the park now?",
        "In the park there are {sum} now.",
        ("children", "dogs", "girls", "boys"),
        2,
    ),
    Scenario(
        "{name} reads {first} on Monday and {second} on Tuesday.",
        "How many {things} does {name} read in all?",
        "In all {name} reads {sum}.",
        ("pages", "poems", "stories"),
    ),
    Scenario(
        "A farmer has {first} and buys {b} more.",
        "How many {things} does the farmer have now?",
        "The farmer has {sum} now.",
        ("cows", "ducks", "goats", "hens", "horses", "pigs", "sheep"),
    ),
    Scenario(
        "A class has {first}. Then {b} more join the class.",
        "How many {things} are in the class now?",
        "In the class there are {sum} now.",
        ("children", "girls", "boys"),
        2,
    ),
    Scenario(
        "{name} bakes {first} on Saturday and {second} on Sunday.",
        "How many {things} does {name} bake?",
        "{name} bakes {sum}.",
        ("biscuits", "cakes", "cookies", "muffins", "pies", "rolls"),
    ),
    Scenario(
        "{name} picks {first} and {other} picks {second}.",
        "How many {things} do they pick together?",
        "Together they pick {sum}.",
        ("apples", "cherries", "flowers", "lemons", "pears", "plums", "roses"),
    ),
    Scenario(
        "{name} plants {first} in the garden. The next day {name} plants {b} more.",
        "How many {things} does {name} plant?",
        "{name} plants {sum}.",
        ("beans", "flowers", "roses", "seeds", "trees", "tulips"),
    ),
    Scenario(
        "A shop sells {first} in the morning and {second} in the afternoon.",
        "How many {things} does the shop sell?",
        "The shop sells {sum}.",
        (*HOLDINGS, "bikes", "hats", "lamps"),
    ),
    Scenario(
        "{name} saves {first} in May and {second} in June.",
        "How many {things} does {name} save?",
        "{name} saves {sum}.",
        ("dollars", "euros", "coins"),
    ),
    Scenario(
        "A book costs {first} and a game costs {second}.",
        "How many {things} do they cost together?",
        "Together they cost {sum}.",
        ("dollars", "euros"),
    ),
    Scenario(
        "{name} walks for {first} and then runs for {second}.",
        "How many {things} is that in all?",
        "In all that is {sum}.",
        ("minutes",),
        2,
    ),
    Scenario(
        "{first} are sitting in a tree. Then {b} more come.",
        "How many {things} are in the tree now?",
        "In the tree there are {sum} now.",
        ("birds", "crows", "monkeys", "owls"),
        2,
    ),
    Scenario(
        "{name} draws {first} and {other} draws {second}.",
        "How many {things} do they draw?",
        "They draw {sum}.",
        ("cats", "circles", "faces", "houses", "pictures", "stars", "trees"),
    ),
)

SUBTRACTIONS = (
    Scenario(
        "{name} has {first} and eats {b} of them.",
        "How many {things} does {name} have left?",
        "{name} has {sum} left.",
        FOODS,
    ),
    Scenario(
        "{name} has {first} and gives {b} of them to {other}.",
        "How many {things} does {name} have left?",
        "{name} has {sum} left.",
        HOLDINGS,
    ),
    Scenario(
        "{name} has {first} and loses {b} of them.",
        "How many {things} does {name} have now?",
        "{name} has {sum} now.",
        THINGS,
    ),
    Scenario(
        "{name} has {first} and sells {b} of them.",
        "How many {things} does {name} have left?",
        "{name} has {sum} left.",
        HOLDINGS,
    ),
    Scenario(
        "There are {first} in a basket. {name} takes out {b} of them.",
        "How many {things} are left in the basket?",
        "In the basket there are {sum} left.",
        FOODS,
    ),
    Scenario(
        "There are {first} on the bus. At the next stop {b} of them get off.",
        "How many {things} are still on the bus?",
        "On the bus there are still {sum}.",
        ("people", "passengers", "children"),
        2,
    ),
    Scenario(
        "{name} bakes {first}. The children eat {b} of them.",
        "How many {things} are left?",
        "There are {sum} left.",
        ("biscuits", "cakes", "cookies", "muffins", "pies", "rolls"),
    ),
    Scenario(
        "{first} are sitting in a tree. Then {b} of them fly away.",
        "How many {things} are still in the tree?",
        "In the tree there are still {sum}.",
        ("birds", "crows", "owls", "sparrows"),
        2,
    ),
    Scenario(
        "{name} has {first} and spends {b} of them.",
        "How many {things} does {name} have left?",
        "{name} has {sum} left.",
        ("dollars", "euros", "coins"),
    ),
    Scenario(
        "A shop has {first}. It sells {b} of them.",
        "How many {things} are left in the shop?",
        "In the shop there are {sum} left.",
        (*HOLDINGS, "bikes", "hats", "lamps"),
    ),
    Scenario(
        "A book has {first}. {name} has read {b} of them.",
        "How many {things} does {name} still have to read?",
        "{name} still has to read {sum}.",
        ("pages",),
    ),
    Scenario(
        "There are {first} in the class. Today {b} of them are ill.",
        "How many {things} are at school today?",
        "At school there are {sum} today.",
        ("children", "girls", "boys"),
        2,
    ),
    Scenario(
        "{name} picks {first} and puts {b} of them in a vase.",
        "How many {things} are left over?",
        "There are {sum} left over.",
        ("flowers", "roses", "tulips"),
    ),
    Scenario(
        "A farmer has {first} and sells {b} of them.",
        "How many {things} does the farmer have left?",
        "The farmer has {sum} left.",
        ("cows", "ducks", "goats", "hens", "horses", "pigs", "sheep"),
    ),
)

ASKED_ADDITIONS = (
    "What is {a} plus {b}?",
    "What is {a} + {b}?",
    "How much is {a} plus {b}?",
    "Add {a} and {b}.",
    "{a} plus {b}?",
)
ASKED_SUBTRACTIONS = (
    "What is {a} minus {b}?",
    "What is {a} - {b}?",
    "How much is {a} minus {b}?",
    "Take {b} away from {a}.",
)


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
    scenario = random.choice(ADDITIONS)
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


def amount(number: int, things: str) -> str:
    """The number with its things, in the singular for one."""
    return f"{number} {_singular(things) if number == 1 else things}"


def _singular(things: str) -> str:
    if things in IRREGULAR:
        return IRREGULAR[things]
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
    name, other = random.sample(NAMES, k=2)
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
    problem = f"{scenario.story} {scenario.question}".format(**parts)
    worked = f"{a} {sign} {b} = "
    if random.random() < 0.5:
        return problem, scenario.answer.format(sum=worked + amount(total, things), **parts)
    sentence = scenario.answer.format(sum=amount(total, things), **parts)
    return problem, f"{worked}{total}. {_agreeing(sentence, total)}"


def _agreeing(sentence: str, total: int) -> str:
    return sentence.replace("there are", "there is").replace("There are", "There is") if total == 1 else sentence


def _problem(random: Random, *, framed: bool) -> str:
    if random.random() < 0.7:
        scenario = random.choice(ADDITIONS)
        problem, answer = _told(random, scenario, *_addends(random, scenario.least), sign="+")
    else:
        scenario = random.choice(SUBTRACTIONS)
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
    question = random.choice(ASKED_ADDITIONS if sign == "+" else ASKED_SUBTRACTIONS)
    return f"{question.format(a=a, b=b)}\n{a} {sign} {b} = {total}"


def _bare(random: Random) -> str:
    a, sign, b, total = _any(random)
    return f"{a} {sign} {b} = {total}"
