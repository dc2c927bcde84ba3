"""A tiny pair on disk, a separate cache folder for each test, and one complete benchmark of the pair, run once."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers

from specviz.lab.decoders import Library
from specviz.models import Pair, load_pair
from tests.helpers.commands import Output, specviz
from tests.models.folders import save_model

K, TOKENS = 3, 12


@dataclass(frozen=True)
class Benched:
    output: Output
    out: Path
    notes: Path

    @property
    def json(self) -> Any:
        return self.output.json


def bench(*args: str | Path) -> Output:
    """The output of `specviz bench` with these arguments."""
    return specviz("bench", *args)


def quick(folder: Path, out: Path) -> list[str]:
    """The arguments of a short benchmark with every part in it."""
    asked = f"--target {folder}/target --draft {folder}/draft --device cpu --k {K} --tokens {TOKENS} --prompts letters facts"
    return [*asked.split(), *f"--repeats 2 --contexts 40 9999 --out {out}".split()]


@pytest.fixture
def own_notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPECVIZ_CACHE", str(tmp_path / "notes"))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A target whose checkpoint sets penalties, and a draft that sometimes agrees with it; do not change it."""
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    base = tmp_path_factory.mktemp("bench") / "pair"
    for name in ("target", "draft"):
        save_model(base / name, seed=1, context=256, num_hidden_layers=2, end_ids=None)
    path = base / "target" / "generation_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "repetition_penalty": 9.0, "no_repeat_ngram_size": 1}))
    draft = transformers.AutoModelForCausalLM.from_pretrained(base / "draft")
    with torch.no_grad(), torch.random.fork_rng():
        torch.manual_seed(7)
        draft.lm_head.weight += 0.2 * torch.randn_like(draft.lm_head.weight)
    draft.save_pretrained(base / "draft")
    return base


@pytest.fixture(scope="session")
def pair(folder: Path) -> Pair:
    return load_pair(target=str(folder / "target"), draft=str(folder / "draft"), device="cpu", dtype="float32")


@pytest.fixture(scope="session")
def library(folder: Path, pair: Pair) -> Library:
    return Library(folder / "target", folder / "draft", pair.target.device, torch.float32, pair.target.end_ids)


@pytest.fixture(scope="session")
def benched(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Benched:
    """One complete benchmark by the real command, with --json."""
    base = tmp_path_factory.mktemp("benched")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPECVIZ_CACHE", str(base / "notes"))
        output = bench(*quick(folder, base / "out"), "--json")
    assert output.code == 0, output.err
    return Benched(output, base / "out", base / "notes")
