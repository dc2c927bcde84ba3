"""The shipped recordings are real, complete and small."""

import json
from pathlib import Path
from typing import Any

from specviz.known_pairs import CHAT, EMBEDDED
from specviz.trace.files import read_file
from specviz.trace.metrics import speedup
from tests.helpers.hints import contradicted

ASSETS = Path(__file__).parents[2] / "assets"
WANTED = json.loads((ASSETS / "recordings.json").read_text(encoding="utf-8"))


def test_the_list_and_the_folder_agree() -> None:
    """The listed recordings are the ones that exist, and together they are below two megabytes."""
    files = list((ASSETS / "traces").iterdir())
    assert {file.name for file in files} == {wanted["file"] for wanted in WANTED}
    assert len(WANTED) >= 6
    assert sum(file.stat().st_size for file in files) < 2_000_000


def test_each_is_a_real_pair_of_runs() -> None:
    """Each has the speculative and the plain run of its ready-made prompt; at temperature 0 both wrote the same."""
    for wanted in WANTED:
        speculative, plain = read_file(ASSETS / "traces" / wanted["file"])
        assert speculative.prompt == plain.prompt == _ready(wanted)["prompt"]
        assert speculative.settings == plain.settings
        assert (speculative.card.dtype, plain.card.draft) == ("float32", None)
        scored = speculative.settings.drafter != "ngram"
        drafted = [token for round_ in speculative.rounds for token in round_.drafted]
        assert all(bool(token.draft_top.tokens) == scored and token.target_top.tokens for token in drafted)
        assert not any(round_.drafted for round_ in plain.rounds)
        assert speedup(plain, speculative) > 0
        assert not speculative.settings.greedy or speculative.token_ids == plain.token_ids


def _ready(wanted: dict[str, Any]) -> dict[str, Any]:
    """The ready-made prompt of a recording."""
    listed = json.loads((ASSETS / "prompts" / f"{wanted.get('pair', EMBEDDED)}.json").read_text(encoding="utf-8"))
    found: dict[str, Any] = next(ready for ready in listed if ready["title"] == wanted["title"])
    return found


def test_what_is_said_of_each_is_true() -> None:
    """A recording shows what its own sentence says; without one, what the hint of its prompt says."""
    wrong = {}
    for wanted in WANTED:
        said = wanted if "look_for" in wanted else _ready(wanted)
        wrong[wanted["file"]] = contradicted(said["claims"], read_file(ASSETS / "traces" / wanted["file"])[0])
    assert not any(wrong.values()), wrong


def test_other_settings_have_their_own_sentence() -> None:
    """The hint of a prompt speaks of its own pair, the draft model (the chat model's of the text alone) and temperature 0; a recording of something else says what it shows."""
    for wanted in WANTED:
        speaks_of_the_text = wanted.get("pair") == CHAT
        other = {"temperature"} if speaks_of_the_text else {"drafter", "temperature"}
        other &= set(wanted["settings"])
        assert "look_for" in wanted or not (other or wanted.get("pair", EMBEDDED) not in (EMBEDDED, CHAT))
