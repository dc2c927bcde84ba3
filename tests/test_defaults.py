"""Whatever decodes works without settings."""

from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.loop import speculate
from specviz.decoding.testing import TableModel
from specviz.models import Pair
from specviz.runs.race import race
from specviz.runs.run import Run
from specviz.settings import Settings
from tests.helpers.rounds import text_of


def test_nothing_needs_settings(embedded: Pair) -> None:
    """`speculate`, `Run` and `race` take the defaults of `Settings()` where none are given."""
    table = TableModel.random(4, seed=1)
    usual = Settings()
    written = text_of(speculate(table, NoDrafter(4), [0]))
    assert written == text_of(speculate(table, NoDrafter(4), [0], usual))
    assert len(written) == usual.max_new_tokens
    run = Run(embedded, "One, two,")
    assert run.settings == usual
    outcome = race(embedded, "One, two,", repeats=1)
    assert outcome.same_text
    assert outcome.recorded[0].token_ids == run.finish().token_ids
