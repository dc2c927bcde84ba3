"""What the shops of the order dialogues sell, in which sizes, with what, and how they hand it over."""

from typing import NamedTuple


class Shop(NamedTuple):
    """One kind of shop. `sized` come in the sizes, `plain` in one; extras go with the sized ones; `ready` ends the dialogue."""

    sizes: tuple[str, ...]
    sized: tuple[str, ...]
    extras: tuple[str, ...]
    plain: tuple[str, ...]
    ready: tuple[str, ...]


_CUPS = ("small", "medium", "large")

SHOPS = (
    Shop(  # coffee shop
        _CUPS,
        (
            "iced coffee", "latte", "cappuccino", "mocha", "flat white", "black coffee", "chai latte", "cold brew", "hot chocolate", "americano",
            "iced latte", "green tea", "caramel latte", "vanilla latte", "filter coffee", "white coffee", "iced tea", "mint tea", "iced mocha",
            "decaf coffee", "lemon tea", "hazelnut latte",
        ),
        (
            "with oat milk", "with soy milk", "with almond milk", "with whole milk", "with extra foam", "with no sugar", "with one sugar", "to go",
            "with whipped cream", "with an extra shot", "with honey", "with cinnamon on top", "with vanilla syrup",
        ),
        (
            "blueberry muffin", "chocolate cookie", "cheese toast", "banana bread", "oat bar", "slice of lemon cake", "butter croissant",
            "cinnamon bun", "brownie", "bottle of water", "scone with jam", "egg sandwich",
        ),
        (
            "at the bar in a few minutes", "at the coffee bar in about three minutes", "at the counter in a couple of minutes",
            "at the end of the bar in two minutes", "at the pick-up counter in about five minutes",
        ),
    ),
    Shop(  # bakery
        ("small", "large"),
        (
            "white loaf", "rye loaf", "sourdough loaf", "apple pie", "cherry pie", "cheesecake", "carrot cake", "seed loaf", "lemon tart",
            "chocolate cake", "plum tart", "spelt loaf", "pumpkin pie", "walnut loaf", "raisin loaf", "honey cake",
        ),
        ("sliced", "cut in half", "in a paper bag", "in a box", "wrapped as a gift", "for tomorrow", "to take away", "on a tray"),
        (
            "bread roll", "pretzel", "croissant", "doughnut", "poppy seed roll", "almond croissant", "bagel", "cheese roll", "cinnamon roll",
            "jam doughnut", "baguette", "raspberry turnover", "gingerbread man", "oat cookie", "sausage roll", "milk roll",
        ),
        (
            "at the counter in two minutes", "at the second till in a minute", "on the counter in a moment", "packed in a couple of minutes",
            "at the end of the counter in three minutes",
        ),
    ),
    Shop(  # pizza place
        ("small", "medium", "large", "family size"),
        (
            "margherita pizza", "mushroom pizza", "pepperoni pizza", "cheese pizza", "vegetable pizza", "spinach pizza", "ham pizza", "tuna pizza",
            "salami pizza", "four cheese pizza", "onion pizza", "garden pizza", "chicken pizza", "pineapple pizza", "pepper pizza",
        ),
        (
            "with extra cheese", "with olives", "with a thin crust", "without onions", "with extra sauce", "with basil", "with hot peppers",
            "with a thick crust", "with no garlic", "with sweet corn", "with fresh tomatoes", "for takeaway",
        ),
        (
            "garlic bread", "green salad", "lemonade", "bottle of cola", "tomato salad", "bowl of soup", "tiramisu", "portion of fries",
            "bottle of sparkling water", "plate of pasta", "cheese stick",
        ),
        (
            "out of the oven in fifteen minutes", "ready to collect in twenty minutes", "at your table in ten minutes",
            "at the front desk in about twenty minutes", "at your door in half an hour",
        ),
    ),
    Shop(  # ice cream parlor
        ("small", "medium", "large"),
        (
            "vanilla cone", "chocolate cone", "strawberry cup", "lemon sorbet", "mango sorbet", "pistachio cup", "mint cone", "banana split",
            "hazelnut cone", "coconut cup", "raspberry sorbet", "caramel sundae", "fruit sundae", "coffee cup", "vanilla milkshake",
            "cherry sundae", "peach sorbet",
        ),
        (
            "with sprinkles", "with chocolate sauce", "with whipped cream", "with nuts", "with a cherry on top", "with fresh berries",
            "with caramel sauce", "without cream", "in a waffle cone", "with a wafer", "with cookie crumbs",
        ),
        ("waffle", "bottle of water", "fruit popsicle", "ice cream sandwich", "espresso", "pancake", "glass of apple juice", "lemonade"),
        (
            "at the window in one minute", "at the counter in a minute", "at your table in three minutes", "right here in a moment",
            "at the end of the counter in two minutes",
        ),
    ),
    Shop(  # book shop
        ("paperback", "hardback", "used"),
        (
            "atlas", "cookbook", "bird guide", "book of fairy tales", "French dictionary", "crime novel", "book of poems", "star guide",
            "history of Rome", "garden book", "chess book", "travel guide to Japan", "joke book", "book about whales", "world almanac",
            "Spanish grammar", "book of puzzles",
        ),
        ("as a gift", "with gift wrap", "in a bag", "with a bookmark", "in large print", "with a receipt"),
        (
            "notebook", "bookmark", "birthday card", "wall calendar", "reading lamp", "map of the city", "fountain pen", "pack of pencils",
            "postcard", "box of crayons", "roll of wrapping paper",
        ),
        (
            "at the front desk in five minutes", "at the till in a couple of minutes", "here for pick-up tomorrow morning",
            "at the desk on the ground floor in three minutes", "here for you on Friday",
        ),
    ),
    Shop(  # cinema
        ("child", "student", "adult", "senior"),
        (
            "ticket for the space film", "ticket for the cartoon", "ticket for the western", "ticket for the pirate film",
            "ticket for the nature film", "ticket for the comedy", "ticket for the dance film", "ticket for the robot film",
            "ticket for the old mystery", "ticket for the dinosaur film", "ticket for the musical", "ticket for the football film",
        ),
        (
            "at five", "at six thirty", "at seven", "at eight", "at half past eight", "at nine", "in the front row", "in the back row",
            "on the aisle", "in the middle", "for tonight", "for tomorrow night",
        ),
        (
            "bag of popcorn", "bottle of water", "box of chocolates", "tray of nachos", "bag of peanuts", "cup of lemonade", "bag of gummy bears",
            "cup of cola",
        ),
        (
            "at the box office in a minute", "at the ticket window in two minutes", "at window three in a moment",
            "at the front desk one hour before the film", "at the entrance in a couple of minutes",
        ),
    ),
    Shop(  # sandwich bar
        ("half", "whole"),
        (
            "cheese sandwich", "tuna sandwich", "egg sandwich", "chicken sandwich", "falafel sandwich", "turkey sandwich", "hummus sandwich",
            "tomato sandwich", "club sandwich", "ham sandwich", "salmon sandwich", "avocado sandwich", "cucumber sandwich",
        ),
        (
            "on brown bread", "on white bread", "without mayonnaise", "with extra pickles", "with mustard", "with lettuce", "without tomato",
            "toasted", "on rye bread", "to take away", "with hot sauce", "cut in four",
        ),
        (
            "bag of chips", "orange juice", "fruit salad", "apple", "cup of soup", "bottle of water", "yogurt", "oat cookie", "green salad",
            "iced tea", "banana",
        ),
        (
            "at the counter in five minutes", "wrapped in about four minutes", "at the pick-up window in six minutes", "at your table in five minutes",
            "at the end of the line in three minutes",
        ),
    ),
    Shop(  # juice bar
        ("small", "regular", "large"),
        (
            "orange juice", "carrot juice", "mango smoothie", "berry smoothie", "apple juice", "banana smoothie", "green smoothie",
            "pineapple juice", "peach smoothie", "melon juice", "ginger lemonade", "beet juice", "strawberry smoothie", "grapefruit juice",
        ),
        (
            "with ginger", "without ice", "with extra ice", "with yogurt", "with oat milk", "with mint", "with honey", "with no sugar",
            "with a straw", "with lime", "with chia seeds", "to go",
        ),
        ("energy bar", "fruit cup", "rice cake", "oat cookie", "bowl of granola", "bag of nuts", "banana", "slice of melon"),
        (
            "at the bar in two minutes", "at the counter in a minute", "at the far end in three minutes", "at the window in a couple of minutes",
            "on the bar in about two minutes",
        ),
    ),
    Shop(  # flower shop
        ("small", "medium", "large"),
        (
            "bunch of tulips", "bunch of roses", "pot of basil", "sunflower bouquet", "bunch of daisies", "potted orchid", "wreath of pine",
            "bunch of lilies", "pot of lavender", "potted fern", "bunch of violets", "wedding bouquet", "basket of pansies", "cactus",
        ),
        (
            "with a ribbon", "in brown paper", "with a card", "with a blue vase", "without paper", "as a gift", "with green leaves", "for a birthday",
            "with a red bow",
        ),
        ("watering can", "bag of soil", "clay pot", "greeting card", "packet of seeds", "glass vase", "roll of ribbon"),
        (
            "at the desk in ten minutes", "ready to collect at noon", "wrapped in five minutes", "at the counter in a few minutes",
            "by the door in five minutes",
        ),
    ),
)  # fmt: skip
