"""Plots of the stories, first half. A block of lines is one beat, each line one way to tell it; story_plots_more has the rest.

The first block of a plot holds its titles and its own words (`key: one|another`). A beat whose block begins with `?` may be left out.
"""

LOST = """
title: The Lost {thing}|{hero} and the {thing}|Where Is the {thing}?
base: kite|ball|bell|boat|whistle|mitten|ribbon|umbrella|drum|key|lantern|marble|balloon|basket|wooden horse|toy train|spinning top|flute
thing: {color} {base}

{He} had a {thing} that {he} carried everywhere. But one <part> the {thing} was gone!
Of all the things in {his} {home}, {hero} loved {his} {thing} the most. One <part> {he} reached for it, and it was not there.
Now {hero} had a {thing}, a present from {elder}. One <part> {he} could not find it anywhere.
"Where is my {thing}?" {hero} cried one <part>. {He} had put it by the door, and now the door had nothing beside it.
{Elder} had once given {him} a {thing}. {Hero} played with it every day, until the <part> when it disappeared.
What {hero} treasured most was a {thing}. So you can imagine how <sad> {he} was when {he} lost it.

First {hero} <looked> {spot1}. There was only a [rusty spoon|torn sock|broken cup|sleeping toad|heap of acorns].
{He} <looked> {spot1}, but found nothing except a [wet glove|cracked plate|bent nail|ball of wool|dry crust].
"Perhaps it is {spot1}," thought {hero}. {He} went to see. Nothing!
{Parent} helped {him} look {spot1}. They found [two buttons|an old shoe|a lost spoon|half a cookie], but no {base}.
So {hero} got down on {his} knees and <looked> {spot1}. All {he} got was [dirty knees|a dusty nose|leaves in {his} hair].
The search began {spot1}. {Hero} turned over every [leaf|stone|board|stick], but it was no use.

Then {he} met {am1}. "Have you seen a {thing}?" asked {hero}. "No," said the {m1}, "but I [would look|should look|might try] {spot2}."
{Am1} came by. "Why so <sad>?" the {m1} asked. When {hero} had explained, the {m1} said, "Try {spot2}!"
On the way {hero} asked {am1} for help. The {m1} thought [for a long time|and thought|a little]. "Things often hide {spot2}," it said at last.
"Excuse me," said {hero} to {am1}, "did a {thing} come this way?" The {m1} shook its head and pointed {spot2}.
{Am1} was resting in the shade. "I saw something {color} {spot2}," said the {m1}, and {hero} thanked it.
"You look as if you have lost something," said {am1}. {Hero} nodded. "Then go and see {spot2}," the {m1} told {him}.

{He} <hurried> there, but it was only a {color} [leaf|flower|rag|feather|mushroom].
{Hero} searched there until {his} back ached. Still there was no {base}.
But no {base} was waiting there, only [a family of beetles|an empty nest|a puddle|some old straw].
{Hero} went there at once. {He} saw something {color} and jumped for joy, but it was just a [petal|scrap of paper|berry|bottle top].
There {hero} found [a puddle|a cobweb|a worm|a pile of sand]. A {base} {he} did not find.
What a pity! {Hero} <looked> and called, and the only answer was the wind.

? A tear rolled down {hero}'s cheek. "I shall never see my {base} again," {he} said.
{Hero} sat down on a stone, feeling <sad> and <tired>.
"It is no use," sighed {hero}, and {he} kicked a pebble into the {water}.
By now {hero} was so <tired> that {he} had to lean against the {tree}.
{He} wanted to cry, but {hero} was too {nature} to give up.
{Hero} thought of all the good times with the {base}, and {his} eyes grew wet.

Just then {he} heard a small voice. {Spot3} stood {afriend}, holding the {thing}!
At that very moment, {afriend} came along the path. "Is this yours?" asked {friend}, and held out the {thing}.
<later> {he} saw {afriend} {spot3}. And what did {friend} have? The {thing}!
<noise>! Someone stumbled {spot3}. It was {afriend}. "I fell over this {base}," said {friend}. "Who can it belong to?"
And then, {spot3}, {hero} saw {afriend} crying. "I found a {thing}," {friend} said, "and now I cannot find who lost it."
"Hello!" called someone {spot3}. It was {afriend}. Under {fhis} arm {fhe} carried a {thing}.

"My {base}!" shouted {hero}. "<thanks>, {friend}! You have made me so <happy>."
{Hero} jumped up and down. "That is mine!" {he} said. "How can I ever thank you?"
"<hooray>!" cried {hero}. {He} hugged first the {base} and then {friend}.
"You found it!" {he} cried, and {hero} danced around {friend} three times.
{Hero} could hardly speak. "<thanks>," {he} said at last. "I looked for it everywhere."
{Friend} gave the {base} to {hero}, and {hero} held it tight. "<thanks>," {he} said <kindly>.

From then on the two of them played with the {thing} together.
"Let us share it," said {hero}. And {hero} and {friend} played until [sunset|supper|the bell rang].
So {hero} got back {his} {base}, and a new friend as well.
{Friend} had never had a {base}, so {hero} said, "You may borrow mine whenever you like."
They took turns with the {base} all the way home, and {friend} stayed for {food}.
Finding the {base} was good, but finding {friend} was even better.
"Losing things is not so bad," said {hero}, "if you find a friend like you, {friend}."
"""

SHARING = """
title: {hero} Learns to Share|The Basket of {food}|Enough for Everyone|{hero} and the {food}
mood: calm
holder: basket|bag|box|bowl|plate|tin

One <part> {parent} gave {him} a {holder} of {food}. "Mine, all mine!" said {hero}.
{Elder} had baked {food}, and {hero} got a whole {holder} of them.
On market day {hero} won a {holder} full of {food}. {He} had never seen so many.
One <part> {hero} found a {holder} of {food} on the doorstep, with {his} name on it.
"These are for you," {parent} said one <part>, and put a {holder} of {food} in front of {hero}.
For {his} good work {hero} was given a {holder} of {food}, still warm from the oven.

{He} carried the {holder} away to eat [alone|all by {himself}|where nobody could see {him}].
"I will hide and eat every one," thought {hero}, and {he} crept [behind the {tree}|down to the {water}|into the long grass].
{Hero} held the {holder} tight and looked for a quiet spot {spot1}.
{He} did not want to give any away, so {hero} hid the {holder} under {his} {clothes}.
"If anyone asks," {hero} said to {himself}, "I shall say the {holder} is empty."
Quickly {hero} sat down {spot1} and counted: there were [twelve|ten|nine|fifteen|twenty].

<later> {am1} came by. "May I have just [one|one of those|a bite]?" it [asked|begged|said]. "No," said {hero}, and the {m1} went away hungry.
"Something smells good," said {am1}. {Hero} pushed the {holder} behind {him}. "I smell nothing," {he} answered.
{Am1} stopped and sniffed. "I have not eaten since yesterday," the {m1} said. {Hero} looked the other way.
Along came {am1}. "Would you share with me?" asked the {m1}. {Hero} shook {his} head.
"Please," said {am1}, "only a crumb!" But {hero} pretended to be asleep until the {m1} had gone.
{Am1} came along with a hungry look. "There are not enough," {hero} told the {m1}.

? Next came {am2}, and {hero} sent it away as well.
{Am2} peeped over a stone. "Nothing for you," {hero} said, with {his} mouth full.
Then {am2} asked for a bite. "Ask somebody else," said {hero}.
A moment later {am2} came along. {Hero} frowned until it left.
When {am2} wished {him} good day, {hero} did not even answer.
"Good appetite!" called {am2}. {Hero} only turned {his} back.

But eating alone was not much fun. Soon {hero} had a [stomach ache|tummy ache|pain in {his} stomach].
{Hero} ate and ate. The more {he} ate, the less {he} liked it.
There was nobody to talk to, nobody to laugh with. {Hero} felt <sad>.
The {food} were good, and yet something was missing. It was very quiet around {hero}.
After the fifth one {hero} could eat no more. {He} looked around. How [lonely|quiet|empty|still] it was!
"How strange," said {hero}. "They do not taste as good as I thought."

Then {he} saw {afriend} {spot2}. {Friend} had a single [apple|pear|plum|carrot], and {fhe} cut it in two. "Half for you," {fhe} said.
Just then {afriend} sat down beside {him}. "I have only one [nut|cherry|crust|cookie]," said {friend}, "but you may have half of it."
{Afriend} came along the path, pulled a [small|hard|dry] [roll|crust|biscuit] from {fhis} pocket and offered {hero} the bigger part.
"You look <sad>," said somebody. It was {afriend}. {Friend} gave {hero} the last [sip of milk|bite of bread|slice of apple] {fhe} had.
Who should come by but {afriend}! {Friend} had little to eat, but {fhe} shared it with {hero} at once.
<later> {afriend} found {him} there. "Are you hungry?" {friend} asked, and broke {fhis} only [sandwich|pancake|carrot] in half.

{Hero} turned red. "I have been selfish," {he} said. "Come, {friend}, let us call the others!"
"You have so little, and you share it," said {hero}. "And I have a whole {holder}!"
That made {hero} think. {He} put the {holder} in the middle and called out, "{Food} for everybody!"
{Hero} was ashamed. {He} opened the {holder}. "Take as many as you like, {friend}," {he} said.
"Wait here, {friend}," cried {hero}, and {he} <hurried> off to bring back everyone {he} had sent away.
At once {hero} understood. "<thanks>, {friend}. Now it is my turn to share," {he} said.

Soon the {m1} came back, and there was [a merry feast|a real party|laughing and singing] {spot1}.
They all sat in a circle, the {m1} next to {friend}, and the {food} had never tasted better.
The {m1} told a joke, {friend} sang, and {hero} passed the {holder} around.
There were just enough {food} for {hero}, {friend}, the {m1} and all the rest.
Everybody ate, and the {m1} laughed so much that it fell over.
And see: the {holder} grew empty, but {hero}'s heart grew full.

"[One half with a friend|A crumb with friends|A little with company] is better than a {holder} alone," said {hero}.
From then on {hero} never ate {food} without asking, "Who would like some?"
"{Food} are sweetest when you share them," said {friend}, and {hero} agreed.
The {holder} was empty, but {hero} did not mind at all.
"Tomorrow I will bring the {food}," the {m1} promised {hero}.
Since that day {hero} and {friend} have shared every treat they got.
"""

NEW_FRIEND = """
title: A New Friend for {hero}|{hero} and {friend}|The New Neighbor|Hello, {friend}!
game: hide and seek|tag|leapfrog|pirates|marbles|catch|explorers|hopscotch

But {hero} had nobody to play with, and that made {him} <sad>.
There was only one thing {hero} wished for: a friend.
All day long {hero} played {game} alone, and that is not easy.
"I wish I had a friend," {hero} said to {parent} one <sunny> <part>.
{He} had toys and books and {food}, but {hero} had no friend.
Sometimes {hero} talked to {his} own shadow, because nobody else was there.

"Then go and look for one," said {parent}. So {hero} put on {his} {color} {clothes} and set out.
So one <sunny> <part> {hero} packed some {food} and went out to find a friend.
"A friend will not come down the chimney," {parent} said <kindly>. And off went {hero}.
That <part> {hero} made up {his} mind. "Today I will find one," {he} said, and {he} shut the door behind {him}.
"I will ask everybody I meet," thought {hero}, and {he} <walked> down the path.
With {food} in {his} bag and hope in {his} heart, {hero} <walked> out into {land}.

{Spot1} sat {am1}. "Will you be my friend?" asked {hero}. "I am too busy," the {m1} replied, and off it went.
First {he} came upon {am1}. "Would you like to play {game}?" {hero} asked. But the {m1} only yawned and slept on.
"Good day!" {hero} said to {am1}. The {m1} was in a hurry and did not stop.
{Hero} smiled at {am1}, but the {m1} was shy and hid {spot1}.
"Let us play!" {hero} called to {am1}. "I have work to do," answered the {m1}, "perhaps in winter."
The first one {he} met was {am1}. It listened kindly, but the {m1} already had forty cousins to play with.

Then {he} saw {am2} {spot2}. "I only play with others like me," said the {m2}.
{Am2} was next. "Can you [fly|swim under water|stand on one leg|eat thistles]?" asked the {m2}. {Hero} could not, and the {m2} turned away.
Next {hero} spoke to {am2}. "You are too [big|small|loud|quiet] for me," it said.
"Not today," said {am2} when {hero} asked, "and not tomorrow either."
<later> {he} met {am2}. They played for a minute, but the {m2} wanted to win every time.
{He} asked {am2} too. But the {m2} was on its way to a far country.

? {Hero} sat down {spot3}. "Perhaps nobody wants to be my friend," {he} said <quietly>.
{His} feet hurt, and {hero} was ready to turn back.
A drop fell on {hero}'s nose. Was it rain, or was it a tear?
"Is it so hard to find one friend?" {hero} asked the {tree}. The {tree} did not answer.
{Hero} ate {his} {food} alone, and they tasted of nothing.
<tired> and <sad>, {hero} looked down at {his} feet.

Then {he} heard somebody [sniff|sob|sigh] {spot3}. It was {afriend}, new in {land}.
But what was that? {Spot3} stood {afriend}, looking just as lonely as {hero}.
At that moment a {color} ball rolled up to {hero}. After it came {afriend}.
{Spot3} {he} found {afriend}, all alone with a heap of boxes. "We have just moved here," {friend} explained.
Suddenly {he} saw two bright eyes {spot3}. They belonged to {afriend}.
<noise>! Down from the {tree} tumbled {afriend}, right in front of {hero}.

"I do not know anybody here," said {friend}. "Well, you know me now," said {hero}.
"I am {hero}," said {hero}. "Do you like {game}?" "It is my favorite," answered {friend}.
"Would you like one of my {food}?" {hero} asked. {Friend} <smiled>. "Yes, please," {fhe} said.
{Hero} held out {his} {hand}. "Shall we be friends?" "I was hoping you would ask," said {friend}.
"Are you lost?" asked {hero}. "Only lonely," {friend} said. "So am I," said {hero}, and then they both laughed.
{Friend} looked at {hero}, and {hero} looked at {friend}. "Do you want to play {game}?" they asked at the same time.

They played {game} until [the sun went down|it was time for supper|their legs were tired|the first star came out].
First they played {game}, then they climbed the {tree}, and then they told each other [secrets|stories|jokes|riddles].
{Friend} was good at {hobby}, {hero} was good at {hobby2}, and they taught each other.
All <part> they splashed in the {water} and ate {food}.
{Hero} showed {friend} all {his} secret places, even the one {spot2}.
{Friend} laughed at {hero}'s jokes, and {hero} laughed at {friend}'s, and the hours flew by.

"Will you come again tomorrow?" asked {friend}. "Tomorrow and every day," {hero} promised.
At the gate {friend} turned and waved. {Hero} waved back with both {hands}.
"I looked everywhere for a friend," said {hero}, "and there you were, {friend}."
"See you tomorrow, {friend}!" called {hero}, and {his} voice was full of joy.
Now there was always somebody to play {game} with, and {hero} was never lonely again.
{Parent} set one more plate on the table, and {friend} stayed for supper.
"""

DARK = """
title: {hero} and the Dark|The Noise in the Night|Good Night, {hero}|Who Is Afraid of the Dark?
mood: night
thing: coat on its hook|chair with a shirt on it|curtain in the wind|broom in the corner|branch at the window|hat on a peg
glow: lantern|candle|lamp

By day {hero} was never afraid. But when night came, everything was different.
There was just one thing {hero} did not like, and that was the dark.
Each night, when {parent} put out the {glow}, {hero} hid under the blanket.
{Hero} was afraid of the dark, though {he} told nobody.
"Please leave the {glow} on," {hero} begged {parent} every night.
As soon as the sun went down, {hero} began to [shiver|worry|tremble]. {He} was afraid of the dark.

One night {he} woke up. <noise>! What was that?
One windy night the {glow} went out. <noise>! Something moved in the corner.
That night {hero} heard a <strange> sound. <noise>, it went, and then all was still.
Then, one night, there was a noise by the window: <noise>!
In the middle of a long night {hero} opened {his} eyes. Something went <noise>!
One night {hero} could not sleep. {He} listened. <noise>, said something in the dark.

"A monster!" thought {hero}. {He} saw a <big> shadow on the wall.
There, against the wall, stood a <big> black shape with long arms. {Hero} held {his} breath.
{Hero} saw [two|three|four] long fingers reach across the floor.
"Who is there?" {he} asked <quietly>. Nobody answered, but the <big> shadow nodded at {hero}.
Something [tall|huge|thin] and dark was [leaning|bending|hanging] over the bed. {Hero} pulled the blanket up to {his} nose.
A <strange> shape bent and swayed in front of {hero}. It seemed to have [horns|wings|a hump|a beak].

{Hero} called for {parent}. {Parent} came with the {glow} and sat down on the bed.
"{Parent}!" {he} cried <loudly>. In a moment {parent} was there.
{He} jumped out of bed and <hurried> to {parent}. "There is something in my room," {hero} whispered.
Soft steps came near. It was {parent}, who had heard {hero} crying.
{Parent} came in and took {hero}'s {hand}. "What is the matter, my dear?" {phe} asked.
"What is it, {hero}?" asked {parent} from the door, and {hero} pointed at the wall.

"Let us look together," said {parent}. {Phe} lifted the {glow}. The monster was only a {thing}!
"Come," {parent} said <kindly>, "we shall ask the shadow who it is." And it was nothing but a {thing}.
{Hero} took the {glow} in {his} own {hand} and went closer, step by step. It was a {thing}!
"Things in the dark are the same things as by day," said {parent}. And so it was: {hero} saw a {thing}.
Slowly {hero} put out one {hand} and touched it. It was no monster. It was a {thing}.
{Parent} held the {glow} high, and the shape turned into a {thing}.

? {Hero} began to giggle. "I was afraid of a {thing}!" {he} said.
"Good evening, Mr. Monster," said {hero}, and {he} bowed to the {thing}.
"It looked so <big>," said {hero}. "The dark makes small things tall," {parent} answered.
They both laughed until the bed shook. Never had a {thing} been so funny.
{Hero} sighed with relief. {His} heart was beating slowly again.
"Tell nobody," whispered {hero} to the {thing}, and {parent} <smiled>.

"The night has lovely things too," said {parent}, and they went to the window.
"Now I will show you something," said {parent}. {Phe} put out the {glow} and opened the window for {hero}.
"Do you know why the dark is good?" asked {parent}. "Without it, {hero}, you would never see the stars."
Then {parent} wrapped {hero} in a blanket and carried {him} out to the step.
{Hero} was not sleepy any more, so the two of them sat by the window without any {glow}.
"Listen to the night," {parent} whispered to {hero}, "and tell me what you hear."

Above {land} the stars were <bright>. {Hero} counted [twenty|thirty|forty|a hundred] of them.
Fireflies danced {spot1}, and an owl called softly to {hero}.
They saw the moon in the {water}, and {am1} asleep {spot1}.
{Hero} saw a falling star and made a wish. {He} did not tell it, even to {parent}.
The whole of {land} was silver in the moonlight. "Oh!" said {hero}.
A cricket sang, the {tree} rustled, and far away {hero} heard the {water}.

"Good night, dark," said {hero}. And {he} slept until morning.
From that night on {hero} put out the {glow} {himself}.
"You may leave the {glow} off," {hero} told {parent}, and {he} yawned.
{Hero} went back to bed, waved to the {thing}, and fell asleep.
And when the wind said <noise> again, {hero} only turned over and smiled.
After that {hero} liked the night almost as much as the day.
"""

NEIGHBOR = """
title: {hero} Helps {elder}|{elder} and {hero}|The Good Neighbor|A Visit to {elder}
work: chop the wood|sweep the floor|weed the beans|carry the water|mend the fence|pick the apples|paint the gate|feed the hens|wash the windows|rake the leaves

Next door lived {elder}, who was old and walked with a stick. One <part> {hero} saw that {ehis} curtains were closed.
Every morning {elder} waved to {hero} over the fence. But one <part> nobody waved.
In the last house lived {elder}, who knew the best stories in {land}. One <part> {hero} found {ehim} sitting on the step with a sore foot.
{Hero}'s neighbor was {elder}. "My back hurts," {ehe} told {hero} one <part>, "and there is so much to do."
One <sunny> <part> {hero} met {elder}, who was carrying a heavy sack and groaning.
"Have you seen {elder}?" asked {parent} one <part>. {Hero} had not, and {he} began to worry.

{Hero} knocked at the door. "Are you all right, {elder}?" {he} asked.
So {hero} went over at once. "What can I do for you?" {he} asked {elder}.
{Hero} [ran|hurried] over to {ehim}. "Let me help you, {elder}," {he} said.
{Hero} did not wait to be asked. {He} rolled up {his} sleeves and stood before {elder}.
{Hero} took {ehis} {hand}. "You should not do everything alone," {he} said <kindly>.
{Hero} went to see {ehim}. "I have two good {hands}, {elder}," {he} said, "and nothing to do."

"Oh, {hero}," said {elder}, "somebody must {work}, and I cannot."
{Elder} shook {ehis} head. "You are too small to {work}," {ehe} said.
"If only I could {work} before the rain comes," sighed {elder}.
"Well," said {elder}, "I still have to {work}. But that is hard for a little {kind}."
{Elder} pointed outside. "I meant to {work} today," {ehe} said sadly to {hero}.
"It is nothing," said {elder}. But {hero} saw at once that somebody had to {work}.

"I can do that!" said {hero}, and {he} set to work.
{Hero} tried. It was harder than it looked, and <noise>, {he} fell on {his} back.
So {hero} began to {work}. The first try went wrong, but the second went better.
At first {hero} was slow. {His} arms ached and {his} nose itched.
{Hero} worked for an hour, and only half was done. "This will take me until winter," {he} thought.
<noise>! {Hero} dropped everything. "I am sorry, {elder}!" {he} called. "I will [try again|do it again|begin again|be more careful]."

? Then {friendx} looked over the fence. "That is too much for one," said {friend}. "I will help you."
Along came {friendx}. "What are you doing, {hero}?" asked {friend}, and soon {fhe} was working too.
"Need a {hand}?" called {friendx}. And {hero} was very glad.
{Hero} whistled for {friendx}, and {friend} came running.
"Wait for me!" somebody shouted. It was {friendx}. With {friend} beside {him}, {hero} felt twice as strong.
"Two are quicker than one," said {friendx}, and {friend} joined in.

While {he} worked, {elder} told {him} about the days when {ehe} was a sailor, and the time flew.
{Elder} sat in the shade and sang old songs, and {hero} hummed along.
Little by little it was done. "I can hardly believe my eyes, {hero}," said {elder}.
"Slow and steady," said {elder}, and showed {hero} a good trick.
{Hero} did not stop until everything was finished, and {his} {clothes} was dusty all over.
When the sun was high, all the work was done. {Hero} wiped {his} forehead.

? Then {hero} picked some {flower} and put them on {elder}'s table.
And because there was still time, {hero} made [tea|soup|porridge|cocoa] for {elder} as well.
{Hero} also found {elder}'s glasses, which had been lost {spot1} since [spring|Sunday|the summer|last week].
{He} even fed {am1} that lived {spot1}.
Last of all {hero} lit the fire, so that {elder} would be warm.
And {hero} put a cushion behind {elder}'s back.

"How can I thank you?" asked {elder}. From the oven {ehe} took a tray of {food}.
"Such a good heart in such a small {kind}!" said {elder}. And {ehe} gave {hero} a plate of {food}.
{Elder} wiped {ehis} eyes. "Nobody has been so kind to me for a long time, {hero}," {ehe} said.
{Elder} opened an old box and gave {hero} a {color} [stone|compass|whistle|shell|pencil]. "I had it when I was your age," {ehe} said.
"<thanks>, dear {hero}," said {elder}. "Now sit down and eat {food} with me."
{Elder} laughed for the first time that week. "You shall have all my {food}, {hero}," {ehe} said.

"I will come again on [Monday|Tuesday|Saturday|Sunday]," said {hero}, "and you will tell me another story."
After that {hero} visited {elder} every week.
"It was fun," said {hero}, and {he} meant it.
{Hero} went home with sore {hands} and a light heart.
Ever since, {hero} and {elder} have been the best of friends.
"Helping makes me hungry," said {hero}, and {elder} <smiled>.
"""

RACE = """
title: The Great Race|{hero} Runs the Race|Slow {hero}, Quick {hero}|The Race to the {tree}
prize: golden cup|silver medal|basket of {food}|blue ribbon|crown of {flower}|honey jar

One <part> a notice hung on the {tree}: a race for everyone! The prize was a {prize}.
Everybody in {land} was talking of the great race, and {hero} wished to run too.
"On [Saturday|Sunday|Friday] we shall have a race around {land}," called {am1}. "The winner gets a {prize}!"
The day of the great race was near. {Hero} dreamed of the {prize}.
Every year there was a race around {land}, and every year {hero} only watched. Not this time!
"I am going to win the {prize}," {hero} told {parent} one <part>.

But {friendx} was the fastest of all. "You will never beat me," laughed {friend}.
"You?" said {friendx}. "Your legs are much too short, {hero}!"
{Friendx} had won every race so far, and {friend} knew it.
Everyone was sure that {friendx} would win. Nobody thought of {hero}.
"Do not be silly," said {friendx}. "I have won three times, {hero}, and I shall win again."
{Hero} had never won anything, while {friendx} had a shelf full of prizes.

So {hero} practiced. {He} ran to the {water} and back every morning.
{Hero} trained before breakfast and after supper. On the first day {he} fell [twice|three times|into a ditch].
"Slow and steady," said {elder}, who helped {hero} practice on the hill.
Day after day {hero} ran up the hill, and day after day it became a little easier.
{Elder} gave {hero} good advice. "Look ahead, breathe deeply and do not give up," {ehe} said.
"Again!" {hero} told {himself}, and {he} ran around the {tree} until {he} was <tired>.

Then the great day came. {Am2} waved a {color} flag. "Ready, steady, go!"
At last they stood side by side. Down went the flag of {am2}, and off they ran!
A drum rolled, a whistle blew, and all the runners shot away. {Friend} was in front at once.
On the day of the race the whole of {land} was there. "Go!" shouted {am2}.
{Hero}'s knees shook at the starting line. "One, two, three," counted {am2}, "run!"
"Good luck!" {parent} called to {hero}. Then the race began, and the dust flew.

{Hero} ran past the {water} and over the bridge. {Friend} was far ahead.
Up the hill they went. {Hero} passed one runner, and then another.
Soon there were only two in front: {friend} first, and {hero} behind {fhim}.
{Hero} did not look left or right. {His} {clothes} fluttered in the wind.
"Faster!" shouted {parent}. {Hero} ran as {he} had never run before.
At the {tree} {hero} was fifth, at the well third, and at the mill {he} was second.

But {spot1} somebody lay on the ground. It was {friend}! "My foot is caught," {friend} cried.
<noise>! Just before the end {friend} slipped {spot1} and fell.
Then {hero} heard a cry. {Friend} had stumbled over a root and could not get up.
All at once {friend} tripped and rolled into a ditch. The finish was near, and {hero} could win!
Suddenly {friend} was not in front any more. {Fhe} was sitting {spot1}, holding {fhis} knee.
"Help!" called {friend}, who had fallen into a muddy hole. {Hero} could see the finish.

{Hero} thought of the {prize}. Then {he} stopped and held out {his} {hand} to {friend}.
Should {he} run on? {Hero} shook {his} head and went back to {friend}.
"A friend is worth more than a {prize}," thought {hero}, and {he} turned around.
{Hero} did not think twice. "Lean on me, {friend}," {he} said.
"Go on and win," said {friend}. "Not without you," answered {hero}.
Others ran past them, but {hero} knelt beside {friend} and tied up {fhis} foot.

Side by side, {hero} and {friend} came in last. But everybody clapped and cheered.
Together they limped over the line, {friend} leaning on {hero}'s arm. What a cheer there was!
They were the very last, and yet the crowd threw {flower} at {hero}.
When {hero} and {friend} came in, arm in arm, even {am1} stood up to clap.
The two crossed the line [hand in hand|together|at the same moment], and {hero} was not sorry at all.
It was a slow finish. But never had {land} cheered so loudly as for {hero}.

"I am sorry that I laughed at you," said {friend}. "You are the real winner, {hero}."
{Elder} gave {hero} a prize of {ehis} own. It was for the kindest heart.
"There is a prize for running," said {elder}, "and there is a better one for kindness. It is yours, {hero}."
{Friend} hugged {hero}. "Next year we will run together," {fhe} said.
The winner broke the {prize} in two, or tried to. "Half of it is for {hero}!"
"You lost the race and won a friend," {parent} said to {hero}.
"""

BUILDING = """
title: {hero} Builds a {thing}|The {thing}|The Wonderful {thing}|Build It Again!
thing: tree house|raft|boat|bridge|little tower|windmill|wagon|castle|swing|puppet theater|hut|seesaw

{He} wanted to build a {thing}. "It will be the best {thing} in {land}," said {hero}.
One <part> {hero} had an idea. "I am going to build a {thing}!" {he} told {parent}.
For weeks {hero} had been dreaming of a {thing}. Now {he} wanted to build it.
In a book {hero} saw a picture of a {thing}. "I can make that," {he} thought.
"What are you drawing, {hero}?" asked {parent}. "A {thing}," {he} said, "and tomorrow I shall build it."
Everybody has a dream. {Hero}'s dream was a {thing} of {his} own.

{He} collected [boards|sticks|branches|planks], [ropes|strings|nails|wire] and an old [wheel|door|blanket|barrel], and got to work {spot1}.
{Hero} dragged [wood|planks|branches|boxes] from everywhere. {He} sawed and knocked from morning till noon.
{Elder} lent {hero} a hammer and some nails, and {hero} found the wood {himself}.
Soon there was a great heap of [sticks|boards|twigs|beams] {spot1}, and {hero} began.
{Hero} measured twice and cut once, just as {elder} had taught {him}.
<noise>! All <part> there was noise {spot1}, where {hero} was busy with {his} {thing}.

But when {he} tried it, the {thing} wobbled, tipped and fell to pieces.
At noon it was ready. {Hero} climbed on. <noise>! Down came the whole {thing}.
Then the wind blew, and the {thing} lay flat on the ground. "<alas>," said {hero}.
It looked [lovely|fine|splendid] for about [a minute|ten seconds|a moment]. Then the {thing} fell over.
{Hero} leaned on it only once. Crack! That was the end of the first {thing}.
{Am1} sat down on the {thing}, and it broke in the middle. {Hero} could have cried.

"I will do it alone," {hero} said crossly, and {he} began the {thing} again.
{He} tried a second time, with thicker wood. This time the {thing} was too heavy to move.
"I need no help," {hero} told {am2}. But the second {thing} was even more crooked than the first.
So {hero} started again. {He} hit {his} thumb, lost the nails and tore {his} {clothes}.
{Hero} used more rope and more nails. But the new {thing} leaned to one side like a <tired> tree.
The second {thing} lasted longer. It fell down only when {hero} was already cheering.

? {Hero} threw down {his} hammer. "I cannot do it," {he} said.
{He} sat on the ground among the pieces, and {hero} was <sad>.
"Maybe it was a silly idea," {hero} said <quietly>.
A single nail was left, and even that was bent. {Hero} sighed.
"Why does it always fall?" {hero} asked the sky.
{Hero} looked at {his} sore {hands} and did not want to try any more.

Just then {friendx} came by. "What is that going to be?" asked {friend}.
{Friendx} had been watching. "May I help?" {fhe} asked {hero}.
"I know something about knots," said {friendx}, "and you, {hero}, know about nails."
<later> {friendx} stopped beside {hero}. "My uncle builds things," said {friend}. "He says that the bottom must be wider than the top."
"You hold, and I will tie," said {friendx}. {Hero} looked up in surprise.
{Friendx} picked up a board. "It only needs one more pair of {hands}, {hero}," said {friend}.

So they worked together. {Hero} held and {friend} tied, {hero} sawed and {friend} sang.
Now it went well. {Friend} found the mistake, and {hero} knew how to mend it.
{Hero} and {friend} put the big pieces at the bottom and the small ones on top. It stood!
Piece by piece the {thing} grew. Even {am1} brought a stick for {hero} and {friend}.
{Friend} had good ideas, {hero} had strong arms, and soon the last nail was in.
"A little to the left," called {friend}. {Hero} pushed. It was perfect!

They painted the {thing} [red|blue|green|yellow|white] and put a flag with {flower} on it.
"Shall we try it?" asked {friend}. {Hero} closed {his} eyes and nodded. The {thing} held!
First {hero} tried it, then {friend}, then both at once. Nothing even creaked.
Everybody in {land} came to see the {thing}. "Well done, {hero} and {friend}!" they said.
{Elder} walked around it three times. "That is the finest {thing} I ever saw," {ehe} told {hero}.
The wind blew and blew, but the {thing} of {hero} and {friend} stood firm.

"We built it together," said {hero}, "so it belongs to both of us, {friend}."
{Hero} wrote two names on it: {hero} and {friend}.
"Alone I built two heaps of wood," laughed {hero}. "With you, {friend}, I built a {thing}."
From that day the two friends met at the {thing} every <part>.
"What shall we build tomorrow?" asked {friend}. {Hero} had an idea already.
And there they sat in the evening sun, {hero} and {friend}, eating {food}.
"""

STORM = """
title: {hero} and the Storm|The Big Storm|The Night of the Storm|After the Storm
mood: night

One <part> the sky turned [black|dark gray|purple|as dark as ink], and the birds stopped singing.
One <part> {hero} noticed that the air was very still. Then {he} saw the clouds.
"There will be a storm," {elder} told {hero} one <part>, looking up at the clouds.
The wind began softly one <part>. It pulled at {hero}'s {clothes} and shook the {tree}.
One <part>, while {hero} was {hobby}, a first heavy drop fell on {his} nose.
"Look at that cloud!" said {hero} one <part>. It was [big|huge|enormous] and dark, and it was coming nearer.

<noise>! The thunder rolled over {land}, and {hero} <hurried> inside.
Then the [first |white |bright |]lightning [flashed|lit up the sky|split the sky]. {Hero} shut the door and pulled down the blind.
Rain beat on the roof of the {home}. {Hero} put {his} {hands} over {his} ears.
The whole {home} shook. {Hero} crept under the table with a cushion.
In a moment it was as dark as night, and the wind howled around {hero}'s {home}.
The branches knocked at the window. {Hero} moved closer to {parent}.

Then {hero} remembered {friendx}, who was all alone out there.
"Where is {friendx}?" asked {hero}. "{Fhe} always plays down by the {water}!"
But through the noise {he} heard a thin cry. It was {friendx}!
{Hero} looked out and saw a small light. There was {friendx}, in the middle of the rain.
Suddenly {hero} thought of {friendx}. "The roof over there has a hole," {he} said to {parent}.
"{Friendx} has not come home," called a neighbor through the door. {Hero} turned pale.

"We must help {fhim}," said {hero}. {He} put on {his} {clothes} and took the lantern.
{Hero} was afraid, but {he} opened the door. {Parent} came with {him}.
{Parent} tied a rope around {hero}'s waist. "Hold on tight," {phe} said.
"Storm or no storm," said {hero}, "I am going to find {friend}." And {parent} took {his} {hand}.
{His} [knees|legs|whiskers|lips] [shook|trembled]. But {hero} was a {nature} {kind}, and {he} stepped out into the rain with {parent}.
"Stay close to me," said {parent}. The two of them bent low and went out to look for {friend}.

? The wind took {hero}'s breath away. {He} leaned against it and went on.
<noise>! A branch crashed down behind {hero}.
The water came up to {hero}'s knees, but {he} did not turn back.
"{Friend}! {Friend}!" called {hero}, and the thunder answered.
Twice the lantern went out, and twice {hero} lit it again.
{Hero} slipped in the mud and got up again, wet from head to toe.

At last {hero} found {friend} {spot1}, wet and shivering. "I knew you would come," {friend} said.
{Friend} was sitting {spot1}, holding on with both {hands}. {Hero} pulled {fhim} up.
There, {spot1}, the lantern shone on two frightened eyes. "{Friend}!" cried {hero}.
"Here I am!" called a weak voice {spot1}. {Hero} <hurried> over and hugged {friend}.
In a flash of lightning {hero} saw {friend} {spot1}. {He} reached out and held {fhim} fast.
{Spot1} they heard a sneeze. It was {friend}, and {hero} wrapped {fhim} in a blanket.

Back in the {home} they dried {friend} by the fire, and {parent} gave everyone hot [soup|milk|cocoa|tea].
Soon {hero} and {friend} sat under one blanket, drinking hot [cocoa|milk|soup|tea] with honey.
{Parent} warmed some {food}, and {friend} stopped shivering. "Now the thunder sounds quite small," {fhe} said to {hero}.
The fire crackled, and {hero} and {friend} told each other stories louder than the thunder.
"Let us count between flash and thunder," said {hero}. {Friend} counted to [six|seven|eight|nine]. The storm was going away.
They sang every song that {hero} knew, and when the songs were over, {friend} began again.

Then the rain grew soft, and the thunder went to growl somewhere far from {hero}.
When they woke up, the storm had gone. {Hero} opened the window.
[By and by|Toward morning|At long last] it was [still|quiet|calm]. {Hero} and {friend} peeped out of the door.
"Listen!" whispered {hero}. There was only a drip, drip, drip from the [roof|leaves|gutter|branches].
At last the sun came back, and {hero} saw a rainbow over {land}.
{Friend} was the first to see it. "A rainbow, {hero}!" {fhe} cried.

All over {land} the puddles shone, and {hero} and {friend} jumped into every one.
The storm had taken some tiles and a fence, but {hero} still had {his} friend.
"Were you not afraid, {hero}?" asked {friend}. "Very," {he} said, "but I like you more than I fear thunder."
"You were so brave," said {friend}. {Hero} only <smiled>.
Together they helped {elder} to mend the fence, and {friend} carried the nails for {hero}.
"Next time," said {hero}, "we shall wait for the storm together, {friend}."
"""

LOST_ANIMAL = """
title: The Lost {baby}|{hero} and the {baby}|Home Again, Little {baby}|Who Lost a {baby}?
baby: duckling|chick|lamb|fledgling|baby owl|gosling|fawn|piglet|cygnet|young swallow|baby seal|little goat
family: mother|family

One <part> {he} heard a soft cry {spot1}. There sat a <small> {baby}, all alone.
One <part>, {spot1}, {hero} found a {baby} that had lost its {family}.
"What is that?" said {hero} one <part>. {Spot1} something moved. It was a {baby}!
It was a <sunny> <part> when {hero} saw a {baby} {spot1}. It was shaking with fear.
One <part> a little {baby} followed {hero} home. It cried and cried.
{Hero} was {hobby} one <part> when {he} almost stepped on a {baby}.

"Do not cry," {hero} said <kindly>. "I will bring you back to your {family}."
{He} [knelt|bent|sat] down. "Are you [lost|all alone|far from home]?" asked {hero}. The {baby} nodded.
"Where is your {family}?" {hero} asked. But the {baby} was too young to say.
{Hero} wrapped the {baby} in {his} {clothes}. "You are safe with me," {he} told it.
The {baby} looked up at {hero} with round eyes. "I am {hero}," {he} said, "and I shall help you."
{Hero} gave it a crumb and a drop of water, and the {baby} stopped crying.

First they went to {am1}. "Do you know this {baby}?" asked {hero}. The {m1} did not.
They asked {am1}. "It is not one of mine," said the {m1} to {hero}, "but I hope you find its home."
"Is this yours?" {hero} asked {am1}. "Mine have [longer ears|more legs|smaller noses|other feet]," answered the {m1}.
{Am1} looked at the {baby} from all sides. "Never seen it before," it told {hero}.
{Hero} carried the {baby} to {am1}. But the {m1} only shook its head.
"I wish I could help," said {am1}, "but I have just arrived here myself, {hero}."

Then {hero} climbed the hill to look around. {He} saw the {water}, the {tree} and the roofs, but no {family}.
{He} <looked> {spot2}, but there were only some {flower}.
Next {hero} called <loudly>, "Has anybody lost a {baby}?" Only the echo answered.
They <walked> to the {water}, where {am2} was drinking. "Go and ask {elder}," the {m2} told {hero}.
{Hero} asked {am2} as well. "I heard somebody calling this morning," said the {m2}, "but I forget where."
They searched {spot2}. The {baby} grew sleepy, and {hero}'s arms grew heavy.

? It was getting late, and the {baby} began to cry again. {Hero} sang it a little song.
"Are we lost too?" thought {hero}, but {he} did not say it aloud.
{Hero} rocked the {baby} in {his} arms. "We will not give up," {he} whispered.
{Hero} would have liked to keep the {baby}. But {he} knew that somewhere its {family} was waiting.
The shadows became long, and the {baby} hid its face in {hero}'s {clothes}.
A cold wind came up. {Hero} held the {baby} closer.

At last {he} asked {elder}. "Be very quiet," {ehe} said, "and listen, {hero}."
{Elder} was sitting by the door. "Look at its little feet, {hero}," said {ehe}. "They will tell you where it belongs."
"You have been using your eyes," said {elder} to {hero}. "Now use your ears."
Then {elder} came along with {ehis} stick. "Somebody has been calling all day near the {water}, {hero}," {ehe} said.
{Elder} had an idea. "Let the {baby} lead the way, {hero}," {ehe} said. "It knows more than you think."
Luckily they met {elder}. "I saw tracks just like these {spot3}," {ehe} told {hero}.

{Hero} did as {he} was told. And there, {spot3}, somebody was calling!
So {hero} listened. From far away came a cry, {spot3}, and the {baby} answered it!
{Hero} <hurried> off, the {baby} under {his} arm. {Spot3} {he} heard a call.
They followed a trail of tiny tracks. It ended {spot3}, and {hero} held {his} breath.
The {baby} pricked up its ears and pulled {hero} along, until they stood {spot3}.
All at once the {baby} gave a shout and jumped from {hero}'s arms. It ran to somebody {spot3}.

"My child!" cried the mother. The {baby} ran to her, and {hero} had to swallow.
Oh, how the mother hugged her {baby}! {Hero} was so <happy> that {he} danced.
There was the mother, with [two|three|four|five] little ones. Now the {baby} was where it belonged, thanks to {hero}.
And the mother laughed and cried at once. "<thanks>, {hero}!" she said.
"I looked for you all day!" said the mother to the {baby}. And then she hugged {hero} too.
The mother stroked the {baby} again and again. "You have a good heart, {hero}," she said.

"Will I see you again?" the {baby} asked {hero}. "As often as you like," {he} said.
{Hero} waved until the {baby} could not be seen any more.
The {baby} gave {hero} a kiss on the nose. It tickled.
From then on the {baby} came to visit {hero} every [Sunday|week|spring|month], and each time it had grown.
"Come and play with us," said the mother, and {hero} stayed with the {baby} until evening.
The {baby} had found its {family}, and {hero} had found a friend.
"""

LEARNING = """
title: {hero} Learns to {skill}|{hero} Tries Again|Once More, {hero}!|I Can {skill}!
skill: swim|skate|ride a bicycle|dance|row|dive|ski|juggle|walk on stilts

All {his} friends could {skill}, but {hero} could not.
There was one thing that {hero} wanted to learn: {he} wanted to {skill}.
"I wish I could {skill}," said {hero} one <sunny> <part>.
One <part> {hero} saw {friendx} {skill}. "I want to do that too!" {he} cried.
{Hero} could do many things. But {he} could not {skill}, and it made {him} <sad>.
"Why can everybody {skill} but me?" {hero} asked {parent}.

{Friend} could do it well. "It is easy," {fhe} said. "Just watch me, {hero}."
{Friend} promised to show {him} how. They met early, when nobody was there to laugh at {hero}.
"Nobody is born knowing how to {skill}," said {parent}. So {hero} asked {friend} to help {him}.
{Friend} heard it. "I could not do it at first either, {hero}," {fhe} said.
So {hero} went to {friend}. "Will you teach me?" {he} asked.
{Parent} <smiled>. "Start small," {phe} told {hero}, "and let {friend} hold your {hand}."

{Hero} tried. <noise>! {He} fell flat on {his} nose.
The first time, {hero} shut {his} eyes and hoped. <noise>! That did not help.
"One, two, three!" called {friend}. {Hero} began, slipped and sat down hard.
At the first try {hero} got [water up {his} nose|a bump on {his} head|a bruise on {his} knee|mud on {his} {clothes}].
{Hero} was so stiff with fear that {he} could not move at all.
It did not go well. {Hero} waved {his} arms, wobbled, and down {he} went.

The second time went no better, and {am1} laughed at {hero}.
Then {hero} tried again. It lasted [two|three|four] seconds. "That was longer!" said {friend}.
{He} tried it slowly, and {he} tried it fast. Both times {hero} ended on {his} back.
"Again," said {friend}. And again {hero} tumbled over.
After the next try {hero} had a scratch on each elbow.
{Hero} tried it with a [pillow|cork|rope|stick], but that only made {friend} laugh.

"I will never learn it!" cried {hero}, and {he} stamped {his} foot.
{Hero} wanted to go home. "I am no good at this, {friend}," {he} said.
"I give up," said {hero}, and {he} turned away so that {friend} would not see {his} tears.
For a while {hero} sat {spot1} and would not talk to anyone.
"Everybody can do it but me," {hero} said <quietly>.
"Some {kind}s just cannot {skill}," {hero} told {elder} with a sigh.

Then {elder} sat down beside {him}. "How often did you fall, {hero}?" {ehe} asked. "And how often did you get up?"
"Do you know how I learned to {skill}?" asked {elder}. "I fell a hundred times, {hero}. Then I fell no more."
{Elder} pointed at {am2}, which was just learning its own first steps. "See, it does not give up, {hero}," said {elder}.
{Elder} came by with {ehis} stick. "You are thinking of falling, {hero}," {ehe} said. "Think of where you want to go!"
"You are holding your breath, {hero}," said {elder}. "Breathe, and look straight ahead."
"Fear is like a heavy stone, {hero}," said {elder} <kindly>. "Put it down before you start."

{Hero} wiped {his} eyes, took a deep breath and tried once more.
So {hero} stood up. {He} looked straight ahead, and {he} thought of [a bird|a fish|a leaf|the wind].
"Once more, then," said {hero}. {Friend} held {his} {hand}, and then {fhe} let go.
The next morning {hero} was back. {He} counted to three and began.
{Hero} nodded slowly. "I will put the fear down here," {he} said, and patted a stone.
"Only one more time," {hero} told {friend}, and {he} set {his} jaw.

And all at once it worked! "Look at me!" shouted {hero}. "I can {skill}!"
Something was different now. {Hero} did not fall! {He} went on and on.
A little way, and a little more, and then {hero} noticed that nobody was holding {him}.
"You are doing it, {hero}!" cried {friend}, jumping up and down.
It was wobbly and it was slow, but {hero} did it. "<hooray>!" called {friend}.
{Hero} laughed aloud. It felt like flying! Even {am1} stopped to watch.

By the end of the week {hero} could {skill} as well as {friend}.
"How did you do it?" asked {parent}. "I got up one more time than I fell," said {hero}.
Later {hero} taught {am1} how to {skill}, and {he} was very patient.
{Hero} and {friend} did not stop until it was time for {food}.
"Watch me once more!" said {hero}, and {elder} watched [ten|twenty|thirty] times.
"I knew it, {hero}," said {elder}, and {ehis} eyes twinkled.
"""
