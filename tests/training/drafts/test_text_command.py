"""`specviz train text` with given prompts: their share, what is left out, stops, and what can be packed when."""

import json
import lzma
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from safetensors import safe_open

from specviz.known_pairs import CHAT
from specviz.models.heads.folder import digest_of
from specviz.models.loading import load_target
from specviz.reporting.prompts import ready_prompts
from specviz.training.drafts import prompt_file
from specviz.training.drafts.packed_text import unpacked
from specviz.training.drafts.store import OwnText, TextStore
from specviz.training.drafts.unseen import held_out_prompts
from tests.training.drafts.helpers import as_lines
from tests.training.drafts.test_draft_command import refusal, stop_after, texts
from tests.training.helpers import said

AT_ONCE, LONGEST = 10, 6
HELD = [held_out_prompts()["facts"][0], ready_prompts()[0].text, ready_prompts(CHAT)[0].text]
pytestmark = pytest.mark.usefixtures("little")
PROMPTS = [f"Say the number {number}" for number in range(30)]


def prompts_in(folder: Path, prompts: Sequence[str] = (*PROMPTS, *HELD)) -> Path:
    """A file of prompts."""
    path = folder / "prompts.jsonl"
    path.write_bytes(as_lines(prompts))
    return path


def write(target: Path, folder: Path, name: str, *more: str) -> tuple[int, str, str]:
    """`train text` with given prompts."""
    given = ("--prompts", str(folder / "prompts.jsonl"), "--longest", str(LONGEST), "--seed", "3")
    out = ("--out", str(folder / f"{name}.text"))
    return said("train", "text", "--quick", "--target", str(target), *given, *out, *more)


def stored(folder: Path, name: str) -> list[OwnText]:
    """What the batches of a work folder hold."""
    files = sorted((folder / f"{name}.text.work" / "text").iterdir())
    with safe_open(files[0], framework="pt") as file:
        store = TextStore(files[0].parent, file.metadata()["fingerprint"])
    own = store.read(len(files))
    found: list[OwnText] = []
    for number in range(len(files)):
        batch = store.batch(number)
        assert batch is not None
        begin = sum(len(each.starts) for each in found)
        found.append(own.only([begin <= index < begin + len(batch.given) for index in range(len(own.starts))]))
    return found


def test_two_thirds_of_the_texts_answer_given_prompts(target: Path, tmp_path: Path) -> None:
    """At every moment, to a batch; each prompt once, none of an examination or of the page; when they are used up that is said, and the target
    goes on with its own questions. No answer is longer than asked, half of them are greedy, and no probabilities are stored."""
    prompts_in(tmp_path)
    code, out, err = write(target, tmp_path, "a", "--tokens", "450")
    assert code == 0, err
    assert "30 of which answer given prompts" in out
    assert "all 30 prompts are answered: only its own questions now" in err
    batches = stored(tmp_path, "a")
    answered: list[int] = []
    own = 0
    loaded = load_target(str(target), device=torch.device("cpu"), dtype=torch.float32)
    for batch in batches:
        given = [index for index in batch.given.tolist() if index >= 0]
        own += len(batch.given) - len(given)
        answered += given
        if len(answered) < len(PROMPTS):
            assert abs(len(answered) - 2 * own) <= 2 * AT_ONCE, (len(answered), own)
        for index, ids in zip(batch.given.tolist(), batch.texts(), strict=True):
            if index >= 0:
                prompt = loaded.text.encode(PROMPTS[index])
                assert ids[: len(prompt)] == prompt
    assert sorted(answered) == list(range(len(PROMPTS)))
    assert own > len(PROMPTS) / 2 + AT_ONCE
    assert sum(batch.written for batch in batches) >= 450
    for batch in batches:
        for row, (ids, tops) in enumerate(
            zip(batch.texts(), torch.split(batch.top, batch.lengths.tolist()), strict=True)
        ):
            start = int((tops < 0).sum())
            assert 1 <= len(ids) - start <= LONGEST
            with torch.inference_mode():
                scores = loaded.model(torch.tensor([ids])).logits[0, start - 1 : -1, : loaded.text.vocabulary]
            if row % 2:
                written = scores.gather(-1, torch.tensor(ids[start:])[:, None])[:, 0]
                assert written.tolist() == pytest.approx(
                    scores.amax(-1).tolist(), abs=0.05
                )  # bfloat16 where that is fast
    files = list((tmp_path / "a.text.work" / "text").iterdir())
    with_prompts = sum(len(batch.ids) for batch in batches)
    assert sum(path.stat().st_size for path in files) < 4 * with_prompts + 1024 * len(files)


def test_a_stop_changes_nothing(target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that was stopped, once in the middle of writing a batch, or that first asked for fewer tokens, gives the same file."""
    prompts_in(tmp_path)
    assert write(target, tmp_path, "whole", "--tokens", "250")[0] == 0
    whole = (tmp_path / "whole.text").read_bytes()
    for stop in (1, 3):
        with monkeypatch.context() as patch:
            patch.setattr(TextStore, "add", stop_after(stop, TextStore.add))
            code, _, err = write(target, tmp_path, f"stopped{stop}", "--tokens", "250")
        assert code == 130
        assert "The same command continues" in err
        assert not (tmp_path / f"stopped{stop}.text").exists()
        (tmp_path / f"stopped{stop}.text.work" / "text" / f"{stop:05}.partial").write_bytes(b"half a batch")
        assert write(target, tmp_path, f"stopped{stop}", "--tokens", "250")[0] == 0
        assert (tmp_path / f"stopped{stop}.text").read_bytes() == whole
    assert write(target, tmp_path, "more", "--tokens", "100")[0] == 0
    assert (tmp_path / "more.text").read_bytes() != whole
    assert write(target, tmp_path, "more", "--tokens", "250", "--replace")[0] == 0
    assert (tmp_path / "more.text").read_bytes() == whole


def test_what_is_written_so_far_can_be_packed(target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing more is written; an existing file is kept unless --replace is given; without anything written there is one sentence."""
    prompts_in(tmp_path)
    assert "Nothing is written" in refusal(write(target, tmp_path, "a", "--packed-so-far"))
    with monkeypatch.context() as patch:
        patch.setattr(TextStore, "add", stop_after(3, TextStore.add))
        write(target, tmp_path, "a", "--tokens", "900")
    work = tmp_path / "a.text.work" / "text"
    before = {path.name: path.read_bytes() for path in work.iterdir()}
    assert len(before) == 3
    code, out, err = write(target, tmp_path, "a", "--packed-so-far", "--tokens", "900")
    assert code == 0, err
    written = sum(batch.written for batch in stored(tmp_path, "a"))
    assert out.startswith(f"{written:,} tokens ")
    assert {path.name: path.read_bytes() for path in work.iterdir()} == before
    packed = (tmp_path / "a.text").read_bytes()
    assert "exists already" in refusal(write(target, tmp_path, "a", "--packed-so-far"))
    (tmp_path / "a.text").write_bytes(b"something else")
    assert write(target, tmp_path, "a", "--packed-so-far", "--replace")[0] == 0
    assert (tmp_path / "a.text").read_bytes() == packed
    assert json.loads(lzma.decompress(packed).split(b"\n", 1)[0])["texts"] == sum(
        len(batch.starts) for batch in stored(tmp_path, "a")
    )


def test_what_cannot_be_done_is_refused(target: Path, tmp_path: Path) -> None:
    """In one sentence, and nothing is written."""
    path = prompts_in(tmp_path)
    for name in ("--tokens", "--longest", "--threads"):
        assert f"{name} was 0: give a number of at least 1" in refusal(write(target, tmp_path, "a", name, "0"))
    assert "--prompts is for a target that answers" in refusal(
        write(target, tmp_path, "a", "--text", str(texts(tmp_path)))
    )
    path.write_bytes(as_lines(HELD))
    assert "none of 3 can be used" in refusal(write(target, tmp_path, "a"))
    path.write_bytes(b"no JSON\n")
    assert f"{str(path)!r}, line 1: this is not JSON" in refusal(write(target, tmp_path, "a"))
    path.unlink()
    assert "check the path" in refusal(write(target, tmp_path, "a"))
    folder = tmp_path / "a.text"
    folder.mkdir()
    assert "exists already" in refusal(write(target, tmp_path, "a", "--replace"))
    assert not any(tmp_path.glob("a.text.work/text/*"))


def test_other_prompts_are_another_text(target: Path, tmp_path: Path) -> None:
    """A work folder whose text answers prompts of another file is not continued. As many threads compute as were asked for."""
    path = prompts_in(tmp_path)
    torch.set_num_threads(1)
    assert write(target, tmp_path, "a", "--tokens", "50", "--threads", "2")[0] == 0
    assert torch.get_num_threads() == 2
    path.write_bytes(as_lines(PROMPTS[1:]))
    assert "was written by another target or with other settings" in refusal(
        write(target, tmp_path, "a", "--tokens", "50", "--replace")
    )


def test_parts_share_the_prompts(target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every prompt is answered in one of the parts, each part has questions of its own, and a head and a draft learn from their files together."""
    path = prompts_in(tmp_path)
    files = [tmp_path / f"part{number}.text" for number in (1, 2)]
    for number in (1, 2):
        asked = ("--part", f"{number}/2", "--tokens", "225", "--at-once", "7")
        code, out, err = write(target, tmp_path, f"part{number}", *asked)
        assert code == 0, err
        assert "15 of which answer given prompts" in out
    loaded = load_target(str(target), device=torch.device("cpu"), dtype=torch.float32)
    digest, prompts = digest_of(loaded.model), prompt_file.read(path)
    parts = [unpacked(file, digest, loaded.text, prompts) for file in files]
    answered = [index for part in parts for index in part.given.tolist() if index >= 0]
    assert sorted(answered) == list(range(len(PROMPTS)))
    own = [{tuple(ids) for ids in part.only((part.given < 0).tolist()).texts()} for part in parts]
    assert own[0]
    assert not own[0] & own[1]
    both = ("--quick", "--target", str(target), "--own-text", *map(str, files), "--own-text-prompts", str(path))
    for kind, more in (("head", ("--kind", "medusa")), ("draft", ())):
        out_folder = tmp_path / kind
        short = ("--prompts", "0", "--epochs", "1", "--batch", "200", "--tokens", "300", "--out", str(out_folder))
        code, out, err = said("train", kind, *both, *more, *short, "--json")
        assert code == 0, err
        facts = json.loads(out)["making"]
        assert 300 <= facts["tokens"] < 300 + LONGEST
        assert "answers to given prompts, the other" in facts["prompts"]
        if kind == "head":
            assert facts["unseen_by_prompts"].keys() == {"given prompts", "questions of its own"}
        card = (out_folder / "README.md").read_text(encoding="utf-8")
        asked_for = (
            "--own-text part1.text part2.text --tokens 300 --own-text-prompts prompts.jsonl --epochs 1 --batch 200"
        )
        assert asked_for in " ".join(card.split())
    for wrong in ("0/2", "3/2", "2", "a/b", "-1/2", "1/0", "1/99999"):
        assert f"--part was {wrong!r}" in refusal(write(target, tmp_path, "wrong", f"--part={wrong}"))
    assert "--at-once was 0" in refusal(write(target, tmp_path, "wrong", "--at-once", "0"))
    missing = said("train", "draft", *both[:3], "--own-text-prompts", str(path), "--out", str(tmp_path / "no"))
    assert "--own-text-prompts belongs to --own-text" in refusal(missing)
