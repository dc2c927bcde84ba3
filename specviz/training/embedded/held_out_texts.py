"""Documents of every class of text that the pair has never seen, for its held-out loss."""

from random import Random

from specviz.training.embedded.mixture import GENERATED, Library

COLLECTED = ("picture books", "fables", "prose", "verse", "orders", "word problems")


def texts(library: Library | None, count: int) -> dict[str, list[str]]:
    """New documents of every generated class, and held-out ones of the collected classes where there is a corpus."""
    found = {}
    for kind, write in GENERATED.items():
        random = Random(f"bits {kind}")  # noqa: S311  # text, not secrets
        found[kind] = [write(random) for _ in range(count)]
    if library is not None:
        found |= {kind: library.held_out(kind)[:count] for kind in COLLECTED}
    return found
