"""The recorded runs of the site's gallery, and the JSON of their cards."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from specviz.decoding.drafters import registry
from specviz.folders import ASSETS
from specviz.known_pairs import CHAT, EMBEDDED
from specviz.lessons.files import BUILT_IN, RECORDINGS
from specviz.lessons.reading import find_recording
from specviz.reporting.gallery import GalleryEntry, entry_of, read_entry
from specviz.reporting.player import wording
from specviz.reporting.player.recorded_race import lane
from specviz.reporting.prompts import ReadyPrompt, hints_checked, ready_prompts
from specviz.reporting.run_figures import figures_of
from specviz.trace.records import Stop, Trace

_FIRST_DRAFTS = ("embedded/draft", "smollm2-135m/draft")  # of the pairs that are offered first
# The kind of text of prompts that are not ready-made ones.
_KINDS = {"boat": "story", "boat-ngram": "story", "meeting": "letters"}


def card_json(entry: GalleryEntry) -> dict[str, Any]:
    """An entry without its rounds, as `GalleryEntry` in loading.ts."""
    figures = figures_of(entry.run, entry.plain)
    card, settings = entry.run.card, entry.run.settings
    return {
        "name": entry.name,
        "title": entry.title,
        "kind": entry.kind,
        "shows": entry.shows,
        "drafter": wording.label(card.drafter.name) if entry.run.drafts else "",
        "draft": f" ({_short(card.draft.name)})" if card.draft and card.draft.name not in _FIRST_DRAFTS else "",
        "target": _short(card.target.name),
        "prompt": " ".join(entry.run.prompt.split())[:120],
        "group": json.dumps(
            [
                card.target.name,
                card.dtype,
                card.device,
                entry.run.prompt,
                settings.temperature,
                settings.top_k,
                settings.top_p,
            ]
        ),
        "tags": list(_tags(entry.run)),
        "tokens": figures.tokens,
        "passes": figures.passes,
        "speedup": figures.speedup if figures.trusted and entry.run.drafts else None,
        "judged": sum(round_.judged for round_ in entry.run.rounds),
        "accepted": sum(len(round_.accepted) for round_ in entry.run.rounds),
        "lanes": [lane(trace, entry.plain) for trace in entry.traces],
    }


def _short(name: str) -> str:
    """A model without its owner; of the embedded pair the pair."""
    return EMBEDDED if name.startswith(f"{EMBEDDED}/") else name.rpartition("/")[2]


def _tags(run: Trace) -> Iterator[str]:
    """The tags of a recording, from its rounds: the names of `tag.…` in the site's words."""
    drafted = [round_ for round_ in run.rounds if round_.drafted]
    description = registry.descriptions().get(run.card.drafter.name)
    tags = {
        "whole": any(len(round_.accepted) == len(round_.drafted) for round_ in drafted),
        "rejected": any(len(round_.accepted) < round_.judged for round_ in drafted),
        "none": any(not round_.accepted for round_ in drafted),
        "tree": description is not None and description.shape == "tree",
        "random": not run.settings.greedy,
        "lossy": run.settings.lossy,
        "copied": any(round_.source is not None for round_ in drafted),
        "ended": run.stop is Stop.END_OF_TEXT,
        "plain": not drafted,
    }
    return (name for name, applies in tags.items() if applies)


def built_in() -> list[GalleryEntry]:
    """The recordings that come with the project, those of the list of recordings first."""
    lists = (json.loads((ASSETS / f"{name}recordings.json").read_text(encoding="utf-8")) for name in ("", "lesson-"))
    rows = {row["file"]: row for rows in lists for row in rows}
    files = [file for name in rows if (file := RECORDINGS / name).is_file()]
    files += sorted(file for file in BUILT_IN.glob("*.json") if b'"traces"' in file.read_bytes()[:200])
    entries = [_built_in(file, rows.get(file.name, {})) for file in files]
    return entries + [read_entry(file) for file in sorted((ASSETS / "gallery").glob("*.json"))]


def _built_in(file: Path, row: dict[str, Any]) -> GalleryEntry:
    traces = find_recording(file.stem, file.parent).traces  # read once, for the lessons too
    family = EMBEDDED if traces[0].card.target.name.startswith(EMBEDDED) else CHAT
    ready = _ready(family).get(traces[0].prompt)
    hint = ready.look_for if ready and hints_checked(family, traces[0].settings) and traces[0].drafts else ""
    title = row.get("title") or (ready.title if ready else " ".join(traces[0].prompt.split()[:5]).rstrip(",.;:"))
    kind = ready.category if ready else _KINDS.get(file.stem, "facts")
    return entry_of(file.stem, title, kind, row.get("look_for", hint), traces)


@cache
def _ready(family: str) -> dict[str, ReadyPrompt]:
    return {prompt.text: prompt for prompt in ready_prompts(family)}
