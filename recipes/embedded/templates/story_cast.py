"""The names and words of one story, and how they fill the slots of a sentence: the same ones from beginning to end."""

import re
from random import Random

from recipes.embedded.templates.data_files import table, unknown_slot
from recipes.embedded.templates.prose import PRONOUNS, SLOT, chosen, with_articles

_LIST = re.compile(r"<(\w+)>")


class Cast:
    """The names and words of one story. `fill` turns a sentence with slots into plain text."""

    def __init__(self, random: Random, special: dict[str, tuple[str, ...]]) -> None:
        self._random = random
        self._decks: dict[str, list[str]] = {}
        self._friend_known = False
        self._met: list[str] = []
        self.slots: dict[str, str] = {}
        human = random.random() < 0.5
        self._people(human)
        self._places(human)
        self._things()
        # A plot's own word may contain an earlier one: a thing is a color and a base.
        for key, choices in special.items():
            self.slots[key] = self.fill(random.choice(choices))

    def fill(self, text: str) -> str:
        """The text with its choices made and its slots filled; uses the story's random source.

        Raises:
            TrainingError: the text has a slot that no story has.
        """
        text = chosen(self._random, text)
        text = _LIST.sub(lambda found: self._draw(found[1]), text)
        text = SLOT.sub(lambda found: self._slot(found[1]), text)
        return with_articles(text)

    def _draw(self, name: str) -> str:
        # Drawn like cards, so that a word repeats only after all others of its list have been used.
        deck = self._decks.get(name)
        if not deck:
            words = table("story_words").table("lists").texts(name)
            deck = self._decks[name] = self._random.sample(words, len(words))
        return deck.pop()

    def _slot(self, name: str) -> str:
        if name.lower() in ("friend", "friendx", "afriend"):
            return self._friend(name)
        if name.lower() in ("am1", "am2"):
            return self._passer(name)
        value = self.slots.get(name)
        if value is not None:
            return value
        value = self.slots.get(name[0].lower() + name[1:])
        if value is None:
            raise unknown_slot(name, "stories")
        return value[0].upper() + value[1:]

    def _friend(self, name: str) -> str:
        # A friend who is named for the first time is introduced.
        if name.lower() != "afriend" and self._friend_known:
            return self.slots["friend"]
        key = "afriend" if name.lower() == "afriend" else "friendx"
        self._friend_known = True
        value = self.slots[key]
        return value[0].upper() + value[1:] if name[0].isupper() else value

    def _passer(self, name: str) -> str:
        key = name.lower()
        value = self.slots[key]
        if key in self._met:
            value = f"the {self.slots[key[1:]]}"
        self._met.append(key)
        return value[0].upper() + value[1:] if name[0].isupper() else value

    def _people(self, human: bool) -> None:
        random, slots = self._random, self.slots
        hero_is, friend_is = random.choice(
            (("she", "he"), ("he", "she"), ("she", "he"), ("he", "she"), ("she", "she"), ("he", "he"))
        )
        kinds = random.sample(_words("kinds"), 2)
        pets = random.sample(_words("pet_names"), 2)
        friend_human = human and random.random() < 0.75
        slots["hero"] = _child(random, hero_is) if human else pets[0]
        slots["kind"] = _child_kind(hero_is) if human else kinds[0]
        slots["friend"] = _child(random, friend_is, slots["hero"]) if friend_human else pets[1]
        friend_kind = _child_kind(friend_is) if friend_human else kinds[1]
        slots["afriend"] = f"a {friend_kind} {random.choice(('named', 'called'))} {slots['friend']}"
        after = random.choice(_words("neighbors")) if friend_human else f"the {friend_kind}"
        slots["friendx"] = f"{slots['friend']} {after}"
        slots["nature"] = random.choice(_words("natures"))
        slots["hand"], slots["hands"] = ("hand", "hands") if human else ("paw", "paws")
        self._pronouns("", hero_is)
        self._pronouns("f", friend_is)
        self._grown_ups(human)
        for number, passer in enumerate(random.sample(_words("passers"), 2), 1):
            slots[f"m{number}"] = passer.split()[-1]
            slots[f"am{number}"] = f"a {passer}"

    def _grown_ups(self, human: bool) -> None:
        random, slots = self._random, self.slots
        elder_is, parent_is = random.choice(("she", "he")), random.choice(("she", "he"))
        titles = table("story_words").table("elder_titles").texts(elder_is)
        slots["elder"] = (
            f"{random.choice(titles)} {random.choice(_words('elder_names') if human else _words('elder_kinds'))}"
        )
        slots["parent"] = random.choice(table("story_words").table("parents").texts(parent_is))
        self._pronouns("e", elder_is)
        self._pronouns("p", parent_is)

    def _pronouns(self, prefix: str, gender: str) -> None:
        for key, word in PRONOUNS[gender].items():
            self.slots[prefix + key] = word

    def _places(self, human: bool) -> None:
        random, slots = self._random, self.slots
        slots["inland"], slots["land"] = random.choice(table("story_words").grid("towns" if human else "wilds", 2))
        slots["home"] = random.choice(table("story_words").table("homes").texts("people" if human else "animals"))
        for number, spot in enumerate(random.sample(_words("spots"), 3), 1):
            slots[f"spot{number}"] = spot

    def _things(self) -> None:
        random, slots = self._random, self.slots
        slots["tree"], slots["water"] = random.choice(_words("trees")), random.choice(_words("waters"))
        slots["food"], slots["flower"] = random.choice(_words("foods")), random.choice(_words("flowers"))
        slots["color"], slots["clothes"] = random.choice(_words("colors")), random.choice(_words("clothes"))
        slots["hobby"], slots["hobby2"] = random.sample(_words("hobbies"), 2)


def _words(name: str) -> tuple[str, ...]:
    return table("story_words").texts(name)


def _child(random: Random, gender: str, other: str = "") -> str:
    names = _words("girls") if gender == "she" else _words("boys")
    return random.choice([name for name in names if name != other])


def _child_kind(gender: str) -> str:
    return "girl" if gender == "she" else "boy"
