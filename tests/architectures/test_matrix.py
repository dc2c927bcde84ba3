"""On tiny models of all architectures every drafter gives the plain text: quickly on one of each kind, and at full size on all of them."""

from pathlib import Path

import pytest
import transformers

from tests.architectures.examination import BRIEF, FULL, QUICK, Extent, examined
from tests.architectures.expectations import EVERYDAY, HEADLESS, INCONSISTENT, REFUSED, SAVED, unexpected
from tests.helpers.architectures import ARCHITECTURES, BASE, VOCABULARY, WINDOW, Kind, described
from tests.models.folders import byte_tokenizer


@pytest.fixture(autouse=True)
def _quiet() -> None:
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()


ROWS = [
    *(pytest.param(name, QUICK if name == "phi3_longrope" else BRIEF, id=name) for name in EVERYDAY),
    *(pytest.param(name, FULL, id=f"{name}, in full", marks=pytest.mark.rare) for name in ARCHITECTURES),
]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "extent"), ROWS)
def test_every_drafter_gives_the_plain_text(name: str, extent: Extent, tmp_path: Path) -> None:
    """At several draft lengths, across the window and the length after which rotations change, all drafters give what plain decoding, fresh
    passes and transformers give."""
    assert unexpected(name, examined(name, extent, tmp_path if name in SAVED else None)) == ()


def test_the_table_is_what_it_says() -> None:
    """The expectations name rows that exist; at least 85 classes, 10 hybrids among them, are equal with all drafters; windowed rows have windows."""
    assert {*EVERYDAY, *REFUSED, *SAVED} <= ARCHITECTURES.keys()
    equal = [ARCHITECTURES[name] for name in ARCHITECTURES.keys() - {*REFUSED, *HEADLESS, *INCONSISTENT}]
    assert len({row.class_name for row in equal}) >= 85
    assert len({row.class_name for row in equal if row.kind is Kind.HYBRID}) >= 10
    assert len(byte_tokenizer()) == VOCABULARY == BASE["vocab_size"]
    windowed = [row for row in ARCHITECTURES.values() if row.kind is Kind.WINDOWED]
    assert all(any(size in str(described(row)) for size in (str(WINDOW), "'sliding_window': 4")) for row in windowed)
