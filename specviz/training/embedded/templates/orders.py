"""Dialogues in a shop: a customer orders, the assistant repeats the same things and says when they are ready."""

from random import Random
from typing import NamedTuple

from specviz.training.embedded.templates.order_goods import SHOPS, Shop
from specviz.training.embedded.templates.words import NAMES

_NUMBERS = ("one", "two", "three", "four")

_WANTS = (
    "I would like {}", "I'd like {}", "Can I get {}", "Could I have {}", "Can I have {}", "I'll have {}", "I'll take {}", "May I have {}",
    "I want {}", "{}", "I would like to order {}", "Could you get me {}", "Can I order {}", "Let me have {}", "I need {}", "Could I get {}",
    "I think I'll have {}", "Just {} for me",
)  # fmt: skip
_ASKS = ("Can I", "Could", "May I")
_GREETINGS = (
    "Hi, ",
    "Hello, ",
    "Hey, ",
    "Good morning, ",
    "Good afternoon, ",
    "Hi there, ",
    "Good evening, ",
    "Excuse me, ",
)
_SURE = (
    "Sure",
    "Of course",
    "Certainly",
    "OK",
    "All right",
    "Great",
    "Very good",
    "No problem",
    "Gladly",
    "With pleasure",
    "Perfect",
)
_CHECKS = (
    "Is that right?", "Is that correct?", "Is the order correct?", "Is everything right?", "Did I get that right?", "Does that sound right?",
    "Is this what you want?", "Shall I put the order in?", "Can you confirm that?", "Is that all correct?",
)  # fmt: skip
_YES = (
    "Yes", "Yes, that's right", "That's correct", "Yes, it is", "Yep", "Yes, thank you", "Yes, perfect", "That's it", "Right", "Yes please",
    "Correct", "Yes, all good", "Sounds good",
)  # fmt: skip
_ELSE = (
    "Would you like anything else?", "Anything else?", "Can I get you anything else?", "Would you like something with that?", "Will you have anything else?",
    "Will there be anything else?", "Anything to go with that?", "Is there anything else you need?", "Can I add anything else?",
    "What else can I get you?",
)  # fmt: skip
_NOTHING = (
    "No, that's all", "That's all, thanks", "No thanks", "That's everything", "No, thank you", "Nothing else", "Nope, that's it",
    "That will be all", "That's all for today", "No, just that",
)  # fmt: skip
_MORE = (
    "Yes, {} too", "Yes, and {}", "And {} please", "Yes, can I add {}", "Also {}", "Oh, and {}", "Could you add {}", "I'd also like {}",
    "Yes, {} as well", "Add {} please", "Yes please, {}", "And I'll take {}",
)  # fmt: skip
_REPEATS = (
    "{}.",
    "So that is {}.",
    "That is {}.",
    "I have {}.",
    "I've got {}.",
    "So you would like {}.",
    "Your order is {}.",
    "That makes {}.",
)
_WHO = (
    "What name is the order for?", "May I have your name?", "Can I have a name for the order?", "What is your name, please?",
    "And your name?", "Which name should I put on it?", "What name shall I write down?", "Who is it for?", "Could you tell me your name?",
    "Can I get your name?",
)  # fmt: skip
_I_AM = (
    "{}",
    "It's {}",
    "My name is {}",
    "{} please",
    "I'm {}",
    "For {}",
    "The name is {}",
    "{}, thanks",
    "Put it under {}",
    "This is {}",
)
_WHICH = (
    "What size would you like: {}?", "Which size would you like, {}?", "We have {}. Which one would you like?", "Would you like that {}?",
    "Do you want it {}?", "Which one: {}?", "{}?", "What size shall I make it, {}?", "Should that be {}?", "You can have it {}. Which do you prefer?",
)  # fmt: skip
_THIS_SIZE = (
    "{} please",
    "{}",
    "Make it {}",
    "{}, please",
    "I'll take {}",
    "{} is fine",
    "Let's go with {}",
    "{}, thanks",
    "I think {}",
    "{} for me",
)
_CHANGE = (
    "Actually, make that {}", "Sorry, I meant {}", "Can I change that to {}", "Wait, I'd rather have {}", "No, make it {} please",
    "Hmm, could I have {} instead", "No, I'd like {}", "Let me change that to {}", "Oh, sorry, {} please", "Not quite, I said {}",
)  # fmt: skip
_CHANGED = (
    "No problem, I changed it to {}.", "Of course, now it is {}.", "Sure, {} then.", "All right, {} instead.", "Done, your order is now {}.",
    "OK, I have changed that to {}.", "Sorry about that. Now I have {}.", "Certainly, {} it is.", "Not a problem, that is {}.", "Sure, so that is {}.",
)  # fmt: skip
_HAVE_YOU = (
    "Do you have {}", "Is there any chance of {}", "Do you sell {}", "Have you got {}", "Can I get {} here", "Do you do {}",
    "I was wondering if you have {}", "Are you able to do {}", "I'm looking for {}", "Is it possible to get {}",
)  # fmt: skip
_WE_DO = (
    "Yes, we do.",
    "Yes, of course.",
    "We certainly do.",
    "Yes, we have that.",
    "Sure we do.",
    "Yes.",
    "We do indeed.",
    "Absolutely.",
)
_HOW_MANY = (
    "Would you like one?", "Shall I get you one?", "Can I get one for you?", "Shall I put one down for you?", "Do you want one?",
    "Should I prepare one for you?", "Shall I add one to your order?", "Would you like to order one?",
)  # fmt: skip
_GIVE_ME = (
    "Yes, {} please",
    "Yes please, {}",
    "Then I'll take {}",
    "Great, {} then",
    "Yes, I'd like {}",
    "OK, {} please",
    "Good, can I have {}",
    "Perfect, I'll have {}",
    "Yes, let me have {}",
    "Nice, {} for me please",
)
_SOLD_OUT = (
    "Sorry, we have no {0} left. Would you like {1} instead?", "I'm sorry, we are out of {0}. How about {1}?",
    "We ran out of {0} today. May I offer you {1}?", "Unfortunately we have no {0} today. Would {1} be all right?",
    "I'm afraid the last {2} is gone. Would you like {1}?", "No more {0} today, I'm sorry. Would you take {1}?",
    "Sorry, the {0} are sold out. Can I get you {1} instead?", "There are no {0} left. We do have {1}. Would you like that?",
)  # fmt: skip
_INSTEAD = (
    "OK, {} then", "Sure, I'll take {}", "Yes, {} is fine", "That's fine, {} please", "All right, {}", "Then {} please", "Yes, let me have {}",
    "Fine, I'll have {}", "Good idea, {} please", "Why not, {} then",
)  # fmt: skip
_READY = (
    "Your {0} will be {1}.", "Your {0} will be {1}. Thank you!", "Thank you. Your {0} will be {1}.", "Thanks, your {0} will be {1}.",
    "Great, your {0} will be {1}.", "Perfect. Your {0} will be {1}.", "All right, your {0} will be {1}.", "OK, your {0} will be {1}.",
    "Wonderful. Your {0} will be {1}.", "Very good. Your {0} will be {1}.", "Coming up. Your {0} will be {1}.", "Noted. Your {0} will be {1}. Have a nice day!",
)  # fmt: skip
_READY_NAMED = (
    "Thank you, {2}. Your {0} will be {1}.", "Thanks, {2}. Your {0} will be {1}.", "Great, {2}. Your {0} will be {1}.",
    "{2}, your {0} will be {1}.", "All right, {2}. Your {0} will be {1}.", "OK, {2}, your {0} will be {1}.", "Perfect, {2}. Your {0} will be {1}.",
    "Thank you, {2}. Your {0} will be {1}. Enjoy!", "Lovely, {2}. Your {0} will be {1}.", "Got it, {2}. Your {0} will be {1}.",
)  # fmt: skip
_BYE = (
    "Thanks",
    "Thank you",
    "Great, thanks",
    "Thank you very much",
    "Perfect, thank you",
    "Thanks a lot",
    "Cheers",
    "Wonderful, thanks",
    "Lovely, thank you",
    "OK, thanks",
)


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
        number = single if self.number == 1 else _NUMBERS[self.number - 1]
        return f"{number} {self.noun()} {self.extra}".strip()


def order(random: Random) -> str:
    """A dialogue of four to seven lines that begins with the customer. What the assistant repeats is what was ordered."""
    shop = random.choice(SHOPS)
    lines = random.choice(_COURSES)(random, shop)
    if len(lines) < 7 and random.random() < 0.2:
        lines.append(_say(random, random.choice(_BYE)))
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
    return text + ("?" if text.lower().startswith(_QUESTIONS) else ".")


_QUESTIONS = (
    "can ",
    "could ",
    "may ",
    "do ",
    "is ",
    "have ",
    "are ",
    "yes, can ",
    "good, can ",
    "wait, can",
    "hmm, could ",
)


def _first(random: Random, want: str, name: str = "") -> str:
    greeting = random.choice(_GREETINGS) if random.random() < 0.35 else ""
    text = random.choice(_WANTS).format(want)
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
    text = random.choice(_REPEATS).format(what)
    text = text[0].upper() + text[1:]
    return f"{random.choice(_SURE)}. {text}" if random.random() < 0.4 else text


def _ready(random: Random, shop: Shop, nouns: str, name: str = "") -> str:
    lines = _READY_NAMED if name else _READY
    return random.choice(lines).format(nouns, random.choice(shop.ready), name)


def _choice_of(sizes: tuple[str, ...]) -> str:
    return f"{', '.join(sizes[:-1])} or {sizes[-1]}"


def _confirmed(random: Random, shop: Shop) -> list[str]:
    item = _item(random, shop)
    name = random.choice(NAMES) if random.random() < 0.35 and not item.extra else ""
    what = item.repeated() + (f" for {name}" if name else "")
    return [
        _first(random, item.ordered(), name),
        f"{_back(random, what)} {random.choice(_CHECKS)}",
        _say(random, random.choice(_YES)),
        _ready(random, shop, item.noun(), name),
    ]


def _nothing_else(random: Random, shop: Shop) -> list[str]:
    item = _item(random, shop)
    return [
        _first(random, item.ordered()),
        f"{_back(random, item.repeated())} {random.choice(_ELSE)}",
        _say(random, random.choice(_NOTHING)),
        _ready(random, shop, item.noun()),
    ]


def _something_else(random: Random, shop: Shop) -> list[str]:
    item, more = _item(random, shop), _Item(random.choice((1, 1, 2)), "", random.choice(shop.plain), "")
    if more.name == item.name:
        return _nothing_else(random, shop)
    both = f"{item.repeated()} and {more.repeated()}"
    return [
        _first(random, item.ordered()),
        f"{_back(random, item.repeated())} {random.choice(_ELSE)}",
        _say(random, random.choice(_MORE).format(more.ordered())),
        f"{_back(random, both)} {random.choice(_CHECKS)}",
        _say(random, random.choice(_YES)),
        _ready(random, shop, f"{item.noun()} and {more.noun()}"),
    ]


def _asked_name(random: Random, shop: Shop) -> list[str]:
    item, name = _item(random, shop), random.choice(NAMES)
    return [
        _first(random, item.ordered()),
        f"{_back(random, item.repeated())} {random.choice(_WHO)}",
        _say(random, random.choice(_I_AM).format(name)).replace(name.lower(), name),
        _ready(random, shop, item.noun(), name),
    ]


def _asked_size(random: Random, shop: Shop) -> list[str]:
    item = _Item(1, random.choice(shop.sizes), random.choice(shop.sized), "")
    ask = random.choice(_WHICH).format(_choice_of(shop.sizes))
    return [
        _first(random, item._replace(size="").ordered()),
        f"{random.choice(_SURE)}. {ask[0].upper()}{ask[1:]}",
        _say(random, random.choice(_THIS_SIZE).format(item.size)),
        f"{_back(random, item.repeated())} {random.choice(_ELSE)}",
        _say(random, random.choice(_NOTHING)),
        _ready(random, shop, item.noun()),
    ]


def _changed_mind(random: Random, shop: Shop) -> list[str]:
    item = _item(random, shop)
    sizes = [size for size in shop.sizes if size != item.size]
    new = item._replace(size=random.choice(sizes), number=1) if item.size else item._replace(number=item.number + 1)
    return [
        _first(random, item.ordered()),
        f"{_back(random, item.repeated())} {random.choice(_CHECKS)}",
        _say(random, random.choice(_CHANGE).format(new.ordered())),
        f"{random.choice(_CHANGED).format(new.repeated())} {random.choice(_CHECKS)}",
        _say(random, random.choice(_YES)),
        _ready(random, shop, new.noun()),
    ]


def _asked_first(random: Random, shop: Shop) -> list[str]:
    item = _item(random, shop)._replace(number=1)
    return [
        _say(random, random.choice(_HAVE_YOU).format(item._replace(extra="").ordered())),
        f"{random.choice(_WE_DO)} {random.choice(_HOW_MANY)}",
        _say(random, random.choice(_GIVE_ME).format(item.ordered())),
        f"{_back(random, item.repeated())} {random.choice(_ELSE)}",
        _say(random, random.choice(_NOTHING)),
        _ready(random, shop, item.noun()),
    ]


def _sold_out(random: Random, shop: Shop) -> list[str]:
    size, names = random.choice(shop.sizes), random.sample(shop.sized, 2)
    gone, instead = (_Item(1, size, name, "") for name in names)
    return [
        _first(random, gone.ordered()),
        random.choice(_SOLD_OUT).format(plural(gone.name), instead.ordered(), gone.name),
        _say(random, random.choice(_INSTEAD).format(instead.ordered())),
        f"{_back(random, instead.repeated())} {random.choice(_ELSE)}",
        _say(random, random.choice(_NOTHING)),
        _ready(random, shop, instead.noun()),
    ]


_COURSES = (
    _confirmed, _confirmed, _confirmed, _nothing_else, _nothing_else, _something_else, _something_else, _asked_name, _asked_name,
    _asked_size, _changed_mind, _asked_first, _sold_out,
)  # fmt: skip
