"""What a folder or the hub can hold beside an ordinary model: it loads, or one sentence says what it is and what to do. Pairs without
a draft model: a target alone, an offered pair whose draft is not there, and a draft that is added later."""

import errno
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import torch
from huggingface_hub import constants, snapshot_download

from specviz.errors import HubError, PairError, PromptError
from specviz.models import Pair, load_pair, reading, sources, with_draft
from specviz.models.reading import read_tokenizer
from specviz.models.tokens import TokenText
from specviz.runs.run import Run
from specviz.settings import Settings
from specviz.trace.files import dumps, loads
from specviz.trace.records import TokenBytes
from tests.helpers.refusals import edit_json, refusal, reweighted
from tests.helpers.tiny_gguf import write_gguf
from tests.models.conftest import Copies
from tests.models.folders import END, TURN_END, USER_DEFINED, byte_tokenizer, chat_tokenizer, put_in_hub, save_model
from tests.models.test_loading import GREEDY, ids_of, load

COMMIT = "a" * 40


def test_a_template_that_reads_parts_gets_parts() -> None:
    """Where a chat template skips a prompt that is plain text, as those of vision-language models can, it gets a list of parts."""
    template = "{% for m in messages %}{% for part in m.content %}{% if part.type == 'text' %}<{{ part.text }}>{% endif %}{% endfor %}{% endfor %}"
    text = TokenText(byte_tokenizer(template=template))
    assert text.tokenizer.decode(text.encode("the dog")) == "<the dog>"


def test_a_template_that_drops_the_prompt_is_named(saved: Path, copy_of: Copies) -> None:
    """A chat template that never writes the user's turn is refused in a sentence, and one that changes the text is not. A template is also
    found in chat_template.json."""
    folder = copy_of("target")
    for role, text in (("human", ""), ("user", "DOG")):
        template = f"{{% for m in messages %}}{{% if m.role == '{role}' %}}{{{{ m.content | upper }}}}{{% endif %}}{{% endfor %}}:"
        (folder / "chat_template.json").write_text(json.dumps({"chat_template": template}))
        found = read_tokenizer(folder, "folder")
        if text:
            assert found.tokenizer.decode(found.encode("dog")) == f"{text}:"
        else:
            with pytest.raises(PromptError, match="leaves the user's text out: run without the template"):
                found.encode("dog")
            assert found.encode("dog", template=False)


@pytest.mark.slow
def test_wishes_about_the_run_are_not_the_model(saved: Path, copy_of: Copies, loaded: Pair) -> None:
    """A config that names an attention kernel of another machine, or other outputs, gives the text that it gives without."""
    folder = copy_of("target")
    edit_json(folder / "config.json", _attn_implementation="flash_attention_2", return_dict=False, use_cache=False)
    assert ids_of(load(folder, saved / "draft"), GREEDY, plain=False) == ids_of(loaded, GREEDY, plain=True)


def test_an_adapter_that_is_not_applied_is_noted(saved: Path, copy_of: Copies) -> None:
    """Without the package that applies it, an adapter beside the weights is named on the card."""
    folder = copy_of("target")
    (folder / "adapter_config.json").write_text(json.dumps({"peft_type": "LORA", "base_model_name_or_path": "x"}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "is_peft_available", lambda: False)
        (note,) = load(folder, saved / "draft").card.notes
    assert "has an adapter beside its weights (adapter_config.json), which is not applied" in note


def test_what_is_not_used_is_on_the_card(saved: Path, copy_of: Copies, loaded: Pair) -> None:
    """Weights without a place in the model, and a repetition penalty that is not applied, are notes of the card and of a recording."""
    target, draft = copy_of("target"), copy_of("draft")
    for folder in (target, draft):
        reweighted(lambda tensors: tensors.update({"model.layers.0.lora": torch.zeros(3)}))(folder)
    edit_json(target / "generation_config.json", repetition_penalty=1.1, do_sample=True, top_p=0.9)
    pair = load(target, draft)
    unused = "has 1 weight that LlamaForCausalLM does not use, such as model.layers.0.lora."
    assert [note.partition(" ")[2] for note in pair.card.notes[::2]] == [unused, unused]
    assert "asks for repetition_penalty 1.1, which is not applied" in pair.card.notes[1]
    assert len(pair.card.notes) == 3
    trace = Run(pair, "the dog", GREEDY).finish()
    assert trace.card.notes == pair.card.notes
    assert loads(dumps([trace])) == (trace,)
    assert with_draft(pair, str(saved / "draft")).card.notes == pair.card.notes[:2]
    assert loaded.card.notes == ()


# ---- the hub


@pytest.fixture
def hub_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the hub, and no hub."""
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub" / "models--some--model"


def refused(source: str, draft: Path) -> str:
    return refusal(HubError, load_pair, target=source, draft=str(draft), device="cpu", dtype="float32")


@pytest.mark.slow
def test_a_revision_is_loaded_and_recorded(saved: Path, hub_cache: Path) -> None:
    """`id@revision` takes that revision's files, by branch, tag or commit; the commit is on the card and in the recording."""
    put_in_hub(hub_cache, saved / "target", "main")
    put_in_hub(hub_cache, saved / "draft", "v1", commit="f" * 40)
    for source, layers, commit in (
        ("some/model", 2, COMMIT),
        ("some/model@v1", 1, "f" * 40),
        (f"some/model@{COMMIT}", 2, COMMIT),
    ):
        pair = load_pair(target=source, draft=str(saved / "draft"), device="cpu", dtype="float32")
        assert (pair.card.target.name, pair.card.target.layers) == (source, layers)
        assert pair.card.target.revision == commit
        assert pair.card.draft is not None
        assert pair.card.draft.revision == ""
        trace = Run(pair, "the dog", Settings(max_new_tokens=2)).finish()
        assert loads(dumps([trace]))[0].card.target.revision == commit
    changed = with_draft(pair, "some/model@v1").card
    assert changed.draft is not None
    assert (changed.draft.revision, changed.target.revision) == ("f" * 40, COMMIT)
    assert "names no revision" in refused("some/model@", saved / "draft")


@pytest.mark.parametrize("lost", ["model.safetensors", "config.json"])
def test_a_download_that_broke_off_is_not_used(saved: Path, hub_cache: Path, lost: str) -> None:
    """Without a hub, a partial folder of an earlier download is not taken for a model: the sentence says that it is not complete."""
    (put_in_hub(hub_cache, saved / "target") / lost).unlink()
    sentence = refused("some/model", saved / "draft")
    assert "is not complete and could not go on (no network?)" in sentence
    assert "has no" not in sentence


def test_the_reason_of_a_download_that_broke_off(saved: Path, hub_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Disk full, or no right to write: the sentence names what happened, not what the partial folder lacks."""
    (put_in_hub(hub_cache, saved / "target") / "model.safetensors").unlink()
    download = snapshot_download

    def breaking(name: str, **options: Any) -> Any:
        if options.get("local_files_only"):
            return download(name, **options)
        raise LookupError("while fetching") from error

    monkeypatch.setattr("specviz.models.sources.HfApi.model_info", lambda *_, **__: None)
    monkeypatch.setattr(sources, "snapshot_download", breaking)
    full = RuntimeError("Data processing error: No space left on device (os error 28)")
    denied = PermissionError(errno.EACCES, "denied")
    for error, says in ((full, "does not fit on this disk"), (denied, "make that folder writable")):  # noqa: B007
        assert says in refused("some/model", saved / "draft")


def test_what_the_hub_denies_is_explained(saved: Path, hub_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gated model, a private one, an unknown revision and a hub that answers nonsense each have a sentence that says what to do."""
    denied = (
        (403, "GatedRepo", "accept it on the model's page, then log in with `hf auth login`, or set HF_TOKEN."),
        (401, "RepoNotFound", "or it is private: check the spelling, log in with `hf auth login`, or set HF_TOKEN"),
        (404, "RevisionNotFound", "some/model has no revision 'v9': give a branch, a tag or a commit"),
        (200, "", "could not be downloaded"),
    )

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("X-Error-Code", code)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Nothing is printed."""

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        try:
            for status, code, says in denied:  # noqa: B007  # what the server answers
                assert says in refused("some/model@v9", saved / "draft")
        finally:
            server.shutdown()
            thread.join()


# ---- a model's texts, wherever it comes from


@pytest.mark.slow
@pytest.mark.parametrize("source", ["folder", "hub", "GGUF"])
def test_texts_are_the_tokenizers_own(tmp_path: Path, hub_cache: Path, source: str) -> None:
    """Ids, added tokens, template and ends are those of the tokenizer that was saved. A turn of the model ends with the mark that its template writes
    there, whatever the files name as the end, and the card names both."""
    tokenizer = chat_tokenizer()
    end, turn_end = (tokenizer.convert_tokens_to_ids(mark) for mark in (END, TURN_END))
    folder = save_model(tmp_path / "model", tokenizer=tokenizer, end_ids=end)
    given = str(folder)
    if source == "hub":
        put_in_hub(hub_cache, folder, "main")
        given = "some/model"
    elif source == "GGUF":
        pytest.importorskip("gguf")
        given = str(write_gguf(tmp_path / "model.gguf", tokenizer=tokenizer))
    pair = load_pair(target=given, device="cpu", dtype="float32")
    assert pair.target.end_ids == {end, turn_end}
    assert f"{END} (" in pair.card.notes[0]
    assert f"{TURN_END} (chat template)" in pair.card.notes[0]
    for prompt in ("the cat, caf\u00e9 \u0111em", "\u65e5\u672c\u65e5 <think>x", "caf\u00e8 \xe9 \n\n", TURN_END):
        ids = tokenizer(prompt)["input_ids"]
        assert pair.text.encode(prompt, template=False) == ids
        assert b"".join(pair.text.bytes_of(i).data for i in ids) == prompt.encode()
        turn = tokenizer.apply_chat_template([{"role": "user", "content": prompt}], add_generation_prompt=True)
        assert pair.text.encode(prompt) == turn["input_ids"]
    assert [pair.text.bytes_of(i).special for i in (end, turn_end)] == [True, True]
    for word in USER_DEFINED:
        (token,) = pair.text.encode(word, template=False)
        assert pair.text.bytes_of(token) == TokenBytes(word.encode())


# ---- pairs without a draft model


def alone(folder: Path) -> Pair:
    return load_pair(target=str(folder), device="cpu", dtype="float32")


def test_a_target_loads_alone(saved: Path) -> None:
    """Only the target is loaded and checked; the card, the name and the line of text show one model."""
    steps: list[str] = []
    pair = load_pair(
        target=str(saved / "target"), device="cpu", dtype="float32", progress=lambda what, share: steps.append(what)
    )
    assert (pair.draft, pair.card.draft, pair.card.notes) == (None, None, ())
    assert (pair.name, pair.card.drafter.name) == ("saved/target", "ngram")
    assert len(steps) == len(set(steps)), "nothing is loaded twice"
    assert [*pair.loaded] == ["target"]
    assert repr(pair) == "Pair('saved/target', target='saved/target', float32 on cpu)"
    with pytest.raises(PairError, match="saved/target was loaded without a draft model"):
        pair.require_draft()
