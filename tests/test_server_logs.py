"""What a vLLM server counts of a request is shown as rounds without tokens; a log that has no steps is refused in one sentence."""

import json
from pathlib import Path
from typing import Any

import pytest

from specviz.adapters.vllm import read
from specviz.cli.main import main
from specviz.errors import TraceError
from specviz.trace.files import dumps, loads
from specviz.trace.metrics import summarise
from specviz.trace.records import Closing, Verdict

ACCEPTED, DRAFTED = [3, 0, 1, 0], [3, 3, 2, 0]


def _response(**counts: Any) -> dict[str, Any]:
    """A response as vLLM's documentation shows it, with the counts of four steps."""
    detailed = {"num_spec_steps": 4, "num_draft_tokens": 8, "per_step_accepted": ACCEPTED, "per_step_drafted": DRAFTED}
    return {
        "id": "chatcmpl-1",
        "model": "Qwen/Qwen3-8B",
        "choices": [],
        "metrics": {"generation_time_ms": 80.0, "speculative_decoding": {**detailed, **counts}},
    }


def test_the_counts_of_every_step_become_rounds() -> None:
    """The figures are the server's, every token and probability is blank, and what is shown can be saved and opened again."""
    (trace,) = read(json.dumps(_response()).encode())
    figures = summarise(trace)
    assert (figures.rounds, figures.drafted, figures.accepted) == (4, 8, 4)
    assert len(trace.token_ids) == sum(ACCEPTED) + 4
    closings = [Closing.BONUS, Closing.CORRECTED, Closing.CORRECTED, Closing.BONUS]
    assert [one.closing and one.closing.how for one in trace.rounds] == closings
    assert [one.verdict for one in trace.rounds[1].drafted] == [Verdict.REJECTED, Verdict.DISCARDED, Verdict.DISCARDED]
    assert {one.draft_prob for each in trace.rounds for one in each.drafted} == {None}
    assert trace.rounds[-1].ended_s == pytest.approx(0.08)
    assert any("calculated" in note for note in trace.card.notes)
    assert loads(dumps([trace])) == (trace,)


def test_a_stream_and_a_file_of_many_requests_are_read() -> None:
    """Lines that are something else are passed over; without times there are none."""
    untimed = _response()
    del untimed["metrics"]["generation_time_ms"]
    lines = ['data: {"choices": [{"delta": {"content": "Hi"}}]}', f"data: {json.dumps(_response())}", "data: [DONE]"]
    assert len(read("\n".join(lines).encode())) == 1
    both = read("\n".join(json.dumps(each) for each in (_response(), untimed)).encode())
    assert [one.rounds[-1].ended_s > 0 for one in both] == [True, False]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"metrics": {"speculative_decoding": None}}, "no metrics.speculative_decoding with counts: start vLLM with"),
        (_response(per_step_accepted=None), "totals of a request and not its steps: start vLLM with"),
        (_response(per_step_accepted=[1]), "not two lists of one length"),
        (_response(per_step_accepted=[4, 0, 1, 0]), "step 1 accepts 4 of 3 drafted tokens"),
        (_response(per_step_drafted=[3, 3, 2, 99]), "step 4 accepts 0 of 99 drafted tokens"),
        (_response(per_step_accepted=[True, 0, 1, 0]), "step 1 accepts True of 3"),
        (_response(per_step_accepted=[], per_step_drafted=[]), "has 0 steps"),
        ({"meta_info": {"spec_verify_ct": 43, "spec_accept_length": 2.4}}, "SGLang has totals of a request"),
    ],
)
def test_a_log_without_steps_is_refused(content: dict[str, Any], sentence: str) -> None:
    """One sentence names what is missing, and what to start the server with."""
    with pytest.raises(TraceError, match=sentence):
        read(json.dumps(content).encode())


def test_replay_prints_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command line shows it like any recording."""
    file = tmp_path / "response.json"
    file.write_text(json.dumps(_response()), encoding="utf-8")
    assert main(["replay", str(file)]) == 0
    printed = capsys.readouterr().out
    assert "accepted / checked  4 / 6 (67%)" in printed
    assert "calculated" in printed
