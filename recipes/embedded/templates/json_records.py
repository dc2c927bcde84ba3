"""JSON documents: mostly a list of records of one kind, as json.dumps with an indent of two writes it."""

import json
from random import Random

from recipes.embedded.templates import record_kinds as kinds
from recipes.embedded.templates.data_files import table
from recipes.embedded.templates.record_kinds import Record
from recipes.embedded.templates.words import words

LONGEST = 700

_KINDS = (
    (kinds.people, 30), (kinds.products, 9), (kinds.books, 7), (kinds.orders, 7), (kinds.events, 6), (kinds.weather, 6), (kinds.cities, 5),
    (kinds.pets, 6), (kinds.recipes, 5), (kinds.sensors, 5), (kinds.songs, 5), (kinds.flights, 5), (kinds.tasks, 6), (kinds.students, 6),
    (kinds.employees, 6), (kinds.planets, 1),
)  # fmt: skip


def records(random: Random) -> str:
    """Write one complete JSON document of at most 700 characters; ids in a list count up by one."""
    form = random.random()
    if form < 0.75:
        return _fitting(_rows(random, 2, 5), indent=2)
    if form < 0.90:
        return json.dumps(_one_object(random), indent=2)
    if form < 0.94:
        return _fitting(_rows(random, 2, 3), indent=4)
    if form < 0.98:
        return _fitting(_rows(random, 2, 4), indent=None)
    return json.dumps(_person(random))


def is_complete_record(text: str) -> bool:
    """Whether the text is one complete JSON list or object."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, list | dict)


def _rows(random: Random, fewest: int, most: int) -> list[Record]:
    kind = random.choices([kind for kind, _ in _KINDS], [weight for _, weight in _KINDS])[0]
    return kind(random, random.randint(fewest, most))


def _fitting(rows: list[Record], indent: int | None) -> str:
    while len(text := json.dumps(rows, indent=indent)) > LONGEST:
        rows = rows[:-1]
    return text


def _one_object(random: Random) -> Record:
    makers = (_plain_object, _person, _order, _recipe, _settings, _answer)
    return random.choices(makers, (35, 25, 12, 10, 10, 8))[0](random)


def _plain_object(random: Random) -> Record:
    return _rows(random, 1, 1)[0]


def _person(random: Random) -> Record:
    name = random.choice(words("names")) if random.random() < 0.6 else kinds.full_names(random, 1)[0]
    person: Record = {"id": kinds.counted(random, 1)[0], "name": name, "age": random.randint(18, 79)}
    if random.random() < 0.6:
        person["email"] = kinds.email(name)
    if random.random() < 0.6:
        person["address"] = {
            "street": f"{random.randint(1, 120)} {random.choice(table('records').texts('streets'))}",
            "city": random.choice(words("cities")),
        }
    else:
        hobbies = ("reading", "cooking", "chess", "hiking", "painting", "swimming", "music", "gardening", "cycling")
        person["hobbies"] = random.sample(hobbies, random.randint(2, 3))
    return person


def _order(random: Random) -> Record:
    items = []
    total = 0
    for product in random.sample(kinds.things("products"), 2):
        # With 99 or 49 cents no total ends in a zero, which JSON would drop.
        cents = 100 * product.number("about") + random.choice((99, 49))
        quantity = random.choice((1, 2))
        total += quantity * cents
        items.append({"name": product.text("name"), "quantity": quantity, "price": cents / 100})
    return {
        "order_id": kinds.counted(random, 1)[0],
        "customer": random.choice(words("names")),
        "date": kinds.day(random).isoformat(),
        "items": items,
        "total": total / 100,
    }


def _recipe(random: Random) -> Record:
    dish = random.choice(kinds.things("dishes"))
    return {
        "name": dish.text("name"),
        "minutes": 5 * random.randint(3, 9),
        "servings": random.choice((2, 4, 4, 6)),
        "vegetarian": dish.flag("vegetarian"),
        "ingredients": list(dish.texts("ingredients")[: random.choice((3, 4))]),
    }


def _settings(random: Random) -> Record:
    settings: Record = {
        "name": random.choice(table("records").texts("apps")),
        "version": f"{random.randint(0, 4)}.{random.randint(0, 12)}.{random.randint(0, 9)}",
        "debug": random.random() < 0.4,
        "port": random.choice((3000, 5000, 8000, 8080)),
    }
    if random.random() < 0.6:
        settings["theme"] = {"mode": random.choice(("light", "dark")), "font_size": random.choice((12, 14, 16, 18))}
    else:
        settings["languages"] = random.sample(("en", "fr", "de", "es", "it", "pt"), random.randint(2, 3))
    return settings


def _answer(random: Random) -> Record:
    rows = kinds.people(random, random.randint(2, 3))
    return {"status": "ok", "count": len(rows), "results": rows}
