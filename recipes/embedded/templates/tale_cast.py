"""The names and words of one tale, and how they fill the slots of a sentence: the same ones from beginning to end."""

from random import Random

from recipes.embedded.templates.data_files import table, unknown_slot
from recipes.embedded.templates.prose import PRONOUNS, SLOT, chosen, with_articles
from recipes.embedded.templates.tale_heroes import Hero, names
from recipes.embedded.templates.words import words

# Of the others that a hero meets, the percentage that are animals.
_BEASTS = {"p": 25, "a": 85, "m": 55, "f": 50}


class TaleCast:
    """The names and words of one tale. `fill` turns a sentence with slots into plain text.

    Args:
        random: the random source of the tale.
        hero: who it is about.
        named: whether the hero has a name.
        own: the words that belong to this kind of tale alone; they may have slots themselves.
    """

    def __init__(self, random: Random, hero: Hero, named: bool, own: dict[str, str]) -> None:
        self._random = random
        self._named = named
        self._kind_known = False
        self._met: set[str] = set()
        self.slots: dict[str, str] = {"kind": hero.kind, "job": hero.job, "went": hero.went}
        self._people(hero)
        self._times_and_places(hero)
        self.slots.update(own)

    def fill(self, text: str) -> str:
        """The text with its choices made and its slots filled; uses the tale's random source.

        Raises:
            TrainingError: the text has a slot that no tale has.
        """
        text = chosen(self._random, text)
        while "{" in text:
            text = SLOT.sub(lambda found: self._slot(found[1]), text)
        return with_articles(text)

    def title(self, text: str) -> str:
        """A title with its slots filled; nobody counts as introduced by it."""
        met, known = set(self._met), self._kind_known
        filled = self.fill(text)
        self._met, self._kind_known = met, known
        return filled

    def _slot(self, name: str) -> str:
        key = name[0].lower() + name[1:]
        value = self._value(key)
        return capital(value) if key != name else value

    def _value(self, key: str) -> str:
        if key == "hero":
            # A hero is called by the kind only after the kind has been mentioned.
            by_name = self._named and (not self._kind_known or self._random.random() < 0.65)
            return self.slots["name"] if by_name else f"the {self.slots['kind']}"
        if key in ("friend", "m1", "m2"):
            first = key not in self._met
            self._met.add(key)
            return self.slots[f"first {key}"] if first else self.slots[key]
        if key in ("kind", "ahero"):
            self._kind_known = True
        if key not in self.slots:
            raise unknown_slot(key, "tales")
        return self.slots[key]

    def _people(self, hero: Hero) -> None:
        random, slots, file = self._random, self.slots, table("tale_heroes")
        pronoun, friend_pronoun = random.choice(hero.pronouns), random.choice(("he", "she"))
        slots.update(PRONOUNS[pronoun])
        pet = hero.sort == "a" and random.random() < 0.6
        slots["name"] = random.choice(names("pets" if pet else "girls" if pronoun == "she" else "boys"))
        adjective = random.choice(file.table("adjectives").texts(hero.sort))
        slots["ahero"] = f"a {adjective} {hero.kind}" if random.random() < 0.55 else f"a {hero.kind}"
        friend = random.choice([kind for kind in file.table("friends").texts(hero.sort) if kind != hero.kind])
        slots["fkind"], slots["friend"], slots["friendv"] = friend, f"the {friend}", capital(friend)
        if friend in ("boy", "girl"):
            friend_pronoun = "he" if friend == "boy" else "she"
        if friend in ("milkmaid",):
            friend_pronoun = "she"
        if friend == "fisherman":
            friend_pronoun = "he"
        slots["first friend"] = (
            f"a {random.choice(file.texts('friendly'))} {friend}" if random.random() < 0.5 else f"a {friend}"
        )
        slots.update({f"f{key}": word for key, word in PRONOUNS[friend_pronoun].items()})
        self._passers(hero, friend)

    def _passers(self, hero: Hero, friend: str) -> None:
        file = table("tale_heroes")
        taken = [hero.kind, friend]
        for key in ("m1", "m2"):
            beasts = self._random.randrange(100) < _BEASTS[hero.sort]
            while (
                noun := (passer := self._random.choice(file.texts("beasts" if beasts else "people"))).split(" ", 1)[1]
            ) in taken:
                pass
            taken.append(noun)
            self.slots[f"first {key}"], self.slots[key] = f"a {passer}", f"the {noun}"

    def _times_and_places(self, hero: Hero) -> None:
        random, slots, file = self._random, self.slots, table("tale_heroes")
        slots["place"], slots["land"] = random.choice(file.table("places").grid(random.choice(hero.places), 2))
        slots["inland"] = f"{_preposition(slots['land'].removeprefix('the '))} {slots['land']}"
        slots["number"], slots["number2"] = random.sample(file.texts("numbers"), 2)
        slots["month"], slots["weekday"] = random.choice(words("months")), random.choice(words("weekdays"))
        slots["season"] = file.texts("seasons")[(words("months").index(slots["month"]) + 1) % 12 // 3]
        slots["nature"], slots["weather"] = random.choice(file.texts("natures")), random.choice(file.texts("weathers"))
        slots["harvest"], slots["clock"] = random.choice(file.texts("harvests")), random.choice(file.texts("clocks"))


def _preposition(place: str) -> str:
    file = table("tale_heroes")
    return next((word for word in ("on", "at") if place in file.texts(word)), "in")


def capital(text: str) -> str:
    """The text with a capital letter at its beginning, also if it begins with a slot."""
    at = 1 if text.startswith("{") else 0
    return text[:at] + text[at].upper() + text[at + 1 :]
