"""Who and what the stories are about: names, kinds, places, and words that may stand for one another."""

GIRLS = (
    "Ada", "Alice", "Amina", "Anna", "Bella", "Clara", "Daisy", "Ella", "Emma", "Eva", "Fiona", "Grace", "Hana", "Ida", "Ines", "Jana", "Julia",
    "Kira", "Leila", "Lena", "Lily", "Lina", "Lucy", "Maya", "Mei", "Mia", "Mina", "Nadia", "Nina", "Nora", "Olga", "Paula", "Penny", "Priya",
    "Rosa", "Ruth", "Sara", "Selma", "Sofia", "Tara", "Tilly", "Uma", "Vera", "Wanda", "Yara", "Zoe", "Zuri",
)  # fmt: skip

BOYS = (
    "Adam", "Amir", "Anton", "Ben", "Bruno", "Carlos", "Chen", "Daniel", "David", "Diego", "Emil", "Eric", "Felix", "Finn", "George", "Hassan",
    "Henry", "Hugo", "Ivan", "Jack", "Jamal", "Jonas", "Kenji", "Kofi", "Lars", "Leo", "Louis", "Luis", "Lukas", "Mark", "Max", "Milo", "Nico",
    "Noah", "Oliver", "Omar", "Oscar", "Paul", "Pedro", "Peter", "Ravi", "Sam", "Simon", "Theo", "Tom", "Victor", "Yusuf",
)  # fmt: skip

PET_NAMES = (
    "Acorn", "Barley", "Basil", "Berry", "Biscuit", "Bramble", "Brindle", "Bumble", "Button", "Cinnamon", "Clover", "Cocoa", "Cricket", "Crumb",
    "Dandelion", "Dot", "Dusty", "Fern", "Fidget", "Fig", "Flicker", "Freckle", "Ginger", "Hazel", "Honey", "Juniper", "Maple", "Mallow",
    "Marble", "Midge", "Minty", "Moss", "Muffin", "Nettle", "Nibble", "Nutmeg", "Olive", "Patch", "Pebble", "Pepper", "Pickle", "Pip", "Plum",
    "Poppy", "Pumpkin", "Ripple", "Rusty", "Saffron", "Scout", "Snowdrop", "Sorrel", "Spark", "Speckle", "Sprout", "Tansy", "Thimble",
    "Thistle", "Tuft", "Twig", "Wiggle", "Willow", "Whisker", "Ziggy",
)  # fmt: skip

# Kinds that can carry, knock and hug: the plots give them paws.
KINDS = (
    "badger", "bear", "beaver", "chipmunk", "dormouse", "fox", "hamster", "hare", "hedgehog", "kitten", "koala", "mole", "monkey", "mouse",
    "otter", "panda", "puppy", "rabbit", "raccoon", "squirrel", "weasel", "wombat",
)  # fmt: skip

# Kinds met on the way; none of them is a hero's or an elder's kind.
PASSERS = (
    "busy ant", "yellow bee", "shiny beetle", "blue butterfly", "brown cow", "cheerful cricket", "grey crow", "fat duck", "quick dragonfly",
    "green frog", "woolly goat", "red hen", "tiny ladybird", "sleepy lizard", "proud magpie", "white moth", "plump pigeon", "little robin",
    "noisy rooster", "curly sheep", "slow snail", "brown sparrow", "graceful swan", "busy woodpecker", "shy deer", "old donkey",
    "spotted pony", "pink pig", "merry blackbird", "striped caterpillar", "swift swallow", "big bullfrog", "young seagull",
)  # fmt: skip

ELDER_NAMES = (
    "Appleby", "Bell", "Birch", "Bloom", "Brook", "Clay", "Cotton", "Dove", "Fields", "Finch", "Flint", "Frost", "Gray", "Green", "Hill", "Ivy",
    "Lane", "Marsh", "Meadows", "Miller", "Moon", "Page", "Peach", "Pine", "Potter", "Rose", "Sands", "Snow", "Stone", "Wells", "Winter", "Wood",
)  # fmt: skip

ELDER_KINDS = ("Goose", "Heron", "Porcupine", "Ram", "Stork", "Toad", "Tortoise", "Turtle", "Walrus", "Pelican")

# Where the story happens, and how it is called afterwards.
TOWNS = (
    ("in a small village by the sea", "the village"), ("in a quiet town at the foot of a mountain", "the town"),
    ("on a farm at the end of a long road", "the countryside"), ("in a valley full of apple trees", "the valley"),
    ("on a little island with a lighthouse", "the village"), ("in a harbor town full of gulls", "the town"),
    ("in a village with a round stone well", "the village"), ("near the edge of a great wood", "the neighborhood"),
    ("in a town with crooked chimneys", "the town"), ("on a street where every door had its own color", "the town"),
    ("in a mountain village above the clouds", "the village"), ("in a fishing village with blue boats", "the village"),
    ("beside an old windmill", "the neighborhood"), ("in a sleepy village between two hills", "the village"),
    ("in a town beside a wide river", "the town"), ("in a white village under the hot sun", "the village"),
    ("in a village where it snowed half the year", "the village"), ("in a narrow street behind the market", "the town"),
)  # fmt: skip

WILDS = (
    ("deep in the forest", "the forest"), ("at the edge of a green meadow", "the meadow"), ("under the roots of an old tree", "the wood"),
    ("on a hill covered with heather", "the countryside"), ("in a valley where the ferns grew tall", "the valley"),
    ("among the reeds of a quiet marsh", "the marsh"), ("in a wood full of birch trees", "the wood"),
    ("between the roots of a giant fir", "the forest"), ("on the sunny side of a hill", "the countryside"),
    ("in a glade beside a waterfall", "the valley"), ("far away in a pine forest", "the forest"),
    ("behind a wall of wild roses", "the meadow"), ("at the bottom of an orchard", "the orchard"),
    ("in a mossy wood where mushrooms grew", "the wood"), ("near a field of golden wheat", "the countryside"),
    ("in the heart of a bamboo grove", "the grove"),
)  # fmt: skip

SPOTS = (
    "behind the woodpile", "under the stone bridge", "in the tall grass", "beside the well", "among the blackberry bushes", "behind the garden shed",
    "under a heap of leaves", "between the cabbages", "along the sandy path", "inside a hollow log", "near the beehives", "in the old hay cart",
    "behind the mill", "under the picnic table", "by the wooden gate", "among the reeds", "in the clover field", "next to the scarecrow",
    "under the raspberry canes", "beside the duck pond", "on top of the wall", "in an empty barrel", "at the foot of the hill",
    "behind the rain tub", "in the vegetable patch", "beneath the apple tree", "around the haystack", "near the boat landing",
    "in the nettles", "under the hedge", "among the sunflowers", "by the stepping stones",
)  # fmt: skip

FOODS = (
    "apple tarts", "banana muffins", "blackberry pies", "butter biscuits", "carrot cakes", "cheese rolls", "cherry buns", "chestnut cookies",
    "cinnamon rolls", "corn cakes", "currant scones", "date bars", "fig rolls", "ginger cookies", "hazelnut cakes", "honey cakes", "jam tarts",
    "lemon cakes", "oat cookies", "pancakes", "peach dumplings", "pear turnovers", "plum buns", "potato cakes", "pumpkin muffins",
    "raisin buns", "raspberry waffles", "sesame rings", "strawberry tarts", "walnut cookies",
)  # fmt: skip

FLOWERS = (
    "bluebells", "buttercups", "cornflowers", "daffodils", "daisies", "dandelions", "forget-me-nots", "lilies", "marigolds", "pansies", "poppies",
    "primroses", "roses", "snowdrops", "sunflowers", "tulips", "violets",
)  # fmt: skip

TREES = (
    "oak",
    "willow",
    "maple",
    "chestnut",
    "pine",
    "beech",
    "apple tree",
    "elm",
    "cherry tree",
    "walnut tree",
    "lime tree",
    "pear tree",
)

WATERS = ("river", "pond", "lake", "stream", "brook", "creek")

COLORS = (
    "red",
    "blue",
    "green",
    "yellow",
    "orange",
    "purple",
    "white",
    "pink",
    "brown",
    "silver",
    "golden",
    "striped",
    "spotted",
)

CLOTHES = (
    "scarf",
    "hat",
    "cap",
    "coat",
    "sweater",
    "waistcoat",
    "cape",
    "bow tie",
    "raincoat",
    "bonnet",
    "vest",
    "jacket",
)

HOBBIES = (
    "picking berries", "watching clouds", "jumping over puddles", "collecting smooth stones", "humming old songs", "painting leaves",
    "telling riddles", "climbing rocks", "drawing maps", "counting stars", "making paper boats", "rolling down hills", "listening to stories",
    "baking bread", "chasing shadows", "whistling tunes", "feeding the birds", "looking for feathers", "building towers", "playing the drum",
    "reading in the grass", "dancing in the rain", "growing beans", "catching snowflakes", "making daisy chains", "digging holes",
    "skipping stones", "singing to the moon", "sorting buttons", "sailing twigs",
)  # fmt: skip

NATURES = (
    "brave", "cheerful", "clever", "curious", "dreamy", "gentle", "helpful", "honest", "kind", "lively", "merry", "playful", "quiet", "shy",
    "thoughtful", "busy", "friendly", "patient", "hopeful", "good-hearted",
)  # fmt: skip

# Words of one list may take one another's place in any sentence that asks for the list.
LISTS: dict[str, tuple[str, ...]] = {
    "small": ("small", "little", "tiny", "wee"),
    "young": ("little", "young"),
    "big": ("big", "huge", "great", "enormous", "giant", "mighty"),
    "happy": ("happy", "glad", "joyful", "delighted", "cheerful", "pleased", "contented"),
    "sad": ("sad", "unhappy", "gloomy", "downhearted", "miserable", "sorrowful"),
    "tired": ("tired", "weary", "sleepy", "worn out", "exhausted"),
    "kindly": ("kindly", "gently", "warmly", "softly", "with a smile", "in a soft voice", "in a friendly voice"),
    "quietly": ("quietly", "in a small voice", "in a whisper", "very softly", "shyly", "under {his} breath"),
    "loudly": ("loudly", "at the top of {his} voice", "in a ringing voice", "as loudly as {he} could", "with all {his} might"),
    "hurried": ("hurried", "ran", "raced", "dashed", "scampered", "rushed", "sped", "trotted"),
    "walked": ("walked", "wandered", "strolled", "tramped", "padded", "marched", "went"),
    "looked": ("looked", "peeked", "searched", "hunted", "peered", "poked about"),
    "smiled": ("smiled", "beamed", "grinned", "chuckled", "nodded happily", "gave a little laugh"),
    "lovely": ("lovely", "beautiful", "splendid", "wonderful", "charming", "marvelous", "fine"),
    "bright": ("bright", "shining", "sparkling", "gleaming", "glowing", "glittering"),
    "strange": ("strange", "odd", "curious", "peculiar", "mysterious", "funny"),
    "later": ("After a while", "Before long", "A little later", "Soon", "Not long after", "In a little while", "By and by"),
    "sunny": ("sunny", "bright", "clear", "fresh", "golden", "warm", "breezy", "cool", "misty", "crisp"),
    "part": ("morning", "afternoon", "day"),
    "season": ("spring", "summer", "autumn"),
    "noise": ("Splash", "Crash", "Whoosh", "Thump", "Clatter", "Snap", "Rustle", "Plop", "Bump", "Swish", "Bang", "Crack", "Rattle, rattle", "Clang", "Thud", "Boom", "Creak", "Pling", "Hiss", "Flap, flap", "Knock, knock", "Whirr", "Crackle", "Plink, plonk", "Tap, tap, tap"),
    "hooray": ("Hooray", "Hurrah", "Oh, how wonderful", "What luck", "Well, well", "Look at that", "My goodness"),
    "alas": ("Oh dear", "Oh no", "Dear me", "Goodness", "Bother", "What a pity"),
    "thanks": ("Thank you", "Many thanks", "Thank you so much", "A thousand thanks", "Thank you, thank you"),
}  # fmt: skip
