"""Short lists with a heading: things of one kind, things to take along, groceries, tasks, good intentions."""

from collections.abc import Sequence
from random import Random

from specviz.training.embedded.templates.counting import number_word
from specviz.training.embedded.templates.words import FOODS, NAMES, WEEKDAYS

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


def listing(random: Random) -> str:
    """A short list with a heading: things of one kind, things to take along, groceries, tasks or good intentions."""
    return random.choice((_kinds, _kinds, _packing, _shopping, _tasks, _resolutions))(random)


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
