"""How stories begin and end, and what may stand between: weather, sounds, feelings. Not tied to any plot."""

OPENINGS = tuple(
    """
Once upon a time there was a {nature} <young> {kind} named {hero}, who lived {inland}.
{Inland} lived a {nature} <young> {kind} called {hero}.
There was once a {nature} {kind} named {hero}. {He} lived {inland}.
One <sunny> <part>, a {nature} {kind} named {hero} [woke up|jumped out of bed|opened {his} eyes] in {his} {home} {inland}.
{Hero} was a {nature} <young> {kind}. {His} {home} stood {inland}.
Long ago, {inland}, there lived a <young> {kind} whose name was {hero}.
Not so very long ago, a {nature} {kind} named {hero} lived {inland}.
Have you ever heard of {hero}? {He} was a {nature} <young> {kind} who lived {inland}.
This is the story of {hero}, a {nature} {kind} who lived {inland}.
Once there was a {kind} so {nature} that everybody knew {his} name. It was {hero}, and {he} lived {inland}.
It was a <sunny> <season> <part>. {Inland}, a {nature} {kind} named {hero} was [eating breakfast|washing {his} face|looking out of the window].
In a cozy {home}, {inland}, lived a {nature} {kind} called {hero}.
{Hero} lived with {parent} in a <small> {home} {inland}.
If you had passed by {hero}'s {home}, {inland}, you would have seen a {nature} <young> {kind} at the window.
Many years ago, a <young> {kind} named {hero} came to live {inland}.
A {nature} {kind} named {hero} lived {inland}, in a {home} with a round [red|blue|green|yellow] door.
Far, far away, {inland}, there was a {nature} <young> {kind} called {hero}.
{Hero} lived {inland}. Everyone said that {he} was a very {nature} {kind}.
Early one <sunny> morning, a {kind} named {hero} stepped out of {his} {home}. {He} lived {inland}.
Let me tell you about {hero}. {He} was a <young> {kind}, and {his} {home} was {inland}.
Once, when the <season> was new, a {nature} {kind} named {hero} lived {inland}.
There lived, {inland}, a {kind} named {hero} who was as {nature} as could be.
In the days when animals could talk, a {nature} {kind} named {hero} lived {inland}.
Every morning the sun [rose|climbed|peeped] over the {home} of {hero}, a {nature} {kind} who lived {inland}.
{Inland} there was a <small> {home}, and in it lived {hero}, a {nature} <young> {kind}.
Nobody {inland} was as {nature} as {hero}, the <young> {kind}.
Do you know {hero}? {He} was the {nature} {kind} who lived {inland}.
Once upon a time, {inland}, a {kind} was born. {His} name was {hero}, and {he} grew up to be very {nature}.
One <season> <part>, when the air smelled of {flower}, a {nature} {kind} called {hero} sat in front of {his} {home}. It stood {inland}.
There was a {nature} {kind} called {hero}, and {he} lived with {parent} {inland}.
On the first day of <season>, a {nature} {kind} called {hero} skipped out of {his} {home}. {He} lived {inland}.
Some {kind}s are big and some are small, but {hero} was {nature}. {He} lived {inland}.
{Hero} had lived {inland} all {his} life. {He} was a <young> {kind}, and a very {nature} one.
A long time ago there was a <young> {kind}. {His} name was {hero}, and {he} lived {inland}.
You may not believe it, but there was once a {kind} named {hero} who was {nature} from morning to night and lived {inland}.
One <sunny> <part> in <season>, {hero} the {nature} {kind} sat on the step of {his} {home}, {inland}.
When {hero} was still a very <young> {kind}, {he} lived with {parent} {inland}.
Once there were many {kind}s {inland}, and the most {nature} of them all was {hero}.
The smallest {home} of all stood {inland}. It belonged to {hero}, a {nature} {kind}.
Where does our story begin? It begins {inland}, with a {nature} <young> {kind} named {hero}.
{Parent} had a {nature} little {kind} named {hero}, and the two of them lived {inland}.
It happened {inland}, on a <sunny> <season> <part>, to a {nature} {kind} called {hero}.
They say that a {nature} <young> {kind} named {hero} once lived {inland}.
Listen, and I will tell you of {hero}, the {nature} {kind} who lived {inland}.
The wind knew {him}, the birds knew {him}, and now you shall know {him} too: {hero}, a {nature} {kind} who lived {inland}.
""".strip().splitlines()
)

TRAITS = tuple(
    """
{Hero} loved {hobby}, but {he} loved {hobby2} even more.
{He} always wore a {color} {clothes}, even in bed.
In {his} {color} {clothes}, {he} was easy to spot from far away.
{His} favorite thing in the world was {hobby}.
On most days {he} was busy {hobby} or {hobby2}.
Nobody was better at {hobby} than {hero}.
{He} liked {food}, {flower} and {hobby}.
When {he} was not {hobby}, {he} was eating {food}.
{Hero} had a {color} {clothes} that {parent} had made for {him}.
{Parent} liked to say that {hero} was born {hobby}.
From dawn until supper {he} could be found {hobby}.
{He} had bright eyes, a {color} {clothes} and a great love of {hobby}.
{Hero} knew three songs, two jokes and all about {hobby}.
{His} pockets were always full of {flower} and crumbs of {food}.
""".strip().splitlines()
)

SCENES = tuple(
    """
A [soft|light|gentle|cool|warm] [breeze|wind] [moved|stirred|brushed|ruffled] the [grass|leaves|ferns|reeds].
[High above|Up in the {tree}|Somewhere near by], a [lark|thrush|finch|wren|cuckoo] was singing [a cheerful|a sweet|a long|a funny] song.
The air smelled of [warm bread|wet earth|hay|honey|mint|pine] and {flower}.
[White|Fluffy|Thin|Round] clouds [sailed|drifted|floated|rolled] [slowly across the sky|over the hills|past the sun].
[Bees|Dragonflies|Butterflies|Gnats] [hummed|danced|drifted] [among|over|around] the {flower}.
[Far away|Not far off|On the other side of the hill], a [bell|dog|horn|wagon|woodpecker] could be heard.
The {water} [gurgled|murmured|glittered|sparkled|chattered] [between the stones|in the light|beside the path].
[Yellow|Golden|Bright] light [fell|poured|spilled] [through the branches|over the fields|across the path].
A [leaf|feather|petal|seed] [floated|drifted|spun|tumbled] [past {hero}'s nose|through the air|down beside {him}].
<noise>! A [pinecone|acorn|twig|ripe plum] fell [beside {hero}|on the path|into the grass].
The path was [dusty|soft|winding|stony] and lined with {flower}.
[Grasshoppers|Sparrows|Frogs|Crickets] [chirped|called|sang|chattered] [on every side|in the grass|without a rest].
A [beetle|snail|spider|ladybird] [crawled|marched|hurried] [over a stone|across the path|up a stalk], minding its own business.
The old {tree} [creaked|sighed|whispered|rustled] as if it [knew a secret|were thinking|wanted to help|had something to say].
[Drops of dew|Little cobwebs|Small blue shadows|Spots of sunlight] [lay|glittered|trembled] [on the grass|among the {flower}|under the {tree}].
""".strip().splitlines()
)

WORRIES = tuple(
    """
{Hero}'s heart [beat|thumped|went] like a [little drum|clock|hammer|rabbit's foot].
{Hero} [took|drew] a [deep|long|slow] breath and [went on|tried not to worry|counted to ten|held up {his} head].
"[I must not|I will not|I shall not] give up," {hero} [told {himself}|said to {himself}|whispered|thought].
{His} [knees|whiskers|fingers|ears] trembled a little, but {hero} [kept going|did not stop|stayed where {he} was].
There was a [lump|tickle|knot] in {hero}'s [throat|stomach|chest].
{Hero} [sat down|rested|stopped] for a moment and [thought|thought hard|wondered what to do|scratched {his} head].
[Would it ever come right|What should {he} do now|Could it really work|Was there still hope]? {Hero} [did not know|could not tell|was not sure|wondered].
{Hero} [bit {his} lip|wrinkled {his} nose|rubbed {his} chin|closed {his} eyes] and [hoped|wished|thought] as hard as {he} could.
""".strip().splitlines()
)

ENDINGS = tuple(
    """
And from that day on, {hero} was the [happiest|proudest|luckiest] {kind} in {land}.
{Hero} [never|would never] forgot that day, not even when {he} was very old.
"What a day!" said {hero}, and {he} [laughed|smiled|danced] all the way home.
And if you ever [visit|pass through|come to] {land}, you may still hear [{hero} laughing|the tale of {hero}|{hero} singing].
So {hero} learned something, and {he} [never forgot it|kept it in {his} heart|told it to everyone who would listen].
And that is how {hero} found out that a <small> {kind} can do great things.
{Parent} gave {hero} [a big hug|a kiss on the nose|a warm hug], and all was well.
After that there were {food} for [everyone|all], and {hero} [ate|had] the [first|last|biggest] one.
"I am so <happy>!" said {hero}. And {he} was.
{Hero} [smiled|laughed] from ear to ear. It was the [best|happiest|finest] ending [{he} could think of|there could be|in the world].
From then on, {hero} [told|would tell] the story again and again, and every time it grew a little [longer|better|funnier].
And that, dear reader, is the end of the story of {hero}.
"You are a [very|truly] {nature} {kind}," said {parent}, and {hero} [blushed|glowed with pride|felt warm inside].
So all ended well in {land}, and {hero} lived happily for many years.
And {hero} was as <happy> as a {kind} can be.
""".strip().splitlines()
)

# For stories that happen by day and may end with the night.
EVENINGS = tuple(
    """
That night {hero} fell asleep with a smile, and {he} dreamed of {hobby}.
When the stars came out over {land}, {hero} was already fast asleep.
{Hero} curled up in {his} warm bed. "Good night, moon," {he} [whispered|said|murmured], and {he} closed {his} eyes.
As the sun went down, {hero} [walked|skipped|strolled] home to {his} {home}, <tired> but <happy>.
At supper {hero} told {parent} everything, and then {he} fell asleep over the {food}.
"Tell me again," said {parent} at bedtime, and so {hero} told {phim} everything [twice|three times|from the beginning].
The moon rose over {land}, and in a <small> {home} {hero} slept [soundly|deeply|peacefully].
Long after sunset, {hero} was still [smiling|humming|laughing]. It had been the [best|finest|brightest] day [of all|of the year|of {his} life].
{Parent} [tucked|wrapped] {hero} into bed. "Sleep well, my {nature} {kind}," {phe} said.
In the evening {hero} sat by the fire with {parent}, ate {food} and was <happy>.
And when {hero} went to bed that night, {he} [could hardly wait for|was already dreaming of|smiled at the thought of] tomorrow.
By the time the owl hooted, {hero} was [snoring|dreaming|asleep] under {his} {color} blanket.
One by one the lights went out in {land}. "Today was a good day," said {hero} with a yawn.
""".strip().splitlines()
)
