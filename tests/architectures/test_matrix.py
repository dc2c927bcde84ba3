"""On tiny models of one architecture of each kind every drafter gives the plain text; `make rare` examines all of them."""

from pathlib import Path

import pytest
import transformers

from tests.architectures.examination import BRIEF, QUICK, examined
from tests.architectures.expectations import EVERYDAY, REFUSED, SAVED, unexpected
from tests.helpers.architectures import ARCHITECTURES, BASE, VOCABULARY, WINDOW, Kind, described
from tests.models.folders import byte_tokenizer


@pytest.fixture(autouse=True)
def _quiet() -> None:
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", EVERYDAY)
def test_every_drafter_gives_the_plain_text(name: str, tmp_path: Path) -> None:
    """At k 3 and 7, across the window and the length after which rotations change, all drafters without a head give what plain decoding, fresh passes and transformers give."""
    extent = BRIEF if ARCHITECTURES[name].kind is Kind.HYBRID else QUICK  # they read prompts slowly, and have no window
    assert unexpected(name, examined(name, extent, tmp_path if name in SAVED else None)) == ()


def test_the_table_is_what_it_says() -> None:
    """The expectations name rows that exist, there are more than 100 classes, and windowed rows have windows."""
    assert {*EVERYDAY, *REFUSED, *SAVED} <= ARCHITECTURES.keys()
    assert len({row.class_name for row in ARCHITECTURES.values()}) >= 100
    assert sum(row.kind is Kind.HYBRID for row in ARCHITECTURES.values()) >= 10
    assert len(byte_tokenizer()) == VOCABULARY == BASE["vocab_size"]
    windowed = [row for row in ARCHITECTURES.values() if row.kind is Kind.WINDOWED]
    assert all(any(size in str(described(row)) for size in (str(WINDOW), "'sliding_window': 4")) for row in windowed)
