"""The recorded runs of the site's gallery: those that come with the project, with what their cards show."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from specviz.decoding.drafters import registry
from specviz.folders import ASSETS
from specviz.known_pairs import CHAT, EMBEDDED
from specviz.lessons.places import BUILT_IN, RECORDINGS
from specviz.lessons.reading import find_recording
from specviz.reporting.gallery import GalleryEntry, entry_of, read_entry
from specviz.reporting.player import wording
from specviz.reporting.player.recorded_race import drafts, lane
from specviz.reporting.prompts import ReadyPrompt, hints_checked, ready_prompts
from specviz.reporting.run_figures import figures_of
from specviz.trace.records import Stop, Trace

_USUAL = ("embedded/draft", "smollm2-135m/draft")
"""The drafts of the pairs that are offered first."""


def listed(entry: GalleryEntry) -> dict[str, Any]:
    """What the gallery's page reads, without the rounds: see `GalleryEntry` in site_types.ts."""
    figures = figures_of(entry.run, entry.plain)
    card, settings = entry.run.card, entry.run.settings
    return {
        "name": entry.name,
        "title": entry.title,
        "kind": entry.kind,
        "shows": entry.shows,
        "drafter": wording.label(card.drafter.name) if drafts(entry.run) else "",
        "draft": f" ({_short(card.draft.name)})" if card.draft and card.draft.name not in _USUAL else "",
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
        "speedup": figures.speedup if figures.trusted and drafts(entry.run) else None,
        "judged": sum(round_.judged for round_ in entry.run.rounds),
        "accepted": sum(len(round_.accepted) for round_ in entry.run.rounds),
        "lanes": [lane(trace, entry.plain) for trace in entry.traces],
    }


def _short(name: str) -> str:
    """A model without its owner; of the embedded pair the pair."""
    return EMBEDDED if name.startswith(f"{EMBEDDED}/") else name.rpartition("/")[2]


def _tags(run: Trace) -> Iterator[str]:
    """What a recording shows, read from its rounds: the names of `tag.…` in the site's words."""
    drafted = [round_ for round_ in run.rounds if round_.drafted]
    known = registry.descriptions().get(run.card.drafter.name)
    checks = {
        "whole": any(len(round_.accepted) == len(round_.drafted) for round_ in drafted),
        "rejected": any(len(round_.accepted) < round_.judged for round_ in drafted),
        "none": any(not round_.accepted for round_ in drafted),
        "tree": known is not None and known.shape == "tree",
        "random": not run.settings.greedy,
        "lossy": run.settings.lossy,
        "copied": any(round_.source is not None for round_ in drafted),
        "ended": run.stop is Stop.END_OF_TEXT,
        "plain": not drafted,
    }
    return (name for name, shown in checks.items() if shown)


def built_in() -> list[GalleryEntry]:
    """The recordings that come with the project, those of the list of recordings first."""
    lists = (json.loads((ASSETS / f"{name}recordings.json").read_text(encoding="utf-8")) for name in ("", "lesson-"))
    listed = {each["file"]: each for found in lists for each in found}
    files = [file for name in listed if (file := RECORDINGS / name).is_file()]
    files += sorted(file for file in BUILT_IN.glob("*.json") if b'"traces"' in file.read_bytes()[:200])
    found = [_built_in(file, listed.get(file.name, {})) for file in files]
    return found + [read_entry(file) for file in sorted((ASSETS / "gallery").glob("*.json"))]


def _built_in(file: Path, listed: dict[str, Any]) -> GalleryEntry:
    traces = find_recording(file.stem, file.parent).traces  # read once, for the lessons too
    family = EMBEDDED if traces[0].card.target.name.startswith(EMBEDDED) else CHAT
    ready = _ready(family).get(traces[0].prompt)
    hint = ready.look_for if ready and hints_checked(family, traces[0].settings) and drafts(traces[0]) else ""
    title = listed.get("title") or (ready.title if ready else " ".join(traces[0].prompt.split()[:5]).rstrip(",.;:"))
    kind = ready.category if ready else _LIKE.get(file.stem, "facts")
    return entry_of(file.stem, title, kind, listed.get("look_for", hint), traces)


_LIKE = {"boat": "story", "boat-ngram": "story", "meeting": "letters"}
"""The kind of text of prompts that are none of the ready-made ones."""


@cache
def _ready(family: str) -> dict[str, ReadyPrompt]:
    return {each.text: each for each in ready_prompts(family)}
