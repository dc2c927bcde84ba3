"""The kinds of records that the JSON documents are made of: each picks its fields once, then makes any number of rows."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from random import Random

from recipes.embedded.templates.data_files import Table, table
from recipes.embedded.templates.words import words

Record = dict[str, object]


def things(name: str) -> tuple[Table, ...]:
    """What records of one kind are about: `books`, `places`, `products`, `dishes`, `pets`, `planets` or `roles`."""
    return table("records").tables(name)


def _titles(name: str) -> tuple[str, ...]:
    return table("records").texts(name)


def counted(random: Random, count: int) -> list[int]:
    """Numbers that count up by one: from 1, from 101 or 1001, or from anywhere below a hundred."""
    start = random.choices((1, 101, 1001, random.randint(2, 99)), (40, 10, 5, 45))[0]
    return list(range(start, start + count))


def price(random: Random, about: int) -> float:
    """A price near a whole amount, whose cents never end in zero, so that JSON always shows both decimals."""
    whole = max(1, about + random.randint(-(about // 4), about // 4))
    return round(whole + random.choice((0.99, 0.99, 0.99, 0.95, 0.49, 0.25, 0.75, 0.45)), 2)


def day(random: Random) -> date:
    """A day in one of a few recent years."""
    return date(random.randint(2022, 2026), random.randint(1, 12), random.randint(1, 28))


def email(name: str) -> str:
    """The address that belongs to a name, as in maya.chen@example.com."""
    return name.lower().replace(" ", ".") + "@example.com"


def full_names(random: Random, count: int) -> list[str]:
    """Different first names, each with a surname that differs from it."""
    names = []
    for first in random.sample(words("names"), count):
        surname = random.choice(words("surnames"))
        names.append(f"{first} {surname if surname != first else 'Brown'}")
    return names


def _rows(keys: Sequence[str], columns: dict[str, Sequence[object]]) -> list[Record]:
    # One choice of keys for a document keeps the same fields in the same order in every record.
    return [dict(zip(keys, values, strict=True)) for values in zip(*(columns[key] for key in keys), strict=True)]


def _pick(random: Random, *choices: str) -> list[str]:
    return random.choice(choices).split()


def people(random: Random, count: int) -> list[Record]:
    """People; mostly an id and a first name, then age, city or email."""
    names = random.sample(words("names"), count) if random.random() < 0.65 else full_names(random, count)
    columns: dict[str, Sequence[object]] = {
        "id": counted(random, count),
        "name": names,
        "age": [random.randint(18, 79) for _ in names],
        "city": random.sample(words("cities"), count),
        "email": [email(name) for name in names],
        "active": [random.random() < 0.7 for _ in names],
    }
    rest = ("age city", "age city", "age city email", "age email", "email", "email city", "city", "age email active", "email active", "age city active")  # fmt: skip
    lead = "name" if random.random() < 0.15 else "id name"
    return _rows([*lead.split(), *_pick(random, *rest)], columns)


def employees(random: Random, count: int) -> list[Record]:
    """Employees, each in the department that the role belongs to."""
    names = full_names(random, count)
    roles = random.sample(things("roles"), count)
    columns: dict[str, Sequence[object]] = {
        "id": counted(random, count),
        "name": names,
        "role": [role.text("role") for role in roles],
        "department": [role.text("department") for role in roles],
        "email": [email(name) for name in names],
        "remote": [random.random() < 0.4 for _ in names],
        "start_date": [day(random).isoformat() for _ in names],
    }
    return _rows(_pick(random, "id name role department", "id name role email", "name role start_date", "id name role department remote"), columns)  # fmt: skip


def students(random: Random, count: int) -> list[Record]:
    """Students with their marks; a total, if there is one, is the sum of the marks."""
    names = random.sample(words("names"), count)
    maths, science = ([random.randint(50, 99) for _ in names] for _ in range(2))
    columns: dict[str, Sequence[object]] = {
        "id": counted(random, count),
        "name": names,
        "grade": [random.randint(1, 12)] * count,
        "math": maths,
        "science": science,
        "total": [one + other for one, other in zip(maths, science, strict=True)],
        "passed": [min(pair) >= 60 for pair in zip(maths, science, strict=True)],
    }
    return _rows(_pick(random, "id name math science total", "name math science", "id name grade math science", "name math science passed"), columns)  # fmt: skip


def products(random: Random, count: int) -> list[Record]:
    """Products with a price; one is in stock exactly when its quantity is above zero."""
    chosen = random.sample(things("products"), count)
    stock = [random.choice((0, random.randint(1, 20), random.randint(21, 200))) for _ in chosen]
    columns: dict[str, Sequence[object]] = {
        "id": counted(random, count),
        "name": [product.text("name") for product in chosen],
        "category": [product.text("category") for product in chosen],
        "price": [price(random, product.number("about")) for product in chosen],
        "quantity": stock,
        "in_stock": [left > 0 for left in stock],
    }
    return _rows(_pick(random, "id name price", "id name price in_stock", "id name category price", "name price quantity", "id name price quantity in_stock", "name category price in_stock"), columns)  # fmt: skip


def orders(random: Random, count: int) -> list[Record]:
    """Orders, whose total is the quantity times the price."""
    chosen = random.sample(things("products"), count)
    prices = [price(random, product.number("about")) for product in chosen]
    # Odd quantities keep the last cent of every total from being a zero that JSON would drop.
    quantities = [random.choice((1, 1, 3, 3, 7, 9) if cents % 5 == 0 else (1, 2, 3, 4, 5)) for cents in (round(p * 100) for p in prices)]  # fmt: skip
    columns: dict[str, Sequence[object]] = {
        "order_id": counted(random, count),
        "customer": random.sample(words("names"), count),
        "item": [product.text("name") for product in chosen],
        "quantity": quantities,
        "price": prices,
        "total": [round(quantity * cost, 2) for quantity, cost in zip(quantities, prices, strict=True)],
        "status": [random.choice(("pending", "shipped", "delivered", "paid")) for _ in chosen],
    }
    return _rows(_pick(random, "order_id customer item quantity", "order_id item quantity price total", "order_id customer total status", "order_id customer item price status"), columns)  # fmt: skip


def books(random: Random, count: int) -> list[Record]:
    """Well-known books with their real authors and years."""
    chosen = random.sample(things("books"), count)
    columns: dict[str, Sequence[object]] = {
        "id": counted(random, count),
        "title": [book.text("title") for book in chosen],
        "author": [book.text("author") for book in chosen],
        "year": [book.number("year") for book in chosen],
        "copies": [random.randint(1, 9) for _ in chosen],
        "available": [random.random() < 0.6 for _ in chosen],
    }
    return _rows(_pick(random, "title author year", "id title author year", "id title author available", "title author copies"), columns)  # fmt: skip


def events(random: Random, count: int) -> list[Record]:
    """Events in the order of their dates."""
    dates = sorted(day(random).replace(year=2025) for _ in range(count))
    columns: dict[str, Sequence[object]] = {
        "id": counted(random, count),
        "title": random.sample(_titles("events"), count),
        "date": [one.isoformat() for one in dates],
        "time": [f"{random.randint(9, 20):02}:{random.choice(('00', '00', '30', '15'))}" for _ in dates],
        "city": random.sample(words("cities"), count),
        "seats": [10 * random.randint(2, 30) for _ in dates],
        "free": [random.random() < 0.5 for _ in dates],
    }
    return _rows(_pick(random, "id title date city", "title date time", "id title date time city", "title date city free", "id title date seats"), columns)  # fmt: skip


def weather(random: Random, count: int) -> list[Record]:
    """Weather readings: one city on the days of a row, or one day in several cities."""
    one_city = random.random() < 0.5
    first = day(random)
    conditions = [random.choice(("sunny", "cloudy", "rain", "windy", "fog")) for _ in range(count)]
    base = random.randint(6, 24)
    columns: dict[str, Sequence[object]] = {
        "date": [(first + timedelta(days=step if one_city else 0)).isoformat() for step in range(count)],
        "city": [random.choice(words("cities"))] * count if one_city else random.sample(words("cities"), count),
        "temperature": [base + random.randint(-3, 3) for _ in conditions],
        "humidity": [
            random.randint(70, 95) if sky in ("rain", "fog") else random.randint(35, 65) for sky in conditions
        ],
        "conditions": conditions,
    }
    return _rows(_pick(random, "date city temperature", "city date temperature conditions", "date city temperature humidity", "city temperature humidity conditions" if not one_city else "date temperature humidity conditions"), columns)  # fmt: skip


def cities(random: Random, count: int) -> list[Record]:
    """Real cities with their country and continent, and whether they are the capital."""
    chosen = random.sample(things("places"), count)
    columns: dict[str, Sequence[object]] = {
        "id": counted(random, count),
        "city": [place.text("city") for place in chosen],
        "country": [place.text("country") for place in chosen],
        "continent": [place.text("continent") for place in chosen],
        "capital": [place.flag("capital") for place in chosen],
    }
    return _rows(_pick(random, "city country", "city country continent", "id city country capital", "city country capital"), columns)  # fmt: skip


def pets(random: Random, count: int) -> list[Record]:
    """Pets with an owner."""
    kinds = [random.choice(things("pets")) for _ in range(count)]
    columns: dict[str, Sequence[object]] = {
        "id": counted(random, count),
        "name": random.sample(_titles("pet_names"), count),
        "animal": [pet.text("animal") for pet in kinds],
        "color": [random.choice(pet.texts("colors")) for pet in kinds],
        "age": [random.randint(1, 12) for _ in kinds],
        "owner": random.sample(words("names"), count),
        "vaccinated": [random.random() < 0.8 for _ in kinds],
    }
    return _rows(_pick(random, "id name animal age", "name animal age owner", "name animal color", "id name animal owner", "name animal age vaccinated"), columns)  # fmt: skip


def recipes(random: Random, count: int) -> list[Record]:
    """Recipes with their time and servings."""
    chosen = random.sample(things("dishes"), count)
    columns: dict[str, Sequence[object]] = {
        "id": counted(random, count),
        "name": [dish.text("name") for dish in chosen],
        "minutes": [5 * random.randint(3, 9) for _ in chosen],
        "servings": [random.choice((2, 4, 4, 6, 8)) for _ in chosen],
        "vegetarian": [dish.flag("vegetarian") for dish in chosen],
        "ingredients": [list(dish.texts("ingredients")[: random.choice((3, 4))]) for dish in chosen],
    }
    return _rows(_pick(random, "name minutes servings", "id name servings vegetarian", "name minutes vegetarian", "name servings ingredients"), columns)  # fmt: skip


def sensors(random: Random, count: int) -> list[Record]:
    """Readings of one sensor at equal steps of time."""
    kind, unit, low, high = random.choice((("temperature", "C", 15, 28), ("humidity", "%", 30, 70), ("pressure", "hPa", 990, 1030), ("light", "lux", 100, 800)))  # fmt: skip
    start = datetime(random.randint(2022, 2026), random.randint(1, 12), random.randint(1, 28), random.randint(0, 20))
    step = timedelta(minutes=random.choice((5, 10, 15, 30, 60)))
    base = random.randint(low, high)
    columns: dict[str, Sequence[object]] = {
        "id": counted(random, count),
        "sensor": [f"{kind}-{random.randint(1, 9)}"] * count,
        "time": [(start + step * index).isoformat() for index in range(count)],
        "value": [round(base + random.randint(-9, 9) / 10, 1) for _ in range(count)],
        "unit": [unit] * count,
    }
    return _rows(_pick(random, "sensor time value", "sensor time value unit", "id sensor value unit", "time value unit"), columns)  # fmt: skip


def songs(random: Random, count: int) -> list[Record]:
    """Songs with made-up titles and bands."""
    starts, ends = random.sample(_titles("song_starts"), count), random.sample(_titles("song_ends"), count)
    columns: dict[str, Sequence[object]] = {
        "id": counted(random, count),
        "title": [f"{start} {end}" for start, end in zip(starts, ends, strict=True)],
        "artist": random.sample(_titles("bands"), count),
        "length": [f"{random.randint(2, 5)}:{random.randint(0, 59):02}" for _ in starts],
        "year": [random.randint(1995, 2025) for _ in starts],
        "genre": [random.choice(("pop", "rock", "folk", "jazz")) for _ in starts],
    }
    return _rows(_pick(random, "id title artist", "title artist length", "title artist year", "id title artist genre", "title artist year length"), columns)  # fmt: skip


def flights(random: Random, count: int) -> list[Record]:
    """Flights of one day in the order of their departure, never from a city to itself."""
    ends = random.sample(words("cities"), 2 * count)
    hours = sorted(random.sample(range(6, 23), count))
    letters = random.choice(("AX", "BL", "CR", "NV", "QS", "SK", "TR"))
    columns: dict[str, Sequence[object]] = {
        "flight": [f"{letters}{random.randint(100, 999)}" for _ in hours],
        "from": ends[:count] if random.random() < 0.5 else [ends[0]] * count,
        "to": ends[count:],
        "departure": [f"{hour:02}:{5 * random.randint(0, 11):02}" for hour in hours],
        "gate": [f"{random.choice('ABCD')}{random.randint(1, 30)}" for _ in hours],
        "on_time": [random.random() < 0.8 for _ in hours],
    }
    return _rows(_pick(random, "flight from to departure", "flight from to gate", "flight to departure gate", "flight from to on_time"), columns)  # fmt: skip


def tasks(random: Random, count: int) -> list[Record]:
    """A list of things to do."""
    columns: dict[str, Sequence[object]] = {
        "id": counted(random, count),
        "title": random.sample(_titles("tasks"), count),
        "done": [random.random() < 0.4 for _ in range(count)],
        "priority": [random.choice(("low", "medium", "high")) for _ in range(count)],
        "due": [one.isoformat() for one in sorted(day(random).replace(year=2025) for _ in range(count))],
    }
    return _rows(_pick(random, "id title done", "id title done", "id title priority done", "title due done", "id title due"), columns)  # fmt: skip


def planets(random: Random, count: int) -> list[Record]:
    """Neighboring planets of the Sun, in their order; moons only where their number is settled."""
    first = random.randint(0, 4 - count) if count <= 4 and random.random() < 0.6 else random.randint(0, 8 - count)
    chosen = things("planets")[first : first + count]
    settled = all("moons" in planet for planet in chosen)
    columns: dict[str, Sequence[object]] = {
        "name": [planet.text("name") for planet in chosen],
        "type": [planet.text("type") for planet in chosen],
        "position": list(range(first + 1, first + count + 1)),
        "moons": [planet.number("moons") if settled else None for planet in chosen],
    }
    return _rows(_pick(random, "name type moons" if settled else "name type", "position name type", "name position"), columns)  # fmt: skip
