"""A whole small corpus, and a whole small pair, made once by the real command, for every test that needs one."""

import contextlib
import gzip
import io
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
import transformers

from specviz.cli.main import main
from specviz.training import command
from specviz.training.embedded import corpus, report_card
from specviz.training.examination import acceptance, speed

Write = Callable[..., Path]

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


@pytest.fixture
def corpus_of(tmp_path: Path) -> Write:
    """Writes a whole corpus folder: sixty short documents a class, or those given for it."""

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


def said(*asked: str) -> tuple[int, str, str]:
    """The exit code of a command, and what it wrote to stdout and stderr."""
    with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.redirect_stderr(io.StringIO()) as told:
        code = main(asked)
    return code, printed.getvalue(), told.getvalue()


@pytest.fixture(scope="session")
def miniature_made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, str, str]:
    """Where `train make` was told to put the miniature pair, its exit code, and what it wrote to stdout and stderr."""
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    out = tmp_path_factory.mktemp("made") / "pair"
    asked = ("train", "make", "--recipe", "miniature", "--device", "cpu", "--no-compile", "--out", str(out))
    return out, *said(*asked)


@pytest.fixture(scope="session")
def miniature(miniature_made: tuple[Path, int, str, str]) -> Path:
    """The folder of the miniature pair; not to be changed."""
    folder, code, _, told = miniature_made
    assert code == 0, told
    return folder


@pytest.fixture(scope="session")
def plain_evaluated(miniature: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, str, str]:
    """A pair of a target and one draft, and what `train evaluate --quick --json` says of it, with little in each part."""
    folder = tmp_path_factory.mktemp("plain") / "pair"
    for name in ("target", "draft"):
        shutil.copytree(miniature / name, folder / name)
    little = report_card.Size(samples=2, runs=1, repeats=1, prompts=1, creative_k=(1, 3), documents=1, thorough=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report_card, "QUICK", little)
        patch.setattr(acceptance, "TOKENS", 20)
        patch.setattr(speed, "TOKENS", 20)
        patch.setattr(command, "_ready_made", lambda: {"letters": ("Dear Anna,\n\n", "Hello")})
        return folder, *said("train", "evaluate", "--pair", str(folder), "--quick", "--json")
