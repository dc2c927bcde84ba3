"""A complete small corpus, and a complete small pair, made once in a test run by the real command, for every test that needs one."""

import gzip
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import torch
import transformers

from recipes.embedded import __main__ as command
from recipes.embedded import acceptance, corpus, report_card, speed
from recipes.embedded.tests.helpers import WriteCorpus, once, said
from specviz.models import Pair, load_pair
from specviz.training import precision

COUNTRIES = [
    {
        "country": name,
        "region": region,
        "capital": capital,
        "currency": f"{money} (XYZ) per US dollar -",
        "languages": f"{language} (official)",
    }
    for name, region, capital, money, language in (
        ("Finland", "europe", "Helsinki", "euros", "Finnish"),
        ("Jordan", "middle-east", "Amman", "Jordanian dinars", "Arabic"),
        ("Japan", "east-n-southeast-asia", "Tokyo", "yen", "Japanese"),
        ("Peru", "south-america", "Lima", "soles", "Spanish"),
        ("Togo", "africa", "Lome", "West African francs", "French"),
        ("Nepal", "south-asia", "Kathmandu", "Nepalese rupees", "Nepali"),
    )
]


@pytest.fixture(scope="session")
def embedded() -> Pair:
    """The pair that the recipe made."""
    return load_pair("embedded", device="cpu", dtype="float32")


@pytest.fixture
def corpus_of(tmp_path: Path) -> WriteCorpus:
    """Writes a complete corpus folder: sixty short documents a class, or those given for it."""

    def write(given: Mapping[str, Sequence[str]] | None = None) -> Path:
        folder = tmp_path / "corpus"
        folder.mkdir(exist_ok=True)
        files: dict[str, Sequence[object]] = {corpus.COUNTRIES: COUNTRIES}
        for kind, name in corpus.FILES.items():
            own = [f"The {kind} number {n} say{' again' * (n % 40)} what they said." for n in range(60)]
            files[name] = [{"text": text} for text in (given or {}).get(kind, own)]
        for name, records in files.items():
            lines = "".join(json.dumps(record) + "\n" for record in records)
            (folder / name).write_bytes(gzip.compress(lines.encode(), 1))
        return folder

    return write


@pytest.fixture(scope="session")
def miniature_made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, str, str]:
    """Where `make` put the miniature pair, its exit code, and what it wrote to stdout and stderr."""
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()

    def build(folder: Path) -> None:
        asked = ("--recipe", "miniature", "--device", "cpu", "--no-compile", "--out", str(folder / "pair"))
        with pytest.MonkeyPatch.context() as patch:  # the same weights on every processor
            patch.setattr(precision, "fast_precision", lambda device: torch.float32)
            (folder / "outcome.json").write_text(json.dumps(said("make", *asked)))

    folder = once(tmp_path_factory, "miniature", build)
    code, out, err = json.loads((folder / "outcome.json").read_text())
    return folder / "pair", code, out, err


@pytest.fixture(scope="session")
def miniature(miniature_made: tuple[Path, int, str, str]) -> Path:
    """The folder of the miniature pair; not to be changed."""
    folder, code, _, err = miniature_made
    assert code == 0, err
    return folder


@pytest.fixture(scope="session")
def plain_evaluated(miniature: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, str, str]:
    """A pair of a target and one draft, and what `evaluate --quick --json` prints of it, with little in each section."""

    def build(folder: Path) -> None:
        for name in ("target", "draft"):
            shutil.copytree(miniature / name, folder / "pair" / name)
        little = report_card.Size(
            samples=2, runs=1, repeats=1, prompts=1, creative_k=(1, 3), documents=1, thorough=False
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(report_card, "QUICK", little)
            patch.setattr(acceptance, "TOKENS", 20)
            patch.setattr(speed, "TOKENS", 20)
            patch.setattr(command, "_ready_made", lambda: {"letters": ("Dear Anna,\n\n", "Hello")})
            outcome = said("evaluate", "--pair", str(folder / "pair"), "--quick", "--json")
        (folder / "outcome.json").write_text(json.dumps(outcome))

    folder = once(tmp_path_factory, "evaluated", build)
    code, out, err = json.loads((folder / "outcome.json").read_text())
    return folder / "pair", code, out, err
