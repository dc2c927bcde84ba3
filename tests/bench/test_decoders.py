"""Each decoder alone, in turn, from the same ids, and what they wrote compared."""

import time
from pathlib import Path

import pytest
import torch
import transformers

from specviz.bench.decoders import (
    LIBRARY_ASSISTED,
    LIBRARY_PLAIN,
    PLAIN,
    RECORDED,
    SPECULATIVE,
    Decoder,
    Timed,
    in_turn,
    our_decoders,
    same_texts,
)
from specviz.bench.measure import partings
from specviz.bench.reference import Library
from specviz.bench.results import Parting
from specviz.decoding.recorder import FULL
from specviz.models import Pair, load_pair
from specviz.runs.run import Run
from specviz.settings import Settings
from tests.bench.conftest import TOKENS, K
from tests.models.folders import save_model

SETTINGS = Settings(k=K, max_new_tokens=TOKENS)
PROMPT = "The old dog"


def test_the_order_rotates_after_a_warm_up() -> None:
    """Each is warmed up once, then another one goes first in every turn."""
    order: list[str] = []

    def decoder(name: str) -> Decoder:
        def decode() -> Timed:
            order.append(name)
            return Timed(1.0, (1,))

        return decode

    runs = in_turn({name: decoder(name) for name in "abc"}, 4)
    assert "".join(order) == "abc" + "abc" + "bca" + "cab" + "abc"
    assert {name: len(each) for name, each in runs.items()} == {"a": 4, "b": 4, "c": 4}


def test_ours_are_the_projects_own_runs(pair: Pair) -> None:
    """Same rounds as a Run; the wall holds prefill and rounds; only one of the three keeps the candidates."""
    runs = {name: decode() for name, decode in our_decoders(pair, PROMPT, SETTINGS).items()}
    assert set(runs) == {PLAIN, SPECULATIVE, RECORDED}
    for name, run in runs.items():
        assert run.trace is not None
        assert run.token_ids == Run(pair, PROMPT, SETTINGS, plain=True).finish().token_ids
        assert run.seconds >= run.trace.prefill.target_s + run.trace.rounds[-1].ended_s
        assert run.decoding_rate > run.rate > 0
        kept = [len(r.closing.residual_top.tokens) for r in run.trace.rounds if r.closing is not None]
        assert all(kept) if name == RECORDED else not any(kept)
    assert not any(r.drafted for r in runs[PLAIN].trace.rounds)  # type: ignore[union-attr]
    assert any(r.drafted for r in runs[SPECULATIVE].trace.rounds)  # type: ignore[union-attr]


def test_making_the_trace_is_off_the_clock(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done for the benchmark's own sake, before and behind the decoding, is not timed."""
    whole = Run.trace

    def slow(run: Run) -> object:
        time.sleep(1.0)
        return whole(run)

    monkeypatch.setattr(Run, "trace", slow)
    assert our_decoders(pair, PROMPT, SETTINGS)[PLAIN]().seconds < 1.0


def test_transformers_writes_the_same(pair: Pair, library: Library) -> None:
    """Plain and assisted generation write what ours write, although the checkpoint asks for penalties."""
    for prompt in (PROMPT, "sea", "a red sun ran home"):
        ours = Run(pair, prompt, SETTINGS, plain=True).finish()
        runs = {name: decode() for name, decode in library.decoders(ours.prompt_ids, TOKENS).items()}
        assert set(runs) == {LIBRARY_PLAIN, LIBRARY_ASSISTED}
        assert {run.token_ids for run in runs.values()} == {ours.token_ids}
        assert all(run.seconds > 0 for run in runs.values())


def test_the_library_has_models_of_its_own(pair: Pair, library: Library) -> None:
    """Nothing is shared with our pair, so that no change of ours can slow or speed the other side."""
    assert library.target is not pair.target.model
    assert library.target.lm_head.weight.data_ptr() != pair.target.model.lm_head.weight.data_ptr()
    assert not library.target.training
    assert not library.assistant.training


def test_the_assistant_drafts_k_tokens(pair: Pair, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """The target reads k + 1 tokens in every pass but the first, which reads the prompt too, and the shorter last ones."""
    read: list[int] = []
    forward = library.target.forward

    def counted(*args: object, **options: object) -> object:
        read.append(options["input_ids"].shape[1])  # type: ignore[attr-defined]
        return forward(*args, **options)

    ids = Run(pair, PROMPT, SETTINGS).prompt_ids
    monkeypatch.setattr(library.target, "forward", counted)
    library.decoders(ids, TOKENS)[LIBRARY_ASSISTED]()
    assert read[0] == len(ids) + K
    assert set(read[1:-2]) <= {K + 1}
    assert max(read[1:]) == K + 1


def test_the_end_of_a_text_is_treated_alike(tmp_path: Path) -> None:
    """A text that ends early ends at the same token for all four, even where the two checkpoints name different ends."""
    whole = save_model(tmp_path / "target", seed=3, context=256, end_ids=None)
    first = load_pair(target=str(whole), draft=str(whole), device="cpu", dtype="float32")
    text = Run(first, PROMPT, SETTINGS, plain=True).finish().token_ids
    end = next(token for place, token in enumerate(text) if place >= 2 and token not in text[:place])
    target = save_model(tmp_path / "ends", seed=3, context=256, end_ids=end)
    pair = load_pair(target=str(target), draft=str(whole), device="cpu", dtype="float32")
    library = Library(target, whole, pair.target.device, torch.float32, pair.target.end_ids, K)
    decoders = our_decoders(pair, PROMPT, SETTINGS) | library.decoders(Run(pair, PROMPT, SETTINGS).prompt_ids, TOKENS)
    texts = {decode().token_ids for decode in decoders.values()}
    assert texts == {text[: text.index(end) + 1]}


def test_heads_of_different_height_are_no_obstacle(tmp_path: Path) -> None:
    """Two models with one tokenizer and different numbers of output rows are a pair for transformers too."""
    transformers.logging.set_verbosity_error()
    target = save_model(tmp_path / "target", seed=1, context=256, end_ids=None)
    draft = save_model(tmp_path / "draft", seed=2, context=256, end_ids=None, head=300)
    pair = load_pair(target=str(target), draft=str(draft), device="cpu", dtype="float32")
    library = Library(target, draft, pair.target.device, torch.float32, pair.target.end_ids, K)
    with torch.no_grad():
        library.assistant.lm_head.weight[pair.text.vocabulary :] = 0  # as in a trained model, no empty row ever wins
    ours = Run(pair, PROMPT, SETTINGS, plain=True).finish()
    assert library.decoders(ours.prompt_ids, TOKENS)[LIBRARY_ASSISTED]().token_ids == ours.token_ids


def test_texts_that_differ_are_told_with_their_place(pair: Pair) -> None:
    """A decoder that parts from our plain one is named, in whichever turn it did, with the place and the gap there."""
    plain = Run(pair, PROMPT, SETTINGS, plain=True, recorder=FULL).finish()
    text = plain.token_ids
    good, cut = Timed(1.0, text), Timed(1.0, text[:4])
    bad = Timed(1.0, (*text[:5], (text[5] + 1) % 9, *text[6:]))
    assert same_texts({PLAIN: (good, good), SPECULATIVE: (good,)})
    assert partings({PLAIN: (good, good)}, plain) == ()
    for wrong in (bad, cut):
        assert not same_texts({PLAIN: (good,), SPECULATIVE: (good, wrong)})
    logits = sorted(plain.rounds[5].closing.residual_top.logits)  # type: ignore[union-attr]
    assert partings({PLAIN: (good,), LIBRARY_PLAIN: (good, bad), SPECULATIVE: (cut,)}, plain) == (
        Parting(LIBRARY_PLAIN, 5, logits[-1] - logits[-2]),
        Parting(SPECULATIVE, 4, None),
    )
