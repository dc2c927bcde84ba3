"""What `specviz train draft` and `train examine` check before hours of work, and what they keep when something fails after it."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from specviz.errors import CheckpointError, PairError, TrainingError
from specviz.training import made_folder, making_command, recognition
from specviz.training.drafts import card, folder, making
from specviz.training.examination.rounds import Examination
from tests.models.folders import save_model
from tests.training.helpers import said


def test_what_cannot_be_written_is_refused_before_the_target_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence each, and nothing is left: an --out without a name, the work folder in it, and numbers without an end."""
    monkeypatch.chdir(tmp_path)
    out = str(tmp_path / "out")
    for more, named in (
        (("--out", "/"), "--out was '/'"),
        (("--out", "."), "exists already"),
        (("--out", out, "--work", out), "in the folder of --out"),
        (("--out", out, "--work", "out/work"), "in the folder of --out"),
        (("--out", out, "--seconds", "inf"), "--seconds was inf: give a finite number above 0."),
        (("--out", out, "--epochs", "inf"), "--epochs was inf"),
        (("--out", out, "--epochs", "nan"), "--epochs was nan"),
        (("--out", out, "--seed", str(10**20)), "--seed was 1000"),
        (("--out", out, "--seed", "-1"), "--seed was -1"),
    ):
        (tmp_path / "here").touch()
        code, shown, err = said("train", "draft", "--target", "/no/such/model", *more)
        assert (code, shown) == (2, ""), (more, err)
        assert named in err, (more, err)
        assert [path.name for path in tmp_path.iterdir()] == ["here"]
    code, _, err = said("train", "examine", "--target", "/no", "--draft", "/no", "--tokens", "5000")
    assert code == 2
    assert "2 to 4096 tokens" in err


def test_text_of_a_target_that_was_trained_further_is_not_continued(tmp_path: Path) -> None:
    """Weights that differ anywhere in a large file: its beginning, middle and end alone do not show it."""
    work, target = tmp_path / "work", save_model(tmp_path / "target", hidden_size=64, intermediate_size=1024)
    found: Any = SimpleNamespace(folder=target)
    file = target / "model.safetensors"
    recognition.check_work(work, found)
    recognition.check_work(work, found)
    stored = bytearray(file.read_bytes())
    before = recognition.digest_of_files(found)
    changed = len(stored) // 4
    assert recognition._SAMPLE < changed < len(stored) // 2
    stored[changed] ^= 1
    file.write_bytes(stored)
    assert recognition.digest_of_files(found) == before
    with pytest.raises(CheckpointError, match="written by another target"):
        recognition.check_work(work, found)


def test_a_draft_is_kept_where_its_examination_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folder is complete, its card says that it was not examined, and the command says why."""
    out = tmp_path / "draft"
    made = SimpleNamespace(held_out=("one text",), facts=FACTS)
    asked: list[bool] = []

    def fails(examination: Examination) -> Any:
        asked.append(examination.asked.template)
        raise PairError("The pair needs 9 GB.")

    monkeypatch.setattr(making, "make", lambda request: made)
    monkeypatch.setattr(folder, "write", lambda made, to: (to / made_folder.MAKING).write_text(json.dumps(FACTS)))
    monkeypatch.setattr(making_command, "examined", fails)
    code, shown, err = said("train", "draft", "--target", "/t", "--out", str(out), "--size", "16x1")
    assert (code, shown) == (2, "")
    assert err.endswith("specviz: The draft was not examined: The pair needs 9 GB.\n")
    assert "It has not been examined." in (out / "README.md").read_text()
    assert asked == [False], "beginnings of texts are continued, not put into the chat template"


def test_the_card_shows_the_command_and_the_target_as_given(tmp_path: Path) -> None:
    """The tokens that were asked for, a path that YAML would misread in quotes, and figures of another target under its name."""
    text = card.text(FACTS, None)
    assert text.startswith('---\nbase_model: "a: b #1"\n')
    assert "--tokens 1000 --text FOLDER --size 16x1 --seed 0" in text
    (tmp_path / made_folder.MAKING).write_text(json.dumps(FACTS))
    (tmp_path / "README.md").mkdir()
    with pytest.raises(TrainingError, match="The card could not be written"):
        made_folder.write_card(tmp_path, "draft", None)


FACTS: dict[str, Any] = {
    "target": "a: b #1",
    "revision": "",
    "size": "16x1",
    "kept": 10,
    "vocabulary": 20,
    "kept_share": 1.0,
    "weights_of_a_pass": 10,
    "seed": 0,
    "texts": 3,
    "tokens": 1234,
    "asked_tokens": 1000,
    "prompts": "beginnings of given texts",
    "written_in": "float32",
    "written_on": "cpu",
    "trained_tokens": 10,
    "training_seconds": 1.0,
    "batch": 64,
    "matrix_rate": 0.02,
    "other_rate": 0.002,
    "cool_down": 0.6,
}
