"""The model card says what was measured, and whom the text is owed to."""

import gzip
import json
import re
from pathlib import Path

import pytest

from recipes.embedded import attribution, card
from recipes.embedded.recipe import Recipe
from recipes.embedded.recipes import EMBEDDED, MINIATURE
from recipes.embedded.tests.helpers import said
from specviz.errors import CorpusError

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


def written(recipe: Recipe, pair: Path) -> str:
    for name in recipe.drafts:
        (pair / name).mkdir(exist_ok=True)
    card.write(recipe, pair, pair / "figures.json", [0])
    return (pair / "README.md").read_text(encoding="utf-8")


def test_where_the_draft_is_worse_is_named(pair: Path) -> None:
    """Where the draft is clearly worse than its undistilled twin the card says by how much, the worst first; otherwise nothing."""
    bits = {
        "draft": {"lists": 0.75, "verse": 2.5, "stories": 1.21, "JSON": 0.2},
        "draft-undistilled": {"lists": 0.69, "verse": 2.49, "stories": 0.74, "JSON": 0.7},
    }
    (pair / "figures.json").write_text(json.dumps(FIGURES | {"bits_per_byte": bits}))
    assert "worse than `draft-undistilled` on stories (1.21 against 0.74), lists (0.75 against 0.69)." in written(
        MINIATURE, pair
    )
    bits["draft"] = bits["draft-undistilled"]
    (pair / "figures.json").write_text(json.dumps(FIGURES | {"bits_per_byte": bits}))
    assert "is worse than" not in written(MINIATURE, pair)


def test_the_history_of_the_weights_is_told_by_who_knows_it(pair: Path) -> None:
    """The note about the weights is above their hashes; without a note there is no sentence."""
    files = written(MINIATURE, pair).split("## Files\n\n")[1]
    assert files.startswith("| file | SHA-256 |")
    asked = ("card", "--recipe", "miniature", "--pair", str(pair), "--figures", str(pair / "figures.json"))
    assert said(*asked, "--quote", "1", "--history", " They replace weights that were worse. ")[0] == 0
    told = (pair / "README.md").read_text(encoding="utf-8").split("## Files\n\n")[1]
    assert told == f"They replace weights that were worse.\n\n{files}"


@pytest.mark.parametrize("recipe", [MINIATURE, EMBEDDED])
def test_every_training_stands_in_the_card(pair: Path, recipe: Recipe) -> None:
    """There is one line for each training with its networks, its phases, its rates and the weights of its losses, in the order of the work."""
    lines = re.findall(r"^- ([\w-]+): (.+); (.+)\.$", written(recipe, pair), re.MULTILINE)
    assert [name for name, _, _ in lines] == list(recipe.plans)
    for (name, read, how), plan in zip(lines, recipe.plans.values(), strict=True):
        assert f"{plan.batch:,} tokens a step, Muon {plan.matrix_rate} " in how
        assert f"AdamW {plan.other_rate} " in how
        assert f"rising over the first {plan.warm_up:,} tokens" in how
        assert f"the last {plan.cool_down:.0%} of the steps" in how
        assert (f"early exit at weight {plan.exit_weight}" in read) == bool(plan.exit_weight), name
        for phase in plan.phases:
            assert f"{phase.tokens / 1e6:g} M tokens" in read
            assert f"of the mixture `{phase.name}` in rows of {phase.context}" in read
            assert all(
                re.search(rf"continuing beginnings, and [^,]*\b{kind}\b[^,]* unchanged,", read)
                for kind in phase.as_text
            )
        assert read.count("that the target wrote itself") == sum(phase.by_target for phase in plan.phases)
        assert read.count("unchanged,") == sum(bool(phase.as_text) for phase in plan.phases)
    drafts = {name: set(re.findall(r"`(draft[\w-]*)`", read)) for name, read, _ in lines}
    assert {stage.name: set(stage.drafts) for stage in recipe.draft_stages}.items() <= drafts.items()


@pytest.mark.parametrize("recipe", [MINIATURE, EMBEDDED])
def test_every_mixture_has_its_column(pair: Path, recipe: Recipe) -> None:
    """Each mixture is one column, headed by the names of all phases that read it and by no other's, and each column sums to a hundred."""
    rows = [
        line.split(" | ") for line in written(recipe, pair).split("| class of text")[1].split("\n\n")[0].split("\n")
    ]
    head, body = rows[0][1:], rows[2:]
    columns = {name: place for place, names in enumerate(head, 1) for name in names.strip("| ").split(", ")}
    phases = [phase for plan in recipe.plans.values() for phase in plan.phases]
    assert columns.keys() == {phase.name for phase in phases}
    assert len(head) == len({repr(phase.shares) for phase in phases})
    for phase in phases:
        shares = {row[0].strip("| "): float(row[columns[phase.name]].strip("| %")) for row in body}
        assert sum(shares.values()) == pytest.approx(100, abs=1)
        whole = sum(phase.shares.values())
        for kind, share in shares.items():
            assert share == pytest.approx(100 * phase.shares.get(kind, 0) / whole, abs=0.051)


def test_every_class_of_text_says_where_it_comes_from(pair: Path) -> None:
    """Each class that the embedded recipe needs is in the table of licences and sources."""
    table = written(EMBEDDED, pair).split("| text | licence and source |")[1].split("\n\n")[0]
    named = {
        kind for row in table.split("\n") for kind in re.split(r"[|:,]\s*", row.removeprefix("| ").rsplit(" | ", 1)[0])
    }
    asked = {kind for plan in EMBEDDED.plans.values() for phase in plan.phases for kind in phase.shares}
    assert asked <= {kind.strip() for kind in named}


def test_every_curve_is_shown(pair: Path) -> None:
    """For each training in the curves a picture is drawn, and the card shows it; one that is not there is not spoken of."""
    curves = json.loads((pair / "curves.json").read_text())
    (pair / "curves.json").write_text(json.dumps(curves | {"target-continued": curves["target"]}))
    shown = re.findall(r"^!\[[^\]]+\]\(([^)]+)\)$", written(MINIATURE, pair), re.MULTILINE)
    assert shown == ["curves-target.svg", "curves-target-continued.svg"]
    assert sorted(path.name for path in pair.glob("*.svg")) == sorted(shown)


def test_a_changed_weight_changes_its_hash(pair: Path) -> None:
    """The hashes are of the files' bytes."""
    before = card.hashes(pair)
    (pair / "target" / "model.safetensors").write_bytes(b"other")
    after = card.hashes(pair)
    assert {name for name in before if before[name] != after[name]} == {"target/model.safetensors"}


def test_every_author_is_credited(tmp_path: Path) -> None:
    """Each book is in the list with author, collection and licence, and no name becomes Markdown."""
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
