"""Who the tales are about, where each of them can live, and whom they meet."""

from typing import NamedTuple

from specviz.training.embedded.templates import story_words


class Hero(NamedTuple):
    """A kind of hero.

    Args:
        kind: the noun, as in "the baker".
        sort: p for a person, a for an animal, m for a thing that moves about, f for a thing that stays where it is.
        pronouns: the pronouns it may have: he, she, it.
        places: the groups of places where it can live.
        job: what it does all day, as in "was busy baking bread".
        went: how it moves.
    """

    kind: str
    sort: str
    pronouns: tuple[str, ...]
    places: tuple[str, ...]
    job: str
    went: str


_PERSONS = """
baker|he she|town|baking bread
shoemaker|he she|town|mending boots
tailor|he she|town|sewing coats
clockmaker|he she|town|repairing clocks
blacksmith|he|town|shoeing horses
carpenter|he she|town|making tables
potter|he she|town hill|shaping pots
weaver|he she|town hill|weaving blankets
candlemaker|he she|town|dipping candles
locksmith|he she|town|filing keys
bookbinder|he she|town|binding books
painter|he she|town hill|painting barns and gates
barber|he she|town|cutting hair
teacher|he she|town|teaching the alphabet
doctor|he she|town|visiting the sick
cook|he she|town castle|stirring soup
tinker|he|town road|mending pans
postman|he|town hill|carrying letters
lamplighter|he|town|lighting the street lamps
watchman|he|town castle|watching the gate
bell ringer|he she|town|ringing the bells
musician|he she|town road|playing the fiddle
puppeteer|he she|town road|mending puppets
librarian|he she|town|sorting books
seamstress|she|town|hemming curtains
washerwoman|she|river|washing sheets
milkmaid|she|field|milking cows
miller|he she|river field|grinding corn
ferryman|he|river|rowing people across the river
fisherman|he|sea|mending nets
fishwife|she|sea|selling herrings
sailor|he she|sea|tying knots
captain|he she|sea|reading old maps
boat builder|he she|sea river|building boats
lighthouse keeper|he she|sea|polishing the great lamp
farmer|he she|field|plowing the fields
gardener|he she|field castle|planting beans
beekeeper|he she|field hill|looking after the bees
goose girl|she|field|minding the geese
shepherd|he she|hill|watching the sheep
goatherd|he she|hill|leading the goats uphill
woodcutter|he|wood|chopping wood
charcoal burner|he|wood|tending the fire
hunter|he|wood|reading tracks
basket maker|he she|river wood|weaving baskets
stonemason|he|hill town|cutting stones
bridge keeper|he she|river|counting the carts
peddler|he she|road|selling ribbons
tramp|he|road|walking from town to town
soldier|he|road castle|polishing boots
king|he|castle|signing papers
queen|she|castle|receiving guests
prince|he|castle|learning to ride
princess|she|castle|reading on the stairs
knight|he|castle|polishing the armor
page|he|castle|carrying trays
wizard|he|wood castle|mixing powders
witch|she|wood|drying herbs
giant|he|hill|moving rocks
giantess|she|hill|knitting huge socks
dwarf|he|hill wood|digging for silver
grandmother|she|town hill|knitting socks
grandfather|he|town hill|carving spoons
widow|she|town river|spinning wool
girl|she|town sea hill field|feeding the hens
boy|he|town sea hill field|fetching water
"""

_ANIMALS = """
hedgehog|he she|wood field|collecting apples|trotted
fox|he she|wood hill|sniffing along the paths|trotted
bear|he she|wood hill|looking for honey|tramped
wolf|he she|wood hill|keeping watch|trotted
badger|he she|wood|digging new rooms|trotted
hare|he she|field hill|racing the wind|hopped
rabbit|he she|field wood|nibbling clover|hopped
mouse|he she|house field town|gathering crumbs|scurried
cat|he she|house town sea|chasing shadows|padded
dog|he she|town field|guarding the gate|trotted
goat|he she|hill field|climbing rocks|climbed
sheep|he she|hill field|chewing grass|trotted
lamb|he she|hill field|jumping over molehills|skipped
pony|he she|field road|pulling a cart|trotted
horse|he she|field road|pulling a wagon|trotted
calf|he she|field|following the herd|trotted
pig|he she|field|rolling in the mud|trotted
goose|he she|field river|swimming in circles|waddled
duck|he she|river|diving for weeds|waddled
hen|she|field|scratching for corn|hurried
rooster|he|field|crowing on the fence|strutted
swan|he she|river|gliding over the water|swam
heron|he she|river|standing on one leg|flew
stork|he she|town river|clattering on the roof|flew
crow|he she|wood field|collecting shiny things|flew
owl|he she|wood|hooting at the moon|flew
sparrow|he she|town house|hopping along the gutter|flew
robin|he she|wood field|singing on a spade|flew
gull|he she|sea|sailing on the wind|flew
penguin|he she|ice|sliding over the snow|waddled
seal|he she|sea ice|lying on the rocks|swam
crab|he she|sea|digging in the sand|scuttled
frog|he she|river|catching flies|hopped
toad|he she|field river|sitting under a stone|hopped
turtle|he she|river sea|sunning on a log|crept
beaver|he she|river|building dams|swam
otter|he she|river sea|juggling pebbles|swam
mole|he she|field wood|digging tunnels|crept
squirrel|he she|wood|burying nuts|leaped
deer|he she|wood|walking among the ferns|trotted
snail|he she|field wood|carrying the house about|crept
ant|he she|field wood|dragging pine needles|hurried
bee|she|field hill|visiting flowers|flew
beetle|he she|wood field|rolling crumbs of earth|crept
spider|he she|house wood|spinning threads|crept
ladybird|he she|field|counting dots|flew
camel|he she|desert|carrying sacks|plodded
elephant|he she|warm|spraying water|tramped
monkey|he she|warm|swinging from branch to branch|swung
lion|he she|warm desert|sleeping in the sun|padded
tiger|he she|warm|prowling through the reeds|padded
parrot|he she|warm sea|repeating words|flew
dragon|he she|hill|warming the rocks|flew
"""

_MOVING = """
cloud|it|sky|drifting over the fields|drifted
wind|it|sky|turning the weathercocks|blew
snowflake|it|sky|dancing in the air|floated
raindrop|it|sky|rolling along in a cloud|slid
star|it|sky|twinkling over the roofs|wandered
moon|she|sky|lighting the roads|sailed
boat|it|sea river|carrying fish to the harbor|sailed
ship|it|sea|carrying tea and silk|sailed
ferry|it|river|carrying carts across the water|sailed
raft|it|river|carrying logs|floated
train|it|hill field|pulling wagons through the valley|rolled
tram|it|town|carrying people up the hill|rolled
bus|it|town hill|taking children to school|rolled
cart|it|field road|carrying cabbages|rolled
kite|it|sky|pulling on a string|flew
balloon|it|sky|floating over the rooftops|floated
leaf|it|sky|spinning in the wind|floated
feather|it|sky|riding on the wind|floated
brook|it|hill wood|running over the stones|ran
paper boat|it|river|riding on the ripples|floated
"""

_FIXED = """
lighthouse|it|sea|shining over the water
bridge|it|river|carrying people across
clock|it|house town|telling the time
tree|it|field hill|giving shade to the sheep
oak|it|field wood|holding up the nests
fir tree|it|wood hill|sheltering the birds
apple tree|it|field|growing apples
scarecrow|it|field|guarding the corn
kettle|it|house|boiling water
teapot|it|house|pouring tea
stove|it|house|warming the room
lamp|it|house town|lighting up the evening
street lamp|it|town|shining on the pavement
candle|it|house|burning with a yellow flame
bell|it|town|ringing the hours
windmill|it|field hill|turning in the wind
mill|it|river|grinding corn
signpost|it|road hill|pointing the way
weathercock|it|town field|showing where the wind came from
well|it|town field|giving cool water
door|it|house town|opening and closing
chair|it|house|standing by the table
piano|it|house|playing waltzes
mirror|it|house|showing faces
snowman|he|field hill|smiling at the children
statue|it|town castle|looking over the square
gate|it|field castle|swinging to and fro
broom|it|house|sweeping the floor
suitcase|it|house|traveling from town to town
umbrella|it|house|keeping off the rain
house|it|hill wood|keeping out the wind
tower|it|castle hill|looking out over the land
fountain|it|town castle|splashing and singing
pine|it|hill wood|humming in the wind
sunflower|it|field|following the sun
pumpkin|it|field|growing rounder and rounder
stone|it|road river|lying in the sun
drum|it|house|beating for dancers
"""


def _heroes(sort: str, table: str) -> tuple[Hero, ...]:
    rows = [line.split("|") for line in table.strip().splitlines()]
    return tuple(
        Hero(row[0], sort, tuple(row[1].split()), tuple(row[2].split()), row[3], row[4] if len(row) > 4 else "walked")
        for row in rows
    )


HEROES = _heroes("p", _PERSONS) + _heroes("a", _ANIMALS) + _heroes("m", _MOVING) + _heroes("f", _FIXED)

PLACES: dict[str, tuple[tuple[str, str], ...]] = {
    "town": (
        ("in a town with a crooked tower", "the town"), ("in a village with seven wells", "the village"), ("in a town on two hills", "the town"),
        ("in a village behind the dunes", "the village"), ("in a narrow street near the harbor", "the street"), ("in a town full of stairs", "the town"),
        ("beside the market square", "the square"), ("in the last house of the village", "the village"), ("in a town where it often rained", "the town"),
        ("in a village of thirty chimneys", "the village"), ("on the corner of Plum Street", "the street"), ("in a city by a wide river", "the city"),
        ("in a mountain village", "the village"), ("near the old town wall", "the town"), ("in a lane that smelled of bread", "the lane"),
    ),
    "sea": (
        ("by the sea", "the coast"), ("on a rocky island", "the island"), ("beside a small harbor", "the harbor"), ("at the end of a long pier", "the harbor"),
        ("in a bay full of gulls", "the bay"), ("on a windy cape", "the cape"), ("near the white cliffs", "the coast"), ("on a flat green island", "the island"),
        ("where the river meets the sea", "the coast"), ("on a beach of black pebbles", "the beach"),
    ),
    "river": (
        ("by a slow brown river", "the river"), ("on the bank of a river", "the river"), ("where two rivers meet", "the river"), ("beside the reeds", "the riverbank"),
        ("by a bend of the river", "the river"), ("near the old ferry", "the riverbank"), ("in a valley with a clear stream", "the valley"),
        ("at a ford where carts crossed", "the ford"),
    ),
    "wood": (
        ("in a deep green forest", "the forest"), ("in a birch wood", "the wood"), ("in a clearing among the firs", "the clearing"), ("in a wood full of foxgloves", "the wood"),
        ("in the oldest part of the forest", "the forest"), ("where the forest is darkest", "the forest"), ("in a mossy hollow", "the hollow"),
        ("between the pines", "the pinewood"),
    ),
    "field": (
        ("on a farm", "the farm"), ("in a wide meadow", "the meadow"), ("in a field of barley", "the field"), ("behind a red barn", "the farm"), ("in an orchard", "the orchard"),
        ("beside a field of poppies", "the field"), ("on the flat land by the canal", "the country"), ("in a garden with a low wall", "the garden"),
        ("on a farm with nine cows", "the farm"),
    ),
    "hill": (
        ("high in the mountains", "the mountains"), ("on a bare hill", "the hill"), ("at the foot of a mountain", "the valley"), ("in a valley between three hills", "the valley"),
        ("on a hill covered with heather", "the hill"), ("beside a mountain road", "the valley"), ("under a snowy peak", "the valley"), ("in a stony valley", "the valley"),
    ),
    "house": (
        ("in a farmhouse kitchen", "the kitchen"), ("in the house of a doctor", "the house"), ("in a small inn", "the inn"), ("in a house with green shutters", "the house"),
        ("in an old schoolhouse", "the schoolhouse"), ("in a tall house by the canal", "the house"), ("in a shop full of odds and ends", "the shop"),
        ("in the house of three sisters", "the house"), ("in a cottage with a straw roof", "the cottage"),
    ),
    "castle": (
        ("in a castle with forty windows", "the castle"), ("in a gray castle", "the castle"), ("in a palace by a lake", "the palace"), ("in a land of many rivers", "the land"),
        ("in a small kingdom", "the kingdom"), ("in a castle above the clouds", "the castle"), ("in a palace full of echoes", "the palace"),
    ),
    "road": (
        ("on the long road to the south", "the road"), ("beside a dusty road", "the road"), ("where four roads meet", "the crossroads"), ("on the road between two towns", "the road"),
        ("on the old salt road", "the road"),
    ),
    "sky": (
        ("high above the hills", "the sky"), ("over the roofs of a town", "the sky"), ("in the wide sky", "the sky"), ("above a green valley", "the sky"),
        ("over the sea", "the sky"), ("in the gray sky of November", "the sky"),
    ),
    "ice": (("on a cold white shore", "the shore"), ("where the ice never melts", "the ice"), ("at the end of the world", "the shore")),
    "desert": (("in a wide yellow desert", "the desert"), ("near an oasis with nine palms", "the oasis"), ("where the sand is red", "the desert")),
    "warm": (("in a hot green forest", "the forest"), ("by a river full of lilies", "the river"), ("in the tall grass of the south", "the plain"), ("under the fig trees", "the forest")),
}  # fmt: skip

GIRLS = (*story_words.GIRLS, "Agnes", "Aylin", "Berta", "Birgit", "Carmen", "Dora", "Edith", "Elif", "Esme", "Flora", "Freya", "Greta", "Hilda", "Irma", "Jutta", "Karin", "Laila", "Lotte", "Magda", "Marta", "Matilda", "Nell", "Oda", "Petra", "Rania", "Runa", "Sigrid", "Stella", "Thea", "Ursula", "Vilma", "Zara")  # fmt: skip
BOYS = (*story_words.BOYS, "Albert", "Anders", "Arthur", "Basil", "Casper", "Dario", "Edgar", "Elias", "Emre", "Franz", "Gustav", "Hamid", "Igor", "Jakob", "Jasper", "Karim", "Klaus", "Lorenzo", "Marco", "Matti", "Mikkel", "Nils", "Otto", "Pavel", "Quentin", "Ralf", "Rufus", "Stefan", "Tariq", "Ulrich", "Viktor", "Walter")  # fmt: skip
PETS = (*story_words.PET_NAMES, "Bo", "Coco", "Fluff", "Grumble", "Hops", "Inky", "Jojo", "Kiki", "Lulu", "Momo", "Nubbin", "Otis", "Puck", "Quill", "Rollo", "Sooty", "Tiko", "Velvet")  # fmt: skip

ADJECTIVES: dict[str, tuple[str, ...]] = {
    "p": ("old", "young", "poor", "cheerful", "quiet", "careful", "thin", "tall", "good-natured", "forgetful", "lonely", "clever", "stubborn", "round", "gentle", "proud", "dreamy", "patient"),
    "a": ("young", "small", "shy", "clever", "curious", "lazy", "cheerful", "lonely", "thin", "round", "brave", "clumsy", "gentle", "hungry", "proud", "quiet"),
    "m": ("little", "small", "young", "white", "cheerful", "lonely", "curious", "quiet", "restless", "gray"),
    "f": ("little", "old", "small", "tall", "crooked", "proud", "lonely", "plain", "rusty", "patient", "quiet"),
}  # fmt: skip

# Whom heroes meet. An adjective comes with the first mention only.
PEOPLE = (
    "busy tailor", "retired captain", "tired peddler", "merry widow", "hungry student", "young drummer", "freckled boy", "barefoot girl", "plump innkeeper",
    "stern schoolmaster", "jolly butcher", "wandering fiddler", "traveling doctor", "deaf gardener", "sleepy watchman", "sooty chimney sweep", "lame sailor",
    "young nurse", "bearded hermit", "clever goose girl", "wise grandmother", "thin poet", "cheerful milkman", "careful judge", "rich merchant",
    "bald barber", "lame soldier", "patient schoolmistress", "red-haired blacksmith", "loud market woman", "grumpy coachman", "kind aunt",
)  # fmt: skip

BEASTS = (
    "fat goose", "gray crow", "busy ant", "old tortoise", "spotted toad", "brown hare", "proud rooster", "sleepy cat", "thin dog", "young stork", "wise owl",
    "chattering magpie", "slow snail", "hungry fox", "white moth", "noisy jay", "striped cat", "lame pigeon", "shaggy goat", "green lizard", "brown cow",
    "swift swallow", "fat bumblebee", "small wren", "old carthorse", "merry cricket", "tiny shrew", "black sheep", "quick weasel", "bold sparrow",
)  # fmt: skip

FRIENDS_OF: dict[str, tuple[str, ...]] = {
    "p": ("neighbor", "tailor", "miller", "fiddler", "gardener", "carpenter", "postman", "innkeeper", "sailor", "shepherd", "milkmaid", "beekeeper", "schoolteacher", "fisherman", "boy", "girl", "weaver", "cousin", "flute player", "cobbler"),
    "a": ("swallow", "mouse", "hedgehog", "hare", "crow", "frog", "mole", "squirrel", "sparrow", "toad", "turtle", "robin", "cat", "dog", "goose", "badger", "lamb", "duck", "magpie", "otter"),
    "m": ("swallow", "gull", "boy", "girl", "sparrow", "lark", "crow", "sailor", "goose", "butterfly", "dragonfly", "stork", "robin", "shepherd"),
    "f": ("swallow", "mouse", "boy", "girl", "sparrow", "cat", "robin", "crow", "spider", "moth", "bat", "stray dog", "dove", "bee"),
}  # fmt: skip
