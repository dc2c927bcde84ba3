"""The GPU benchmark, run completely on the CPU with graphs off, and the synthetic drafter that its speedups use."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM

from specviz.decoding.drafters.none import NoDrafter
from specviz.errors import SpecvizError
from specviz.models.networks.capture import CaptureJob
from specviz.models.networks.families import is_lean
from specviz.models.networks.graphs import GraphedDecoder
from specviz.models.networks.lean import LeanDecoder
from specviz.settings import Settings
from tests.helpers.fake_cuda import fake_cuda
from tools.gpu import __main__ as command
from tools.gpu import checks, figures
from tools.gpu.__main__ import main
from tools.gpu.checks import check_passes, check_texts, check_wrong_graph
from tools.gpu.synthetic import SHAPES, SyntheticPair, synthetic_model, synthetic_pair
from tools.gpu.timed import GraphsOff, decode
from tools.measurement import Figure, figure, ratios

pytestmark = pytest.mark.slow

CPU = torch.device("cpu")
PROMPT = list(range(1, 20))


@pytest.fixture(scope="module")
def pair() -> SyntheticPair:
    return synthetic_pair("tiny", "tiny-draft", 0.7, dtype=torch.float32)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The JSON that the command saves; its exit code shows that the checks passed."""
    path = tmp_path_factory.mktemp("gpu") / "gpu.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "REPEATS", 1)
        assert main(["--device", "cpu", "--json", str(path), "--tokens", "8"]) == 0
    return json.loads(path.read_text())


@pytest.mark.rare
def test_the_command_checks_and_measures_everything(report: Any) -> None:
    """The report has every check and every figure, and none failed."""
    assert set(report) == {"schema", "weights", "machine", "checks", "figures", "seconds"}
    assert len(report["checks"]) == 8
    assert all(check["passed"] for check in report["checks"].values())
    (figures,) = report["figures"].values()
    assert set(figures) == {"plain", "costs", "speculative", "graphs"}
    assert set(figures["speculative"]) == {"agreement 0.6", "agreement 0.8", "agreement 0.9"}
    assert '"failed"' not in json.dumps(report)


@pytest.mark.rare
def test_everything_synthetic_says_so(report: Any, pair: SyntheticPair) -> None:
    """The word stands in the report and in the drafter's name."""
    (name,) = report["figures"]
    assert report["weights"] == "synthetic"
    assert name.startswith("synthetic")
    assert pair.drafter(PROMPT).name == "synthetic"


def test_a_failure_is_reported_and_the_rest_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed figure is replaced by its reason; a failed check sets the exit code."""

    def broken(device: torch.device) -> None:
        raise RuntimeError("no such kernel")

    monkeypatch.setattr(checks, "check_texts", broken)
    monkeypatch.setattr(command, "pair_figures", lambda *_: 1)
    path = tmp_path / "gpu.json"
    assert main(["--device", "cpu", "--json", str(path)]) == 1
    found = json.loads(path.read_text())
    assert found["checks"]["texts are the same"] == {"failed": "RuntimeError: no such kernel"}
    assert [*found["figures"].values()] == [1]


@pytest.mark.parametrize("words", [["--shapes", "tiny"], ["--shapes", "tiny+huge"], ["--device", "tpu"]], ids=str)
def test_what_cannot_be_done_is_said_in_a_sentence(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_checks_find_a_graph_that_ignores_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks find a graph that ignores its length."""

    def fixed_length(self: GraphsOff, job: CaptureJob) -> Any:
        return job.work(torch.tensor(20), *job.inputs)

    monkeypatch.setattr(GraphsOff, "_replay", fixed_length)
    with pytest.raises(SpecvizError, match="logits differ"):
        check_passes("tiny", CPU)
    with pytest.raises(SpecvizError, match="states differ"):
        checks.check_read_states(CPU)
    with pytest.raises(SpecvizError, match="differs"):
        check_texts(CPU)


@pytest.mark.rare
def test_the_checks_run_on_a_device_with_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    """With doubles of CUDA's graphs every check passes and finds no failure; a wrong graph is found by comparing it."""
    fake_cuda(monkeypatch)
    monkeypatch.setattr(checks, "graphed_network", GraphedDecoder)
    for check in (checks.check_texts, checks.check_read_states, checks.check_buffers):
        assert check(CPU)["passed"]
    assert "differs from the ordinary one" in str(check_wrong_graph(CPU)["failure"])


def test_a_drafter_agrees_as_often_as_requested(pair: SyntheticPair) -> None:
    """With the real rule the text is the plain one and the acceptance rate is close to the agreement; so with the recorded rule."""
    settings = Settings(k=5, max_new_tokens=400)
    plain = decode(pair.target, NoDrafter(pair.target.vocabulary), PROMPT, settings)[0]
    drafter = pair.drafter([*PROMPT, *plain])
    for rule in (None, drafter.rule(settings)):
        text, rounds = decode(pair.target, drafter, PROMPT, settings, rule)
        judged, accepted = sum(r.judged for r in rounds), sum(len(r.accepted) for r in rounds)
        assert text == plain
        assert accepted / judged == pytest.approx(0.7, abs=0.08)
        assert all(drafted.draft_prob == 1 for r in rounds for drafted in r.drafted)


def test_the_draft_makes_its_passes(pair: SyntheticPair) -> None:
    """The draft model makes one pass for every proposed token, as if its own tokens were proposed."""
    seen: list[int] = []
    network = LeanDecoder(pair.draft.model)
    read = network.read
    network.read = lambda tokens, *rest: (seen.append(len(tokens)), read(tokens, *rest))[1]  # type: ignore[method-assign, func-returns-value]
    counted = synthetic_pair("tiny", "tiny-draft", 1.0, dtype=torch.float32)
    counted.draft.network = network
    drafter, settings = counted.drafter([*PROMPT, *range(20, 40)]), Settings(k=4, max_new_tokens=5)
    text, _ = decode(counted.target, drafter, PROMPT, settings, drafter.rule(settings))
    assert text == (20, 21, 22, 23, 24)
    assert seen[1:] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("name", "billions"), [("llama-8b", 8.03), ("llama-1b", 1.24), ("qwen-7b", 7.62), ("qwen-0.5b", 0.49), ("qwen-32b", 32.76)]
)  # fmt: skip
def test_shapes_are_those_of_the_real_models(name: str, billions: float) -> None:
    """The shapes have as many parameters as the published models."""
    with torch.device("meta"):
        weights = AutoModelForCausalLM.from_config(SHAPES[name]).parameters()
    assert sum(weight.numel() for weight in weights) / 1e9 == pytest.approx(billions, abs=0.01)


@pytest.mark.parametrize("name", ["tiny", "tiny-qwen2", "tiny-qwen3"])
def test_models_are_made_in_their_format_and_read_by_our_decoder(name: str) -> None:
    model = synthetic_model(SHAPES[name], CPU, torch.bfloat16)
    assert {weight.dtype for weight in model.parameters()} == {torch.bfloat16}
    assert is_lean(model)


def test_a_figure_is_the_median_with_its_ends() -> None:
    """A figure has the median, the lowest and the highest value; without values there is none."""
    assert figure([3.0, 1.0, 2.0, 10.0]) == Figure(2.5, 1.0, 10.0)
    with pytest.raises(ValueError, match="No values were given"):
        figure([])


def test_ratios_are_of_what_was_measured_side_by_side() -> None:
    """Each turn has its own ratio, and the figure is of these ratios, not of the two medians."""
    assert ratios([1.0, 9.0, 4.0], [1.0, 3.0, 1.0]) == Figure(3.0, 1.0, 4.0)
    with pytest.raises(ValueError, match="longer"):
        ratios([1.0], [1.0, 2.0])
