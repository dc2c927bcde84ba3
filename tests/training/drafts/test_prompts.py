"""Where the target's prompts come from: its own questions, or beginnings of texts; none of them is one of the examination's."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
import torch

from specviz.errors import TrainingError
from specviz.models.tokens import TokenText
from specviz.training.drafts import documents
from specviz.training.drafts.conversations import first_words, opening_of, questions
from specviz.training.drafts.unseen import Unseen, held_out_prompts
from tests.models.folders import byte_tokenizer
from tests.training.drafts.helpers import Scripted, chat_text


def asked(turns: Sequence[tuple[str, bool]], unseen: Unseen) -> list[str]:
    text = chat_text()
    opening = opening_of(text, {0})
    script = iter(turns)

    def turn(prompt: list[int]) -> tuple[list[int], str, bool]:
        assert prompt[: len(opening.ids)] == list(opening.ids)
        return list(opening.ids), *next(script)

    found = questions(Scripted(None, 0, text, turn), text, opening, len(turns), torch.Generator(), unseen)
    assert next(script, None) is None
    assert all(ids == text.encode(words) for ids, words in zip(found, map(words_of, found), strict=True))
    return [words_of(ids) for ids in found]


def words_of(ids: Sequence[int]) -> str:
    text = str(chat_text().tokenizer.decode(ids))
    return text.removeprefix("<|begin|>user\n").removesuffix("<|end|><|begin|>assistant\n")


def test_an_opening_is_the_template_up_to_the_users_words() -> None:
    """It ends where the user's words begin; any special token ends the turn; a template that hides the words is refused."""
    text = chat_text()
    opening = opening_of(text, {0})
    assert text.tokenizer.decode(opening.ids) == "<|begin|>user\n"
    assert opening.closing == "<|end|><|begin|>assistant"
    assert opening.ends == {0, 1}
    for template in ("hello", "{{ raise_exception('no') }}", "{{ messages[0]['content'] }}"):
        with pytest.raises(TrainingError, match="--text"):
            opening_of(TokenText(byte_tokenizer(template=template)), {0})


def test_unfinished_empty_and_unseen_questions_are_left_out() -> None:
    """Finished questions come in the template; a prompt of the examination is never among them, whatever its case and punctuation; where
    hardly any question is finished, the others are used too."""
    held = held_out_prompts()["facts"][0]
    turns = [("What is a fox?", True), ("", True), (f"  {held.upper()} !!", True), ("Tell me", False)]
    assert asked(turns, Unseen([held])) == ["What is a fox?"]
    assert asked(turns, Unseen()) == ["What is a fox?", f"{held.upper()} !!"]
    assert asked([("Tell me", False), ("", True), (f"Please: {held}", True)], Unseen([held])) == ["Tell me"]


def test_most_questions_continue_first_words() -> None:
    """Every third question is the target's own from its first word; the others begin with words of the list, which stay in the prompt."""
    text = chat_text()
    opening = opening_of(text, {0})
    begun: list[list[int]] = []

    def turn(prompt: list[int]) -> tuple[list[int], str, bool]:
        begun.append(prompt)
        return prompt, " a fox?", True

    found = questions(Scripted(None, 0, text, turn), text, opening, 30, torch.Generator().manual_seed(1), Unseen())
    words = [str(text.tokenizer.decode(ids[len(opening.ids) :])) for ids in begun]
    assert words[::3] == [""] * 10
    others = [each for index, each in enumerate(words) if index % 3]
    assert set(others) <= set(first_words())
    assert len(set(others)) > 10
    assert [words_of(ids) for ids in found] == [f"{each} a fox?".strip() for each in words]


def test_unseen_prompts_are_recognised() -> None:
    """Case, spaces and punctuation do not matter; a long prompt is found inside a longer text, a short one only as a whole."""
    unseen = Unseen(["Which planet has the most moons?", "Hello"])
    for text in ("which planet  has the most moons", "Hello!", "Say: which planet has the most moons? Now."):
        assert unseen.contains(text)
    for text in ("Hello world", "which planet has most moons", "xwhich planet has the most moonsx", ""):
        assert not unseen.contains(text)


def test_held_out_texts_are_never_continued(tmp_path: Path) -> None:
    """A fifth of the texts is held out, whatever their order and files; beginnings come from the others; too few texts are refused."""
    every = [f"text number {n} about foxes" for n in range(20)]
    (tmp_path / "a.txt").write_text("\n\n".join(every[:12]))
    (tmp_path / "deep" / "c.txt").mkdir(parents=True)  # a folder with the name of a text is none
    (tmp_path / "deep" / "b.txt").write_text("\n\n\n".join(every[12:]) + "\n\n")
    found = documents.read(tmp_path)
    assert len(found.held_out) == 4
    assert set(found.held_out) | set(found.texts) == set(every)
    assert not set(found.held_out) & set(found.texts)
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "z.txt").write_text("\n\n".join(reversed(every)))
    assert documents.read(tmp_path / "c") == found
    text = chat_text()
    begun = found.beginnings(text, Random(1))  # noqa: S311  # text, not secrets
    for _ in range(60):
        words = str(text.tokenizer.decode(next(begun)))
        assert any(whole.startswith(words) for whole in found.texts)
    (tmp_path / "few").mkdir()
    with pytest.raises(TrainingError, match="0 texts"):
        documents.read(tmp_path / "few")
