"""Texts that go on by a rule or fill a list: counting in steps, days, months, letters, and short lists of things."""

from collections.abc import Callable, Sequence
from random import Random

from specviz.training.generated.words import FOODS, MONTHS, NAMES, WEEKDAYS

STEPS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 25, 50, 100)
LAST_START = 60
ASKED = 5
ALPHABET = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")

GROUPS = {
    1: "ones", 2: "twos", 3: "threes", 4: "fours", 5: "fives", 6: "sixes", 7: "sevens", 8: "eights", 9: "nines",
    10: "tens", 11: "elevens", 12: "twelves", 25: "twenty-fives", 50: "fifties", 100: "hundreds",
}  # fmt: skip

ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")

ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
)  # fmt: skip

UPWARD = (
    "Count in {group} from {start}: {run}.",
    "Count by {step} from {start}: {run}.",
    "Counting in {group} from {start}: {run}.",
    "Start at {start} and add {step} each time: {run}.",
    "Counting up by {step}: {run}.",
    "{run}",
)
UPWARD_TO = ("Counting by {step} from {start} to {end}: {run}.", "Count from {start} to {end} in {group}: {run}.")

DOWNWARD = (
    "Count down in {group} from {start}: {run}.",
    "Counting down by {step} from {start} to {end}: {run}.",
    "Start at {start} and take away {step} each time: {run}.",
)

LISTS = {
    "animals": (
        "ant", "bear", "camel", "cat", "cow", "crab", "deer", "dog", "donkey", "elephant", "fox", "frog", "giraffe",
        "goat", "horse", "kangaroo", "lion", "monkey", "mouse", "panda", "pig", "rabbit", "seal", "sheep", "snake",
        "squirrel", "tiger", "turtle", "whale", "wolf", "zebra",
    ),
    "birds": (
        "blackbird", "crow", "duck", "eagle", "falcon", "goose", "gull", "hawk", "heron", "owl", "parrot", "peacock",
        "penguin", "pigeon", "raven", "robin", "sparrow", "stork", "swallow", "swan",
    ),
    "fruits": (
        "apple", "apricot", "banana", "blueberry", "cherry", "fig", "grape", "kiwi", "lemon", "lime", "mango", "melon",
        "orange", "papaya", "peach", "pear", "pineapple", "plum", "raspberry", "strawberry",
    ),
    "vegetables": (
        "bean", "beet", "broccoli", "cabbage", "carrot", "cauliflower", "celery", "cucumber", "garlic", "leek",
        "lettuce", "onion", "pea", "potato", "pumpkin", "radish", "spinach", "turnip",
    ),
    "colors": (
        "red", "blue", "green", "yellow", "orange", "purple", "pink", "brown", "black", "white", "gray", "gold",
        "silver", "violet",
    ),
    "jobs": (
        "actor", "baker", "builder", "carpenter", "cook", "dentist", "doctor", "driver", "farmer", "firefighter",
        "gardener", "judge", "lawyer", "librarian", "mechanic", "nurse", "painter", "pilot", "plumber", "sailor",
        "singer", "tailor", "teacher", "waiter", "writer",
    ),
    "sports": (
        "archery", "badminton", "baseball", "basketball", "boxing", "cycling", "football", "golf", "gymnastics",
        "hockey", "judo", "rowing", "rugby", "running", "sailing", "skating", "skiing", "surfing", "swimming", "tennis",
        "volleyball",
    ),
    "musical instruments": (
        "cello", "clarinet", "drum", "flute", "guitar", "harp", "organ", "piano", "recorder", "saxophone", "trombone",
        "trumpet", "tuba", "violin",
    ),
    "tools": (
        "axe", "chisel", "drill", "file", "hammer", "ladder", "pliers", "rake", "saw", "screwdriver", "shovel",
        "spade", "wrench",
    ),
    "pieces of clothing": (
        "belt", "blouse", "boots", "cap", "coat", "dress", "gloves", "hat", "jacket", "jeans", "scarf", "shirt",
        "shoes", "skirt", "socks", "sweater", "trousers", "vest",
    ),
    "pieces of furniture": (
        "armchair", "bed", "bench", "bookcase", "cabinet", "chair", "couch", "cupboard", "desk", "lamp", "shelf",
        "stool", "table", "wardrobe",
    ),
    "ways to travel": (
        "by bike", "by boat", "by bus", "by car", "by ferry", "by plane", "by ship", "by subway", "by taxi", "by train",
        "by tram", "on foot", "on horseback",
    ),
    "trees": (
        "apple", "ash", "beech", "birch", "cedar", "cherry", "chestnut", "elm", "fir", "maple", "oak", "olive", "palm",
        "pine", "poplar", "spruce", "walnut", "willow",
    ),
    "flowers": (
        "carnation", "daffodil", "daisy", "iris", "lavender", "lily", "orchid", "poppy", "rose", "sunflower",
        "tulip", "violet",
    ),
    "drinks": (
        "apple juice", "coffee", "cocoa", "green tea", "hot chocolate", "lemonade", "milk", "mineral water",
        "orange juice", "tea", "water",
    ),
    "parts of the body": (
        "ankle", "arm", "back", "chin", "ear", "elbow", "eye", "finger", "foot", "hand", "head", "knee", "leg", "mouth",
        "neck", "nose", "shoulder", "toe",
    ),
    "school subjects": (
        "art", "biology", "chemistry", "drama", "English", "French", "geography", "history", "math", "music", "physics",
        "sports",
    ),
    "rooms of a house": (
        "attic", "basement", "bathroom", "bedroom", "dining room", "hall", "kitchen", "laundry", "living room",
        "pantry", "study",
    ),
    "feelings": (
        "anger", "boredom", "curiosity", "fear", "hope", "joy", "love", "pride", "relief", "sadness", "shame",
        "surprise", "worry",
    ),
    "kinds of weather": (
        "cloud", "fog", "frost", "hail", "rain", "sleet", "snow", "storm", "sunshine", "thunder", "wind",
    ),
}  # fmt: skip

PACKING = {
    "to the beach": (
        "a towel", "a sun hat", "sunscreen", "a bottle of water", "sunglasses", "a ball", "a book",
        "a bucket and a spade", "swimming things", "sandals", "a beach umbrella", "some fruit", "a blanket", "a snack",
        "a camera",
    ),
    "on a picnic": (
        "a blanket", "sandwiches", "apples", "a bottle of juice", "paper plates", "cups", "napkins", "a knife",
        "cheese", "crackers", "grapes", "a ball", "a cake", "a bag for the trash", "boiled eggs",
    ),
    "on a camping trip": (
        "a tent", "a sleeping bag", "a flashlight", "matches", "a pot", "a water bottle", "a map", "warm socks",
        "a rain jacket", "a rope", "a pocket knife", "a first-aid kit", "a mug", "a pillow", "spare batteries",
    ),
    "to school": (
        "a pencil case", "two pens", "an eraser", "a ruler", "a notebook", "the math book", "a lunch box",
        "a water bottle", "gym shoes", "the homework", "a library book", "colored pencils", "a calculator",
        "a pair of scissors",
    ),
    "on a winter walk": (
        "warm gloves", "a scarf", "a woolen hat", "thick socks", "winter boots", "a thermos of tea", "a warm coat",
        "some chocolate", "lip balm", "a flashlight", "a phone", "a map",
    ),
    "on a weekend with friends": (
        "a change of clothes", "a toothbrush", "pajamas", "a phone charger", "a card game", "a small gift", "slippers",
        "a rain jacket", "some snacks", "a towel", "a good book", "running shoes",
    ),
    "on a hospital visit": (
        "flowers", "a magazine", "a get-well card", "some fruit", "a book of puzzles", "clean clothes", "slippers",
        "a phone charger", "some chocolate", "a photo of the family",
    ),
    "on a long train ride": (
        "the tickets", "a good book", "headphones", "a bottle of water", "sandwiches", "a neck pillow", "a card game",
        "a sweater", "some fruit", "a phone charger", "a notebook", "a pen", "paper tissues",
    ),
}  # fmt: skip

GROCERIES = (
    "2 liters of milk", "a loaf of bread", "6 eggs", "a bag of rice", "500 grams of butter", "3 onions",
    "a jar of honey", "2 cans of tomatoes", "a bunch of bananas", "1 kilo of potatoes", "a bottle of olive oil",
    "a pack of coffee", "10 tea bags", "a head of lettuce", "4 lemons", "a bag of flour", "200 grams of cheese",
    "a box of cereal", "2 cucumbers", "a bar of soap", "a roll of paper towels", "a jar of jam", "a pack of spaghetti",
    "1 kilo of carrots", "a clove of garlic", "3 peppers", "a carton of orange juice", "a tub of yogurt", "salt",
    "black pepper", "dish soap", "toothpaste", "a bag of sugar", "a pack of crackers", "5 apples", "a pumpkin",
    "frozen peas",
)  # fmt: skip

TASKS = (
    "Water the plants", "Wash the dishes", "Call the dentist", "Pay the electricity bill", "Buy stamps",
    "Answer the letter from the bank", "Clean the kitchen", "Fold the laundry", "Take out the trash", "Walk the dog",
    "Return the library books", "Fix the bike", "Book the train tickets", "Write to Grandma",
    "Change the light bulb in the hall", "Feed the cat", "Buy a birthday present", "Vacuum the stairs", "Make the beds",
    "Plan the meals for the week", "Pick up the parcel", "Charge the camera", "Iron the shirts", "Sweep the yard",
    "Make an appointment for the car", "Cook dinner", "Print the photos", "Back up the computer", "Bake a cake",
    "Mow the lawn",
)  # fmt: skip

RESOLUTIONS = (
    "Go to bed earlier.", "Drink more water.", "Walk for half an hour every day.", "Read one book a month.",
    "Eat more vegetables.", "Call an old friend every week.", "Learn ten new words every day.",
    "Spend less time on the phone.", "Save a little money each month.", "Keep the desk tidy.", "Take the stairs.",
    "Cook at home more often.", "Say thank you more often.", "Get up at seven.", "Learn to swim.",
    "Practice the piano every day.", "Write a few lines every evening.", "Be kind to the neighbors.",
    "Plan the week on Sunday.", "Take a break every hour.",
)  # fmt: skip


def held_out(start: int, step: int) -> bool:
    """Whether counting from start in these steps is reserved for the examination: about 12% of the pairs.

    Counting from nothing, from one, and the times tables are what people know first, so these are never reserved,
    and neither is counting down.
    """
    if step < 1 or start < 1 or start == step or (start, step) == (1, 1):
        return False
    return (start * 7919 + step * 104729 + start * step * 31) % 101 < 13


def counting(random: Random) -> str:
    """A document that goes on by a rule: mostly one to three runs of numbers, else days, months or letters."""
    if random.random() < 0.7:
        forms = [_form(random) for _ in range(random.choice((1, 1, 2, 3)))]
        parts = [form(random) for form in forms]
    else:
        parts = random.sample([write(random) for write in OTHERS], k=random.choice((1, 2, 2)))
    while len("\n".join(parts)) < 40:
        parts.append(_upward(random))
    return "\n".join(parts)


def counting_examination(random: Random) -> tuple[str, str]:
    """A prompt that shows the first terms of a reserved run and ends after a comma, and the five terms that follow."""
    start, step = _pair(random, reserved=True)
    shown = random.choice((3, 4))
    terms = [str(start + number * step) for number in range(shown + ASKED)]
    given = ", ".join(terms[:shown])
    whole = random.choice(UPWARD).format(start=start, step=step, group=GROUPS[step], run=given)
    return whole.removesuffix(".") + ",", ", ".join(terms[shown:])


def listing(random: Random) -> str:
    """A short list with a heading: things of one kind, things to take along, groceries, tasks or good intentions."""
    return random.choice((_kinds, _kinds, _packing, _shopping, _tasks, _resolutions))(random)


def number_word(number: int) -> str:
    """The number in words, from zero to ninety-nine."""
    if number < 20:
        return ONES[number]
    tens, ones = divmod(number, 10)
    return TENS[tens] + (f"-{ONES[ones]}" if ones else "")


def _form(random: Random) -> Callable[[Random], str]:
    return random.choices((_upward, _upward_to, _downward, _in_words), weights=(14, 3, 3, 2))[0]


def _pair(random: Random, *, reserved: bool) -> tuple[int, int]:
    while True:
        start, step = random.randint(0, LAST_START), random.choice(STEPS)
        if random.random() < 0.15:
            start = random.choice((0, step)) if step <= LAST_START else 0
        if held_out(start, step) == reserved:
            return start, step


def _run(start: int, step: int, length: int) -> str:
    return ", ".join(str(start + number * step) for number in range(length))


def _upward(random: Random) -> str:
    start, step = _pair(random, reserved=False)
    run = _run(start, step, random.randint(10, 14))
    return random.choice(UPWARD).format(start=start, step=step, group=GROUPS[step], run=run)


def _upward_to(random: Random) -> str:
    start, step = _pair(random, reserved=False)
    length = random.randint(8, 14)
    end = start + (length - 1) * step
    run = _run(start, step, length)
    return random.choice(UPWARD_TO).format(start=start, step=step, end=end, group=GROUPS[step], run=run)


def _downward(random: Random) -> str:
    step = random.choice(STEPS)
    length = random.randint(6, 11)
    end = random.choice((0, 0, random.randint(0, 20)))
    start = end + (length - 1) * step
    run = _run(start, -step, length)
    return random.choice(DOWNWARD).format(start=start, step=step, end=end, group=GROUPS[step], run=run)


def _in_words(random: Random) -> str:
    while True:
        start, step = random.choice((0, 1, 1, random.randint(0, 30))), random.choice((1, 1, 1, 2, 5, 10))
        numbers = range(start, min(start + 12 * step, 100), step)
        if not held_out(start, step) and len(numbers) >= 8:
            break
    words = ", ".join(map(number_word, numbers))
    return random.choice(
        (f"Counting in words: {words}.", words[0].upper() + words[1:] + ".", f"Say the numbers: {words}.")
    )


def _days(random: Random) -> str:
    first = random.randrange(7)
    days = [WEEKDAYS[(first + number) % 7] for number in range(7)]
    if random.random() < 0.5:
        days = list(WEEKDAYS)
        return f"The days of the week are {', '.join(days[:-1])} and {days[-1]}."
    return f"The days of the week from {days[0]} on: {', '.join(days)}."


def _months(random: Random) -> str:
    if random.random() < 0.5:
        return f"The months of the year are {', '.join(MONTHS[:-1])} and {MONTHS[-1]}."
    first = random.randrange(12)
    return f"Twelve months from {MONTHS[first]} on: {', '.join(MONTHS[first:] + MONTHS[:first])}."


def _alphabet(random: Random) -> str:
    letters = ALPHABET if random.random() < 0.5 else tuple(letter.lower() for letter in ALPHABET)
    forms = (
        f"The letters of the alphabet are {', '.join(letters)}.",
        ", ".join(letters),
        f"The alphabet backwards: {', '.join(reversed(letters))}.",
        f"The alphabet: {' '.join(letters)}",
    )
    return random.choice(forms)


def _ordinals(random: Random) -> str:
    if random.random() < 0.3:
        return f"In order: {', '.join(ORDINALS[: random.randint(6, 12)])}."
    count = random.randint(3, 8)
    lines = [f"{month} is the {ordinal} month of the year." for month, ordinal in zip(MONTHS, ORDINALS, strict=True)]
    first = random.randint(0, 12 - count)
    return "\n".join(lines[first : first + count])


def _neighbors(random: Random) -> str:
    asked = random.sample(range(1, 100), k=random.randint(2, 4))
    return "\n".join(f"The number after {number} is {number + 1}." for number in asked)


def _next_day(random: Random) -> str:
    days = random.sample(range(7), k=random.randint(2, 4))
    form = random.choice(
        ("The day after {day} is {next}.", "After {day} comes {next}.", "Which day comes after {day}? {next}.")
    )
    return "\n".join(form.format(day=WEEKDAYS[day], next=WEEKDAYS[(day + 1) % 7]) for day in days)


def _next_month(random: Random) -> str:
    months = random.sample(range(12), k=random.randint(2, 4))
    form = random.choice(
        (
            "The month after {month} is {next}.",
            "After {month} comes {next}.",
            "Which month comes after {month}? {next}.",
        )
    )
    return "\n".join(form.format(month=MONTHS[month], next=MONTHS[(month + 1) % 12]) for month in months)


def _numbered_words(random: Random) -> str:
    return "\n".join(f"{number}. {number_word(number)}" for number in range(1, random.randint(6, 16)))


OTHERS = (_days, _months, _alphabet, _ordinals, _neighbors, _next_day, _next_month, _numbered_words)


def _dashes(items: Sequence[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _numbered(items: Sequence[str]) -> str:
    return "\n".join(f"{number}. {item}" for number, item in enumerate(items, start=1))


def _kinds(random: Random) -> str:
    kind = random.choice(tuple(LISTS))
    things = random.sample(LISTS[kind], k=random.randint(5, 10))
    heading = number_word(len(things)).capitalize() + f" {kind}:"
    form = random.randrange(4)
    if form == 0:
        return f"{heading} {', '.join(things)}."
    if form == 1:
        return f"{heading} {', '.join(things[:-1])} and {things[-1]}."
    return f"{heading}\n{_dashes(things) if form == 2 else _numbered(things)}"


def _packing(random: Random) -> str:
    way = random.choice(tuple(PACKING))
    things = random.sample(PACKING[way], k=random.randint(4, 9))
    _, _, place = way.partition(" ")
    heading = random.choice((f"Things to take {way}:", f"What to pack for {place}:", f"Packing list for {place}:"))
    return f"{heading}\n{_dashes(things)}"


def _shopping(random: Random) -> str:
    things = random.sample(GROCERIES, k=random.randint(5, 10))
    food = random.choice(FOODS)
    if not any(food in thing for thing in things):
        things.append(f"{random.randint(3, 9)} {food}")
    heading = random.choice(
        ("Shopping list:", "Groceries for the week:", "Things to buy:", f"{random.choice(NAMES)}'s shopping list:")
    )
    return f"{heading}\n{_dashes(things)}"


def _tasks(random: Random) -> str:
    tasks = random.sample(TASKS, k=random.randint(4, 8))
    day = random.choice((*WEEKDAYS, "today", "tomorrow", "the weekend"))
    heading = random.choice((f"To-do list for {day}:", f"Tasks for {day}:"))
    form = random.randrange(3)
    if form == 0:
        lines = [f"- [{random.choice(' x')}] {task}" for task in tasks]
        return "\n".join((heading, *lines))
    return f"{heading}\n{_numbered(tasks) if form == 1 else _dashes(tasks)}"


def _resolutions(random: Random) -> str:
    lines = random.sample(RESOLUTIONS, k=random.randint(4, 7))
    count = number_word(len(lines)).capitalize()
    heading = random.choice(
        (f"{count} good habits:", f"{count} plans for the new year:", f"{count} small ways to a better week:")
    )
    return f"{heading}\n{_numbered(lines)}"
