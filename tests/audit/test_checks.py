"""What the checks say of functions and of tiny models, and that honest decoders pass. What they catch of a loop: `test_zoo`."""

import json
import queue
import re
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from specviz.audit import check
from specviz.audit.full_audit import CHECKS, audit, report
from specviz.audit.plain import plain_pass
from specviz.audit.records import AuditVerdict, Evidence, Finding, SequentialEvidence
from specviz.audit.subject import Budget, Decode, DecodedRun, DecoderParts, Subject
from specviz.decoding.drafters.model import ModelDrafter
from specviz.decoding.drafters.none import NoDrafter
from specviz.decoding.drafters.suffix import SuffixDrafter
from specviz.decoding.drafters.tree import TreeDrafter
from specviz.decoding.protocols import Drafter
from specviz.decoding.testing import TableModel
from specviz.errors import PromptError, SettingsError
from specviz.settings import Settings
from tests.helpers.tiny_models import perturbed, tiny

pytestmark = pytest.mark.slow

DOCUMENT = Path(__file__).parents[2] / "docs" / "audit.md"
V = 6
PROMPTS = [(0, 1), (3,)]
QUICK = Budget(texts=2, tokens=12, samples=20, sampled_tokens=4, simulations=0, seconds_a_text=60)


def table(seed: int, end_ids: Sequence[int] = ()) -> TableModel:
    return TableModel.random(V, seed, end_ids=end_ids)


def subject(
    settings: Settings | None = None, drafter: Drafter | None = None, *, draft: bool = True, **parts: Any
) -> Subject:
    """Our loop on table models: the target is table 1, the draft table 2."""
    settings = settings or Settings(k=3, temperature=1.0, max_new_tokens=12)
    given = DecoderParts(parts.pop("target", table(1)), drafter or ModelDrafter(table(2)), **parts)
    return Subject("tables", plain_pass(table(1)), settings, given, draft=plain_pass(table(2)) if draft else None)


def caught(subject: Subject, budget: Budget = QUICK) -> set[str]:
    return {one.check for one in report(subject, PROMPTS, budget).caught}


def test_honest_decoders_pass() -> None:
    """Chains, trees, copies and plain decoding, with every policy and kind of siblings, at several temperatures and warps: nothing is caught."""
    base = Settings(k=3, nodes=5, temperature=1.0, max_new_tokens=12)
    model, tree = ModelDrafter(table(2)), TreeDrafter(table(2))
    cases: list[tuple[Settings, Drafter, bool]] = [
        (replace(base, policy="cost", top_p=0.7, temperature=1.5), model, True),
        *((replace(base, drafter="tree", children=ways), tree, True) for ways in ("distinct", "top")),
        (replace(base, shared_noise=True), model, True),
        (replace(base, temperature=0.0), model, True),
        (replace(base, drafter="suffix"), SuffixDrafter(V), False),
        (base, NoDrafter(V), False),
    ]
    for settings, drafter, draft in cases:
        found = report(subject(settings, drafter, draft=draft), PROMPTS, replace(QUICK, samples=12))
        assert found.clean, (settings, [finding.sentence for finding in found.caught])


def test_real_models_pass() -> None:
    """A tiny Llama with its cache in bfloat16 is compared with transformers' own passes, and passes; in float32: `test_drafters.py`."""
    target = tiny("LlamaForCausalLM", 1, vocabulary=16, dtype=torch.bfloat16)
    draft = perturbed(target, 0.3)
    parts, settings = DecoderParts(target, ModelDrafter(draft)), Settings(k=3, temperature=1.0, max_new_tokens=12)
    found = report(
        Subject("llama", plain_pass(target), settings, parts, draft=plain_pass(draft)),
        PROMPTS,
        replace(QUICK, samples=10),
    )
    assert found.clean, [finding.sentence for finding in found.caught]


def decode_plainly(end_ids: Sequence[int] = (), tokens: int = 12, temperature: float = 1.0) -> Decode:
    """Plain decoding as a function."""
    parts = DecoderParts(table(1, end_ids), NoDrafter(V))
    one = Subject("plain", plain_pass(table(1)), Settings(max_new_tokens=tokens), parts)

    def decode(prompt: Sequence[int], seed: int) -> Sequence[int]:
        *_, last = one.decode(prompt, Settings(temperature=temperature, seed=seed, max_new_tokens=tokens))
        return last.ids

    return decode


def test_a_function_is_audited_by_its_text() -> None:
    """Of a function the checks of text apply and the others say why they do not; one that ignores its seed, or writes too little, is caught."""
    settings = Settings(temperature=1.0, max_new_tokens=4)

    def of(decode: Decode) -> Subject:
        return Subject("function", plain_pass(table(1)), settings, sampled=decode)

    honest = report(of(decode_plainly(tokens=4)), PROMPTS, QUICK)
    assert honest.clean
    assert [one.verdict for one in honest.findings] == [*[AuditVerdict.NOT_APPLICABLE] * 4, AuditVerdict.PASSED]
    assert caught(of(lambda prompt, seed: decode_plainly(tokens=4)(prompt, 1))) == {"distribution"}
    assert caught(of(lambda prompt, seed: decode_plainly(tokens=4)(prompt, seed)[:2])) == {"distribution"}
    ended = Subject("ended", plain_pass(table(1, range(V))), settings, sampled=decode_plainly(tokens=4))
    assert "after its end-of-text token" in report(ended, PROMPTS, QUICK).caught[0].sentence


def test_a_decoder_that_hangs_or_raises_ends_its_check_with_a_sentence() -> None:
    """No exception and no waiting: the finding says what happened, and the audit goes on."""

    def raising(prompt: Sequence[int], seed: int) -> Sequence[int]:
        raise ValueError("the cache is\nfull")

    def hanging(prompt: Sequence[int], seed: int) -> Sequence[int]:
        time.sleep(2)
        return ()

    settings, quick = Settings(temperature=1.0, max_new_tokens=4), replace(QUICK, seconds_a_text=0.2)
    for decode, words in (
        (raising, "raised ValueError with seed 0: the cache is full."),
        (hanging, "did not finish a text of 4 tokens in 0.2 s"),
        (lambda prompt, seed: (0, V, 1), f"returned the id {V}"),
    ):
        found = report(Subject("broken", plain_pass(table(1)), settings, sampled=decode), PROMPTS, quick).findings[-1]
        assert found.verdict is AuditVerdict.FAILED
        assert words in found.sentence


def test_bad_requests_are_refused_in_a_sentence() -> None:
    """No prompt, nothing to audit, and a random function with settings that leave nothing random."""
    with pytest.raises(PromptError, match="at least one"):
        audit(subject(), [])
    with pytest.raises(SettingsError, match="parts"):
        Subject("nothing", plain_pass(table(1)), Settings())
    with pytest.raises(SettingsError, match="nothing random"):
        Subject("certain", plain_pass(table(1)), Settings(), sampled=lambda prompt, seed: ())


def test_evidence_grows_and_the_report_is_json() -> None:
    """Every check's evidence counts up to its budget and ends in one finding; stopping is not iterating further; the report is JSON."""
    seen: list[Evidence | Finding] = list(audit(subject(), PROMPTS, replace(QUICK, simulations=5)))
    assert [one.check for one in seen if isinstance(one, Finding)] == [*CHECKS]
    sequential = [one for one in seen if isinstance(one, SequentialEvidence) and one.check == "distribution"]
    assert [one.done for one in sequential] == list(range(1, 21))
    assert sum(bar.count for bar in sequential[-1].bars) == 10, "half of the runs began with the first prompt"
    assert sum(bar.p for bar in sequential[-1].bars) == pytest.approx(1)
    shown = json.loads(json.dumps(report(subject(target=table(9)), PROMPTS, QUICK).as_object(), allow_nan=False))
    assert shown["clean"] is False
    assert shown["findings"][0]["verdict"] == "caught"

    def stop(one: Evidence | Finding) -> None:
        raise KeyboardInterrupt

    assert report(subject(), PROMPTS, QUICK, show=stop).stopped


def test_ctrl_c_waits_for_the_decoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread is left inside torch when an audit is stopped: the decoder ends with its next round, before the report is there."""
    left: list[bool] = []
    begun = threading.Event()

    class Endless(Subject):
        def decode(self, prompt: Sequence[int], settings: Settings, *, light: bool = False) -> Iterator[DecodedRun]:
            try:
                while True:
                    begun.set()
                    yield DecodedRun(())
            finally:
                left.append(True)

    class Interrupted(queue.Queue[Any]):
        def get(self, *_: Any, **__: Any) -> Any:
            begun.wait()
            raise KeyboardInterrupt

    monkeypatch.setattr(check, "Queue", Interrupted)
    endless = Endless("endless", plain_pass(table(1)), Settings(temperature=1.0), DecoderParts(table(1), NoDrafter(V)))
    assert report(endless, [(1,)]).stopped
    assert left == [True]


def test_the_document_audits_transformers_and_catches_the_broken_copy(capsys: pytest.CaptureFixture[str]) -> None:
    """Its Python, with a tiny pair in place of the one that it loads: the honest decoder passes, and the broken copy is caught."""
    loading, *blocks = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert "load_pair" in loading
    names: dict[str, Any] = {
        "target": tiny("LlamaForCausalLM", 1, vocabulary=16),
        "draft": tiny("LlamaForCausalLM", 2, vocabulary=16),
        "prompts": [[1, 2, 3]],
    }
    for block in blocks:
        exec(block.replace("samples = 60", "samples = 20"), names)  # noqa: S102  # the document's own code
        names["samples"] = 60  # the broken copy is caught after as many
    assert names["honest"].clean
    assert [one.verdict for one in names["broken"].findings][-1] is AuditVerdict.CAUGHT
    assert "distribution: caught. " in capsys.readouterr().out
