"""The stories that small sums are told in, and how a sum is asked for outright."""

from dataclasses import dataclass

from specviz.training.embedded.templates.words import FOODS, THINGS


@dataclass(frozen=True)
class Scenario:
    """A story with a first number of things and a second number, its question, and how the answer is finished."""

    story: str
    question: str
    answer: str
    things: tuple[str, ...]
    least: int = 1


HOLDINGS = FOODS + THINGS

ADDITIONS = (
    Scenario(
        "{name} has {first} and buys {b} more.",
        "How many {things} does {name} have now?",
        "{name} has {sum} now.",
        HOLDINGS,
    ),
    Scenario(
        "{name} has {first} and gets {b} more.",
        "How many {things} does {name} have now?",
        "{name} has {sum} now.",
        HOLDINGS,
    ),
    Scenario(
        "{name} has {first} and finds {b} more.", "How many {things} does {name} have?", "{name} has {sum}.", HOLDINGS
    ),
    Scenario(
        "{name} has {first}. {other} gives {name} {b} more.",
        "How many {things} does {name} have now?",
        "{name} has {sum} now.",
        HOLDINGS,
    ),
    Scenario(
        "{name} has {first} and {other} has {second}.",
        "How many {things} do they have together?",
        "Together they have {sum}.",
        HOLDINGS,
    ),
    Scenario(
        "{name} buys {first} and {other} buys {second}.",
        "How many {things} do they buy in all?",
        "In all they buy {sum}.",
        HOLDINGS,
    ),
    Scenario(
        "{name} puts {first} in a bag and then {b} more.",
        "How many {things} are in the bag?",
        "In the bag there are {sum}.",
        HOLDINGS,
    ),
    Scenario(
        "There are {first} in a box. {name} puts in {b} more.",
        "How many {things} are in the box now?",
        "In the box there are {sum} now.",
        HOLDINGS,
        2,
    ),
    Scenario(
        "There are {first} on the table and {second} on the shelf.",
        "How many {things} are there in all?",
        "In all there are {sum}.",
        HOLDINGS,
        2,
    ),
    Scenario(
        "{name} counts {first} in the morning and {second} in the evening.",
        "How many {things} does {name} count?",
        "{name} counts {sum}.",
        ("birds", "boats", "cars", "ducks", "stars", "trains"),
    ),
    Scenario(
        "There are {first} on the bus. At the next stop {b} more get on.",
        "How many {things} are on the bus now?",
        "On the bus there are {sum} now.",
        ("people", "passengers", "children"),
        2,
    ),
    Scenario(
        "{first} are playing in the park. Then {b} more come.",
        "How many {things} are in the park now?",
        "In the park there are {sum} now.",
        ("children", "dogs", "girls", "boys"),
        2,
    ),
    Scenario(
        "{name} reads {first} on Monday and {second} on Tuesday.",
        "How many {things} does {name} read in all?",
        "In all {name} reads {sum}.",
        ("pages", "poems", "stories"),
    ),
    Scenario(
        "A farmer has {first} and buys {b} more.",
        "How many {things} does the farmer have now?",
        "The farmer has {sum} now.",
        ("cows", "ducks", "goats", "hens", "horses", "pigs", "sheep"),
    ),
    Scenario(
        "A class has {first}. Then {b} more join the class.",
        "How many {things} are in the class now?",
        "In the class there are {sum} now.",
        ("children", "girls", "boys"),
        2,
    ),
    Scenario(
        "{name} bakes {first} on Saturday and {second} on Sunday.",
        "How many {things} does {name} bake?",
        "{name} bakes {sum}.",
        ("biscuits", "cakes", "cookies", "muffins", "pies", "rolls"),
    ),
    Scenario(
        "{name} picks {first} and {other} picks {second}.",
        "How many {things} do they pick together?",
        "Together they pick {sum}.",
        ("apples", "cherries", "flowers", "lemons", "pears", "plums", "roses"),
    ),
    Scenario(
        "{name} plants {first} in the garden. The next day {name} plants {b} more.",
        "How many {things} does {name} plant?",
        "{name} plants {sum}.",
        ("beans", "flowers", "roses", "seeds", "trees", "tulips"),
    ),
    Scenario(
        "A shop sells {first} in the morning and {second} in the afternoon.",
        "How many {things} does the shop sell?",
        "The shop sells {sum}.",
        (*HOLDINGS, "bikes", "hats", "lamps"),
    ),
    Scenario(
        "{name} saves {first} in May and {second} in June.",
        "How many {things} does {name} save?",
        "{name} saves {sum}.",
        ("dollars", "euros", "coins"),
    ),
    Scenario(
        "A book costs {first} and a game costs {second}.",
        "How many {things} do they cost together?",
        "Together they cost {sum}.",
        ("dollars", "euros"),
    ),
    Scenario(
        "{name} walks for {first} and then runs for {second}.",
        "How many {things} is that in all?",
        "In all that is {sum}.",
        ("minutes",),
        2,
    ),
    Scenario(
        "{first} are sitting in a tree. Then {b} more come.",
        "How many {things} are in the tree now?",
        "In the tree there are {sum} now.",
        ("birds", "crows", "monkeys", "owls"),
        2,
    ),
    Scenario(
        "{name} draws {first} and {other} draws {second}.",
        "How many {things} do they draw?",
        "They draw {sum}.",
        ("cats", "circles", "faces", "houses", "pictures", "stars", "trees"),
    ),
)

SUBTRACTIONS = (
    Scenario(
        "{name} has {first} and eats {b} of them.",
        "How many {things} does {name} have left?",
        "{name} has {sum} left.",
        FOODS,
    ),
    Scenario(
        "{name} has {first} and gives {b} of them to {other}.",
        "How many {things} does {name} have left?",
        "{name} has {sum} left.",
        HOLDINGS,
    ),
    Scenario(
        "{name} has {first} and loses {b} of them.",
        "How many {things} does {name} have now?",
        "{name} has {sum} now.",
        THINGS,
    ),
    Scenario(
        "{name} has {first} and sells {b} of them.",
        "How many {things} does {name} have left?",
        "{name} has {sum} left.",
        HOLDINGS,
    ),
    Scenario(
        "There are {first} in a basket. {name} takes out {b} of them.",
        "How many {things} are left in the basket?",
        "In the basket there are {sum} left.",
        FOODS,
    ),
    Scenario(
        "There are {first} on the bus. At the next stop {b} of them get off.",
        "How many {things} are still on the bus?",
        "On the bus there are still {sum}.",
        ("people", "passengers", "children"),
        2,
    ),
    Scenario(
        "{name} bakes {first}. The children eat {b} of them.",
        "How many {things} are left?",
        "There are {sum} left.",
        ("biscuits", "cakes", "cookies", "muffins", "pies", "rolls"),
    ),
    Scenario(
        "{first} are sitting in a tree. Then {b} of them fly away.",
        "How many {things} are still in the tree?",
        "In the tree there are still {sum}.",
        ("birds", "crows", "owls", "sparrows"),
        2,
    ),
    Scenario(
        "{name} has {first} and spends {b} of them.",
        "How many {things} does {name} have left?",
        "{name} has {sum} left.",
        ("dollars", "euros", "coins"),
    ),
    Scenario(
        "A shop has {first}. It sells {b} of them.",
        "How many {things} are left in the shop?",
        "In the shop there are {sum} left.",
        (*HOLDINGS, "bikes", "hats", "lamps"),
    ),
    Scenario(
        "A book has {first}. {name} has read {b} of them.",
        "How many {things} does {name} still have to read?",
        "{name} still has to read {sum}.",
        ("pages",),
    ),
    Scenario(
        "There are {first} in the class. Today {b} of them are ill.",
        "How many {things} are at school today?",
        "At school there are {sum} today.",
        ("children", "girls", "boys"),
        2,
    ),
    Scenario(
        "{name} picks {first} and puts {b} of them in a vase.",
        "How many {things} are left over?",
        "There are {sum} left over.",
        ("flowers", "roses", "tulips"),
    ),
    Scenario(
        "A farmer has {first} and sells {b} of them.",
        "How many {things} does the farmer have left?",
        "The farmer has {sum} left.",
        ("cows", "ducks", "goats", "hens", "horses", "pigs", "sheep"),
    ),
)

ASKED_ADDITIONS = (
    "What is {a} plus {b}?",
    "What is {a} + {b}?",
    "How much is {a} plus {b}?",
    "Add {a} and {b}.",
    "{a} plus {b}?",
)
ASKED_SUBTRACTIONS = (
    "What is {a} minus {b}?",
    "What is {a} - {b}?",
    "How much is {a} minus {b}?",
    "Take {b} away from {a}.",
)
