"""The model card says what was measured, and whom the text is owed to."""

import gzip
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from specviz.errors import CorpusError
from specviz.training import attribution, card, picture
from specviz.training.recipe import MINIATURE

FIGURES = {
    "counts": {"json_valid": [97, 100]},
    "intervals": {"json_valid": [0.915, 0.99]},
    "alpha": {"letters": 0.91, "story": None},
    "alpha_undistilled": {"letters": 0.85, "story": 0.4},
    "alpha_gain": 0.0625,
    "speedup": {"letters": 2.5},
    "speedup_k": {"letters": 5},
    "speedup_dtype": "float32",
    "bits_per_byte": {"target": {"letters": 0.4}, "draft": {"letters": 0.7}},
    "stories": [{"prompt": "Once", "text": " a hen.\nThe end."}, {"prompt": "Twice", "text": " a fox."}],
}


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    for name in ("target", *MINIATURE.drafts):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.safetensors").write_bytes(name.encode())
    points = [{"tokens": tokens, "losses": {"target": 8.0 / tokens}} for tokens in (1, 2, 4)]
    (tmp_path / "curves.json").write_text(json.dumps({"target": {"points": points, "seconds": 7200.0}}))
    (tmp_path / "figures.json").write_text(json.dumps(FIGURES))
    return tmp_path


def test_every_figure_goes_in_by_itself(pair: Path) -> None:
    """Counts, intervals, rates, speedups, losses, hours, hashes and the chosen story stand in the card, and no place is left open."""
    card.write(MINIATURE, pair, pair / "figures.json", [1])
    text = (pair / "README.md").read_text(encoding="utf-8")
    for part in (
        "97 | 100 | 97.0% | 91.5% to 99.0%",
        "0.91",
        "0.062",
        "2.50",
        "0.40 | 0.70",
        "2.0 hours",
        "**Twice** a fox.",
    ):
        assert part in text, part
    assert "Once" not in text.split("unedited")[1].split("##")[0]
    assert "$" not in text
    for name, digest in card.hashes(pair).items():
        assert f"| `{name}` | `{digest}` |" in text


def test_a_changed_weight_changes_its_hash(pair: Path) -> None:
    """The hashes are of the files' bytes."""
    before = card.hashes(pair)
    (pair / "target" / "model.safetensors").write_bytes(b"other")
    after = card.hashes(pair)
    assert {name for name in before if before[name] != after[name]} == {"target/model.safetensors"}


def test_curves_are_drawn_to_scale() -> None:
    """The picture is well-formed, has one line a network, and a lower loss stands lower."""
    svg = ET.fromstring(  # noqa: S314  # our own picture
        picture.curves({"a <b>": [(0, 9.0), (50, 3.0), (100, 1.0)], "c": [(0, 8.0), (100, 2.0)]}, "T & U")
    )
    lines = [element for element in svg.iter() if element.tag.endswith("polyline")]
    heights = [[float(point.split(",")[1]) for point in line.attrib["points"].split()] for line in lines]
    assert len(lines) == 2
    assert heights[0] == sorted(heights[0])
    assert heights[0][-1] > heights[1][-1]


def test_every_author_is_credited(tmp_path: Path) -> None:
    """Each book stands in the list with author, collection and licence, and no name becomes Markdown."""
    books = [
        {"title": "A *very* tall man", "author": "C. [G]", "source": "asp-source", "license": "CC-BY", "file": "x"},
        {"title": "Hen", "author": "Folk", "source": "pb-source", "license": "Public Domain", "file": "y"},
    ]
    with gzip.open(tmp_path / attribution.SOURCE, "wt", encoding="utf-8") as file:
        json.dump(books, file)
    attribution.write(tmp_path, tmp_path)
    text = (tmp_path / attribution.FILE).read_text(encoding="utf-8")
    assert r"- A \*very\* tall man, by C. \[G\] (African Storybook, CC BY 4.0)" in text
    assert "- Hen, by Folk (Pratham Books, public domain)" in text


def test_without_the_authors_nothing_is_handed_on(tmp_path: Path) -> None:
    """A missing or broken list of authors is refused, by its name."""
    with pytest.raises(CorpusError, match=attribution.SOURCE):
        attribution.write(tmp_path, tmp_path)
    (tmp_path / attribution.SOURCE).write_bytes(gzip.compress(b'[{"title": "x"}]'))
    with pytest.raises(CorpusError, match=attribution.SOURCE):
        attribution.write(tmp_path, tmp_path)
