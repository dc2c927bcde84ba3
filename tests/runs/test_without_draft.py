"""Runs, races, the audit of every way and the engine process on a pair without a draft model."""

import io
from pathlib import Path

import pytest

from specviz.audit import every_way
from specviz.audit.every_way import CheckOutcome
from specviz.decoding.drafters import registry
from specviz.errors import PairError
from specviz.models import Pair, load_pair
from specviz.reporting.player.html_page import page
from specviz.reporting.player.wording import drafter as drafter_words
from specviz.request import PairRequest, Request
from specviz.runs import engine_process
from specviz.runs.engine_process import Engine
from specviz.runs.race import race
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.files import dumps, loads
from specviz.wire import Done, JobFailure, LoadedPair, RunPrompt, RunStart, decode_event
from tests.models.folders import save_model

pytestmark = pytest.mark.slow

ABLE = ("ngram", "suffix", "early-exit", "quantized")
SHORT = Settings(max_new_tokens=10, k=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_model(tmp_path_factory.mktemp("alone") / "tiny", num_hidden_layers=4, end_ids=None)


@pytest.fixture(scope="module")
def pair(folder: Path) -> Pair:
    return load_pair(target=str(folder), device="cpu", dtype="float32")


def settings(name: str, **changes: object) -> Settings:
    return registry.fitted(Settings(**{"max_new_tokens": 10, "k": 3, "drafter": name, **changes}))  # type: ignore[arg-type]


def test_the_registry_knows_which_drafters_need_a_draft() -> None:
    """Those that need none are offered for a target alone; the usual one there is the first of them."""
    assert registry.able(draft=False) == ABLE
    headless = tuple(name for name, one in registry.descriptions().items() if one.needs != "trained head")
    assert registry.able(draft=True) == headless
    assert (registry.usual(draft=True), registry.usual(draft=False)) == (Settings().drafter, "ngram")
    every = (*ABLE, "model", "tree")
    assert [name for name in every if registry.refusal(name, "x", draft=False)] == ["model", "tree"]
    assert not any(registry.refusal(name, "x", draft=True) for name in every)


def test_every_other_drafter_writes_the_plain_text(pair: Pair) -> None:
    """Greedy, by each drafter that needs no draft model; the recording has no draft, and its JSON and its page accept that."""
    plain = Run(pair, "the dog", SHORT, plain=True).finish()
    for name in ABLE:
        trace = Run(pair, "the dog", settings(name)).finish()
        assert (trace.token_ids, trace.card.draft, trace.card.drafter.name) == (plain.token_ids, None, name)
    assert loads(dumps([trace, plain])) == (trace, plain)
    assert '"draft":null' in dumps([trace]).replace(" ", "")
    made = page([trace, plain], "A test").partition('<p class="made">')[2].partition("</p>")[0]
    assert made.startswith(f"Target {pair.name} (")
    assert ", draft " not in made


def test_a_drafter_that_needs_a_draft_is_refused_in_one_sentence(pair: Pair) -> None:
    """The sentence names the drafter, the pair and the drafters that work; plain decoding with the same settings goes on."""
    for name in ("model", "tree"):
        with pytest.raises(PairError) as caught:
            Run(pair, "the dog", settings(name))
        assert str(caught.value) == (
            f"The drafter '{name}' needs a draft model, and {pair.name} comes without one: name a draft too, or choose the drafter "
            f"{' or '.join(map(repr, ABLE))}, which need none."
        )
    assert Run(pair, "the dog", SHORT, plain=True).finish().token_ids
    assert Run(pair, "the dog").drafter.name == "ngram", "without settings the first drafter that works"
    assert race(pair, "the dog", repeats=1).same_text


def test_the_audit_sets_the_others_aside(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The findings are about the target alone; what needs a draft model is set aside with the reason, and nothing differs."""
    monkeypatch.setattr(every_way, "_NEW_TOKENS", 6)
    found = {one.name: one for one in every_way.every_way(pair, lambda what: None)}
    aside = {name for name, one in found.items() if one.outcome is CheckOutcome.SET_ASIDE}
    assert aside == {
        f"text of {name}, {how}" for name in ("model", "suffix-model", "tree") for how in ("greedy", "shared noise")
    }
    assert all("needs a draft model" in found[name].note for name in aside)
    assert not any(one.outcome is CheckOutcome.DIFFERS for one in found.values())
    assert "trees on the target" in found
    assert not any("the draft" in name for name in found)


def test_the_engine_process_serves_a_target_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page may ask for a target only: it is loaded, measured and run; a drafter that needs a draft fails in one sentence, and the
    run after it works again."""
    monkeypatch.setattr(engine_process, "_TIMED_S", 0.01)
    asked = PairRequest(target=str(folder), device="cpu", dtype="float32")
    out = io.StringIO()
    engine = Engine(out)
    for name in ("ngram", "model", "early-exit"):
        engine.do(RunPrompt(name, Request(asked, "the dog", settings(name))))
    events = [decode_event(line) for line in out.getvalue().splitlines()]
    first, refused, exit_ = (
        [one for one in events if getattr(one, "job", "") == name] for name in ("ngram", "model", "early-exit")
    )
    (loaded,) = [event for event in first if isinstance(event, LoadedPair)]
    assert loaded.card.draft is None
    assert loaded.plain_rate > 0
    for own, name in ((first, "ngram"), (exit_, "early-exit")):
        (started,) = [event for event in own if isinstance(event, RunStart)]
        last = own[-1]
        assert isinstance(last, Done)
        assert (started.card.draft, started.card.drafter.name) == (None, name)
    assert isinstance(refused[-1], JobFailure)
    assert "needs a draft model" in refused[-1].message
    assert drafter_words(asked, settings("ngram")) == f"n-gram lookup, {folder}"
