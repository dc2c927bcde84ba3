"""`specviz train head` on a tiny random target: the complete path, stops, and refusals."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from specviz.folders import ASSETS
from specviz.models.heads.folder import CARD, digest_of, read_spec
from specviz.models.loading import load_pair, load_target
from specviz.training import checkpoints, duration, made_folder
from specviz.training.block_command import lines
from specviz.training.drafts.packed_text import packed, unpacked
from specviz.training.drafts.store import TextStore
from specviz.training.heads import card, medusa
from specviz.training.heads.block import SLOTS
from specviz.training.heads.kinds import MODULES
from tests.training.conftest import LITTLE
from tests.training.drafts.test_draft_command import refusal, stop_after
from tests.training.helpers import said

pytestmark = pytest.mark.usefixtures("little")


def head(target: Path, out: Path, *more: str, kind: str = "medusa") -> tuple[int, str, str]:
    return said("train", "head", "--kind", kind, "--target", str(target), "--out", str(out), "--quick", *more)


def weights(folder: Path) -> bytes:
    return (folder / "head.safetensors").read_bytes()


@pytest.mark.slow
def test_the_complete_path_and_every_stop(target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--quick ends with a folder that the engine loads, the figures and a card; a run that was stopped while the target wrote, and again while
    the head learned, ends with the same weights, bit for bit."""
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    code, out, err = head(target, whole, "--json")
    assert code == 0, err
    found = json.loads(out)
    assert found["making"]["tokens"] >= LITTLE["tokens"]
    assert list(found["making"]["unseen"]) == list(medusa.KINDS["medusa"].shown[: medusa.HEADS])
    examined = found["examination"]
    same_texts(examined)
    assert len(examined["drafters"]["medusa"]["greedy"]["alpha_by_position"]) == medusa.HEADS
    tree = examined["drafters"]["medusa-tree"]["sampled"]
    assert tree["best_nodes"] == 3
    cost = tree["drafting"]["3"] + examined["v"]["4"]
    assert tree["predicted"]["3"] == pytest.approx(tree["measured"]["3"]["tokens_per_round"] / cost)
    names = "head.json head.safetensors README.md making.json examination.json curves.json curves.svg"
    assert {path.name for path in whole.iterdir()} == {*names.split()}
    card = (whole / "README.md").read_text()
    assert "$" not in card
    assert "tokens a round" in card
    pair = load_pair(target=str(target), head=str(whole), device="cpu")
    assert set(pair.head_folders) == {"medusa"}
    described = json.loads((whole / "head.json").read_text())
    assert [len(row) for row in described["options"]["accuracies"]] == [medusa.RANKS] * medusa.HEADS

    with monkeypatch.context() as patch:
        patch.setattr(TextStore, "add", stop_after(1, TextStore.add))
        code, out, err = head(target, stopped)
    assert code == 130
    assert str(stopped.with_name("stopped.work")) in err
    assert not stopped.exists()
    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "write", stop_after(2, checkpoints.write))
        assert head(target, stopped)[0] == 130
    assert head(target, stopped, "--prompts", "0")[0] == 0
    assert weights(stopped) == weights(whole)
    assert "not been examined" in (stopped / "README.md").read_text()
    assert not list(tmp_path.glob(".*"))

    code, out, err = examine(target, stopped, "--card", "--json")
    assert code == 0, err
    later = json.loads(out)
    assert later["drafters"].keys() == examined["drafters"].keys()
    same_texts(later)
    assert json.loads((stopped / "examination.json").read_text()) == later
    assert "tokens a round" in (stopped / "README.md").read_text()
    assert weights(stopped) == weights(whole)
    (stopped / "making.json").unlink()
    assert "give a head that `train head` made" in examine(target, stopped, "--card")[2]


def same_texts(examined: dict[str, Any]) -> None:
    """How many runs are timed depends on which k the measured costs make the best."""
    assert examined["same_text"]["transformers"] == [1, 1]
    right, asked = examined["same_text"]["plain decoding"]
    assert right == asked > 0


def examine(target: Path, folder: Path, *more: str) -> tuple[int, str, str]:
    asked = ("--target", str(target), "--head", str(folder), "--prompts", "1", "--tokens", "8")
    return said("train", "examine", *asked, *more)


def test_an_examination_needs_something(target: Path, tmp_path: Path) -> None:
    """Without --draft and --head, or with a folder that is no head, there is one sentence."""
    code, _, err = said("train", "examine", "--target", str(target))
    assert code == 2
    assert "Neither --draft nor --head" in err
    code, _, err = examine(target, tmp_path)
    assert code == 2
    assert "head.json could not be read" in err


def test_seconds_become_epochs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step over two texts that takes a second, and the optimiser's share: 115 seconds are ten epochs of 20 texts. The first step,
    which is slow, does not count."""
    clock = iter([0.0, 60.0, 60.0, 61.0, 61.0, 62.0])
    monkeypatch.setattr("specviz.training.duration.time.monotonic", lambda: next(clock))
    batches = [torch.zeros(2, 3)] * 3
    found = duration.epochs_in(115.0, lambda batch: batch.sum().requires_grad_(), batches, 20)
    assert found == pytest.approx(10.0)


@pytest.mark.slow
def test_every_kind_can_be_trained(target: Path, tmp_path: Path) -> None:
    """All of them from the text that the first one had the target write; one that drafts trees only is examined too."""
    for kind in MODULES:
        more = ("--epochs", "1") if kind == "jetspec" else ("--epochs", "1", "--prompts", "0")
        code, _, err = head(target, tmp_path / kind, "--work", str(tmp_path / "work"), *more, kind=kind)
        assert code == 0, (kind, err)
        assert load_pair(target=str(target), head=str(tmp_path / kind), device="cpu").head_folders.keys() == {kind}
        assert ("not been examined" in (tmp_path / kind / "README.md").read_text()) == (kind != "jetspec")
    calibration = read_spec(tmp_path / "dspark").options["calibration"]
    assert len(calibration["greedy"]) == len(calibration["sampled"]) == SLOTS
    assert "expected calibration error" in " ".join((tmp_path / "dspark" / "README.md").read_text().split())
    both, work = tmp_path / "both", str(tmp_path / "work")
    code, _, err = head(target, both, "--work", work, "--prompts", "0", "--option", "causal=false", kind="jetspec")
    assert code == 0, err
    assert read_spec(both).options["causal"] is False
    assert "--option causal=false" in (both / "README.md").read_text()
    heads = ("--causal", str(tmp_path / "jetspec"), "--bidirectional", str(both), "--dspark", str(tmp_path / "dspark"))
    few = ("--prompts", "1", "--tokens", "4", "--device", "cpu")
    code, out, err = said("train", "compare-blocks", "--target", str(target), *heads, *few, "--json")
    assert code == 0, err
    found = json.loads(out)
    assert found["order"].keys() == {"causal", "bidirectional"}
    assert found["scheduler"]["guests"][0]["guests"] == 1
    assert "scheduler on" in "\n".join(lines(found))


def test_a_text_that_was_saved_serves_as_one_that_is_written(target: Path, tmp_path: Path) -> None:
    """`train text` saves what the target writes; a head learns from the file without a word being written, and so does one that
    goes on learning. A file of another target is refused, and so is one that is none."""
    saved, work = tmp_path / "own.text", tmp_path / "work"
    code, out, err = said("train", "text", "--quick", "--target", str(target), "--out", str(saved), "--work", str(work))
    assert code == 0, err
    written = int(out.split(" ")[0].replace(",", ""))
    assert written >= LITTLE["tokens"]
    few = ("--epochs", "1", "--rate", "0.5", "--prompts", "0", "--json")
    code, out, err = head(target, tmp_path / "out", "--own-text", str(saved), *few)
    assert code == 0, err
    making = json.loads(out)["making"]
    assert making["tokens"] == written
    assert making["matrix_rate"] == medusa.KINDS["medusa"].matrix_rate / 2
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "--own-text own.text --epochs 1 --rate 0.5 " in card
    assert not (tmp_path / "out.work" / "text").exists()
    on = ("--from", str(tmp_path / "out"), "--own-text", str(saved), "--epochs", "1", "--prompts", "0")
    code, _, err = head(target, tmp_path / "on", *on, "--rate", "1e-7")
    assert code == 0, err
    begun, learnt = (load_file(tmp_path / name / "head.safetensors") for name in ("out", "on"))
    assert all(torch.allclose(begun[name].float(), learnt[name].float(), atol=1e-2) for name in begun)
    assert "--from out" in (card := (tmp_path / "on" / "README.md").read_text(encoding="utf-8"))
    assert "It began with the weights of an earlier head, out." in card
    assert head(target, tmp_path / "one", "--own-text", str(saved), *few, "--option", "heads=1")[0] == 0
    on_one = ("--from", str(tmp_path / "one"), *on[2:])
    assert head(target, tmp_path / "one on", *on_one)[0] == 0
    assert json.loads((tmp_path / "one on" / "head.json").read_text())["options"]["heads"] == 1
    assert "leave out --option" in refusal(head(target, tmp_path / "other", *on_one, "--option", "heads=2"))
    assert "leave out --vocabulary" in refusal(head(target, tmp_path / "other", *on_one, "--vocabulary", "20"))
    assert "which is no head that `train head` made" in refusal(head(target, tmp_path / "other", "--from", str(target)))
    assert "is of the kind medusa and was made for" in refusal(head(target, tmp_path / "other", *on, kind="eagle3"))
    (tmp_path / "out" / "curves.json").write_text("[]")
    assert "curves.json' could not be read (TypeError)" in refusal(head(target, tmp_path / "other", *on))
    assert "no text that" in refusal(head(target, tmp_path / "other", "--own-text", str(target / "config.json")))
    loaded = load_target(str(target), device=torch.device("cpu"), dtype=torch.float32)
    digest = digest_of(loaded.model)
    saved.write_bytes(packed(unpacked(saved, digest, loaded.text), "another one", "0" * len(digest)))
    refused = refusal(head(target, tmp_path / "other", "--own-text", str(saved)))
    assert "written by 'another one' with other weights" in refused


def test_what_cannot_be_done_is_refused(target: Path, tmp_path: Path) -> None:
    """One sentence names what was received, and no head is written. What every training refuses: `test_draft_command`, `test_draft_options`."""
    out = tmp_path / "out"
    for kind in ("crystal", ""):
        assert f"--kind was '{kind}': choose one of medusa" in refusal(head(target, out, kind=kind))
    for more, named in (
        (("--rate", "0"), "--rate was 0"),
        (("--option", "heads"), "--option was 'heads': give NAME=VALUE"),
        (("--option", "heads=two"), "--option was 'heads=two'"),
        (("--option", "heads=2", "--option", "heads=3"), "given twice"),
        (("--option", "causal=true"), "is no option of the kind medusa: its options are heads"),
        (("--option", "heads=true"), "--option heads was true: give a whole number"),
        (("--option", "heads=-1"), "change --option"),
    ):
        assert named in refusal(head(target, out, *more)), more
        assert not out.exists()


def test_a_card_shows_how_its_head_learned() -> None:
    """The card of the chat model's head has its learning curve by tokens read: the mean around each number, none beyond the last."""
    folder_of_head = ASSETS / "heads" / "smollm2-135m-eagle3"
    making_of = json.loads((folder_of_head / made_folder.MAKING).read_text(encoding="utf-8"))
    shown = (folder_of_head / CARD).read_text(encoding="utf-8")
    assert "| tokens read (M) | 0.25 | 0.5 | 1 | 2 | 4 | 6 |" in shown
    points = [{"tokens": at, "losses": {"alpha 1": at / 4e6}} for at in (480_000, 520_000, 900_000)]
    text = card.text({**making_of, "unseen": {"alpha 1": 0.5}}, None, points)
    assert "| tokens read (M) | 0.5 |\n|---|---|\n| alpha 1 | 0.12 |\n" in text
    assert "tokens read (M)" not in card.text(making_of, None)


@pytest.mark.parametrize("shipped", sorted(each.parent.name for each in (ASSETS / "heads").glob("*/making.json")))
def test_a_shipped_head_can_be_examined_again(shipped: str) -> None:
    """How it was made can be read, however old the program that wrote it: its card is what these files give."""
    folder = ASSETS / "heads" / shipped
    assert made_folder.card_of(folder, "head") == (folder / CARD).read_text(encoding="utf-8")
