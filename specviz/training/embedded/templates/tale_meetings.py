"""Tales of friends, guests, gifts and promises. For the form see tale_wishes."""

GIFT = """
sorts: pa
title: The Best Present|A Gift for {fkind}|What the {kind} Gave
cols: plan ; spoiled ; instead
- a cake with three layers ; the goat from next door ate two of the layers and the icing ; a song
- a kite with a long tail ; the wind tore it away before the glue was dry ; a walk to the hill where the wind begins
- a bunch of lilies ; hail broke every single stem ; one seed in a pot
- a pair of warm gloves ; the wool got wet and shrank until they fitted a doll ; two warm hands to hold on the way home
- a lantern of colored paper ; the rain turned it into gray soup ; a jar of fireflies, to be let out at midnight
- a little wooden horse ; it fell into the stove by mistake ; a long tale about a horse that nobody could catch
- a picture of the harbor ; somebody sat on it while it was still wet ; an evening at the harbor itself
- a necklace of red berries ; the thrushes ate the berries one by one ; a basket of plums, picked at dawn

It was the birthday of {friend}, and {ahero} had no present.
"What shall I give to {friend}?" {ahero} asked {himself}.
In three days {friend} would have a birthday, and {ahero} wanted to give {fhim} {plan}.
{Name} the {kind} was making {plan} for {friend}, in secret.
A present should be a surprise. That was why {ahero} locked the door when {he} began to make {plan} for {friend}.
{Plan}! That would be the right present for {friend}, thought {ahero}.
+ Nobody gives better presents than {name}, and {name} is only {ahero}.
+ With four pennies in {his} pocket, {ahero} wanted to buy the finest present in the world.
All {season} long {ahero} saved and worked, because {he} wanted to give {friend} {plan}.
What do you give a friend who has everything? {Ahero} thought and thought about it.

{His} best friend was {friend}, and {friend} would soon have a birthday. {Hero} wanted to surprise {fhim}.
On {weekday} {friend} was going to have a birthday. "I need a present," thought {hero}.
{Friend} had once helped {hero} out of trouble. Now {hero} wanted to say thank you with a present.
"Soon it will be {friend}'s birthday," thought {hero}. "And I have nothing to give!"
One day {hero} remembered that {friend} had a birthday coming, and there was no time to lose.

{He} went through the shops. Everything was too dear, or too big, or too silly.
"Give a hat," said {m1}. "Everyone likes hats." But {friend} had a hat.
{Hero} counted {his} money. It was enough for a [button|candle|bun], but not for a present.
{M1} suggested soap. {Hero} thanked {m1} and thought that soap would not do.
In the shop of {m1} {hero} looked at all the shelves, and in the end {he} bought nothing.

So {hero} decided to make something {himself}: {plan}. It took {him} three evenings.
"I will make {plan}," {he} said, and set to work at once.
{Hero} worked until midnight on {plan}. It was the best thing {he} had ever made.
It was to be {plan}. {Hero} cut, stirred, tied and measured, and hummed to {himself}.
{Hero} thought of {plan}, and {he} made it with much love.

But on the morning of the birthday {spoiled}.
{He} turned away for only one minute, and {spoiled}.
Everything was ready. Then {spoiled}.
And now the bad luck began. First {he} dropped the string, and then {spoiled}.
"Oh no!" cried {hero}. But it was too late, for {spoiled}.

{Hero} sat down among the ruins. In one hour the party would begin.
Tears came to {his} eyes. There was no time to begin again.
"I cannot go there with nothing," said {hero} sadly.
{Hero} thought of staying at home and saying that {he} had a cold.
{M1} put a head around the corner. "Well," said {m1}, "what have you got left?"

At the party {m1} brought a silver spoon, and {m2} brought a clock. Then it was {hero}'s turn.
So {he} went with empty hands. The table was already full of parcels with ribbons.
"Come in, come in!" called {friend}. {Hero} stood in the door and looked at {his} feet.
One guest after the other handed over a parcel. {Hero} came last.
When everyone else had given something, {friend} looked at {hero} and smiled.

"My present got broken," said {hero}. "All I have is {instead}." {Friend} was quite still.
{Hero} told what had happened. "And so I can only give you {instead}," {he} said.
In a small voice {hero} explained it all, and then {he} gave {friend} what was left: {instead}.
Then {hero} had an idea. What {he} gave was {instead}.
"It is not much," said {hero}. "It is only {instead}."

"Nobody has ever given me such a thing," {friend} said, and {fhe} hugged {him}.
The silver spoon lies in a drawer today. But {friend} still talks of {hero}'s present.
Of all the presents, this was the one that {friend} liked best.
{Friend} laughed for joy. "You can buy a clock," {fhe} said, "but not this."
"That is the best present of all," said {friend}, "because you are part of it."
"""

PROMISE = """
sorts: pa
royal: yes
title: The Promise|The {kind} Keeps {his} Word|Wait for Me
cols: base ; care ; tempt
- fire in the beacon ; put on a log every hour ; there was dancing in the village, and the music came up on the wind
- red geranium ; water it every evening ; a wagon stopped to take everyone to the sea for a week
- black hen ; feed her and shut the coop at night ; a stranger offered a gold coin for her
- old violin ; keep it dry and warm ; {his} roof leaked, and the case would have made a fine boat for the children
- sourdough in a jar ; feed it with flour every day ; there was hardly any flour left in the house
- sealed box ; never open it ; something in it ticked very softly
- ferry ; ring its bell at noon each day ; a storm made the way to the landing hard and cold
- white rabbit ; bring it fresh grass each morning ; snow covered the meadows, and {he} had to dig for every blade

"Promise me," said {friend} to {ahero}, "that you will look after my {base}."
{Ahero} had promised {friend} to look after {fhis} {base}, and {he} meant to keep {his} word.
Before {friend} went to sea, {fhe} gave {ahero} {fhis} {base} to look after.
+ It is easy to make a promise. {Ahero} found out how hard it is to keep one.
{Name} the {kind} had given {his} word to {friend}. {He} would look after {fhis} {base}.
The {base} did not belong to {ahero}. {He} was only looking after it for {friend}.
"I shall be back when the apples are ripe," said {friend}, and left {ahero} with the {base}.
+ What is a promise worth? Ask {ahero} who once made one, {place}.
On the day that {friend} left, {ahero} stood on the road, waved, and promised to look after {fhis} {base}.

One day {friend} had to go on a long journey. "Will you look after my {base}?" {fhe} asked. {Hero} promised it.
{Friend} trusted nobody as much as {hero}. So, before a long trip, {fhe} brought {him} {fhis} {base}.
Then {friend} came to say good-bye. "Take care of my {base} until I come back," {fhe} said, and {hero} gave {his} word.
"I must go away," said {friend} one day. "Who will mind my {base}?" "I will," said {hero}.
In {month} {friend} went off to war, or perhaps to sea, and left {fhis} {base} with {hero}.

"It is simple," {friend} had said. "You must {care}. Do not forget!"
It was not difficult. {Hero} only had to {care}.
{Hero} had to {care}, and {he} did so without fail.
"I know, I know," said {hero}. "I am to {care}. You can count on me."
And so {hero} began to {care}, and marked the days on the wall.

A week went by, then a month. No letter came from {friend}.
Summer passed. Every evening {hero} looked down the road.
The days got shorter. Of {friend} there was no sign.
"Is {fhe} not back yet?" asked {m1}. {Hero} shook {his} head.
The apples had long been picked, and still {hero} waited.

"{Friend} has forgotten you," said {m1}. "Do as you like!"
{M1} tapped {his} shoulder. "A promise is only breath," said {m1}.
"Nobody would know," whispered {m1}. "I would know," {hero} answered.
{M1} laughed at {him} for it. {Hero} let {m1} laugh.
"How long will you go on with that?" {m1} wanted to know. "As long as it takes," said {hero}.

Then came the hardest day, when {tempt}.
Once {hero} almost gave in. It was the day when {tempt}.
It was not always easy, above all when {tempt}.
One {weekday} {hero} stood there and did not know what to do, for {tempt}.
There was an evening when {tempt}. {Hero} walked up and down until it was late.

{He} remembered the face of {friend} on the day of parting, and {he} stayed firm.
{Hero} stopped {his} ears and did what {he} had to do.
"I gave my word," said {hero} aloud, and after that it was easier.
It took all {his} strength. But the next morning {he} was glad.
{Hero} thought it over and did not break {his} promise, though nobody was there to see it.

Then, in the first snow, a figure came up the road. It was {friend}!
There was a knock at the door one night. There stood {friend}, thin and brown, with a beard of frost on {fhis} scarf.
After [two|three] years {friend} came home. {Fhe} hardly dared to ask.
And in {month}, when nobody expected it any more, {friend} came back.
"Is it still there?" somebody called from far off. {Hero} knew the voice at once. It was {friend}.

There was the {base}, just as {friend} had left it. {Fhe} could not speak for a moment.
"You kept your promise," said {friend}. "Of course," said {hero}. "What else is a promise for?"
"All the way home I was afraid," said {friend}. "I should have known you better."
{Friend} brought {him} a [carpet|coconut|blue lamp] from abroad. But the look on {fhis} face was worth more.
People {inland} still say, "As true as the {kind}," when they mean someone they can trust.
"""

VISITOR = """
sorts: pamf
but: cloud,wind,snowflake,raindrop,star,moon,kite,balloon,leaf,feather,paper boat,cart,brook,raft
royal: yes
title: The Guest|A Stranger in the Rain|The {kind} and the Stranger
cols: storm ; shelter
- storm ; a dry corner
- rain ; a roof of sorts
- snow ; a spot out of the wind
- hail ; a safe place
- cold ; a warm spot
gone: at dawn|on the third day|when the sky was clear|when the sun came back|after a week
thanks2: swept every path|mended all that was broken|told the whole land about it|planted a ring of crocuses|painted a small sun on a stone

On a night of wild {storm} a stranger came to {ahero}.
"May I stay here until the {storm} is over?" somebody asked {ahero}.
Nobody ever came to see {ahero}, until the night of the great {storm}.
Who was out in such {storm}? {Ahero} listened into the dark.
When the {storm} was at its worst, {ahero} heard a faint cry.
pa: {Name} the {kind} was about to fall asleep when somebody called from outside, through the {storm}.
+ There had been no guest {place} for years, and {ahero} liked it that way.
+ It was {month}, and the {storm} would not stop. {Ahero} was glad to be left in peace.
Of all the places in the world, the stranger had come to {ahero}.
The last light {inland} had gone out when {ahero} saw someone coming.

One night there was a bad {storm}, and {hero} was alone. Then {he} saw that somebody was coming.
In {month} came a terrible {storm}. In the middle of it {hero} heard a voice.
Nobody would go out in such {storm}, thought {hero}. But there was someone.
{Hero} did not have many guests. That changed on the night of the {storm}.
Then came a {weekday} with such {storm} that even the crows went home. {Hero} saw something move in it.

It was {friend}, wet through and shaking. "Please," {fhe} said, "only for tonight."
There stood {friend}, who had come a long way and could go no farther.
{Friend} could hardly stand. "I knocked everywhere else," {fhe} said.
A small, tired figure came closer. It was {friend}. "Everyone has sent me away," {fhe} whispered.
"Is there room for one more?" asked {friend}, and {fhis} teeth chattered.

"I have little room," said {hero}, "but what I have is yours."
{Hero} was not used to company. For a moment {he} said nothing. Then {he} said, "Stay."
"Come here, quickly," said {hero}. "You can have {shelter}."
{Hero} had only {shelter} to offer. {Friend} took it with thanks.
"Who are you?" asked {hero}. But {friend} was already asleep, in {shelter}.

"You let a stranger in?" cried {m1} the next day. "You will be sorry!"
{M1} thought it was most unwise. "You never know with strangers," said {m1}.
In the morning {m1} came to warn {him}: "Count your spoons!" {Hero} did not own any spoons.
"That one has an odd way of talking," {m1} said. {Hero} found it beautiful.
{M1} looked at the stranger from all sides. "Not from here," said {m1}, and shook a doubtful head.

{Friend} told of the countries {fhe} had seen, where oranges hung over the walls. {Hero} listened all night.
Outside the {storm} raged, and inside {friend} sang a song in a foreign tongue.
"Where do you come from?" asked {hero}. "From behind the wind," {friend} said and smiled.
They found out that they both liked [thunder|riddles|old songs|silence], and so they became friends.
It turned out that {friend} knew a hundred riddles. {Hero} solved three of them.

Then something broke with a loud crack. {Friend} jumped up and held it fast until the danger was over.
The {storm} got worse, and {hero} was in danger {himself}. But {friend} stayed awake and called for help.
Toward morning {hero} was close to giving up. "Hold on," {friend} said, "it will soon be light."
Had {friend} not been there, it would have ended badly that night. {Fhe} found the leak and stopped it in time.
Twice that night {friend} kept {him} from harm. Each of them was glad that the other was there.

{Gone} {friend} had to go on. "I will not forget you," {fhe} said.
The stranger left {gone}. {Hero} watched until {fhe} was no more than a dot.
"Must you go?" asked {hero}. "I must," said {friend}, "but I know the way back now."
{Gone} the place beside {him} was empty. On the ground lay a small blue stone.
It was time to part. {Friend} laughed and cried, and {hero} did too.

Before leaving, {friend} had {thanks2}. {Hero} noticed it only later.
And each year, on that very night, {friend} comes back. Then there is no end to the stories.
Even {m1} asks today, "When will our friend come again?"
Since that night {hero} has never sent anybody away. You never know who is out there.
"A stranger," {hero} says, "is only a friend who is still wet."
"""

SEASON = """
sorts: pamf
but: snowman,snowflake,moon,wind,cloud,raindrop
title: When Spring Was Late|Waiting for {awaited}|The {kind} and the Long Winter
cols: awaited ; before ; sign ; came
- spring ; the snow lay deep ; a snowdrop, no bigger than a thumbnail ; the brooks ran, the buds burst, and blossoms lay on everything like foam
- rain ; the ground was cracked ; a cloud the size of a plate ; the first drops fell, and soon it poured until the dust turned to mud
- the sun ; fog hung everywhere ; a pale bright spot in the gray ; the fog tore open, and light fell on every roof
- summer ; it was gray and chilly ; a single swallow, high in the air ; it became warm, and the nights smelled of hay
- the snow ; all was brown and bare ; one white flake that turned in the air ; it snowed and snowed until the world was soft and silent
- the swallows ; the air was empty ; a feather with a blue gleam ; they came by the hundred and filled the sky with noise

{Awaited} did not come that year, and {ahero} began to worry.
"When will it be here at last?" asked {ahero}, who was waiting for {awaited}.
Each morning {ahero} looked out for {awaited}, and each morning {before}.
Week after week went by, and still {before}. {Ahero} could hardly wait any longer.
Had {awaited} forgotten the way? So thought {ahero} {place}.
No one waited for {awaited} as eagerly as {ahero}.
pa: {Name} the {kind} made a mark on the wall for each day that {awaited} did not come.
Everybody {inland} was waiting for {awaited}. The most impatient of all was {ahero}.
Long ago there was a year when {awaited} would not come. {Ahero} could have told you about it.
The almanac said that {awaited} would come on {weekday}. But {ahero} saw no sign of it.

That year {hero} waited for {awaited}. It did not come, and {before}.
It was a strange year. {Before}, and {awaited} would not come. {Hero} was worried.
{Hero} longed for {awaited}. But day after day {before}.
"Now it must be time for {awaited}," said {hero}. But {before}, as on the day before.
Everything was in its place, except {awaited}. {Hero} looked out for it every day.

"It will not come this year," said {m1}. "I can feel it in my bones."
{M1} knew all about the weather. "Another six weeks," said {m1} gloomily.
{He} asked {m1} how long it would take. "As long as it takes," was all that {m1} knew.
"Perhaps we have done something wrong," said {m1}. Nobody knew what it could be.
{M1} only grumbled. People were tired, and the children had a cough.

{Hero} called out to the sky. The sky did not answer.
{Hero} was cross. {He} was cross with the clouds, with the wind, and most of all with the calendar.
"I will not wait any more," {hero} decided. Ten minutes later {he} was waiting again.
Night after night {hero} dreamed of it, and in the morning it was gone.
It was hard to go on with {job} as if nothing were wrong. But {hero} did it.

Then {friend} came by. "You wait so loudly," {fhe} said, "that you cannot hear it coming."
{Friend} was waiting as well, but cheerfully. "Look closely," {fhe} said. "It begins quite small."
"Shall we wait together?" asked {friend}. "Then it is only half as long."
To pass the time {friend} told {him} about all the years before. "It always came," {fhe} said.
"Waiting is also something one can learn," said {friend}, and sat down nearby.

They sang, they guessed riddles, and they made up names for the clouds. The days went faster.
{Friend} showed {him} how to listen to the earth. Deep down there was a hum.
So they waited side by side, and it was almost as good as a feast.
Sometimes they talked. Sometimes {friend} said nothing, and that was good too.
"What will you do first when it comes?" asked {friend}. {Hero} had so many ideas that it took an hour to tell them.

Then, early one {weekday}, {friend} cried out. There it was: {sign}!
"Sh!" said {friend}. "Do not move." And {fhe} pointed to {sign}.
On a morning like all the others {hero} saw something: {sign}.
And what was that? It was {sign}.
{Hero} nearly missed it, so small was it: {sign}.

The next day {came}.
In a single night it was all different: {came}.
And then, as if a door had opened, {came}.
After that nothing could hold it back, and {came}.
Before anyone could say a word, {came}.

People ran outside and danced, and {m1} danced with them.
"I always said so!" cried {m1}, who had always said the opposite.
{Hero} was silent for joy. {He} wanted to remember every moment.
"Now I know why it took so long," said {hero}. "It had so much to bring."
"It was worth waiting for," said {hero}. "And the waiting was nice as well," said {friend}.
"""

LONELY = """
sorts: pamf
royal: yes
title: The Lonely {kind}|No Longer Alone|A Friend for the {kind}
greeting: a song with three verses|a message scratched on a slate|a small flag made of a handkerchief|a smoke ring|a tune on a comb|a paper star

{Ahero} had nobody to talk to.
Because there was no other {kind} {place}, {ahero} was alone.
"Hello?" called {ahero}. Only the wind answered.
What does a {kind} do when there is nobody to play with? This one talked to the stones.
{Name} was the only {kind} far and wide.
It is quiet {place}. For {ahero} it was much too quiet.
The evenings were the hardest time for {ahero}, because there was nobody to say good night to.
Nobody had spoken to {ahero} for a whole year.
If {ahero} had had one wish, it would have been a friend.
There was room for two {place}, but {ahero} lived there alone.
Somewhere there must be somebody, thought {ahero}, who is just as alone as I am.

But {hero} was lonely. There was nobody far and wide to talk to.
Only one thing was missing, and that was a friend.
"It would be nice to have somebody to talk to," {hero} often thought.
In the evening, when others told each other of their day, {hero} was alone.
Nobody came to see {hero}. Sometimes {he} talked to {himself}, just to hear a voice.

{He} tried to make friends with {m1}. "No time, no time," said {m1}, and was gone.
{M1} came past each morning. "Good day!" said {hero}. {M1} only nodded.
Once {m1} stayed for an hour. But {m1} talked only of [money|turnips|the neighbors], and it was no fun.
{Hero} told {m1} a riddle. {M1} did not even try to guess it.
"Would you be my friend?" {hero} asked {m1}. "I have enough friends," was the answer.

So {hero} sent out {greeting}, for anyone who might notice.
{He} had an idea and sent {greeting} out into the world.
In {month} {hero} tried something new: {greeting}. Perhaps somebody would see it.
Then {hero} thought of {greeting}. "Somebody will find it," {he} said.
{Hero} spent a whole day on {greeting}, and then let it go with the wind.

Days passed. It rained, and {hero} lost hope.
Nothing happened for a long time. {Hero} thought that it had been for nothing.
{Hero} waited for one week, then for another. Nobody came.
"It was a silly idea," thought {hero}, as {weekday} came and went.
The wind was strong that week. Had it carried the message the right way?

One evening there was a small voice. "Was that from you?" it asked. It was {friend}.
Then {friend} stood there. "I got your message," {fhe} said. "Am I too late?"
But far away somebody had noticed it: {friend}, who was alone as well. {Fhe} set out at once.
And who came along, out of breath? It was {friend}. "At last I have found you!" {fhe} cried.
Suddenly there was an answer, thin and far away. It came from {friend}.

At first neither of them knew what to say. Then both began at the same time.
"I am not good at talking," said {friend}. "I am," said {hero}. "You can start with listening."
They had so much to tell that the moon went down before they had finished.
"How long can you stay?" {hero} asked shyly. {Friend} looked around. "How about until {season}?" {fhe} said.
It turned out that {friend} liked riddles too, and songs, and looking at the sky.

They invented a game that only two can play. {Hero} had waited all {his} life for it.
{Hero} showed {friend} everything: the best view, the best echo and the place where the sun goes down.
From then on there was laughter {place}, morning and evening.
Even {m1} slowed down now. "What is so funny?" asked {m1}, and stayed.
When it rained, they counted drops together. When it was fine, they did nothing at all.

{Friend} stayed, first for a week, then for a year, then for good.
"Good night," says {friend} to {hero} every evening. It is the nicest part of the day.
Somewhere, {hero} thinks, there is always someone who is listening. You only have to call.
The place is as quiet as ever. But now it is a quiet for two.
And if {friend} has to go away for a while, {hero} does not mind. {He} knows that {fhe} will be back.
"""

SMALL = """
sorts: pam
but: giant,giantess,elephant,oak,tower,lighthouse,house,windmill,mill,moon,ship,bear,bridge,train,tram,bus,horse,camel,lion,tiger,dragon,ferry,cart,cloud,wind,boat,brook,raft,teacher,king,queen,knight,captain,blacksmith
title: The Smallest {kind}|Small, but Just Right|Big Enough
cols: trouble ; why
- a kitten had slipped down between two walls ; the gap was no wider than a hand
- the lock of the big gate was blocked ; someone had to see into the tiny hole and tell the smith what was in it
- a baby would not stop crying ; it was afraid of everything that was big
- a swallow had fallen out of its nest ; it hid from anything larger than a cat
- the wedding ring had rolled under the stage ; only from close to the ground could one see it gleam
- the dam had a leak ; it was so fine that no one had found it, and one had to listen for it close up
- a lamb had lost its way in the thorn hedge ; only a gentle voice could lead it out

Too small, that was what everyone said of {ahero}.
"You are too small," they said to {ahero}. "Come back when you have grown."
{Ahero} was the smallest of all, and nobody took {him} seriously.
There were big {kind}s and there were bigger ones. And then there was {name}.
How small was it? Of all the {kind}s ever seen, this one was the smallest.
When others were chosen for a game or a task, nobody chose {ahero}. {He} was too small.
pa: {Name} the {kind} stood on tiptoe, but it did not help.
Only {number} inches tall was {ahero} {place}, hat and all.
It is not easy to be the smallest. {Ahero} {place} could tell you a thing or two about it.
Everyone overlooked {ahero}, because {he} was so small.
The smallest {kind} in the world once lived {place}.

One thing bothered {hero}. {He} was small, much smaller than other {kind}s.
But {hero} was small, and they let {him} feel it.
"If only I were bigger!" {hero} sighed. For {he} was the smallest of all.
Nobody took {hero} seriously, because {he} was so small.
{Hero} was a small {kind}. People looked past {him} or over {him}.

"A {kind} like that is no use," said {m1}, and laughed.
{M1} made jokes about it and never let {him} forget it.
"Where are you? I cannot see you," joked {m1}.
When there was something to decide, {m1} said, "Let the big ones talk."
{M1} put {him} in the last row, where there was nothing to see.

{Hero} ate nothing but spinach for a week, or so they say. {He} did not grow.
{Hero} measured {himself} every morning. Nothing changed, not by a hair.
At night {hero} dreamed that {he} was as tall as a tower.
{Hero} made {himself} as long as {he} could. It only made {him} dizzy.
"What am I good for?" {hero} asked. The night gave no answer.

"Big is not everything," said {friend}. "Rain is made of small drops."
Only {friend} liked {him} as {he} was. "You are just the right size for a friend," {fhe} said.
{Friend} sat down beside {him}. "Wait and see," {fhe} said. "Everyone is needed some day."
"I know somebody who is small and shines," said {friend}. "A star, for example."
{Friend} saw that {he} was sad and stayed until the evening.

Then something happened on {weekday}: {trouble}.
One day there was great excitement, for {trouble}.
In {month} {land} was in trouble: {trouble}.
"Come quickly!" someone shouted. It was true, {trouble}.
But see what happened next. One evening {trouble}.

The big ones tried first. {M1} pushed and pulled, and only made it worse.
{M1} came with ropes and ladders. It was all of no use.
Ten strong helpers did what they could. They could do nothing.
"Let me do it!" cried {m1}. Soon after that {m1} gave up, red in the face.
They stood around and gave orders. Nobody knew what to do.

"We need somebody small," said {friend}, for {why}. And they all looked at {hero}.
The trouble was that {why}. "Then it is a task for me," said {hero}.
"Take me there," said {hero}. {Friend} understood at once, for {why}.
"Let {him} try," {friend} said firmly. For {why}.
What was to be done? After all, {why}. Then {friend} thought of {hero}.

{Hero} did it slowly and with care. It took [five minutes|half an hour], and then all was well again.
For once it was good to be small. {Hero} was exactly the right size, and soon the danger was past.
Nobody else could have done it. In no time at all it was put right by {hero}, and a great cheer went up.
{Friend} helped {him} get close. The rest {hero} did all alone, and {he} did it well.
It was quiet, so quiet that you could hear a pin drop. Then {hero} called, "Done!"

"You were great," said {m1}, and blushed. "I mean, you are small and great."
Nobody {inland} said "too small" after that.
"Now I would not like to be a finger taller," said {hero}.
"You see?" said {friend}. "Big enough." And {hero} felt as tall as a tower.
They lifted {hero} up high, so that everybody could see {him}. And everybody did.
"""

FORGOTTEN = """
sorts: mf
heroes: boat,ship,ferry,train,tram,bus,cart,windmill,mill,lighthouse,house,tower,piano,suitcase,kettle,teapot,clock,stove,lamp,street lamp,signpost,well,chair,statue,fountain,bell,drum,umbrella
title: The Forgotten {kind}|Good for Something|The {kind} That Nobody Wanted
cols: reason ; newuse
- something newer and shinier had been bought ; a home for a family of wrens
- the old owner had moved away ; a toy that no child wanted to leave
- it was scratched and faded ; the pride of a small museum
- it was said to be broken ; the meeting place of all the animals around
- there was no money for repairs ; the sign of a new inn, and it shone from far away
- fashions had changed ; a bed for flowers, yellow and blue

The old {kind} had not been used for {number} years.
Nobody needed {ahero} any more, because {reason}.
"That old {kind}? Throw it away!" somebody said.
Why does nobody come? That was what {ahero} asked itself, {place}.
Once {ahero} had been new and bright. That was long ago.
Dust lay on {ahero}, and a spider had moved in.
They had forgotten {ahero}. It stood {place} and waited.
In its youth the {kind} had been the pride of {land}.
Every year {ahero} hoped that somebody would remember it.
Behind all the other things, {place}, there was {ahero} that nobody looked at.
=suitcase: The brown suitcase had traveled around the world twice, and now it lay in the attic.
=kettle,teapot: The {kind} with the dent had stood on the top shelf since the wedding.
=piano: The piano had not been played since the music teacher left.
=clock: The clock had stopped at ten past four, and nobody had wound it up again.
=boat,ship,ferry: There was a boat that did not go to sea any more. It lay on the beach with its keel in the air.
=train,tram,bus: At the end of the rusty rails stood an old {kind} with weeds between its wheels.
=lighthouse: The new lighthouse was tall and electric. The old one stood dark.

But the good days were over, because {reason}.
One day nobody needed it any more. {Reason}.
Then everything changed. {Reason}, and the {kind} was forgotten.
It was useful once. But {reason}, and after that nobody looked at it.
The {kind} had worked for many years. Now it was left alone, for {reason}.

Weeds grew around it, and rain dripped on it through the nights.
"I am not so old," said the {kind}. But there was no one to hear it.
At night it remembered how things had been: the voices, the laughter, the busy mornings.
It listened for steps. There were only mice.
It had grown gray with dust. When the wind blew, it sighed a bit.

One day {m1} came and knocked on it. "Worth two pennies as scrap," said {m1}.
"Tomorrow I will fetch it and burn it," said {m1}. The {kind} trembled.
{M1} gave it a kick. "Junk," said {m1}, and went away to get a cart.
A notice was put up: "To be cleared away on {weekday}." {M1} had signed it.
{M1} wanted to get rid of it and sent for some strong helpers.

That evening {friend} came in out of the rain. "What a lovely old {kind}!" {fhe} said.
But then {friend} happened to come by. {Fhe} stopped and put {fhis} head on one side.
{Friend} had been looking for shelter. "Who are you?" {fhe} asked the {kind}.
Suddenly there was a soft touch. {Friend} was there and wiped off some of the dust.
It was {friend} who found it. "You are not junk," {fhe} said at once.

"I was useful once," said the {kind}. "You can be useful again," said {friend}.
The {kind} told its whole story. It took until midnight, and {friend} did not yawn once.
"Nobody wants me," it said. "I do," said {friend}. "Let me think."
{Friend} looked at it from all sides. "It only needs somebody with an idea," {fhe} said.
All night long {friend} sat there and made plans.

In the morning {friend} was back with a brush, a bucket and seven friends.
They scrubbed and patched and painted. Even {m2} lent a hand.
When {m1} came with the cart, {friend} stood in the way. "Give me one week," {fhe} begged.
A bit of oil, a bit of paint, a few nails, and one could hardly believe one's eyes.
"Not so fast!" {friend} told {m1}. "First look at what we are going to do."

Soon the {kind} had become {newuse}.
After one week it was no longer junk. It was {newuse}.
And do you know what it is today? It is {newuse}.
"There," said {friend}, "now you are {newuse}." The {kind} could hardly believe it.
What had been forgotten was now {newuse}.

"It was my idea, in a way," said {m1}. Nobody said anything to that.
There are voices around it again, and laughter, and busy mornings.
The {kind} creaks with joy whenever {friend} comes.
"Old?" says the {kind}. "I have only just begun."
Since then people {inland} look twice before they throw a thing away.
"""

ELDER = """
sorts: p
royal: yes
heroes: girl,boy,page,goose girl,prince,princess
title: The {elder}'s {box}|A Tale from Long Ago|What Was in the {box}
cols: keep ; past ; now
- a dried rose ; I won it in a sack race, and the one who lost became my best friend for life ; learn how to hop in a sack
- a rusty whistle ; I blew it in the fog, and a ship with forty sailors found the harbor ; blow it just once
- half a map ; my brother has the other half, and we have not seen each other for fifty years ; write a letter to the brother
- a small red shoe ; I lost the other one when I ran away to see the circus ; hear how the elephant had smelled
- a wooden ticket ; I bought it for the first train that ever came here, and then I gave up my seat to a mother with a child ; ride on a train together
- a blue bead ; a queen gave it to me because I had told her the truth ; always tell the truth as well, or nearly always
- a piece of sailcloth ; it comes from the boat in which I crossed the sea when I was not yet ten ; build a boat, if only a small one
box: drawer|tin box|sewing basket|trunk|cupboard
elder: grandmother|grandfather|great-aunt|uncle

In the house of {name}'s {elder} was a {box} that nobody was allowed to open.
"What is in your {box}?" {name} the {kind} asked {his} {elder}.
{Name} was bored. It was raining, and {he} was staying with {his} {elder}.
Every family has a secret. In the family of {name} it was a {box}.
The {box} smelled of lavender, and {name} loved to sit beside it.
One rainy {weekday} {ahero} found an old {box}.
{His} {elder} was so old that {name} could not believe {he} had once been a child too.
Long after bedtime {name} was awake, because {he} thought of the {box} in the hall.
On Sundays {name} visited {his} {elder}, who had a {box} full of old things.

{Hero} had an old {elder} with a {box} that was always locked. {Hero} wondered what was in it.
On rainy days {hero} sat with {his} {elder}. In the corner stood a {box}.
One day {hero} was alone with {his} {elder}. "What do you keep in that {box}?" {he} asked.
There was a {box} in the house, and it belonged to {his} {elder}. {Hero} often looked at it.
"When you are old enough," {his} {elder} always said, when {hero} asked about the {box}.

"Is there gold in your {box}?" asked {hero}. "Better than gold," said the {elder}.
"Show me what is in the {box}," {hero} begged. "Put a log on the fire," said the {elder}, "and I will."
"Today is a good day for opening the {box}," said the {elder}, and took a key from a string.
{Hero} tried to guess what was in the {box}. "Money? Letters? A ghost?" The {elder} only laughed.
"Please," said {hero}, "may I look into the {box}?" There was a smile, and a sigh. "You ask so nicely," said the {elder}.

The lock clicked. {Hero} leaned forward and held {his} breath.
The key would hardly turn, so long had nobody used it.
Slowly the lid went up. It smelled of dust and old summers.
The clock ticked. The rain ran down the window. Then the {box} was open.
"Close your eyes," said the {elder}. Something light was laid in {hero}'s hand.

In it lay nothing but {keep}.
{Hero} saw {keep}, and for a moment {he} was disappointed.
"Is that all?" {he} asked. For it was only {keep}.
There were old papers, a lot of ribbon, and on top {keep}.
Wrapped in yellow paper was {keep}.

"You see," said the {elder}, "{past}."
"I was as old as you are," the {elder} began. "{Past}."
"It does not look like much," said the {elder}. "But {past}."
"Nobody else knows this," the {elder} whispered. "{Past}."
Then came the story. "{Past}," said the {elder}, and looked into the fire.

{Hero} forgot the rain. {He} saw it all before {him}, as if {he} had been there.
"Were you afraid?" asked {hero}. "A bit," said the {elder}. "That is why I remember it so well."
"Go on!" {hero} begged, and the story went on until the fire was low.
{Hero} asked a hundred questions, and each got an answer.
All at once the old face looked young. {Hero} could see the child that it had been.

Now {hero} wanted to {now}. "Why not?" said the {elder}, and that was what they did, the very next day.
"May I {now}?" asked {hero}. The {elder} laughed out loud for the first time in years.
And that same evening {hero} made up {his} mind to {now}.
From then on {hero} wanted nothing so much as to {now}, and the {elder} helped.
"I should like to {now}," said {hero}. "Then let us begin," said the {elder}.

Before going home, {hero} put a [marble|shell|button] into the {box}. "So that there will be a story about me too," {he} said.
Today the {box} belongs to {hero}, and now others ask {him} what is in it.
Every old thing has a story, {hero} found out. You only have to ask.
When {hero} came again on {weekday}, the {box} was standing open.
"What will you keep?" the {elder} asked. {Hero} thought about it all the way home.
"""

FAIR = """
sorts: pa
title: The {kind} at the Fair|A Ticket for the {ride}|The {ride}
ride: carousel|big wheel|puppet show|swing boats|ghost train|magic lantern|rope dancers|flea circus
helper: oil the wheels|carry water for the horses|paste up the posters|sew on sequins|sweep up the sawdust|pump up the organ

When the fair came with its {ride}, {ahero} had not a penny.
+ "Hurry, hurry, ladies and gentlemen!" {Ahero} heard it from far away.
+ Once a year there was a fair {place}, and once a year {ahero} could not sleep.
+ With drums and flags the fair came over the hill, and {ahero} ran to meet it.
+ Nobody looked forward to the fair as much as {ahero}.
How much is a ticket for the {ride}? It was more than {ahero} had.
A {ride}! {Ahero} had never seen one before.
{Name} the {kind} had been saving for the {ride} since last winter.
In the middle of the fair stood the {ride}, and in front of the {ride} stood {ahero}.
+ It smelled of burnt almonds, and {name} the {kind} followed {his} nose.

In {season} the fair came to {land}. {Hero} wanted to see the {ride}.
One day wagons came up the road, red, blue and gold. "The fair!" cried {hero}.
Posters went up everywhere: there was to be a fair, with a {ride}. {Hero} counted the days.
Then the fair was in town. {Hero} heard the music of the {ride} even in bed.
"This year there is a {ride}," people said. {Hero} could think of nothing else.

It cost two coins. {Hero} turned out {his} pockets: a [string|nut|feather] and half a coin.
"No money, no ticket," said {m1} at the gate.
{M1} sold the tickets. "Two coins," said {m1}. "For you also two."
{Hero} asked if {he} could pay later. {M1} pointed at a sign: "No."
On the way there {his} purse had got lost. {Hero} stood at the gate with nothing.

{Hero} looked through a crack in the fence. {He} saw lights, and nothing else.
{Hero} sat down on a box and listened. At least the music was free.
{M2} came out with shining eyes. "You must see it!" said {m2}. That did not make it easier.
One after another they all went in. Only {hero} stayed outside.
Should {he} crawl under the tent? {Hero} thought about it and did not do it.

Behind the wagons {friend} was trying to do ten things at once. "Can you {helper}?" {fhe} called.
Suddenly the music stopped. "Oh dear," cried {friend}, who owned the {ride}. "Who can help me to {helper}?"
Then {he} saw {friend}, who was near to tears. "My helper has run off," {fhe} said, "and somebody must {helper}."
"You there!" It was {friend}, who ran the {ride}. "Would you {helper} for me?"
{Friend} came out, wiped {fhis} forehead and sighed. "If only somebody would {helper}!" {fhe} said.

"I can do that," said {hero}, and {he} worked as hard as {he} could.
{Hero} did not wait to be asked twice. {He} was busy until dark.
It was dirty work, and it was hot. But {hero} sang while {he} did it.
"I have never done it before," said {hero}, "but I learn fast." And that was true.
For [two|three|four] hours {hero} did nothing else, and did not even ask what {he} would get for it.

"What do I owe you?" asked {friend}. "Nothing," said {hero}. "Only I should like to see the {ride}."
{Friend} looked at {hero}, understood, and led {him} past {m1} without a word.
Then {friend} hung a golden badge around {his} neck. It said, "One of us."
"This way," said {friend}. "Workers do not need a ticket."
When everybody else had gone home, {friend} lit all the lamps once more, for {hero} alone.

It was finer than {he} had dreamed. The lights turned, the organ played, and {hero} forgot to breathe.
{Hero} saw the {ride} at last, from the very best place.
What {hero} saw that night {he} never forgot: gold and silver, and the whole world turning.
{Hero} laughed so loudly that {m1} looked in to see what was going on.
Around and around went the world. {Hero} wished that it would never stop.

On {weekday} the fair moved on. But every year {friend} sends {him} a postcard with a golden edge.
"Come again next year," said {hero}. "Only if you help us," said {friend}.
The next morning there was only a ring in the grass. {Hero} still smelled burnt almonds.
"Was it worth all that work?" asked {m1}. {Hero} only smiled.
The badge hangs over {his} bed, and on dark evenings it gleams a bit.
"""

COLD = """
sorts: pa
title: The Coldest Night|Room for One More|{kind} and the Frost
cols: even ; last
- the river stopped in the middle of a splash ; the last basket of wood
- the words froze in the air ; one pot of soup
- the church bell cracked ; a single thick blanket
- the smoke stood still over the chimneys ; a sack of chestnuts
- the milk had to be cut with a saw ; half a loaf and a candle
- the snowmen asked for coats ; three potatoes and a bit of butter

It was so cold that {even}, and {ahero} had only {last}.
"Close the door, quickly!" said {ahero}. For it was so cold that {even}.
That winter {even}. {Ahero} {place} would never forget it.
{Ahero} had only {last} left, and the winter was long.
How cold was it? It was so cold that {even}.
In the coldest night of the year {ahero} sat by a small fire.
Nobody {inland} had seen such a winter. {Ahero} pulled {his} blanket closer.
{Name} the {kind} had enough for one, no more. That winter {he} had only {last}.
The frost came overnight and surprised {ahero}.
There was ice on the inside of the window when {ahero} woke up.

One night the frost came. It was so cold that {even}. {Hero} still had {last}.
In January it grew so cold that {even}. {Hero} counted what was left: {last}.
But then came a winter when {even}, and {hero} had only {last}.
"What a winter!" said {hero}. It was so cold that {even}.
That year it was bitterly cold. All that {hero} had was {last}.

There was a knock. It was {m1}, blue with cold. "May I warm myself?" asked {m1}.
Soon somebody scratched at the door. "Only for a minute," begged {m1}.
{M1} was the first to come. "My stove has gone out," said {m1}, and could hardly speak.
Something moved outside in the snow. It was {m1}, who could go no farther.
"Please let me in," called {m1}. There was ice on every word.

"It is only enough for one," thought {hero}. But then {he} opened the door wide.
{Hero} looked at the little {he} had, and {he} looked at {m1}. "Come in," {he} said.
"Where one can sit, two can sit," said {hero}.
{Hero} hesitated, for {he} had so little. Then {he} moved over and made room.
"Sit down here, close to the fire," {hero} said. "We shall manage somehow."

They had hardly sat down when {m2} came, too. They moved closer together.
Then {m2} put a red nose in at the door. "Is there room for me?" asked {m2}.
It did not stop there. {M2} had seen the light, and after {m2} came three more.
"One more!" cried {hero}, when {m2} knocked. "Squeeze up!"
There was another knock. "I have brought nothing," said {m2}, ashamed. "Bring yourself," said {hero}.

By ten o'clock the fire was burning low. {Hero} saw that {he} had almost nothing left.
It was enough for an hour. After that there was nothing more to burn and nothing more to eat.
"That was the last of it," said {hero}. No one answered.
Then all was used up. They looked at the embers.
The wind rattled at the door. "What now?" asked {m1} softly.

Then {friend} stood at the door with a sledge. "I saw your light," {fhe} said, "and I thought you might need wood."
"I have something after all," said {friend}, who had come in last, and took a bag of beans out of {fhis} coat.
One of the guests was {friend}. {Fhe} began to sing, and the others joined in, and nobody felt cold any more.
"We are warm ourselves," said {friend} from the corner. "Come closer, all of you!" And that was the answer.
It was {friend} who remembered an old trick. {Fhe} stuffed the cracks with straw and told everyone to sit in a heap.

They told stories until morning. Nobody had ever spent a better night.
Back to back and side by side they fell asleep, like kittens in a basket.
Somebody laughed, then everybody did. It grew so warm that the window steamed up.
Nobody froze that night, and nobody was hungry.
"It is strange," said {m1}. "At home I had more, and I was cold."

In the morning the sun shone and the roofs dripped. The frost was over.
When the others left, {hero} found something from each of them on the table: a [nut|coin|carrot], a feather and a ribbon.
Since then they all meet once a year on that night, cold or not.
"Thank you," said {friend}. "You had only {last}." "It was enough," said {hero}.
"Come again!" called {hero} after them. "I have never been so rich."
"""

TOGETHER = """
sorts: pa
title: {kind} and {fkind}|Two Halves|Together
cols: goal ; part ; fpart ; done
- build a raft ; gather the logs ; tie the knots ; the raft floated, and a flag waved on it
- put on a play ; paint the stage ; learn the words ; the curtain rose, and every seat was taken
- dig a well ; dig the hole ; haul up the earth ; clear water bubbled up from below
- open a tea shop ; bake the cakes ; pour the tea ; the first guests sat down under a striped roof
- make a book ; think of the stories ; draw the pictures ; the book lay there, thick and beautiful
- build a bridge ; carry the stones ; measure the arch ; the bridge stood, and the first to cross it was a duckling
- plant an orchard ; dig the holes ; water the trees ; the first apples hung there, red as lanterns
- form a band ; beat time on a pot ; play the comb ; people danced in the street

{Ahero} and {friend} wanted to {goal}.
"Let us {goal}," said {ahero} to {friend}.
Two friends, {ahero} and {friend}, made a plan. They would {goal}.
Nobody thought that {ahero} and {friend} would ever manage to {goal}.
Alone you cannot {goal}. That is why {ahero} went to see {friend}.
{Name} had an idea. {He} was {ahero}, and {his} head was always full of ideas. This time {he} wanted to {goal}.
What can one do on a long {season} day? {Ahero} and {friend} decided to {goal}.
It was {friend} who first talked about it, and {ahero} who said, "Let us begin!"
+ They were an odd pair, {ahero} and {friend}.
+ On the other side of the road from {ahero} lived {friend}, and one day the two of them had a plan.

One day {hero} said to {friend}, "Let us {goal}." And {fhe} said yes.
{Hero} had a great plan. {He} wanted to {goal}, and {he} asked {friend} to help.
There was also {friend}, who was never short of ideas. "Why do we not {goal}?" {fhe} asked {hero}.
For a long time {hero} had wanted to {goal}. {Friend} wanted the same.
"It takes two to {goal}," said {friend}. {Hero} agreed at once.

"I will {part}," said {hero}. "And I will {fpart}," said {friend}.
They shared the work. {Hero} was to {part}, and {friend} was to {fpart}.
{Hero} began to {part} the same day. {Friend} got ready to {fpart}.
It was agreed that {hero} would {part}. In the meantime {friend} would {fpart}.
"You can {fpart} better than I can," {hero} told {friend}, "so I will {part}."

"That will never work," said {m1}, who came to watch.
{M1} sat on the fence and counted their mistakes aloud.
"One of you is too slow and the other too fast," {m1} remarked.
{M1} bet a whole cheese that they would not do it.
There were plenty of people to give advice. {M1} gave the most.

On the third day they argued. "You are doing it wrong!" cried {friend}. "No, you are!" said {hero}.
At first nothing went right. On {weekday} they had to begin all over again.
Then it rained for a week, and all their work was spoiled.
{Hero} was in a hurry, and {friend} was not. It was hard on both of them.
By Friday they were so tired that they sat down back to back and did not speak.

"Let us change places for one day," said {friend}. So {hero} tried to {fpart}, and saw how hard it was.
{Hero} laughed first. "We look like two wet hens," {he} said. And then they went on.
"I could not do your half," said {hero}. "And I could not do mine without you," said {friend}.
{Friend} brought [bread and cheese|a can of cocoa|two ripe pears]. With a full stomach it all looked better.
They shook on it: never give up on the same day. When one was sad, the other had to be cheerful.

After that it went well. What one began, the other finished.
They found a rhythm, and the rhythm became a song.
Even {m2} came to help, and brought a [hammer|rope|bucket].
Bit by bit it took shape. They worked from the first light to the last.
"A bit to the left," called {friend}. "Stop! Just right!"

And in {month}, after many a day, {done}.
Then came the great day: {done}.
It took longer than they had thought. But in the end {done}.
Everybody {inland} came to see it, and look, {done}.
They had really done it! {Done}.

{M1} had to hand over the cheese, or would have, if there had been a bet. So {m1} simply clapped.
"Which half of it is yours?" asked {m1}. "All of it," said {hero} and {friend} at the same time.
{Hero} and {friend} looked at each other. "What shall we do next?" they said.
"Half of the work," said {hero}, "and twice the fun."
It was not perfect. But it was theirs, and it was made by two.
"""
