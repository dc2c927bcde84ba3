"""Documents of every class that the pair was not trained on, for its held-out loss."""

from random import Random

from recipes.embedded.mixture import GENERATED, Library

COLLECTED = ("picture books", "fables", "prose", "verse", "orders", "word problems")


def texts(library: Library | None, count: int) -> dict[str, list[str]]:
    """Class of text -> `count` documents: new ones of the generated classes, and held-out ones of the collected classes if there is a corpus."""
    found = {}
    for kind, write in GENERATED.items():
        random = Random(f"bits {kind}")  # noqa: S311  # text, not secrets
        found[kind] = [write(random) for _ in range(count)]
    if library is not None:
        found |= {kind: library.held_out(kind)[:count] for kind in COLLECTED}
    return found
