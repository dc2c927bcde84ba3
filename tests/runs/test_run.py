"""A run: an iterator over rounds, a complete trace at any moment, and errors before anything is computed."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, cast
from unittest.mock import Mock

import pytest
import torch

from specviz.decoding import clock
from specviz.decoding.protocols import Drafter
from specviz.decoding.recorder import FULL, LIGHT
from specviz.decoding.testing import ByteTokenizer
from specviz.errors import DeviceLostError, PairError, PromptError, SettingsError
from specviz.known_pairs import embedded_folder
from specviz.models import CachedModel, Pair, load_pair
from specviz.models.loading import with_draft
from specviz.models.networks.graphs import PASSES, GraphedDecoder
from specviz.runs import run as runs
from specviz.runs.build import build_drafter, exit_depth, first_step
from specviz.runs.prepare import prepare
from specviz.runs.run import Run
from specviz.settings import AUTO, Settings
from specviz.trace.cards import DrafterCard, ModelCard, PairCard
from specviz.trace.files import dumps, loads
from specviz.trace.records import Closing, Prefill, Stop
from tests.models.folders import save_model
from tests.models.networks.test_graphs import reader
from tests.models.test_cached_model import network

PROMPT = "Once upon a time"
SHORT = Settings(max_new_tokens=12, k=3)


@pytest.mark.parametrize(("plain", "temperature"), [(True, 0.0), (False, 0.8)])
def test_a_trace_is_complete_at_any_moment(embedded: Pair, plain: bool, temperature: float) -> None:
    """Before the first round, after each and at the end, the trace is valid, survives saving and has the rounds so far."""
    run = Run(embedded, PROMPT, replace(SHORT, temperature=temperature), plain=plain)
    assert (run.trace().rounds, run.trace().prefill, run.trace().stop) == ((), Prefill(), Stop.CANCELLED)
    assert loads(dumps([run.trace()])) == (run.trace(),)
    text = ""
    for count, round_ in enumerate(run, start=1):
        trace = run.trace()
        assert (trace.stop is Stop.CANCELLED) == (len(trace.token_ids) < SHORT.max_new_tokens)
        assert trace.rounds[-1] is round_
        assert len(trace.rounds) == count
        assert trace.prefill.target_s > 0
        assert loads(dumps([trace])) == (trace,)
        assert trace.text.startswith(text.rstrip("\ufffd"))
        text = trace.text
    assert run.stop in (Stop.LENGTH, Stop.END_OF_TEXT)
    assert run.trace().stop is run.stop
    assert next(run, None) is None


def test_what_is_prepared_serves_any_number_of_runs(embedded: Pair) -> None:
    """As `specviz.prepare` promises; its settings are not given a second time."""
    prepared = prepare(embedded, SHORT)
    texts = {Run(prepared, PROMPT).finish().token_ids for _ in range(2)}
    assert texts == {Run(embedded, PROMPT, SHORT).finish().token_ids}
    for given in ({"settings": SHORT}, {"plain": True}):
        with pytest.raises(SettingsError, match="was prepared already"):
            Run(prepared, PROMPT, **given)


@pytest.mark.slow
def test_one_seed_gives_one_text_whatever_the_clock_says(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above temperature 0 the text depends on how far each round drafts, and so drafts must not follow the clock of a busy machine."""
    settings = Settings(drafter=AUTO, k=0, nodes=0, policy=AUTO, temperature=1.0, seed=7, max_new_tokens=16)
    prepared, random, texts = prepare(embedded, settings), Random(1), set()  # noqa: S311  # a clock that jumps
    ticks = accumulate(random.expovariate(20) for _ in iter(int, 1))
    monkeypatch.setattr(clock, "perf_counter", lambda: next(ticks))
    for _ in range(3):
        texts.add(Run(prepared, PROMPT).finish().token_ids)
    assert len(texts) == 1


def test_plain_is_the_same_loop_without_drafts(embedded: Pair) -> None:
    """The plain run writes one bonus token per round, drafts nothing, names no draft model, and writes the same greedy text."""
    plain = Run(embedded, PROMPT, SHORT, plain=True).finish()
    speculative = Run(embedded, PROMPT, SHORT).finish()
    assert plain.token_ids == speculative.token_ids
    assert len(plain.token_ids) == SHORT.max_new_tokens == len(plain.rounds)
    assert all(r.drafted == () and r.closing and r.closing.how is Closing.BONUS for r in plain.rounds)
    assert len(speculative.rounds) < len(plain.rounds)
    assert (plain.card.draft, plain.card.drafter) == (None, DrafterCard("none", "none"))
    assert speculative.card.draft == embedded.card.draft
    assert speculative.card.drafter == DrafterCard("model", "draft model")


def test_the_table_covers_every_id_shown(embedded: Pair) -> None:
    """With every detail the table holds the alternatives' bytes too; with the light recorder only the text's and drafts'."""
    full = Run(embedded, PROMPT, SHORT, recorder=FULL).finish()
    light = Run(embedded, PROMPT, SHORT, recorder=LIGHT).finish()
    assert full.token_ids == light.token_ids
    assert set(light.tokens) < set(full.tokens)
    assert all(full.tokens[i] == embedded.text.bytes_of(i) for i in full.tokens)
    assert full.text == embedded.text.tokenizer.decode(list(full.token_ids))


@pytest.mark.slow
def test_a_text_fills_the_context_to_the_last_token(embedded: Pair) -> None:
    """The longest accepted prompt decodes to its end; with one token more it is rejected with the numbers before anything is decoded."""
    settings, fits, texts = Settings(max_new_tokens=4, k=8), " the" * (embedded.target.context - 4), set()
    for plain in (False, True):
        run = Run(embedded, fits, settings, plain=plain, recorder=LIGHT)
        assert len(run.prompt_ids) == embedded.target.context - 4
        texts.add(run.finish().token_ids)
        with pytest.raises(PromptError, match=r"has 1021 tokens and 4 new .* at most 1024 in all: shorten the prompt"):
            Run(embedded, fits + " the", settings, plain=plain)
    assert len(texts) == 1


def test_a_draft_with_a_shorter_context_sets_the_limit(tmp_path: Path) -> None:
    """If the draft's context is shorter than the target's, speculation is rejected with the draft's number and plain decoding is not."""
    target = save_model(tmp_path / "target", context=64)
    draft = save_model(tmp_path / "draft", context=32)
    pair = load_pair(target=str(target), draft=str(draft), device="cpu", dtype="float32")
    with pytest.raises(PromptError, match=r"prompt has 30 tokens and 12 new .* 32 in all: "):
        Run(pair, "x" * 30, SHORT)
    assert len(Run(pair, "x" * 30, SHORT, plain=True).finish().token_ids) > 0
    assert len(Run(pair, "x" * 20, SHORT).finish().token_ids) > 0


def test_two_runs_cannot_share_a_pair_at_once(embedded: Pair) -> None:
    """A run that continues after another has begun on its pair, or on one with another draft of the same target, is rejected instead of reading
    the other's cache."""
    for other in (embedded, with_draft(embedded, str(embedded_folder() / "draft-tiny"))):
        first = Run(embedded, PROMPT, SHORT)
        next(first)
        second = Run(other, "Dear Anna,", SHORT)
        next(second)
        with pytest.raises(PairError, match="one text at a time"):
            next(first)
        assert len(second.finish().token_ids) == 12


@pytest.mark.slow
def test_threads_take_turns(embedded: Pair) -> None:
    """Runs of four threads on one pair, and on another pair with the same target, write what each of them writes alone."""
    other = with_draft(embedded, str(embedded_folder() / "draft-tiny"))
    prompts, settings = ("Once upon a time", "Dear Anna,", "def add(", "1, 2, 3,"), replace(SHORT, max_new_tokens=8)
    alone = [Run(embedded, prompt, settings).finish().token_ids for prompt in prompts]
    with ThreadPoolExecutor(4) as threads:
        pairs = (embedded, other, embedded, other)
        assert [
            *threads.map(lambda pair, prompt: Run(pair, prompt, settings).finish().token_ids, pairs, prompts)
        ] == alone


STARVED = """
import resource
import psutil
from specviz.errors import PairError
from specviz.models import load_pair
from specviz.runs.race import race
from specviz.runs.run import Run
from specviz.settings import Settings

pair = load_pair("embedded", device="cpu", dtype="float32")
Run(pair, "One", Settings(max_new_tokens=2)).finish()
_, most = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().vms + 4_000_000, most))
try:
    Run(pair, "One", Settings(max_new_tokens=1000)).finish()
except PairError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
print(len(pair.target.network.buffers()))
print(len(Run(pair, "One", Settings(max_new_tokens=1000)).finish().rounds) > 3)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a process's memory this way")
@pytest.mark.rare
def test_a_run_that_outgrows_the_memory_says_so_and_the_next_one_works() -> None:
    """With 4 MB left, a run whose keys and values take 26 MB is rejected in one sentence, releases them, and leaves the pair usable."""
    # Every large block is allocated from the system: neither memory left free by loading nor a thread's reserved heap counts.
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_ARENA_MAX": "1"}
    command = [sys.executable, "-c", STARVED]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, env=environment)
    message, cached, repeated = done.stdout.strip().splitlines()
    assert message.startswith("The memory of cpu ran out: the keys and values of 1001 tokens alone need 26 MB, and "), (
        done.stderr
    )
    assert message.endswith("request fewer new tokens, or choose a smaller pair.")
    assert (cached, repeated) == ("0", "True")


def test_a_lost_device_is_distinguished(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure of the device itself, which no test can cause, is reported as one; any other error passes unchanged."""

    def failing(error: Exception) -> Run:
        monkeypatch.setattr(embedded.require_draft().network, "read", Mock(side_effect=error))
        return Run(embedded, PROMPT, SHORT)

    with pytest.raises(DeviceLostError, match=r"device cpu failed .*an illegal memory access.*run again"):
        failing(torch.AcceleratorError("CUDA error: an illegal memory access was encountered")).finish()
    with pytest.raises(RuntimeError, match="something else"):
        failing(RuntimeError("something else")).finish()


def test_arguments_of_another_type_are_rejected_in_a_sentence(embedded: Pair) -> None:
    """Ids instead of a text, nothing or white space alone, and a dict instead of settings, say what is wanted."""
    for prompt in ("", "  \n"):
        with pytest.raises(PromptError, match="empty"):
            Run(embedded, prompt, SHORT)
    wrong: Any = [1, 2, 3]
    with pytest.raises(PromptError, match=r"The prompt was \[1, 2, 3\] \(list\): give a text"):
        Run(embedded, wrong, Settings())
    for settings in ({"k": 4}, {}, 0):
        with pytest.raises(SettingsError, match=r"give specviz\.Settings\(k=4\)"):
            Run(embedded, "Once", settings)  # type: ignore[arg-type]


def test_what_fails_in_the_warm_up_is_on_the_card(embedded: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph is compared at its first use, in the warm-up: the card of that very run says what was set aside there."""
    target = embedded.target
    graphed = reader(GraphedDecoder, "tiny", 0).network
    assert isinstance(graphed, GraphedDecoder)

    def warm_up(model: CachedModel, drafter: Drafter, settings: Settings, capacity: int) -> None:
        graphed.failures[PASSES] = "it differs"

    run = Run(embedded, "My dog", Settings(drafter="ngram", max_new_tokens=2))
    monkeypatch.setattr(target, "network", graphed)
    monkeypatch.setattr(target, "device", torch.device("cuda"))
    monkeypatch.setattr(runs, "warm_up", warm_up)
    before = run.card.notes
    run.warm_up()
    assert run.card.notes == (*before, "The target's passes run without CUDA graphs: it differs.")


def pair_of(weights: Any) -> Pair:
    target = CachedModel(weights, 257)
    one, text = ModelCard("tiny", "tiny", 1, 4, 32), cast(Any, ByteTokenizer())
    card = PairCard(one, one, DrafterCard("model", "draft model"), "cpu", "float32")
    return Pair("tiny", target, target, text, card)


def test_a_third_of_the_layers_drafts() -> None:
    """At least one, and never all; of a single one no early exit is made, with the reason."""
    for layers, exits_after in ((2, 1), (3, 1), (8, 3), (30, 10)):
        pair = pair_of(network("LlamaForCausalLM", num_hidden_layers=layers, vocab_size=257))
        assert first_step(pair, "early-exit") == "", "nothing is prepared"
        assert exit_depth(pair) == len(build_drafter(pair, "early-exit").layers) == exits_after
    with pytest.raises(PairError, match="has a single layer"):
        exit_depth(pair_of(network("LlamaForCausalLM", num_hidden_layers=1, vocab_size=257)))
