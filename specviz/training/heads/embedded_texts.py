"""Texts for the embedded target to continue, and the prompts on which what learns from them is examined. It has no chat template."""

from hashlib import sha256
from itertools import islice
from pathlib import Path

from specviz.offers import embedded_folder
from specviz.reporting.prompts import ready_prompts
from specviz.training.continuations import CHARACTERS
from specviz.training.drafts.documents import Documents
from specviz.training.embedded import knowledge, openings
from specviz.training.embedded.corpus import check
from specviz.training.embedded.mixture import GENERATED, Library, documents
from specviz.training.embedded.recipes import OWN

_DOCUMENTS, _FEW = 30_000, 1000
_LITTLE = 20_000
"""Up to so many tokens a few documents are enough. Otherwise there are always as many, so that more tokens continue the same text."""
_EXAMINED = 20
"""Prompts of a category, at most."""


def is_embedded(folder: Path) -> bool:
    """Whether this is the folder of the target that comes with the project."""
    return folder.resolve() == (embedded_folder() / "target").resolve()


def examined() -> dict[str, tuple[str, ...]]:
    """Category -> prompts that no text here begins with."""
    found = openings.by_category(knowledge.read(embedded_folder()), _EXAMINED)
    return {category: tuple(prompts) for category, prompts in found.items()}


def texts(corpus: Path | None, tokens: int, seed: int) -> Documents:
    """Documents in the shares of the recipe from whose continuations its drafts learned; without a corpus only those from templates.

    Args:
        tokens: that are to be written.

    Raises:
        CorpusError: the corpus is not complete.
    """
    if corpus is not None:
        check(corpus)
    shares = OWN if corpus is not None else {kind: share for kind, share in OWN.items() if kind in GENERATED}
    library = Library(corpus, shares)
    ready = tuple(prompt.text for prompt in ready_prompts() if prompt.category != "facts")
    endless = documents(library, shares, f"{seed} heads", openings.held_out(ready, library), CHARACTERS)
    found = tuple(text for _, text in islice(endless, _FEW if tokens <= _LITTLE else _DOCUMENTS))
    return Documents(found, (), sha256("\n\n".join(found).encode()).hexdigest()[:16])
