"""Dialogues in a shop: a customer orders, the assistant repeats the order and says when it is ready."""

from functools import cache
from random import Random
from typing import NamedTuple

from recipes.embedded.templates.data_files import Table, filled, table
from recipes.embedded.templates.words import words


class Shop(NamedTuple):
    """One kind of shop. `sized` come in the sizes, `plain` in one; extras go with the sized ones; `ready` ends the dialogue."""

    sizes: tuple[str, ...]
    sized: tuple[str, ...]
    extras: tuple[str, ...]
    plain: tuple[str, ...]
    ready: tuple[str, ...]


@cache
def shops() -> tuple[Shop, ...]:
    """Every shop of shops.toml."""
    return tuple(map(_shop, table("shops").each_table().values()))


def _shop(shop: Table) -> Shop:
    return Shop(*(shop.texts(goods) for goods in Shop._fields))


def _phrase(random: Random, name: str, *values: str) -> str:
    return filled(random.choice(_phrases(name)), *values)


def _phrases(name: str) -> tuple[str, ...]:
    return table("orders").texts(name)


class _Item(NamedTuple):
    number: int
    size: str
    name: str
    extra: str

    def ordered(self) -> str:
        """As the customer says it: with an article, or a number."""
        return self._counted("an" if (self.size or self.name)[0] in "aeio" else "a")

    def repeated(self) -> str:
        """As the assistant says it back: always with a number."""
        return self._counted("one")

    def noun(self) -> str:
        """Without its number, as it follows `your`; the extra is not said again."""
        name = plural(self.name) if self.number > 1 else self.name
        return f"{self.size} {name}".strip()

    def _counted(self, single: str) -> str:
        number = single if self.number == 1 else _phrases("numbers")[self.number - 1]
        return f"{number} {self.noun()} {self.extra}".strip()


def order(random: Random) -> str:
    """A dialogue of four to seven lines that begins with the customer. What the assistant repeats is what was ordered."""
    shop = random.choice(shops())
    lines = random.choice(_COURSES)(random, shop)
    if len(lines) < 7 and random.random() < 0.2:
        lines.append(_say(random, _phrase(random, "bye")))
    return "\n".join(f"{('Customer', 'Assistant')[at % 2]}: {line}" for at, line in enumerate(lines))


def plural(name: str) -> str:
    """The plural of an item's name: of its first noun when more follows, of its last word otherwise."""
    for link in (" of ", " for ", " with ", " about ", " to "):
        if link in name:
            first, rest = name.split(link, 1)
            return f"{plural(first)}{link}{rest}"
    if name.endswith("man"):
        return name[:-3] + "men"
    if name.endswith("loaf"):
        return name[:-1] + "ves"
    if name.endswith(("ch", "sh", "s", "x")):
        return name + "es"
    if name.endswith("y") and name[-2] not in "aeiou":
        return name[:-1] + "ies"
    return name + "s"


def _item(random: Random, shop: Shop) -> _Item:
    count = random.choice((1, 1, 1, 1, 2, 2, 3))
    if random.random() < 0.75:
        extra = random.choice(shop.extras) if random.random() < 0.4 else ""
        return _Item(count, random.choice(shop.sizes), random.choice(shop.sized), extra)
    return _Item(count, "", random.choice(shop.plain), "")


def _say(random: Random, text: str) -> str:
    # Customers type: half of what they say has no final mark, some of it no capital.
    text = text[0].upper() + text[1:]
    if random.random() < 0.2 and not text.startswith(("I ", "I'", "OK")):
        text = text[0].lower() + text[1:]
    if random.random() < 0.5:
        return text
    return text + ("?" if text.lower().startswith(_phrases("questions")) else ".")


def _first(random: Random, want: str, name: str = "") -> str:
    greeting = _phrase(random, "greetings") if random.random() < 0.35 else ""
    text = _phrase(random, "wants", want)
    if name:
        text += f" for {name}"
    if random.random() < 0.5:
        text += random.choice((" please", ", please"))
    said = _say(random, text)
    if not greeting:
        return said
    said = said if said.startswith(("I ", "I'")) else said[0].lower() + said[1:]
    return greeting + said


def _back(random: Random, what: str) -> str:
    text = _phrase(random, "repeats", what)
    text = text[0].upper() + text[1:]
    return f"{_phrase(random, 'sure')}. {text}" if random.random() < 0.4 else text


def _ready(random: Random, shop: Shop, nouns: str, name: str = "") -> str:
    lines = _phrases("ready_named" if name else "ready")
    return filled(random.choice(lines), nouns, random.choice(shop.ready), name)


def _choice_of(sizes: tuple[str, ...]) -> str:
    return f"{', '.join(sizes[:-1])} or {sizes[-1]}"


def _confirmed(random: Random, shop: Shop) -> list[str]:
    item = _item(random, shop)
    name = random.choice(words("names")) if random.random() < 0.35 and not item.extra else ""
    what = item.repeated() + (f" for {name}" if name else "")
    return [
        _first(random, item.ordered(), name),
        f"{_back(random, what)} {_phrase(random, 'checks')}",
        _say(random, _phrase(random, "yes")),
        _ready(random, shop, item.noun(), name),
    ]


def _nothing_else(random: Random, shop: Shop) -> list[str]:
    item = _item(random, shop)
    return [
        _first(random, item.ordered()),
        f"{_back(random, item.repeated())} {_phrase(random, 'else')}",
        _say(random, _phrase(random, "nothing")),
        _ready(random, shop, item.noun()),
    ]


def _something_else(random: Random, shop: Shop) -> list[str]:
    item, more = _item(random, shop), _Item(random.choice((1, 1, 2)), "", random.choice(shop.plain), "")
    if more.name == item.name:
        return _nothing_else(random, shop)
    both = f"{item.repeated()} and {more.repeated()}"
    return [
        _first(random, item.ordered()),
        f"{_back(random, item.repeated())} {_phrase(random, 'else')}",
        _say(random, _phrase(random, "more", more.ordered())),
        f"{_back(random, both)} {_phrase(random, 'checks')}",
        _say(random, _phrase(random, "yes")),
        _ready(random, shop, f"{item.noun()} and {more.noun()}"),
    ]


def _asked_name(random: Random, shop: Shop) -> list[str]:
    item, name = _item(random, shop), random.choice(words("names"))
    return [
        _first(random, item.ordered()),
        f"{_back(random, item.repeated())} {_phrase(random, 'who')}",
        _say(random, _phrase(random, "i_am", name)).replace(name.lower(), name),
        _ready(random, shop, item.noun(), name),
    ]


def _asked_size(random: Random, shop: Shop) -> list[str]:
    item = _Item(1, random.choice(shop.sizes), random.choice(shop.sized), "")
    ask = _phrase(random, "which", _choice_of(shop.sizes))
    return [
        _first(random, item._replace(size="").ordered()),
        f"{_phrase(random, 'sure')}. {ask[0].upper()}{ask[1:]}",
        _say(random, _phrase(random, "this_size", item.size)),
        f"{_back(random, item.repeated())} {_phrase(random, 'else')}",
        _say(random, _phrase(random, "nothing")),
        _ready(random, shop, item.noun()),
    ]


def _changed_mind(random: Random, shop: Shop) -> list[str]:
    item = _item(random, shop)
    sizes = [size for size in shop.sizes if size != item.size]
    new = item._replace(size=random.choice(sizes), number=1) if item.size else item._replace(number=item.number + 1)
    return [
        _first(random, item.ordered()),
        f"{_back(random, item.repeated())} {_phrase(random, 'checks')}",
        _say(random, _phrase(random, "change", new.ordered())),
        f"{_phrase(random, 'changed', new.repeated())} {_phrase(random, 'checks')}",
        _say(random, _phrase(random, "yes")),
        _ready(random, shop, new.noun()),
    ]


def _asked_first(random: Random, shop: Shop) -> list[str]:
    item = _item(random, shop)._replace(number=1)
    return [
        _say(random, _phrase(random, "have_you", item._replace(extra="").ordered())),
        f"{_phrase(random, 'we_do')} {_phrase(random, 'how_many')}",
        _say(random, _phrase(random, "give_me", item.ordered())),
        f"{_back(random, item.repeated())} {_phrase(random, 'else')}",
        _say(random, _phrase(random, "nothing")),
        _ready(random, shop, item.noun()),
    ]


def _sold_out(random: Random, shop: Shop) -> list[str]:
    size, names = random.choice(shop.sizes), random.sample(shop.sized, 2)
    gone, instead = (_Item(1, size, name, "") for name in names)
    return [
        _first(random, gone.ordered()),
        _phrase(random, "sold_out", plural(gone.name), instead.ordered(), gone.name),
        _say(random, _phrase(random, "instead", instead.ordered())),
        f"{_back(random, instead.repeated())} {_phrase(random, 'else')}",
        _say(random, _phrase(random, "nothing")),
        _ready(random, shop, instead.noun()),
    ]


_COURSES = (
    _confirmed, _confirmed, _confirmed, _nothing_else, _nothing_else, _something_else, _something_else, _asked_name, _asked_name,
    _asked_size, _changed_mind, _asked_first, _sold_out,
)  # fmt: skip
