"""Tales of troubles and how they were mended. For the form see tale_wishes."""

MYSTERY = """
sorts: pa
royal: yes
title: Who Was It?|The {sign} in the Night|A Mystery in {month}
cols: sign ; wasit ; why
- knocking ; a woodpecker with a sore beak ; It had lost its own tree in the storm and was looking for a new one.
- humming ; a swarm of bees in a drainpipe ; They had found no better place for their honey.
- music ; an old music box in a magpie's nest ; Each time the magpie sat down, it began to play.
- light ; a hundred fireflies in a bottle without a stopper ; They came there every evening to get warm.
- whistling ; the wind in an empty jug ; Somebody had forgotten it on the wall.
- dripping ; a hole in the water tank, with a happy frog beneath it ; It thought that somebody had made the shower just for it.
- rumbling ; a fat dormouse that rolled nuts across the attic ; It was getting ready for the winter.
- smell of cinnamon ; a mouse that had fallen asleep in a spice box ; It had cinnamon on its whiskers and sneezed in its sleep.
- giggling ; three small owls behind a beam ; They had been told to be quiet and could not.

Every night there was a strange {sign}, and {ahero} could not find out where it came from.
"Do you notice that {sign}?" asked {ahero}. Nobody else did.
It was the third night in a row that the {sign} woke {ahero}.
Where did the {sign} come from? {Ahero} {place} wanted to know.
At {clock} on {weekday} evening {name} the {kind} sat up in bed. There was that {sign} again!
Nobody believed {name} the {kind} when {he} spoke of the {sign}.
There was something odd {place}. There was a {sign}, and {ahero} was the first to notice it.
First came the {sign}, and then silence. {Ahero} held {his} breath.
They blamed the ghost for the {sign}. {Ahero} did not believe in ghosts, but {he} did not sleep well either.
In the middle of supper {name} the {kind} put down {his} spoon, because of a strange {sign}.

One night, however, there was a strange {sign}, and {hero} sat up in bed.
Then, in {month}, a strange {sign} began. {Hero} could not explain it.
"What is that {sign}?" {hero} asked one evening. No one knew.
It began on a {weekday}. {Hero} was about to go to bed when {he} noticed a strange {sign}.
All was peaceful until the night of the {sign}. {Hero} wondered where it came from.

{He} lit a lamp and looked [under the bed|in the cellar|behind the door|up the chimney]. There was nothing but dust.
{Hero} got up and searched the whole place, and found [a lost sock|two pennies|an old cheese], but no answer.
At once it was over. {Hero} waited, but it did not come back until the next night.
{Hero} pulled the blanket over {his} ears. It did not help.
"Is anybody there?" called {hero}. Nobody answered.

In the morning {he} asked {m1}. "You are dreaming," said {m1}. "Eat less before you go to bed."
{M1} had noticed nothing. "I sleep like a log," said {m1} proudly.
"That is the ghost of an old pirate," {m1} whispered. "Do not go near it!"
{Hero} told {m1} about it. {M1} turned as white as flour and locked the door.
{M1} thought it was thieves, and {m2} thought it was the moon.

"I will watch tonight," said {friend}. "Two can be brave more easily than one."
{Friend} came with a [blanket|lantern|bag of nuts], and together they waited for the dark.
{Hero} told {friend} about it. "We need a plan," {fhe} said. They sprinkled flour on the floor.
There was only one who did not laugh, and that was {friend}. "Let us find out," {fhe} said.
So {hero} and {friend} sat side by side in the dark and did not move.

They waited. The clock struck ten, then eleven. {Friend} nearly fell asleep.
For a long time there was nothing but the sound of their own breath.
Midnight came. Then there it was, the {sign}, nearer than ever.
"Now!" whispered {friend}. They crept toward it on the tips of their toes.
Step by step they followed the {sign}, up and up, until there was nothing left to climb.

{Hero} lifted the lamp. It was {wasit}!
They looked around the corner, and there it was: {wasit}.
And what did they find? It was {wasit}.
"Look," said {friend}, and began to laugh. It was only {wasit}.
No ghost, no pirate, no thief. It was {wasit}.

{Why} {Hero} laughed until {his} sides hurt.
{Why} "And for that I was awake four nights!" cried {hero}.
{Why} "Poor thing," said {friend}, and {hero} thought so too.
{Hero} put down the lamp. Now everything was clear. {Why}
{Why} Very quietly the two of them went away again.

They did not change a thing. {Hero} had become fond of the {sign}.
After that {hero} slept well again. When the {sign} comes, {he} smiles and turns over.
"Well, was it the ghost?" asked {m1}. "Yes," {hero} said and winked, "a small one."
And {friend}? {Fhe} asked every evening, "Is there no other mystery for us?"
"Most ghosts are like that," said {friend}, "if you bring a lamp."
"""

QUARREL = """
sorts: pamf
royal: yes
title: The Quarrel|{kind} and {fkind}|Not a Word
cause: who was the stronger of the two|a joke that was not funny|the last piece of cake|who had seen the rainbow first|a broken promise|the best place in the sun|which way was north|whose turn it was to speak|the name of a star|whether the moon was round or flat

For [three|five|nine] days {ahero} had not spoken to {friend}.
"I never want to see you again!" cried {ahero}, and {friend} cried the same.
{Ahero} and {friend} had been friends for years, until they quarreled about {cause}.
It began with {cause}. That was how {ahero} came to quarrel with {friend}.
pa: {Name} the {kind} and {friend} did everything together, until one day in {month}.
Why did {ahero} no longer look at {friend}? It was because of {cause}.
Two good friends, {ahero} and {friend}, once had a quarrel.
On {weekday} they were friends, {ahero} and {friend}. On the next day they were not.
There is nothing so foolish as a quarrel about {cause}. But {ahero} and {friend} had one.
Once {ahero} and {friend} shared everything {place}, the sun, the rain and the news.

{His} best friend was {friend}. Hardly a day went by when they did not talk.
"Good morning!" {friend} called every day, and {hero} was glad, for the two were friends.
There was {friend}, too, who came to see {hero} each day. They told each other everything.
{Inland} there were no better friends than {hero} and {friend}.
{Hero} would have been lonely but for {friend}, who came by with the news every morning.

They argued about {cause}. One word led to another, and in the end neither was polite any more.
"You are wrong!" said {friend}. "No, you are!" said {hero}. It was about {cause}, and it grew loud.
What did they say to each other? Nothing kind. And all that because of {cause}!
It was really only about {cause}. But {friend} laughed in the wrong place, and {hero} was hurt.
The matter was {cause}. They could have talked about it calmly, but it was a hot day.

{Friend} turned round and left, and {hero} did not call {fhim} back.
"Fine!" said {hero}. "I do not need anyone." And {friend} was gone.
They drew a line on the ground. No one was to cross it.
{Friend} went to the other end of {land}, as far away as {fhe} could.
From then on each of them looked the other way.

At first it was pleasantly quiet. Then it was too quiet.
{Hero} told a joke, but there was no one to laugh at it.
Something funny happened on {weekday}, and {hero} wanted to tell {friend} at once. Then {he} remembered.
The mornings were the worst. No one said good day to {him}.
Even {job} was no fun any more. {Hero} did it without a song.

"I hear that {friend} is not eating well," {m1} said in passing.
{M1} shook a wise head. "It takes two to quarrel," said {m1}, "but only one to stop."
"What was it all about?" asked {m1}. {Hero} opened {his} mouth and found that {he} had nearly forgotten.
{M1} carried messages for a day or two and then refused. "Talk to each other!" said {m1}.
"I had a friend once," {m1} said. "I waited for an excuse until it was too late."

Then came the big storm. {Hero} thought only of one thing: was {friend} safe?
That night {hero} did not sleep. "I was wrong," {he} said into the dark. "At least half of it."
In the evening {hero} thought about it for a long time. What was {cause} compared to a friend?
{Hero} practiced one word the whole night long. It was the word "sorry."
It rained for days. {Hero} remembered how {friend} used to sing in the rain.

"I am sorry!" they both said in the same moment. And then they had to laugh.
In the morning {friend} stood there, wet and shy. "I was coming to say sorry," {fhe} said. "So was I," said {hero}.
"{friendv}!" called {hero}. "It was my fault." "No, mine," {friend} called back. They almost quarreled again.
There was {friend}, on the line they had drawn, with a [flower|ripe pear|bag of cherries]. "Half of it is for you," {fhe} said.
pa: {Hero} set out early. Halfway {he} met {friend}, who had set out too.

Since then they have argued now and then, but never past sunset.
They never found out who was right about {cause}. It did not matter.
pa: The line on the ground was soon gone, for {hero} and {friend} danced on it.
"Let us never do that again," said {friend}. "Never," said {hero}, "or at least not for so long."
And the next morning somebody called, "Good morning!" as always. {Hero} had never heard anything so beautiful.
"""

MISTAKE = """
sorts: pa
title: The Broken {base}|It Was Me|The {kind} Makes a Mistake
base: jug|window|vase|lantern|mirror|teapot|plate|rocking horse|bowl|clock
how: sneezed too close to it|was dancing and did not look|wanted to dust it|chased a fly|carried too much at once|stumbled over a shoe|only wanted to see it up close|opened the window in a storm

Crash! {Ahero} stood there and looked at the pieces of the {base}.
"It was not me!" said {ahero}. But it was.
The {base} was broken, and only {ahero} knew how it had happened.
Nobody saw how {ahero} broke the {base}.
It was {name} the {kind} who broke the {base}, on a {weekday}, at {clock}.
It happened so fast. One moment the {base} was whole, and the next moment {ahero} was standing among the pieces.
Have you ever broken something that belonged to somebody else? {Ahero} {place} once did.
{Name} never broke anything. That is what people said of {name} the {kind}, until the day of the {base}.
The blue {base} had stood in its place for a hundred years when {ahero} came too close to it.
Because {he} {how}, {ahero} knocked over the {base}.

One day {hero} was visiting {friend}. {He} {how}, and crash! The {base} of {friend} lay in pieces.
Now {friend} owned a precious {base}. And {hero}, who {how}, knocked it down.
On {weekday} {hero} {how}. There was a crash, and the {base} was broken.
Then it happened. {Hero} {how}, and {friend}'s {base} fell down.
It was nobody's fault but {his} own. {Hero} {how}, and the best {base} {inland} broke.

It belonged to {friend}, who loved it more than anything and was away until evening.
{Friend} had got it from {fhis} grandmother, and {fhe} would be home soon.
"Oh no," whispered {hero}. {Friend} was so proud of it!
{Hero} felt hot and cold. What would {friend} say?
The {base} had been a present to {friend}. There was no other like it.

Quickly {hero} pushed the pieces under a [carpet|cupboard|sofa|bench] and went away.
{Hero} looked to the left and to the right. Then {he} hid the pieces in a sack.
{He} tried to put it together with honey. It held for [a minute|as long as a sneeze].
"If nobody asks, I need not say anything," thought {hero}, and swept the pieces into a corner.
{Hero} ran home and crept into bed, although it was the middle of the day.

"Who did this?" asked {friend} in the evening. {Fhe} had tears in {fhis} eyes. {Hero} said nothing.
Soon {friend} noticed it. "It must have been {m1}," {fhe} said. And {hero} kept silent.
Everyone was asked. {M1} was asked twice, because {m1} was known to be clumsy.
"Somebody says it was {m1}," said {friend}. {Hero} stared at the floor.
The next day people {inland} talked of nothing else, and they all blamed {m1}.

{Hero} could not eat. Even {his} favorite soup tasted of nothing.
At night the {base} came to {him} in a dream and rattled.
It was as if {hero} had a stone in {his} stomach. It grew heavier each day.
{M1} went by, sad, with nobody to talk to. {Hero} could not bear to look.
"Are you ill?" they asked {him}. {Hero} shook {his} head, and it hurt to do so.

On the third morning {hero} got up and knocked at {friend}'s door. "It was me," {he} said.
"I must tell you something," said {hero}. {His} voice shook. "I broke the {base}. {M1} had nothing to do with it."
Then {he} could stand it no longer. {He} brought the sack with the pieces and put it down in front of {friend}.
"Wait!" cried {hero} in front of everyone. "It was not {m1}. It was me!"
{Hero} took a deep breath and told everything from the beginning, and did not leave out a thing.

It was quiet for a long time. "Thank you," {friend} said then. "That was harder than breaking it."
{Friend} looked at {him}. "I am sad about the {base}," {fhe} said, "but I am glad about you."
"A {base} is only a thing," said {friend}. "But now I know that I can trust you."
At first {friend} was angry. Then {fhe} sighed, and then {fhe} even smiled a bit.
"Why did you not come at once?" asked {friend}. "I was afraid," {hero} answered. "I know how that is," {fhe} said.

Together they glued it, piece by piece, with real glue. You could see the cracks, and it was beautiful all the same.
{Hero} worked for [two weeks|a month] and paid for a new one. And {he} brought {m1} a cake.
{Hero} said sorry to {m1} too, and that took nearly as much courage.
The largest piece stands at the window today with a flower in it.
The {base} was mended, and so was everything else. {Hero} felt as light as a feather.
"""

LOST = """
sorts: pa
title: The Lost {base}|Where Was the {base}?|{number} Days Without a {base}
cols: base ; where ; who
- hat ; on the head of a scarecrow ; It kept off the sun so well
- spectacles case ; under a hen, between two eggs ; She thought it was an egg as well
- left boot ; by the pond, with a family of mice in it ; They had hung up curtains
- red mitten ; in a hedge, with a wren asleep in it ; It was the softest nest for miles
- walking stick ; in the bean patch, with a bean plant climbing up on it ; The bean held on to it with all its might
- silver bell ; around the neck of a lamb ; It was so afraid of getting lost
- wool scarf ; in the doghouse, under four new puppies ; They were only a day old
- umbrella ; upside down on the pond, with a duck in it ; She had always wanted a boat
- basket ; in the top of a tree, with two young doves in it ; They could not fly yet

One morning {his} {base} was gone, and {ahero} looked everywhere for it.
"Who has taken my {base}?" cried {ahero}.
Without a {base}, {ahero} did not feel like {himself}.
{Name} the {kind} had lost {his} {base}, and {he} had to find it before {weekday}.
First it was here, then it was gone. {Ahero} turned everything upside down to find the {base}.
What is {ahero} without a {base}? {Name} found out one {weather} morning.
{Name} the {kind} put {his} {base} down for one minute. When {he} came back, it had disappeared.
It rained, it was cold, and on top of it {ahero} had lost {his} {base}.
The {base} was the only thing {ahero} had kept from {his} grandfather, and now it was lost.
Since {weekday} {ahero} had been looking for {his} {base}.

{Hero} had a {base} that {he} was fond of. But on {weekday} it was gone.
One day, when {hero} wanted to go out, {he} could not find {his} {base}.
Only one thing went wrong that {season}. {Hero} lost {his} {base}.
"Has anyone seen my {base}?" {hero} asked one morning. It had hung in its place the night before.
Of all {his} things {hero} loved the {base} best. And that, of course, was the one {he} lost.

{Hero} looked [in the cupboard|under the stove|behind the curtain|in the oven], and then {he} looked there again.
Was it in the [shed|cellar|attic]? No. Was it under the [table|hay|blanket]? No.
{He} emptied [all the drawers|three sacks|the big chest], and everything was there except the one thing {he} wanted.
High and low {hero} searched, and only found a [cheese rind|button|dead fly].
{Hero} sat down and tried to remember. Yesterday {he} had still had it, near the well.

"Where did you have it last?" asked {m1}. "If I knew that, it would not be lost," said {hero}.
{M1} helped to look, but {m1} only made more of a mess.
"I have not seen it," said {m1}. "But I have lost an earring, if you happen to find one."
"Surely somebody stole it," said {m1} darkly. {Hero} did not want to believe that.
On the road {he} asked {m1}, who pointed to the [north|south], and {m2}, who pointed the other way.

{Hero} put up a sign on the [oak|pump|church door]: "Lost: one {base}. Reward: one cake."
It grew dark, and {hero} still had no {base}. {He} went to bed sad.
The wind had been strong in the night. Could it have carried off the {base}?
{Hero} borrowed another one, but it was not the same. It pinched, and it smelled of [fish|smoke|onions].
"It is only a thing," {hero} told {himself}. But {he} missed it.

The next day {friend} came running. "Come quickly," {fhe} said, "and do not make a sound!"
{Friend} knocked at the door. "I think I know where it is," {fhe} whispered.
Then {friend} put a finger to {fhis} lips. "Follow me," {fhe} said.
On {weekday} {friend} brought news. "I have seen it, but you will not believe where."
"I have found something," said {friend}. "But you must promise not to be angry."

And there it was, {where}.
{Hero} came closer and saw it: {where}, there was the {base}.
{Friend} pointed. The {base} was {where}.
They went past the barn and round the corner. There, {where}, was what {hero} had missed so much.
"There," said {friend}. And truly, there it was, {where}.

"{who}," {friend} explained. {Hero} had to smile.
{Hero} put out {his} hand and pulled it back again. {Who}.
{Who}. How could anyone take it away now?
"Shall we take it back?" asked {friend}. {Hero} looked for a long time. {Who}.
{Who}, and it was plain to see that the {base} was needed there.

"Keep it," said {hero} softly. "You need it more than I do."
So {hero} went home without {his} {base}, and yet {he} was in the best of moods.
On {his} birthday {friend} gave {him} a new {base}. It was even warmer than a memory.
"I lost a {base}," {hero} said afterwards, "but it did not get lost."
And the reward? The cake was eaten by {hero}, {friend} and {m1} together.
"""

BRAVE = """
sorts: pa
royal: yes
title: The Brave {kind}|Afraid of {fear}|The Night of the {danger}
cols: fear ; danger ; trapped ; deed
- the dark ; storm ; was lost in the pitch-dark wood ; {Hero} walked straight into the blackness and sang, so that {friend} could follow the sound
- thunder ; thunderstorm ; was caught on the open hill among the lightning ; While the thunder roared, {hero} ran up the hill and led {friend} down
- deep water ; flood ; was sitting on a roof in the middle of the flood ; {Hero} pushed off on an old door and paddled across the deep brown water to {friend}
- high places ; fire ; stood at the very top of the smoking mill ; {Hero} climbed up rung by rung, did not look down, and brought {friend} to the ground
- dogs ; snowstorm ; was stuck in a snowdrift beyond the big watchdog ; {Hero} said good evening to the dog, walked past it and dug {friend} out
- strangers ; shipwreck ; was clinging to a rock far from the shore ; {Hero} knocked at every strange door until there were enough people for the rescue boat, and so {friend} was saved
- the cold ; blizzard ; had broken a leg on the frozen lake ; {Hero} crossed the ice through wind and snow and pulled {friend} home on a board

Everybody {inland} knew that {ahero} was afraid of {fear}.
"I am not afraid of anything," said {ahero}. But that was not true, for {he} was afraid of {fear}.
There was one thing {ahero} feared, and that was {fear}.
{Name} the {kind} was afraid of {fear}, and everyone teased {him} about it.
What are you afraid of? {Ahero} {place} was afraid of {fear}.
+ Nobody would have called {ahero} brave.
Whenever there was talk of {fear}, {ahero} hid under a blanket.
Brave people are not always big. Take {name}, {ahero}, who trembled at {fear}.
When it came to {fear}, {ahero} was the greatest coward {inland}.
+ "Coward! Coward!" the others called after {ahero}.

{Hero} had a secret. {He} was afraid of {fear}.
One thing was wrong with {hero}, as everybody knew. {He} feared {fear}.
"I would do anything," {hero} used to say, "if only it were not for {fear}."
At the mere thought of {fear}, {hero} began to tremble.
{Hero} was not a hero. {Fear} made {his} teeth chatter.

"A {kind} like you, and afraid!" laughed {m1}.
{M1} teased {him} for it: "Boo!" And each time {hero} jumped.
Only {friend} never laughed. "Everyone is afraid of something," {fhe} said.
"It will pass," said {friend}. "And if it does not pass, I will stay with you."
{M1} made up a song about it, and it was not a nice song.

Then, in {month}, came the {danger}. Nobody had seen one like it in [twenty|forty|fifty] years.
One evening the sky turned yellow. By nightfall the {danger} had come.
It was a {weekday} when it happened. A {danger}! The bells were rung, and people ran about.
No one was prepared for the {danger}. It came in the night.
"Stay inside!" people shouted. For now the {danger} was there.

"Where is {friend}?" somebody asked. Nobody knew. Then the news came: {fhe} {trapped}.
A cry was heard. It was {friend}, who {trapped}.
{Hero} counted heads. One was missing. {Friend} {trapped}!
{M1} came in, out of breath. "{Friend} {trapped}," gasped {m1}, "and I dare not go."
And {friend}, of all people, {trapped}.

"Somebody must go," they all said. They looked at {m1}, and {m1} looked at the floor.
{Hero}'s knees turned soft. Every part of {him} said no.
Nobody moved. {Hero} heard {his} own heart.
{Hero} was so afraid that {he} could hardly breathe. But {he} was even more afraid for {friend}.
"I cannot," thought {hero}. And then, "But I must."

{He} thought of nothing but {friend} and went. {Deed}.
Before anyone could stop {him}, {he} was gone. {Deed}.
{Deed}. How {he} did it, {hero} could never say.
Trembling from head to foot, {he} set out. {Deed}.
"Wait for me!" {he} shouted. {Deed}.

"You came," said {friend}, "although you were afraid." "I was afraid the whole time," said {hero}.
Someone wrapped them both in blankets. {Friend} would not let go of {him}.
"Were you not afraid?" asked {m1}. "Oh yes," said {hero}, "but I had no time for it."
Safe and warm again, they drank hot milk, and only then did {hero} begin to shake.
When they were back, {hero} had to sit down, because {his} legs were like butter.

{M1} never sang that song again and made up a new one. In it {hero} is as brave as a lion.
{Hero} is still a bit afraid of {fear}. But it does not stop {him} any more.
"To be brave," {friend} always says, "is to be afraid and to go."
They wanted to give {him} a medal. {Hero} gave it to {friend}, to hang on the wall.
And nobody {inland} has ever called {him} a coward since.
"""

FOOLISH = """
sorts: pamf
royal: yes
title: What the {kind} Believed|The Foolish {kind}|The {kind} and the {mark}
cols: mark ; belief ; test ; truth
- sun ; the sun rose only to see {him} ; one day {he} overslept, and the sun was high in the sky when {he} looked up ; the sun rises for everyone
- moon ; the moon lived at the bottom of a bucket ; somebody emptied the bucket, and the moon was still in the sky ; it had only been a picture in the water
- echo ; a rude neighbor lived behind the hill and repeated every word ; for once {he} called out something friendly, and the answer was just as friendly ; it was nothing but an echo
- shadow ; a thief in black was always following {him} ; a cloud covered the sun, and the thief was gone at once ; it was only a shadow
- wind ; the wind blew only to annoy {him} ; a ship came in with full sails and thanked the wind aloud ; the wind has other things to do
- rainbow ; there was a pot of soup at the end of every rainbow ; the end of one came down close by, and there was nothing but wet grass ; the rainbow itself was the treasure
- fog ; the world had been eaten whenever there was fog ; the fog lifted at noon, and not even a blade of grass was missing ; the fog only hides things
- rain ; it rained because the sky was angry with {him} ; it rained for a week, and then everything around {him} began to bloom ; the rain was a gift
- winter ; the leaves fell because {he} had sneezed ; autumn came again without one sneeze, and the leaves fell all the same ; trees only rest in winter

For a long time {ahero} believed that {belief}.
"Nobody knows it but me," said {ahero}. And then {he} explained that {belief}.
Once upon a time {ahero} thought that {belief}.
It is easy to believe in something foolish. {Ahero}, for example, believed that {belief}.
pa: {Name} the {kind} was sure that {belief}.
Who told {him} so? Nobody knows. But {ahero} was sure that {belief}.
In {month}, {ahero} got the idea that {belief}.
+ {Place} there was {ahero} with an odd idea about the {mark}.
There was never a {kind} as foolish as the one {place}, who believed that {belief}.
Somebody once told {ahero} that {belief}, and {he} believed it.

{Hero} was clever in most things. But {he} believed that {belief}.
There was one thing {hero} would not be talked out of. {He} was convinced that {belief}.
One day {hero} had a strange thought. {He} decided that {belief}.
"I have found it out!" {hero} said one day. It was quite clear to {him} that {belief}.
You must know that {hero} believed something odd, namely that {belief}.

{He} told everyone about it. Some laughed, and some shook their heads.
"Nonsense!" said {m1}. "Then explain the {mark} to me," said {hero}. {M1} could not.
{M1} was told about it too, and believed it for two whole days.
The children giggled. {Hero} took no notice of it.
If somebody doubted it, {hero} became quite cross.

It was not easy to live with such a belief. {Hero} thought of the {mark} all day long.
Because of that {hero} slept badly and was in a bad mood every morning.
{Hero} even made rules about it, and one of them was never to laugh before noon.
{He} spoke of it by day and dreamed of it by night.
"I must be careful," {hero} often said. And {he} was so careful that {he} had no fun at all.

"Are you sure?" asked {friend}. "Quite sure," said {hero}. "Have you ever tried it out?" {fhe} asked.
{Friend} did not laugh. "Let us see what happens," {fhe} said.
Only {friend} was patient. "Watch the {mark} with me for a while," {fhe} said.
"I used to believe that too," said {friend}, "when I was small. Shall I stay and watch with you?"
Along came {friend}, who loved questions. "How do you know?" {fhe} asked. {Hero} did not know how {he} knew.

And then it happened that {test}.
But one {weekday} everything changed: {test}.
Not long afterwards, {test}.
{Hero} would have gone on so for years. However, {test}.
The days passed. Then, in {month}, {test}.

{Hero} was speechless. "Then it is not so," {he} said in the end. "{Truth}," said {friend} gently.
"You see," said {friend}, "{truth}." {Hero} thought about that for an hour.
{Hero} looked up, looked down and looked at {friend}. So {truth}!
"{Truth}," {friend} said. {Hero} blushed a little, as far as a {kind} can blush.
First {hero} was ashamed. Then {he} laughed. Of course, {truth}!

"And I was so sure!" said {hero}. "That happens to all of us," {friend} answered.
It was a bit sad, for the old belief had made {him} feel important. But it was a relief, too.
"How foolish I was!" cried {hero}. "No," said {friend}, "you only had to see it for yourself."
All at once {hero} felt light. {He} had a whole sky full of things to be curious about.
"What else is not true?" asked {hero}. {Friend} laughed. "Let us find out together," {fhe} said.

Since then {hero} says less often, "I know," and more often, "Let us look."
From that day on {hero} enjoyed the {mark} like everybody else, and even more.
And when {m1} tells some foolish tale, {hero} only smiles and says, "Have you tried it out?"
Today {hero} tells that tale about {himself} and laughs the loudest.
{Hero} and {friend} still look at the {mark} together, and they still wonder at it.
"""

PROUD = """
sorts: pamf
royal: yes
title: The Proud {kind}|The {kind} Who Knew Best|Pride in {month}
cols: what ; loss
- fine new coat of paint ; the rain washed most of the paint away
- golden ribbon ; a magpie stole the ribbon
- lovely voice ; a cold night left {him} quite hoarse
- old family name ; a stranger from abroad could not even pronounce it and called {him} Bob
- place in the sun ; somebody built a shed, and the place lay in the shade
- picture in the newspaper ; the newspaper was used to wrap fish
- silver medal ; the silver wore off, and under it there was tin
- great age ; a stone rolled up and said that it was a million years older

So proud was {ahero} of {his} {what} that {he} spoke to nobody.
"Look at me!" said {ahero}. "Have you ever seen such a {what}?"
Nobody {place} was as proud as {ahero}.
What made {ahero} so proud? It was {his} {what}.
With {his} {what}, {ahero} thought {himself} better than all the rest.
pa: {Name} the {kind} had a {what} and never let anyone forget it.
In the spring {ahero} got a {what}, and by summer {he} was too proud to say good day.
"Pride comes before a fall," they say. {Ahero} {place} had never heard that.
If you have a {what}, people look at you. That was what {ahero} liked best.
There is nothing wrong with a {what}. But {ahero} could talk of nothing else.

Sadly, {hero} was proud. {He} had a {what} and talked of it from morning to night.
One day something happened that made {hero} proud. {He} got a {what}.
But {hero} had a fault. {He} was much too proud of {his} {what}.
"I am not like the others," {hero} often said. "I have a {what}."
{Hero} owned a {what}, and it had gone to {his} head.

"Good morning," said {friend}. {Hero} pretended not to hear.
When {friend} wished to sit beside {him}, {hero} said, "Not so close! You might spoil something."
{Friend} was plain and gray. "We do not belong together," {hero} told {fhim}.
"May I look at it?" asked {friend}. "From far away," {hero} answered.
{Friend} needed help with a heavy load, but {hero} said, "I might get dusty."

{M1} was fed up. "You will see where it leads," said {m1}.
Soon nobody came to see {him} any more. {M1} even took another road.
"What use is it?" asked {m1}. {Hero} had no answer to that and was offended.
{M1} bowed down low for a joke. {Hero} thought it was meant seriously.
One after the other they stayed away, first {m1}, then the rest.

But then, on a {weather} {weekday}, {loss}.
Pride does not last. Before the month was over, {loss}.
And then? Then {loss}.
It came as it had to come: {loss}.
One night was enough, and {loss}.

Now {hero} was just like everyone else, only lonelier.
{Hero} wished that nobody could see {him}. And nobody came to look.
"What am I now?" thought {hero}. It was a long, silent evening.
{M1} grinned. "Well, well," said {m1}, and that hurt more than anything.
{Hero} did not say a word for three days.

There was a small sound. It was {friend}. "I thought you might be sad," {fhe} said.
Who came to see {him}? It was {friend}, of all people, the one {he} had sent away.
"May I sit with you now?" asked {friend}. This time {hero} said, "Please do."
{Friend} sat down close beside {him}, and for a while they watched the clouds.
Then {friend} came and brought the news of the day, as if nothing had ever happened.

"Why are you good to me?" asked {hero}. "I was not good to you."
"Without it I am nothing," said {hero}. "Nonsense," {friend} said. "Now I can see you at last."
"I was never interested in your {what}," said {friend}. "I like the way you [laugh|tell stories|listen]."
{Hero} was so ashamed that {he} could hardly speak. "Forgive me," {he} said.
"I have been a fool," {hero} said. "Yes," said {friend}, "but a nice one underneath."

From then on {hero} was the first to say good morning to everyone.
And if {he} was proud of anything after that, {he} was proud of {friend}.
There was soon another {what} to be had {inland}. {Hero} did not even turn {his} head.
Bit by bit the others came back, even {m1}. There was a lot to talk about.
"What a lovely day!" said {hero}, and for once {he} was not speaking of {himself}.
"""

NOISY = """
sorts: pamf
royal: yes
title: The {kind} That Could Not Be Quiet|Too Loud|A Voice in the Fog
cols: sound ; sounding
- sing ; singing
- hum ; humming
- whistle ; whistling
- hiccup ; hiccuping
- laugh out loud ; laughing
- rattle ; rattling
- squeak ; squeaking
danger: fog|snowstorm|darkness|sandstorm|smoke

From morning till night {ahero} had to {sound}. {He} could not help it.
"Be quiet!" they all said to {ahero}. But {he} could not stop {sounding}.
If only {ahero} would not {sound} so loudly!
Nobody {place} could sleep, because {ahero} would not stop {sounding}.
Why must you always {sound}? That was what everybody asked {ahero}.
pa: {Name} the {kind} had one bad habit. {He} had to {sound}, even in church.
A loud noise woke everybody {inland} each morning. It was {ahero}, who was {sounding} again.
Some are born quiet, and some are not. {Ahero} {place} was born {sounding}.
It was the loudest {kind} in the world, and it was {sounding} all day.
There was peace {place} until the day when {ahero} began to {sound}.

There was only one trouble. {Hero} had to {sound} all day long, as loudly as could be.
One thing about {hero} was hard to bear. {He} would not stop {sounding}.
"I cannot help it," {hero} always said. "I have to {sound}."
Other {kind}s are quiet. But {hero} had to {sound}, and it could be heard for miles.
When {hero} was happy, {he} had to {sound}. And {he} was often happy.

"My head aches," groaned {m1}. "Can you not do that somewhere else?"
{M1} complained. So did {m2}. They wrote a long letter and had everyone sign it.
"Psst!" said {m1}. "Psst!" said {m2}. It did no good.
People stuffed wool into their ears. {M1} hung up a sign: "Silence!"
At a meeting {m1} stood up and said, "It must stop. Either that noise goes, or I go."

{Hero} was hurt. {He} bit {his} tongue, so to speak, and kept still.
So {hero} promised not to {sound} any more. It was the hardest thing {he} had ever done.
For the sake of peace {hero} fell silent.
{Hero} tried to do it without a sound, but what is that good for?
"Very well," said {hero}, "you will not hear me again."

It was quiet now {place}. You could hear the flies walk.
Now they had their peace. But somehow the days seemed gray.
"It is so still," said {friend}. "I miss it."
{M1} slept well for two nights. On the third {m1} lay awake and did not know why.
Only {friend} came to ask how {he} was. {Hero} just shrugged.

Then one evening came the {danger}, so thick that one could not see one's own feet.
On {weekday} the {danger} came up faster than anyone had thought.
In {month} there was a terrible {danger}. It swallowed the roads, the trees and the lights.
No one had seen the {danger} coming. All at once it was everywhere.
And then the {danger} fell upon {land} like a gray blanket.

{Friend} and a whole [class of children|wagon of travelers|party of berry pickers] were still out there. They did not know which way to go.
Somewhere in it {friend} wandered about and could not find the way home.
"{Friend} is out there!" cried {m1}. "How will {fhe} ever find the way back?"
Far out {friend} was calling, but nobody could tell from where.
They lit lamps, but the lamps were no use. And {friend} had not come home.

Then {hero} forgot {his} promise and began to {sound} as {he} had never done before.
"Now!" shouted {m1}. "Do it now, as loudly as you can!" And {hero} did.
There was only one thing that could reach so far. {Hero} drew a deep breath and began {sounding}.
{Hero} did not ask anyone. {He} began to {sound}, louder and louder, and did not stop.
What can you do when eyes are useless? You need ears! So {hero} began to {sound}, on and on, for [one|two|three] hours.

And out of the {danger}, step by step, came {friend}. "I only had to follow you," {fhe} said.
{Friend} heard it and walked toward it, and so {fhe} came home.
"I hear it!" {friend} cried. "This way!" And so they were all saved.
It was like a rope made of sound. {Friend} held on to it and came through.
At midnight a shape appeared, tired and wet. It was {friend}, safe and sound.

The next day {m1} took down the sign and put up another one. It said, "As loud as you like."
"It is a beautiful noise," said {m1}, and {m1} even meant it.
Since then {hero} may {sound} whenever {he} likes, except between two and three, when {m1} takes a nap.
And when {hero} is silent for a while, somebody is sure to ask, "Is anything wrong?"
{Friend} comes every evening to listen. {Fhe} sits down and closes both eyes.
"""

RULER = """
sorts: p
royal: yes
heroes: king,queen,prince,princess
title: The {kind}'s Trouble|What the {kind} Lost|The Clever Visitor
cols: trouble ; wise ; cure
- could no longer sleep ; three softer pillows ; told {him} the most boring story in the world, all about a sheep that chewed
- had lost all appetite ; roast peacock with gold leaf ; took {him} out to dig potatoes until noon, and then gave {him} one with salt
- could not stop yawning ; colder baths ; took {him} out to look for birds' nests at dawn
- had forgotten how to play ; a game with rules in nine books ; took out a ball of old rags and threw it to {him}
- could not decide anything any more ; a golden coin to toss ; asked {him} only, "What would you tell your best friend?"
- was bored from morning till night ; forty new clowns ; handed {him} a broom and asked {him} to help
- had not sung for a year ; a choir of three hundred ; began an old kitchen song and got one line wrong on purpose
- was afraid of growing old ; a cream made of pearls ; told {him} of a tree that bears more fruit each year
trumpet: trumpets|riders|letters|drummers

In the old days there was {ahero} who {trouble}.
The {kind} {trouble}, and the whole court was in despair.
"I would give half my gold to be well again," said the {kind}, who {trouble}.
What good are forty servants to {ahero} who {trouble}?
It was a bad year for the country, because the {kind} {trouble}.
Behind the high walls of a castle there was {ahero} who {trouble}.
When {name} became {kind}, all went well. But after a year {name} {trouble}.
Nobody at court dared to say it aloud, but the {kind} {trouble}.
No one was richer than the {kind}. Yet every day {he} was sad, for {he} {trouble}.
"Send for the doctors!" cried the cook. "The {kind} is not {himself}."

But {hero} was not happy, for {he} {trouble}.
One day something was wrong. {Hero} {trouble}.
All was well {inland}, except that {hero} {trouble}.
"I have everything," {hero} said, "and yet I am not well." The truth was that {he} {trouble}.
Then a shadow fell on {land}. {Hero} {trouble}.

So {he} sent out {trumpet} to every corner of the land: whoever could help was to have a sack of gold.
"Whoever can cure {him} may ask for anything," it said on every wall.
{Trumpet} went out in all directions to look for someone who knew what to do.
The gates were opened. From all over the country clever people came.
A reward was offered, and soon there was a long line in front of the castle.

First came a wise man with a long beard. He said it called for {wise}. That did not help in the least.
A famous doctor ordered {wise}. {Hero} tried it and only felt worse.
"I recommend {wise}," said the court doctor. It was done, and it was no good.
A professor read for three hours from a thick book. In the end he asked for {wise}. It was useless.
{M1} had come from far away and swore by {wise}. {Hero} sighed and sent {m1} home with a coin.

Then came a magician. He turned a spoon into a [pigeon|fish|flower]. {Hero} hardly looked.
The next one was {m2}, with an idea that cost a great deal. {Hero} waved {m2} away.
{M2} stood on one leg and recited a poem. The courtiers clapped, and {hero} did not.
After that {hero} did not want to see anybody else. "It is hopeless," {he} said.
A hundred came, and a hundred went. None of them had been able to do anything.

In the end {friend} stood at the door, in dusty shoes. The guards laughed.
"I should like to try," said a voice. It was {friend}, with a basket on {fhis} arm.
On the last day {friend} came in through the kitchen. {Fhe} did not even bow.
{Friend} had only come to deliver eggs. "What is wrong with {him}?" {fhe} asked.
"And what do you want?" asked the guard. "To help," said {friend}, as simply as that.

{Friend} looked at {hero} for a moment. Then {fhe} {cure}.
"Come with me," said {friend} without any fuss, and {fhe} {cure}.
{Fhe} had no book and no bottle. {Fhe} just {cure}.
Nobody could believe it, but {friend} {cure}.
The court held its breath, because {friend} {cure}.

At first {hero} was surprised. Then the corners of {his} mouth began to move, and soon {he} was well.
It was as if somebody had opened a window. {Hero} took a deep breath, and the trouble was gone.
And it helped! The courtiers did not trust their eyes.
"How simple!" cried {hero}. And from that moment on {he} was better.
"Why did none of you think of that?" {hero} asked. The wise men studied their shoes.

"What do you want for it?" asked {hero}. "Come and visit us," said {friend}. "We live just behind the hill."
{Friend} got the sack of gold and bought [a cow|a new roof|books for the school] with it.
Since then {friend} goes in and out of the castle, and always through the kitchen.
{Hero} gave {friend} a key to the garden. "So that you need not knock," {he} said.
And the wise men? They had to eat egg soup for a week, and it did them good.
"""

TIRED = """
sorts: pamf
royal: yes
but: stone,pumpkin,sunflower,snowman,leaf,feather,snowflake,raindrop,house,girl,boy,cat,lamb,lion,kite,balloon,paper boat,raft,mirror,suitcase,chair,door
title: A Day Off|The {kind} Takes a Rest|One Day Without the {kind}

+ Never in {his} life had {ahero} had a day off.
"I am tired," said {ahero} one {weekday}. "Today I will do nothing."
+ For {number} years {ahero} had been {job} without a single day of rest.
What would happen if {ahero} just stopped working? One day {place} they found out.
+ Nobody ever said thank you to {ahero}.
+ Every day was the same for {ahero}: {job}, {job} and once more {job}.
+ pa: {Name} the {kind} had worked so long that {he} had forgotten what Sundays are for.
On the hottest day of {month}, {ahero} simply stopped {job}.
+ Everyone needs a rest. Only {ahero}, they thought, needs none.
+ Everybody {inland} was used to it: {ahero} was always there and always busy.

{Hero} was always busy {job}. {He} had never taken a rest, and nobody had ever thanked {him}.
Day in, day out, {hero} was {job}. No one asked whether {he} was tired.
But {hero} was tired. {He} had been at it for so many years.
One morning {hero} thought, "What if I did nothing today?"
People took it for granted that {hero} did {his} work. They hardly looked at {him}.

So {he} stopped. It was strange to do nothing. The silence rang in {his} ears.
{Hero} closed {his} eyes and let the day go by.
"Not today," said {hero}, and not another word.
At six in the morning {hero} should have begun. {He} did not.
It was a [Monday|Thursday|Friday] when {hero} stopped, just like that, in the middle of things.

At first no one noticed. Then {m1} came by and stopped short. "What is going on?"
"Why is it so quiet?" asked {m1}. {Hero} did not answer.
By nine o'clock {m1} was upset, and by ten {m2} was, too.
{M1} was the first to see it and told it to everybody.
"Is {he} broken or ill?" asked {m1}. "Only tired, I think," said {m2}.

Everything went wrong that day. People were late, the milk turned sour, and nobody knew what to do.
{M2} wanted to do the work instead. It looked so easy! After an hour {m2} gave up.
They tried to do without {him}. They quarreled, they stumbled, they gave up.
By noon everything {inland} was upside down.
"It cannot be so hard," said {m1}, and tried. There was a bang, and then there was smoke.

Only {friend} came and sat down near {him}. "Shall I tell you something?" {fhe} asked.
{Friend} did not ask for anything. {Fhe} brought some [flowers|shade|fresh water|good news] and stayed.
"You must be worn out," said {friend}. It was the first kind word in a long time.
In the afternoon {friend} came. "Stay as you are," {fhe} said, "I only want to keep you company."
"I saw you this morning," said {friend}, "and I thought, at last {he} is resting."

They watched the clouds together, and {hero} noticed for the first time how slowly they moved.
{Friend} told long stories without an end. {Hero} had never had time for that before.
{Hero} saw a butterfly come out of its cocoon. It took a whole hour, and {he} did not miss a minute.
The sun wandered across the sky. {Hero} had not known that an afternoon can be so long and so golden.
"Listen to the crickets," said {friend}. {Hero} had never heard them until that day.

Toward evening {m1} came back, hat in hand, so to speak. "We never thanked you," said {m1}. "We do it now."
Then they all came, {m1} and {m2} and everyone else. "Forgive us," they said.
"Please," begged {m1}, "we need you. And we shall never forget it again."
In the evening there was a paper with forty names on it. At the top it said, "Thank you."
They had thought about it. "From now on," {m1} announced, "you shall have a day off every week."

"Tomorrow I will begin again," said {hero}. "I have missed it, to tell the truth."
The next day {hero} was back at work. {He} was {job}, and it had never been so much fun.
And since then {hero} rests on {weekday}s, and {friend} comes to watch the clouds.
Nobody walks past any more without a greeting. {Hero} is as busy as ever, but never tired.
{Hero} laughed. A rest is good, but a thank-you is better.
"""
