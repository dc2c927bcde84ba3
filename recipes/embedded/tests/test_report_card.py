"""The whole examination of a small pair, with invented countries beside it and without."""

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from recipes.embedded import acceptance, knowledge, speed
from recipes.embedded.forms import EXERCISES
from recipes.embedded.marks import Share
from recipes.embedded.mixture import GENERATED
from recipes.embedded.report_card import Candidate, Size, examine, lines
from recipes.embedded.templates.countries import Country
from recipes.embedded.tests.helpers import once

pytestmark = [pytest.mark.slow]

KNOWN = (
    Country("Alva", "Borum", "Europe", "crown", ("Alvan",)),
    Country("Brenn", "Kestrel", "Asia", "dollar", ("Brennish", "Norse")),
    Country("the Rock", None, "Europe", None, ()),
)
BRIEF = Size(samples=2, runs=1, repeats=1, prompts=1, creative_k=(1, 3), documents=1, thorough=False)
READY_MADE = {"letters": ("Dear Anna,\n\n", "Hello"), "verse": ("The winter wind",)}
CATEGORIES = {"letters", "JSON", "code", "counting", "orders", "word problems", "story", "verse"}


@dataclass(frozen=True)
class Examined:
    figures: dict[str, Any]
    told: tuple[tuple[int, int, str], ...] = ()


@pytest.fixture(scope="session")
def taught(miniature: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pair with countries beside it, of which it knows nothing, with one more draft than the lesson needs, and with its examination."""

    def build(folder: Path) -> None:
        pair = Path(shutil.copytree(miniature, folder / "pair"))
        shutil.copytree(pair / "draft", pair / "draft-another")
        knowledge.write(KNOWN, pair)
        told: list[tuple[int, int, str]] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(acceptance, "TOKENS", 20)  # nothing here depends on how long the runs are
            patch.setattr(speed, "TOKENS", 20)
            figures = examine(Candidate(pair, READY_MADE, None), BRIEF, lambda *now: told.append(now))
        text = json.dumps([figures, told], allow_nan=False)
        assert json.loads(text)[0] == figures, "the figures are plain values, and none is NaN or infinite"
        (folder / "examined.json").write_text(text)

    return once(tmp_path_factory, "taught", build) / "pair"


@pytest.fixture(scope="module")
def examined(taught: Path) -> Examined:
    figures, told = json.loads(taught.with_name("examined.json").read_text())
    return Examined(figures, tuple((done, parts, name) for done, parts, name in told))


@pytest.fixture(scope="module")
def plain(plain_evaluated: tuple[Path, int, str, str]) -> Examined:
    """Of a pair with one draft and no countries, as the command gave it."""
    _, _, printed, _ = plain_evaluated
    return Examined(json.loads(printed))


def test_every_documented_figure_is_there(examined: Examined) -> None:
    """Knowledge, forms, acceptance rates, speedups and bits a byte, under the names that the documentation gives them."""
    figures = examined.figures
    assert figures.keys() >= {"capitals", *EXERCISES, "alpha", "alpha_undistilled", "speedup", "bits_per_byte"}
    assert figures["capitals"].keys() == {"target", "draft"}
    assert figures["alpha"].keys() == figures["alpha_undistilled"].keys() == CATEGORIES | {"facts"}
    assert figures["alpha_at_0.8"].keys() == {"story", "verse"}
    assert figures["speedup"].keys() == figures["speedup_k"].keys() == READY_MADE.keys()
    assert figures["speedup_k"]["letters"] == 5
    assert figures["speedup_k"]["verse"] in BRIEF.creative_k
    assert figures["speedup_dtype"] in ("float32", "bfloat16")
    assert figures["bits_per_byte"].keys() == {"target", "draft"}
    assert all(by_kind.keys() == GENERATED.keys() for by_kind in figures["bits_per_byte"].values())
    assert {"continent_right", "currency_right", "language_right", "first_rejection_on_answer"} <= figures.keys()


def leaves(value: object) -> Iterator[object]:
    if isinstance(value, Mapping):
        for part in value.values():
            yield from leaves(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from leaves(part)
    else:
        yield value


def test_shares_and_rates_lie_between_0_and_1(examined: Examined) -> None:
    """Every share and acceptance rate is one; ratios and bits are positive numbers."""
    figures = examined.figures
    shares = [figures[name] for name in (*EXERCISES, "continent_right", "currency_right", "language_right")]
    shares += leaves(
        [figures[name] for name in ("capitals", "alpha", "alpha_undistilled", "alpha_at_0.8", "intervals")]
    )
    assert all(isinstance(share, float) and 0 <= share <= 1 for share in shares)
    for ratio in leaves([figures["speedup"], figures["bits_per_byte"]]):
        assert isinstance(ratio, float)
        assert ratio > 0
    ours, other = figures["alpha"], figures["alpha_undistilled"]
    assert figures["alpha_gain"] == pytest.approx(sum(ours[name] - other[name] for name in ours) / len(ours))


def test_counts_and_intervals_belong_to_the_shares(examined: Examined) -> None:
    """Behind every share stand its counts and its interval, and so many were asked as the size says."""
    figures, counts = examined.figures, examined.figures["counts"]
    assert counts.keys() == figures["intervals"].keys()
    for name, (right, asked) in counts.items():
        share = Share(right, asked)
        first, _, second = name.partition(".")
        assert (figures[first][second] if second else figures[first]) == share.value
        assert figures["intervals"][name] == list(share.interval)
    assert {name: counts[name][1] for name in EXERCISES} == dict.fromkeys(EXERCISES, BRIEF.samples)
    assert counts["capitals.target"] == counts["capitals.draft"] == [0, 2]
    assert {counts[f"{kind}_right"][1] for kind in ("continent", "currency", "language")} == {BRIEF.samples}
    assert counts["first_rejection_on_answer"][1] == 2


def test_it_tells_how_far_it_is(examined: Examined) -> None:
    """Part after part is announced by name before it is done, and the end by all parts done."""
    done, parts, names = zip(*examined.told, strict=True)
    assert set(parts) == {len(examined.told) - 1}
    assert done == tuple(range(len(examined.told)))
    assert all(names[:-1])
    assert len(set(names)) == len(names)


def test_a_pair_without_countries_is_asked_nothing_about_them(plain: Examined) -> None:
    """No figure on countries, no category of facts, and nothing else is missing."""
    figures = plain.figures
    about = {"capitals", "continent_right", "currency_right", "language_right", "first_rejection_on_answer"}
    assert not about & figures.keys()
    assert figures["alpha"].keys() == CATEGORIES
    assert figures["counts"].keys() == EXERCISES.keys()
    assert figures["bits_per_byte"].keys() == {"target", "draft"}


def test_one_draft_is_compared_with_no_other(plain: Examined) -> None:
    """Without the undistilled draft there is no rate of it and no gain over it."""
    assert not {"alpha_undistilled", "alpha_gain"} & plain.figures.keys()


def test_only_the_drafts_of_the_lesson_are_looked_at(examined: Examined) -> None:
    """A brief examination leaves out the drafts that are neither the default nor its undistilled twin."""
    assert [name for name in examined.figures if name.startswith("alpha")] == [
        "alpha",
        "alpha_undistilled",
        "alpha_gain",
        "alpha_at_0.8",
    ]


def test_the_default_draft_comes_first(taught: Path, tmp_path: Path) -> None:
    """Every folder of a draft is found, the default one before the others; a folder without a network is none."""
    (tmp_path / "draft-empty").mkdir()
    found = Candidate(taught, {}, None).drafts
    assert found[0] == "draft"
    assert len(found) == len(set(found)) >= 3
    assert set(found) == {folder.name for folder in taught.iterdir() if folder.name.startswith("draft")}
    assert Candidate(tmp_path, {}, None).drafts == ()


def test_every_figure_is_printed(examined: Examined) -> None:
    """A person reads every share with its counts and interval, and every rate, ratio and bits figure by name."""
    printed = [line.plain for line in lines(examined.figures)]
    for name, (right, asked) in examined.figures["counts"].items():
        (line,) = (line for line in printed if line.startswith(f"{name.replace('_', ' ')} "))
        low, high = examined.figures["intervals"][name]
        assert line.split()[-6:] == [
            str(right),
            "of",
            str(asked),
            f"{right / asked:.1%}",
            f"[{low:.1%},",
            f"{high:.1%}]",
        ]
    for name in ("alpha", "alpha_undistilled", "alpha_at_0.8", "speedup"):
        (line,) = (line for line in printed if line.startswith(f"{name.replace('_', ' ')}: "))
        assert all(f"{category} {value:.2f}" in line for category, value in examined.figures[name].items())
    for network, by_kind in examined.figures["bits_per_byte"].items():
        (line,) = (line for line in printed if line.startswith(f"bits per byte, {network}: "))
        assert all(f"{kind} {value:.2f}" in line for kind, value in by_kind.items())
    assert any(f"{examined.figures['alpha_gain']:.3f}" in line for line in printed)


def test_what_is_missing_is_not_printed(plain: Examined) -> None:
    """Figures that were not taken leave no line."""
    printed = "\n".join(line.plain for line in lines(plain.figures))
    assert "capital" not in printed
    assert "undistilled" not in printed
    assert len(printed.splitlines()) >= len(EXERCISES) + 3
