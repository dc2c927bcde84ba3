"""`specviz train draft` and `train examine` on a tiny random target: the complete path, stops, and refusals."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from specviz.models import loading
from specviz.training import checkpoints
from specviz.training.drafts import making
from specviz.training.drafts.store import TextStore
from specviz.training.drafts.unseen import held_out_prompts
from tests.models.folders import byte_tokenizer, save_model
from tests.training.conftest import LITTLE
from tests.training.drafts.helpers import CHAT, save_target
from tests.training.helpers import said

pytestmark = pytest.mark.usefixtures("little")


def draft(target: Path, out: Path, *more: str) -> tuple[int, str, str]:
    return said("train", "draft", "--target", str(target), "--out", str(out), "--quick", *more)


def refusal(outcome: tuple[int, str, str]) -> str:
    """The one sentence with which it was refused."""
    code, out, err = outcome
    assert (code, out) == (2, ""), outcome
    last = err.splitlines()[-1]
    assert last.startswith("specviz: ")
    assert last.endswith(".")
    return last


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


def stop_after(count: int, work: Callable[..., Any]) -> Callable[..., Any]:
    """The same work, and Ctrl-C after it was done so many times."""
    done = 0

    def stopping(*args: Any, **named: Any) -> Any:
        nonlocal done
        found = work(*args, **named)
        done += 1
        if done == count:
            raise KeyboardInterrupt
        return found

    return stopping


@pytest.mark.slow
def test_the_complete_path_and_every_stop(target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--quick ends with a folder that transformers loads, the figures and a card; a run that was stopped while the target wrote, and again
    while the draft learned, ends with the same weights, bit for bit; another target may not continue it."""
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    code, out, err = draft(target, whole, "--json")
    assert code == 0, err
    found = json.loads(out)
    assert found["making"]["tokens"] >= LITTLE["tokens"]
    examined = found["examination"]
    assert examined["same_text"]["transformers"] == [1, 1]
    assert examined["same_text"]["plain decoding"] in ([1, 1], [2, 2])
    assert len(examined["greedy"]["alpha_by_position"]) == 8
    assert set(examined["sampled"]["measured"]) >= {"4"}
    names = "config.json model.safetensors tokenizer.json chat_template.jinja kept_ids.json generation_config.json README.md"
    assert {path.name for path in whole.iterdir()} >= {*names.split(), "making.json", "examination.json", "curves.svg"}
    model = transformers.AutoModelForCausalLM.from_pretrained(whole)
    assert type(model) is transformers.LlamaForCausalLM
    kept = json.loads((whole / "kept_ids.json").read_text())
    assert kept["vocabulary"] == model.config.vocab_size == model.lm_head.weight.shape[0]
    assert kept["kept"] == sorted(set(kept["kept"]))
    assert len(kept["kept"]) == found["making"]["kept"] <= 120
    card = (whole / "README.md").read_text()
    assert "$" not in card
    assert found["making"]["target"] in card

    with monkeypatch.context() as patch:
        patch.setattr(TextStore, "add", stop_after(1, TextStore.add))
        code, out, err = draft(target, stopped)
    assert code == 130
    assert str(stopped.with_name("stopped.work")) in err
    assert not stopped.exists()
    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "write", stop_after(2, checkpoints.write))
        assert draft(target, stopped)[0] == 130
    assert draft(target, stopped, "--prompts", "0")[0] == 0
    assert weights(stopped) == weights(whole)
    assert not (stopped / "examination.json").exists()
    assert "not been examined" in (stopped / "README.md").read_text()
    assert not list(tmp_path.glob(".*"))

    asked = ("train", "examine", "--target", str(target), "--draft", str(stopped))
    code, out, err = said(*asked, "--prompts", "1", "--tokens", "6", "--card")
    assert code == 0, err
    assert "acceptance rate" in out
    assert "not been examined" not in (stopped / "README.md").read_text()

    assert "exists already" in refusal(draft(target, whole))
    other = save_model(tmp_path / "other", seed=8)
    work = str(whole.with_name("whole.work"))
    more = ("--text", str(texts(tmp_path)), "--work", work)
    assert "another target" in refusal(draft(other, tmp_path / "new", *more))


@pytest.mark.slow
def test_a_draft_goes_on_learning(target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its own weights, ids and size, also after a stop; its card says so. A model of another shape or tokenizer is refused, weights that
    are no numbers, and a damaged curve."""
    whole, new = tmp_path / "whole", tmp_path / "new"
    assert draft(target, whole, "--prompts", "0")[0] == 0
    once = ("--from", str(whole), "--epochs", "1", "--prompts", "0")
    assert draft(target, tmp_path / "on", *once, "--rate", "1e-7")[0] == 0
    begun, learnt = (load_file(folder / "model.safetensors") for folder in (whole, tmp_path / "on"))
    assert all(torch.allclose(begun[name].float(), learnt[name].float(), atol=1e-3) for name in begun)
    assert (tmp_path / "on" / "kept_ids.json").read_text() == (whole / "kept_ids.json").read_text()
    card = " ".join((tmp_path / "on" / "README.md").read_text().split())
    assert "--rate 1e-07 --from whole --seed 0" in card
    made = json.loads((whole / "making.json").read_text())
    assert (
        f"an earlier draft, whole, made for {made['target']}, which had read {made['trained_tokens']:,} tokens. It read"
        in card
    )
    assert "No other text was used." not in card

    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "write", stop_after(1, checkpoints.write))
        assert draft(target, new, *once)[0] == 130
    for folder in (new, tmp_path / "again"):
        assert draft(target, folder, *once)[0] == 0
    assert weights(new) == weights(tmp_path / "again") != weights(tmp_path / "on")
    work = ("--from", str(new), *once[2:], "--work", str(tmp_path / "new.work"))
    assert "belongs to another recipe" in refusal(draft(target, tmp_path / "third", *work))

    third = (target, tmp_path / "third")
    gpt = save_model(tmp_path / "gpt", "GPT2LMHeadModel")
    for name in ("curves.json", "making.json"):
        shutil.copyfile(whole / name, gpt / name)
    assert "of another shape than the drafts" in refusal(draft(*third, "--from", str(gpt)))
    assert "leave out --vocabulary" in refusal(draft(*third, *once, "--vocabulary", "20"))
    other = save_model(tmp_path / "other", tokenizer=byte_tokenizer(extra=20, template=CHAT), context=256)
    assert "has another tokenizer than the target" in refusal(draft(other, tmp_path / "third", *once))
    broken = {**load_file(whole / "model.safetensors")}
    broken["model.norm.weight"][0] = torch.nan
    save_file(broken, whole / "model.safetensors", metadata={"format": "pt"})
    assert "weights that are not numbers" in refusal(draft(*third, *once))
    shutil.copyfile(new / "model.safetensors", whole / "model.safetensors")
    for losses, named in (({"alpha": "high"}, "could not be read (ValueError)"), ({}, "has a point without losses")):
        (whole / "curves.json").write_text(json.dumps({"draft": {"points": [{"tokens": 1, "losses": losses}]}}))
        assert f"curves.json' {named}" in refusal(draft(*third, *once))


def texts(folder: Path) -> Path:
    found = folder / "texts"
    found.mkdir(exist_ok=True)
    (found / "a.txt").write_text("\n\n".join(f"The old dog number {n} ran home to the red sun." for n in range(12)))
    return found


@pytest.mark.slow
def test_a_target_without_a_template_continues_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --text it goes on from beginnings of these texts, is examined on others of them, and chooses its size from measured costs;
    without it one sentence says what to give."""
    target = save_target(tmp_path / "plain", template=False)
    assert "--text" in refusal(draft(target, tmp_path / "out"))
    assert not (tmp_path / "out").exists()
    out = tmp_path / "draft"
    monkeypatch.setattr(making, "SIZES", ((16, 1), (32, 1)))
    more = ("--text", str(texts(tmp_path)), "--size", "auto", "--json", "--seconds", "0.5")
    code, said_, err = draft(target, out, *more)
    assert code == 0, err
    making_facts = json.loads(said_)["making"]
    considered = making_facts["size_considered"]
    assert {each["size"] for each in considered} == {"16x1", "32x1"}
    assert considered[0]["speedup"] == max(each["speedup"] for each in considered)
    assert making_facts["size"] == considered[0]["size"]
    assert "beginnings" in making_facts["prompts"]
    assert making_facts["epochs"] > 0, "as often as half a second allows"


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (("--size", "wide"), "'wide'"),
        (("--from", "/no/such/draft"), "'/no/such/draft', which is no draft that `train draft` made"),
        (("--rate", "0"), "--rate was 0"),
        (("--tokens", "0"), "--tokens was 0"),
        (("--epochs", "-1"), "--epochs was -1"),
        (("--vocabulary", "1"), "--vocabulary was 1"),
        (("--seconds", "5", "--epochs", "1"), "--seconds"),
        (("--text", "/no/such/folder"), "/no/such/folder"),
        (("--device", "abacus"), "'abacus'"),
        (("--target", "/no/such/model"), "/no/such/model"),
    ],
)
def test_what_cannot_be_done_is_refused(target: Path, tmp_path: Path, more: tuple[str, ...], named: str) -> None:
    """One sentence names what was received, and no draft is written."""
    assert named in refusal(draft(target, tmp_path / "out", *more))
    assert not (tmp_path / "out").exists()


def test_a_target_that_does_not_fit_is_refused(target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before loading: both sizes are named, and no weight is read."""
    monkeypatch.setattr(loading, "memory_free", lambda device: 1000)
    monkeypatch.setattr(loading, "read_model", lambda *args, **named: pytest.fail("it was loaded"))
    assert "GB" in refusal(draft(target, tmp_path / "out"))


def test_the_prompts_of_the_examination() -> None:
    """Forty prompts of nine kinds, all different."""
    prompts = held_out_prompts()
    every = [prompt for kind in prompts.values() for prompt in kind]
    assert (len(prompts), len(every), len(set(every))) == (9, 40, 40)
