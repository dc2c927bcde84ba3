"""Exercises in saying again what stands above: words, names, lists, small changes to a sentence, who has what.

Copying is a skill of its own, and one that a small network finds late where every text is different (induction heads: Olsson et al. 2022,
section 4): these short texts, in which nothing but copying helps, let it find it early.
"""

from collections.abc import Callable, Sequence
from random import Random

from specviz.training.generated.words import ANIMALS, CITIES, FOODS, NAMES, SURNAMES, THINGS, WEEKDAYS

_HEADS = ("b", "bl", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p", "pl", "qu", "r", "s", "sh", "st", "t", "tr", "v", "w", "z")  # fmt: skip
_HEARTS = ("a", "e", "i", "o", "u", "ai", "ea", "oo", "ou")
_TAILS = ("", "", "b", "ck", "d", "g", "l", "ll", "m", "n", "nd", "ng", "p", "r", "rk", "s", "st", "t", "x")
_COLOURS = ("red", "blue", "green", "yellow", "white", "black", "brown", "grey", "purple", "pink", "golden")
_SINGLE = ("ball", "book", "boat", "box", "bell", "cup", "coat", "drum", "flute", "hat", "kite", "key", "lamp", "map", "pen", "ring", "scarf", "spoon", "stone")  # fmt: skip
_SAYINGS = (
    "The {c} {o} of {n} is in {t}.",
    "{n} gave the {c} {o} to {m}.",
    "On {d} {n} takes the train to {t}.",
    "{n} and {m} met in {t} on {d}.",
    "There are {k} {f} on the table and {j} in the bag.",
    "The {a} sat on the {c} {o} and looked at {n}.",
    "{n} has {k} {f}, and {m} has a {c} {o}.",
    "Nobody but {n} knows where the {c} {o} is.",
    "The {a} from {t} carried the {o} to {m}.",
    "At {k} o'clock {n} wrote to {m} about the {o}.",
)
_AGAIN = (
    ("Say it again: ", "\n", ""),
    ("Repeat after me: ", "\n", ""),
    ("Read: ", "\nRead again: ", ""),
    ("Copy this line.\n", "\n", ""),
    ('He said, "', '" She said it too: "', '"'),
    ("Original: ", "\nCopy: ", ""),
    ("> ", "\n> ", ""),
    ("Input: ", "\nOutput: ", ""),
    ("Write this three times.\n", "\n", ""),
    ("Echo: ", "\nEcho: ", ""),
)


def repeat(random: Random) -> str:
    """One exercise, sometimes two or three of a kind in a row."""
    kind = random.choice(_KINDS)
    return "\n\n".join(kind(random) for _ in range(random.choice((1, 1, 2, 3))))


def _again(random: Random) -> str:
    """A line and the same line again."""
    line = random.choice((_words, _saying, _list, _code))(random)
    before, between, after = random.choice(_AGAIN)
    times = 3 if "three" in before else 2
    return before + between.join([line] * times) + after


def _spelt(random: Random) -> str:
    """Words nobody knows, and what they are called a second time in the same order."""
    words = [_word(random) for _ in range(random.randint(2, 6))]
    numbered = [f"{place}. {word}" for place, word in enumerate(words, 1)]
    told = "\n".join(f"{place}. {word} is {random.choice(_COLOURS)}" for place, word in enumerate(words, 1))
    return "\n".join(numbered) + "\n\n" + told


def _owners(random: Random) -> str:
    """Who has what, and questions about it."""
    people = random.sample(NAMES, random.randint(2, 5))
    things = random.sample(_SINGLE, len(people))
    colours = [random.choice(_COLOURS) for _ in people]
    lines = [f"{who} has a {colour} {thing}." for who, colour, thing in zip(people, colours, things, strict=True)]
    asked = random.sample(range(len(people)), random.randint(1, len(people)))
    form = random.randrange(3)
    for place in asked:
        who, colour, thing = people[place], colours[place], things[place]
        lines.append(
            (
                f"Who has the {thing}? {who}.",
                f"What colour is the {thing}? {colour.capitalize()}.",
                f"What does {who} have? A {colour} {thing}.",
            )[form]
        )
    return ("\n" if random.random() < 0.5 else " ").join(lines)


def _list(random: Random) -> str:
    words = random.sample((*FOODS, *THINGS, *ANIMALS), random.randint(3, 7))
    return random.choice((", ", "; ", " and ", " - ")).join(words)


def _shopping(random: Random) -> str:
    """A list in a sentence, and as lines."""
    things = [f"{random.randint(2, 30)} {what}" for what in random.sample((*FOODS, *THINGS), random.randint(2, 6))]
    who = random.choice(NAMES)
    mark = random.choice(("- ", "* ", "[ ] ", ""))
    return f"{who} needs {', '.join(things[:-1])} and {things[-1]}.\n" + "\n".join(mark + thing for thing in things)


def _contacts(random: Random) -> str:
    """Names, and what is made of them: addresses, initials, greetings."""
    lines = []
    place = _word(random)
    form = random.randrange(4)
    for _ in range(random.randint(2, 5)):
        first, last = random.choice(NAMES), random.choice(SURNAMES)
        lines.append(
            (
                f"{first} {last} <{first.lower()}.{last.lower()}@{place}.example>",
                f"{first} {last}: Dear {first},",
                f"{last}, {first}: {first} {last}",
                f"{first} {last} lives in {(town := random.choice(CITIES))}. Write to {first} in {town}.",
            )[form]
        )
    return "\n".join(lines)


def _changed(random: Random) -> str:
    """A sentence with one word replaced."""
    colour, other = random.sample(_COLOURS, 2)
    name, another = random.sample(NAMES, 2)
    sentence = ""
    while colour not in sentence and name not in sentence:
        sentence = _saying(random, {"c": colour, "n": name, "m": random.choice(SURNAMES)})
    old, new = (colour, other) if colour in sentence else (name, another)
    before, after = random.choice((("Before: ", "\nAfter: "), ("", "\n"), ("Old: ", "\nNew: ")))
    return f"Change {old} to {new}.\n{before}{sentence}{after}{sentence.replace(old, new)}"


def _words(random: Random) -> str:
    return " ".join(_word(random) for _ in range(random.randint(3, 9)))


def _code(random: Random) -> str:
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"
    return "-".join("".join(random.choices(letters, k=4)) for _ in range(random.randint(1, 4)))


def _saying(random: Random, fixed: dict[str, str] | None = None) -> str:
    name, other = random.sample(NAMES, 2)
    gaps = {
        "n": name,
        "m": other,
        "c": random.choice(_COLOURS),
        "o": random.choice(_SINGLE),
        "t": random.choice(CITIES),
        "d": random.choice(WEEKDAYS),
        "f": random.choice((*FOODS, *THINGS)),
        "a": random.choice(ANIMALS),
        "k": str(random.randint(2, 12)),
        "j": str(random.randint(2, 12)),
    }
    return random.choice(_SAYINGS).format(**(gaps | (fixed or {})))


def _word(random: Random) -> str:
    """A word that no language has."""
    syllables = random.choice((1, 2, 2, 3))
    return "".join(
        random.choice(_HEADS) + random.choice(_HEARTS) + (random.choice(_TAILS) if place == syllables - 1 else "")
        for place in range(syllables)
    )


_KINDS: Sequence[Callable[[Random], str]] = (_again, _again, _spelt, _owners, _shopping, _contacts, _changed)
