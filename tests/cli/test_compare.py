"""`specviz compare` with the real embedded pair, and what it refuses before anything is loaded."""

import pytest

from specviz import models
from specviz.cli import main
from specviz.cli.compare import plan_of
from specviz.decoding.drafters import registry
from specviz.model_choice import heads_here
from specviz.models import Pair
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.metrics import summarise
from tests.helpers.commands import specviz

PROMPT = "Dear Anna,\n\nThank you for your"
SHORT = ("--tokens", "10", "--repeats", "1", "--device", "cpu")


@pytest.mark.slow
def test_each_row_is_the_run_of_its_own_settings(embedded: Pair) -> None:
    """Passes, tokens and α of every cell are those of a run with its values; the printed table has the same figures."""
    found = specviz("compare", PROMPT, "--k", "1,4", *SHORT, "--json")
    assert found.code == 0, found.err
    rows = found.json["rows"]
    assert [(row["drafter"], row["k"]) for row in rows] == [("model", "1"), ("model", "4")]
    for row in rows:
        settings = Settings(k=int(row["k"]), drafter=row["drafter"], max_new_tokens=10)
        own = summarise(Run(embedded, PROMPT, settings).finish())
        assert (row["passes"], row["tokens"], row["alpha"]) == (own.rounds, 10, own.acceptance_rate)
        assert row["text"] == "same"
        assert (row["speedup"] is None) == bool(row["why"])
    printed = specviz("compare", PROMPT, "--k", "4", "--drafters", "model", *SHORT)
    assert printed.code == 0, printed.err
    assert f"{rows[1]['tokens_per_pass']:.2f}" in printed.out


@pytest.mark.rare
def test_another_draft_model_is_loaded_for_its_cells() -> None:
    """The four drafts of one target: the strong one brings more tokens a pass than the weak one, and every text is the plain one."""
    found = specviz(
        "compare", "Once upon a time", "--drafts", "embedded-tiny,embedded-large", *SHORT[2:], "--tokens", 24, "--json"
    )
    assert found.code == 0, found.err
    weak, strong = found.json["rows"]
    assert (weak["draft"], strong["draft"]) == ("embedded-tiny", "embedded-large")
    assert weak["passes"] > strong["passes"]
    assert weak["text"] == strong["text"] == "same"


def test_bad_requests_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """A drafter without its head, bad numbers, no prompt: exit code 2, and nothing is loaded."""
    monkeypatch.setattr(models, "load_pair", lambda *args, **options: pytest.fail("nothing may be loaded"))
    for options, says in (
        (("--drafters", "medusa", "--target", "some/model"), "needs a head of the kind medusa"),
        (("--repeats", "0"), "--repeats: invalid choice: 0"),
        (("--tokens", "x"), "invalid int value: 'x'"),
        ((" ",), "The prompt was empty"),
    ):
        outcome = specviz("compare", *options)
        assert outcome.refused, (options, outcome)
        assert says in outcome.err


def test_without_an_axis_every_drafter_is_compared() -> None:
    """Also beside an option with one value, which only sets it."""
    parser = main._parser()
    for options, cells in (
        (["--k", "3"], len(registry.able(draft=True, heads=heads_here("embedded")))),
        (["--k", "2,3"], 2),
        (["--drafters", "ngram"], 1),
    ):
        plan = plan_of(parser.parse_args(["compare", "Once", *options]))
        assert len(plan.cells) == cells, options
