"""Tales of wishes, journeys and things learned. tale_troubles and tale_meetings have the rest.

The first block of a tale holds its titles, whom it fits, and its own words: `key: one|another`, or rows of words that
belong together under `cols`. Then come its beginnings, the lines that lead to it from any other beginning, its beats, and
its endings. A block is one beat, each line one way to tell it; a line may say whom it fits (`pa: `). A beginning marked
with a plus tells too little by itself: a line that leads on follows it.
"""

OWN = """
sorts: pa
title: The {Base}|A {base} of {his} Own|The {kind} and the {base}
cols: base ; use ; used
- boat ; sail round the sandbank ; sailed round the sandbank
- kite ; fly it in the autumn wind ; flew it in the autumn wind
- flute ; play it at the harvest dance ; played it at the harvest dance
- lantern ; look at the night flowers ; looked at the night flowers
- cart ; bring plums to market ; brought plums to market
- umbrella ; walk about in the rain ; walked about in the rain
- rocking chair ; sit outside in the evening ; sat outside in the evening
- sledge ; race down the long slope ; raced down the long slope
- hammock ; swing between two trees ; swung between two trees
- drum ; wake the whole valley ; woke the whole valley
price: ten silver coins|a whole gold coin|more than a cow|thirty coins|as much as a good horse

All {ahero} wanted was a {base} of {his} own.
The third of {number} brothers was {ahero}, and he wanted nothing so much as a {base}.
"If only I had a {base}!" sighed {ahero} every evening.
{Name} the {kind} wanted a {base}. {He} wanted it more than cake, and more than sleep.
What would you wish for? {Name}, {ahero}, wished for a {base}.
In the window of a shop stood a {base}, and every day {ahero} came to look at it.
Everybody {place} seemed to have a {base}, everybody but {ahero}.
On {his} birthday {name} the {kind} hoped for a {base}, but {he} got a pair of socks.
Somewhere in the world, thought {ahero}, there must be a {base} for me.
To have a {base}, and to {use}: that was the dream of {ahero} {place}.

But {hero} had one wish: a {base}, so that {he} could {use}.
One day {hero} saw a {base} in a shop window, and from then on {he} thought of nothing else.
More than anything {hero} wished for a {base}. "I would {use}," {he} said to {himself}.
"I am not asking for much," said {hero}. "A {base} would be enough, and I would {use}."
At night {hero} dreamed of a {base}. In the dream {he} could {use} whenever {he} liked.

{He} asked for the price. "It costs {price}," said {m1}. {Hero} had three pennies and a button.
"How much is a {base}?" {he} asked {m1}. "It costs {price}," was the answer. That was far too much.
{M1} sold such things. "For you, {price}," said {m1}, and {hero} went away with empty pockets.
{Hero} went to {m1}, who had a fine one to sell. But it cost {price}.
A new one cost {price}. {Hero} counted {his} pennies twice, but there were only four of them.

So {hero} tried to make one out of [old boxes|driftwood|a broken chair]. It fell apart on the [first|second] day.
"Then I will build one," said {hero}. {He} hammered and glued, but [it broke in two|it fell to pieces|nothing would hold together].
For a week {hero} saved every penny. Then there was a hole in {his} pocket, and all of it was gone.
{He} looked on the rubbish heap. There were [wheels|nails|planks|rags] enough, but no one had thrown away a {base}.
{Hero} wished on a [star|four-leaved clover|white horse]. In the morning nothing had changed.

One day {friend} came by and saw {his} long face. "What is the matter?" {fhe} asked.
"Why do you look so glum?" asked {friend}, and {hero} told the whole story of the {base}.
Now {friend} had watched all this for a while. "I have an idea," {fhe} said.
It was {friend} who found {him} sitting on the [step|wall|fence]. "Tell me about it," said {friend}.
{Friend} stopped on the way to market. "Are you the one who wants a {base}?" {fhe} asked.

"Help me bring in the [hay|apples|firewood|nets], and I will help you." {Hero} agreed at once.
"There is an old one in my shed," {fhe} said. "It needs [new boards|a coat of paint|a patch or two], but you may have it."
"You have [time|patience], and I have [tools|good wood]. Together we can make one," said {friend}.
"I will teach you how it is made," {fhe} said. "But you must do the work yourself."
"Everybody {inland} has something to spare," said {friend}. "Let us ask for one piece at each door."

They worked for [three|five|six] days. They sawed, sanded and painted it [blue|green|yellow|red].
{Hero} worked from breakfast to dusk. {He} hit {his} thumb twice and did not complain.
On Monday it was a heap of scraps. By {weekday} it began to look like a {base}.
It was slow work. "Do not hurry," {friend} said, "or you will do it twice."
{M1} brought some nails, somebody else brought rope, and bit by bit the work was done.

And then it stood there: a {base}, a little crooked, but strong.
When it was ready, {hero} walked around it three times and could not speak.
"Is it really mine?" asked {hero}. "Every splinter of it," said {friend}.
It was not as shiny as the one in the shop. To {hero} it was the finest {base} in the world.
At last the paint was dry. {Hero} touched the {base} as if it might fly away.

That very day {hero} {used}, and {friend} came along.
From then on {hero} {used} whenever the work was done.
And {hero} {used} until the sun went down, and the next day too.
{Hero} {used}, just as in {his} dream. "It is even better when you have made it yourself," {he} said.
People saw how {hero} {used}. "Where did you buy such a {base}?" they asked. {He} only laughed.
Whoever wanted to borrow the {base} was allowed to. {Hero} knew what it is like to have none.
"""

ABILITY = """
sorts: pa
title: The {kind} Who Could Not {doing}|How the {kind} {did}|The Silent {kind}
cols: doing ; did ; more
- whistle ; whistled ; whistling
- laugh ; laughed ; laughing
- dance ; danced ; dancing
- sing ; sang ; singing
- turn somersaults ; turned a somersault ; turning somersaults
- tell stories ; told a story ; telling stories
- say no ; said no ; saying no
- sit still ; sat still ; sitting still
- wink ; winked ; winking

Once there lived {ahero} who could not {doing}, however hard {he} tried.
There was one thing that {ahero} could not do: {he} could not {doing}.
{Name} the {kind} could do almost anything. But {he} could not {doing}.
"Everyone can {doing}," people said to {ahero}. "Why not you?"
Can you {doing}? There was once {ahero} who could not.
{Inland} there was only one {kind} that could not {doing}.
It is easy to {doing}, or so they say. For {ahero} {place} it was the hardest thing in the world.
All {his} life {ahero} had wished to {doing}, and had never managed it.
Young and old could {doing} {place}. Only {name}, {ahero}, could not.

One thing, however, was wrong. {Hero} could not {doing}.
But there was something {hero} was ashamed of. {He} did not know how to {doing}.
"I can do many things," {hero} used to say, "but I cannot {doing}, and I wish I could."
Whenever the others began to {doing}, {hero} looked the other way. {He} had never learned it.
If somebody asked {him} to {doing}, {hero} turned red and went home.

"You must [eat more onions|drink cold water|stand on one leg|practice before breakfast]," said {m1}. {Hero} tried it for a week, and it did not help.
First {he} asked {m1}. "[Close your eyes|Hold your breath|Stick out your tongue]," said {m1}, "and it will come." It did not come.
{M1} knew everything, so {hero} went there first. The advice was to [chew pine needles|sleep with cold feet|walk backward]. It was no use at all.
{He} listened to {m1} and practiced in front of a [mirror|pond|window] until {his} head ached.
Out of a thick book {m1} read, "Take three deep breaths and begin." {Hero} took thirty, and nothing happened.

Then {m2} said, "You think about it too [little|late]. Think harder!" {Hero} thought so hard that {he} got the hiccups.
"In my family everyone can {doing} from birth," boasted {m2}. That did not help either.
{M2} had another idea: [warm milk|a red scarf|a lucky stone]. {Hero} thanked {m2} and tried that too.
"Give it up," {m2} advised. "There are worse things." But {hero} would not give up.
{He} paid {m2} a penny for a secret. The secret was only, "Try again tomorrow."

By {weekday} {hero} had had enough. {He} sat down by the road and stared at {his} feet.
"I will never learn to {doing}," thought {hero}, and {he} [kicked a stone|went home the long way|hid behind a hedge].
{Hero} stopped trying. When the others asked, {he} said {he} did not care.
Everybody seemed to be {more} that evening, and {hero} put cotton in {his} ears.
So the weeks passed, and nothing came of it.

There {friend} found {him}. "Never mind {more}," {fhe} said. "Come and help me catch my hat!"
Then {friend} came along with a wagon full of [pumpkins|melons|clay pots], and one wheel came off.
On the way home {he} met {friend}, who was [stuck in a mud hole|chasing a runaway goose|trying to carry nine eggs at once].
"Would you help me?" somebody called. It was {friend}, who [had lost a shoe in the brook|was tangled in a clothesline|had a bucket stuck on one foot].
{Friend} did not give {him} any advice. {Fhe} only said, "Let us go and see the [ducklings|new bridge|windmill]."

They [ran and slipped|pulled and pushed|rolled over and over], and in the end both of them were covered with [mud|leaves|dust and mud].
What a mess it was! {Hero} forgot everything else, even that {he} had been sad.
It took them half an hour, and {hero} did not once think about {himself}.
The two of them had such a good time that {hero} did not notice how late it was.
"Look at us!" cried {friend}, and pointed at their two faces in the water.

And all at once, without thinking, {hero} {did}.
Then it happened, as easily as breathing: {hero} {did}.
Before {he} knew what {he} was doing, {hero} {did}. {Friend} stared. "Do that again!" {fhe} cried.
"You did it!" shouted {friend}. And so it was. {Hero} {did}, loud and clear for all to see.
What was that? {Hero} {did}! There was no doubt about it.

"I was trying too hard," said {hero}. "It had to come by itself."
Since that day {hero} could {doing} as well as anyone, and sometimes even better.
{M1} and {m2} each said that it was because of their advice. {Hero} let them think so.
"You only needed a friend," said {friend}, "and something else to think about."
After that {he} was often seen {more}, and nobody {inland} laughed at {him} any more.
And when others could not {doing}, {hero} gave them no advice. {He} took them along instead.
"""

JOURNEY = """
sorts: pam
but: boat,ship,ferry,raft,paper boat,brook,train,tram,bus,cart,snowflake,raindrop,moon,star
royal: yes
title: The Long Way to {sight}|The {kind} Goes Traveling|There and Back
cols: sight ; there
- the place where the sun goes down ; the sky was all red and gold, and the sun slid behind the last hill like a coin into a purse
- the end of the river ; the river opened wide, and there was nothing but silver water and white birds
- the tallest tower in the world ; it was so tall that its top had snow on it, and bells rang somewhere in the clouds
- the great waterfall ; the water fell like white curtains, and seven rainbows hung in the spray
- the city of a hundred bridges ; there were bridges of stone, of wood and of glass, and lamps hung over all of them
- the lake that never freezes ; steam rose from the warm water, and flamingos stood in it like roses
- the northern lights ; green and purple ribbons of light waved across the whole night
- the oldest tree on earth ; a whole village could have sat in its shadow, and its leaves whispered in the wind
- the singing caves ; the rocks were full of holes, and the wind came out of them as music

For years {ahero} had dreamed of seeing {sight}.
"Have you ever seen {sight}?" asked {ahero}. No, nobody {place} had.
Nobody {place} had seen {sight}, and so {ahero} set out to look for it.
One morning {name} the {kind} said, "Today I will go and see {sight}."
There was an old story about {sight}, and {ahero} believed every word of it.
When the snow had melted, {ahero} set out to see {sight}.
It was three days' journey, they said, to {sight}. {Ahero} {place} had never been so far.
{Name} packed a [blanket|loaf of bread|bag of nuts] and left {land}, for {he} was {ahero} who wanted to see {sight}.
Every evening {ahero} looked at the road and thought of {sight}.
A traveler had told {ahero} about {sight}, and after that {he} could think of nothing else.

One day {hero} heard of {sight}. From then on {land} seemed too small.
"What is beyond the hills?" {hero} asked. "They say that {sight} is there," was the answer. So {he} decided to go.
But in {his} heart {hero} longed to see {sight}, only once.
There was a picture of {sight} in an old book, and {hero} could not forget it.
In spring, when the swallows talked about {sight}, {hero} made up {his} mind to travel.

"Stay here," said {m1}. "It is far, and the road is [bad|lonely|steep]." But {hero} was already on {his} way.
The neighbors laughed. {Hero} did not listen and {went} away over the first hill.
So {hero} {went} off, early, before anyone could say no.
"I will be back before the [first snow|cherries are ripe|new moon]," promised {hero}, and {he} set off.
All that day {hero} {went} on and on. In the evening {land} was only a dot behind {him}.

On the second day {he} came to a crossroads. {M2} sat there. "Left," said {m2}, "or right. I have forgotten which."
It rained, and {hero} waited under a [bridge|thick tree|barn roof] until {m2} came by and showed {him} the way.
"How far is it?" {hero} asked {m2}. "As far as you can go, and then a bit," said {m2}.
In a dark valley {he} lost the way. "Follow the [stream|geese|smoke]," {m2} told {him}.
{M2} wanted to know where {he} was going. "To {sight}? I wish I had the courage," said {m2}.

Near a [mill|ruin|quarry] {he} heard someone calling. It was {friend}, who had [hurt one foot|lost the road|fallen into a ditch].
There {he} met {friend}. "May I come along?" {fhe} asked. "Two are less afraid than one."
By a cold spring sat {friend}, all alone. {Hero} shared [the shade|the place|a resting spot] with {fhim}, and they began to talk.
Then {friend} joined {him}. {Fhe} knew [every star by name|forty songs|where to find water], and that was a help.
Halfway up a hill {hero} caught up with {friend}, who was going the same way.

The two of them crossed [a plain without a tree|two rivers|a wood full of owls|a field of thistles].
They went on for [four|six|nine] days. When one was tired, the other told a story.
"Shall we turn back?" asked {friend}. "Only a little farther," said {hero}.
Storms came, and hail, and a night so dark that they could not see each other. Still they went on.
Once they nearly gave up. Then they saw a light in the distance and {went} toward it.

And then they were there. Before them {there}.
"Look!" whispered {friend}. It was true: {there}.
Behind the last bend, {there}.
Neither of them said a word. Before their eyes {there}.
One evening they reached it. It was just as the stories said: {there}.

They stayed for a long time and looked until their eyes were full.
{Hero} laughed and cried at the same time. "It is more beautiful than I thought," {he} said.
"Now I have seen it," said {hero}, "and now I know that I want to go home."
"I will remember this when I am old," said {friend}.
"What will you tell them?" {friend} asked. "Everything," said {hero}.

The way back seemed shorter. {Inland} everybody wanted to hear about {sight}.
"Well?" asked {m1}. And {hero} began to tell, and was still telling at midnight.
When {hero} came home, {land} looked different. It had not changed, but {he} had.
{Friend} came along to {land} and stayed there, and the two often talked of {sight}.
Since then {hero} has looked at {land} with new eyes, for home is a sight as well.
"""

ROOTED = """
sorts: f
title: The {kind} and the Wide World|The {kind} That Wanted to Travel|What the Birds Brought
sight: the sea|the mountains|the big city|the desert|a real forest|the world|another country

{Place} stood {ahero} that wished to see {sight}.
If you have no feet, you cannot travel. That was the trouble with {ahero} that longed for {sight}.
"You are lucky," said {ahero} to the swallows. "You will see {sight}, and I must stay here."
All day long people came and went, but {ahero} had to stay where it was, and it dreamed of {sight}.
{Ahero} had never seen {sight}. How could it? It stood {place} and could not move.
What does a {kind} wish for? This one, {place}, wished to see {sight}.
From where it stood, {ahero} could see the road, and the road, it knew, led to {sight}.
Somewhere far away lay {sight}, and {ahero} {place} thought of it each night.

But the {kind} had one wish. Just once it wanted to see {sight}.
"I do my work," thought the {kind}, "and I do it well. But I have never seen {sight}."
Whenever somebody spoke of {sight}, the {kind} listened with all its heart.
At night, when all was still, the {kind} dreamed that it had legs and walked to {sight}.
It was not unhappy. Only now and then it longed for {sight}.

It asked {m1}. "{Sight}? I have been there," said {m1}. "But you have no feet, my dear."
"Take me with you," the {kind} begged {m1}. But it was much too heavy.
{M1} laughed. "A {kind} that wants to travel! Who ever heard of such a thing?"
Once it tried with all its strength to move. It only creaked.
"Be glad that you may stay here," sighed {m1}. "Traveling makes one tired."

Then the {kind} grew quiet. Even while it was {job}, it was sad.
The {kind} did not complain. But those who knew it saw that something was wrong.
Dust settled on it. Days went by, and it did not notice.
That night it rained, and the drops ran down the {kind} like tears.
"So I will never see {sight}," it thought, and the stars looked down on it.

There was {friend}, though, who came by every day. "Why are you so sad?" {fhe} asked.
One evening {friend} sat down close to it. "Tell me what you wish for," {fhe} said.
{Friend} had heard it sigh. "If you cannot go to {sight}," {fhe} said, "then {sight} must come to you."
"I am going on a long trip," said {friend}. "What shall I bring back for you?"
Now {friend} was small but clever, and {fhe} had a plan.

Off {fhe} went, and the {kind} waited. It waited for [three weeks|a whole summer|forty days].
{Friend} was away for a long time. The leaves turned yellow, and the {kind} waited.
"Promise that you will come back," said the {kind}. "I promise," said {friend}, and was gone.
Others heard of it. Soon every traveler who passed wanted to help.
The {kind} counted the days. After [thirty|fifty|ninety] of them it stopped counting.

Then, one morning, {friend} was there again, with a [shell|round stone|blue feather|handful of sand]. "Listen," {fhe} said, and began to tell.
In {month} {friend} came back and brought a [seed|shell|pebble|leaf] that smelled of far places.
One came with a shell, one with a song, and {friend} with the longest story of all.
"Here I am!" called {friend}. {Fhe} laid a [white pebble|dried flower|piece of amber] at the foot of the {kind}.
And when {friend} returned, {fhe} was not alone. With {fhim} came a whole flock of travelers.

{Friend} told of ships and storms, of markets and music. The {kind} saw it all as if it were there.
"There were towers as white as milk," {friend} said, "and at night a thousand lights." The {kind} held its breath.
Each evening there was a new tale. The {kind} learned how {sight} smells and how it sounds.
It listened the whole night. "Go on," it said each time {friend} stopped.
When it closed its eyes, the {kind} was far away, and {friend} was with it.

Since then all travelers stop {place} and tell the {kind} what they have seen.
"Now I have seen {sight}," said the {kind}, "and I did not even have to leave."
The {kind} still stands there. It has never moved, and it knows the whole world.
"And do you know what they asked me in {sight}?" said {friend}. "They asked about you!"
The {kind} was happy, for whoever has a friend like that has wings.
"""

CRAFT = """
sorts: pa
title: The {kind} Learns to {doing}|The Master and the {kind}|A Hundred Tries
cols: doing ; made ; flaw ; tool
- bake bread ; loaf ; was as hard as a brick ; oven
- carve spoons ; spoon ; had a hole in the middle ; knife
- weave baskets ; basket ; fell apart as soon as it was lifted ; bench
- make violins ; violin ; howled like a cat ; glue pot
- paint pictures ; picture of a cow ; looked like a cloud with horns ; brush
- build clocks ; clock ; ran backward ; file
- blow glass ; bottle ; leaned to one side ; furnace
- tie nets ; net ; caught nothing but the one who made it ; needle
- shape pots ; pot ; had no bottom ; wheel
- sew coats ; coat ; had three sleeves ; needle

{Name} the {kind} wanted to learn how to {doing}.
"Teach me how to {doing}," said {ahero} to the master.
It takes seven years to learn how to {doing}, but {ahero} meant to do it in a week.
The first {made} that {ahero} made {flaw}.
Nobody had asked {ahero} to {doing}, but {he} was determined to learn it.
There are many ways to earn your bread. {Ahero} called {name} wished to {doing}.
In {month} {ahero} came to the door of a master and asked for work, because {he} wanted to {doing}.
"I could never do that," thought {ahero} each time {he} watched somebody {doing}. One day {he} asked to try.
Through a window {name} the {kind} saw a master {doing}, and {he} stood there until dark.

One day {hero} saw how a master could {doing}, and {he} wanted to learn it.
"It is time that I learned something new," said {hero}. "I should like to {doing}."
{Inland} nobody could {doing}. "Then I will be the first," {hero} decided.
Then {hero} took it into {his} head to {doing}.
Something was missing in {his} life. {Hero} felt it every time {he} saw others {doing}.

The master was {friend}. "Sweep the floor first," {fhe} said, "and watch." So {hero} swept and watched.
{Inland} the best at it was {friend}. "Have you got patience?" {fhe} asked. {Hero} nodded.
{Friend} looked {him} up and down. "You may begin tomorrow at five," {fhe} said.
"Anyone can learn it," said {friend}, who was a master, "but few wait long enough."
{Hero} went to {friend}, who had done it for [thirty|forty|fifty] years, and asked to be taught.

On the first day {hero} hardly dared to touch the {tool}. On the second {he} broke it.
The {tool} was harder to use than it looked. By noon {hero} was tired and cross.
For a whole week {hero} was not allowed to do more than clean the {tool}.
{Hero} made everything too fast. "Slowly," said {friend}, "the {tool} is not your enemy."
"Where do I begin?" asked {hero}. "With the {tool}," {friend} said. "Make friends with it."

What {hero} made after that {flaw}. {M1} saw it and laughed out loud.
{His} next {made} was proudly put on the table. It {flaw}.
"A fine {made}!" said {m1} politely. But it {flaw}, and everyone could see that.
{Hero} worked all night. In the morning there was a {made}. Alas, it {flaw}.
"What is that meant to be?" asked {m1}. {Hero} blushed, for the thing {flaw}.

"I give up!" cried {hero}, and {he} threw the {tool} into a corner.
{Hero} wanted to run away. {He} already had one foot outside the door.
That evening {hero} did not want any supper. "I shall never learn it," {he} said.
"Perhaps I am too [stupid|clumsy|slow] for it," said {hero} quietly.
"How many times must I try?" asked {hero}. "Once more," said {friend}, as {fhe} said every day.

Then {friend} opened a cupboard. It was full of crooked things. "All of these are mine," {fhe} said. "I kept every one."
{Friend} did not scold. {Fhe} showed it once more, quite slowly, and {hero} saw what had been wrong.
"My first {made} was worse," said {friend}, and told {him} about it until both of them laughed.
"Do not think of the end," {friend} told {him}. "Think only of the next small step."
{Friend} smiled. "Mistakes are the teacher," {fhe} said. "I only keep the place warm."

So {hero} began again. The [tenth|twentieth|thirtieth] try was better than the [ninth|one before], and the next was better still.
Winter came and went. {Hero} learned to use {his} eyes, and to wait.
Little by little it went better. {Hero} began to hum while {he} worked.
From that hour on {hero} hurried no more. {He} looked, {he} felt, {he} listened.
A month passed, then two, then ten. One day {hero} noticed that {he} had stopped counting mistakes.

And in {month} {he} put a {made} on the table that was simply perfect. {Friend} said nothing, but {fhe} took off {fhis} hat.
"Who made this {made}?" asked {m1}. "It is the best I have ever seen." {Hero} smiled and went back to work.
Today there is a sign over a door {inland}. It says, "Ask for the {kind}, who will teach you."
"Now I have nothing more to teach you," said {friend}. "Now you may teach me."
The first crooked {made} still hangs on {his} wall, and {hero} likes it best of all.
"""

SEED = """
sorts: pa
title: The Strange Seed|What Grew in {month}|The {kind} and the Seed
cols: grew ; gift
- a sunflower as tall as a house ; its seeds fed the birds all winter
- a pumpkin as big as a cart ; there was soup for everyone
- a tree with silver leaves ; on hot days all the neighbors sat in its shade
- a vine with blue grapes ; the children picked them by the basket
- a rosebush with roses of five colors ; each neighbor got a rose
- a bean so tall that it touched the chimney ; it was enough for forty plates
- a melon as round as the moon ; each slice was sweet and cold
seedy: seed as black as coal|seed with golden stripes|seed no bigger than a crumb|seed shaped like a heart|wrinkled brown seed|seed that rattled

In an old coat pocket {ahero} found a {seedy}.
"What is this?" asked {ahero}, and held up a {seedy}.
A crow dropped a {seedy} right in front of {ahero}.
{Name} the {kind} had no garden, only a cracked pot and a {seedy}.
On a {weather} morning in March {ahero} planted a {seedy}.
For a day's work {ahero} was paid with a single seed. It was a {seedy}.
{Name} traded a good hat for a {seedy}, and everyone called {him} a foolish {kind}.
Nothing would grow {place}. Still, {ahero} wanted to try it with a {seedy}.
The wind blew many things over {land}, and one day it brought {ahero} a {seedy}.

One day {hero} found a {seedy} on the ground. {He} had never seen such a thing.
Then a peddler gave {hero} a {seedy}. "Take care of it," the peddler said.
It began when {hero} saw something in the dust. It was a {seedy}.
Between two stones {hero} noticed a {seedy}. "You come with me," {he} said.
In {his} bread {hero} bit on something hard. It was a {seedy}.

{He} dug a hole, put the seed in and covered it with good dark earth.
"Sleep well," said {hero}, and pressed the earth down over it.
{Hero} chose the sunniest spot {he} could find and buried the seed there.
There was a patch of earth by the wall. That was where {hero} planted it.
"You need earth, water and time," {hero} told the seed. "I will see to it."

"Nothing will come of it," said {m1}. {Hero} only fetched more water.
{M1} came by and shook a wise head. "That is a pebble, not a seed."
A week passed and nothing could be seen. "You are watering dirt," {m1} joked.
Every day {m1} asked, "Has it come up?" And every day {hero} had to say, "Not yet."
"Eat it while you can," {m1} advised. But {hero} would not hear of it.

{Hero} watered it in the morning and in the evening, and {he} pulled out the weeds.
When it was dry, {hero} carried water from the well, [eight|ten|twelve] times a day.
In the cold nights {he} covered the spot with {his} own blanket.
There came a frost, and {hero} sat up all night and kept a small fire burning.
{He} even sang to it. "Seeds like [slow|old|quiet] songs," {hero} explained.

Then, on a {weekday}, there was a tiny green tip.
One morning the earth had cracked. Something green looked out.
And see, after [three|four|five] weeks a sprout stood there, as thin as a thread.
"There you are!" cried {hero}. For out of the ground came two green leaves.
It had come up in the night. {Hero} knelt down to look at it.

At once a hungry [snail|goat|caterpillar] was there too. "Please," said {hero}, "eat the nettles instead." And it did.
A storm nearly tore it out of the ground. {Friend} came running with a stick and a piece of string.
{Friend} helped to build a fence around it, because of the goats.
It grew by a finger a day. {Friend} came over to measure it.
"What will it be?" asked {friend}. Neither of them could tell.

By {season} it had become {grew}.
It grew and grew, and what stood there in the end was {grew}.
Nobody could believe it. It was {grew}!
"That," said {m1}, "is {grew}. I always knew it." {Hero} did not answer.
People came from far away to see it, for it was {grew}.

And {gift}. One seed {hero} kept for the next spring.
{Hero} could have sold it, but {he} did not, and so {gift}.
What happened then? Well, {gift}, and there was a feast as well.
"It belongs to all of us," said {hero}. So {gift}.
"You believed in it," said {friend}, "and that was half of the work." And {gift}.
"""

FOUND = """
sorts: pa
title: The {base} Under the {under}|Whose {base}?|The {kind} and the {base}
cols: base ; athing ; use
- key ; a heavy iron key ; the tower clock, which had not been wound for twenty years, could go again
- ring ; a thin gold ring ; two sisters who had quarreled over it for years could laugh about it
- map ; a torn yellow map ; the forgotten spring in the wood was found again
- whistle ; a tin whistle ; the shepherd's lost dog heard it and came running
- letter ; a letter with a blue stamp ; an answer reached its writer after thirty years
- spoon ; a long wooden spoon ; the cook at the inn could make her famous soup again
- marble ; a green glass marble ; a child who had cried for three days slept at last
- coin ; a coin with a hole in it ; the fiddler had his lucky piece back and played until dawn
- compass ; a small brass compass ; the fishing boats came safely through the fog
- button ; a silver button ; the captain's coat was whole again for the parade
under: bench|woodpile|roots|old bridge|hay|steps|leaves|cellar door

{Name} the {kind} found {athing} under the {under}.
Under the {under} lay {athing}, and nobody had seen it but {ahero}.
"Whose is this?" asked {ahero} and held up {athing}.
It lay there as if it had been waiting: {athing}. {Ahero} picked it up.
When the snow melted {place}, {athing} came to light, and {ahero} found it.
What do you do when you find {athing}? This is what {ahero} did.
{Ahero} was looking for mushrooms, but {he} found {athing}.
{Name} almost stepped on it. {He} was {ahero} with sharp eyes, and there under the {under} lay {athing}.
Something glimmered under the {under}. {Ahero} bent down and pulled out {athing}.
While {job}, {ahero} noticed {athing} under the {under}.

One {weekday} {hero} saw something under the {under}. It was {athing}.
Then one day {hero} found {athing}. It lay under the {under}.
But what was that under the {under}? {Hero} pulled, and out came {athing}.
{Hero} had lost a button. {He} looked for it under the {under}, and instead {he} found {athing}.
It was a quiet day until {hero} discovered {athing} under the {under}.

"Finders keepers," said {m1}. But {hero} was not so sure.
It was a beautiful thing. For a moment {hero} wished to keep it.
{Hero} turned it over and over. Someone, somewhere, must be missing the {base}.
{He} rubbed it clean. There was a mark on it, but it was hard to read.
"Somebody has lost this," thought {hero}, "and that somebody is sad."

So {he} asked {m1}. "Not mine," said {m1}. "I never lose anything."
First {hero} went to {m1}, who looked at the {base} for a long time and shook a puzzled head.
"Is this your {base}?" {he} asked {m1}. "I wish it were," was the reply.
{M1} wanted to buy it for two pennies. "It is not for sale," said {hero}.
At the first door {m1} opened. No, {m1} had never seen it before.

Next {he} showed it to {m2}. "I think I have heard of it," said {m2}. "Ask those who are old."
{M2} said at once, "It is mine!" But {m2} could not say what was written on it.
"Put up a notice," said {m2}. So {hero} did, and waited for [two|three|five] days.
{Hero} asked {m2} as well, and half the town besides. Nobody knew.
By noon {he} had asked nine people. The last was {m2}, who only yawned.

Tired, {he} sat down beside {friend}. "Let me see," {fhe} said, and went pale.
Then {friend} came up the road, looking at the ground. "Have you lost something?" asked {hero}.
At the very last house lived {friend}. {Fhe} saw the {base} and had to sit down.
{Friend} put on a pair of glasses. "I know that {base}," {fhe} said softly.
"Wait!" called {friend}. "I have seen that {base} before, when I was small."

"Long ago it belonged here," {friend} told {him}, "and then it was lost in the great flood."
"I looked for it for years," {fhe} said, "and then I stopped looking. Come with me!"
{Fhe} told {hero} how it had been lost one summer, on the way home from a wedding.
"Come," said {friend}. "There is somebody who must see this today."
It was a long story, and {hero} listened to all of it. Then they went off together.

And because of the {base}, {use}.
That same evening, thanks to {hero}, {use}.
You can guess the rest: {use}.
Who would have thought it? Now {use}.
So the {base} came home, and {use}.

"What would you like as a reward?" they asked. "Tell me the story again," said {hero}.
{Hero} got a [warm pie|basket of pears|kiss on each cheek], and that was reward enough.
Afterwards {hero} always looked under the {under}, but {he} never found another {base}.
"I am glad I did not keep it," said {hero} to {friend}.
And from then on {friend} and {hero} were the best of friends.
"""

DOOR = """
sorts: pa
royal: yes
title: The Closed {closed}|What Was in the {closed}?|The {kind} and the {closed}
cols: closed ; inside
- tower ; there were hundreds of swallows' nests, and every nest was full
- mill ; an old carousel stood there, with painted horses and a crank
- cellar ; shelf upon shelf stood jars of plum jam, still good
- greenhouse ; lemon trees had grown up to the roof, heavy with yellow fruit
- boathouse ; a green rowing boat hung from the ceiling, as good as new
- chapel ; there was a small organ with silver pipes
- library ; thousands of books were waiting, and a cat slept on the biggest one
- barn ; an owl family sat on an old red fire engine
- theater ; the stage was set, and the puppets hung in a row

Nobody {place} could remember who had locked the old {closed}.
For a hundred years the door of the {closed} had been shut, until {ahero} knocked on it.
"Never go near the {closed}," they told {ahero}. So of course {he} thought of it day and night.
What was behind the door of the old {closed}? Only {ahero} wanted to know.
An old {closed} stood {place}, with ivy over its door. Nobody went in but {name}, and {name} was only a {kind}.
People said that the {closed} was haunted, but {ahero} did not believe in ghosts.
There was a light in the old {closed}. {Name} the {kind} saw it quite clearly.
The {closed} had no key and no handle. That did not stop {ahero}.
Everyone walked quickly past the old {closed}. Only {name}, {ahero}, stopped and listened.

{Inland} there was an old {closed} that nobody had ever opened. {Hero} passed it each day.
Not far away stood a {closed} with a rusty lock. "What can be inside?" {hero} wondered.
There was one thing {hero} could not understand: why was the old {closed} always closed?
One evening {hero} heard a sound from the old {closed}, which had been shut for ages.
{Hero} often walked by the old {closed}. Its door was overgrown with roses.

"Do not go in there," warned {m1}. "There are ghosts, or at least bats."
{He} asked {m1} about it. "My grandfather went in," said {m1}, "and he never told what he saw."
"It has always been closed, and it will stay closed," said {m1} darkly.
{M1} knew only that there had once been music in it, long ago.
When {hero} asked questions, {m1} quickly talked about the weather.

{Hero} pulled at the door. It did not move by a hair.
Through the keyhole {he} could see nothing but [darkness|a thin ray of light|dust that danced].
{He} walked around it three times. There was a window, but it was far too high.
{Hero} knocked. Something inside fell over, and then it was still.
{Hero} pushed, kicked and begged. The door stayed shut.

Then {friend} came along. "You are doing it wrong," {fhe} said. "First we must cut away the ivy."
"I will help you," said {friend}. "I have been curious for years, but I was afraid to go alone."
{Friend} brought a little can of oil. "A lock wants to be asked nicely," {fhe} said.
"There is a key above the door," said {friend}. "Nobody ever looks up."
Luckily {friend} had [thin fingers|a bent nail|a bunch of old keys] and plenty of time.

It was getting dark. They lit a [candle|lantern] and took each other's arm.
They worked until the sun stood low. Then something clicked.
"Are you ready?" whispered {friend}. {Hero} was not, but {he} nodded.
"One, two, three," they counted, and pushed with all their strength.
A cold breath of air came out. {Hero}'s heart beat like a drum.

The door opened with a groan. Inside, {inside}.
"Oh!" said {hero}. "Oh!" said {friend}. For {inside}.
No ghost was there. Instead, {inside}.
They held up the light and saw that {inside}.
When the dust had settled, they could see it all: {inside}.

"And nobody knew," said {friend}. "All these years, nobody knew."
{Hero} went from one corner to the other and could not see enough.
They sat down on the floor and laughed, because they had been so afraid.
"Shall we keep it a secret?" asked {friend}. {Hero} thought it over. "No," {he} said.
On the wall somebody had written, "For whoever is curious."

The next day they opened the door wide for everyone. Even {m1} came in, on tiptoe.
Since then the {closed} has never been locked again, and the key hangs on a nail outside.
"I was not afraid for a moment," said {m1}. {Hero} and {friend} looked at each other and said nothing.
Everybody {inland} helped to clean the {closed}, and on {weekday} there was a big party in it.
"You only have to knock," {hero} says today, when somebody asks {him} how it was.
"""

CONTEST = """
sorts: pa
title: The Great {event}|The {kind} Who Came Last|The Prize
cols: event ; doing ; mishap
- pie contest ; bake a pie ; a sparrow flew off with the sugar
- kite race ; fly a kite ; the string tore
- boat race ; row across the bay ; the left oar broke
- singing contest ; sing a song ; a cold made every note crack
- sandcastle contest ; build a castle ; the tide came in early
- pumpkin show ; show a pumpkin ; the pumpkin rolled off the cart
- snow sculpture contest ; make a lion of snow ; the sun began to shine
- fiddle contest ; play the fiddle ; a string snapped in the middle
- running race ; run round the lake ; a shoe came off
- jumping contest ; jump over the brook ; a plank gave way
prize: a golden cup|a silver bell|a barrel of honey|a blue ribbon and a ham|a new wagon

When the great {event} was announced, {ahero} put {his} name on the list.
The prize was {prize}, and {ahero} wanted to win it.
"This year I shall win the {event}," said {ahero}.
Each {season} there was a {event} {place}, and each time {ahero} came last.
+ {Name} the {kind} had never won anything in {his} life.
Who would win the {event}? No one thought of {name}, {ahero}.
A poster hung on the big tree: "Great {event} on {weekday}!" {Ahero} read it three times.
Nobody expected {ahero} to take part in the {event}.
The day of the {event} came, and with it, out of breath, came {ahero}.

One day a notice was put up: there would be a {event}, and the prize was {prize}.
Now {inland} a {event} was held each {season}. {Hero} had always wanted to take part.
"Come to the {event}!" cried a messenger. "Win {prize}!" {Hero} pricked up {his} ears.
On {weekday} there was to be a {event}. "I will try it," {hero} said.
A {event} was planned, and everyone who could {doing} was invited. So {hero} signed up.

"You?" said {m1}, who had won [three|four|seven] times. "You may carry my bags."
{M1} had won the year before and talked of nothing else.
{Hero} practiced day and night. {M1} watched and smirked.
"I only need to get up in the morning to win," boasted {m1}.
There were [nine|twelve|twenty] others, and the strongest of them was {m1}.

For days {hero} did nothing but {doing}, again and again, until {he} dreamed of it.
{Friend} helped {him} practice. "Not with force," {fhe} said, "but with joy."
"It does not matter who wins," said {friend}. "But do it as well as you can."
Early and late {hero} could be seen at work. {Friend} brought {him} [soup|tea|apples] so that {he} would not forget to eat.
{Hero} was so nervous that {he} put on {his} hat upside down. {Friend} turned it round and wished {him} luck.

A whistle blew, and they began. {Hero} gave all {he} had.
Everybody {inland} had come to watch. A band played, and flags waved.
At first all went well for {hero}. The crowd grew quiet.
"Ready, steady, go!" shouted the judge.
The judge rang a bell. {M1} was in front from the beginning.

Then something happened to {friend}, who was taking part too: {mishap}.
But {friend}, only a few steps away, had bad luck: {mishap}. {Fhe} was close to tears.
Suddenly {hero} heard a cry. It was {friend}. "Oh no!" {fhe} said, for {mishap}.
Nobody else noticed that {friend} was in trouble: {mishap}.
"Help!" called {friend}. It was bad luck and nothing else: {mishap}.

{Hero} could have gone on and won. Instead {he} stopped and ran to help {fhim}.
{M1} went past without a look. {Hero} did not. "Take half of mine," {he} said to {friend}.
"Never mind the prize," thought {hero}, and turned round.
"Hurry, you can still win!" people shouted. But {hero} was already at the side of {friend}.
{He} looked at the prize, and {he} looked at {friend}. It was not hard to choose.

So {m1} won {prize}, and {hero} came last, together with {friend}.
The two of them finished long after the rest, laughing, arm in arm.
Of course {m1} came first. Yet hardly anybody clapped.
"Last place," announced the judge, "goes to two at once." And then everyone stood up and cheered.
By then the others had long been done. {Hero} and {friend} came last and did not mind.

"We have a second prize this year," said the judge, "for the kindest heart." And {hero} got it.
"You lost because of me," said {friend}. "I won because of you," said {hero}.
In the evening everybody sat at one table, and {hero} had the place of honor.
Nobody remembers today who won {prize}. But everybody remembers what {hero} did.
Even {m1} came and shook hands. "Next year I will do it your way," said {m1}.
"""

STAR = """
sorts: pa
royal: yes
title: The Fallen Star|The {kind} and the Star|A Light in the {where}
where: bucket|chimney|haystack|rain barrel|nettles|flour sack|well|hat

Something bright fell out of the sky, straight into a {where}, and {ahero} saw it.
"Ouch!" said a voice in the {where}. {Ahero} looked in and saw a star.
It was long past midnight when {ahero} found a star in a {where}.
+ {Name} the {kind} had counted the stars every night. One evening there was one too few.
Stars do not often fall down {place}. But when one did, {ahero} was there.
Who had left the light on in the {where}? {Ahero} went to look, and there lay a star.
The smallest star in the sky leaned out too far, and it fell right in front of {ahero}.
In the {where} {ahero} found a star, no bigger than an apple and quite cold.
On the longest night of the year {name} the {kind} saw a star fall.

One night there was a flash, and {hero} found a star lying in a {where}.
Late one evening {hero} heard someone crying. It was a star, and it sat in a {where}.
{Hero} could not sleep. {He} looked out and saw that something shone in the {where}. It was a star.
Then, one {weekday} night, a star came tumbling down and landed in a {where}, close to {hero}.
When {hero} came home in the dark, there was a glow in the {where}. A star had fallen in.

"I leaned over to hear the music," said the star, "and then I slipped."
The star shivered. "I want to go home," it whispered.
"Do not be afraid," said {hero}. {He} took the star out and dried it with care.
"Can you fly?" {hero} asked. The star shook itself. "Stars can only fall," it said.
It was pale and cold, and its light was hardly brighter than a match.

{Hero} climbed the [highest tree|church tower|tallest hill] with it, but the sky was still much too far away.
First {he} threw it up as high as {he} could. It came down again with a bump.
{He} put the star on a ladder, and a chair on that, and a box on the chair. It was not high enough.
{Hero} stood on {his} toes and lifted it up. The sky did not come nearer.
{He} called to the moon for help. But the moon was hard of hearing.

{He} went to {m1}. "Keep it," said {m1}. "It will save you lamp oil."
{M1} wanted to buy the star for a [purse of gold|new coat|fat pig]. {Hero} would not hear of it.
"Put it in a jar," {m1} advised. But the star turned pale at the thought.
"What a pretty thing!" cried {m1}. "Sell it at the market!" {Hero} hid the star under {his} arm.
On the way they met {m1}, who knew all about [fish|potatoes|wool] but nothing about stars.

By now the star was growing weak. Its light flickered.
"If I am not back by morning," the star said softly, "I shall go out."
It was getting late, and in the east the sky was no longer quite black.
The star was so faint by then that {hero} had to shade it from the wind.
"Tell me about your home," said {hero}, to keep the star awake. It told of silence and great cold and singing.

Then {hero} remembered {friend}, who had a [big kite|large balloon|hot-air balloon]. {He} ran there as fast as {he} could.
It was {friend} who had the idea. "The wild geese are leaving tonight," {fhe} said. "They fly higher than anyone."
"What goes up?" asked {friend}. "Smoke, larks and kites." And {fhe} ran to fetch {fhis} kite.
{Friend} was awake as well. "I know a place on the mountain," {fhe} said, "where the sky comes down to drink."
"Leave it to me," said {friend}. "I have a rope, a kite and a good wind."

They tied the star on with a blue thread, and slowly, slowly it rose.
Up it went, over the roofs, over the trees, over the last thin cloud.
{Hero} held the string until {his} arms ached. "Higher!" called the star. "Higher still!"
The wind took hold. The star got smaller and smaller, and brighter and brighter.
"Good-bye!" called the star. "Look for me!" And then it let go.

A moment later it was back in its old place, between two bright sisters.
There was one quick spark, and the hole in the sky was closed.
High up something twinkled three times. That was how the star said thank you.
"It is home," said {friend}. They stood there until the sun came up.
And when they counted, {hero} and {friend}, not one was missing any more.

Since then {hero} is never afraid of the dark. One star always shines straight down on {him}.
And every clear night {hero} waves at the sky, and something up there blinks.
A little stardust stayed in the {where}. On dark evenings you can still see it glow.
"It was only one among thousands," said {m1}. "Not to me," said {hero}.
{Friend} and {hero} never told anyone. Who would have believed them?
"""
