"""How tales begin whatever they are about, what may follow a beginning, and what may stand between or at the end.

A line may say whom it fits: sorts of heroes (`pa: `), or heroes by name (`=king,queen: `).
"""

OPENINGS = """
{Place} lived {ahero}.
pa: {Place} lived {ahero} whom everybody called {name}.
Not far from here, {place}, there was {ahero} who was always busy {job}.
Once, {place}, there was {ahero} that nobody knew much about.
"Good morning, good morning!" called {ahero} to everyone who passed. That was how each day began {place}.
"What shall we do today?" asked the wind. But {ahero} {place} had already begun {job}.
pa: "Are you awake, {name}?" somebody called. Of course {name} was awake. {He} was {ahero}, and {he} lived {place}.
Who was always busy {job}, in sun and in rain? It was {ahero}, {place}.
Why did the people {place} smile when they thought of {ahero}? Here is the reason.
pa: Do you want to know what {ahero} named {name} once did? Then listen.
Long before there were telephones, {ahero} lived {place}.
In the year of the great {harvest}, {ahero} was busy {job} {place}.
pa: On a {weather} {weekday} in {month}, {name} the {kind} got up early.
It rained all through {month}, and {place} {ahero} watched the drops.
It was the windiest day of {month}. {Place}, {ahero} was busy {job}.
Snow had fallen in the night. {Place}, {ahero} looked at the white world.
The fog was so thick that {weekday} that {ahero} could not see past {his} own shadow.
The sun had just come up, and {ahero} was already {job}.
There are {kind}s in many places, but only one of them lived {place}.
Of all the {kind}s in the world, this one was the most {nature}.
pa: People said that {name} was the most {nature} {kind} for miles around.
pa: {Name} was {ahero}. {He} lived {place} and was happy enough with {job}.
pa: {Name} had never been like other {kind}s.
pa: As long as anyone could remember, {name} the {kind} had lived {place}.
pa: My grandmother knew {ahero} called {name}, and this is what she told me.
My uncle once met {ahero}, {place}, and this is the tale he brought home.
There is a song about {ahero}, but it leaves out the best part. This is how it really was.
For {number} years {ahero} had been {job} {place}.
{Number} years ago {ahero} came to be {place}, and nobody knew from where.
Day after day, {ahero} was busy {job}. Day after day, nothing happened.
pa: {Name} yawned, stretched and looked out. {He} was {ahero}, and {land} lay quiet in front of {him}.
Between {weekday} and the day after it, something happened to {ahero}.
If you follow the road as far as it goes, you come to where {ahero} lived, {place}.
Everyone {inland} knew the {kind}.
Most of the people {inland} slept late on {weekday}s. The {kind} did not.
All the bells in the valley were ringing, and only {ahero} did not hear them.
A {weather} wind blew over {land} and woke {ahero}.
f: The {kind} stood {place}, and it had stood there longer than anyone knew.
f: {Ahero} stood {place}, where hardly anybody came.
f: You would not have noticed it at first: {ahero}, {place}.
m: {Ahero} {went} along, {place}, and sang to itself.
=cloud,kite,balloon,leaf,feather,snowflake,wind: Look up, and you may see it: {ahero}, {place}.
p: {Name} got up before the sun, as {kind}s do.
p: The {kind}'s name was {name}, and {he} lived {place}.
p: "I am only {ahero}," {name} used to say, "but I know what I know."
p: In a house with {number} windows lived {ahero} named {name}.
p: Of the twins, {name} was the {nature} one. {He} had become {ahero} and lived {place}.
p: {Name} had two sisters, one brother and no money at all. {He} was {ahero}.
p: After the long war {ahero} came home and settled {place}.
p: A {kind}'s day is long, and {name} knew it. {He} was up before the birds.
p: When {name} was {number} years old, {he} lived {place} and already knew all about {job}.
p: The eldest of {number} brothers and sisters was {name}, and {he} lived {place}.
a: A {kind} has four things to do: eat, sleep, play and dream. {Name} did all of them {place}.
a: {Place}, where nobody had swept the leaves for years, {ahero} had a warm bed.
a: Something rustled {place}. It was {name}, {ahero}.
a: Under the open sky, {place}, {ahero} was born. {His} name was {name}.
a: "Quiet!" said the grasshoppers. "Here comes {name} the {kind}."
a: {Name} the {kind} was the smallest of seven, and {he} lived {place}.
=king,queen,prince,princess: In a land that no map shows any more, there ruled {ahero}.
=king,queen: The {kind} had {number} horses, {number2} cooks and not one friend.
=giant,giantess: When the earth shook, people said, "That is only the {kind}, {job}."
=fisherman,sailor,captain,gull,seal,boat,ship: The tide came in and the tide went out, and {ahero} watched it.
=clock,bell: Tick, tock. Ding, dong. {Ahero} never grew tired of its own voice.
=lighthouse,lighthouse keeper: Every ship on the coast knew the {kind}.
=scarecrow: With one hat, two buttons and a heart of straw, a scarecrow stood {place}.
=snowman: On the morning after the big snow, there was suddenly a snowman {place}.
=train,tram,bus: Clatter, clatter, ring! Here came the {kind}, as it did every morning.
=grandmother,grandfather: The {kind} had a chair by the fire, a pot of tea and more stories than anyone could count.
""".strip().splitlines()

TRAITS = """
{He} lived {place}.
{His} days were spent {job}.
pa: {He} was {nature}, and {his} friends liked {him} for it.
Nobody {inland} was better at {job}.
From morning till evening {he} was busy {job}.
All this happened {place}.
It was {season}, and {land} was [quiet|peaceful|as busy as ever].
{He} had never left {land}.
pa: {He} had [a good ear|sharp eyes|a warm heart|quick feet] and a [loud|merry|funny|soft] voice.
mf: It was not [large|grand|new], but it was [strong|honest|well made|full of hope].
Those who knew {him} said that {he} was the most {nature} {kind} {inland}.
While {he} was {job}, {he} had plenty of time to think.
p: {He} wore [a green coat|a patched jacket|wooden shoes|a felt hat|a blue apron] on all days except Sunday.
""".strip().splitlines()

INTERLUDES = """
The [wind|rain|cold|dark] [came|crept] [nearer|up from the valley|over {land}].
[Somewhere|Far off|Behind the hill] a dog [barked|howled] [once|twice|three times].
The hours [passed|went by], and {land} grew [quiet|still|dim].
A [cart|hay wagon|line of geese] [went by|passed], and then it was [quiet|still] again.
Clouds [gathered|piled up|came] over {land}, and the light [turned|became] [gray|yellow|strange].
pa: {Hero} [sat down|stopped] and ate [a crust|an apple|some berries|a piece of cheese].
pa: {His} stomach [growled|grumbled], but {hero} [went on|did not care|hardly noticed].
pa: {Hero} [shivered|sighed|yawned] and [rubbed {his} eyes|looked at the sky|shook {his} head].
[Was it foolish|Was it too late|Would it work|Could it be]? {Hero} [did not know|could not say|was not sure].
{Hero} [felt|knew] that this would be a [long|hard|strange] [day|week|story].
The [church clock|clock on the tower|old bell] struck [four|six|seven|nine].
Nobody [said|spoke] a word for [a while|a long time|a minute or two].
The sky over {land} was [red|pale|silver|violet] by [now|then].
""".strip().splitlines()

CLOSINGS = """
That is all, and it is [enough|true|a good place to stop].
And if you do not believe it, ask the people {inland}.
The moon came up over {land}, and everything was [quiet|well|as it should be].
{Inland} they still tell it, [on winter evenings|when the lamps are lit|to children who cannot sleep].
{Hero} smiled at the thought for years.
So it ended, and so something new began.
And the next morning {hero} was busy {job} again, as if nothing had happened.
Nothing was said about it afterwards, but nobody forgot it.
There was [music|singing|laughter] {inland} until late that evening.
pa: That night {hero} slept better than [a stone|a bear in winter|ever before].
The [wind|rain|frost] could do what it liked now. {Hero} was [happy|content|warm inside].
"It was worth it," said {hero}, and that was the truth.
And that was the best thing that happened {inland} that year.
""".strip().splitlines()
