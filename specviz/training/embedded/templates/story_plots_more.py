"""Plots of the stories, second half. See story_plots for how they are written."""

GARDEN = """
title: The Secret Garden|{hero} and the {color} Key|The Door in the Wall|What Was Behind the Gate?
door: gate|door|wooden door|iron gate

One <part> {hero} found a {color} key {spot1}. There was no [name|label|mark|tag] on it.
<noise>! One <part> something fell out of the {tree} and landed before {hero}'s feet. It was a {color} key.
While {hero} was {hobby} one <part>, {he} noticed something shiny {spot1}: a {color} key!
"What is this?" asked {hero} one <part>. {Spot1}, under a stone, lay a {color} key.
One <part> {am1} dropped a {color} key in front of {hero} and went away without a word.
In the pocket of an old coat {hero} found a {color} key one <part>. It was rusty, and it was very old.

"It must open something," thought {hero}, and {he} tried it on every lock in {his} {home}.
{Hero} tried the key in the cupboard, the cellar and the shed. It did not fit anywhere.
"Does this belong to you, {parent}?" {hero} asked. {Parent} had never seen the key before.
{Hero} put the key on a string around {his} neck and went to find the lock.
First {hero} tried the {home}, then the barn, then the mill. The key was always too [small|big|long|thick].
"A key without a lock," said {hero}. "How <strange>!"

<later> {he} met {friendx} and showed {fhim} the key. "I will help you look, {hero}," {friend} said.
{Friendx} was just as curious as {hero}. "Let us search together," {friend} said.
On the way {hero} met {friendx}. "A secret!" cried {friend}. "May I come with you?"
{Hero} told nobody about the key except {friendx}. And {friend} could keep a secret.
"I know a place with a very old wall," {friendx} told {hero}. So off they went.
"Two can see more than one," said {friendx}, and {hero} was glad to have company.

They asked {elder}, who looked at the key for a long time. "Follow the {water}," {ehe} told {hero}, "and count the trees."
"Long ago there was a wall behind the {tree}," said {elder} to {hero}. "But nobody goes there now."
{Elder} turned the key over and smiled. "I will not tell you, {hero}," {ehe} said, "but the bees could."
They searched {spot2}, and they searched {spot3}. {Friend} tore {fhis} sleeve, and {hero} got a thorn in {his} {hand}.
{Am2} was flying in circles. "It wants us to follow," whispered {hero} to {friend}.
They followed a path that {hero} had never noticed. It grew narrower and narrower, until {friend} had to crawl.

? Then {friend} leaned on the ivy, and all at once {fhe} disappeared! "I am all right!" called a voice to {hero}.
The ivy was so thick that {hero} and {friend} had to pull it away with all four {hands}.
"Careful," whispered {hero}. Something was humming behind the leaves, and {friend} held {his} {hand}.
"Are you afraid, {friend}?" asked {hero}. "Only a little," said {friend}.
{Hero} pushed a branch aside and stopped. {Friend} bumped into {him}.
They had almost given up when {friend} saw something behind the leaves. "{Hero}, look here!" {fhe} cried.

There it was, an old wall, and in the wall a <small> {door}. {Hero} put in the key. It [fitted|turned|fitted perfectly]!
Under the ivy was a {door}. The key turned with a squeak, and {hero} pushed.
Behind the leaves {hero} felt a handle. It was a {door}! Click, went the {color} key.
"A {door}!" whispered {hero}. {His} {hand} shook so much that {friend} had to turn the key.
The {door} was no higher than {hero}. The key slid in as if it had been oiled the day before.
And what was that between the stones? {Hero} brushed the dust from a {door}. "Try the key," said {friend}.

Behind it lay a garden. But everything in it was dry and gray. "How sad," said {hero}.
They stepped into a garden. It was full of weeds, and {hero} could see only one flower, a tiny one.
It was a garden, forgotten by everyone. The fountain was dry, and {hero} heard no birds.
A garden! But the {flower} hung their heads, and thistles stood as high as {friend}.
"Somebody loved this place once," said {friend}. {Hero} looked at the broken bench and the dusty {flower}.
In the garden {hero} saw dead leaves, a crooked bench and a few thirsty {flower}.

"We can make it <lovely> again," said {hero}. And every day {hero} and {friend} pulled weeds and carried water.
So they went to work. {Hero} dug, {friend} watered, and {am1} ate the weeds.
"Let us wake it up, {friend}," said {hero}. They brought rakes, seeds and a lot of patience.
Day after day {hero} and {friend} came with a bucket, and week after week there was a little more green.
{Friend} swept the paths while {hero} planted {flower}. Nobody else knew.
{Hero} mended the bench, {friend} cleaned the fountain, and one day there was water in it again.

When summer came, the garden was full of {flower}, and {hero} gave the first one to {elder}.
At last {hero} opened the {door} for everybody. {Elder} wept for joy: it had been {ehis} garden long ago!
"Close your eyes," {hero} told {elder}, and led {ehim} in. "My old garden!" whispered {elder}.
In <season> the {flower} opened all at once. "It was worth it," said {friend} to {hero}.
And so many birds came to sing there that {hero} and {friend} had to shout to hear each other.
They hung the {color} key on a nail beside the {door}, and {hero} wrote above it: "Come in!"
"""

BIRTHDAY = """
title: {hero}'s Birthday|A Surprise for {hero}|The Forgotten Birthday|Happy Birthday, {hero}!
mood: calm
gift: kite|drum|telescope|puzzle|music box|sled|paint box|bell|wooden horse|storybook|boat|lantern

Today was {hero}'s birthday. {He} jumped up and ran into the kitchen.
"It is my birthday!" {hero} sang into the mirror, and {he} put on {his} {color} {clothes}.
For a hundred days {hero} had waited for one day: {his} birthday. And now it was here.
{Hero} had counted the days on {his} {hands}. This was the day: {his} birthday!
When {hero} woke on {his} birthday, {he} looked under the bed, behind the door and {spot1}.
On the morning of {his} birthday {hero} was awake before the birds.

But {parent} only said, "Good morning, {hero}. Please fetch some water."
But the kitchen was empty. There was no cake and no gift, only a note: "Gone to market. {Parent}."
{Parent} was busy with a broom and did not even look up. {Hero} waited, but nothing happened.
"Do you know what day it is?" asked {hero}. "Washing day," answered {parent}.
On the table stood plain porridge, as always. {Hero} <looked> for a candle, but there was none.
"You are up early, {hero}," said {parent}, and that was all {phe} said.

"Perhaps {friend} remembers," thought {hero}, and {he} ran to find {fhim}.
{Hero} went out to see {friendx}. "Hello, {hero}," said {friend}. "I am in a hurry today!"
At the {tree} {hero} met {friendx}, who quickly hid something behind {fhis} back and ran away.
{Hero} met {friend} at the {water}. "Shall we play?" {he} asked. "Not today," said {friend}, and {fhe} turned red.
{Hero} knocked at {friend}'s door. Somebody whispered inside, but nobody opened.
Then {hero} saw {friendx}. But {friend} only waved and <hurried> away with a <big> parcel.

Next {he} met {am1}. "Is today something special?" asked {hero}. "Not that I know of," said {am1}, and it coughed.
{Elder} was just closing {ehis} door. "No time, no time, {hero}!" {ehe} called.
Even {elder}, who never forgot anything, said only, "What <lovely> weather, {hero}!"
{Am1} looked at {hero}, giggled, and hid {spot1}.
{Hero} tried {am2}. "Sorry," said the {m2}, "I have to practice a song. I mean, I have to sleep."
Wherever {hero} went, somebody stopped talking. {Am1} hid a paper flag behind its back, or so it seemed.

? {Hero} went down to the {water} and threw in some pebbles.
"They have all forgotten me," said {hero} <quietly>.
{Hero} sat {spot2} and sang "Happy birthday" to {himself}. It sounded very thin.
A birthday alone is a long day. {Hero} counted {flower} and felt <sad>.
{Hero} told {himself} that it did not matter. But it did.
"Maybe I counted wrong," thought {hero}, and {he} counted again. No, it was today.

When the sun was low, {hero} went home. The windows were dark.
<tired> and hungry, {hero} came home at last. {He} could not hear a sound.
In the evening {hero} walked back slowly, dragging {his} feet. It was very quiet around {his} {home}.
At last {hero} was hungry and turned home. Nobody was at the gate.
<later> a little bell rang in {hero}'s {home}. {He} got up and went to see.
"{Hero}!" {parent} called from far away. "Come home now!" So {hero} went.

{He} opened the door. "Surprise!" shouted {parent}, {friend}, {elder} and {am1} all together.
{Hero} pushed the door. <noise>! A [hundred|dozen|thousand] lanterns were lit [at once|all around|in one moment]. "Happy birthday, {hero}!"
Inside, something rustled. Then all the lamps went on, and there they stood: {parent}, {friend} and half of {land}.
The door [flew|swung|burst] open [wide|at last|by itself]. "Happy birthday!" they all cried, and {friend} threw {flower} over {hero}.
{Hero} stepped in, and a song began. {Friend} sang the loudest, and {am1} sang the most wrong notes.
"Now!" whispered somebody. Up went the lights, and {hero} saw a <big> cake with {his} name on it.

"Did you think we would forget you?" asked {parent}. {Hero} laughed and cried at once.
"It was so hard to say nothing to you, {hero}!" said {friend}.
"We have been baking all day," said {elder}, who had flour on {ehis} nose. {Hero} hugged {ehim}.
"I nearly told you by the {tree}, {hero}," {friend} said, and {fhe} giggled.
{Hero} could not say a word. {He} only hugged them, one after another, and {friend} twice.
"You did not forget!" cried {hero}. "How could we?" said {parent} <kindly>.

There was a {gift} from {friend}, and there were {food} for everyone. {Hero} blew out the candles and made a wish.
{Friend} gave {hero} a {color} {gift}. "I made it myself," {fhe} said proudly.
They ate cake and {food}, they danced, and {elder} told {hero} a funny story about a {gift}.
Under a cloth stood a {gift}, just what {hero} had wished for. "Shall we try it, {friend}?" {he} asked.
{Hero} unwrapped a {gift}, a jar of jam and a very small cactus, which came from {am1}.
The best present was a {gift}, but {hero} liked the song even more.
"""

PIE = """
title: The Stolen {pie}|Who Took the {pie}?|{hero} the Detective|The Mystery of the {pie}
mood: calm
fruit: apple|cherry|plum|blueberry|peach|pear|pumpkin|raspberry|lemon
pie: {fruit} pie
culprit: small ferret|little marmot|baby possum|tiny shrew|young vole|hungry mongoose

One <part> {elder} baked a {pie} and put it on the window sill to cool. When {ehe} came back, it was gone!
"My {pie}!" cried {elder} one <part>. "Somebody has stolen my {pie}!" {Hero} came running.
{Hero} could smell it from far away: {elder} was baking a {pie}. But when {he} came to the window, there was only an empty plate.
One <part> there was great noise in {land}. The {pie} of {elder} had disappeared, and {hero} wanted to know why.
{Elder} made the best {pie} in {land}. So everybody was <sad> when one of them vanished, and {hero} most of all.
It was the day of the fair. {Elder} had made a {pie}, but somebody took it, and {hero} found {ehim} in tears.

"I will find the thief," said {hero}, and {he} put on {his} {color} {clothes}.
{Hero} borrowed a magnifying glass and a notebook. "This is a case for me," {he} told {elder}.
"Do not worry, {elder}," {hero} said. "I shall look for clues."
{Hero} knelt under the window. There were [crumbs|five crumbs|some crumbs], and there was a [footprint|tiny footprint|track in the mud].
"Touch nothing!" said {hero}. {He} measured the plate and counted the crumbs.
{Hero} asked {friendx} to help. "Every detective needs a friend," {he} said.

First {hero} asked {am1}. "I was asleep all morning," the {m1} said, "and I do not like {fruit}."
{Am1} had a red mouth. "Aha!" said {hero}. But the {m1} had only been eating berries.
{Hero} looked hard at {am1}. "Where were you this morning?" "In the {water}," said the {m1}, "as you can see."
"I saw somebody run {spot1}," {am1} told {hero}. "It was not very big."
Near the gate sat {am1}. "I eat grass," it said to {hero}. "What should I do with a {pie}?"
{Hero} found {am1} beside the window. "I only came for the smell," said the {m1}.

The next one was {am2}. It hid something behind its back, but {hero} saw that it was only a [button|nut|feather|pebble].
{Am2} was too full to speak. {Hero} was sure that {he} had found the thief. But it had eaten a whole cabbage.
"Perhaps the wind took it," said {am2}. {Hero} wrote that down, and then {he} crossed it out.
{Hero} asked {am2} to open its mouth. There was no {fruit} in it, and not a tooth either.
"Ask somebody hungry," said {am2} to {hero}. That was a good clue.
{Am2} laughed. "I could not carry a whole {pie}, {hero}," it said. And that was true.

? "Think, {hero}, think!" {he} said to {himself}.
{Hero} closed the notebook. It was not easy to be a detective.
{Hero}'s stomach rumbled. All this talk of {pie} had made {him} hungry.
"No thief, no {pie}," sighed {hero}.
{Hero} looked at the footprint again. It was very, very small.
{He} had asked everyone, and {hero} still did not know the answer.

Then {he} noticed a trail of crumbs. It led {spot2}. {Hero} followed it on tiptoe.
But there was another crumb, and another! {Hero} followed them {spot2}.
Suddenly {hero} heard a tiny burp {spot2}.
[An ant|A beetle|A fly] [marched|hurried|came] by with a crumb. "[Where does that come from|Where did you find that|Where are you going with that]?" {hero} wondered, and {he} followed it {spot2}.
{Hero} sniffed. There was a smell of {fruit} {spot2}!
<noise>! Something moved {spot2}, and {hero} held {his} breath.

There sat a {culprit} with {fruit} on its nose and a very round belly. "Oh," it said when it saw {hero}.
And who was there, beside half a {pie}? A {culprit}! It looked at {hero} and began to cry.
{Hero} lifted a branch. Under it a {culprit} was licking its toes. "I was so hungry," it whispered.
There {hero} found a {culprit}, fast asleep, with its head on the rest of the {pie}.
Behind a leaf {hero} saw a tail, and at the end of the tail a {culprit}, sticky from head to toe.
It was a {culprit}, all alone, with crumbs in its fur. "Please do not be angry, {hero}," it said.

"You should have asked," said {hero} <kindly>. "Come, we will go to {elder} together."
{Hero} wanted to be cross, but {he} could not. "Are you so hungry?" {he} asked, and the {culprit} nodded.
"It is not right to steal," {hero} said. "But I will help you to say sorry to {elder}."
{Hero} took the {culprit} by the paw and led it to {elder}.
"I lost my mother's basket, and I had no breakfast," the {culprit} told {hero}. "It smelled so good."
So the case was solved. {Hero} brought the {culprit} to {elder}, and it hung its head.

"I am sorry," said the {culprit}. {Elder} laughed. "If you help me bake, you may have a slice," {ehe} said.
{Elder} was not angry for long. "We shall bake a new one, {hero}," {ehe} said, "and the {culprit} shall pick the fruit."
"Next time, knock at my door," said {elder} to the {culprit}. And {hero} was proud.
Then {elder}, {hero} and the {culprit} put on aprons, and by noon there was a new {pie} on the table.
"There is always a plate for somebody hungry," {elder} said, and {ehe} cut a slice for {hero} and one for the {culprit}.
The {culprit} washed all the dishes, and {hero} dried them. Then {elder} brought out a second {pie}.

Since then people come to {hero} whenever something is lost.
"Case closed," said {hero} with {his} mouth full of {pie}.
And the {culprit} never again took what it could ask for, because {hero} had shown it how.
{Hero} wrote in the notebook: "The thief was only hungry."
"You are a good detective, {hero}," said {elder}, "and a kind one."
From that time {elder} has always baked two, one for {ehimself} and one for {hero}'s new friend.
"""

BROKEN = """
title: The Broken {thing}|{hero} Tells the Truth|Crash!|{hero} and the {thing}
mood: calm
base: vase|teapot|bowl|clock|lamp|jug|plate|mirror|music box|flower pot
thing: {color} {base}

On the shelf stood a {thing} that belonged to {elder}. Nobody was allowed to touch it, not even {hero}.
{Elder} had a {thing}, very old and very dear to {ehim}. {Hero} often looked at it.
"Be careful with my {base}," {elder} always told {hero}. It was a {thing}, a present from long ago.
One <part> {hero} was a guest at {elder}'s house. On the table stood a {thing}.
{Elder} was proud of one thing above all, a {thing}. {Hero} thought it was the prettiest thing in {land}.
While {elder} was at market one <part>, {hero} stayed behind to keep an eye on {ehis} {thing}.

But then {hero} [threw a ball|danced too wildly|swung a broom|jumped from a chair]. <noise>! The {base} lay on the floor, in pieces.
{Hero} only wanted to hold it for a moment. It slipped from {his} {hands}. <noise>!
{Hero} was {hobby} when {he} bumped into the shelf. The {base} rocked, tipped and fell.
"Just one look," thought {hero}. {He} stood on a stool, the stool wobbled, and the {base} went down with {him}.
{Hero} ran around the corner too fast. <noise>! There lay the {base}, and it was broken.
A bee buzzed around {hero}'s head. {He} waved it away and hit the {base}. Crack!

{Hero} stared at the pieces. {His} ears grew hot. "What shall I do?" {he} whispered.
"Oh no," said {hero}. {He} tried to fit the pieces together, but they would not hold.
For a moment {hero} could not move. Then {he} quickly pushed the pieces under the rug.
{Hero} looked left and right. Nobody had seen it. So {he} swept the pieces into a box and hid the box {spot1}.
"Nobody must know," thought {hero}, and {he} ran out into the garden.
{Hero} gathered the pieces in {his} {clothes}. {His} heart was pounding.

<later> {elder} came in. "Where is my {base}?" {ehe} asked. "I do not know," said {hero}, and {he} looked at {his} feet.
Then {elder} came back. "Perhaps {am1} took it," {hero} said quickly when {ehe} asked.
"Something is missing here," said {elder}. {Hero} said nothing at all.
When {elder} saw the empty place, {ehe} became very quiet. And {hero} said that it must have been the wind.
"Who has been here?" asked {elder}. "Only {am1}," {hero} answered, and {he} turned red.
"Have you seen my {base}, {hero}?" {elder} asked. {Hero} shook {his} head.

But the lie was like a stone in {his} shoe. {Hero} could not play, and {he} could not eat.
Poor {am1}! Everybody looked at it crossly, and {hero} could not bear it.
{Hero} went out to play, but {his} thoughts stayed with the {base}.
That day even {food} did not taste good to {hero}.
Wherever {hero} went, {he} seemed to hear it again: <noise>!
"Why are you so quiet, {hero}?" asked {parent}, and {hero} felt even worse.

? {Hero} met {friendx}. "You should tell the truth," said {friend}. "It is hard only at the beginning."
"I once broke a window," said {friendx} to {hero}. "When I told them, I felt as light as a feather."
"If I tell," thought {hero}, "nobody will like me any more."
{Hero} practiced in front of the {water}: "I am sorry. I am so sorry."
{Hero} asked {friend} what to do. {Friend} did not need to think for long.
{Hero} lay in the grass and looked at the clouds. Each of them had the shape of a {base}.

At last {hero} stood up. {He} took the pieces and knocked on {elder}'s door.
So {hero} went to {elder}, though {his} legs felt like [wood|jelly|wet wool|straw].
"I will do it now," said {hero}, and {he} ran all the way to {elder} so that {he} could not change {his} mind.
In the end {hero} could not stand it. {He} went to {elder} and pulled {ehis} sleeve.
{Hero} took a deep breath and stood in front of {elder}.
"{Elder}, I must tell you something," {hero} said <quietly>.

"It was me," {hero} said, with tears in {his} eyes. "I broke your {base}, and then I did not tell the truth."
"I broke the {base}," said {hero}. "I am so sorry. It was not {am1}, and it was not the wind."
Out it came, all in one breath: the fall, the pieces, the lie. Then {hero} waited.
"I did it," {hero} whispered, and {he} held out the pieces.
"You may have all my toys," {hero} said, crying, "because I broke the {base}."
{Hero} told {ehim} everything, from beginning to end, and left out nothing.

{Elder} was silent for a while. Then {ehe} put an arm around {hero}. "Thank you for telling me," {ehe} said.
"A {base} is only a {base}," said {elder}. "But an honest {kind} is a treasure, {hero}."
{Elder} sighed, and then {ehe} smiled. "I broke one myself when I was small, {hero}," {ehe} said.
"I am sad about the {base}," {elder} said, "but I am proud of you, {hero}."
"That was brave of you, {hero}," said {elder}. {Ehe} was not angry at all.
"I knew it all along, {hero}," said {elder} <kindly>. "I was only waiting for you to say it."

Together they glued the {base}. It had some cracks, but {hero} and {elder} liked it even more.
The next day {hero} brought {ehim} a new one, made of clay. It was crooked, and {elder} loved it.
They planted {flower} among the pieces, and {hero} watered them every day.
{Hero} felt as light as a feather. {He} said sorry to {am1} too, and gave it some {food}.
{Elder} fetched glue and patience, as {ehe} called it, and the two of them mended the {base}. {Hero} held it until it was dry.
After that {hero} never hid a mistake again, because the truth is so much lighter to carry.
"""

JOURNEY = """
title: The Long Journey|{hero} Goes to {elder}|Over the Hills|The {gift} for {elder}
mood: away
gift: letter|parcel|medicine|honey jar|lantern|warm blanket|basket

Far away, on the other side of the mountain, lived {elder}. One <part> {hero} heard that {ehe} was ill.
"Somebody must bring this {gift} to {elder}," said {parent} one <part>. "But it is a long way."
One <part> a {gift} came for {elder}, who lived beyond the mountain. "I will take it there," said {hero}.
"{Elder} has nobody to visit {ehim}," {hero} said one <part>. "I want to go and see {ehim}."
{Hero} had never been farther than the {water}. But one <part> {parent} asked {him} to carry a {gift} to {elder}.
It was three hours to {elder}'s house, over hills and through woods. And {hero} had to bring {ehim} a {gift}.

{Parent} packed some {food} and gave {hero} the {gift}. "Stay on the path," {phe} said.
{Hero} put the {gift} into {his} bag, took a stick and set out.
With the {gift} under {his} arm and {his} {color} {clothes} buttoned up, {hero} went off.
"Be careful, {hero}!" called {parent}, and waved until {he} had passed the bend.
{Hero} got up before the sun. {He} took the {gift}, some {food} and {his} best boots.
"I am not afraid," said {hero}, and {he} took the first step. Then {he} took the second.

First {he} came to a {water} without a bridge. "How shall I cross?" asked {hero}. "Use the flat stones," said {am1}.
The first hill was steep. {Hero} counted {his} steps: [ninety|two hundred|three hundred|a thousand].
At the edge of the wood {hero} met {am1}. "Which way is the mountain?" {he} asked, and the {m1} showed {him}.
Soon {hero} came to a place where the path split in two. {Am1} sat on the signpost. "Left is shorter, but right is drier," it said.
{Hero} walked and sang. When {he} knew no more songs, {am1} taught {him} a new one.
In the wet meadow {hero} lost a boot. {Am1} pulled and pulled, until it came out with a plop.

Then the fog came down, as white as milk, and {hero} could not see {his} own {hands}.
After noon it began to rain. {Hero} held the {gift} under {his} {clothes} to keep it dry.
The wood was dark. {Hero} heard steps behind {him}, but it was only {am2}.
<noise>! A tree had fallen across the path, and {hero} had to climb over it.
The wind pushed {hero} back: one step forward, two steps back. "Let me pass!" {he} shouted.
At the rope bridge {hero} stopped. It swung from side to side, and far below the water roared.

? {Hero} was hungry, but {he} gave half of {his} {food} to {am2}, which had none.
{Hero}'s feet hurt, and the mountain looked as far away as ever.
"I could turn back," thought {hero}. But then {he} thought of {elder}, who was waiting.
{Hero} rested under a {tree} and almost fell asleep.
A blister burned on {hero}'s heel. {He} put a cool leaf on it and limped on.
Somewhere a dog was barking. {Hero} took the {gift} in both {hands} and walked faster.

Then {he} met {afriend}. "I am going that way too," said {friend}, and they went on together.
Just then a lantern shone on the path. It was {afriend}. "Hold on to me, {hero}," said {friend}.
"Who is there?" called a voice. It belonged to {afriend}, who knew every path. "Follow me, {hero}," {friend} said.
Behind a rock {hero} found {afriend}, who had lost {fhis} way. "Then we shall look for it together," said {hero}.
{Afriend} came riding by on a cart. "Jump up!" cried {friend}, and {hero} did not wait to be asked twice.
Suddenly somebody took {his} {hand}. It was {afriend}. "Two are never lost," said {friend} to {hero}.

{Friend} knew a [short cut|cave|bridge|good joke], and the way became easier for {hero}.
They shared the last {food}, and {friend} carried the {gift} for a while.
{Hero} and {friend} told each other stories, and before they knew it, they stood on top of the mountain.
Hand in hand they crossed the last field. "I can see a chimney!" cried {hero}, and {friend} cheered.
At the top {hero} looked back. How small everything was! "Did we really walk so far, {friend}?" {he} asked.
Step by step {hero} and {friend} climbed up on one side and slid down on the other.

At sunset {he} knocked at the door. "{Hero}!" cried {elder}. "You came all this way?"
There was the little house, with a light in the window. {Elder} opened, and {hero} fell into {ehis} arms.
"Who can that be?" said {elder}, and there stood {hero}, muddy and proud, with the {gift} in {his} {hands}.
{Elder} was sitting at the window. When {ehe} saw {hero}, {ehe} forgot all {ehis} pain.
"I have brought you a {gift}," said {hero}, quite out of breath. {Elder} could not believe {ehis} eyes.
The door opened before {hero} could knock. "I heard you laughing on the hill," said {elder}.

"The {gift} is good," said {elder}, "but the best of all is that you are here, {hero}."
{Elder} made soup for {hero} and {friend}, and by the time the bowls were empty, {ehe} felt much better.
They sat by the fire, and {hero} told {elder} about the fog, the hill and {friend}.
"A long way is short when you walk it for somebody you love," said {hero}.
{Elder} kissed {hero} on both cheeks. "You have the heart of a lion," {ehe} said.
{Hero} stayed for a week, and so did {friend}. Then {elder} was well enough to walk them home.
"""

OWL = """
title: The Wise Owl|{hero} Asks the Owl|What the Owl Said|{hero} Is Just Right
wish: be as tall as a tower|sing like a nightingale|be as strong as a bear|fly like an eagle|be as fast as the wind|have stripes like a tiger

{Hero} was not happy with {himself}. "I want to {wish}," {he} said every day.
"If only I could {wish}!" sighed {hero} one <part>. Nobody could cheer {him} up.
There was one thing {hero} wished for with all {his} heart: to {wish}.
One <part> {hero} looked into the {water} and did not like what {he} saw. "I would rather {wish}," {he} said.
Everybody seemed to be better at everything. "Why can I not {wish}?" {hero} asked.
{Hero} thought that {he} was too small, too slow and too plain. {He} wished to {wish}.

"Ask the old owl," said {am1}. "It lives in the {tree} and knows everything, {hero}."
{Parent} did not know what to say. So {hero} went to see the owl in the old {tree}.
In the tallest {tree} there lived an owl, and the owl was very wise. {Hero} climbed up to it.
"Only the owl can help you, {hero}," said {friendx}, and pointed to the {tree}.
So {hero} packed some {food} and <walked> to the {tree} where the wise owl lived.
{Hero} knocked on the trunk of the {tree}. "Who, who is there?" called the owl.

"Wise owl," said {hero}, "help me to {wish}." The owl opened one eye. "Do three good things first," it said, "and then come back."
The owl blinked. "I can help," it told {hero}, "but you must spend one day helping others."
The owl listened with its head on one side. "Go once around {land}, {hero}," it said, "and see who needs you."
"Hm," said the owl. "Come back tomorrow, {hero}, and tell me what you have done today."
"I know a spell," said the owl to {hero}. "But it works only for those who have helped a friend."
The owl thought so long that {hero} believed it was asleep. "Look around you," it said at last, "and do what only you can do."

{Hero} <hurried> off. {Spot1} {he} found {am2} stuck in a hole. {Hero} was just small enough to crawl in and pull it out.
First {hero} met {am2}, which could not sleep. {Hero} hummed until it closed its eyes.
{Spot1} {am2} was crying, because it had lost a [ring|button|shell|seed]. With {his} good eyes {hero} found it at once.
The first to need {him} was {am2}. It was tangled in a net, and {hero} had just the right {hands} to set it free.
"Help!" called {am2} {spot1}. {Hero} did not think about {himself}. {He} pushed, and the {m2} was free.
{Am2} had a thorn in its foot. {Hero} pulled it out so gently that the {m2} felt nothing.

Next {he} came to {elder}, who could not reach the key under the cupboard. {Hero} slipped under it easily.
Then {hero} found {friendx} alone and <sad>. {Hero} told {fhim} a joke, and {friend} laughed until {fhe} had hiccups.
At the well {hero} helped {elder} carry the water. "What would I do without you?" {ehe} said to {hero}.
{Elder} was lost in the fog. {Hero} knew the way by heart and led {ehim} home.
{Friend} could not untie a knot. {Hero} had patience, and after a hundred tries it was open.
A little bird had fallen from its nest {spot2}. {Hero} carried it up, as careful as could be.

? So the day went by, and {hero} forgot that {he} wanted to {wish}.
{Hero} was so busy that {he} did not even look at {his} shadow.
"Nobody else could have done that, {hero}," said the {m2}.
{Hero} noticed that {he} was humming.
By evening {hero} was <tired>, but it was a good kind of tired.
"You are wonderful as you are, {hero}," somebody said. But {hero} had no time to listen.

When {he} came back to the owl, it was evening. "Do you still want to {wish}?" asked the owl. {Hero} thought about it.
In the evening {hero} sat under the {tree} again. "Tell me about your day," said the owl.
The owl was waiting. "Well, {hero}," it said, "who was sad because you are as you are?"
"I did what you told me," {hero} said to the owl. "And how do you feel?" asked the owl.
"Are you ready for the spell?" the owl asked. {Hero} opened {his} mouth and closed it again.
{Hero} climbed up to the owl and told it everything. The owl nodded at each word.

"No," said {hero} slowly. "If I were different, I could not have helped [them|the {m2}|anyone today]."
And then {hero} understood. "I do not need a spell at all!" {he} cried.
"I think," said {hero}, "that I would like to stay just as I am."
{Hero} looked at {his} {hands} and <smiled>. "They are just the right size," {he} said.
"Today I was happy," {hero} said, "and I was only {hero}."
{Hero} laughed. "Thank you, [dear|kind|clever] owl. I was looking for something that I [already had|had all along|had from the start]."

"A bear is good at being a bear," said the owl, "and you are good at being {hero}."
The owl closed its eyes. "Now you are wise too, {hero}," it said.
"That was the spell, {hero}," said the owl, and it smiled into its feathers.
{Hero} gave the owl one of {his} {food}, and they watched the moon come up.
From that day on {hero} liked {himself} from head to toe.
"Who, who is happy?" called the owl. "I am!" shouted {hero}.
"""

CONTEST = """
title: The Great {contest} Contest|{hero} and the {contest} Contest|The Golden Spoon|Who Will Win?
contest: Cake|Soup|Song|Kite|Pumpkin|Painting|Hat|Lantern
prize: golden spoon|silver cup|blue ribbon|bag of gold coins|big drum|velvet crown

Once a year there was a {contest} Contest in {land}, and {hero} wanted to win it at last.
"The {contest} Contest is on [Saturday|Sunday|Friday]!" {hero} read on the {tree}. The prize was a {prize}.
Everybody was getting ready for the {contest} Contest. {Hero} dreamed of the {prize}.
One <part> {elder} hung up a note: "{contest} Contest! The winner gets a {prize}." {Hero} read it three times.
"This year I shall take part in the {contest} Contest," {hero} told {parent} one <part>.
The <big> day was coming: the {contest} Contest. {Hero} could think of nothing else.

{He} worked every evening until the candle burned low. "It must be perfect," {hero} said.
For a whole week {hero} tried and tried again. The first one was a [mess|disaster|joke], and the second was [a little|much|hardly] better.
{Hero} asked {parent} for advice. "Put your heart in it," said {parent}.
{Hero} worked in secret {spot1}, so that nobody could see.
{Hero} made a plan, threw it away and made a better one.
There was [paper|flour|glue|paint|string] on {hero}'s nose and in {his} hair, but {he} did not care.

Next to {him} worked {friendx}, who wanted to win just as much as {hero}.
"Mine will be better than yours," said {friendx} to {hero}.
{Friendx} was in the contest too. {Hero} and {friend} did not speak a word to each other that week.
Only one other was as good as {hero}, and that was {friendx}.
{Friendx} came by to look. "Not bad, {hero}," said {friend}, "but I have a secret too."
"May the best one win!" said {friendx}, and shook {hero}'s {hand}.

At last the day came. There were flags on every roof, and {hero}'s heart beat fast.
On the morning of the contest {hero} was up at five. {He} carried everything to the square without dropping a thing.
The judges were {elder}, {am1} and {am2}. {Hero} bowed to them politely.
All of {land} was there, in hats and ribbons. {Hero} stood between {friend} and {am1}.
{Elder} rang a bell. "Let the contest begin!" {ehe} called, and {hero} swallowed hard.
Music played, banners waved, and {hero} took {his} place beside {friend}.

But what was that? {Friend} stumbled, and <noise>, all {fhis} work lay in the dust.
Just then the wind came and blew away everything that {friend} had made. {Friend} began to cry.
<noise>! Somebody pushed the table, and {friend}'s work was ruined. {Hero} saw it all.
Suddenly {friend} turned pale. "I forgot the most important part at home," {fhe} told {hero}.
At that moment a drop of rain fell, and then a thousand. {Friend} had no cover for {fhis} work.
{Hero} heard a sob. A goat had eaten {friend}'s work, down to the last bit.

"Now I shall surely win," thought {hero}. But {he} was not glad at all.
{Hero} looked at {friend}, and {he} looked at the {prize}. It was not a hard choice.
"That is not fair," said {hero}. "We will share mine, {friend}."
Everyone looked away, but {hero} went straight to {friend}. "Quick, I will help you," {he} said.
{Hero} did not wait. {He} pushed half of {his} things over to {friend}.
"Come, {friend}," said {hero}, "there is still time. Let us make one together."

? "Why are you doing this, {hero}?" asked {friend}. "Because you would do it too," {hero} said.
{Friend} wiped {fhis} eyes and got to work beside {hero}.
They had only ten minutes. {Hero} held, {friend} fixed, and nobody spoke.
"A little more on top," said {friend}. "And a bit of [red|blue|gold|green]," said {hero}.
{Hero} had never worked so fast. It was almost like a dance with {friend}.
It did not look like {hero}'s, and it did not look like {friend}'s. It looked better.

The judges whispered for a long time. Then {elder} stood up. "The winners are {hero} and {friend}!" {ehe} said.
"We have never seen anything so good," said {elder}, and {ehe} gave the {prize} to both of them, {hero} and {friend}.
{Am1} clapped first, and then everybody did. The {prize} went to {hero} and {friend}.
"First prize," called {elder}, "goes to two who helped each other: {hero} and {friend}!"
And who won? {Elder} lifted four {hands} into the air, two of {hero} and two of {friend}.
{Hero} and {friend} did not win. They came [second|third], and they were [prouder|happier|merrier] than the winner.

"Half of this is yours," {hero} said to {friend}, and they laughed.
Next year {hero} and {friend} will take part together again, and they have a plan already.
"I would rather share with you than win alone, {friend}," said {hero}.
After the contest there were {food} for all, and {hero} danced with {friend}.
"You were my rival," said {friend}, "and now you are my friend, {hero}."
The best thing {hero} won that day was {friend}.
"""

SEED = """
title: The Little Seed|{hero} and the Seed|What Will It Be?|The Seed That Grew
mood: calm
plant: sunflower|pumpkin|apple tree|rose bush|bean plant|lemon tree|giant melon|cherry tree

One <part> {elder} gave {hero} a seed, no bigger than a [crumb|pea|tear|fly]. "Take good care of it," {ehe} said.
{Spot1} {hero} found a seed one <part>. "What will you be one day?" {he} asked it.
One <part> the wind blew a seed onto {hero}'s {hand}. It was brown and plain.
{Am1} dropped a seed before {hero} one <part>. "What can I do with that?" {hero} wondered.
At the market, one <part>, {hero} had just one coin left. With it {he} bought a seed.
For {his} birthday {hero} got a small box, and in the box there was only a seed.

{He} dug a hole {spot2}, laid the seed in it and covered it with earth.
"A seed needs earth, water and sun," said {parent}. So {hero} planted it {spot2}.
{Hero} planted it {spot2} and put a {color} stick beside it, so that {he} would not forget the place.
Carefully {hero} pressed the seed into the soft earth {spot2}. "Sleep well," {he} whispered.
{Hero} filled an old [pot|boot|bucket|teapot] with earth and put the seed to bed in it.
With {his} {hands} {hero} made a warm place for it {spot2}.

Every morning {hero} watered it. On the first day nothing happened, and nothing happened on the second.
A week passed. {Hero} looked at the earth from very near, but there was nothing to see.
"Grow!" {hero} told it. "Grow now!" But the seed did not listen.
{Hero} sang to it, danced for it and read to it. The earth stayed brown.
Each day {hero} carried water from the {water}, and each day {he} asked, "Are you awake?"
{Hero} waited. There is nothing harder than waiting, as every {kind} knows.

"It will never come up," laughed {am2}. "You had better plant a stone, {hero}."
{Friendx} came to look. "Maybe it is only a pebble," {friend} said to {hero}.
"Let me dig it up and look," said {friendx}. "No!" cried {hero}.
{Am2} wanted to eat it. {Hero} had to sit beside it all day.
Everybody else in {land} had long stopped asking, but {hero} did not give up.
"Forget the silly seed and come to play, {hero}," said {friendx}.

? {Hero} was near tears. "What am I doing wrong?" {he} asked {elder}.
"Have I been too late, or too early?" {hero} wondered.
{Hero} even dreamed of the seed. In the dream it reached the clouds.
At night it was cold, so {hero} covered the place with {his} {clothes}.
Then came dry days, and {hero} had to walk twice as far for water.
For a moment {hero} wanted to give up. But then {he} fetched the can once more.

"Be patient, {hero}," said {elder}. "The most important things [happen|grow] where nobody [can see them|looks|is watching]."
"You cannot pull a plant out of the [earth|ground] [by its ears|before its time|in a day]," {elder} told {hero}. "You can only wait, and care."
{Elder} bent down and listened. "It is working hard down there, {hero}," {ehe} said.
"I waited a whole year for my first rose," said {elder} <kindly>, and {hero} felt better.
"Roots come first," {elder} said to {hero}, "and roots are secret."
So {hero} asked {elder}. "Love it and leave it alone," was the answer.

And then, one <sunny> day, {hero} saw a tiny green [tip|thread|leaf|point]. "It is awake!" {he} shouted.
One day after a warm rain the earth had a crack. {Hero} lay down on {his} belly. Something green looked out!
But what was that this morning? {Hero} rubbed {his} eyes. There stood two little leaves.
"{Parent}, come quickly!" called {hero}. Out of the earth came a small green head.
When {hero} had almost stopped hoping, the seed came up, thin and pale and brave.
{Hero} was just {hobby} when {he} saw it: something green, no longer than {his} nose.

From then on it grew and grew. Soon it was as tall as {hero}, and then it was taller.
It grew to {hero}'s knee, to {his} chin, and over {his} head. It was a {plant}!
Leaf after leaf came out. "It is going to be a {plant}," {hero} told everybody.
By summer it was a <big> {plant}, and {hero} could sit in its shade.
In the [sun|rain|warm air] it stretched itself like a [cat|giant|sleeper]. {Hero} had to climb on a ladder to see the top of the {plant}.
Nobody laughed now. They all came to see the {plant} that {hero} had grown.

{Hero} thought of that tiny seed and looked up at the <lovely> {plant}.
"You see," said {elder}, "it was there all the time, {hero}."
The {plant} gave {hero} so many new seeds that there was one for everybody in {land}.
{Hero} took one new seed and gave it to {am2}. "Be patient with it," {he} said.
And every evening {hero} sat beside the {plant} and told it about the day.
Under the {plant} they had a party, with {food}, and {hero} danced around it.
"""
