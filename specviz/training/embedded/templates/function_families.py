"""The functions that the code documents are made of, written out by hand; a repeated name is another body for the same job."""

SOURCES = '''
def add(a: int, b: int) -> int:
    """Return the sum of {a} and {b}."""
    return a + b

def add(a: int, b: int) -> int:
    """Add two numbers."""
    result = a + b
    return result

def subtract(a: int, b: int) -> int:
    """Return the difference of {a} and {b}."""
    return a - b

def multiply(a: int, b: int) -> int:
    """Return the product of {a} and {b}."""
    return a * b

def multiply(a: int, b: int) -> int:
    """Multiply two numbers."""
    result = a * b
    return result

def divide(a: float, b: float) -> float:
    """Divide {a} by {b}."""
    if b == 0:
        raise ValueError("Cannot divide by zero")
    return a / b

def square(n: int) -> int:
    """Return the square of a number."""
    return n * n

def square(n: int) -> int:
    """Return {n} squared."""
    return n**2

def cube(n: int) -> int:
    """Return the cube of a number."""
    return n**3

def double(n: int) -> int:
    """Return twice the number."""
    return n * 2

def half(n: float) -> float:
    """Return half of the number."""
    return n / 2

def power(base: int, exponent: int) -> int:
    """Raise the base to the exponent."""
    result = 1
    for _ in range(exponent):
        result *= base
    return result

def power(base: int, exponent: int) -> int:
    """Return the base raised to the exponent."""
    return base**exponent

def absolute(n: int) -> int:
    """Return the absolute value of a number."""
    if n < 0:
        return -n
    return n

def sign(n: int) -> int:
    """Return 1, 0 or -1 for the sign of a number."""
    if n > 0:
        return 1
    if n < 0:
        return -1
    return 0

def is_even(n: int) -> bool:
    """Return True if {n} is even."""
    return n % 2 == 0

def is_odd(n: int) -> bool:
    """Return True if {n} is odd."""
    return n % 2 == 1

def is_positive(n: int) -> bool:
    """Return True if {n} is greater than zero."""
    return n > 0

def is_negative(n: int) -> bool:
    """Return True if {n} is less than zero."""
    return n < 0

def is_divisible(a: int, b: int) -> bool:
    """Return True if {a} is divisible by {b}."""
    return a % b == 0

def is_leap_year(year: int) -> bool:
    """Return True if the year is a leap year."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)

def is_leap_year(year: int) -> bool:
    """Check whether a year is a leap year."""
    if year % 400 == 0:
        return True
    if year % 100 == 0:
        return False
    return year % 4 == 0

def is_prime(n: int) -> bool:
    """Return True if {n} is a prime number."""
    if n < 2:
        return False
    for i in range(2, int(n**0.5) + 1):
        if n % i == 0:
            return False
    return True

def is_prime(n: int) -> bool:
    """Check whether a number is prime."""
    if n < 2:
        return False
    for i in range(2, n):
        if n % i == 0:
            return False
    return True

def primes_up_to(limit: int) -> list[int]:
    """Return all prime numbers up to the limit."""
    primes = []
    for n in range(2, limit + 1):
        if all(n % p != 0 for p in primes):
            primes.append(n)
    return primes

def factorial(n: int) -> int:
    """Return the factorial of {n}."""
    if n == 0:
        return 1
    return n * factorial(n - 1)

def factorial(n: int) -> int:
    """Return the factorial of {n}."""
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result

def fibonacci(n: int) -> int:
    """Return the Fibonacci number at position {n}."""
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)

def fibonacci(n: int) -> int:
    """Return the Fibonacci number at position {n}."""
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a

def fibonacci_list(n: int) -> list[int]:
    """Return the first {n} Fibonacci numbers."""
    result = []
    a, b = 0, 1
    for _ in range(n):
        result.append(a)
        a, b = b, a + b
    return result

def gcd(a: int, b: int) -> int:
    """Return the greatest common divisor of {a} and {b}."""
    while b:
        a, b = b, a % b
    return a

def gcd(a: int, b: int) -> int:
    """Return the greatest common divisor of two numbers."""
    if b == 0:
        return a
    return gcd(b, a % b)

def lcm(a: int, b: int) -> int:
    """Return the least common multiple of {a} and {b}."""
    return a * b // gcd(a, b)

def sum_of_digits(n: int) -> int:
    """Return the sum of the digits of {n}."""
    total = 0
    while n > 0:
        total += n % 10
        n //= 10
    return total

def sum_of_digits(n: int) -> int:
    """Add up the digits of a number."""
    return sum(int(digit) for digit in str(n))

def count_digits(n: int) -> int:
    """Return how many digits a number has."""
    return len(str(abs(n)))

def divisors(n: int) -> list[int]:
    """Return all divisors of {n}."""
    return [i for i in range(1, n + 1) if n % i == 0]

def sum_to(n: int) -> int:
    """Return the sum of the numbers from 1 to {n}."""
    return n * (n + 1) // 2

def sum_to(n: int) -> int:
    """Add up the numbers from 1 to {n}."""
    total = 0
    for i in range(1, n + 1):
        total += i
    return total

def countdown(n: int) -> list[int]:
    """Return the numbers from {n} down to 1."""
    return list(range(n, 0, -1))

def multiplication_table(n: int) -> list[int]:
    """Return the first ten multiples of {n}."""
    return [n * i for i in range(1, 11)]

def clamp(value: int, low: int, high: int) -> int:
    """Keep a value between {low} and {high}."""
    return max(low, min(value, high))

def clamp(value: int, low: int, high: int) -> int:
    """Limit a value to the range from {low} to {high}."""
    if value < low:
        return low
    if value > high:
        return high
    return value

def larger(a: int, b: int) -> int:
    """Return the larger of two numbers."""
    if a > b:
        return a
    return b

def smaller(a: int, b: int) -> int:
    """Return the smaller of two numbers."""
    if a < b:
        return a
    return b

def swap(a: int, b: int) -> tuple[int, int]:
    """Return the two values in the other order."""
    return b, a

def maximum(numbers: list[int]) -> int:
    """Return the largest number in a list."""
    largest = numbers[0]
    for number in numbers:
        if number > largest:
            largest = number
    return largest

def maximum(numbers: list[int]) -> int:
    """Find the largest number in a list."""
    return max(numbers)

def minimum(numbers: list[int]) -> int:
    """Return the smallest number in a list."""
    smallest = numbers[0]
    for number in numbers:
        if number < smallest:
            smallest = number
    return smallest

def minimum(numbers: list[int]) -> int:
    """Find the smallest number in a list."""
    return min(numbers)

def total(numbers: list[int]) -> int:
    """Return the sum of a list of numbers."""
    result = 0
    for number in numbers:
        result += number
    return result

def total(numbers: list[int]) -> int:
    """Add up all numbers in a list."""
    return sum(numbers)

def product(numbers: list[int]) -> int:
    """Return the product of all numbers in a list."""
    result = 1
    for number in numbers:
        result *= number
    return result

def mean(numbers: list[int]) -> float:
    """Return the mean of a list of numbers."""
    return sum(numbers) / len(numbers)

def mean(numbers: list[int]) -> float:
    """Return the average of a list of numbers."""
    if not numbers:
        return 0
    return sum(numbers) / len(numbers)

def median(numbers: list[int]) -> float:
    """Return the middle value of a list of numbers."""
    ordered = sorted(numbers)
    middle = len(ordered) // 2
    if len(ordered) % 2 == 1:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2

def even_numbers(numbers: list[int]) -> list[int]:
    """Return only the even numbers of a list."""
    return [number for number in numbers if number % 2 == 0]

def even_numbers(numbers: list[int]) -> list[int]:
    """Keep only the even numbers."""
    result = []
    for number in numbers:
        if number % 2 == 0:
            result.append(number)
    return result

def odd_numbers(numbers: list[int]) -> list[int]:
    """Return only the odd numbers of a list."""
    return [number for number in numbers if number % 2 == 1]

def positive_numbers(numbers: list[int]) -> list[int]:
    """Return only the numbers that are greater than zero."""
    return [number for number in numbers if number > 0]

def squares(numbers: list[int]) -> list[int]:
    """Return the square of each number."""
    return [number * number for number in numbers]

def double_all(numbers: list[int]) -> list[int]:
    """Double every number in a list."""
    return [number * 2 for number in numbers]

def sum_of_squares(numbers: list[int]) -> int:
    """Return the sum of the squares of the numbers."""
    return sum(number * number for number in numbers)

def running_total(numbers: list[int]) -> list[int]:
    """Return the running total of a list."""
    totals = []
    current = 0
    for number in numbers:
        current += number
        totals.append(current)
    return totals

def count_greater(numbers: list[int], limit: int) -> int:
    """Count the numbers that are greater than the limit."""
    count = 0
    for number in numbers:
        if number > limit:
            count += 1
    return count

def differences(numbers: list[int]) -> list[int]:
    """Return the differences between neighbors in a list."""
    return [b - a for a, b in zip(numbers, numbers[1:])]

def is_sorted(numbers: list[int]) -> bool:
    """Return True if the numbers are in ascending order."""
    for i in range(len(numbers) - 1):
        if numbers[i] > numbers[i + 1]:
            return False
    return True

def bubble_sort(numbers: list[int]) -> list[int]:
    """Sort a list of numbers with bubble sort."""
    result = list(numbers)
    for i in range(len(result)):
        for j in range(len(result) - 1 - i):
            if result[j] > result[j + 1]:
                result[j], result[j + 1] = result[j + 1], result[j]
    return result

def binary_search(numbers: list[int], target: int) -> int:
    """Return the index of the target in a sorted list, or -1."""
    low = 0
    high = len(numbers) - 1
    while low <= high:
        middle = (low + high) // 2
        if numbers[middle] == target:
            return middle
        if numbers[middle] < target:
            low = middle + 1
        else:
            high = middle - 1
    return -1

def find_index(items: list[int], target: int) -> int:
    """Return the index of the target, or -1 if it is missing."""
    for i, item in enumerate(items):
        if item == target:
            return i
    return -1

def contains(items: list[int], target: int) -> bool:
    """Return True if the target is in the list."""
    for item in items:
        if item == target:
            return True
    return False

def contains(items: list[int], target: int) -> bool:
    """Check whether a list contains the target."""
    return target in items

def count_item(items: list[int], target: int) -> int:
    """Count how often the target appears in a list."""
    count = 0
    for item in items:
        if item == target:
            count += 1
    return count

def unique_items(items: list[int]) -> list[int]:
    """Return the items without duplicates, in their first order."""
    seen = set()
    result = []
    for item in items:
        if item not in seen:
            seen.add(item)
            result.append(item)
    return result

def unique_items(items: list[int]) -> list[int]:
    """Remove the duplicates from a list."""
    result = []
    for item in items:
        if item not in result:
            result.append(item)
    return result

def has_duplicates(items: list[int]) -> bool:
    """Return True if any item appears more than once."""
    return len(items) != len(set(items))

def common_items(first: list[int], second: list[int]) -> list[int]:
    """Return the items that are in both lists."""
    return [item for item in first if item in second]

def flatten(lists: list[list[int]]) -> list[int]:
    """Turn a list of lists into one flat list."""
    result = []
    for inner in lists:
        for item in inner:
            result.append(item)
    return result

def flatten(lists: list[list[int]]) -> list[int]:
    """Flatten a list of lists."""
    return [item for inner in lists for item in inner]

def chunks(items: list[int], size: int) -> list[list[int]]:
    """Split a list into chunks of the given size."""
    return [items[i : i + size] for i in range(0, len(items), size)]

def first_item(items: list[int]) -> int | None:
    """Return the first item of a list, or None if it is empty."""
    if not items:
        return None
    return items[0]

def last_item(items: list[int]) -> int | None:
    """Return the last item of a list, or None if it is empty."""
    if not items:
        return None
    return items[-1]

def reverse_list(items: list[int]) -> list[int]:
    """Return the list in reverse order."""
    return items[::-1]

def rotate(items: list[int], steps: int) -> list[int]:
    """Rotate a list to the left."""
    return items[steps:] + items[:steps]

def reverse_string(text: str) -> str:
    """Return the text in reverse order."""
    return text[::-1]

def reverse_string(text: str) -> str:
    """Reverse a string."""
    result = ""
    for char in text:
        result = char + result
    return result

def is_palindrome(text: str) -> bool:
    """Return True if the text reads the same backward."""
    return text == text[::-1]

def is_palindrome(text: str) -> bool:
    """Check whether a text is a palindrome."""
    text = text.lower()
    return text == text[::-1]

def is_anagram(first: str, second: str) -> bool:
    """Return True if both words have the same letters."""
    return sorted(first) == sorted(second)

def count_vowels(text: str) -> int:
    """Count the vowels in a text."""
    count = 0
    for char in text.lower():
        if char in "aeiou":
            count += 1
    return count

def count_vowels(text: str) -> int:
    """Return the number of vowels in a text."""
    return sum(1 for char in text.lower() if char in "aeiou")

def remove_vowels(text: str) -> str:
    """Return the text without its vowels."""
    return "".join(char for char in text if char not in "aeiouAEIOU")

def count_letter(text: str, letter: str) -> int:
    """Count how often a letter appears in a text."""
    count = 0
    for char in text:
        if char == letter:
            count += 1
    return count

def count_words(text: str) -> int:
    """Return the number of words in a text."""
    return len(text.split())

def word_counts(text: str) -> dict[str, int]:
    """Count how often each word appears in a text."""
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts

def letter_counts(text: str) -> dict[str, int]:
    """Count how often each letter appears in a text."""
    counts = {}
    for char in text:
        counts[char] = counts.get(char, 0) + 1
    return counts

def longest_word(words: list[str]) -> str:
    """Return the longest word in a list."""
    longest = ""
    for word in words:
        if len(word) > len(longest):
            longest = word
    return longest

def longest_word(words: list[str]) -> str:
    """Find the longest word in a list."""
    return max(words, key=len)

def word_lengths(words: list[str]) -> list[int]:
    """Return the length of each word."""
    return [len(word) for word in words]

def join_words(words: list[str]) -> str:
    """Join the words with spaces."""
    return " ".join(words)

def upper_words(words: list[str]) -> list[str]:
    """Return the words in upper case."""
    return [word.upper() for word in words]

def sort_by_length(words: list[str]) -> list[str]:
    """Sort the words from the shortest to the longest."""
    return sorted(words, key=len)

def group_by_letter(words: list[str]) -> dict[str, list[str]]:
    """Group the words by their first letter."""
    groups = {}
    for word in words:
        letter = word[0]
        if letter not in groups:
            groups[letter] = []
        groups[letter].append(word)
    return groups

def initials(name: str) -> str:
    """Return the initials of a full name."""
    return "".join(part[0].upper() for part in name.split())

def greet(name: str) -> str:
    """Return a greeting for a person."""
    return f"Hello, {name}!"

def greet(name: str) -> str:
    """Greet a person by name."""
    return "Hello, " + name + "!"

def say_goodbye(name: str) -> str:
    """Return a farewell for a person."""
    return f"Goodbye, {name}!"

def full_name(first: str, last: str) -> str:
    """Return the first and the last name, with a space between."""
    return f"{first} {last}"

def repeat(text: str, times: int) -> str:
    """Repeat a text a number of times."""
    return text * times

def title_case(text: str) -> str:
    """Capitalize each word of a text."""
    return " ".join(word.capitalize() for word in text.split())

def shorten(text: str, length: int) -> str:
    """Cut a text to a length and add three dots if it was longer."""
    if len(text) <= length:
        return text
    return text[:length] + "..."

def starts_with(text: str, prefix: str) -> bool:
    """Return True if the text starts with the prefix."""
    return text[: len(prefix)] == prefix

def celsius_to_fahrenheit(celsius: float) -> float:
    """Convert degrees Celsius to Fahrenheit."""
    return celsius * 9 / 5 + 32

def fahrenheit_to_celsius(fahrenheit: float) -> float:
    """Convert degrees Fahrenheit to Celsius."""
    return (fahrenheit - 32) * 5 / 9

def minutes_to_seconds(minutes: int) -> int:
    """Convert minutes to seconds."""
    return minutes * 60

def hours_to_minutes(hours: int) -> int:
    """Convert hours to minutes."""
    return hours * 60

def days_to_hours(days: int) -> int:
    """Convert days to hours."""
    return days * 24

def meters_to_kilometers(meters: int) -> float:
    """Convert meters to kilometers."""
    return meters / 1000

def format_time(seconds: int) -> str:
    """Format seconds as minutes and seconds."""
    minutes = seconds // 60
    rest = seconds % 60
    return f"{minutes}:{rest:02d}"

def circle_area(radius: float) -> float:
    """Return the area of a circle."""
    return math.pi * radius**2

def circumference(radius: float) -> float:
    """Return the circumference of a circle."""
    return 2 * math.pi * radius

def rectangle_area(width: int, height: int) -> int:
    """Return the area of a rectangle."""
    return width * height

def perimeter(width: int, height: int) -> int:
    """Return the perimeter of a rectangle."""
    return 2 * (width + height)

def triangle_area(base: float, height: float) -> float:
    """Return the area of a triangle."""
    return base * height / 2

def square_area(side: int) -> int:
    """Return the area of a square."""
    return side * side

def hypotenuse(a: float, b: float) -> float:
    """Return the longest side of a right triangle."""
    return math.sqrt(a**2 + b**2)

def distance(x1: float, y1: float, x2: float, y2: float) -> float:
    """Return the distance between two points."""
    return math.sqrt((x2 - x1) ** 2 + (y2 - y1) ** 2)

def average_speed(distance: float, hours: float) -> float:
    """Return the average speed of a trip."""
    return distance / hours

def percentage(part: float, whole: float) -> float:
    """Return what percentage of the whole the part is."""
    return part / whole * 100

def discount_price(price: float, percent: float) -> float:
    """Return the price after a discount."""
    return price - price * percent / 100

def fizzbuzz(n: int) -> str:
    """Return the FizzBuzz word for a number."""
    if n % 15 == 0:
        return "FizzBuzz"
    if n % 3 == 0:
        return "Fizz"
    if n % 5 == 0:
        return "Buzz"
    return str(n)

def grade(score: int) -> str:
    """Return the letter grade for a score."""
    if score >= 90:
        return "A"
    if score >= 80:
        return "B"
    if score >= 70:
        return "C"
    return "F"

def is_adult(age: int) -> bool:
    """Return True if the person is an adult."""
    return age >= 18

def collatz_steps(n: int) -> int:
    """Count the Collatz steps from {n} down to 1."""
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps

def to_binary(n: int) -> str:
    """Return a number in binary."""
    return bin(n)[2:]

def swap_keys(mapping: dict[str, int]) -> dict[int, str]:
    """Swap the keys and the values of a dictionary."""
    return {value: key for key, value in mapping.items()}

def filter_by_key(records: list[dict], key: str, value: object) -> list[dict]:
    """Return the records whose key has the given value."""
    return [record for record in records if record[key] == value]

def sort_by_key(records: list[dict], key: str) -> list[dict]:
    """Sort the records by a key."""
    return sorted(records, key=lambda record: record[key])

def key_with_highest_value(mapping: dict[str, int]) -> str:
    """Return the key with the highest value."""
    return max(mapping, key=mapping.get)

def read_lines(path: str) -> list[str]:
    """Read a file and return its lines."""
    with open(path) as file:
        return [line.strip() for line in file]

def read_lines(path: str) -> list[str]:
    """Return all lines of a file."""
    lines = []
    with open(path) as file:
        for line in file:
            lines.append(line.strip())
    return lines

def write_lines(path: str, lines: list[str]) -> None:
    """Write the lines to a file."""
    with open(path, "w") as file:
        for line in lines:
            file.write(line + "\\n")

def count_lines(path: str) -> int:
    """Return the number of lines in a file."""
    with open(path) as file:
        return len(file.readlines())

def load_json(path: str) -> dict:
    """Load a JSON file."""
    with open(path) as file:
        return json.load(file)

def save_json(path: str, data: dict) -> None:
    """Save the data as a JSON file."""
    with open(path, "w") as file:
        json.dump(data, file, indent=2)
'''

ALIASES = {
    "add": ("add_numbers",), "subtract": ("difference",), "multiply": ("multiply_numbers",), "divide": ("divide_numbers",),
    "is_divisible": ("divides_evenly",), "sum_of_digits": ("digit_sum",), "sum_to": ("sum_up_to",), "larger": ("max_of_two",),
    "smaller": ("min_of_two",), "maximum": ("find_max", "largest_number"), "minimum": ("find_min", "smallest_number"),
    "total": ("sum_list", "sum_numbers"), "product": ("multiply_all",), "mean": ("average",), "even_numbers": ("filter_even", "get_evens"),
    "odd_numbers": ("filter_odd", "get_odds"), "positive_numbers": ("filter_positive",), "squares": ("square_all",),
    "running_total": ("cumulative_sum",), "find_index": ("linear_search",), "count_item": ("count_occurrences",),
    "unique_items": ("unique", "remove_duplicates"), "common_items": ("intersection",), "chunks": ("split_into_chunks",),
    "reverse_string": ("reverse", "reverse_text"), "word_counts": ("word_frequency", "count_each_word"),
    "letter_counts": ("letter_frequency",), "longest_word": ("find_longest_word",), "initials": ("get_initials",), "greet": ("say_hello",),
    "shorten": ("truncate",), "celsius_to_fahrenheit": ("to_fahrenheit",), "fahrenheit_to_celsius": ("to_celsius",),
    "circle_area": ("area_of_circle",), "rectangle_area": ("area_of_rectangle",), "triangle_area": ("area_of_triangle",),
    "discount_price": ("apply_discount",), "grade": ("letter_grade",), "swap_keys": ("invert_dict",), "read_lines": ("read_file_lines",),
    "primes_up_to": ("find_primes",), "divisors": ("find_divisors",),
}  # fmt: skip

RELATED = {
    "add": ("subtract", "multiply"), "subtract": ("add",), "multiply": ("divide", "add"), "square": ("cube",), "double": ("half",),
    "is_even": ("is_odd",), "is_odd": ("is_even",), "is_positive": ("is_negative",), "maximum": ("minimum",), "minimum": ("maximum",),
    "larger": ("smaller",), "total": ("mean",), "mean": ("median",), "even_numbers": ("odd_numbers",), "gcd": ("lcm",),
    "factorial": ("fibonacci",), "is_prime": ("primes_up_to",), "first_item": ("last_item",), "reverse_string": ("is_palindrome",),
    "count_words": ("word_counts",), "greet": ("say_goodbye",), "celsius_to_fahrenheit": ("fahrenheit_to_celsius",),
    "hours_to_minutes": ("minutes_to_seconds",), "days_to_hours": ("hours_to_minutes",), "circle_area": ("circumference",),
    "rectangle_area": ("perimeter",), "square_area": ("rectangle_area", "triangle_area"), "read_lines": ("write_lines",),
    "load_json": ("save_json",), "count_vowels": ("remove_vowels",), "squares": ("sum_of_squares",), "sum_to": ("factorial",),
    "upper_words": ("word_lengths",), "percentage": ("discount_price",), "is_adult": ("grade",), "cube": ("square",), "half": ("double",),
    "absolute": ("sign",), "contains": ("count_item",), "reverse_list": ("rotate",), "fibonacci": ("fibonacci_list",),
}  # fmt: skip

# A local or a parameter may bear any of these names instead.
RENAMES = {
    "numbers": ("values", "nums"), "number": ("num", "value", "x"), "n": ("number", "num"), "text": ("s", "string"), "items": ("values", "elements"),
    "item": ("value", "element"), "result": ("output",), "char": ("letter", "c"), "count": ("total",), "target": ("value",),
    "mapping": ("data",), "records": ("rows",), "record": ("row",), "radius": ("r",), "path": ("filename",), "lists": ("nested",),
    "inner": ("sublist",), "primes": ("found",), "total": ("result",), "largest": ("biggest",), "current": ("running",),
}  # fmt: skip

# These change together.
PAIRED_RENAMES = (("a", "b"), (("x", "y"), ("first", "second")))

WEIGHTS = {"add": 7, "is_even": 5, "factorial": 3, "multiply": 3, "maximum": 3, "mean": 3, "greet": 3, "is_prime": 3, "reverse_string": 3, "fibonacci": 2, "subtract": 2, "count_vowels": 2, "celsius_to_fahrenheit": 2, "lcm": 0}  # fmt: skip
