"""Short lists with a heading: things of one kind, things to take along, groceries, tasks, good intentions."""

from collections.abc import Sequence
from random import Random

from recipes.embedded.templates.counting import number_word
from recipes.embedded.templates.data_files import table
from recipes.embedded.templates.words import words


def listing(random: Random) -> str:
    """A short list with a heading: things of one kind, things to take along, groceries, tasks or good intentions."""
    return random.choice((_kinds, _kinds, _packing, _shopping, _tasks, _resolutions))(random)


def _dashes(items: Sequence[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _numbered(items: Sequence[str]) -> str:
    return "\n".join(f"{number}. {item}" for number, item in enumerate(items, start=1))


def _kinds(random: Random) -> str:
    kinds = table("lists").table("kinds")
    kind = random.choice(tuple(kinds))
    things = random.sample(kinds.texts(kind), k=random.randint(5, 10))
    heading = number_word(len(things)).capitalize() + f" {kind}:"
    form = random.randrange(4)
    if form == 0:
        return f"{heading} {', '.join(things)}."
    if form == 1:
        return f"{heading} {', '.join(things[:-1])} and {things[-1]}."
    return f"{heading}\n{_dashes(things) if form == 2 else _numbered(things)}"


def _packing(random: Random) -> str:
    packing = table("lists").table("packing")
    way = random.choice(tuple(packing))
    things = random.sample(packing.texts(way), k=random.randint(4, 9))
    _, _, place = way.partition(" ")
    heading = random.choice((f"Things to take {way}:", f"What to pack for {place}:", f"Packing list for {place}:"))
    return f"{heading}\n{_dashes(things)}"


def _shopping(random: Random) -> str:
    things = random.sample(table("lists").texts("groceries"), k=random.randint(5, 10))
    food = random.choice(words("foods"))
    if not any(food in thing for thing in things):
        things.append(f"{random.randint(3, 9)} {food}")
    heading = random.choice(
        (
            "Shopping list:",
            "Groceries for the week:",
            "Things to buy:",
            f"{random.choice(words('names'))}'s shopping list:",
        )
    )
    return f"{heading}\n{_dashes(things)}"


def _tasks(random: Random) -> str:
    tasks = random.sample(table("lists").texts("tasks"), k=random.randint(4, 8))
    day = random.choice((*words("weekdays"), "today", "tomorrow", "the weekend"))
    heading = random.choice((f"To-do list for {day}:", f"Tasks for {day}:"))
    form = random.randrange(3)
    if form == 0:
        lines = [f"- [{random.choice(' x')}] {task}" for task in tasks]
        return "\n".join((heading, *lines))
    return f"{heading}\n{_numbered(tasks) if form == 1 else _dashes(tasks)}"


def _resolutions(random: Random) -> str:
    lines = random.sample(table("lists").texts("resolutions"), k=random.randint(4, 7))
    count = number_word(len(lines)).capitalize()
    heading = random.choice(
        (f"{count} good habits:", f"{count} plans for the new year:", f"{count} small ways to a better week:")
    )
    return f"{heading}\n{_numbered(lines)}"
