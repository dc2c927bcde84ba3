"""The decoders run one at a time, in turn, from the same ids, and their texts are compared."""

import time
from functools import partial
from pathlib import Path

import pytest
import torch
import transformers

from specviz.decoding.recorder import FULL
from specviz.lab import decoders
from specviz.lab.contenders import TextDivergence
from specviz.lab.decoders import (
    LIBRARY_ASSISTED,
    LIBRARY_PLAIN,
    PLAIN,
    RECORDED,
    SPECULATIVE,
    Decoded,
    Library,
    divergences,
    in_turn,
    our_decoders,
)
from specviz.models import Pair, load_pair
from specviz.runs import load_watch
from specviz.runs import run as run_module
from specviz.runs.load_watch import CoreTime, Watchman
from specviz.runs.run import Run
from specviz.settings import Settings
from tests.lab.conftest import TOKENS, K
from tests.models.folders import save_model

pytestmark = pytest.mark.slow

SETTINGS = Settings(k=K, max_new_tokens=TOKENS)
PROMPT = "The old dog"


def test_the_order_rotates_after_a_warm_up(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each decoder is warmed up once, then a different one goes first in every turn."""
    monkeypatch.setattr(load_watch, "glance", lambda: None)  # what else the machine does is not seen
    order: list[str] = []
    runs = {PLAIN: Run(pair, PROMPT, SETTINGS, plain=True).finish(), SPECULATIVE: Run(pair, PROMPT, SETTINGS).finish()}
    names = {"a": PLAIN, "b": SPECULATIVE, "c": "other"}

    def decode(letter: str) -> Decoded:
        order.append(letter)
        return Decoded(CoreTime(1.0, 1.0), (1,), runs.get(names[letter]))

    with Watchman(on_cpu=False) as watchman:
        every = {names[letter]: partial(decode, letter) for letter in "abc"}
        found = in_turn(every, 4, watchman, lambda what: None)
        assert watchman.conditions(4).turns == 4
    assert "".join(order) == "abc" + "abc" + "bca" + "cab" + "abc"
    assert {name: len(each) for name, each in found.items()} == dict.fromkeys(names.values(), 4)


def test_ours_are_the_projects_own_runs(pair: Pair) -> None:
    """Our decoders write what a Run writes; the seconds include prefill and rounds; only one of the three records the candidates."""
    runs = {name: decode() for name, decode in our_decoders(pair, PROMPT, SETTINGS).items()}
    assert set(runs) == {PLAIN, SPECULATIVE, RECORDED}
    for name, run in runs.items():
        assert run.trace is not None
        assert run.token_ids == Run(pair, PROMPT, SETTINGS, plain=True).finish().token_ids
        assert run.time.wall_s >= run.trace.prefill.target_s + run.trace.rounds[-1].ended_s
        assert run.decoding_rate > run.rate > 0
        kept = [len(r.closing.residual_top.tokens) for r in run.trace.rounds if r.closing is not None]
        assert all(kept) if name == RECORDED else not any(kept)
    assert not any(r.drafted for r in runs[PLAIN].trace.rounds)  # type: ignore[union-attr]
    assert any(r.drafted for r in runs[SPECULATIVE].trace.rounds)  # type: ignore[union-attr]


def test_making_the_trace_is_off_the_clock(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The benchmark's own work before and after the decoding is not timed."""
    original = Run.trace

    def slow(run: Run) -> object:
        time.sleep(1.0)
        return original(run)

    monkeypatch.setattr(Run, "trace", slow)
    assert our_decoders(pair, PROMPT, SETTINGS)[PLAIN]().time.wall_s < 1.0


def test_transformers_writes_the_same(pair: Pair, library: Library) -> None:
    """Plain and assisted generation write the text that ours write, although the checkpoint sets penalties. Its models share nothing with our
    pair, so that our changes cannot make transformers slower or faster."""
    assert library.target.lm_head.weight.data_ptr() != pair.target.model.lm_head.weight.data_ptr()
    assert not library.target.training
    assert not library.assistant.training
    for prompt in (PROMPT, "sea", "a red sun ran home"):
        ours = Run(pair, prompt, SETTINGS, plain=True).finish()
        runs = {name: decode() for name, decode in library.decoders(ours.prompt_ids, SETTINGS).items()}
        assert set(runs) == {LIBRARY_PLAIN, LIBRARY_ASSISTED}
        assert {run.token_ids for run in runs.values()} == {ours.token_ids}
        assert all(run.time.wall_s > 0 for run in runs.values())


def test_the_assistant_drafts_k_tokens(pair: Pair, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """The target reads k + 1 tokens in every pass, except the first, which also reads the prompt, and the shorter last ones."""
    read: list[int] = []
    forward = library.target.forward

    def counted(*args: object, **options: object) -> object:
        read.append(options["input_ids"].shape[1])  # type: ignore[attr-defined]
        return forward(*args, **options)

    ids = Run(pair, PROMPT, SETTINGS).prompt_ids
    monkeypatch.setattr(library.target, "forward", counted)
    library.decoders(ids, SETTINGS)[LIBRARY_ASSISTED]()
    assert read[0] == len(ids) + K
    assert set(read[1:-2]) <= {K + 1}
    assert max(read[1:]) == K + 1


def test_all_decoders_end_a_text_at_the_same_token(tmp_path: Path) -> None:
    """A text that ends early ends at the same token for all decoders, even if the two checkpoints have different end-of-text ids."""
    endless = save_model(tmp_path / "target", seed=3, context=256, end_ids=None)
    first = load_pair(target=str(endless), draft=str(endless), device="cpu", dtype="float32")
    text = Run(first, PROMPT, SETTINGS, plain=True).finish().token_ids
    end = next(token for index, token in enumerate(text) if index >= 2 and token not in text[:index])
    target = save_model(tmp_path / "ends", seed=3, context=256, end_ids=end)
    pair = load_pair(target=str(target), draft=str(endless), device="cpu", dtype="float32")
    library = Library(target, endless, pair.target.device, torch.float32, pair.target.end_ids)
    decoders = our_decoders(pair, PROMPT, SETTINGS) | library.decoders(Run(pair, PROMPT, SETTINGS).prompt_ids, SETTINGS)
    texts = {decode().token_ids for decode in decoders.values()}
    assert texts == {text[: text.index(end) + 1]}


def test_heads_of_different_height_are_no_obstacle(tmp_path: Path) -> None:
    """Two models with one tokenizer and different numbers of output rows work in transformers too."""
    transformers.logging.set_verbosity_error()
    target = save_model(tmp_path / "target", seed=1, context=256, end_ids=None)
    draft = save_model(tmp_path / "draft", seed=2, context=256, end_ids=None, head=300)
    pair = load_pair(target=str(target), draft=str(draft), device="cpu", dtype="float32")
    library = Library(target, draft, pair.target.device, torch.float32, pair.target.end_ids)
    with torch.no_grad():
        library.assistant.lm_head.weight[pair.text.vocabulary :] = (
            0  # as in a trained model, an unused row never has the highest score
        )
    ours = Run(pair, PROMPT, SETTINGS, plain=True).finish()
    assert library.decoders(ours.prompt_ids, SETTINGS)[LIBRARY_ASSISTED]().token_ids == ours.token_ids


def test_texts_that_differ_are_reported_with_their_index(pair: Pair) -> None:
    """A decoder whose text differs from our plain one in any turn is named, with the index and the gap there."""
    plain = Run(pair, PROMPT, SETTINGS, plain=True, recorder=FULL).finish()
    text = plain.token_ids
    good, cut = Decoded(CoreTime(), text), Decoded(CoreTime(), text[:4])
    bad = Decoded(CoreTime(), (*text[:5], (text[5] + 1) % 9, *text[6:]))
    assert divergences({PLAIN: (good, good)}, plain) == ()
    logits = sorted(plain.rounds[5].closing.residual_top.logits)  # type: ignore[union-attr]
    assert divergences({PLAIN: (good,), LIBRARY_PLAIN: (good, bad), SPECULATIVE: (cut,)}, plain) == (
        TextDivergence(LIBRARY_PLAIN, 5, logits[-1] - logits[-2]),
        TextDivergence(SPECULATIVE, 4, None),
    )


class Gpu(str):
    """The CPU, for torch; a GPU for whoever asks."""

    type = "cuda"


class Ended:
    """A run without a round."""

    prefill = stop = None

    def __next__(self) -> None:
        raise StopIteration


def test_a_warm_up_is_not_timed(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """On CUDA, where a run warms up by itself, it has done so once before the stopwatch of a benchmark starts."""
    events: list[str] = []

    def timed(work: object, device: object) -> CoreTime:
        events.append("timed")
        return CoreTime(1.0, 1.0)

    monkeypatch.setattr(run_module, "warm_up", lambda *given: events.append("warm"))
    monkeypatch.setattr(decoders, "timed", timed)
    monkeypatch.setattr(pair.target, "device", Gpu("cpu"))
    monkeypatch.setattr(run_module, "speculate", lambda *given, **more: Ended())
    for decode in our_decoders(pair, PROMPT, SETTINGS).values():
        decode()
    assert events == ["warm", "timed"] * 3
    run = Run(pair, PROMPT, SETTINGS)
    run.warm_up()
    with pytest.raises(StopIteration):
        next(run)
    assert events.count("warm") == 4
