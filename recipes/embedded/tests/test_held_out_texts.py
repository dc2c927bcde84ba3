"""The documents that the held-out loss is taken on: every class, always the same, never trained on."""

import gzip
import json
from pathlib import Path

from recipes.embedded import corpus, held_out_texts
from recipes.embedded.mixture import GENERATED, Library


def test_documents_of_every_generated_class_are_the_same_each_time() -> None:
    """Without a corpus each generated class gives so many documents, all real text and always the same."""
    found = held_out_texts.texts(None, 3)
    assert found.keys() == GENERATED.keys()
    assert all(len(texts) == 3 and all(text.strip() for text in texts) for texts in found.values())
    assert held_out_texts.texts(None, 3) == found


def test_a_corpus_adds_only_what_is_held_out(tmp_path: Path) -> None:
    """With a corpus come documents of every collected class, none of which the library gives to a training."""
    for kind, name in [*corpus.FILES.items(), ("countries", corpus.COUNTRIES)]:
        with gzip.open(tmp_path / name, "wt") as file:
            file.writelines(json.dumps({"text": f"Number {place} of {kind}."}) + "\n" for place in range(60))
    library = Library(tmp_path, held_out_texts.COLLECTED)
    found = held_out_texts.texts(library, 2)
    assert found.keys() == {*GENERATED, *held_out_texts.COLLECTED}
    for kind in held_out_texts.COLLECTED:
        assert len(found[kind]) == 2
        stream = library.stream(kind, "1")
        assert not {next(stream) for _ in range(200)} & set(found[kind])
