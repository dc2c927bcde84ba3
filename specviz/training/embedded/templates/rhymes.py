"""Short rhymed poems in four-beat lines, put together from a bank of lines by theme and rhyme."""

from collections.abc import Mapping
from random import Random

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "day": ("day", "play", "way", "grey", "stay", "bay", "away", "hay", "say", "may", "tray"),
    "sand": ("sand", "hand", "land", "grand", "stand", "band"),
    "sea": ("sea", "free", "me", "be", "tea", "tree", "bee", "key", "see", "three", "knee"),
    "shore": ("shore", "roar", "soar", "more", "door", "floor", "before", "store", "snore", "four"),
    "night": ("night", "light", "white", "bright", "tight", "sight", "right", "kite", "delight", "might", "flight"),
    "sail": ("sail", "whale", "tale", "gale", "tail", "pale", "snail", "pail", "mail", "trail", "rail"),
    "ship": ("ship", "trip", "dip", "drip", "sip", "slip"),
    "rock": ("rock", "dock", "flock", "sock", "clock", "knock", "lock", "block"),
    "tide": ("tide", "wide", "ride", "hide", "side", "inside", "outside", "glide", "slide", "guide"),
    "deep": ("deep", "sleep", "creep", "sheep", "peep", "keep", "leap", "heap", "asleep", "cheep"),
    "blue": ("blue", "two", "too", "new", "you", "view", "dew", "through", "shoe", "true", "do", "few", "grew", "flew", "to-whoo", "moo"),
    "moon": ("moon", "soon", "tune", "noon", "spoon", "june", "balloon", "afternoon"),
    "star": ("star", "far", "afar", "are", "car", "jar"),
    "sky": ("sky", "high", "by", "fly", "goodbye", "why", "pie", "dry", "lie", "cry", "butterfly", "eye"),
    "bed": ("bed", "head", "red", "said", "shed", "thread", "bread", "overhead", "spread", "ahead"),
    "dream": ("dream", "stream", "gleam", "cream", "beam", "steam"),
    "still": ("still", "hill", "chill", "sill", "mill", "fill", "until", "daffodil"),
    "owl": ("owl", "prowl", "howl", "growl"),
    "deer": ("deer", "near", "clear", "hear", "here", "year", "ear", "appear", "cheer"),
    "rose": ("rose", "grows", "toes", "nose", "goes", "knows", "rows", "blows", "snows", "clothes", "shows", "close"),
    "seed": ("seed", "weed", "need", "feed", "read", "lead", "reed"),
    "ground": ("ground", "round", "sound", "found", "around"),
    "flower": ("flower", "shower", "hour", "tower", "bower"),
    "spring": ("spring", "sing", "bring", "wing", "string", "ring", "king", "thing", "swing"),
    "bean": ("bean", "green", "queen", "seen", "between", "clean", "screen"),
    "sun": ("sun", "run", "fun", "one", "done", "begun", "bun", "spun"),
    "snow": ("snow", "below", "slow", "blow", "glow", "crow", "grow", "know", "go", "low", "row", "ago", "show"),
    "cold": ("cold", "gold", "old", "told", "fold", "hold", "rolled", "sold"),
    "ice": ("ice", "mice", "nice", "twice", "slice", "rice", "spice"),
    "fire": ("fire", "higher", "choir", "spire", "wire"),
    "coat": ("coat", "boat", "throat", "goat", "note", "float"),
    "fog": ("fog", "dog", "frog", "log", "jog"),
    "cat": ("cat", "mat", "hat", "sat", "that", "flat", "pat", "bat"),
    "house": ("house", "mouse", "grouse"),
    "bear": ("bear", "there", "care", "chair", "air", "hair", "stair", "everywhere", "square", "fair", "share", "bare"),
    "fox": ("fox", "box", "socks", "clocks", "rocks", "locks"),
    "duck": ("duck", "luck", "truck", "stuck", "cluck"),
    "hen": ("hen", "pen", "ten", "then", "again", "den", "men"),
    "cook": ("cook", "book", "look", "nook", "brook", "took", "hook"),
    "cake": ("cake", "bake", "wake", "make", "lake", "take", "snake", "awake", "flake"),
    "wall": ("wall", "hall", "small", "tall", "ball", "fall", "all", "call"),
    "room": ("room", "broom", "bloom", "gloom"),
    "pot": ("pot", "hot", "lot", "spot", "not", "got"),
    "rain": ("rain", "pane", "lane", "train", "plain", "grain", "drain", "chain", "window-pane"),
    "pool": ("pool", "school", "cool", "stool", "wool"),
    "street": ("street", "feet", "sweet", "meet", "wheat", "heat", "neat", "beat", "seat", "eat", "treat", "fleet", "meadowsweet"),
    "drop": ("drop", "hop", "stop", "top", "shop", "mop", "plop"),
    "town": ("town", "down", "brown", "crown", "gown"),
    "breeze": ("breeze", "trees", "bees", "knees", "freeze", "cheese", "please", "peas", "seas", "ease", "keys"),
    "nest": ("nest", "best", "rest", "west", "guest", "dressed"),
    "dawn": ("dawn", "lawn", "yawn", "corn", "born"),
    "wood": ("wood", "good", "stood", "could", "hood"),
    "road": ("road", "load", "toad", "showed"),
    "mile": ("mile", "smile", "while", "stile", "style"),
    "song": ("song", "long", "along", "strong", "wrong"),
}  # fmt: skip
"""Words that rhyme with one another, family by family."""

_Lines = Mapping[str, tuple[str, ...]]

LINES: Mapping[str, _Lines] = {
    "sea": {
        "day": ("The waves roll in at break of day", "The little boats are on their way", "The gulls are crying in the bay",
                "The sea is green, the sky is grey", "The dolphins leap, the dolphins play"),
        "sand": ("The tide comes creeping up the sand", "The captain lifts a friendly hand", "The sea is singing to the land",
                 "Our castle on the beach is grand"),
        "sea": ("The boats are sailing out to sea", "The salty wind is wild and free", "The seagulls call to you and me",
                "There is no place I'd rather be", "The captain drinks a cup of tea"),
        "shore": ("The waves come rolling to the shore", "We hear the mighty ocean roar", "The gulls spread out their wings and soar",
                  "We gather shells and look for more"),
        "night": ("The lighthouse burns throughout the night", "The foam upon the waves is white", "The harbour fills with morning light",
                  "The sails are full, the ropes are tight", "An island slowly comes in sight"),
        "sail": ("The wind is strong and fills the sail", "Far out there swims a great blue whale", "The boat goes dancing through the gale",
                 "The sailor tells a merry tale", "The fishes flash a silver tail"),
        "ship": ("The sailors sing aboard the ship", "We pack a bag to take a trip", "The oars go up, the oars go dip", "From every rope the waters drip"),
        "rock": ("A crab is hiding by the rock", "The boats come home and reach the dock", "The seabirds gather in a flock", "I run and lose a shoe and sock"),
        "tide": ("The boats are waiting for the tide", "The sea is deep, the sea is wide", "Along the crest the white gulls ride",
                 "The little crabs run off to hide"),
        "blue": ("The sea is deep, the sea is blue", "A ship goes by, and then come two", "The sails are white, the ropes are new",
                 "A gull looks down and sees me too"),
    },
    "night": {
        "moon": ("Above the roof there hangs the moon", "The wind is humming us a tune", "The stars will all be shining soon",
                 "The moon is like a silver spoon"),
        "star": ("I see a small and silver star", "I wonder what the bright stars are", "The night train whistles from afar"),
        "sky": ("A thousand stars are in the sky", "The silver moon is sailing high", "A sleepy cloud goes drifting by", "The owl spreads out its wings to fly",
                "The day has waved its last goodbye"),
        "bed": ("It's time for all to go to bed", "The pillow waits to hold my head", "The evening clouds are turning red", "The last good night is softly said",
                "The stars are shining overhead"),
        "night": ("The lamps are glowing in the night", "The candle gives a golden light", "The moon is round and full and bright", "The curtains now are closing tight",
                  "An owl is watching, left and right"),
        "dream": ("The children sleep, the children dream", "The moon is mirrored in the stream", "The stars above begin to gleam", "Across the floor there falls a beam"),
        "deep": ("The night is dark, the night is deep", "The birds are quiet, fast asleep", "Across the grass the shadows creep", "In dreams I count a hundred sheep"),
        "still": ("The night is warm, the night is still", "The moon comes up behind the hill", "A cat is sitting on the sill", "The stream runs slowly past the mill"),
        "owl": ("From far away there calls an owl", "The fox has gone upon the prowl", "We hear a lonely farm dog howl"),
        "deer": ("Out of the forest steps a deer", "The stars are many, bright and clear", "The time for going home is near", "There is no sound that we can hear"),
        "town": ("The night has come to our small town", "The silver moon is looking down", "The clouds are dressed in evening gown", "The night is wearing starlight's crown"),
    },
    "garden": {
        "rose": ("Beside the gate there blooms a rose", "The gentle wind of summer blows", "How fast the little bean plant grows", "A ladybird is on my nose",
                 "The lettuce stands in tidy rows", "I feel the grass between my toes"),
        "seed": ("Today I plant a little seed", "The sun and rain are all they need", "I gently pull up every weed", "I sit beneath the tree and read"),
        "ground": ("A worm is wriggling through the ground", "The bees are buzzing all around", "The pumpkin there is big and round", "A silver snail is what I found",
                   "The fountain makes a gentle sound"),
        "flower": ("A bee is landing on a flower", "The clouds have brought a summer shower", "The beans have grown into a tower", "The cat has slept for half an hour"),
        "spring": ("The garden wakes because it's spring", "The blackbirds in the bushes sing", "A robin rests its weary wing", "I hang the bean plants on a string",
                   "The children laugh upon the swing"),
        "bean": ("Along the pole there climbs a bean", "The grass is soft, the grass is green", "The tulip stands there like a queen", "The brightest red I've ever seen"),
        "sun": ("The poppies open in the sun", "The work is hard but full of fun", "The hedgehog is too slow to run", "At last our work is nearly done",
                "The summer days have just begun"),
        "sea": ("A bird is singing in the tree", "Into the clover dives a bee", "A grasshopper sits on my knee", "The daisies nod to you and me"),
        "sky": ("The sunflower reaches for the sky", "The runner beans are growing high", "A snail comes slowly creeping by", "I chase a yellow butterfly",
                "We'll bake the cherries in a pie"),
        "breeze": ("The leaves are moving in the breeze", "The apples shine upon the trees", "The lavender is full of bees", "I weed the beds upon my knees",
                   "The pods are full of sweet green peas"),
    },
    "winter": {
        "snow": ("The fields are covered deep in snow", "The icy winds of winter blow", "The river now is cold and slow", "Upon the fence there sits a crow",
                 "The windows in the village glow"),
        "cold": ("The winter days are short and cold", "The morning turns the snow to gold", "The apple tree is bare and old", "A story by the fire is told"),
        "ice": ("The little pond is thick with ice", "The barn is full of sleepy mice", "The gingerbread is rich with spice", "A cup of chocolate would be nice"),
        "fire": ("We sit together by the fire", "The golden flames are leaping higher", "The snow lies thick upon the spire", "From church we hear the village choir"),
        "coat": ("I button up my winter coat", "I wrap a scarf around my throat", "The robin sings a single note", "The frost has sealed the little boat"),
        "night": ("The snow was falling all the night", "The roofs and all the fields are white", "We wake to see a world of light", "The winter stars are very bright",
                  "We throw our snowballs left and right"),
        "still": ("The woods are white, the woods are still", "We ride our sledges down the hill", "A bird is waiting on the sill", "The winter air is sharp and chill"),
        "rose": ("The frost is nipping at my nose", "The wind is sharp, the cold wind blows", "The snow gets in between my toes", "I wear my thickest winter clothes",
                 "The river freezes, and it snows"),
        "tide": ("The world is white on every side", "The fields of snow are bright and wide", "Across the frozen lake we glide", "We laugh and have a sledging ride"),
        "street": ("The snow has covered up the street", "The frost is cracking at our feet", "The apples from the stove are sweet", "The kitchen fills with cosy heat"),
        "day": ("The snow is falling all the day", "The robin has not gone away", "The sun is pale, the clouds are grey", "The children run outside to play"),
    },
    "animals": {
        "fog": ("Across the meadow runs the dog", "Beside the water croaks a frog", "A beetle sits upon a log", "The cows are standing in the fog"),
        "cat": ("Upon the sofa sleeps the cat", "The puppy naps upon the mat", "The little monkey wears a hat", "Above the barn there flies a bat",
                "The hen stayed quiet where she sat"),
        "house": ("The snail is carrying its house", "Behind the cupboard lives a mouse", "Across the heather runs a grouse"),
        "bear": ("Deep in the forest lives a bear", "The hare sits up and sniffs the air", "The cat is sleeping on the chair", "The lion shakes his golden hair",
                 "The bees are humming everywhere"),
        "fox": ("Across the garden runs the fox", "The cat has climbed into the box", "The puppy steals my woolly socks", "The goats are jumping on the rocks"),
        "duck": ("Across the water swims a duck", "The beetle brings you lots of luck", "The piglet in the mud is stuck", "The hens peck at the corn and cluck"),
        "hen": ("Out in the farmyard walks a hen", "The pigs are playing in the pen", "The fox is hiding in its den", "The chicks she hatched are nine or ten"),
        "sail": ("The happy puppy wags its tail", "Across the path there creeps a snail", "The calf drinks milk out of the pail", "The ants are marching on their trail"),
        "deep": ("The shepherd counts his woolly sheep", "The cat is curled and fast asleep", "The frogs are ready for a leap", "The chicks run to the hen and cheep"),
        "spring": ("The lark has come to greet the spring", "The swallow flies on pointed wing", "In every bush the small birds sing", "The lion is the forest's king"),
        "sun": ("The lizard warms up in the sun", "The little rabbits hop and run", "The squirrel's work is never done", "The monkeys swing and have their fun"),
        "sea": ("The squirrel scampers up the tree", "A golden flower feeds the bee", "A lamb is jumping, wild and free", "The kitten jumps upon my knee"),
        "blue": ("The owl looks down and says, To-whoo", "The kingfisher is bright and blue", "The peacock's tail is quite a view", "The cow sees us and answers, Moo",
                 "A mouse comes out, and then come two"),
    },
    "home": {
        "cook": ("The kettle sings, we start to cook", "My sister reads a story book", "The cat lies in her cosy nook", "My coat is hanging on its hook"),
        "cake": ("My mother bakes a chocolate cake", "There's tea for everyone to take", "The little cakes are set to bake", "The smallest ones are still awake"),
        "wall": ("The clock is ticking on the wall", "The coats are hanging in the hall", "Our house is cosy, warm and small", "There's room enough here for us all"),
        "room": ("The morning sun lights up the room", "I sweep the kitchen with a broom", "The flowers in the window bloom", "A little lamp lights up the gloom"),
        "pot": ("The soup is bubbling in the pot", "The tea is ready, strong and hot", "My armchair is my favourite spot", "We do not need an awful lot"),
        "shore": ("My boots are waiting by the door", "The kitten plays upon the floor", "We eat our soup and ask for more", "I hear my sleepy grandpa snore"),
        "bear": ("My father sits upon his chair", "The smell of cake is in the air", "I brush and braid my sister's hair", "The cat is sleeping on the stair"),
        "rock": ("The bird pops out of grandpa's clock", "I hear a friendly neighbour knock", "My grandma knits a woollen sock", "The key is turning in the lock"),
        "bed": ("The quilt is warm upon my bed", "The kitchen smells of fresh-baked bread", "The curtains by the door are red", "My father's tools are in the shed"),
        "day": ("We come back home at end of day", "The toys are tidied all away", "My sister brings the supper tray", "Our friends are welcome here to stay"),
        "street": ("Our house is last along the street", "I wipe the mud from both my feet", "The jam we cooked is red and sweet", "The stove gives off a gentle heat"),
        "dream": ("The teapot sends up clouds of steam", "We all have strawberries and cream", "The polished pans and kettles gleam"),
    },
    "rain": {
        "rain": ("I like to listen to the rain", "The drops are tapping on the pane", "The water gurgles down the drain", "The puddles shine along the lane"),
        "pool": ("The yard is now a muddy pool", "With dripping hats we walk to school", "The air is clean, the air is cool", "The cat is sleeping on the stool"),
        "street": ("The rain is washing clean the street", "I splash the water with my feet", "The rain has such a steady beat", "The rain is good for corn and wheat"),
        "drop": ("On every leaf there hangs a drop", "The sparrows through the puddles hop", "I wonder when the rain will stop", "We stand and wait inside a shop"),
        "sky": ("The clouds are racing through the sky", "With boots and coat I'm warm and dry", "A red umbrella passes by", "A rainbow stands there, wide and high"),
        "town": ("The rain is falling on the town", "From every roof the drops run down", "The puddles in the road are brown", "The oak tree wears a dripping crown"),
        "day": ("The rain is falling all the day", "The clouds are heavy, low and grey", "The ducks are coming out to play", "At last the clouds have blown away"),
        "blue": ("The rain has soaked me through and through", "The rain runs into sock and shoe", "A patch of sky is turning blue", "The garden looks so fresh and new"),
        "flower": ("The rain has woken every flower", "It rained and rained for half an hour", "We run for shelter from the shower", "A rainbow rises by the tower"),
        "ground": ("The rain is drumming on the ground", "The gutters make a merry sound", "The snails are crawling all around", "A dry and cosy place is found"),
        "snow": ("I hear the winds of autumn blow", "I see umbrellas down below", "The rain has made the river grow", "The lamps along the pavement glow"),
    },
    "autumn": {
        "town": ("The leaves are falling, gold and brown", "The wind has blown the acorns down", "The autumn fair has come to town", "The maple wears a scarlet crown"),
        "cold": ("The leaves are turning red and gold", "The evenings now are getting cold", "The oak is tall, the oak is old", "In every market plums are sold"),
        "breeze": ("The leaves are dancing in the breeze", "The wind is shaking all the trees", "We gather nuts upon our knees", "We lunch on apples, bread and cheese"),
        "night": ("The wind has whistled all the night", "High in the air there flies a kite", "The berries in the hedge are bright", "The swallows gather for their flight"),
        "sky": ("A line of geese is in the sky", "The kites are flying, bright and high", "The leaves are crisp, the leaves are dry", "We bake the apples in a pie"),
        "wall": ("The leaves of autumn start to fall", "The ivy reddens on the wall", "I hear the geese of autumn call", "A squirrel hides its nuts from all"),
        "ground": ("The chestnuts tumble to the ground", "The pumpkins all are big and round", "A hundred mushrooms can be found", "The red leaves whirl and dance around"),
        "wood": ("We walk together through the wood", "The smell of apple cake is good", "A deer looks up from where it stood", "I wear my coat, I wear my hood"),
        "bed": ("The maple tree has turned to red", "The hedgehog makes a leafy bed", "We store the apples in the shed", "The grey geese pass us overhead"),
        "fire": ("We rake the leaves and light a fire", "The smoke is curling higher, higher", "The swallows gather on the wire", "The mist is hiding roof and spire"),
    },
    "morning": {
        "dawn": ("The rooster calls to greet the dawn", "The dew is lying on the lawn", "The cat wakes up to stretch and yawn", "The wind goes whispering through the corn"),
        "sun": ("Above the hill I see the sun", "The birds are up now, every one", "A brand-new day has just begun", "Into the fresh green grass we run"),
        "nest": ("The small birds twitter in the nest", "The early morning is the best", "We wash our faces and get dressed", "The moon is sinking in the west"),
        "blue": ("The morning sky is turning blue", "The grass is wet with silver dew", "The day is bright, the day is new", "Good morning, sun, we're glad of you"),
        "song": ("The blackbird sings its morning song", "The shadows on the grass are long", "The milkman's cart now rolls along", "The sun grows warm, the light grows strong"),
        "cake": ("The birds have sung us all awake", "The mist is lifting from the lake", "We smell the bread the bakers bake", "To school the sunny path we take"),
        "sky": ("The first pale light is in the sky", "The lark is singing, small and high", "The postman whistles, cycling by", "The night has gone without goodbye"),
        "night": ("The sun has driven off the night", "The eastern hills are full of light", "The window-panes are gold and bright", "The meadow is a lovely sight"),
        "day": ("The church bells ring to greet the day", "The night has slowly slipped away", "We pour the tea and lay the tray", "The lambs come running out to play"),
        "deer": ("The morning air is cool and clear", "The rooster's voice is what we hear", "The sunny time of day is here", "Along the field there walks a deer"),
    },
    "road": {
        "road": ("The cart goes rattling down the road", "The donkey pulls a heavy load", "Beside the ditch there sits a toad"),
        "mile": ("We walk another merry mile", "The farmer greets us with a smile", "We rest against a wooden stile", "We sit down in the shade a while"),
        "rain": ("Across the country goes the train", "It races over hill and plain", "The trees fly past the window-pane", "A cow looks up along the lane"),
        "star": ("The road goes on, the road goes far", "We travel in a little car", "We find our way by moon and star"),
        "sail": ("The engine follows on the rail", "The postman brings the village mail", "We walk along a forest trail", "The coachman tells a funny tale"),
        "sky": ("The open road, the open sky", "The fields and farms go flashing by", "The friends we leave all wave goodbye", "The mountains there are blue and high"),
        "town": ("The road leads out beyond the town", "The river bends, the road goes down", "The fields are yellow, green and brown", "The king rides by and wears his crown"),
        "still": ("The road goes winding up the hill", "We cross the bridge and pass the mill", "The evening air is soft and still", "The village pump is there to fill"),
        "tide": ("The gate is old, the gate is wide", "The hedges grow on either side", "Upon the cart we get a ride", "The signpost is a faithful guide"),
        "song": ("We walk and sing a walking song", "The road ahead is white and long", "The cheerful brook runs all along", "The day is bright, our legs are strong"),
        "street": ("The dust is white upon our feet", "The hedge is full of meadowsweet", "We greet the people whom we meet", "The wind is waving through the wheat"),
        "ground": ("The wheels are turning round and round", "The hooves are drumming on the ground", "The whistle makes a merry sound", "The finest view is what we found"),
    },
}  # fmt: skip
"""The bank: by theme and by rhyme family, lines that each stand alone, so that any two of a family make a couplet."""

_TITLES: Mapping[str, tuple[str, ...]] = {
    "sea": ("The Sea", "By the Sea", "Sailing", "On the Shore", "The Harbour", "Waves"),
    "night": ("Night", "Good Night", "The Moon", "Under the Stars", "Bedtime", "A Quiet Night"),
    "garden": ("The Garden", "In the Garden", "My Garden", "Summer Garden", "Growing", "Among the Flowers"),
    "winter": ("Winter", "Snow", "A Winter Day", "The First Snow", "Frost", "Winter Song"),
    "animals": ("Animals", "Feet and Feathers", "My Animal Friends", "Fur and Feathers", "Creatures", "The Animals"),
    "home": ("Home", "At Home", "Our House", "My House", "Warm Inside", "Coming Home"),
    "rain": ("Rain", "The Rain", "A Rainy Day", "Rain Song", "Raindrops", "After the Clouds"),
    "autumn": ("Autumn", "Autumn Leaves", "Golden Days", "Falling Leaves", "October", "Autumn Song"),
    "morning": ("Morning", "Good Morning", "A New Day", "Sunrise", "Early", "Morning Song"),
    "road": ("The Road", "On the Road", "Travelling", "The Journey", "Walking Song", "Far Away"),
}  # fmt: skip
_COUPLETS = (2, 2, 2, 3, 4, 4)


def rhyme(random: Random) -> str:
    """Write a poem of 4, 6 or 8 lines on one theme, rhymed AABB or ABAB; some have a title."""
    theme = random.choice(_THEMES)
    count = random.choice(_COUPLETS)
    couplets = [_couplet(random, LINES[theme][family]) for family in random.sample(_FAMILIES_OF[theme], count)]
    crossed = count != 3 and random.random() < 0.4
    stanzas = _stanzas(couplets, crossed)
    text = ("\n\n" if random.random() < 0.5 else "\n").join(stanzas)
    return f"{random.choice(_TITLES[theme])}\n\n{text}" if random.random() < 0.4 else text


def _couplet(random: Random, lines: tuple[str, ...]) -> tuple[str, str]:
    first, second = random.sample(lines, 2)
    return first, second


def _stanzas(couplets: list[tuple[str, str]], crossed: bool) -> list[str]:
    if len(couplets) == 3:
        return [_punctuated([line for couplet in couplets for line in couplet])]
    quatrains = [(couplets[at], couplets[at + 1]) for at in range(0, len(couplets), 2)]
    return [_punctuated(_quatrain(first, second, crossed)) for first, second in quatrains]


def _quatrain(first: tuple[str, str], second: tuple[str, str], crossed: bool) -> list[str]:
    if crossed:
        return [first[0], second[0], first[1], second[1]]
    return [*first, *second]


def _punctuated(lines: list[str]) -> str:
    return "\n".join(line + (".", ",")[at % 2 == 0] for at, line in enumerate(lines))


_THEMES = tuple(LINES)
_FAMILIES_OF = {theme: tuple(families) for theme, families in LINES.items()}
