"""Words that several templates share. All of them everyday, none of them from a collection."""

NAMES = (
    "Ada", "Aisha", "Alice", "Amir", "Amina", "Anna", "Ben", "Carla", "Carlos", "Chen", "Chloe", "Clara", "Daniel", "David", "Diego", "Elena",
    "Emma", "Eva", "Farah", "Felix", "Fatima", "George", "Grace", "Hana", "Hassan", "Helen", "Henry", "Ines", "Ivan", "Jack", "James", "Jana",
    "Jonas", "Julia", "Kenji", "Kofi", "Lars", "Laura", "Leila", "Leo", "Lina", "Louis", "Lucy", "Luis", "Lukas", "Maria", "Mark", "Martin",
    "Maya", "Mei", "Mia", "Mina", "Nadia", "Nina", "Noah", "Nora", "Olga", "Oliver", "Omar", "Oscar", "Paul", "Pedro", "Peter", "Priya",
    "Rosa", "Ruth", "Sam", "Sara", "Simon", "Sofia", "Tara", "Thomas", "Tom", "Uma", "Victor", "Wanda", "Yara", "Yusuf", "Zoe", "Zuri",
)  # fmt: skip

SURNAMES = (
    "Adams", "Ahmed", "Baker", "Berg", "Brown", "Chen", "Clark", "Costa", "Diaz", "Evans", "Fischer", "Garcia", "Green", "Haddad", "Hall",
    "Hill", "Ito", "Jones", "Kim", "King", "Klein", "Kumar", "Lee", "Lopez", "Martin", "Mensah", "Miller", "Moore", "Novak", "Okafor",
    "Park", "Patel", "Rossi", "Roy", "Santos", "Schmidt", "Silva", "Singh", "Smith", "Tanaka", "Taylor", "Turner", "Walker", "Weber", "White",
    "Wilson", "Wood", "Wright", "Yilmaz", "Young",
)  # fmt: skip

CITIES = (
    "Accra", "Amsterdam", "Athens", "Austin", "Berlin", "Bogota", "Boston", "Cairo", "Chicago", "Dublin", "Geneva", "Hamburg", "Helsinki",
    "Istanbul", "Kyoto", "Lagos", "Lima", "Lisbon", "London", "Lyon", "Madrid", "Milan", "Montreal", "Mumbai", "Nairobi", "Oslo", "Paris",
    "Porto", "Prague", "Quito", "Rome", "Seoul", "Sydney", "Tokyo", "Toronto", "Turin", "Vienna", "Warsaw", "York", "Zurich",
)  # fmt: skip

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

FOODS = (
    "apples", "bananas", "biscuits", "cakes", "carrots", "cherries", "cookies", "eggs", "figs", "grapes", "lemons", "mangoes", "nuts",
    "oranges", "peaches", "pears", "plums", "potatoes", "sandwiches", "tomatoes",
)  # fmt: skip

THINGS = (
    "balloons", "balls", "beads", "books", "boxes", "buttons", "candles", "cards", "coins", "cups", "flowers", "keys", "marbles", "pencils",
    "pens", "rings", "shells", "stamps", "stickers", "stones", "toys",
)  # fmt: skip

ANIMALS = (
    "ant", "bear", "bee", "bird", "cat", "cow", "crow", "deer", "dog", "donkey", "duck", "elephant", "fish", "fox", "frog", "goat", "hare",
    "hen", "horse", "lion", "mole", "monkey", "mouse", "owl", "pig", "rabbit", "rat", "sheep", "snail", "squirrel", "tiger", "turtle", "wolf",
)  # fmt: skip
